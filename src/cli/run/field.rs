//! The field of a tournament: the bots of its file as programs that can be started, with what holds them.
//!
//! `dir` counts from the tournament's file, and every other path of a bot from its `dir`, a program with a slash in its
//! name included: a folder with a bot in it can be moved as it is. A bot reads its `dir` and the `files` that it names,
//! beside what it could read in a single game.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::file::CupFile;
use super::openings;
use crate::bots;
use crate::chance::Hex32;
use crate::cli::failure::{Failure, Kind};
use crate::cli::players::{self, Digests, Player};
use crate::cli::sandbox::{self, Isolation, Mode, Sandbox, SandboxArgs};
use crate::host::sandbox::users;
use crate::host::{BadProgram, Confinement};
use crate::record::entry::BotHost;
use crate::tournament::cup::{Cup, CupBot, IsolationMode, Located, SandboxMode};

/// A bot of the field.
pub struct Bot {
    /// How it is started.
    pub player: Player,
    /// The digests of the files that make it up, by their paths in its folder; those outside by their whole paths.
    pub files: BTreeMap<String, Hex32>,
    /// The digest of what else the file gives it, if anything: an environment may hold secrets.
    pub settings: Option<Hex32>,
}

/// The bots of the field in the order of the file.
///
/// # Errors
/// The first that could not be started as it is, or a file of it that is not there.
pub fn find(file: &CupFile, cup: &Cup) -> Result<Vec<Bot>, Failure> {
    let mut digests = Digests::default();
    cup.bots.iter().map(|bot| one(file, cup, bot, &mut digests)).collect()
}

/// Decides what holds the bots, and writes it into each of them.
///
/// # Errors
/// As [`SandboxArgs::hold_field`].
pub fn hold(cup: &Cup, field: &mut [Player]) -> Result<Sandbox, Failure> {
    let mode = match cup.run.sandbox {
        SandboxMode::Auto => Mode::Auto,
        SandboxMode::Require => Mode::Require,
        SandboxMode::Off => Mode::Off,
    };
    let isolation = match cup.run.isolation {
        IsolationMode::None => Isolation::None,
        IsolationMode::Bwrap => Isolation::Bwrap,
    };
    let network = (0..cup.bots.len()).filter(|&index| cup.bots[index].network).collect();
    SandboxArgs::of_field(mode, isolation, network).hold_field(field, &cup.limits)
}

/// Luck is carried from no game to the next. Those of a set share theirs, so nobody may write down in one what it could
/// read in another; who could remember it otherwise is named.
///
/// # Errors
/// A bot that may write to anything.
pub fn keep_luck_apart(file: &CupFile, cup: &Cup, field: &[Player]) -> Result<(), Failure> {
    if cup.format.orders.games(cup.seats) == 1 || !openings::setting(cup).has_luck() {
        return Ok(());
    }
    if let Some(path) = cup.bots.iter().find_map(|bot| bot.write.first()) {
        let words = "the games of a set share their luck, and what a bot writes down in one it could read in the next: \
                     leave this out and give it room for the time of a game (limits.scratch), or play each luck once \
                     (format.orders = \"one\")";
        return Err(file.fault(Kind::Config, path.line, "bots.write", words));
    }
    sandbox::warn_of_memory(field);
    Ok(())
}

/// Says so where bots can read what only the referee should know: the master seed, and with it all luck to come. They
/// cannot where they have users of their own, whatever folders they may read.
pub fn warn_of_readers(field: &[Player], secret: &Path) {
    let readers = if users::are_needed() { Vec::new() } else { readers(field, secret) };
    if let [first, ..] = readers[..] {
        let others = if readers.len() > 1 { format!(" (and {} others)", readers.len() - 1) } else { String::new() };
        tracing::warn!(
            "{first}{others} can read {}, and with the master seed all luck to come: give each bot a folder of its own \
             (bots.dir)",
            secret.display()
        );
    }
}

/// Who may read a path, as it is held.
fn readers<'a>(field: &'a [Player], secret: &Path) -> Vec<&'a str> {
    let secret = std::path::absolute(secret).unwrap_or_else(|_| secret.to_owned());
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    // The secret itself may not be there yet.
    let secret =
        secret.parent().map_or(secret.clone(), |folder| real(folder).join(secret.file_name().unwrap_or_default()));
    let granted = |player: &Player| {
        let Confinement { read, write, .. } = &player.confinement;
        read.iter().chain(write).any(|path| secret.starts_with(real(path)))
    };
    field.iter().filter(|player| granted(player)).map(|player| player.name.as_str()).collect()
}

fn one(file: &CupFile, cup: &Cup, bot: &CupBot, digests: &mut Digests) -> Result<Bot, Failure> {
    let fault = |kind, line, key, words: &dyn std::fmt::Display| file.fault(kind, line, key, words);
    let dir = file.resolve(bot.dir.as_ref().map_or(Path::new(""), |dir| dir.value.as_path()));
    if let Some(named) = bot.dir.as_ref().filter(|_| !dir.is_dir()) {
        let words = format!("{} is no folder that is there; it counts from the folder of this file", dir.display());
        return Err(fault(Kind::NoInput, named.line, "bots.dir", &words));
    }
    let words = &bot.command.value;
    let line = bot.command.line;
    if players::is_built_in(words) {
        bots::check(&words[0], &words[1..], cup.game, cup.seats)
            .map_err(|error| fault(Kind::Config, line, "bots.command", &error))?;
    }
    let env: Vec<(OsString, OsString)> = bot.env.iter().map(|(name, value)| (name.into(), value.into())).collect();
    let program = players::program(&from_its_folder(words, &dir), &dir, &env).map_err(|error| {
        let words = match &error {
            BadProgram::Missing { path, .. } => {
                format!("there is no file {}; a program with a slash in its name counts from bots.dir", path.display())
            }
            _ => players::words_of(&error),
        };
        let words = format!("“{}” cannot be started: {words}", bot.name);
        fault(players::kind_of(&error), line, "bots.command", &words)
    })?;

    let listed = bot.files.iter().map(|path| Ok((dir.join(&path.value), digest(file, &dir, path, digests)?)));
    let listed: BTreeMap<PathBuf, Hex32> = listed.collect::<Result<_, Failure>>()?;
    let of_command = digests.of(players::own_words(words, &program), &program.dir);
    let in_folder = |path: &Path| path.strip_prefix(&program.dir).unwrap_or(path).display().to_string();
    let own_name = |path: &str| match players::is_built_in(words) {
        true => "arbitro".to_owned(),
        false => in_folder(Path::new(path)),
    };
    let files = of_command.iter().map(|(path, digest)| (own_name(path), *digest));
    let files = files.chain(listed.iter().map(|(path, digest)| (in_folder(path), *digest))).collect();
    let all = listed.iter().map(|(path, digest)| (path.display().to_string(), *digest));
    let host = BotHost { files: of_command.into_iter().chain(all).collect(), command: words.clone() };
    let mut confinement = Confinement {
        read: there(file, &dir, "bots.read", &bot.read)?,
        write: there(file, &dir, "bots.write", &bot.write)?,
        ..Confinement::default()
    };
    confinement.read.extend(listed.into_keys());
    confinement.read.extend(bot.dir.as_ref().map(|_| program.dir.clone()));
    let player = Player { name: bot.name.clone(), program, confinement, host };
    Ok(Bot { player, files, settings: settings(bot) })
}

/// The words of a command with the program as it is found from here, if its name has a slash in it.
fn from_its_folder(words: &[String], dir: &Path) -> Vec<String> {
    let mut words = words.to_vec();
    if words[0].contains('/') {
        words[0] = dir.join(&words[0]).display().to_string();
    }
    words
}

fn digest(file: &CupFile, dir: &Path, path: &Located<PathBuf>, digests: &mut Digests) -> Result<Hex32, Failure> {
    let whole = dir.join(&path.value);
    if whole.is_dir() {
        let words = format!("{} is a folder: name the files in it that make up the bot", whole.display());
        return Err(file.fault(Kind::Config, path.line, "bots.files", words));
    }
    digests.one(&whole).map_err(|error| file.unreadable(path.line, "bots.files", &whole, &error))
}

/// Paths that must be there.
fn there(file: &CupFile, dir: &Path, key: &str, paths: &[Located<PathBuf>]) -> Result<Vec<PathBuf>, Failure> {
    let one = |path: &Located<PathBuf>| {
        let whole = dir.join(&path.value);
        whole.metadata().map_err(|error| file.unreadable(path.line, key, &whole, &error))?;
        Ok(whole)
    };
    paths.iter().map(one).collect()
}

/// The digest of what decides how a bot plays beside its command and files. Its folder is no part of it: it may be
/// moved.
fn settings(bot: &CupBot) -> Option<Hex32> {
    let paths = |paths: &[Located<PathBuf>]| paths.iter().map(|path| path.value.clone()).collect::<Vec<_>>();
    let (read, write) = (paths(&bot.read), paths(&bot.write));
    if bot.env.is_empty() && read.is_empty() && write.is_empty() && !bot.network {
        return None;
    }
    let text = serde_json::to_vec(&(&bot.env, read, write, bot.network)).expect("it is plain data");
    Some(Hex32(Sha256::digest(text).into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Program;

    #[test]
    fn who_can_read_the_seed_is_known() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("bots/ada")).unwrap();
        let player = |name: &str, read: &str| Player {
            name: name.to_owned(),
            program: Program { argv: vec![], dir: PathBuf::new(), env: vec![] },
            confinement: Confinement { read: vec![folder.path().join(read)], ..Confinement::default() },
            host: BotHost { command: vec![], files: BTreeMap::new() },
        };
        let field =
            [player("ada", "bots/ada"), player("bob", ""), player("cy", "bots/../bots"), player("di", "seed.hex")];
        let of = |secret: &str| readers(&field, &folder.path().join(secret));
        assert_eq!(of("seed.hex"), ["bob", "di"]);
        assert_eq!(of("bots/out"), ["bob", "cy"]);
        assert_eq!(of("bots/ada/out"), ["ada", "bob", "cy"]);
        assert!(readers(&field, Path::new("/elsewhere/seed.hex")).is_empty());
    }
}
