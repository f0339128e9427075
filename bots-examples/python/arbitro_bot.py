"""The line protocol of Arbitro, hidden: copy this file beside your bot and write one function.

    import arbitro_bot

    def choose(state, legal, game):
        return legal[0]

    arbitro_bot.play(choose, name="my bot")

`state` is the position as the rules of the game describe it (`arbitro rules GAME`), `legal` the list of legal moves, and
`game` a `Game` with everything else. Return one of the moves, a pair of a move and an `info` (a small dict that is kept
in the log), or `arbitro_bot.RESIGN`. What you print goes to stderr, where the referee keeps it for you.
"""

import json
import sys

RESIGN = object()


class Game:
    """One game, from `hello` to `over`."""

    def __init__(self, hello):
        self.hello = hello  # The whole message, with clocks and limits.
        self.name = hello.get("game")  # Such as "alto-ahi".
        self.options = hello.get("options", {})
        self.seat = hello.get("seat")  # Your own, from 0.
        self.players = hello.get("players", [])  # The name of each seat.
        self.seed = hello.get("bot_seed")  # Yours alone: `random.seed(game.seed)` makes games repeatable.
        self.turn = 0  # The number of the question.
        self.events = []  # All steps since your last turn.
        self.history = []  # All steps of the game.
        self.move_ms = None  # The time for this move; None if it is not limited.
        self.left_ms = []  # What each seat has left in its bank.
        self.periods = []  # The byo-yomi periods that each seat has left; empty if there is no byo-yomi.
        self.result = None  # The `over` message, once it came.

    def update(self, turn):
        """Takes in a `turn` message."""
        self.turn = turn["turn"]
        self.events = turn.get("events", [])
        self.history += self.events
        clock = turn.get("clock", {})
        self.move_ms = clock.get("move_ms")
        self.left_ms = clock.get("left_ms", [])
        self.periods = clock.get("periods", [])


def play(choose, name=None, begin=None, end=None):
    """Plays one game after the other until the referee closes the line.

    `choose(state, legal, game)` decides each move; `begin(game)` and `end(game)`, if given, are called around a game.
    """
    wire, sys.stdout = sys.stdout, sys.stderr
    game = None
    for line in sys.stdin:
        message = json.loads(line)
        kind = message.get("type")
        if kind == "hello":
            game = Game(message)
            if begin:
                begin(game)
            send(wire, {"type": "ready", "name": name} if name else {"type": "ready"})
        elif kind == "turn":
            game.update(message)
            send(wire, answer(game.turn, choose(message["state"], message.get("legal", []), game)))
        elif kind == "over":
            game.result = message
            if end:
                end(game)


def answer(turn, chosen):
    """The message for what `choose` returned."""
    if chosen is RESIGN:
        return {"type": "resign", "turn": turn}
    if isinstance(chosen, tuple):
        move, info = chosen
        return {"type": "move", "turn": turn, "move": move, "info": info}
    return {"type": "move", "turn": turn, "move": chosen}


def send(wire, message):
    """Writes one line, at once."""
    wire.write(json.dumps(message) + "\n")
    wire.flush()
