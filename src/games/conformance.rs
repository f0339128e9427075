//! What every game promises by being a [`Game`], checked on random plays of it.
//!
//! Each game calls [`check`] from its tests, once for each set of options and number of seats that it has. The promises
//! are those of the trait's own documentation; nothing here knows any game.

use std::fmt;

use serde_json::Value;

use crate::chance::{Draws, Purpose, Seed, Streams};
use crate::game::{BoardStyle, Game, Notation, PASS, Step, Turn};
use crate::seat::{Seat, SeatSet};

/// More chance steps in succession than any turn of any game has.
const MAX_CHANCE_STEPS_A_PLY: u32 = 1000;

/// How many moves that are not listed are tried at each ply, of each of two kinds.
const TRIED_A_PLY: u32 = 16;

/// Plays `games` games at random with these options, checking at each step all that a game promises; each must end
/// within `ply_bound` plies.
///
/// # Panics
/// If a promise is broken, with the game's moves so far.
pub fn check<G: Game>(options: &G::Options, seats: usize, games: u32, ply_bound: u32) {
    assert!(G::SEATS.contains(&seats), "{} is not played by {seats}", G::NAME);
    check_options::<G>(options, seats);
    let mut seen = Vec::new();
    for number in 0..games {
        let seed = Seed::from_text(&format!("conformance of {} {number}", G::NAME));
        let mut play = Play::<G>::new(options, seats, seed, ply_bound, seen);
        play.finish();
        play.replay(options);
        seen = play.seen;
    }
}

/// The options that a game says are in force open the same game again, and its rules explain each of them.
fn check_options<G: Game>(options: &G::Options, seats: usize) {
    let game = open::<G>(options, seats);
    let json = json_of(&game.options());
    let read: G::Options = serde_json::from_value(json.clone()).expect("options are read as they are written");
    let again = open::<G>(&read, seats);
    assert_eq!(json_of(&again.options()), json, "the options in force stay as they are");
    assert_eq!(encoded(&again), encoded(&game), "the options in force open the same game");

    let fields = json.as_object().expect("options are an object");
    for (field, value) in fields {
        assert!(G::RULES.contains(&format!("`{field}`")), "RULES.md does not explain the option {field}");
        let alone = Value::Object([(field.clone(), value.clone())].into_iter().collect());
        serde_json::from_value::<G::Options>(alone).unwrap_or_else(|error| panic!("{field} alone: {error}"));
    }
    serde_json::from_str::<G::Options>("{}").expect("every option has a default");
    let unknown = serde_json::from_str::<G::Options>(r#"{"no_such_option":0}"#);
    assert!(unknown.is_err(), "an option that does not exist is refused");
}

/// One random play, with all that was done in it.
struct Play<G: Game> {
    game: G,
    seats_in: SeatSet,
    /// Chooses moves and what else is tried.
    choice: Draws,
    /// The luck of the game.
    luck: Streams,
    plies: u32,
    ply_bound: u32,
    /// Moves that were legal at some time, in this game or one before: what is tried when it is not legal.
    seen: Vec<G::Move>,
    steps: Vec<Taken<G>>,
    last_outcome: Option<G::Chance>,
}

/// A step, and the canonical bytes of the position behind it.
type Taken<G> = (Step<<G as Game>::Move, <G as Game>::Chance>, Vec<u8>);

impl<G: Game> Play<G> {
    fn new(options: &G::Options, seats: usize, seed: Seed, ply_bound: u32, seen: Vec<G::Move>) -> Play<G> {
        let mut luck = Streams::new(seed);
        Play {
            game: open(options, seats),
            seats_in: SeatSet::first(seats),
            choice: luck.of(Purpose::Opening).clone(),
            luck,
            plies: 0,
            ply_bound,
            seen,
            steps: Vec::new(),
            last_outcome: None,
        }
    }

    /// Plays on until the game is over.
    fn finish(&mut self) {
        let mut chance_steps = 0;
        loop {
            self.check_faces();
            self.check_leaving();
            match self.game.turn() {
                Turn::Seat(seat) => {
                    self.promise(self.seats_in.contains(seat), "only a seat still in is asked");
                    chance_steps = 0;
                    self.decide();
                }
                Turn::Chance => {
                    chance_steps += 1;
                    self.promise(chance_steps < MAX_CHANCE_STEPS_A_PLY, "chance steps come to an end");
                    self.draw();
                }
                Turn::Over(ranking) => {
                    self.check_nobody_moves();
                    self.promise(self.game.end().is_some(), "a game that is over says why");
                    self.promise(
                        u64::from(self.plies) <= self.game.most_plies(),
                        "no play has more plies than it says",
                    );
                    let ranked: u32 = ranking.groups().map(|group| group.len() as u32).sum();
                    self.promise(ranked == self.seats_in.len() as u32, "a ranking has no seat twice");
                    self.promise(ranking.seats() == self.seats_in, "a ranking has all seats still in, and no others");
                    return;
                }
            }
        }
    }

    /// A seat's move, after checking which are legal.
    fn decide(&mut self) {
        let mut moves = Vec::new();
        self.game.legal_moves(&mut moves);
        self.promise(!moves.is_empty(), "a seat that is to move has a move");
        self.promise(self.game.count_legal() == moves.len() as u64, "the count is that of the list");
        self.promise(self.game.end().is_none(), "a game that goes on has no end");
        for (index, &mv) in moves.iter().enumerate() {
            let token = mv.token();
            self.promise(token.parse::<G::Move>().is_ok_and(|read| read == mv), "a move is read as it is written");
            let mut item = Vec::new();
            mv.append_item(&mut item);
            self.promise(
                &item[2..item.len() - 1] == token.as_bytes() && item.starts_with(b",\"") && item.ends_with(b"\""),
                "an item of a list is the token in quotes",
            );
            self.promise(!token.is_empty() && !token.contains(char::is_whitespace), "a token is one word");
            self.promise(!moves[..index].contains(&mv), "no move is listed twice");
            self.promise(&*token != PASS || moves.len() == 1, "pass is legal only alone");
            self.promise(self.game.check(mv).is_ok(), "a listed move is legal");
            if !self.seen.contains(&mv) {
                self.seen.push(mv);
            }
        }
        for mv in self.moves_to_try() {
            if !moves.contains(&mv) {
                self.check_refused(mv);
            }
        }
        if let Some(outcome) = &self.last_outcome {
            self.promise(self.game.check_chance(outcome).is_err(), "no outcome is possible while a seat is to move");
        }
        let mv = moves[self.choice.below(moves.len() as u32) as usize];
        self.plies += 1;
        self.promise(self.plies <= self.ply_bound, "the game ends within its limit");
        self.take(Step::Move(mv));
    }

    /// A chance step, after checking which outcomes are possible.
    fn draw(&mut self) {
        self.check_nobody_moves();
        let before = encoded(&self.game);
        let outcome = self.game.draw(&mut self.luck.clone());
        let again = self.game.draw(&mut self.luck);
        self.promise(outcome == again, "the same luck draws the same outcome");
        self.promise(encoded(&self.game) == before, "a draw changes nothing");
        if let Err(error) = self.game.check_chance(&outcome) {
            panic!("a drawn outcome is possible, yet: {error}; {outcome:?} {}", self.story());
        }
        let json = json_of(&outcome);
        let read: G::Chance = serde_json::from_value(json.clone()).expect("an outcome is read as it is written");
        self.promise(read == outcome, "an outcome is read as it is written");
        for forged in forgeries(&json) {
            if let Ok(forged) = serde_json::from_value::<G::Chance>(forged) {
                self.promise(self.game.check_chance(&forged).is_err(), format_args!("{forged:?} is not possible"));
            }
        }
        self.last_outcome = Some(outcome.clone());
        self.take(Step::Chance(outcome));
    }

    fn take(&mut self, step: Step<G::Move, G::Chance>) {
        self.game.apply(step.clone());
        self.steps.push((step, encoded(&self.game)));
    }

    /// The same steps from the start lead through the same positions.
    fn replay(&self, options: &G::Options) {
        let mut again = open::<G>(options, self.game.seats());
        for (step, expected) in &self.steps {
            again.apply(step.clone());
            self.promise(encoded(&again) == *expected, "the same steps lead to the same positions");
        }
        self.promise(again.turn() == self.game.turn() && again.end() == self.game.end(), "and to the same end");
        self.promise(json_of(&again.view()) == json_of(&self.game.view()), "and to the same public state");
    }

    /// The public state and the board can be written, and depend on nothing but the position.
    fn check_faces(&self) {
        let copy = self.game.clone();
        let view = serde_json::to_string(&self.game.view()).expect("a public state can be written");
        self.promise(serde_json::from_str::<Value>(&view).is_ok_and(|view| view.is_object()), "a state is an object");
        self.promise(serde_json::to_string(&copy.view()).is_ok_and(|copy| copy == view), "a copy has the same state");
        self.promise(encoded(&copy) == encoded(&self.game), "a copy is the same position");
        self.promise(copy.turn() == self.game.turn(), "a copy has the same turn");
        // The four styles take turns, since drawing is slow beside everything else.
        let (unicode, colour) = (self.steps.len() & 1 == 1, self.steps.len() & 2 == 2);
        let mut board = String::new();
        self.game.board(&mut board, BoardStyle { unicode, colour }).expect("a board can be drawn");
        self.promise(board.ends_with('\n'), "a board ends its last line");
        self.promise(board.lines().all(|line| line.trim_end() == line), "no line of a board ends in blanks");
        self.promise(unicode || board.is_ascii(), "an ASCII board is ASCII");
        self.promise(colour || !board.contains('\x1b'), "a board without colour has no escape sequences");
    }

    fn check_nobody_moves(&self) {
        let mut moves = Vec::new();
        self.game.legal_moves(&mut moves);
        self.promise(moves.is_empty() && self.game.count_legal() == 0, "there are moves only for a seat");
        self.seen.iter().for_each(|&mv| self.check_refused(mv));
    }

    fn check_refused(&self, mv: G::Move) {
        match self.game.check(mv) {
            Ok(()) => panic!("{mv:?} is legal and not listed; {}", self.story()),
            Err(error) => {
                let reason = error.to_string();
                self.promise(!reason.is_empty() && !reason.contains('\n'), "a refusal gives its reason in one line");
            }
        }
    }

    /// Some moves that may or may not be legal: such that were so at another time, and such with a letter changed.
    fn moves_to_try(&mut self) -> Vec<G::Move> {
        let mut tried: Vec<G::Move> = PASS.parse().into_iter().collect();
        for _ in 0..TRIED_A_PLY {
            let mv = self.any_seen();
            tried.push(mv);
            let mut letters: Vec<char> = mv.token().chars().collect();
            let other: Vec<char> = self.any_seen().token().chars().collect();
            let place = self.choice.below(letters.len() as u32) as usize;
            letters[place] = other[self.choice.below(other.len() as u32) as usize];
            tried.extend(letters.into_iter().collect::<String>().parse::<G::Move>());
        }
        tried
    }

    fn any_seen(&mut self) -> G::Move {
        self.seen[self.choice.below(self.seen.len() as u32) as usize]
    }

    /// Whoever leaves now, the game goes on without that seat; and for one seat now and then, it does so to its end.
    fn check_leaving(&mut self) {
        if self.seats_in.len() < 3 || matches!(self.game.turn(), Turn::Over(_)) {
            return;
        }
        let chosen = self.choice.below(self.seats_in.len() as u32 * 16) as usize;
        for (index, seat) in self.seats_in.iter().enumerate() {
            let mut rest = self.game.clone();
            rest.apply(Step::Leave(seat));
            let seats_in = self.seats_in.without(seat);
            match rest.turn() {
                Turn::Seat(next) => {
                    self.promise(seats_in.contains(next), format_args!("seat {seat} left and is not asked"));
                    self.promise(rest.count_legal() > 0, format_args!("the others have moves when seat {seat} left"));
                }
                Turn::Chance => {}
                Turn::Over(ranking) => {
                    self.promise(ranking.seats() == seats_in, format_args!("seat {seat} left and is not ranked"));
                }
            }
            if index == chosen {
                self.after_leaving(seat).finish();
            }
        }
    }

    fn after_leaving(&self, seat: Seat) -> Play<G> {
        let mut rest = Play {
            game: self.game.clone(),
            seats_in: self.seats_in.without(seat),
            choice: self.choice.clone(),
            luck: self.luck.clone(),
            plies: self.plies,
            ply_bound: self.ply_bound,
            seen: self.seen.clone(),
            steps: self.steps.clone(),
            last_outcome: self.last_outcome.clone(),
        };
        rest.take(Step::Leave(seat));
        rest
    }

    #[track_caller]
    fn promise(&self, kept: bool, promise: impl fmt::Display) {
        assert!(kept, "{promise}; {}", self.story());
    }

    /// The game so far, for the message of a failure.
    fn story(&self) -> String {
        let steps: Vec<String> = self
            .steps
            .iter()
            .map(|(step, _)| match step {
                Step::Move(mv) => mv.token().to_string(),
                Step::Chance(outcome) => json_of(outcome).to_string(),
                Step::Leave(seat) => format!("(seat {seat} leaves)"),
            })
            .collect();
        let mut board = String::new();
        self.game.board(&mut board, BoardStyle::default()).expect("a string takes all text");
        format!(
            "{} by {} with {}, after {}\n{board}",
            G::NAME,
            self.game.seats(),
            json_of(&self.game.options()),
            steps.join(" ")
        )
    }
}

fn open<G: Game>(options: &G::Options, seats: usize) -> G {
    G::new(options, seats).unwrap_or_else(|error| panic!("{}: {error}", G::NAME))
}

fn encoded<G: Game>(game: &G) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.encode(&mut bytes);
    bytes
}

fn json_of(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("plain data can be written")
}

/// Outcomes like this one that no game can have: each number in it out of all bounds, each text changed, each list
/// shorter, longer and empty.
fn forgeries(outcome: &Value) -> Vec<Value> {
    match outcome {
        Value::Null | Value::Bool(_) => Vec::new(),
        Value::Number(_) => [-1, 251, 65_521, 4_000_000_007_i64].into_iter().map(Value::from).collect(),
        Value::String(text) => ["", "forged", &format!("{text}{text}")].into_iter().map(Value::from).collect(),
        Value::Array(items) => {
            let with = |index: usize, item: Value| {
                let mut changed = items.clone();
                changed[index] = item;
                Value::from(changed)
            };
            let mut forged: Vec<Value> = Vec::new();
            for (index, item) in items.iter().enumerate() {
                forged.extend(forgeries(item).into_iter().map(|item| with(index, item)));
            }
            if let Some((last, shorter)) = items.split_last() {
                let mut longer = items.clone();
                longer.push(last.clone());
                forged.extend([Value::from(shorter.to_vec()), Value::from(longer), Value::Array(Vec::new())]);
            }
            forged
        }
        Value::Object(fields) => {
            let with = |field: &String, value: Value| {
                let mut changed = fields.clone();
                changed.insert(field.clone(), value);
                Value::Object(changed)
            };
            let changes = |(field, value): (&String, &Value)| {
                let field = field.clone();
                forgeries(value).into_iter().map(|value| with(&field, value)).collect::<Vec<_>>()
            };
            fields.iter().flat_map(changes).collect()
        }
    }
}
