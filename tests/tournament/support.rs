//! What the tests of tournaments share: a field of built-in bots, plans for it, and runs of them.

use std::ffi::OsString;
use std::fs;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use arbitro::chance::{Hex32, Seed};
use arbitro::clock::TimeControl;
use arbitro::host::play::Ponder;
use arbitro::host::{Confinement, Program};
use arbitro::protocol::limits::Limits;
use arbitro::record::entry::BotHost;
use arbitro::record::verify::verify;
use arbitro::seat::BySeat;
use arbitro::table::GameName;
use arbitro::tournament::Entrant;
use arbitro::tournament::folder::{self, Opened, Record};
use arbitro::tournament::journal::Storage;
use arbitro::tournament::pairing::{Meeting, Orders, Round};
use arbitro::tournament::plan::{FORMAT, Header, Plan, PlannedBot};
use arbitro::tournament::run::{Bot, Director, Failed, Means, Places, Progress, Summary, run};
use tempfile::TempDir;

/// The product: what keepers and built-in bots are.
pub const ARBITRO: &str = env!("CARGO_BIN_EXE_arbitro");

/// The master seed of all tournaments here.
pub const MASTER: Seed = Hex32([5; 32]);

/// A tournament that is not begun, and a place for it.
pub struct Cup {
    folder: TempDir,
    pub plan: Plan,
    pub commands: Vec<Vec<String>>,
}

/// A header for a short game of these bots, two at a table.
pub fn header(bots: &[&str]) -> Header {
    let bot = |(index, command): (usize, &&str)| PlannedBot {
        name: format!("{} {index}", command.split(' ').next().expect("a word")),
        command: command.split(' ').map(str::to_owned).collect(),
        files: Default::default(),
        settings: None,
    };
    Header {
        format: FORMAT,
        referee: env!("CARGO_PKG_VERSION").to_owned(),
        name: "A test".to_owned(),
        game: GameName::AltoAhi,
        rules: GameName::AltoAhi.rules_version(),
        options: options(r#"{"size":5,"walls":2,"max_plies":30}"#, 2),
        seats: 2,
        orders: Orders::Turns,
        pairing: serde_json::json!({}),
        clock: TimeControl::default(),
        limits: Limits::default(),
        disqualify_after: 0,
        reuse: 0,
        ponder: Ponder::Stop,
        bots: bots.iter().enumerate().map(bot).collect(),
        drawn: None,
        openings: Vec::new(),
        master: MASTER.master_commitment(),
    }
}

/// All options of a game of Alto Ahí.
pub fn options(given: &str, seats: usize) -> serde_json::Value {
    let table = GameName::AltoAhi.open(given, seats).expect("it can be played so");
    serde_json::from_str(&table.options_json()).expect("options are JSON")
}

/// A round of these meetings.
pub fn round(meetings: &[&[u16]], sets: u32) -> Round {
    let meeting = |seats: &&[u16]| Meeting { seats: BySeat::collect(seats.iter().copied().map(Entrant)) };
    Round { meetings: meetings.iter().map(meeting).collect(), sets, byes: Vec::new() }
}

/// Everybody meets everybody, in one round.
pub fn all_meet(field: u16, sets: u32) -> Round {
    let pairs: Vec<[u16; 2]> = (0..field).flat_map(|one| (one + 1..field).map(move |other| [one, other])).collect();
    round(&pairs.iter().map(|pair| pair.as_slice()).collect::<Vec<_>>(), sets)
}

impl Cup {
    pub fn new(header: Header, rounds: impl IntoIterator<Item = Round>) -> Cup {
        let folder = TempDir::with_prefix("arbitro-cup-").expect("a folder for temporary files");
        let commands = header.bots.iter().map(|bot| bot.command.clone()).collect();
        Cup { folder, plan: Plan::new(header, rounds), commands }
    }

    /// Where the tournament lies.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("cup")
    }

    pub fn open(&self) -> Opened {
        self.open_for(&mut NoDirector)
    }

    fn open_for(&self, director: &mut dyn Director) -> Opened {
        let look = &mut |_: &Plan, games: &[arbitro::tournament::played::Played]| director.see(games);
        folder::open(&self.path(), self.plan.clone(), MASTER, false, look).expect("it is this tournament")
    }

    /// So many games at once, wherever the system puts them.
    pub fn means(&self, at_once: usize) -> Means {
        Means {
            referee_exe: ARBITRO.into(),
            bots: self.commands.iter().map(|command| self.bot(command)).collect(),
            seed: MASTER,
            groups: None,
            sandbox: "none".to_owned(),
            freezes_all: false,
            places: Places(vec![Vec::new(); at_once]),
        }
    }

    /// A built-in bot, or another command. Whatever it starts has the path of this tournament in its environment.
    fn bot(&self, command: &[String]) -> Bot {
        let own = ["random", "greedy", "faulty"].contains(&command[0].as_str());
        let front: &[&str] = if own { &[ARBITRO, "bot"] } else { &[] };
        let words = front.iter().copied().chain(command.iter().map(String::as_str));
        let words: Vec<OsString> = words.map(OsString::from).collect();
        let mark = [("CUP".into(), self.path().into_os_string())];
        Bot {
            program: Program::find(&words, Path::new("/"), &mark).expect("the command of a test can be started"),
            confinement: Confinement::default(),
            host: BotHost { command: command.to_vec(), files: Default::default() },
        }
    }

    /// The processes of its bots.
    pub fn processes(&self) -> Vec<i32> {
        let mark = self.path().into_os_string().into_encoded_bytes();
        let holds = |pid: &i32| {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.windows(mark.len()).any(|window| window == mark)
        };
        let entries = fs::read_dir("/proc").expect("/proc is there").flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.filter(holds).collect()
    }

    /// Plays all that is left.
    pub fn play(&self, at_once: usize) -> Summary {
        self.play_with(at_once, &mut NoDirector, |_| {})
    }

    /// The same, with this director.
    pub fn play_with(&self, at_once: usize, director: &mut dyn Director, tell: impl FnMut(Progress)) -> Summary {
        let stop = Stop::new();
        let opened = self.open_for(director);
        self.play_opened(opened, at_once, director, &stop, tell).expect("nothing fails")
    }

    /// Plays until it is stopped.
    pub fn play_opened<S: Storage>(
        &self,
        opened: Opened<S>,
        at_once: usize,
        director: &mut dyn Director,
        stop: &Stop,
        mut tell: impl FnMut(Progress),
    ) -> Result<Summary, Failed> {
        run(opened, &self.means(at_once), director, stop.readable(), &mut tell)
    }

    /// Everything that counts. The logs must be those of exactly these games, and hold.
    pub fn record(&self) -> Record {
        let record = folder::read(&self.path()).expect("a tournament");
        let mut logs = Vec::new();
        for game in &record.played {
            let path = folder::log(&self.path(), game.game);
            logs.push(path.clone());
            let log = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let verified = verify(&log).unwrap_or_else(|finding| panic!("{}: {finding}", path.display()));
            assert_eq!(verified.game_sha256, game.game_sha256, "{}", path.display());
            assert_eq!(verified.outcome.ranks, game.ranks);
            assert_eq!((verified.outcome.reason, verified.plies), (game.reason, game.plies));
            let text = String::from_utf8(log).expect("a log is text");
            assert!(text.ends_with(&format!("\"sha256\":\"{}\"}}}}\n", game.sha256)), "{}", path.display());
        }
        assert_eq!(self.logs(), logs, "no log of any other game is left");
        record
    }

    /// All logs, in order.
    pub fn logs(&self) -> Vec<PathBuf> {
        let folders = fs::read_dir(self.path().join("games")).expect("a folder").flatten();
        let entries = folders.flat_map(|folder| fs::read_dir(folder.path()).expect("a folder").flatten());
        let mut logs: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        logs.sort();
        logs
    }

    /// What decides standings, of each game that counts.
    pub fn results(&self) -> Vec<(u64, Hex32, String)> {
        let line = |game: &arbitro::tournament::played::Played| {
            let mut value = serde_json::to_value(game).expect("it is written so");
            let fields = value.as_object_mut().expect("an object");
            // The digest of the whole log has what was measured in it.
            let measured = ["host", "sha256"].map(|field| fields.remove(field));
            assert!(measured.iter().all(Option::is_some));
            value.to_string()
        };
        self.record().played.iter().map(|game| (game.game, game.game_sha256, line(game))).collect()
    }
}

/// Decides nothing.
pub struct NoDirector;

impl Director for NoDirector {}

/// What stops a run.
pub struct Stop {
    readable: UnixStream,
    writer: UnixStream,
}

impl Stop {
    pub fn new() -> Stop {
        let (readable, writer) = UnixStream::pair().expect("a pair of sockets");
        Stop { readable, writer }
    }

    pub fn readable(&self) -> BorrowedFd<'_> {
        self.readable.as_fd()
    }

    pub fn stop(&self) {
        std::io::Write::write_all(&mut &self.writer, &[1]).expect("an empty socket takes a byte");
    }
}

/// Waits until a condition holds.
pub fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !condition() {
        assert!(Instant::now() < deadline, "never came true: {what}");
        std::thread::sleep(Duration::from_millis(3));
    }
}
