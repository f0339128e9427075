//! The numbers of `fixtures/crecer.json`, which other programs computed.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::*;
use crate::game::perft;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    #[serde(rename = "note")]
    _note: String,
    perft: BTreeMap<String, BTreeMap<u32, u64>>,
    random_play: RandomPlay,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RandomPlay {
    games: u32,
    plies_mean_tenths: u64,
    plies_median: u64,
    plies_max: u64,
    seat0_thousandths: u64,
    seat1_thousandths: u64,
    draw_thousandths: u64,
    branching_mean_tenths: u64,
    branching_max: u64,
}

fn facts() -> Facts {
    serde_json::from_str(include_str!("../../../../fixtures/crecer.json")).unwrap()
}

fn unlimited() -> Options {
    Options { repetition: 0, max_plies: MOST_PLIES, ..Options::default() }
}

fn check_perft(depths: std::ops::RangeInclusive<u32>) {
    let mut checked = 0;
    for (variant, counts) in facts().perft {
        let options = match variant.as_str() {
            "default" => unlimited(),
            "attack_up_false" => Options { attack_up: false, ..unlimited() },
            "backward_false" => Options { backward: false, ..unlimited() },
            other => panic!("no options are known for {other}"),
        };
        let game = Crecer::new(&options, 2).unwrap();
        for (&depth, &count) in counts.iter().filter(|&(depth, _)| depths.contains(depth)) {
            assert_eq!(perft(&game, depth), Ok(count), "{variant}, depth {depth}");
            checked += 1;
        }
    }
    assert!(checked > 0);
}

#[test]
fn perft_agrees_in_shallow_depths() {
    check_perft(1..=4);
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_perft_agrees() {
    check_perft(5..=6);
}

#[derive(Default)]
struct Played {
    plies: Vec<u64>,
    won: [u64; 2],
    decisions: u64,
    choices: u64,
    most_choices: u64,
}

fn play_at_random(games: u32) -> Played {
    let mut draws = Streams::new(Hex32([7; 32])).of(Purpose::Opening).clone();
    let start = Crecer::new(&unlimited(), 2).unwrap();
    let mut played = Played::default();
    let mut legal = Vec::new();
    for _ in 0..games {
        let mut game = start.clone();
        while game.end().is_none() {
            legal.clear();
            game.legal_moves(&mut legal);
            let choices = legal.len() as u64;
            played.decisions += 1;
            played.choices += choices;
            played.most_choices = played.most_choices.max(choices);
            game.apply(Step::Move(legal[draws.below(choices as u32) as usize]));
        }
        played.plies.push(game.ply().into());
        if let Some(winner) = game.ending().unwrap().winner {
            played.won[winner.index()] += 1;
        }
    }
    played.plies.sort_unstable();
    played
}

/// Both the facts and this run are samples; `slack` is how much wider than for a sample as large as theirs the bounds are.
/// The bounds are about four standard errors of the difference of two such samples.
fn check_random_play(games: u32, slack: u64) {
    let facts = facts().random_play;
    let played = play_at_random(games);
    let close = |what: &str, found: u64, expected: u64, by: u64| {
        assert!(found.abs_diff(expected) <= by * slack, "{what}: {found}, expected about {expected}");
    };
    let count = played.plies.len() as u64;
    let [seat0, seat1] = played.won.map(|won| won * 1000 / count);
    close("plies_mean_tenths", played.plies.iter().sum::<u64>() * 10 / count, facts.plies_mean_tenths, 16);
    close("plies_median", played.plies[played.plies.len() / 2], facts.plies_median, 2);
    close("seat0_thousandths", seat0, facts.seat0_thousandths, 13);
    close("seat1_thousandths", seat1, facts.seat1_thousandths, 13);
    close("draw_thousandths", 1000 - seat0 - seat1, facts.draw_thousandths, 6);
    close("branching_mean_tenths", played.choices * 10 / played.decisions, facts.branching_mean_tenths, 2);
    // The greatest values of a sample hang on single games, so that only their size can be compared.
    let plies_max = *played.plies.last().unwrap();
    assert!(plies_max <= facts.plies_max * 3 / 2, "{plies_max}");
    assert!(played.most_choices <= facts.branching_max * 5 / 4, "{}", played.most_choices);
    if games >= facts.games {
        assert!(plies_max >= facts.plies_max * 2 / 3, "{plies_max}");
        assert!(played.most_choices >= facts.branching_max * 4 / 5, "{}", played.most_choices);
    }
}

#[test]
fn random_play_looks_as_it_should() {
    check_random_play(1000, 7);
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_random_play_looks_as_it_should() {
    check_random_play(facts().random_play.games, 1);
}
