"""Pairings by programs that know nothing of this one: a question a line, an answer a line, both in JSON.

{"ask": "py4swiss", "field": 8, "rounds": 5, "before": [{"pairs": [[1, 5, "1"], ...], "byes": [7]}, ...]}
{"ask": "caissify", ...}
    The next round of a Swiss. "before" has a round after the other: who had the first seat, who the second, and what
    the first of them got of the game ("1", "=" or "0"); who had a bye. The answer is [[first, second], ...], with 0 for
    the second of a bye, or null where the program finds no round. With "seats": false, caissify is told nothing of who
    had which seat.
{"ask": "berger", "field": 8}
    All rounds of the Berger table; the answer has a list of [first, second] for each.

Bots are numbered from 1 in the order of the field.
"""

import json
import sys

from caissify_pairings.engines.dutch import DutchEngine as Caissify
from caissify_pairings.engines.round_robin import RoundRobinEngine
from py4swiss.engines import DutchEngine as Py4Swiss
from py4swiss.engines.common import PairingError
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

OTHERWISE = {"1": "0", "=": "=", "0": "1"}
POINTS = {"1": 2, "=": 1, "0": 0}


def py4swiss(field, rounds, before):
    players = {
        number: PlayerSection(code=PlayerCode.PLAYER, starting_number=number, points_times_ten=0, rank=number)
        for number in range(1, field + 1)
    }

    def add(number, rival, color, result, half_points):
        section = players[number]
        section.results.append(RoundResult(id=rival, color=ColorToken(color), result=ResultToken(result)))
        section.points_times_ten += 5 * half_points

    for played in before:
        for first, second, result in played["pairs"]:
            add(first, second, "w", result, POINTS[result])
            add(second, first, "b", OTHERWISE[result], POINTS[OTHERWISE[result]])
        for number in played["byes"]:
            add(number, 0, "-", "U", 2)
    trf = ParsedTrf(player_sections=list(players.values()), x_section=XSection(number_of_rounds=rounds))
    trf.validate_contents()
    try:
        return [[pair.white, pair.black] for pair in Py4Swiss.generate_pairings(trf)]
    except PairingError:
        return None


def caissify(field, rounds, before, seats=True):
    players = {
        number: {"id": number, "starting_number": number, "name": "", "title": "", "rating": 3000 - number,
                 "score": 0.0, "color_hist": [], "float_history": [], "bye_count": 0, "forfeit_win_count": 0}
        for number in range(1, field + 1)
    }
    met = set()
    for played in before:
        scores = {number: player["score"] for number, player in players.items()}
        for first, second, result in played["pairs"]:
            met.add((min(first, second), max(first, second)))
            for number, rival, color, half_points in [
                (first, second, "white", POINTS[result]),
                (second, first, "black", POINTS[OTHERWISE[result]]),
            ]:
                own, other = scores[number], scores[rival]
                player = players[number]
                player["score"] += half_points / 2
                player["float_history"].append("down" if own > other else "up" if own < other else "none")
                if seats:
                    player["color_hist"].append(color)
        for number in played["byes"]:
            player = players[number]
            player["score"] += 1
            player["bye_count"] += 1
            player["float_history"].append("down")
    pairs = Caissify(list(players.values()), met, len(before) + 1, rounds).generate_pairings()
    return [[pair["white_id"], pair["black_id"] or 0] for pair in pairs]


def berger(field):
    players = [{"id": number, "starting_number": number} for number in range(1, field + 1)]
    count = field - 1 + field % 2

    def pairs(number):
        engine = RoundRobinEngine(players, set(), number, count)
        return [[pair["white_id"], pair["black_id"]] for pair in engine.generate_pairings() if pair["black_id"]]

    return [pairs(number) for number in range(1, count + 1)]


for line in sys.stdin:
    question = json.loads(line)
    ask = {"py4swiss": py4swiss, "caissify": caissify, "berger": berger}[question.pop("ask")]
    print(json.dumps(ask(**question)), flush=True)
