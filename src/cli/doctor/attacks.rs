//! What a bot can touch that is not its own, tried by one that does nothing else.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;

use super::report::{Attempt, Item, Report, State};
use super::trial::{Lab, PLAIN, Trial};
use crate::cli::failure::Failure;
use crate::host::sandbox::Layers;

/// Attempts that try one kind of thing, by the names that the bot calls them.
struct Kind {
    id: &'static str,
    name: &'static str,
    attempts: &'static [&'static str],
    means: &'static str,
}

const KINDS: [Kind; 13] = [
    Kind {
        id: "reads",
        name: "reads files of others",
        attempts: &["read-secret", "list-rival", "read-passwd", "list-tmp", "read-through-symlink"],
        means: "a bot can copy its rival, and read what you would not show it",
    },
    Kind {
        id: "watches",
        name: "watches files of others",
        attempts: &["watch-secret"],
        means: "a bot can see when its rival reads its files",
    },
    Kind {
        id: "writes",
        name: "writes outside its folder",
        attempts: &[
            "write-rival",
            "write-here",
            "write-tmp",
            "write-shm",
            "change-secret",
            "make-folder",
            "link-secret",
            "rename-secret",
        ],
        means: "a bot can change its rival's files, leave notes for its next game, and fill the disk",
    },
    Kind {
        id: "rights",
        name: "changes rights of files",
        attempts: &["chmod-secret", "touch-secret"],
        means: "a bot can close or open files of its user to others",
    },
    Kind {
        id: "network",
        name: "uses the network",
        attempts: &["tcp-listen", "tcp-connect", "udp-send", "netlink"],
        means: "a bot can ask somebody else for its moves",
    },
    Kind {
        id: "sockets",
        name: "uses sockets of this machine",
        attempts: &["unix-connect", "abstract-listen", "abstract-connect"],
        means: "a bot can speak with programs of this machine, another bot among them",
    },
    Kind {
        id: "looks",
        name: "looks into other processes",
        attempts: &[
            "find-rival",
            "environment-of-rival",
            "memory-of-rival",
            "folder-of-rival",
            "environment-of-keeper",
            "environment-of-referee",
        ],
        means: "a bot can see what its rival is, and perhaps what it thinks",
    },
    Kind {
        id: "stdout",
        name: "writes in its rival's name",
        attempts: &["stdout-of-rival", "take-stdout-of-rival"],
        means: "a bot can move for its rival",
    },
    Kind {
        id: "signals",
        name: "signals others",
        attempts: &["signal-rival", "signal-rival-by-descriptor", "signal-keeper", "signal-referee"],
        means: "a bot can stop or kill its rival, and the game itself",
    },
    Kind {
        id: "slows",
        name: "limits or slows down others",
        attempts: &["limit-rival", "renice-rival", "pin-rival", "renice-keeper", "pin-keeper"],
        means: "a bot can let its rival lose on time",
    },
    Kind {
        id: "wakes",
        name: "has itself woken when frozen",
        attempts: &["wake-at-end-of-parent"],
        means: "a bot can think while it is frozen, a little at a time, until it is frozen again",
    },
    Kind {
        id: "leaves",
        name: "leaves its process group",
        attempts: &["leave-group", "leave-session"],
        means: "a bot can think while it is frozen, in a process that left it, unless there are control groups",
    },
    Kind {
        id: "names",
        name: "sees that a file is there",
        attempts: &["stat-secret"],
        means: "names, sizes and times of files can be seen: Landlock closes only what is in them",
    },
];

pub fn examine(report: &mut Report, lab: &Lab, layers: Layers) -> Result<(), Failure> {
    report.section("A bot, held as in any match")?;
    let mut told = BTreeMap::new();
    let troubles = [attack_files(lab, &mut told)?, attack_network(lab, &mut told)?, attack_processes(lab, &mut told)?];
    let trouble = troubles.into_iter().flatten().next().unwrap_or_else(|| "the bot did not say".to_owned());
    for kind in &KINDS {
        let own = kind.attempts.iter().filter_map(|&name| told.remove(name)).collect();
        report.add(judged(kind, own, &trouble, layers))?;
    }
    match told.into_values().collect::<Vec<Attempt>>() {
        others if others.is_empty() => Ok(()),
        others => report.add(judged(&OTHER, others, &trouble, layers)),
    }
}

/// For attempts that no kind names.
const OTHER: Kind = Kind { id: "other", name: "does something else", attempts: &[], means: "see what it is with -v" };

/// What the attempts of a kind came to.
fn judged(kind: &Kind, attempts: Vec<Attempt>, trouble: &str, layers: Layers) -> Item {
    let works: Vec<&str> =
        attempts.iter().filter(|attempt| attempt.works).map(|attempt| attempt.name.as_str()).collect();
    let whole = layers.missing().is_empty();
    let (state, found) = match works.len() {
        _ if attempts.len() < kind.attempts.len() => (State::Failed, format!("not all tried: {trouble}")),
        0 if attempts.len() == 1 => (State::Ok, "denied".to_owned()),
        0 => (State::Ok, format!("denied, in {} ways", attempts.len())),
        _ if kind.id == "names" => (State::Note, "works".to_owned()),
        _ => (State::Failed, format!("works: {}", works.join(", "))),
    };
    let mut item = Item::new(kind.id, kind.name, state, found)
        .figure("tried", attempts.len())
        .figure("works", works.len())
        .means(kind.means);
    // Where a layer is missing, what to do is said there.
    item.remedy = match state {
        State::Note => Some("call no file what nobody is to know".to_owned()),
        State::Failed if whole => Some("this should not be: please report it, with what -v says".to_owned()),
        _ => None,
    };
    item.attempts = attempts;
    item
}

type Told = BTreeMap<String, Attempt>;

/// Plays one game, and takes down what the bot says of its attempts, but for those that are to be left out.
fn attack(lab: &Lab, trial: &Trial, without: &[&str], told: &mut Told) -> Result<Option<String>, Failure> {
    let tried = lab.play(trial, &mut |_| {})?;
    let attempts = tried.stderr.lines().filter_map(read).filter(|attempt| !without.contains(&attempt.name.as_str()));
    told.extend(attempts.map(|attempt| (attempt.name.clone(), attempt)));
    Ok(tried.trouble)
}

/// Reads `attack NAME: works` or `attack NAME: denied (WHY)`.
fn read(line: &str) -> Option<Attempt> {
    let (name, verdict) = line.strip_prefix("attack ")?.split_once(": ")?;
    let denied = verdict.strip_prefix("denied (").and_then(|rest| rest.strip_suffix(')'));
    Some(Attempt { name: name.to_owned(), works: denied.is_none(), why: denied.unwrap_or_default().to_owned() })
}

fn attack_files(lab: &Lab, told: &mut Told) -> Result<Option<String>, Failure> {
    // Everything that the rights of files can allow is allowed: what is denied is denied by the sandbox.
    let secret = match lab.file("rival", "secret", "told\n", [0o777, 0o666]) {
        Ok(secret) => secret,
        Err(error) => return Ok(Some(error.to_string())),
    };
    let folder = secret.parent().unwrap_or(&secret).display().to_string();
    let bot = shell_words::join(["faulty", "mode=attack-files", &format!("at={folder}")]);
    attack(lab, &Trial { bot: &bot, ..PLAIN }, &[], told)
}

fn attack_network(lab: &Lab, told: &mut Told) -> Result<Option<String>, Failure> {
    let path = lab.here().join("socket");
    let name = format!("arbitro-doctor-{}", std::process::id());
    // Somebody listens at each, so that whoever may connect can.
    let listen = || -> io::Result<(TcpListener, UnixListener, UnixListener)> {
        let unix = UnixListener::bind(&path)?;
        fs::set_permissions(&path, Permissions::from_mode(0o777))?;
        let hidden = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name)?)?;
        Ok((TcpListener::bind("127.0.0.1:0")?, unix, hidden))
    };
    let address = listen().and_then(|listeners| Ok((listeners.0.local_addr()?, listeners)));
    let (address, _listeners) = match address {
        Ok(listening) => listening,
        Err(error) => return Ok(Some(format!("nobody can listen on this machine: {error}"))),
    };
    let at = format!("at={address},{},@{name}", path.display());
    let bot = shell_words::join(["faulty", "mode=attack-network", &at]);
    attack(lab, &Trial { bot: &bot, ..PLAIN }, &[], told)
}

/// Tries it twice: whoever does not even find its rival can do nothing to it, and is to be kept from that also if found.
fn attack_processes(lab: &Lab, told: &mut Told) -> Result<Option<String>, Failure> {
    let trial = Trial { bot: "faulty mode=attack-processes", ..PLAIN };
    let trouble = attack(lab, &trial, &[], told)?;
    let sees = Trial { read: &[Path::new("/proc")], ..trial };
    Ok(attack(lab, &sees, &["find-rival"], told)?.or(trouble))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_are_read_and_judged() {
        let denied = read("attack read-secret: denied (Permission denied (os error 13))").unwrap();
        assert_eq!((denied.works, denied.why.as_str()), (false, "Permission denied (os error 13)"));
        let works = read("attack stat-secret: works").unwrap();
        assert!(works.works && read("thread panicked").is_none());
        let kind = |id: &str| KINDS.iter().find(|kind| kind.id == id).unwrap();
        let state = |id, attempts| judged(kind(id), attempts, "", Layers::default()).state;
        assert_eq!(state("names", vec![works.clone()]), State::Note);
        assert_eq!(state("names", vec![denied.clone()]), State::Ok);
        assert_eq!(state("names", vec![]), State::Failed, "what was not tried is not denied");
        assert_eq!(state("rights", vec![denied.clone(), denied.clone()]), State::Ok);
        assert_eq!(state("rights", vec![denied.clone(), works]), State::Failed);
        assert_eq!(state("rights", vec![denied]), State::Failed);
    }
}
