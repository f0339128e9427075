//! What keeps a bot from everything but its game: which layers there are, what they let through, and how the launcher
//! puts them on.
//!
//! The referee decides which layers are to be in force ([`Layers::of_this_kernel`]) and says so in the log; the
//! launcher puts on exactly these, or fails. Both kinds are needed: Landlock knows files and who may be
//! signalled, but lets a bot renice or pin its rival; seccomp knows system calls, but not files. A
//! referee that runs as root gives each seat a user of its own ([`users`]) as well: a bot never runs as root.
//!
//! By default a bot reads its own folder, its interpreter and the system's libraries ([`reads`]), writes nowhere, and
//! has no network.

mod landlock;
mod limits;
pub mod reads;
pub mod scratch;
mod seccomp;
pub mod users;

use std::env;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub use limits::Limits;

use users::User;

/// Names layers, separated by commas, that this process is to take for missing: so that tests see what happens on a
/// kernel without them.
const PRETEND: &str = "ARBITRO_PRETEND_WITHOUT";

/// The Landlock ABI from which on it also keeps a bot from signalling processes that are not its own.
const ABI_WITH_SCOPES: u32 = 6;

/// The folders and files of the system that any program may read and execute; those that are not there are left out.
pub(super) const SYSTEM_FILES: [&str; 10] = [
    "/usr",
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/localtime",
    // Node takes a missing file for none, but will not start if it may not be read.
    "/etc/ssl/openssl.cnf",
];

/// Which layers hold a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Layers {
    /// Files, the network and signals, by Landlock of this ABI; 0 for none.
    pub landlock_abi: u32,
    /// System calls, by a seccomp filter.
    pub seccomp: bool,
}

impl Layers {
    /// All that this kernel has.
    pub fn of_this_kernel() -> Layers {
        Layers {
            landlock_abi: if is_pretended_missing("landlock") { 0 } else { landlock::abi() },
            seccomp: !is_pretended_missing("seccomp") && seccomp::is_there(),
        }
    }

    /// What this kernel lacks, each with what a bot can do for want of it.
    pub fn missing(self) -> Vec<&'static str> {
        let files = match self.landlock_abi {
            0 => Some("Landlock, so bots can read what their user can read, each other's files and memory included"),
            1..ABI_WITH_SCOPES => Some("Landlock of Linux 6.12 or later, so bots can signal processes of their user"),
            _ => None,
        };
        let calls =
            "seccomp, so bots can use the network, leave their process group, and slow down each other's processes";
        files.into_iter().chain((!self.seccomp).then_some(calls)).collect()
    }

    /// What is in force, for a log.
    pub fn words(self) -> String {
        let landlock = (self.landlock_abi > 0).then(|| format!("landlock {}", self.landlock_abi));
        let layers: Vec<String> = landlock.into_iter().chain(self.seccomp.then(|| "seccomp".to_owned())).collect();
        if layers.is_empty() { "none".to_owned() } else { layers.join(", ") }
    }
}

/// Whether a test wants this process to take a layer for missing.
pub(super) fn is_pretended_missing(name: &str) -> bool {
    env::var(PRETEND).is_ok_and(|missing| missing.split(',').any(|missing| missing == name))
}

/// What one bot is let do.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Confinement {
    /// The layers that hold it.
    pub layers: Layers,
    /// Files and folders that it may read and execute beside those of the system, absolute.
    pub read: Vec<PathBuf>,
    /// Folders and files that it may also write to, absolute.
    pub write: Vec<PathBuf>,
    /// A folder of its own for what it writes for the time of a game, absolute.
    pub scratch: Option<PathBuf>,
    /// Whether it may use the network.
    pub network: bool,
    /// The user that it runs as, if not the referee's.
    pub user: Option<User>,
    /// The program that gives it namespaces of its own, if it gets any.
    pub bubblewrap: Option<PathBuf>,
    /// The control group that holds it, if it has one.
    pub cgroup: Option<PathBuf>,
    /// What each of its processes may use.
    pub limits: Limits,
}

/// A sandbox whose parts are ready to be put on, in a launcher.
pub struct Prepared<'a> {
    confinement: &'a Confinement,
    files: Option<landlock::Prepared>,
    calls: Option<seccomp::Prepared>,
}

impl Confinement {
    /// Opens what the rules name and builds the filters, while this process may still do so.
    ///
    /// # Errors
    /// In words, when the kernel does not have what the layers promise.
    pub fn prepare(&self) -> Result<Prepared<'_>, String> {
        Ok(Prepared {
            files: (self.layers.landlock_abi > 0).then(|| landlock::prepare(self)).transpose()?,
            calls: self.layers.seccomp.then(|| seccomp::prepare(self.network)).transpose()?,
            confinement: self,
        })
    }
}

impl Prepared<'_> {
    /// Binds this process and all that it will start, for good. It must have a single thread.
    ///
    /// # Errors
    /// In words, when a part cannot be put on; nothing may be started then.
    pub fn put_on(self) -> Result<(), String> {
        self.confinement.limits.put_on()?;
        if let Some(user) = self.confinement.user {
            users::become_user(user).map_err(|error| format!("user {}: {error}", user.0))?;
        }
        rustix::thread::set_no_new_privs(true).map_err(|error| format!("no_new_privs: {error}"))?;
        if let Some(files) = self.files {
            files.put_on()?;
        }
        self.calls.map_or(Ok(()), seccomp::Prepared::put_on)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_and_what_is_there_is_not() {
        let layers = |landlock_abi, seccomp| Layers { landlock_abi, seccomp };
        assert_eq!(layers(7, true).missing(), Vec::<&str>::new());
        assert_eq!(layers(7, true).words(), "landlock 7, seccomp");
        assert!(layers(5, true).missing()[0].starts_with("Landlock of Linux 6.12"));
        assert_eq!(layers(0, false).missing().len(), 2);
        assert_eq!(layers(0, false).words(), "none");
    }
}
