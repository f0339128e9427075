//! Matches that show which bot is the stronger one.

use super::tests::{Entrant, Setup, play};
use crate::game::Turn;
use crate::seat::Seat;
use crate::table::GameName;

/// The option by which fewer games of Passage are draws.
const PROGRESS: &str = r#"{"adjudicate":"progress"}"#;

/// Wins, draws and losses of the first of two bots.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl Score {
    fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// How likely at least so many wins are for a bot that wins every other game, draws being no wins.
    fn chance_of_equals(self) -> f64 {
        let games = self.games();
        let (mut term, mut tail) = (0.5f64.powi(games as i32), 0.0);
        for wins in 0..=games {
            if wins >= self.wins {
                tail += term;
            }
            term *= f64::from(games - wins) / f64::from(wins + 1);
        }
        tail
    }
}

/// Plays `games` games between two bots, the seats changing after each.
fn meet(game: GameName, options: &str, one: Entrant, other: Entrant, games: u32) -> Score {
    let mut score = Score::default();
    for number in 0..games {
        let seat = Seat::new(number as usize % 2);
        let entrants = if seat.index() == 0 { [one, other] } else { [other, one] };
        let seed = format!("strength {number}");
        let (table, _) = play(Setup { game, options, seed: &seed, opening: &[] }, &entrants);
        let Turn::Over(ranking) = table.turn() else { panic!("the game was played to its end") };
        match ranking.winner() {
            Some(winner) if winner == seat => score.wins += 1,
            Some(_) => score.losses += 1,
            None => score.draws += 1,
        }
    }
    println!("{one:?} against {other:?}: {score:?}, p = {:.1e}", score.chance_of_equals());
    score
}

#[test]
fn the_binomial_tail_is_right() {
    let score = |wins, losses| Score { wins, draws: 0, losses }.chance_of_equals();
    assert!((score(2, 0) - 0.25).abs() < 1e-12);
    assert!((score(0, 40) - 1.0).abs() < 1e-12);
    assert!((score(28, 12) - 0.008_3).abs() < 1e-4);
}

#[test]
fn greedy_beats_random_at_alto_ahi() {
    let score = meet(GameName::AltoAhi, "{}", ("greedy", &[]), ("random", &[]), 40);
    assert!(score.chance_of_equals() < 0.01, "{score:?}");
}

#[test]
fn minimax_beats_greedy_at_alto_ahi() {
    let small = r#"{"size":7,"walls":6}"#;
    let score = meet(GameName::AltoAhi, small, ("minimax", &["nodes=400"]), ("greedy", &[]), 40);
    assert!(score.chance_of_equals() < 0.01, "{score:?}");
}

#[test]
fn greedy_beats_random_at_passage() {
    let score = meet(GameName::Passage, "{}", ("greedy", &[]), ("random", &[]), 40);
    assert!(score.chance_of_equals() < 0.01, "{score:?}");
}

#[test]
fn minimax_beats_greedy_at_passage() {
    let score = meet(GameName::Passage, PROGRESS, ("minimax", &["nodes=300"]), ("greedy", &[]), 40);
    assert!(score.chance_of_equals() < 0.01, "{score:?}");
}

#[test]
#[ignore = "deep: minutes in release"]
fn deep_strength_of_passage() {
    for options in ["{}", PROGRESS, r#"{"legs":2}"#] {
        for (one, other) in [
            (("greedy", &[][..]), ("random", &[][..])),
            (("minimax", &["nodes=2000"]), ("greedy", &[])),
            (("minimax", &["nodes=2000"]), ("random", &[])),
            (("minimax", &["nodes=20000"]), ("minimax", &["nodes=2000"])),
        ] {
            let score = meet(GameName::Passage, options, one, other, 200);
            assert!(score.wins > score.losses, "{options}: {score:?}");
        }
    }
}

#[test]
#[ignore = "deep: minutes in release"]
fn deep_strength_of_alto_ahi() {
    for nodes in ["nodes=1000", "nodes=10000"] {
        meet(GameName::AltoAhi, "{}", ("minimax", &[nodes]), ("greedy", &[]), 100);
    }
    meet(GameName::AltoAhi, "{}", ("minimax", &["nodes=10000"]), ("minimax", &["nodes=1000"]), 100);
}
