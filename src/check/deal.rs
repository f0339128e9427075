//! A game dealt by hand: what a referee would send to one seat, with all other seats played at random.
//!
//! Pure text out of [`Table`]: it knows no process and no time. Which steps are told how (an opening, a strike, a seat
//! that leaves) is up to the script, but whatever is told is a real course of a real game.

use std::io::Write;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::chance::{Purpose, Seed, Streams};
use crate::clock::{Clock, Span, TimeControl};
use crate::game::{BadSetup, Token, Turn};
use crate::protocol::limits::Limits;
use crate::protocol::send::{self, Hello, Over};
use crate::seat::{BySeat, Seat, SeatSet};
use crate::table::{GameName, Refusal, Table};

/// What a game is dealt from.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The game.
    pub game: GameName,
    /// Its options, a JSON object; what is left out has its default.
    pub options: String,
    /// How many play.
    pub seats: usize,
    /// Where the bot sits.
    pub seat: Seat,
    /// The names that `hello` tells.
    pub players: BySeat<String>,
    /// The time that is told. None of it ever passes: each question is told the first move's.
    pub clock: TimeControl,
    /// The limits that are told.
    pub limits: Limits,
    /// What the bot is given to draw from.
    pub bot_seed: Seed,
    /// What the other seats and chance are drawn from.
    pub game_seed: Seed,
}

impl Setting {
    /// The usual game, with this much time told.
    pub fn of(game: GameName, seats: usize, limits: &Limits, clock: TimeControl) -> Setting {
        Setting {
            game,
            options: "{}".to_owned(),
            seats,
            seat: Seat::new(0),
            players: BySeat::from_fn(seats, |seat| format!("player {}", seat.index() + 1)),
            clock,
            limits: *limits,
            bot_seed: Seed::from_text("the bot of a check"),
            game_seed: Seed::from_text("the game of a check"),
        }
    }
}

/// A game that goes on.
pub struct Deal {
    setting: Setting,
    table: Box<dyn Table>,
    chance: Streams,
    /// The number of the last question, to whatever seat.
    turn: u64,
    /// What happened since the bot was last asked, as the items of a JSON list.
    events: Vec<u8>,
    seats_in: SeatSet,
}

impl Deal {
    /// A game at its beginning.
    ///
    /// # Errors
    /// The option, or the number of seats, that it cannot be played with.
    pub fn new(setting: Setting) -> Result<Deal, BadSetup> {
        let table = setting.game.open(&setting.options, setting.seats)?;
        let (chance, seats_in) = (Streams::new(setting.game_seed), SeatSet::first(setting.seats));
        Ok(Deal { table, chance, turn: 0, events: Vec::new(), seats_in, setting })
    }

    /// The next game of a process: its questions are numbered on.
    ///
    /// # Errors
    /// Those of [`new`](Deal::new).
    pub fn again(&self, setting: Setting) -> Result<Deal, BadSetup> {
        Ok(Deal { turn: self.turn, ..Deal::new(setting)? })
    }

    /// The `hello` line.
    pub fn hello(&self) -> Vec<u8> {
        let Setting { game, seat, players, clock, limits, bot_seed, game_seed, .. } = &self.setting;
        let options = RawValue::from_string(self.table.options_json()).expect("options are JSON");
        let (game_id, mut line) = ("check-000001", Vec::new());
        let commitment = game_seed.commitment(game_id);
        let hello = Hello {
            game: *game,
            options: &options,
            seat: *seat,
            players,
            clock,
            limits,
            game_id,
            bot_seed: *bot_seed,
            commitment,
        };
        send::hello(&mut line, &hello);
        line
    }

    /// Lets everybody play up to the bot's next turn, and asks it: the `turn` line. Nothing if the game is over.
    pub fn question(&mut self, legal: bool) -> Option<Vec<u8>> {
        while !self.is_bots_turn() {
            let token = self.draw_move()?;
            self.turn += 1;
            self.play(&token, None);
        }
        self.turn += 1;
        let mut line = Vec::new();
        let clocks = BySeat::from_fn(self.setting.seats, |_| Clock::new(&self.setting.clock));
        let allowance = clocks[self.setting.seat].allowance(&self.setting.clock);
        let (table, events) = (&mut self.table, std::mem::take(&mut self.events));
        send::turn(&mut line, self.turn, |parts| {
            parts.value("state", |out| table.state_json(out));
            parts.list("events", events.strip_prefix(b",").unwrap_or_default());
            if legal {
                parts.value("legal", |out| table.legal_json(out));
            }
            parts.clock(allowance, clocks.iter());
        });
        Some(line)
    }

    /// The number of the open question.
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// The time for the open question.
    pub fn allowance(&self) -> Option<Span> {
        Clock::new(&self.setting.clock).allowance(&self.setting.clock)
    }

    /// Numbers the next question at least so high.
    pub fn skip_to(&mut self, turn: u64) {
        self.turn = self.turn.max(turn - 1);
    }

    /// Plays the bot's answer.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub fn answer(&mut self, token: &str) -> Result<(), Refusal> {
        self.table.check(token).map(|token| self.play(&token, None))
    }

    /// Plays another move than this for the bot, if there is one, and tells it as the referee tells a strike.
    pub fn strike(&mut self, answer: &str) {
        let legal = self.table.legal();
        let other = legal.iter().find(|token| token.as_str() != answer).or(legal.first()).copied();
        if let Some(token) = other {
            self.play(&token, Some("strike"));
        }
    }

    /// Plays moves of an opening for whoever is to move, as many or up to where `stop` says so and the bot is to move;
    /// whether it came to that. A chance step that is due at the end is played too.
    pub fn open(&mut self, moves: usize, stop: impl Fn(&dyn Table) -> bool) -> bool {
        for _ in 0..moves {
            self.chance();
            if self.is_bots_turn() && stop(&*self.table) {
                return true;
            }
            let Some(token) = self.draw_move() else { return false };
            self.play(&token, Some("opening"));
        }
        self.chance();
        self.is_bots_turn() && stop(&*self.table)
    }

    /// Plays one move of an opening after which chance decides, if there is one, or else any; whether chance decided.
    pub fn open_to_chance(&mut self) -> bool {
        if self.chance() {
            return true;
        }
        let leads = |token: &Token| {
            let mut next = self.table.copy();
            next.play(token).is_ok() && next.turn() == Turn::Chance
        };
        let token = self.table.legal().into_iter().find(leads).or_else(|| self.draw_move());
        token.inspect(|token| self.play(token, Some("opening")));
        self.chance()
    }

    /// Takes the seat that is to move out of the game, if it is not the bot's and two others stay; whether it left.
    pub fn leave(&mut self) -> bool {
        self.chance();
        match self.table.turn() {
            Turn::Seat(seat) if seat != self.setting.seat && self.seats_in.len() > 2 => {
                self.seats_in = self.seats_in.without(seat);
                self.table.leave(seat);
                self.event(&format!(r#"{{"leave":{seat}}}"#));
                true
            }
            _ => false,
        }
    }

    /// Whether the game is over by its rules.
    pub fn is_over(&self) -> bool {
        matches!(self.table.turn(), Turn::Over(_))
    }

    /// The `over` line: by the rules if it is over, and otherwise as if all rivals had been out.
    pub fn over(&self) -> Vec<u8> {
        let mut line = Vec::new();
        let (ranks, reason) = match (self.table.turn(), self.table.end()) {
            (Turn::Over(ranking), Some(end)) if self.seats_in.len() == self.setting.seats => {
                (ranking.ranks(self.setting.seats), end.as_str())
            }
            _ => (BySeat::from_fn(self.setting.seats, |seat| if seat == self.setting.seat { 1 } else { 2 }), "faults"),
        };
        send::over(&mut line, &Over { result: "decided", ranks: Some(&ranks), reason });
        line
    }

    /// The `over` line of a game that counts for nobody.
    pub fn void() -> Vec<u8> {
        let mut line = Vec::new();
        send::over(&mut line, &Over { result: "void", ranks: None, reason: "referee_late" });
        line
    }

    fn is_bots_turn(&mut self) -> bool {
        self.chance();
        self.table.turn() == Turn::Seat(self.setting.seat)
    }

    /// A legal move for whoever is to move, drawn at random; nothing if nobody is.
    fn draw_move(&mut self) -> Option<Token> {
        let legal = self.table.legal();
        let most = u32::try_from(legal.len()).ok().filter(|&count| count > 0)?;
        Some(legal[self.chance.of(Purpose::Opening).below(most) as usize])
    }

    fn play(&mut self, token: &Token, by: Option<&str>) {
        let Turn::Seat(seat) = self.table.turn() else { return };
        let by = by.map(|by| format!(r#","by":"{by}""#)).unwrap_or_default();
        self.table.play(token).expect("only legal moves are played");
        self.event(&format!(r#"{{"seat":{seat},"move":"{token}"{by}}}"#));
    }

    /// Plays the chance steps that are due; whether there were any.
    fn chance(&mut self) -> bool {
        let due = self.table.turn() == Turn::Chance;
        while self.table.turn() == Turn::Chance {
            let outcome = self.table.draw(&mut self.chance);
            self.event(&format!(r#"{{"chance":{outcome}}}"#));
        }
        due
    }

    fn event(&mut self, item: &str) {
        write!(self.events, ",{item}").expect("memory takes all bytes");
    }
}

/// The options of a game, each changed alone to a neighbour that can be played with: switches turned, numbers one more
/// or less.
pub fn neighbours(game: GameName, seats: usize) -> Vec<String> {
    let Ok(table) = game.open("{}", seats) else { return Vec::new() };
    let Ok(Value::Object(defaults)) = serde_json::from_str(&table.options_json()) else { return Vec::new() };
    let mut found = Vec::new();
    for (key, value) in &defaults {
        let candidates = match value {
            Value::Bool(switch) => vec![Value::from(!switch)],
            Value::Number(number) => {
                let number = number.as_i64().unwrap_or(0);
                [-2, -1, 1, 2].map(|step| Value::from(number + step)).to_vec()
            }
            _ => Vec::new(),
        };
        let options = candidates.into_iter().map(|candidate| serde_json::json!({ key: candidate }).to_string());
        found.extend(options.into_iter().find(|options| game.open(options, seats).is_ok()));
    }
    found
}

#[cfg(test)]
mod tests;
