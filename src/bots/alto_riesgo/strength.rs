//! Matches at Alto Riesgo with any number of seats: one bot against copies of another.

use crate::bots::tests::{Entrant, Setup, play};
use crate::game::Turn;
use crate::seat::Seat;
use crate::table::GameName;

/// How one bot fared.
#[derive(Debug)]
struct Score {
    seats: u32,
    games: u32,
    /// Games that it won alone.
    wins: u32,
}

impl Score {
    /// How likely at least so many wins are for a bot that wins its share only: one game in as many as there are seats.
    fn chance_of_equals(&self) -> f64 {
        let (games, share) = (f64::from(self.games), 1.0 / f64::from(self.seats));
        let (mut term, mut tail) = ((1.0 - share).powf(games), 0.0);
        for wins in 0..=self.games {
            if wins >= self.wins {
                tail += term;
            }
            term *= (games - f64::from(wins)) / f64::from(wins + 1) * share / (1.0 - share);
        }
        tail
    }

    fn assert_stronger(&self, one: &str, other: &str) {
        let chance = self.chance_of_equals();
        println!("{one} against {other}: {self:?}, p = {chance:.1e}");
        assert!(chance < 0.01, "{one} against {other}: {self:?}");
    }
}

/// Plays `games` games of one bot against copies of another: in every seat as often, with the same luck.
fn meet(one: &str, other: &str, seats: u32, games: u32) -> Score {
    let mut score = Score { seats, games, wins: 0 };
    for number in 0..games {
        let seat = Seat::new((number % seats) as usize);
        let entrants: Vec<Entrant> =
            Seat::first(seats as usize).map(|place| (if place == seat { one } else { other }, &[][..])).collect();
        let seed = format!("strength {}", number / seats);
        let setup = Setup { game: GameName::AltoRiesgo, options: "{}", seed: &seed, opening: &[] };
        let Turn::Over(ranking) = play(setup, &entrants).0.turn() else { panic!("the game was played to its end") };
        score.wins += u32::from(ranking.winner() == Some(seat));
    }
    score
}

#[test]
fn the_binomial_tail_is_right_for_any_share() {
    let chance = |seats, games, wins| Score { seats, games, wins }.chance_of_equals();
    assert!((chance(2, 2, 2) - 0.25).abs() < 1e-12);
    assert!((chance(4, 2, 1) - 7.0 / 16.0).abs() < 1e-12);
    assert!((chance(3, 60, 0) - 1.0).abs() < 1e-12);
    assert!((chance(2, 40, 28) - 0.008_3).abs() < 1e-4);
}

#[test]
fn greedy_beats_random() {
    for (seats, games) in [(2, 30), (3, 42), (4, 60)] {
        meet("greedy", "random", seats, games).assert_stronger("greedy", "random");
    }
}

#[test]
fn odds_beats_greedy() {
    for (seats, games) in [(2, 120), (3, 60), (4, 60)] {
        meet("odds", "greedy", seats, games).assert_stronger("odds", "greedy");
    }
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_strength_of_alto_riesgo() {
    for games in [200, 1000] {
        for (one, other) in [("greedy", "random"), ("odds", "greedy"), ("odds", "random")] {
            (2..=4).for_each(|seats| meet(one, other, seats, games).assert_stronger(one, other));
        }
    }
}
