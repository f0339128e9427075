//! A game under the real referee, with a clock that stands still until it is told to go on.

use arbitro::chance::{Draws, Hex32, Purpose, Seed, Streams};
use arbitro::clock::{Moment, Span, TimeControl};
use arbitro::protocol::limits::Limits;
use arbitro::record::entry::{End, Entry, Fault, HeaderHost, Note};
use arbitro::record::writer::Writer;
use arbitro::referee::{Effect, Event, Referee, Setup, Usage};
use arbitro::seat::{BySeat, Seat};
use arbitro::table::GameName;

/// The game of all tests here, whose seeds are the test vectors of `protocol.md`.
pub const GAME_ID: &str = "game-000001";

/// The bytes 00, 01, … 1f.
pub fn master() -> Seed {
    Hex32(std::array::from_fn(|index| index as u8))
}

/// Draws for a test of this name.
pub fn draws(name: &str) -> Draws {
    Streams::new(Hex32::from_text(name)).of(Purpose::Opening).clone()
}

/// A game with the limits that `hello` states by default.
pub fn setup(game: &str, options: &str, seats: usize) -> Setup {
    let game: GameName = game.parse().unwrap();
    let names = ["mine", "yours", "hers", "his"];
    Setup {
        game,
        options: options.to_owned(),
        players: BySeat::from_fn(seats, |seat| names[seat.index()].to_owned()),
        game_id: GAME_ID.to_owned(),
        luck_id: GAME_ID.to_owned(),
        game_seed: master().of_game(GAME_ID),
        bot_seeds: BySeat::from_fn(seats, |seat| master().of_bot(GAME_ID, seat)),
        guessable_seed: false,
        clock: TimeControl::default(),
        limits: Limits::default(),
        opening: Vec::new(),
        host: HeaderHost::default(),
    }
}

/// A game, and everything that came of it so far.
pub struct Arena {
    pub referee: Referee,
    pub seats: usize,
    pub now: Moment,
    pub entries: Vec<Entry>,
    /// Every message, to whom and without its line end, in the order in which they were sent.
    pub sent: Vec<(Seat, String)>,
    pub killed: Vec<Seat>,
    pub end: Option<Box<End>>,
}

impl Arena {
    /// A game at its beginning: each `hello` is sent.
    pub fn new(setup: Setup) -> Arena {
        let mut effects = Vec::new();
        let seats = setup.players.len();
        let referee = Referee::new(setup, 0, &mut effects).expect("the game can begin");
        let mut arena = Arena {
            referee,
            seats,
            now: Moment(0),
            entries: Vec::new(),
            sent: Vec::new(),
            killed: Vec::new(),
            end: None,
        };
        arena.follow(effects);
        arena
    }

    /// A game in which every seat is ready and the first one is asked.
    pub fn ready(setup: Setup) -> Arena {
        let mut arena = Arena::new(setup);
        Seat::first(arena.seats).for_each(|seat| arena.write(seat, b"{\"type\":\"ready\"}\n"));
        arena
    }

    /// Time goes on.
    pub fn wait(&mut self, span: Span) {
        self.now = self.now + span;
    }

    /// A bot writes to its stdout.
    /// It is seen what a bot uses.
    pub fn uses(&mut self, seat: Seat, usage: Usage) {
        self.event(Event::Used { seat, usage });
    }

    pub fn write(&mut self, seat: Seat, bytes: &[u8]) {
        self.event(Event::Bytes { seat, bytes });
    }

    pub fn event(&mut self, event: Event) {
        let mut effects = Vec::new();
        self.referee.handle(self.now, event, &mut effects);
        self.follow(effects);
    }

    fn follow(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Send(seat) => {
                    let line = std::str::from_utf8(self.referee.message(seat)).expect("messages are UTF-8");
                    let line = line.strip_suffix('\n').expect("messages end their line");
                    assert!(!line.contains('\n'), "a message is one line");
                    self.sent.push((seat, line.to_owned()));
                    self.event(Event::Sending { seat });
                }
                Effect::Log(entry) => self.entries.push(entry),
                Effect::Kill(seat) => self.killed.push(seat),
                Effect::Done(end) => self.end = Some(end),
            }
        }
    }

    /// The seat that is asked for a move, if one is.
    pub fn asked(&self) -> Option<Seat> {
        Seat::first(self.seats).find(|&seat| self.referee.is_asked(seat))
    }

    /// The asked seat plays this move.
    pub fn play(&mut self, token: &str) {
        let seat = self.asked().expect("a seat is asked");
        let line = format!("{{\"type\":\"move\",\"turn\":{},\"move\":\"{token}\"}}\n", self.referee.turn());
        self.write(seat, line.as_bytes());
    }

    /// Plays moves drawn from the legal ones until the game is over, or so many were played.
    pub fn play_on(&mut self, draws: &mut Draws, most: u32) {
        for _ in 0..most {
            if self.asked().is_none() {
                break;
            }
            let legal = self.referee.table().legal();
            self.wait(Span(1 + u64::from(draws.below(9_000_000))));
            self.play(&legal[draws.below(legal.len() as u32) as usize]);
        }
    }

    /// The faults that were charged.
    pub fn faults(&self) -> Vec<&Fault> {
        let faults = self.entries.iter().filter_map(|entry| match entry {
            Entry::Fault(fault) => Some(&**fault),
            _ => None,
        });
        faults.collect()
    }

    /// The notes of the log.
    pub fn notes(&self) -> Vec<&Note> {
        let notes = self.entries.iter().filter_map(|entry| match entry {
            Entry::Note(note) => Some(&**note),
            _ => None,
        });
        notes.collect()
    }

    /// The log of the game, with its end line if the game is over.
    pub fn log(&self) -> Vec<u8> {
        let mut log = Vec::new();
        let mut writer = Writer::new(&mut log);
        self.entries.iter().for_each(|entry| writer.entry(entry).expect("memory takes all bytes"));
        if let Some(end) = &self.end {
            writer.end(end).expect("memory takes all bytes");
        }
        log
    }
}
