//! What the command line says of the sandbox: which layers must be there, and what more a bot may touch.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::failure::{Failure, Kind};
use super::players::{self, Player};
use crate::host::cgroup::Groups;
use crate::host::isolation::{self, Wrapper};
use crate::host::sandbox::users::{self, Claim};
use crate::host::sandbox::{Confinement, Layers, Limits as KernelLimits, reads};
use crate::protocol::limits::Limits;

/// The options for the sandbox.
#[derive(clap::Args)]
pub struct SandboxArgs {
    /// What keeps bots from files, the network and each other: auto takes what this machine has and says what is
    /// missing, require refuses to start without all of it
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto")]
    sandbox: Mode,
    /// Namespaces of its own for each bot, beside the rest of the sandbox; each start takes some milliseconds more
    #[arg(long, value_name = "HOW", value_enum, default_value = "none")]
    isolation: Isolation,
    /// A file or folder that a player may read beside its own folder, such as 1=/data/nets; may be given again
    #[arg(long, value_name = "N=PATH", allow_hyphen_values = true)]
    read: Vec<String>,
    /// A file or folder that a player may write to; may be given again
    #[arg(long, value_name = "N=PATH", allow_hyphen_values = true)]
    write: Vec<String>,
    /// A player that may use the network; may be given again
    #[arg(long, value_name = "N")]
    network: Vec<usize>,
    /// Whether what is missing is said elsewhere.
    #[arg(skip)]
    silent: bool,
}

/// The options for the sandbox where there is one bot.
#[derive(clap::Args)]
pub struct LoneSandboxArgs {
    /// What keeps the bot from files and the network: auto takes what this machine has and says what is missing,
    /// require refuses to start without all of it
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto")]
    sandbox: Mode,
    /// Namespaces of its own for the bot, beside the rest of the sandbox; each start takes some milliseconds more
    #[arg(long, value_name = "HOW", value_enum, default_value = "none")]
    isolation: Isolation,
    /// A file or folder that the bot may read beside its own folder; may be given again
    #[arg(long, value_name = "PATH")]
    read: Vec<String>,
    /// A file or folder that the bot may write to; may be given again
    #[arg(long, value_name = "PATH")]
    write: Vec<String>,
    /// Let the bot use the network
    #[arg(long)]
    network: bool,
}

impl LoneSandboxArgs {
    /// The same for so many copies of the bot.
    pub fn for_copies(&self, copies: usize) -> SandboxArgs {
        let each = |paths: &[String]| {
            paths.iter().flat_map(|path| (0..copies).map(move |copy| format!("{copy}={path}"))).collect()
        };
        SandboxArgs {
            sandbox: self.sandbox,
            isolation: self.isolation,
            read: each(&self.read),
            write: each(&self.write),
            network: (0..copies).filter(|_| self.network).collect(),
            silent: false,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// Whatever this machine has
    Auto,
    /// All of it, or nothing starts
    Require,
    /// None: bots can do what their user can
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Isolation {
    /// No namespaces
    None,
    /// By bubblewrap
    Bwrap,
}

/// The sandbox of a match: what holds each of its players.
pub struct Sandbox {
    layers: Layers,
    /// The users of the bots are theirs as long as this is held.
    #[expect(dead_code, reason = "it is held")]
    claims: Vec<Claim>,
    groups: Option<Groups>,
    isolated: bool,
}

impl SandboxArgs {
    /// Nothing but the mode and the isolation; what is missing is not said.
    pub fn silent(sandbox: Mode, isolation: Isolation) -> SandboxArgs {
        SandboxArgs { sandbox, isolation, read: vec![], write: vec![], network: vec![], silent: true }
    }

    /// For the field of a tournament, whose file says in its own words what each bot may touch besides.
    pub fn of_field(sandbox: Mode, isolation: Isolation, network: Vec<usize>) -> SandboxArgs {
        SandboxArgs { sandbox, isolation, read: vec![], write: vec![], network, silent: false }
    }

    /// Decides what holds the players, and writes it into each of them; what one of them was granted before stays.
    ///
    /// # Errors
    /// When a layer is required and missing, no users are left, a bot lies where its user cannot reach it, or an option
    /// names a player or a path that is not there.
    pub fn hold(&self, players: &mut [Player], limits: &Limits) -> Result<Sandbox, Failure> {
        self.hold_with(players, limits, players.len())
    }

    /// The same for the field of a tournament. No user is kept for a bot, for it needs one in each of the games that it
    /// plays at once: whoever plays them claims users.
    ///
    /// # Errors
    /// As [`hold`](SandboxArgs::hold).
    pub fn hold_field(&self, field: &mut [Player], limits: &Limits) -> Result<Sandbox, Failure> {
        let sandbox = self.hold_with(field, limits, 1)?;
        field.iter_mut().for_each(|player| player.confinement.user = None);
        Ok(Sandbox { claims: Vec::new(), ..sandbox })
    }

    fn hold_with(&self, players: &mut [Player], limits: &Limits, users: usize) -> Result<Sandbox, Failure> {
        let layers = self.layers()?;
        let bubblewrap = self.bubblewrap()?;
        let claims = users::claim(users)
            .map_err(|error| Failure::new(Kind::Io, format!("bots cannot be given users of their own: {error}")))?;
        let (read, write) =
            (paths("--read", &self.read, players.len())?, paths("--write", &self.write, players.len())?);
        if let Some(index) = self.network.iter().find(|&&index| index >= players.len()) {
            return Err(Failure::usage(format!("--network {index}: the players are numbered from 0")));
        }
        for (index, player) in players.iter_mut().enumerate() {
            let more = |given: &BTreeMap<usize, Vec<PathBuf>>| given.get(&index).cloned().unwrap_or_default();
            let own = reads::of(&player.program);
            reach(player, &own)?;
            player.confinement = Confinement {
                layers,
                read: [own, more(&read), std::mem::take(&mut player.confinement.read)].concat(),
                write: [more(&write), std::mem::take(&mut player.confinement.write)].concat(),
                network: self.network.contains(&index),
                user: claims.get(index % users.max(1)).map(Claim::user),
                scratch: None,
                cgroup: None,
                bubblewrap: bubblewrap.clone(),
                limits: KernelLimits::below(limits, !claims.is_empty()),
            };
        }
        if bubblewrap.is_some() {
            players.iter().try_for_each(test_isolation)?;
        }
        if layers.landlock_abi > 0 {
            warn_of_shared_folders(players);
        }
        let groups = if self.sandbox == Mode::Off { None } else { Groups::find() };
        Ok(Sandbox { layers, claims, groups, isolated: bubblewrap.is_some() })
    }

    fn bubblewrap(&self) -> Result<Option<PathBuf>, Failure> {
        match self.isolation {
            Isolation::None => Ok(None),
            Isolation::Bwrap => isolation::find().map(Some).ok_or_else(|| {
                Failure::new(Kind::Config, "--isolation bwrap: there is no program bwrap in PATH; install bubblewrap")
            }),
        }
    }

    fn layers(&self) -> Result<Layers, Failure> {
        if self.sandbox == Mode::Off {
            return Ok(Layers::default());
        }
        let layers = Layers::of_this_kernel();
        let Some(words) = lacking(layers) else { return Ok(layers) };
        if self.sandbox == Mode::Require {
            return Err(Failure::new(Kind::Config, format!("{words}; nothing was started (--sandbox require)")));
        }
        if !self.silent {
            tracing::warn!("{words}");
        }
        Ok(layers)
    }
}

/// What this machine lacks of a whole sandbox, in a line; none if it lacks nothing.
pub fn lacking(layers: Layers) -> Option<String> {
    let missing = layers.missing();
    (!missing.is_empty()).then(|| format!("this machine has no {}", missing.join("; nor ")))
}

impl Sandbox {
    /// What is in force, for a log.
    pub fn words(&self) -> String {
        let users = if users::are_needed() { ", a user for each bot" } else { "" };
        let groups = if self.groups.is_some() { ", control groups" } else { "" };
        let isolated = if self.isolated { ", bubblewrap" } else { "" };
        format!("{}{users}{groups}{isolated}", self.layers.words())
    }

    /// Where control groups for the bots can be made, if anywhere.
    pub fn groups(&self) -> Option<Groups> {
        self.groups.clone()
    }

    /// Whether all processes of a bot are frozen with it.
    pub fn freezes_all(&self) -> bool {
        self.layers.seccomp || self.groups.is_some()
    }
}

/// The user of a bot must be able to reach what the bot consists of.
fn reach(player: &Player, own: &[PathBuf]) -> Result<(), Failure> {
    let parts = own.iter().filter(|path| *path != Path::new(crate::host::THIS_EXECUTABLE));
    let blocked = parts.filter_map(|path| Some((path, users::blocked(path)?))).next();
    blocked.map_or(Ok(()), |(path, step)| {
        let words = format!(
            "{} cannot be started: bots never run as root, and the user that it would run as cannot pass {} on the way \
             to {}; open it to all (chmod o+rx), or start the referee as an ordinary user",
            player.name,
            step.display(),
            path.display()
        );
        Err(Failure::new(Kind::Config, words))
    })
}

/// Bubblewrap is tried as it will be started: whether it works depends on the machine and on what it is to let through.
fn test_isolation(player: &Player) -> Result<(), Failure> {
    let mut confinement = player.confinement.clone();
    let Some(bwrap) = confinement.bubblewrap.take() else { return Ok(()) };
    let tested = Wrapper::new(&bwrap, &player.program.dir, &mut confinement).test();
    tested.map_err(|said| {
        Failure::new(Kind::Config, format!("--isolation bwrap does not work here for {}: {said}", player.name))
    })
}

/// Says so where bots could remember what happened in a game until another one with the same luck.
pub fn warn_of_memory(players: &[Player]) {
    let could_remember = |player: &&Player| {
        let Confinement { layers, network, write, .. } = &player.confinement;
        !players::is_built_in(&player.host.command) && (layers.landlock_abi == 0 || *network || !write.is_empty())
    };
    let names: Vec<&str> = players.iter().filter(could_remember).map(|player| player.name.as_str()).collect();
    if let [first, others @ ..] = &names[..] {
        let others = if others.is_empty() { String::new() } else { format!(" (and {} others)", others.len()) };
        tracing::warn!(
            "{first}{others} could carry luck from one game to the next: the same luck is played from each seat, and \
             without Landlock, or with the network or something to write to, a bot can remember it"
        );
    }
}

/// Bots in one folder can read each other: their owners should know.
fn warn_of_shared_folders(players: &[Player]) {
    let folders: Vec<_> = players.iter().map(|player| reads::own_folder(&player.program)).collect();
    for (index, folder) in folders.iter().enumerate() {
        let Some(folder) = folder else { continue };
        let rival = folders[..index].iter().position(|other| other.as_ref() == Some(folder));
        if let Some(rival) = rival.filter(|&rival| players[rival].program.argv != players[index].program.argv) {
            let (one, other) = (&players[rival].name, &players[index].name);
            tracing::warn!("{one} and {other} lie in {} and can read each other's files", folder.display());
        }
    }
}

fn paths(option: &str, given: &[String], players: usize) -> Result<BTreeMap<usize, Vec<PathBuf>>, Failure> {
    let mut all: BTreeMap<usize, Vec<PathBuf>> = BTreeMap::new();
    for text in given {
        let parts = text.split_once('=').and_then(|(number, path)| Some((number.parse().ok()?, path)));
        let Some((number, path)) = parts.filter(|(number, _)| *number < players) else {
            return Err(Failure::usage(format!("{option} {text}: write the number of the player, from 0, and a path")));
        };
        let path = std::path::absolute(path).map_err(|error| Failure::reading(Path::new(path), &error))?;
        path.metadata().map_err(|error| Failure::reading(&path, &error))?;
        all.entry(number).or_default().push(path);
    }
    Ok(all)
}
