#!/usr/bin/env python3
# A bot without a fault: it plays any legal move. What a test wants wrong about it is put in at HERE.
import json, os, random, sys, threading, time

FOLDER = os.path.dirname(os.path.abspath(__file__))
hello = None
asked = 0
games = 0


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def say(message):
    write(json.dumps(message) + "\n")


def begin():
    pass


def on_hello(message):
    say({"type": "ready", "name": "good"})


LOSES = None


def choose(message):
    if asked > 9 and LOSES == (hello["game"], len(hello["players"])):
        return "nowhere"
    return random.choice(message["legal"])


def on_turn(message):
    say({"type": "move", "turn": message["turn"], "move": choose(message)})


def on_over(message):
    pass


def on_other(message):
    pass


def lines():
    for line in sys.stdin:
        yield line


def end():
    pass


# HERE
begin()
for line in lines():
    message = json.loads(line)
    kind = message.get("type")
    if kind == "hello":
        hello, asked, games = message, 0, games + 1
        random.seed(message["bot_seed"])
        on_hello(message)
    elif kind == "turn":
        asked += 1
        on_turn(message)
    elif kind == "over":
        on_over(message)
    else:
        on_other(message)
end()
