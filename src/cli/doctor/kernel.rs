//! The parts of this machine that a sandbox is made of.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::{PidfdFlags, geteuid, getpid, pidfd_open};

use super::report::{Item, Report, State};
use super::trial::{Lab, PLAIN, Trial};
use crate::cli::failure::Failure;
use crate::cli::sandbox::Isolation;
use crate::host::cgroup::Groups;
use crate::host::sandbox::{Layers, users};

const UNTIL_THEN: &str = "until then play only bots that you trust";

pub fn examine(report: &mut Report, lab: &Lab, layers: Layers) -> Result<(), Failure> {
    report.section("Machine")?;
    report.add(kernel())?;
    report.add(landlock(layers))?;
    report.add(seccomp(layers))?;
    report.add(own_users(layers))?;
    report.add(process_descriptors())?;
    report.add(child_lists())?;
    report.add(waits())?;
    report.add(control_groups())?;
    report.add(user_namespaces())?;
    report.add(bubblewrap(lab)?)
}

fn kernel() -> Item {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let container = if let Some(kind) = container() { format!(", in a container ({kind})") } else { String::new() };
    let found = format!("Linux {} on {}{container}", release.trim(), std::env::consts::ARCH);
    Item::new("kernel", "kernel", State::Ok, found)
}

/// What kind of container this process is in, if it can be told.
fn container() -> Option<String> {
    let kinds = [("/.dockerenv", "docker"), ("/run/.containerenv", "podman")];
    let known = kinds.into_iter().find(|(file, _)| Path::new(file).exists()).map(|(_, kind)| kind.to_owned());
    known.or_else(|| std::env::var("container").ok().filter(|kind| !kind.is_empty()))
}

fn landlock(layers: Layers) -> Item {
    let means = lack(layers, "Landlock");
    let state = if means.is_some() { State::Missing } else { State::Ok };
    let found = match layers.landlock_abi {
        0 => "not there".to_owned(),
        abi if means.is_some() => format!("ABI {abi}: too old"),
        abi => format!("ABI {abi}"),
    };
    let remedy = "run Linux 6.12 or later, with landlock among the lsm= of its boot options; in a container, let its \
                  seccomp profile pass the landlock calls";
    Item::new("landlock", "Landlock", state, found)
        .figure("abi", layers.landlock_abi)
        .means(means.unwrap_or_default())
        .remedy(format!("{remedy}; {UNTIL_THEN}"))
}

fn seccomp(layers: Layers) -> Item {
    let means = lack(layers, "seccomp");
    let (state, found) = if means.is_some() { (State::Missing, "not there") } else { (State::Ok, "filters of calls") };
    Item::new("seccomp", "seccomp", state, found)
        .means(means.unwrap_or_default())
        .remedy(format!("run a kernel with CONFIG_SECCOMP_FILTER; {UNTIL_THEN}"))
}

/// What bots can do for want of a layer.
fn lack(layers: Layers, layer: &str) -> Option<String> {
    let missing = layers.missing().into_iter().find(|words| words.starts_with(layer))?;
    Some(missing.split_once(", so ").map_or(missing, |(_, means)| means).to_owned())
}

fn own_users(layers: Layers) -> Item {
    let item = |state, found: String| Item::new("users", "a user for each bot", state, found);
    if !users::are_needed() {
        let found = format!("no: bots run as your own user, {}", geteuid().as_raw());
        return match layers.missing().is_empty() {
            true => item(State::Ok, format!("{found}, and are held by the two above")),
            false => {
                item(State::Note, found).means("nothing but what is there of the two above keeps bots off your files")
            }
        };
    }
    match users::claim(2) {
        Ok(claims) => {
            let numbers: Vec<String> = claims.iter().map(|claim| claim.user().0.to_string()).collect();
            item(State::Ok, format!("such as {}", numbers.join(" and ")))
        }
        Err(error) => item(State::Missing, format!("none: {error}")).means("no game starts: bots never run as root"),
    }
}

fn process_descriptors() -> Item {
    let item = |state, found: &str| Item::new("pidfd", "process descriptors", state, found);
    match pidfd_open(getpid(), PidfdFlags::empty()) {
        Ok(_) => item(State::Ok, "work"),
        Err(error) => item(State::Note, &format!("do not work: {error}"))
            .means("what a bot started is only killed once its parent is dead, which takes a little longer")
            .remedy("run Linux 5.3 or later"),
    }
}

fn child_lists() -> Item {
    let there = fs::read_to_string("/proc/thread-self/children").is_ok();
    let (state, found) = if there { (State::Ok, "kept by the kernel") } else { (State::Note, "not kept") };
    Item::new("child_lists", "lists of children", state, found)
        .means("all processes of the machine are looked through for those of a bot, which takes longer")
        .remedy("run a kernel with CONFIG_PROC_CHILDREN")
}

fn waits() -> Item {
    let there = fs::read_to_string("/proc/thread-self/schedstat").is_ok_and(|text| !text.is_empty());
    let (state, found) = if there { (State::Ok, "counted") } else { (State::Note, "not counted") };
    Item::new("schedstat", "waits for a processor", state, found)
        .means("logs cannot say whether a bot computed or waited for a processor when it was late")
        .remedy("run a kernel with CONFIG_SCHED_INFO")
}

fn control_groups() -> Item {
    let (state, found) = match Groups::find() {
        Some(_) => (State::Ok, "can be made"),
        None => (State::Note, "cannot be made"),
    };
    Item::new("cgroup", "control groups (v2)", state, found)
        .means("bots are frozen by signals alone, which reach all of a bot where there is seccomp")
        .remedy("nothing, if there is seccomp; or start the referee by systemd-run --user --scope -p Delegate=yes")
}

fn user_namespaces() -> Item {
    let (state, found) = match Command::new("unshare").args(["--user", "true"]).stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => (State::Ok, "can be made".to_owned()),
        Ok(output) => {
            let told = String::from_utf8_lossy(&output.stderr);
            (State::Note, format!("cannot be made: {}", told.lines().next().unwrap_or("unshare does not say why")))
        }
        Err(error) => (State::Note, format!("not tried: unshare cannot be started: {error}")),
    };
    Item::new("user_namespaces", "user namespaces", state, found)
        .means("an ordinary user cannot have --isolation bwrap; nothing else needs them")
        .remedy("nothing, without that option")
}

/// Plays a game with it.
fn bubblewrap(lab: &Lab) -> Result<Item, Failure> {
    let tried = lab.play(&Trial { isolation: Isolation::Bwrap, ..PLAIN }, &mut |_| {})?;
    let problem = tried.trouble.or_else(|| tried.fault.map(|fault| fault.words));
    let (state, found) = match problem {
        None => (State::Ok, "gives bots namespaces of their own".to_owned()),
        Some(problem) => (State::Note, problem),
    };
    Ok(Item::new("bubblewrap", "bubblewrap", state, found)
        .means("matches cannot be played with --isolation bwrap; the rest of the sandbox needs none")
        .remedy("nothing, without that option; with it, install bubblewrap and see what it says"))
}
