//! A whole game under a simulated clock: bots as plain functions of the messages they get, events in order of time.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::chance::{Draws, Hex32, Purpose, Streams};
use crate::clock::{Moment, Span, TimeControl};
use crate::protocol::limits::Limits;
use crate::record::entry::{End, Exit, HeaderHost};
use crate::record::verify::{Verified, verify};
use crate::record::writer::Writer;
use crate::referee::{Effect, Event, Gone, Referee, Setup};
use crate::seat::{BySeat, Seat};
use crate::table::GameName;

/// What a bot does, so long after it got a message.
#[derive(Clone, Debug)]
pub enum Act {
    Write(Vec<u8>),
    Stderr(Vec<u8>),
    Exit(i32),
    Close,
}

/// A bot: what it does about each message.
pub type Bot = Box<dyn FnMut(&Value) -> Vec<(Span, Act)>>;

/// How a simulated game is played.
pub struct Match {
    pub setup: Setup,
    pub bots: Vec<Bot>,
    /// Cuts what bots write into pieces, if there is one.
    pub cuts: Option<Draws>,
}

/// What came of it.
pub struct Played {
    pub log: Vec<u8>,
    pub end: End,
    pub verified: Verified,
    pub kills: Vec<Seat>,
}

impl Played {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.log).unwrap()
    }

    /// The faults in the log: seat, turn and kind.
    pub fn faults(&self) -> Vec<(u64, u64, String)> {
        let lines = self.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let faults = lines.filter_map(|line| line.get("fault").cloned());
        let fields = |fault: Value| {
            (
                fault["seat"].as_u64().unwrap(),
                fault["turn"].as_u64().unwrap(),
                fault["kind"].as_str().unwrap().to_owned(),
            )
        };
        faults.map(fields).collect()
    }

    pub fn ranks(&self) -> Vec<u8> {
        self.end.outcome.ranks.as_ref().expect("the game was decided").iter().copied().collect()
    }
}

pub fn draws(name: &str) -> Draws {
    Streams::new(Hex32::from_text(name)).of(Purpose::SetUp).clone()
}

/// A game of Alto Ahí on a small board.
pub fn setup(seats: usize, seed: &str) -> Setup {
    setup_of(GameName::AltoAhi, r#"{"size":5,"walls":2}"#, seats, seed)
}

/// Any game, with a minute each and limits that are soon reached.
pub fn setup_of(game: GameName, options: &str, seats: usize, seed: &str) -> Setup {
    let master = Hex32::from_text(seed);
    Setup {
        game,
        options: options.to_owned(),
        players: BySeat::from_fn(seats, |seat| format!("bot {seat}")),
        game_id: "game-1".to_owned(),
        luck_id: "game-1".to_owned(),
        game_seed: master.of_game("game-1"),
        bot_seeds: BySeat::from_fn(seats, |seat| master.of_bot("game-1", seat)),
        guessable_seed: true,
        clock: TimeControl::default(),
        limits: Limits { line_bytes: 2000, output_bytes: 8000, stderr_bytes: 40_000, ..Limits::default() },
        opening: Vec::new(),
        host: HeaderHost::default(),
    }
}

/// A random bot that takes a drawn time over each move, and does something else instead at turn `fault.0` of its own.
pub fn bot(seed: &str, fault: Option<(u64, Fault)>) -> Bot {
    let mut draws = draws(seed);
    let mut own_turn = 0;
    Box::new(move |message| match message["type"].as_str().unwrap() {
        "hello" => match fault {
            Some((0, fault)) => fault.at_start(),
            _ => vec![(Span::from_ms(30), write("{\"type\":\"ready\"}\n"))],
        },
        "turn" => {
            own_turn += 1;
            let legal = message["legal"].as_array().unwrap();
            let token = legal[draws.below(legal.len() as u32) as usize].as_str().unwrap();
            let after = Span::from_ms(u64::from(draws.below(40)));
            let turn = message["turn"].as_u64().unwrap();
            match fault {
                Some((at, fault)) if at == own_turn => fault.at_turn(after, turn, token),
                _ => vec![(after, write(&answer(turn, token)))],
            }
        }
        "over" => vec![(Span::ZERO, Act::Exit(0))],
        other => panic!("{other}"),
    })
}

pub fn answer(turn: u64, token: &str) -> String {
    format!("{{\"type\":\"move\",\"turn\":{turn},\"move\":\"{token}\"}}\n")
}

pub fn write(text: &str) -> Act {
    Act::Write(text.as_bytes().to_vec())
}

/// What a bad bot does.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    Silent,
    Late,
    NoLineEnd,
    Chatter,
    Garbage,
    HalfAnObject,
    OtherTurn,
    Illegal,
    NoMove,
    TooLong,
    Newlines,
    Crash,
    CrashAfterAnswer,
    Close,
    Flood,
    StderrFlood,
    Resign,
}

impl Fault {
    pub const ALL: [(Fault, &'static str); 17] = [
        (Fault::Silent, "timeout"),
        (Fault::Late, "timeout"),
        (Fault::NoLineEnd, "timeout"),
        (Fault::Chatter, "timeout"),
        (Fault::Garbage, "unreadable"),
        (Fault::HalfAnObject, "unreadable"),
        (Fault::OtherTurn, "timeout"),
        (Fault::Illegal, "illegal"),
        (Fault::NoMove, "illegal"),
        (Fault::TooLong, "too_long"),
        (Fault::Newlines, "output_limit"),
        (Fault::Crash, "exited"),
        (Fault::CrashAfterAnswer, "exited"),
        (Fault::Close, "closed"),
        (Fault::Flood, "unasked"),
        (Fault::StderrFlood, "stderr_limit"),
        (Fault::Resign, "resigned"),
    ];

    fn at_turn(self, after: Span, turn: u64, token: &str) -> Vec<(Span, Act)> {
        let good = answer(turn, token);
        match self {
            Fault::Silent => vec![],
            Fault::Late => vec![(Span::from_secs(3600), write(&good))],
            Fault::NoLineEnd => vec![(after, write(good.trim_end()))],
            Fault::Chatter => (1..400).map(|n| (Span::from_ms(250 * n), write("\n"))).collect(),
            Fault::Garbage => vec![(after, write("thinking...\n"))],
            Fault::HalfAnObject => vec![(after, write("{\"type\":\"move\",\n"))],
            Fault::OtherTurn => vec![(after, write(&answer(turn + 1, token)))],
            Fault::Illegal => vec![(after, write(&answer(turn, "a1")))],
            Fault::NoMove => vec![(after, write(&answer(turn, "e2e4 please")))],
            Fault::TooLong => vec![(after, write(&"x".repeat(3000)))],
            Fault::Newlines => vec![(after, write(&"\n".repeat(9000)))],
            Fault::Crash => vec![(after, Act::Exit(1))],
            Fault::CrashAfterAnswer => vec![(after, write(&good)), (after, Act::Exit(0))],
            Fault::Close => vec![(after, Act::Close)],
            Fault::Flood => vec![(after, write(&answer(0, token).repeat(20)))],
            Fault::StderrFlood => vec![(after, Act::Stderr(vec![b'!'; 50_000]))],
            Fault::Resign => vec![(after, write(&format!("{{\"type\":\"resign\",\"turn\":{turn}}}\n")))],
        }
    }

    fn at_start(self) -> Vec<(Span, Act)> {
        match self {
            Fault::Late => vec![(Span::from_secs(3600), write("{\"type\":\"ready\"}\n"))],
            Fault::NoLineEnd => vec![(Span::ZERO, write("{\"type\":\"ready\"}"))],
            _ => self.at_turn(Span::ZERO, 0, "e2"),
        }
    }
}

/// Plays the game to its end, and checks its log.
pub fn play(game: Match) -> Played {
    let mut log = Vec::new();
    let mut simulation = Simulation::new(game, Writer::new(&mut log));
    while simulation.end.is_none() {
        simulation.next();
    }
    let end = simulation.end.take().expect("the loop ran until it was there");
    let kills = simulation.kills;
    simulation.writer.end(&end).expect("memory takes all bytes");
    let verified = verify(&log).unwrap_or_else(|finding| panic!("{finding}\n{}", String::from_utf8_lossy(&log)));
    Played { log, end: *end, verified, kills }
}

struct Simulation<'a> {
    referee: Referee,
    bots: Vec<Bot>,
    cuts: Option<Draws>,
    queue: BTreeMap<(Moment, u64), (Seat, Act)>,
    queued: u64,
    now: Moment,
    writer: Writer<&'a mut Vec<u8>>,
    kills: Vec<Seat>,
    end: Option<Box<End>>,
}

impl<'a> Simulation<'a> {
    fn new(game: Match, writer: Writer<&'a mut Vec<u8>>) -> Simulation<'a> {
        let mut effects = Vec::new();
        let referee = Referee::new(game.setup, 0, &mut effects).expect("the game can begin");
        let mut simulation = Simulation {
            referee,
            bots: game.bots,
            cuts: game.cuts,
            queue: BTreeMap::new(),
            queued: 0,
            now: Moment(0),
            writer,
            kills: Vec::new(),
            end: None,
        };
        simulation.follow(effects);
        simulation
    }

    /// Goes on to the next thing that happens: what a bot does, or the deadline.
    fn next(&mut self) {
        let act = self.queue.first_key_value().map(|(&(at, _), _)| at);
        let deadline = self.referee.deadline();
        match (act, deadline) {
            (Some(at), deadline) if deadline.is_none_or(|deadline| at <= deadline) => {
                let (_, (seat, act)) = self.queue.pop_first().expect("it was just seen");
                self.now = at;
                self.act(seat, act);
            }
            (_, Some(deadline)) => {
                self.now = deadline;
                self.event(Event::Tick);
            }
            (_, None) => panic!("the game waits for nothing"),
        }
    }

    fn act(&mut self, seat: Seat, act: Act) {
        match act {
            Act::Write(bytes) => {
                let mut rest = bytes.as_slice();
                while !rest.is_empty() {
                    let most = rest.len() as u32;
                    let cut = self.cuts.as_mut().map_or(rest.len(), |cuts| 1 + cuts.below(most) as usize);
                    self.event(Event::Bytes { seat, bytes: &rest[..cut] });
                    rest = &rest[cut..];
                }
            }
            Act::Stderr(bytes) => self.event(Event::Stderr { seat, bytes: &bytes }),
            Act::Exit(code) => self.event(Event::Gone { seat, how: Gone::Exited(Exit::Code(code)) }),
            Act::Close => self.event(Event::Gone { seat, how: Gone::Closed }),
        }
    }

    fn event(&mut self, event: Event) {
        let mut effects = Vec::new();
        self.referee.handle(self.now, event, &mut effects);
        self.follow(effects);
    }

    fn follow(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Send(seat) => {
                    let message: Value = serde_json::from_slice(self.referee.message(seat)).expect("messages are JSON");
                    self.event(Event::Sending { seat });
                    for (after, act) in self.bots[seat.index()](&message) {
                        self.queued += 1;
                        self.queue.insert((self.now + after, self.queued), (seat, act));
                    }
                }
                Effect::Log(entry) => self.writer.entry(&entry).expect("memory takes all bytes"),
                Effect::Kill(seat) => {
                    self.queue.retain(|_, (of, _)| *of != seat);
                    self.kills.push(seat);
                }
                Effect::Done(end) => self.end = Some(end),
            }
        }
    }
}
