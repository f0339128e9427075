"""Ratings and standings of an event a line, computed by packages that share nothing with arbitro.

Plackett-Luce and Bradley-Terry by choix (where a maximum without a prior exists) and by scipy's minimiser (with the
prior), Glicko-2 by the package glicko2 and once more from Glickman's paper, intervals and sequential tests by scipy.
Ties are taken apart into all orders that fit, each of which is counted alike.
"""

import itertools
import json
import math
import sys

import choix
import glicko2
import numpy
from scipy import optimize, sparse, stats

PRIOR = 0.1
ELO = 400 / math.log(10)
Z = stats.norm.ppf(0.975)


def orders(game):
    """All strict orders that fit the ranks of a game."""
    levels = {}
    for bot, rank in zip(game["seats"], game["ranks"]):
        levels.setdefault(rank, []).append(bot)
    choices = [itertools.permutations(levels[rank]) for rank in sorted(levels)]
    return [list(itertools.chain(*order)) for order in itertools.product(*choices)]


def largest_group(bots, games):
    """The bots that games connect: the largest group, of equal ones that with the first bot."""
    graph = numpy.zeros((bots, bots))
    for game in games:
        for one, other in itertools.combinations(game["seats"], 2):
            graph[one, other] = 1
    count, labels = sparse.csgraph.connected_components(sparse.csr_matrix(graph), directed=False)
    groups = [[bot for bot in range(bots) if labels[bot] == label] for label in range(count)]
    groups = [group for group in groups if len(group) > 1]
    return max(groups, key=lambda group: (len(group), -group[0])) if groups else []


def curvature(logs, rankings):
    """Minus the second derivatives of the logarithm of the likelihood, the prior with it."""
    matrix = numpy.zeros((len(logs), len(logs)))
    for ranking, weight in rankings.items():
        ranking = list(ranking)
        for begin in range(len(ranking) - 1):
            rest = ranking[begin:]
            shares = numpy.exp(logs[rest] - numpy.logaddexp.reduce(logs[rest]))
            matrix[numpy.ix_(rest, rest)] += weight * (numpy.diag(shares) - numpy.outer(shares, shares))
    against = 1 / (1 + numpy.exp(-logs))
    return matrix + PRIOR * numpy.diag(against * (1 - against))


def likeliest(bots, counted):
    """The logarithms of the likeliest strengths under the prior, by scipy, from rankings and how often each was there."""

    def cost(logs):
        value = PRIOR * numpy.sum((numpy.logaddexp(0, logs) + numpy.logaddexp(0, -logs)) / 2)
        for ranking, times in counted.items():
            for begin in range(len(ranking) - 1):
                rest = list(ranking[begin:])
                value += times * (numpy.logaddexp.reduce(logs[rest]) - logs[ranking[begin]])
        return value

    def slope(logs):
        value = PRIOR * (1 / (1 + numpy.exp(-logs)) - 0.5)
        for ranking, times in counted.items():
            for begin in range(len(ranking) - 1):
                rest = list(ranking[begin:])
                value[rest] += times * numpy.exp(logs[rest] - numpy.logaddexp.reduce(logs[rest]))
                value[ranking[begin]] -= times
        return value

    found = optimize.minimize(cost, numpy.zeros(bots), jac=slope, method="BFGS", options={"gtol": 1e-9, "maxiter": 5000})
    return found.x - found.x.mean()


def strengths(event):
    """Elo, half intervals, and the likelihood to be above the next; then the maximum without a prior, if there is one."""
    bots, games = event["bots"], event["games"]
    elo, error, above, exact = [None] * bots, [None] * bots, [None] * bots, None
    group = largest_group(bots, games)
    if not group:
        return elo, error, above, exact
    place = {bot: index for index, bot in enumerate(group)}

    def rankings(of):
        counted = {}
        for game in of:
            if game["seats"][0] in place:
                found = orders(game)
                for order in found:
                    order = tuple(place[bot] for bot in order)
                    counted[order] = counted.get(order, 0) + 1 / len(found)
        return counted

    distinct = list({game["course"]: game for game in reversed(games)}.values())
    logs = likeliest(len(group), rankings(games))
    inverse = numpy.linalg.inv(curvature(logs, rankings(distinct)))
    centre = numpy.eye(len(group)) - 1 / len(group)
    spread = centre @ inverse @ centre
    order = sorted(range(len(group)), key=lambda bot: (-round(logs[bot], 7), bot))
    for index, bot in enumerate(order):
        elo[group[bot]] = logs[bot] * ELO
        error[group[bot]] = math.sqrt(spread[bot, bot]) * Z * ELO
        if index + 1 < len(order):
            rival = order[index + 1]
            variance = spread[bot, bot] + spread[rival, rival] - 2 * spread[bot, rival]
            above[group[bot]] = stats.norm.cdf((logs[bot] - logs[rival]) / math.sqrt(variance))
    beaten = numpy.zeros((len(group), len(group)))
    for ranking in rankings(games):
        for one, other in itertools.combinations(ranking, 2):
            beaten[one, other] = 1
    strong, _ = sparse.csgraph.connected_components(sparse.csr_matrix(beaten), directed=True, connection="strong")
    if strong == 1 and len(group) == bots:
        # The package takes whole rankings alone: each game as often as makes all shares whole.
        times = math.lcm(*[len(orders(game)) for game in games])
        whole = [list(order) for order, share in rankings(games).items() for _ in range(round(share * times))]
        found = choix.opt_rankings(bots, whole, alpha=0, method="Newton-CG", tol=1e-10)
        exact = list((found - found.mean()) * ELO)
    return elo, error, above, exact


def results(event, bot):
    """1, a half or 0 for each rival at each table of a bot."""
    found = []
    for game in event["games"]:
        if bot in game["seats"]:
            own = game["ranks"][game["seats"].index(bot)]
            rivals = [rank for other, rank in zip(game["seats"], game["ranks"]) if other != bot]
            found += [(rank > own) + (rank == own) / 2 for rank in rivals]
    return found


def by_package(scores):
    """Glicko-2 by the package."""
    if not scores:
        return None
    player = glicko2.Player()
    player.update_player([1500] * len(scores), [350] * len(scores), scores)
    return [player.rating, player.rd]


def by_paper(scores):
    """Glicko-2 by Glickman's paper of 2013, the volatility as the root that his step 5 looks for."""
    if not scores:
        return None
    tau, sigma, phi = 0.5, 0.06, 350 / 173.7178
    g = 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)
    v = 1 / (len(scores) * g**2 * 0.25)
    gained = g * sum(score - 0.5 for score in scores)
    delta, a = v * gained, math.log(sigma**2)

    def root(x):
        e = math.exp(x)
        return e * (delta**2 - phi**2 - v - e) / (2 * (phi**2 + v + e) ** 2) - (x - a) / tau**2

    volatility = math.exp(optimize.brentq(root, a - 20, a + 20, xtol=1e-14) / 2)
    deviation = 1 / math.sqrt(1 / (phi**2 + volatility**2) + 1 / v)
    return [1500 + 173.7178 * deviation**2 * gained, 173.7178 * deviation, volatility]


def tie_breaks(event):
    """Points, Sonneborn-Berger and Buchholz scores, written down as the rules say them."""
    bots, games = range(event["bots"]), event["games"]
    points = [sum(results(event, bot)) for bot in bots]
    beaten, met = [0] * len(points), [set() for _ in bots]
    for game in games:
        for (one, own), (other, rank) in itertools.permutations(zip(game["seats"], game["ranks"]), 2):
            beaten[one] += ((rank > own) + (rank == own) / 2) * points[other]
            met[one].add((game["round"], other))
    return points, beaten, [sum(points[other] for _, other in rivals) for rivals in met]


def wilson(event):
    """The interval of the first seat's share at tables of two without draws, where it is one of wins."""
    if event["seats"] != 2 or not event["games"] or any(game["ranks"] == [1, 1] for game in event["games"]):
        return None
    if len({game["course"] for game in event["games"]}) != len(event["games"]):
        return None
    wins = sum(game["ranks"] == [1, 2] for game in event["games"])
    interval = stats.binomtest(wins, len(event["games"])).proportion_ci(method="wilson")
    return [interval.low, interval.high]


def shares_under(counts, constraint):
    """The likeliest shares of results under a constraint, by scipy's minimiser for constrained problems."""
    seen = numpy.array(counts) / sum(counts)
    found = optimize.minimize(
        lambda shares: -numpy.sum(seen * numpy.log(shares)),
        numpy.full(len(counts), 1 / len(counts)),
        jac=lambda shares: -seen / shares,
        bounds=[(1e-12, 1)] * len(counts),
        constraints=[{"type": "eq", "fun": lambda shares: shares.sum() - 1}, {"type": "eq", "fun": constraint}],
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 3000},
    )
    return found.x


def llr(counts, elo0, elo1, normalized):
    """The logarithm of the ratio of the likelihoods of both hypotheses."""
    counts = [count if count else 1e-3 for count in counts]
    values = numpy.linspace(0, 1, len(counts))

    def likeliest_for(elo):
        if normalized:
            sigmas = elo / (800 / math.log(10)) * math.sqrt((len(counts) - 1) / 2)

            def constraint(shares):
                mean = shares @ values
                return mean - 0.5 - sigmas * math.sqrt(max(shares @ (values - mean) ** 2, 1e-30))

            return shares_under(counts, constraint)
        return shares_under(counts, lambda shares: shares @ values - 1 / (1 + 10 ** (-elo / 400)))

    ratio = numpy.log(likeliest_for(elo1)) - numpy.log(likeliest_for(elo0))
    return float(numpy.array(counts) @ ratio)


def estimate(counts):
    """Elo, nElo and the likelihood of superiority from results, with the errors of the first two."""
    results = numpy.repeat(numpy.linspace(0, 1, len(counts)), counts)
    mean, sigma = results.mean(), results.std()
    error = Z * sigma / math.sqrt(len(results))
    elo = lambda share: 400 * math.log10(share / (1 - share))
    to_nelo = 800 / math.log(10) / sigma / math.sqrt((len(counts) - 1) / 2)
    return [
        elo(mean),
        (elo(mean + error) - elo(mean - error)) / 2,
        (mean - 0.5) * to_nelo,
        error * to_nelo,
        stats.norm.cdf((mean - 0.5) / (error / Z)),
    ]


def of_event(event):
    elo, error, above, exact = strengths(event)
    points, beaten, rivals = tie_breaks(event)
    scores = [results(event, bot) for bot in range(event["bots"])]
    return {
        "elo": elo,
        "error": error,
        "above": above,
        "exact": exact,
        "glicko": [by_paper(of_bot) for of_bot in scores],
        "glicko_package": [by_package(of_bot) for of_bot in scores],
        "points": points,
        "sonneborn_berger": beaten,
        "buchholz": rivals,
        "wilson": wilson(event),
    }


def of_test(test):
    counts, bounds = test["counts"], (test["elo0"], test["elo1"])
    return {
        "logistic": llr(counts, *bounds, normalized=False),
        "normalized": llr(counts, *bounds, normalized=True),
        "estimate": estimate(counts),
    }


for line in sys.stdin:
    asked = json.loads(line)
    answer = of_test(asked) if "counts" in asked else of_event(asked)
    print(json.dumps(answer, allow_nan=False), flush=True)
