//! Random card games beside the textbook's: the same choices at every decision, no pawn without a path, and every card that
//! was begun is carried out to its end.

use crate::chance::{Draws, Purpose, Seed, Streams};
use crate::game::{Game, Step, Turn};
use crate::seat::{Seat, SeatSet};

use super::super::{AltoAhi, Drawn, Effect, Options};
use super::plain_cards::Table;
use super::{deck, list, plain};

/// Both implementations of one game.
struct Pair {
    game: AltoAhi,
    table: Table,
    steps: Vec<String>,
}

impl Pair {
    fn new(options: &Options, seats: usize) -> Pair {
        let game = AltoAhi::new(options, seats).expect("possible options");
        let walls = game.options().walls.expect("filled in");
        let board = plain::Board::new(options.size, seats, walls.into(), true, false);
        Pair { game, table: Table::new(board), steps: Vec::new() }
    }

    /// Checks what both must agree on, and that nobody is without a path.
    fn agree(&mut self) -> Vec<String> {
        let position = self.game.position();
        let board = &self.table.board;
        for seat in Seat::first(board.seats) {
            let pawn = position.pawn(seat).map(|square| (square.file(), square.rank()));
            assert_eq!(pawn, board.pawns[seat.index()], "the pawn of seat {seat}");
            let distance = position.distance(seat).map(|steps| steps as usize);
            assert_eq!(distance.is_some(), position.seats_in().contains(seat), "seat {seat} has a path");
            assert_eq!(distance, board.distance(seat.index()), "the distance of seat {seat}");
            assert_eq!(usize::from(position.store(seat)), board.store[seat.index()], "the store of seat {seat}");
            assert_eq!(self.game.halts(seat), self.table.halts[seat.index()], "the halts of seat {seat}");
            let own = self.table.owners.iter().filter(|&(_, &owner)| owner == seat.index()).count();
            assert_eq!(position.barriers_of(seat).len() as usize, own, "the barriers of seat {seat}");
        }
        assert_eq!(position.winner().map(Seat::index), board.winner);
        if board.winner.is_none() {
            assert_eq!(position.to_move().index(), board.turn, "the seat to move");
        }
        let choices = list(&self.game);
        // Turns without a card are compared with the textbook elsewhere, so a part of them will do here.
        let compared = self.table.hand.is_some() || self.steps.len().is_multiple_of(8);
        if compared && matches!(self.game.turn(), Turn::Seat(_)) {
            assert_eq!(choices, self.table.choices(), "{:?} in hand", self.table.hand);
        }
        choices
    }

    /// Plays until the game is over; says how many cards were turned over.
    fn play(&mut self, choice: &mut Draws, luck: &mut Streams) -> u32 {
        let mut cards = 0;
        loop {
            let choices = self.agree();
            match self.game.turn() {
                Turn::Over(_) => return cards,
                Turn::Chance => {
                    let drawn = self.game.draw(luck);
                    self.steps.push(format!("={}", drawn.card));
                    self.game.apply(Step::Chance(drawn));
                    self.table.draw(drawn.card);
                    cards += 1;
                }
                Turn::Seat(_) if choice.below(100) == 0 && self.leave(choice) => {}
                Turn::Seat(_) => {
                    assert!(!choices.is_empty(), "a card that was begun can be finished");
                    let takes = choices.last().is_some_and(|last| last == "card") && choice.below(3) > 0;
                    let index = if takes { choices.len() - 1 } else { choice.below(choices.len() as u32) as usize };
                    let token = &choices[index];
                    self.steps.push(token.clone());
                    self.game.apply(Step::Move(token.parse().expect("a move")));
                    if token != "card" {
                        self.table.choose(token);
                    }
                }
            }
        }
    }

    /// A seat leaves, if three are in.
    fn leave(&mut self, choice: &mut Draws) -> bool {
        let seats_in: SeatSet = self.game.position().seats_in();
        if seats_in.len() < 3 {
            return false;
        }
        let seat = seats_in.iter().nth(choice.below(3) as usize).expect("three are in");
        self.steps.push(format!("(seat {seat} leaves)"));
        self.game.apply(Step::Leave(seat));
        self.table.leave(seat.index());
        true
    }
}

/// When a check fails, says which steps led there.
impl Drop for Pair {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "after {} on {}",
                self.steps.join(" "),
                serde_json::to_string(&self.game.options()).expect("plain data")
            );
        }
    }
}

/// Plays games of all sizes and several decks until so many cards were turned over.
fn random_card_plays(seats: usize, cards: u32) {
    let walls_only = [Effect::RemoveWall, Effect::MoveWall, Effect::DoubleWall, Effect::RecoverWall, Effect::LeapWall];
    let decks = [None, deck(&Effect::ALL.map(|effect| (effect, 1))), deck(&walls_only.map(|effect| (effect, 2)))];
    let mut streams = Streams::new(Seed::from_text(&format!("card plays of {seats}")));
    let mut choice = streams.of(Purpose::Opening).clone();
    let (mut turned, mut game) = (0, 0);
    while turned < cards {
        let options = Options {
            size: [9, 7, 5, 3][game % 4],
            walls: Some([10, 5, 3, 1, 0, 20][game % 6]),
            cards: true,
            deck: decks[game % decks.len()].clone(),
            ..Options::default()
        };
        turned += Pair::new(&options, seats).play(&mut choice, &mut streams);
        game += 1;
    }
}

#[test]
fn card_plays_agree_with_a_textbook() {
    random_card_plays(2, 60);
    random_card_plays(4, 60);
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_card_plays_of_two_agree_with_a_textbook() {
    random_card_plays(2, 100_000);
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_card_plays_of_four_agree_with_a_textbook() {
    random_card_plays(4, 100_000);
}

#[test]
fn each_card_left_is_equally_likely() {
    let options = Options { cards: true, ..Options::default() };
    let mut game = AltoAhi::new(&options, 2).expect("possible options");
    game.apply(Step::Move("card".parse().expect("a move")));
    let mut streams = Streams::new(Seed::from_text("a fixed seed"));
    let mut drawn = [0i64; Effect::ALL.len()];
    (0..48_000).for_each(|_| drawn[game.draw(&mut streams).card as usize] += 1);
    // Chi-square with 10 degrees of freedom; the bound is the 99.9 % point. A card of 24 comes 2000 times.
    let expected = [2, 2, 3, 3, 2, 2, 1, 2, 2, 3, 2].map(|count| count * 2000);
    let chi: i64 =
        drawn.iter().zip(expected).map(|(drawn, expected)| (drawn - expected) * (drawn - expected) / expected).sum();
    assert!(chi < 30, "{drawn:?}");
    assert!(game.check_chance(&Drawn { card: Effect::Push }).is_ok());
}
