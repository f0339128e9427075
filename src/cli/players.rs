//! Players from the command line: a built-in bot, or a program with its arguments.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::failure::{Failure, Kind};
use crate::bots::{self, BotName};
use crate::chance::Hex32;
use crate::host::{BadProgram, Confinement, Program, THIS_EXECUTABLE};
use crate::record::entry::BotHost;
use crate::seat::{BySeat, Seat};
use crate::table::GameName;

/// One player of a match.
#[derive(Clone)]
pub struct Player {
    pub name: String,
    pub program: Program,
    /// What it may use and touch.
    pub confinement: Confinement,
    pub host: BotHost,
}

/// The players in the order of the command line, with names that differ.
///
/// # Errors
/// A command that cannot be started, or a built-in bot that does not play this game: one clear line, before anything
/// starts.
pub fn find(specs: &[String], dirs: &BTreeMap<usize, PathBuf>, game: GameName) -> Result<Vec<Player>, Failure> {
    find_with(specs, dirs, game, &mut Digests::default())
}

/// The same, for whoever plays several matches: no file is read twice for its digest.
pub fn find_with(
    specs: &[String],
    dirs: &BTreeMap<usize, PathBuf>,
    game: GameName,
    digests: &mut Digests,
) -> Result<Vec<Player>, Failure> {
    let mut players: Vec<Player> = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        let here = PathBuf::from(".");
        let words = words(spec, game, specs.len())?;
        let mut player = one(spec, words, dirs.get(&index).unwrap_or(&here), digests)?;
        let wanted = player.name.clone();
        let mut copy = 2;
        while players.iter().any(|other| other.name == player.name) {
            player.name = format!("{wanted}#{copy}");
            copy += 1;
        }
        players.push(player);
    }
    Ok(players)
}

/// A bot that is to play some of these games, whichever it can.
///
/// # Errors
/// Those of [`find`], for a built-in bot only if it plays none of the games.
pub fn alone(spec: &str, dir: &Path, games: &[(GameName, usize)]) -> Result<Player, Failure> {
    let tried = games.iter().map(|&(game, seats)| words(spec, game, seats));
    // All fail alike where it is not the game.
    let words = tried.reduce(Result::or).unwrap_or_else(|| Err(Failure::usage("there is no game to play")))?;
    one(spec, words, dir, &mut Digests::default())
}

/// The words of a command, those of a built-in bot checked.
fn words(spec: &str, game: GameName, seats: usize) -> Result<Vec<String>, Failure> {
    let words = shell_words::split(spec)
        .map_err(|error| Failure::usage(format!("the player “{spec}” is no command: {error}; check its quotes")))?;
    if words.first().is_none_or(String::is_empty) {
        return Err(Failure::usage("a player is empty: give a built-in bot, a path or a command"));
    }
    if is_built_in(&words) {
        bots::check(&words[0], &words[1..], game, seats)
            .map_err(|error| Failure::new(super::bot::kind(&error), error))?;
    }
    Ok(words)
}

/// Whether a command is that of a built-in bot.
pub fn is_built_in(words: &[String]) -> bool {
    words[0].parse::<BotName>().is_ok()
}

fn one(spec: &str, words: Vec<String>, dir: &Path, digests: &mut Digests) -> Result<Player, Failure> {
    let name = if is_built_in(&words) { words[0].clone() } else { name_of(&words, dir) };
    let program = program(&words, dir, &[]).map_err(|error| {
        Failure::new(kind_of(&error), format!("the player “{spec}” cannot be started: {}", words_of(&error)))
    })?;
    let host = BotHost { files: digests.of(own_words(&words, &program), &program.dir), command: words };
    Ok(Player { name, program, confinement: Confinement::default(), host })
}

/// The program of a command, built-in bots included, with what is added to its environment.
///
/// # Errors
/// When it could not be started as it is.
pub fn program(words: &[String], dir: &Path, env: &[(OsString, OsString)]) -> Result<Program, BadProgram> {
    let argv = if is_built_in(words) { built_in(words) } else { words.iter().map(OsString::from).collect() };
    Program::find(&argv, dir, env)
}

/// Who must act when a program cannot be started.
pub fn kind_of(error: &BadProgram) -> Kind {
    match error {
        BadProgram::Missing { .. } | BadProgram::NotInPath { .. } => Kind::NoInput,
        _ => Kind::Config,
    }
}

/// Why a program cannot be started; a single word may have been meant for a built-in bot.
pub fn words_of(error: &BadProgram) -> String {
    match error {
        BadProgram::NotInPath { .. } => {
            let names: Vec<&str> = BotName::ALL.iter().map(|bot| bot.as_str()).collect();
            format!("{error} (built-in bots are {})", names.join(", "))
        }
        _ => error.to_string(),
    }
}

/// The words of a program that may be files: those of a built-in bot are none, whatever lies in its folder.
pub fn own_words<'a>(words: &[String], program: &'a Program) -> &'a [OsString] {
    &program.argv[..if is_built_in(words) { 1 } else { program.argv.len() }]
}

/// The command of a built-in bot: this very program, whatever became of its file, and wherever that lies.
fn built_in(words: &[String]) -> Vec<OsString> {
    [THIS_EXECUTABLE, "bot"].into_iter().map(OsString::from).chain(words.iter().map(OsString::from)).collect()
}

/// A name to call a program by: that of its script, or of itself, without the ending.
fn name_of(words: &[String], dir: &Path) -> String {
    let script = words.iter().skip(1).find(|word| !word.starts_with('-') && dir.join(word).is_file());
    let file = Path::new(script.unwrap_or(&words[0]));
    let stem = file.file_stem().unwrap_or(OsStr::new("bot"));
    crate::protocol::receive::shown(stem.as_encoded_bytes())
}

/// The digests of files, each taken once: two built-in bots are one program.
#[derive(Default)]
pub struct Digests(BTreeMap<PathBuf, Hex32>);

impl Digests {
    /// Those of the files among the words of a command: the program, and every argument that is a file.
    pub fn of(&mut self, words: &[OsString], dir: &Path) -> BTreeMap<String, Hex32> {
        let this =
            |path: PathBuf| if path == Path::new(THIS_EXECUTABLE) { path.read_link().unwrap_or(path) } else { path };
        let paths = words.iter().map(|word| this(dir.join(word))).filter(|path| path.is_file());
        paths.filter_map(|path| Some((path.display().to_string(), self.one(&path).ok()?))).collect()
    }

    /// That of one file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn one(&mut self, path: &Path) -> io::Result<Hex32> {
        if let Some(known) = self.0.get(path) {
            return Ok(*known);
        }
        let digest = digest(path)?;
        self.0.insert(path.to_owned(), digest);
        Ok(digest)
    }
}

fn digest(path: &Path) -> io::Result<Hex32> {
    let mut sha = Sha256::new();
    io::copy(&mut File::open(path)?, &mut HashWriter(&mut sha))?;
    Ok(Hex32(sha.finalize().into()))
}

/// A hash as something to write to.
struct HashWriter<'a>(&'a mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The players as they sit in one game: the first of the command line in seat `shift`, the others after it.
pub fn seated(players: &[Player], shift: usize) -> BySeat<&Player> {
    let seats = players.len();
    BySeat::from_fn(seats, |seat: Seat| &players[(seat.index() + seats - shift % seats) % seats])
}
