#!/usr/bin/env python3
"""A whole bot: it plays any legal move. It needs nothing but Python's standard library."""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    kind = message.get("type")
    if kind == "hello":  # A game begins. The seed makes the bot play the same game again when it is asked to.
        random.seed(message.get("bot_seed"))
        answer = {"type": "ready", "name": "random_bot.py"}
    elif kind == "turn":  # The answer repeats the number of the question.
        answer = {"type": "move", "turn": message["turn"], "move": random.choice(message["legal"])}
    else:  # "over" needs no answer, and neither does what a later version of the protocol may send.
        continue
    print(json.dumps(answer), flush=True)  # Without the flush it would stay here, and time would run out.
