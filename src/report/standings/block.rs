//! Two bots in the lines that testers of chess engines know from `fastchess`.

use std::fmt::Write as _;

use crate::report::text::{decimals, name, percent, points};
use crate::tournament::Entrant;
use crate::tournament::played::HalfPoints;
use crate::tournament::ratings::pairs::Duel;
use crate::tournament::ratings::sprt::{Model, Unit};
use crate::tournament::standings::{Standings, Tested};

const RULE: &str = "--------------------------------------------------\n";

/// The two of which the first is seen against the second; none where there are more of them, or more at a table.
pub fn two(standings: &Standings) -> Option<[Entrant; 2]> {
    (standings.bots.len() == 2 && standings.seats == 2).then_some([Entrant(0), Entrant(1)])
}

/// The results of the first bot of the field against the second.
///
/// What `fastchess` would print as `inf` or `nan` is `n/a` here.
pub fn block(standings: &Standings, bots: [Entrant; 2]) -> String {
    let [one, other] = bots.map(|bot| name(standings.name_of(bot)));
    let game = name(&standings.game);
    format!("{RULE}Results of {one} vs {other} ({game}):\n{}{RULE}", lines(standings, bots))
}

/// What stands below their names.
pub fn lines(standings: &Standings, [first, second]: [Entrant; 2]) -> String {
    let mut lines = results(&standings.duel(first, second).unwrap_or_default());
    if let Some(tested) = &standings.sprt {
        lines.push_str(&llr(tested));
    }
    lines
}

fn results(duel: &Duel) -> String {
    let estimate = duel.estimate();
    let (games, counts) = (duel.games, duel.pairs.by_half_points);
    let error = |value, error| format!("{} +/- {}", decimals(value, 2), decimals(error, 2));
    let paired = duel.unit() == Unit::Pairs;
    let draws = match paired {
        true => ratio(counts[2], duel.pairs.count()),
        false => ratio(games.draws, games.games()),
    };
    let pairs = if paired { ratio(counts[3] + counts[4], counts[0] + counts[1]) } else { None };
    let mut lines = format!(
        "Elo: {}, nElo: {}\nLOS: {}, DrawRatio: {}, PairsRatio: {}\n",
        error(estimate.elo, estimate.elo_error),
        error(estimate.nelo, estimate.nelo_error),
        percent(estimate.superiority, 2),
        percent(draws, 2),
        decimals(pairs, 2),
    );
    let _ = writeln!(
        lines,
        "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {} ({})",
        games.games(),
        games.wins,
        games.losses,
        games.draws,
        points(HalfPoints(games.half_points())),
        percent(games.score(), 2),
    );
    if paired {
        let split = ratio(duel.pairs.won_and_lost, counts[2] - duel.pairs.won_and_lost);
        let _ = writeln!(lines, "Ptnml(0-2): {counts:?}, WL/DD Ratio: {}", decimals(split, 2));
    }
    lines
}

fn llr(tested: &Tested) -> String {
    let (low, high) = tested.sprt.bounds();
    let (elo0, elo1) = tested.sprt.hypotheses();
    let shown = [Some(low), Some(high), Some(elo0), Some(elo1)].map(|value| decimals(value, 2));
    let [low, high, elo0, elo1] = shown;
    let verdict = match tested.stop {
        Some(stop) => format!("{:?} accepted after set {}", stop.verdict, stop.set),
        None => "goes on".to_owned(),
    };
    format!(
        "LLR: {} ({low}, {high}) [{elo0}, {elo1}]\nSPRT ({} Elo): {verdict}\n",
        decimals(tested.llr, 2),
        match tested.sprt.model() {
            Model::Normalized => "normalized",
            Model::Logistic => "logistic",
        }
    )
}

/// One count in terms of another; none where there is nothing to count it in.
fn ratio(count: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| count as f64 / of as f64)
}
