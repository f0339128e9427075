#!/usr/bin/env python3
"""Walks the shortest way in Alto Ahí, with two or four seats, and never places a barrier."""

import random

import arbitro_bot


def square(text):
    """File and rank of a square such as "e2", from 0."""
    return ord(text[0]) - ord("a"), int(text[1:]) - 1


def neighbours(here, barriers, size):
    """The squares one step from here, as if there were no other pawns."""
    file, rank = here
    # What stops a step is anchored at the lower or left square of the step, or one further down or left.
    for there, low, kind in [
        ((file, rank + 1), (file, rank), "h"),
        ((file, rank - 1), (file, rank - 1), "h"),
        ((file + 1, rank), (file, rank), "v"),
        ((file - 1, rank), (file - 1, rank), "v"),
    ]:
        before = (low[0] - 1, low[1]) if kind == "h" else (low[0], low[1] - 1)
        stopped = (low, kind) in barriers or (before, kind) in barriers
        if not stopped and all(0 <= at < size for at in there):
            yield there


def is_goal(here, seat, seats, last):
    """Whether a square lies on the side that a seat walks to."""
    file, rank = here
    if seats == 2:
        return rank == (last, 0)[seat]
    return (rank == last, file == last, rank == 0, file == 0)[seat]


def choose(state, legal, game):
    """The legal step from which the way to the goal is shortest."""
    size, seats = state["size"], len(game.players)
    barriers = {(square(text[:2]), text[2]) for owned in state["barriers"] for text in owned}

    def distance(move):
        reached = wave = {square(move)}
        for steps in range(size * size):
            if any(is_goal(here, game.seat, seats, size - 1) for here in wave):
                return steps
            wave = {there for here in wave for there in neighbours(here, barriers, size)} - reached
            reached = reached | wave
        return size * size

    steps = [move for move in legal if len(move) == 2 and move[0] in "abcdefghi"]
    random.shuffle(steps)
    return min(steps, key=distance) if steps else random.choice(legal)


if __name__ == "__main__":
    arbitro_bot.play(choose, name="walker.py", begin=lambda game: random.seed(game.seed))
