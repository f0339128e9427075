//! Matches that show which bot is the stronger one, with any number of seats: one bot against copies of another.

use super::sparring::Entrant;
use super::tests::{Setup, play};
use crate::game::Turn;
use crate::seat::Seat;
use crate::table::GameName;

/// How one bot fared.
#[derive(Clone, Copy, Debug)]
struct Score {
    seats: u32,
    /// Games that it won alone.
    wins: u32,
    /// Games that nobody won alone.
    draws: u32,
    losses: u32,
}

impl Score {
    fn none(seats: u32) -> Score {
        Score { seats, wins: 0, draws: 0, losses: 0 }
    }

    fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// How likely at least so many wins are for a bot that wins its share only: one game in as many as there are seats,
    /// draws being no wins.
    fn chance_of_equals(self) -> f64 {
        let (games, share) = (f64::from(self.games()), 1.0 / f64::from(self.seats));
        let (mut term, mut tail) = ((1.0 - share).powf(games), 0.0);
        for wins in 0..=self.games() {
            if wins >= self.wins {
                tail += term;
            }
            term *= (games - f64::from(wins)) / f64::from(wins + 1) * share / (1.0 - share);
        }
        tail
    }

    /// Sure enough not to be luck.
    fn assert_stronger(self) {
        assert!(self.chance_of_equals() < 0.01, "{self:?}");
    }
}

/// Plays `games` games between two bots, as [`meet_copies`] does.
fn meet(game: GameName, options: &str, one: Entrant, other: Entrant, games: u32) -> Score {
    meet_copies(game, options, 2, one, other, games)
}

/// Plays `games` games of one bot against copies of another: in every seat as often, with the same luck.
fn meet_copies(game: GameName, options: &str, seats: u32, one: Entrant, other: Entrant, games: u32) -> Score {
    let mut score = Score::none(seats);
    for number in 0..games {
        let seat = Seat::new((number % seats) as usize);
        let entrants: Vec<Entrant> =
            Seat::first(seats as usize).map(|place| if place == seat { one } else { other }).collect();
        let seed = format!("strength {}", number / seats);
        let (table, _) = play(Setup { game, options, seed: &seed, opening: &[] }, &entrants);
        let Turn::Over(ranking) = table.turn() else { panic!("the game was played to its end") };
        match ranking.winner() {
            Some(winner) if winner == seat => score.wins += 1,
            Some(_) => score.losses += 1,
            None => score.draws += 1,
        }
    }
    println!("{game} {options}: {one:?} against {other:?}: {score:?}, p = {:.1e}", score.chance_of_equals());
    score
}

#[test]
fn the_binomial_tail_is_right_for_any_share() {
    let score = |seats, wins, losses| Score { wins, losses, ..Score::none(seats) }.chance_of_equals();
    assert!((score(2, 2, 0) - 0.25).abs() < 1e-12);
    assert!((score(4, 1, 1) - 7.0 / 16.0).abs() < 1e-12);
    assert!((score(3, 0, 60) - 1.0).abs() < 1e-12);
    assert!((score(2, 28, 12) - 0.008_3).abs() < 1e-4);
}

#[test]
fn greedy_beats_random_at_alto_ahi() {
    meet(GameName::AltoAhi, "{}", ("greedy", &[]), ("random", &[]), 40).assert_stronger();
}

#[test]
fn minimax_beats_greedy_at_alto_ahi() {
    let small = r#"{"size":7,"walls":6}"#;
    meet(GameName::AltoAhi, small, ("minimax", &["nodes=400"]), ("greedy", &[]), 40).assert_stronger();
}

#[test]
fn minimax_beats_three_greedy_ones_at_alto_ahi() {
    let small = r#"{"size":5,"walls":3}"#;
    meet_copies(GameName::AltoAhi, small, 4, ("minimax", &["nodes=200"]), ("greedy", &[]), 40).assert_stronger();
}

#[test]
fn greedy_beats_random_at_passage() {
    meet(GameName::Passage, "{}", ("greedy", &[]), ("random", &[]), 40).assert_stronger();
}

#[test]
fn minimax_beats_greedy_at_passage() {
    let progress = r#"{"adjudicate":"progress"}"#;
    meet(GameName::Passage, progress, ("minimax", &["nodes=300"]), ("greedy", &[]), 40).assert_stronger();
}

#[test]
fn greedy_beats_random_at_alto_riesgo() {
    for (seats, games) in [(2, 30), (3, 42), (4, 60)] {
        meet_copies(GameName::AltoRiesgo, "{}", seats, ("greedy", &[]), ("random", &[]), games).assert_stronger();
    }
}

#[test]
fn odds_beats_greedy_at_alto_riesgo() {
    for (seats, games) in [(2, 120), (3, 60), (4, 60)] {
        meet_copies(GameName::AltoRiesgo, "{}", seats, ("odds", &[]), ("greedy", &[]), games).assert_stronger();
    }
}

#[test]
fn greedy_beats_random_at_crecer() {
    meet(GameName::Crecer, "{}", ("greedy", &[]), ("random", &[]), 20).assert_stronger();
}

#[test]
fn minimax_beats_greedy_at_crecer() {
    meet(GameName::Crecer, "{}", ("minimax", &["nodes=1000"]), ("greedy", &[]), 30).assert_stronger();
}

/// A game with options and seats, in the words of the README, and its bots: each is to beat all that stand before it.
type Event = (GameName, &'static str, u32, &'static str, &'static [Entrant<'static>]);

const RANDOM: Entrant = ("random", &[]);
const GREEDY: Entrant = ("greedy", &[]);
const MINIMAX: Entrant = ("minimax", &["nodes=1000"]);
const ODDS: Entrant = ("odds", &[]);

/// Plays every pairing of an event, and holds the rows against those of the README; `ARBITRO_UPDATE=1` prints them.
fn round_robin((game, options, seats, words, bots): Event) {
    const GAMES: u32 = 200;
    let called = |(name, options): Entrant| [&[name], options].concat().join(" ");
    let readme = include_str!("../../README.md");
    for (place, &stronger) in bots.iter().enumerate() {
        for &weaker in &bots[..place] {
            // In every seat as often.
            let score = meet_copies(game, options, seats, stronger, weaker, GAMES.next_multiple_of(seats));
            score.assert_stronger();
            let Score { wins, draws, losses, .. } = score;
            let copies = if seats > 2 { format!("{} ", seats - 1) } else { String::new() };
            let (one, other) = (called(stronger), called(weaker));
            let row = format!("| {words} | `{one}` – {copies}`{other}` | {wins} | {draws} | {losses} |");
            if std::env::var_os("ARBITRO_UPDATE").is_some() {
                println!("{row}");
            } else {
                assert!(readme.contains(&row), "the README should have {row}");
            }
        }
    }
}

#[test]
#[ignore = "deep: minutes in release"]
fn deep_round_robin_of_alto_ahi() {
    let bots = &[RANDOM, GREEDY, MINIMAX];
    round_robin((GameName::AltoAhi, "{}", 2, "Alto Ahí", bots));
    round_robin((GameName::AltoAhi, r#"{"cards":true}"#, 2, "Alto Ahí with cards", bots));
}

#[test]
#[ignore = "deep: minutes in release"]
fn deep_round_robin_of_alto_ahi_for_four() {
    let bots = &[RANDOM, GREEDY, MINIMAX];
    round_robin((GameName::AltoAhi, "{}", 4, "Alto Ahí, four seats", bots));
    round_robin((GameName::AltoAhi, r#"{"cards":true}"#, 4, "Alto Ahí with cards, four seats", bots));
}

#[test]
#[ignore = "deep: minutes in release"]
fn deep_round_robin_of_passage() {
    let progress = r#"{"adjudicate":"progress"}"#;
    round_robin((GameName::Passage, progress, 2, "Passage, decided by progress", &[RANDOM, GREEDY, MINIMAX]));
}

#[test]
#[ignore = "deep: minutes in release"]
fn deep_round_robin_of_crecer() {
    round_robin((GameName::Crecer, "{}", 2, "Crecer", &[RANDOM, GREEDY, MINIMAX]));
}

#[test]
#[ignore = "deep: minutes in release"]
fn deep_round_robin_of_alto_riesgo() {
    for (seats, words) in [(2, "Alto Riesgo"), (3, "Alto Riesgo, three seats"), (4, "Alto Riesgo, four seats")] {
        round_robin((GameName::AltoRiesgo, "{}", seats, words, &[RANDOM, GREEDY, ODDS]));
    }
}
