//! The one door between typed rules and text: [`GameName`], the closed list of games, and [`Table`], any one of them.
//!
//! Above this floor nothing is generic over games and nothing knows one: positions, moves and outcomes go in and out
//! as text. [`GameName::open`] holds the only match over the games.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::chance::Streams;
use crate::game::{self, BadSetup, BoardStyle, ChanceInPerft, EndReason, Game, Notation, Step, Token, Turn};
use crate::games::alto_ahi::AltoAhi;
use crate::games::alto_riesgo::AltoRiesgo;
use crate::games::crecer::Crecer;
use crate::games::passage::Passage;
use crate::seat::{Seat, alternatives};

/// The games that can be refereed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum GameName {
    /// Alto Ahí, of the Quoridor family.
    AltoAhi,
    /// Alto Riesgo, up a mountain by dice.
    AltoRiesgo,
    /// Crecer, a race of single pieces among stacks.
    Crecer,
    /// Passage, a race over discs of one's own colour.
    Passage,
}

/// What the command line can say of a game without opening it.
struct Facts {
    name: &'static str,
    rules: &'static str,
    version: u32,
    seats: &'static [usize],
    open: fn(&str, usize) -> Opened,
}

/// A new game, or the option that it cannot be played with.
type Opened = Result<Box<dyn Table>, BadSetup>;

const fn facts_of<G: Game>() -> Facts {
    Facts { name: G::NAME, rules: G::RULES, version: G::VERSION, seats: G::SEATS, open: open::<G> }
}

fn open<G: Game>(options: &str, seats: usize) -> Opened {
    if !G::SEATS.contains(&seats) {
        let known = alternatives(G::SEATS);
        return Err(BadSetup::new("seats", format!("{} is played by {known}, not by {seats}", G::NAME)));
    }
    let mut json = serde_json::Deserializer::from_str(options);
    let options: G::Options = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        // The path of the whole is a dot, and that of a field without a name is empty.
        let field = if matches!(path.as_str(), "." | "") { "options".to_owned() } else { path };
        BadSetup::new(field, in_words(&error.into_inner().to_string()))
    })?;
    json.end().map_err(|error| BadSetup::new("options", error.to_string()))?;
    Ok(Box::new(Seated { game: G::new(&options, seats)?, moves: Vec::new(), scratch: Vec::new() }))
}

/// serde_json's message without “ at line 1 column 12”, which says nothing where the text was put together here, and
/// with a range instead of the name that Rust has for it.
fn in_words(message: &str) -> String {
    let message = message.split(" at line ").next().unwrap_or(message);
    let ranges = [("u8", u8::MAX.into()), ("u32", u32::MAX.into()), ("usize", u64::MAX)];
    let named = ranges.iter().find_map(|(name, most)| Some((message.strip_suffix(name)?, most)));
    match named.filter(|(before, _)| before.ends_with("expected ")) {
        Some((before, most)) => format!("{before}a whole number from 0 to {most}"),
        None => message.to_owned(),
    }
}

impl GameName {
    /// All games, in the order in which they are listed.
    pub const ALL: &'static [GameName] =
        &[GameName::AltoAhi, GameName::AltoRiesgo, GameName::Crecer, GameName::Passage];

    fn facts(self) -> Facts {
        match self {
            GameName::AltoAhi => facts_of::<AltoAhi>(),
            GameName::AltoRiesgo => facts_of::<AltoRiesgo>(),
            GameName::Crecer => facts_of::<Crecer>(),
            GameName::Passage => facts_of::<Passage>(),
        }
    }

    /// The name on the command line, on the wire and in logs.
    pub fn as_str(self) -> &'static str {
        self.facts().name
    }

    /// The rules in words.
    pub fn rules(self) -> &'static str {
        self.facts().rules
    }

    /// The version of the rules.
    pub fn rules_version(self) -> u32 {
        self.facts().version
    }

    /// The numbers of seats it can be played with, the usual one first.
    pub fn seats(self) -> &'static [usize] {
        self.facts().seats
    }

    /// A new game with these options, a JSON object.
    ///
    /// # Errors
    /// The option, or the number of seats, that it cannot be played with, and why.
    pub fn open(self, options: &str, seats: usize) -> Opened {
        (self.facts().open)(options, seats)
    }
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<GameName> for &'static str {
    fn from(game: GameName) -> &'static str {
        game.as_str()
    }
}

/// A name that no game has.
#[derive(Debug, thiserror::Error)]
#[error("no game is called “{name}”; there is {known}", name = .0, known = all_names())]
pub struct NoSuchGame(String);

fn all_names() -> String {
    GameName::ALL.iter().map(|game| game.as_str()).collect::<Vec<_>>().join(", ")
}

impl FromStr for GameName {
    type Err = NoSuchGame;

    fn from_str(name: &str) -> Result<GameName, NoSuchGame> {
        let known = GameName::ALL.iter().copied().find(|game| game.as_str() == name);
        known.ok_or_else(|| NoSuchGame(name.to_owned()))
    }
}

impl TryFrom<String> for GameName {
    type Error = NoSuchGame;

    fn try_from(name: String) -> Result<GameName, NoSuchGame> {
        name.parse()
    }
}

/// A move or a chance outcome that the rules refuse.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// Text that is no move of this game at all.
    #[error("“{token}” is not a move: {reason}")]
    Unreadable {
        /// The text.
        token: String,
        /// What a move looks like.
        reason: String,
    },
    /// A move that breaks a rule in this position.
    #[error("{0}")]
    Illegal(String),
    /// A move while no seat, or an outcome while no chance, is to decide.
    #[error("{0}")]
    OutOfTurn(&'static str),
}

/// One play of any game, speaking text.
pub trait Table: Send {
    /// How many seats the game started with.
    fn seats(&self) -> usize;
    /// More plies than this a play never has, from its beginning.
    fn most_plies(&self) -> u64;
    /// Who decides next, or how the game ended.
    fn turn(&self) -> Turn;
    /// Why the game is over, when it is.
    fn end(&self) -> Option<EndReason>;
    /// The options in force, every field filled in, as a JSON object.
    fn options_json(&self) -> String;
    /// Appends the public state as a JSON object.
    fn state_json(&self, out: &mut Vec<u8>);
    /// Appends the legal moves as a JSON list of strings.
    fn legal_json(&mut self, out: &mut Vec<u8>);
    /// The legal moves.
    fn legal(&self) -> Vec<Token>;
    /// The number of legal moves.
    fn count_legal(&self) -> u64;
    /// Whether a move is legal now, and which move it is.
    ///
    /// # Errors
    /// The rule that it breaks.
    fn check(&self, token: &str) -> Result<Token, Refusal>;
    /// Plays a move, if it is legal.
    ///
    /// # Errors
    /// The rule that it breaks; nothing is changed then.
    fn play(&mut self, token: &str) -> Result<Token, Refusal>;
    /// Draws and plays the chance step that is due; its outcome as JSON.
    ///
    /// # Panics
    /// If no chance step is due.
    fn draw(&mut self, chance: &mut Streams) -> String;
    /// Plays a chance outcome given as JSON, if it is possible.
    ///
    /// # Errors
    /// What is impossible about it; nothing is changed then.
    fn play_chance(&mut self, outcome: &str) -> Result<(), Refusal>;
    /// Takes a seat out of the game.
    fn leave(&mut self, seat: Seat);
    /// A 64-bit hash (FNV-1a) of the canonical bytes of the position.
    fn hash(&mut self) -> u64;
    /// The board as text, lines ended by `\n`.
    fn board(&self, style: BoardStyle) -> String;
    /// The number of sequences of exactly `depth` plies from here.
    ///
    /// # Errors
    /// When chance is to decide on the way.
    fn perft(&self, depth: u32) -> Result<u64, ChanceInPerft>;
    /// Each legal move with the number of sequences of exactly `depth` − 1 plies behind it.
    ///
    /// # Errors
    /// When chance is to decide on the way.
    fn divide(&self, depth: u32) -> Result<Vec<(Token, u64)>, ChanceInPerft>;
    /// The same position again, independent of this one.
    fn copy(&self) -> Box<dyn Table>;
}

/// A game at the table, with the buffers that keep its text face from allocating every ply.
#[derive(Clone)]
struct Seated<G: Game> {
    game: G,
    moves: Vec<G::Move>,
    scratch: Vec<u8>,
}

impl<G: Game> Seated<G> {
    fn read(&self, token: &str) -> Result<G::Move, Refusal> {
        if !matches!(self.game.turn(), Turn::Seat(_)) {
            return Err(Refusal::OutOfTurn("no seat is to move"));
        }
        let mv: G::Move = token.parse().map_err(|error: <G::Move as FromStr>::Err| Refusal::Unreadable {
            token: token.to_owned(),
            reason: error.to_string(),
        })?;
        self.game.check(mv).map_err(|error| Refusal::Illegal(error.to_string()))?;
        Ok(mv)
    }
}

impl<G: Game> Table for Seated<G> {
    fn seats(&self) -> usize {
        self.game.seats()
    }

    fn most_plies(&self) -> u64 {
        self.game.most_plies()
    }

    fn turn(&self) -> Turn {
        self.game.turn()
    }

    fn end(&self) -> Option<EndReason> {
        self.game.end()
    }

    fn options_json(&self) -> String {
        serde_json::to_string(&self.game.options()).expect("options are plain data")
    }

    fn state_json(&self, out: &mut Vec<u8>) {
        serde_json::to_writer(out, &self.game.view()).expect("a view is plain data");
    }

    fn legal_json(&mut self, out: &mut Vec<u8>) {
        self.moves.clear();
        self.game.legal_moves(&mut self.moves);
        let start = out.len();
        self.moves.iter().for_each(|mv| mv.append_item(out));
        // The comma before the first item has no list before it, and makes room for the bracket.
        match out.get_mut(start) {
            Some(comma) => *comma = b'[',
            None => out.push(b'['),
        }
        out.push(b']');
    }

    fn legal(&self) -> Vec<Token> {
        let mut moves = Vec::new();
        self.game.legal_moves(&mut moves);
        moves.into_iter().map(Notation::token).collect()
    }

    fn count_legal(&self) -> u64 {
        self.game.count_legal()
    }

    fn check(&self, token: &str) -> Result<Token, Refusal> {
        Ok(self.read(token)?.token())
    }

    fn play(&mut self, token: &str) -> Result<Token, Refusal> {
        let mv = self.read(token)?;
        self.game.apply(Step::Move(mv));
        Ok(mv.token())
    }

    fn draw(&mut self, chance: &mut Streams) -> String {
        let outcome = self.game.draw(chance);
        let json = serde_json::to_string(&outcome).expect("an outcome is plain data");
        self.game.apply(Step::Chance(outcome));
        json
    }

    fn play_chance(&mut self, outcome: &str) -> Result<(), Refusal> {
        if self.game.turn() != Turn::Chance {
            return Err(Refusal::OutOfTurn("no chance step is due"));
        }
        let outcome: G::Chance = serde_json::from_str(outcome)
            .map_err(|error| Refusal::Unreadable { token: outcome.to_owned(), reason: error.to_string() })?;
        self.game.check_chance(&outcome).map_err(|error| Refusal::Illegal(error.to_string()))?;
        self.game.apply(Step::Chance(outcome));
        Ok(())
    }

    fn leave(&mut self, seat: Seat) {
        self.game.apply(Step::Leave(seat));
    }

    fn hash(&mut self) -> u64 {
        self.scratch.clear();
        self.game.encode(&mut self.scratch);
        fnv1a(&self.scratch)
    }

    fn board(&self, style: BoardStyle) -> String {
        let mut text = String::new();
        self.game.board(&mut text, style).expect("a string takes all text");
        text
    }

    fn perft(&self, depth: u32) -> Result<u64, ChanceInPerft> {
        game::perft(&self.game, depth)
    }

    fn divide(&self, depth: u32) -> Result<Vec<(Token, u64)>, ChanceInPerft> {
        let mut moves = Vec::new();
        self.game.legal_moves(&mut moves);
        let count = |mv: G::Move| {
            let mut next = self.game.clone();
            next.apply(Step::Move(mv));
            Ok((mv.token(), game::perft(&next, depth.saturating_sub(1))?))
        };
        moves.into_iter().map(count).collect()
    }

    fn copy(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo; RFC 9923): quick and not cryptographic; it finds damage, not forgery.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_speaks_text() {
        let mut table = GameName::AltoAhi.open(r#"{"size":3,"walls":0}"#, 2).unwrap();
        let mut legal = b"legal: ".to_vec();
        table.legal_json(&mut legal);
        assert_eq!(legal, br#"legal: ["a1","c1","b2"]"#);
        let start = table.hash();
        let mut copy = table.copy();
        assert_eq!(table.play("b2").as_deref(), Ok("b2"));
        assert!(table.hash() != start && copy.hash() == start, "a copy stands alone");
        assert!(matches!(table.play("b2"), Err(Refusal::Illegal(_))));
        assert!(matches!(table.play("b2 "), Err(Refusal::Unreadable { .. })));
        assert_eq!(table.play("b1").as_deref(), Ok("b1"));
        assert_eq!(table.end(), Some(EndReason::Goal));
        assert!(matches!(table.play("b3"), Err(Refusal::OutOfTurn(_))));
        assert!(matches!(table.play_chance("1"), Err(Refusal::OutOfTurn(_))));
        let mut nothing = Vec::new();
        table.legal_json(&mut nothing);
        assert_eq!(nothing, b"[]");
        assert_eq!(copy.perft(3), Ok(20));
        assert_eq!(
            copy.divide(2).map(|moves| moves.iter().map(|(_, count)| count).sum::<u64>()),
            Ok(copy.perft(2).unwrap())
        );
    }

    #[test]
    fn chance_steps_are_text_too() {
        let mut table = GameName::AltoAhi.open(r#"{"cards":true}"#, 2).unwrap();
        assert_eq!(table.play("card").as_deref(), Ok("card"));
        assert_eq!(table.turn(), Turn::Chance);
        assert!(matches!(table.play("e2"), Err(Refusal::OutOfTurn(_))));
        assert!(matches!(table.perft(2), Err(ChanceInPerft)));
        assert!(matches!(table.play_chance(r#"{"card":"fly"}"#), Err(Refusal::Unreadable { .. })));
        let mut copy = table.copy();
        let outcome = table.draw(&mut Streams::new(crate::chance::Seed::from_text("a deck")));
        assert_eq!(copy.play_chance(&outcome), Ok(()));
        assert_eq!(copy.hash(), table.hash(), "a drawn outcome is played again from its text");
        assert!(matches!(copy.play_chance(&outcome), Err(Refusal::OutOfTurn(_))));
    }

    #[test]
    fn options_that_cannot_be_read_are_named() {
        let refused = |options: &str| GameName::AltoAhi.open(options, 2).map(|_| ()).unwrap_err();
        assert_eq!(refused(r#"{"size":"nine"}"#).field, "size");
        assert_eq!(refused(r#"{"sise":9}"#).field, "sise");
        assert_eq!(refused("{} {}").field, "options");
        assert_eq!(refused("").field, "options");
        assert_eq!(refused(r#"{"":9}"#).field, "options");
        assert!(!refused(r#"{"size":"nine"}"#).reason.contains(" line "));
        assert_eq!(GameName::AltoAhi.open("{}", 3).map(|_| ()).unwrap_err().field, "seats");
        assert!("ajedrez".parse::<GameName>().unwrap_err().to_string().contains("alto-ahi"));
    }

    #[test]
    fn fnv1a_gives_the_published_values() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
