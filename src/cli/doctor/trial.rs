//! Short games that try something: a bot that misbehaves in seat 0, an honest one in seat 1.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Deserialize;
use tempfile::TempDir;

use crate::chance::Hex32;
use crate::cli::failure::{Failure, Kind};
use crate::cli::players::{self, Digests};
use crate::cli::sandbox::{Isolation, Mode, SandboxArgs};
use crate::cli::signals::Stop;
use crate::clock::{Moment, Span, TimeControl};
use crate::host::THIS_EXECUTABLE;
use crate::host::play::{Arena, FaultShown, Finished, Kept, Ponder, play};
use crate::host::sandbox::users;
use crate::protocol::limits::Limits;
use crate::record::entry::{HeaderHost, Note};
use crate::record::outcome::GameResult;
use crate::record::writer::Writer;
use crate::referee::{Referee, Setup};
use crate::seat::{BySeat, Seat};
use crate::table::GameName;

/// The most time that a move may take: what is to happen has happened by then.
const MOVE_LIMIT: Span = Span::from_secs(5);

/// Where games are played, in a folder of its own.
pub struct Lab {
    folder: TempDir,
    stop: Stop,
    /// Of this program, which is large, once for all games.
    digests: RefCell<Digests>,
}

/// What is played.
pub struct Trial<'a> {
    /// The words that name the bot in seat 0.
    pub bot: &'a str,
    /// Those of its rival.
    pub rival: &'a str,
    pub plies: u32,
    pub sandbox: Mode,
    pub isolation: Isolation,
    pub ponder: Ponder,
    /// As after `--limit`.
    pub limits: &'a [&'a str],
    /// What the bot may read beside its own folder.
    pub read: &'a [&'a Path],
    /// Where it may write.
    pub write: &'a [&'a Path],
}

/// A move of each seat, held as bots are by default.
pub const PLAIN: Trial = Trial {
    bot: "random",
    rival: "random",
    plies: 2,
    sandbox: Mode::Auto,
    isolation: Isolation::None,
    ponder: Ponder::Stop,
    limits: &[],
    read: &[],
    write: &[],
};

/// A game that was played, or why none was.
#[derive(Default)]
pub struct Tried {
    /// Why there was no game, or none to its end.
    pub trouble: Option<String>,
    /// What the bot in seat 0 wrote to stderr.
    pub stderr: String,
    /// Its first fault.
    pub fault: Option<FaultShown>,
    /// When it was ready, from the beginning of the game.
    pub ready: Option<Span>,
    /// How many more processes it left behind.
    pub leftovers: u32,
    /// How long the whole game took.
    pub took: Duration,
    /// How long it took from the end of the game to the proof that nothing is left of the bots; none if that never came.
    pub cleared: Option<Duration>,
}

impl Lab {
    /// Makes the folder.
    ///
    /// # Errors
    /// When there is no room for temporary files, or none that bots could reach: they would be denied everything there,
    /// sandbox or not.
    pub fn open(stop: Stop) -> Result<Lab, Failure> {
        let to_do = "set TMPDIR to a folder that everybody can use";
        let make = || {
            // The users of bots pass through.
            let passable = Permissions::from_mode(0o711);
            let folder = tempfile::Builder::new().prefix("arbitro-doctor-").permissions(passable).tempdir()?;
            let lab = Lab { folder, stop, digests: RefCell::default() };
            make_folder(&lab.here(), 0o777)?;
            Ok(lab)
        };
        let lab: Lab = make().map_err(|error: io::Error| {
            Failure::new(Kind::Io, format!("there is no folder to play in: {error}; {to_do}"))
        })?;
        match users::blocked(&lab.here()) {
            None => Ok(lab),
            Some(step) => {
                let words =
                    format!("bots cannot pass {} on the way to where they are to play; {to_do}", step.display());
                Err(Failure::new(Kind::Config, words))
            }
        }
    }

    /// The folder in which bots are started, which everybody may write to.
    pub fn here(&self) -> PathBuf {
        self.folder.path().join("here")
    }

    /// A new folder that has this in a file of this name.
    ///
    /// # Errors
    /// Those of the system.
    pub fn file(&self, folder: &str, name: &str, text: &str, modes: [u32; 2]) -> io::Result<PathBuf> {
        let folder = self.folder.path().join(folder);
        make_folder(&folder, modes[0])?;
        let file = folder.join(name);
        fs::write(&file, text)?;
        fs::set_permissions(&file, Permissions::from_mode(modes[1]))?;
        Ok(file)
    }

    /// Plays a game.
    ///
    /// # Errors
    /// When somebody stops this program.
    pub fn play(&self, trial: &Trial, watch: &mut dyn FnMut(&Referee)) -> Result<Tried, Failure> {
        let tried = self.attempt(trial, watch);
        if let Some(kind) = self.stop.kind() {
            return Err(Failure::new(kind, "stopped"));
        }
        Ok(tried.unwrap_or_else(|words| Tried { trouble: Some(words), ..Tried::default() }))
    }

    fn attempt(&self, trial: &Trial, watch: &mut dyn FnMut(&Referee)) -> Result<Tried, String> {
        let in_words = |failure: Failure| failure.words().to_owned();
        let mut limits = Limits::default();
        let texts: Vec<String> = trial.limits.iter().map(|&text| text.to_owned()).collect();
        crate::cli::limits::set(&mut limits, &texts).map_err(in_words)?;
        let specs = [trial.bot, trial.rival].map(str::to_owned);
        let dirs = BTreeMap::from([(0, self.here()), (1, self.here())]);
        let mut players =
            players::find_with(&specs, &dirs, GameName::AltoAhi, &mut self.digests.borrow_mut()).map_err(in_words)?;
        let sandbox =
            SandboxArgs::silent(trial.sandbox, trial.isolation).hold(&mut players, &limits).map_err(in_words)?;
        players[0].confinement.read.extend(trial.read.iter().map(|&path| path.to_owned()));
        players[0].confinement.write.extend(trial.write.iter().map(|&path| path.to_owned()));
        let seated = players::seated(&players, 0);
        let arena = Arena {
            referee_exe: PathBuf::from(THIS_EXECUTABLE),
            programs: seated.map(|player| player.program.clone()),
            confinements: seated.map(|player| player.confinement.clone()),
            ponder: trial.ponder,
            keep: false,
            groups: sandbox.groups(),
        };
        let setup = setup(seated.map(|player| player.name.clone()), limits, trial.plies);
        let mut log = Vec::new();
        let mut kept = seated.map(|_| Kept::default());
        let began = Instant::now();
        let mut decided = None;
        let mut look = |referee: &Referee| {
            decided = decided.or_else(|| referee.outcome().map(|_| Instant::now()));
            watch(referee);
        };
        let finished =
            play(&arena, setup, &mut kept, &mut Writer::new(&mut log), Some(self.stop.readable()), &mut look)
                .map_err(|error| error.to_string())?;
        let cleared = decided.map(|at| at.elapsed()).filter(|_| finished.clean);
        Ok(Tried { took: began.elapsed(), cleared, ..tried(finished, &log) })
    }
}

fn make_folder(path: &Path, mode: u32) -> io::Result<()> {
    fs::create_dir_all(path)?;
    fs::set_permissions(path, Permissions::from_mode(mode))
}

fn setup(players: BySeat<String>, limits: Limits, plies: u32) -> Setup {
    // Nobody profits from knowing it.
    let master = Hex32::from_text("doctor");
    Setup {
        game: GameName::AltoAhi,
        options: format!("{{\"max_plies\":{plies}}}"),
        game_seed: master.of_game("doctor"),
        bot_seeds: BySeat::from_fn(players.len(), |seat| master.of_bot("doctor", seat)),
        players,
        game_id: "doctor".to_owned(),
        luck_id: "doctor".to_owned(),
        guessable_seed: true,
        clock: TimeControl { move_limit: Some(MOVE_LIMIT), ..TimeControl::default() },
        limits,
        opening: Vec::new(),
        host: HeaderHost::default(),
    }
}

/// What a game shows of the bot in seat 0.
fn tried(finished: Finished, log: &[u8]) -> Tried {
    let outcome = &finished.end.outcome;
    let trouble = (outcome.result != GameResult::Decided).then(|| outcome.reason.words().to_owned());
    let mine = Seat::new(0);
    let fault = finished.faults.into_iter().find(|fault| fault.seat == mine);
    let mut tried = Tried { trouble, fault, ..Tried::default() };
    for note in log.split(|&byte| byte == b'\n').filter_map(note) {
        match note {
            Note::Stderr { seat, text, .. } if seat == mine => tried.stderr.push_str(&text),
            Note::Ready { seat, at, .. } if seat == mine => tried.ready = Some(at.since(Moment(0))),
            Note::Ended { seat, leftovers, .. } if seat == mine => tried.leftovers = leftovers,
            _ => {}
        }
    }
    tried
}

/// The note that a line of a log is, if it is one.
fn note(line: &[u8]) -> Option<Note> {
    #[derive(Deserialize)]
    struct Line {
        host: Note,
    }
    serde_json::from_slice(line).ok().map(|Line { host }| host)
}
