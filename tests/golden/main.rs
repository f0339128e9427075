//! Golden logs: games of every kind, number of seats and option, kept as files that must stay readable.
//!
//! Each is played by random moves under a simulated clock, so the program writes the same bytes again; where it does
//! not, the format or the rules have changed, and with them a version must. `ARBITRO_UPDATE=1 cargo test --test golden`
//! writes the files anew.

mod cases;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use arbitro::chance::{Draws, Hex32, Purpose, Streams};
use arbitro::clock::{Moment, TimeControl};
use arbitro::protocol::limits::Limits;
use arbitro::record::entry::{Exit, HeaderHost};
use arbitro::record::outcome::GameResult;
use arbitro::record::verify::verify;
use arbitro::record::writer::Writer;
use arbitro::referee::{Effect, Event, Gone, Referee, Setup};
use arbitro::seat::{BySeat, Seat};
use arbitro::table::GameName;
use serde_json::Value;

use cases::{Case, Trouble, cases};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/logs")
}

fn setup(case: &Case) -> Setup {
    let master = Hex32::from_text(case.name);
    let mut clock = TimeControl::default();
    if !case.clock.is_empty() {
        clock.set_clock(case.clock).expect(case.name);
    }
    Setup {
        game: case.game,
        options: case.options.to_owned(),
        players: BySeat::from_fn(case.seats, |seat| format!("player {seat}")),
        game_id: case.name.to_owned(),
        luck_id: case.name.to_owned(),
        game_seed: master.of_game(case.name),
        bot_seeds: BySeat::from_fn(case.seats, |seat| master.of_bot(case.name, seat)),
        guessable_seed: true,
        clock,
        limits: Limits { strikes: u32::from(case.trouble == Some(Trouble::Strike)), ..Limits::default() },
        opening: case.opening.split_whitespace().map(str::to_owned).collect(),
        host: HeaderHost { referee: "golden".to_owned(), ..HeaderHost::default() },
    }
}

/// A game under a simulated clock, in which each thing that happens takes a few microseconds.
struct Game {
    referee: Referee,
    effects: Vec<Effect>,
    now: u64,
    draws: Draws,
    thinks: bool,
}

impl Game {
    fn play(case: &Case) -> Vec<u8> {
        let mut effects = Vec::new();
        let referee = Referee::new(setup(case), 0, &mut effects).expect(case.name);
        let draws = Streams::new(Hex32::from_text(case.name)).of(Purpose::SetUp).clone();
        let mut game = Game { referee, effects, now: 0, draws, thinks: !case.clock.is_empty() };
        for seat in Seat::first(case.seats) {
            game.event(Event::Sending { seat });
            game.event(Event::Bytes { seat, bytes: b"{\"type\":\"ready\",\"name\":\"random\"}\n" });
        }
        let mut trouble = case.trouble;
        while game.referee.outcome().is_none() {
            if game.referee.turn() > 6
                && let Some(trouble) = trouble.take()
            {
                game.trouble(trouble);
            } else {
                game.answer();
            }
        }
        game.log()
    }

    fn event(&mut self, event: Event) {
        self.now += 4_321 + u64::from(self.draws.below(5_000));
        self.referee.handle(Moment(self.now), event, &mut self.effects);
    }

    fn asked(&self) -> Seat {
        Seat::first(4).find(|&seat| self.referee.is_asked(seat)).expect("somebody is asked")
    }

    fn answer(&mut self) {
        let seat = self.asked();
        let legal = self.referee.table().legal();
        let token = legal[self.draws.below(legal.len() as u32) as usize];
        let turn = self.referee.turn();
        let info = if turn.is_multiple_of(8) { r#","info":{"depth":1,"text":"½ a guess"}"# } else { "" };
        let answer = format!("{{\"type\":\"move\",\"turn\":{turn},\"move\":\"{token}\"{info}}}\n");
        self.event(Event::Sending { seat });
        if self.thinks {
            // What an event takes is left over.
            let most = self.referee.deadline().expect("time is limited").0 - self.now - 10_000;
            let part = self.draws.below(1001) * self.draws.below(1001) / 1000;
            self.now += most / 1000 * u64::from(part);
        }
        self.event(Event::Bytes { seat, bytes: answer.as_bytes() });
    }

    fn trouble(&mut self, trouble: Trouble) {
        let seat = self.asked();
        self.event(Event::Sending { seat });
        match trouble {
            Trouble::Strike | Trouble::Illegal => {
                let answer = format!("{{\"type\":\"move\",\"turn\":{},\"move\":\"z9\"}}\n", self.referee.turn());
                self.event(Event::Bytes { seat, bytes: answer.as_bytes() });
            }
            Trouble::Timeout => {
                self.event(Event::Stderr { seat, bytes: b"thinking about it\n" });
                for _ in 0..2 {
                    self.now = self.referee.deadline().expect("somebody is asked").0;
                    self.referee.handle(Moment(self.now), Event::Tick, &mut self.effects);
                }
            }
            Trouble::Crash => self.event(Event::Gone { seat, how: Gone::Exited(Exit::Signal(11)) }),
            Trouble::Void => self.event(Event::Broken),
            Trouble::Stop => self.event(Event::Stop),
        }
    }

    fn log(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        let mut end = None;
        for effect in self.effects {
            match effect {
                Effect::Log(entry) => writer.entry(&entry).expect("memory takes all bytes"),
                Effect::Done(done) => end = Some(done),
                Effect::Send(_) | Effect::Kill(_) => {}
            }
        }
        writer.end(&end.expect("the game is over")).expect("memory takes all bytes");
        bytes
    }
}

#[test]
fn every_golden_log_verifies_and_is_written_the_same_again() {
    let update = std::env::var_os("ARBITRO_UPDATE").is_some();
    for case in cases() {
        let path = folder().join(format!("{}.jsonl", case.name));
        let now = Game::play(&case);
        if update {
            std::fs::write(&path, &now).expect("the fixture can be written");
        }
        let kept = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let verified = verify(&kept).unwrap_or_else(|finding| panic!("{}: {finding}", path.display()));
        let (kept, now) = (String::from_utf8_lossy(&kept), String::from_utf8_lossy(&now));
        for (number, (kept, now)) in kept.lines().zip(now.lines()).enumerate() {
            assert_eq!(kept, now, "{}, line {}", path.display(), number + 1);
        }
        assert_eq!(kept.lines().count(), now.lines().count(), "{}", path.display());
        let decided = !matches!(case.trouble, Some(Trouble::Void | Trouble::Stop));
        assert_eq!(verified.outcome.result == GameResult::Decided, decided, "{}", case.name);
    }
}

/// The headers of all golden logs: game, seats and options.
fn headers() -> Vec<(GameName, usize, Value)> {
    let names: BTreeSet<&str> = cases().iter().map(|case| case.name).collect();
    let entries = std::fs::read_dir(folder()).expect("the folder of golden logs is there");
    let header = |path: PathBuf| {
        let stem = path.file_stem().expect("a log has a name").to_string_lossy().into_owned();
        assert!(names.contains(stem.as_str()), "{stem}: no case plays this log, so nothing keeps it current");
        let text = std::fs::read_to_string(&path).expect("a log is text");
        let header: Value = serde_json::from_str(text.lines().next().expect("a log has a header")).expect("it is JSON");
        let header = &header["header"];
        let game = header["game"].as_str().and_then(|name| name.parse().ok()).expect("a known game");
        (game, header["players"].as_array().expect("players are a list").len(), header["options"].clone())
    };
    entries.map(|entry| header(entry.expect("the folder can be read").path())).collect()
}

#[test]
fn every_game_number_of_seats_and_option_has_a_golden_log() {
    let headers = headers();
    for &game in GameName::ALL {
        let defaults = |seats: usize| -> Value {
            serde_json::from_str(&game.open("{}", seats).expect("defaults can be played").options_json()).expect("JSON")
        };
        let mut varied = BTreeSet::new();
        let mut known = BTreeSet::new();
        for &seats in game.seats() {
            let defaults = defaults(seats);
            let logs = headers.iter().filter(|(of, with, _)| (*of, *with) == (game, seats));
            let options: Vec<&Value> = logs.map(|(.., options)| options).collect();
            assert!(options.contains(&&defaults), "{game} with {seats} seats has no golden log with its defaults");
            known.extend(defaults.as_object().expect("options are an object").keys().cloned());
            for options in options {
                let all = options.as_object().expect("options are an object");
                known.extend(all.keys().cloned());
                varied.extend(all.keys().filter(|&key| options[key] != defaults[key]).cloned());
            }
        }
        let missing: Vec<&String> = known.difference(&varied).collect();
        assert!(missing.is_empty(), "{game}: no golden log varies {missing:?}");
    }
}
