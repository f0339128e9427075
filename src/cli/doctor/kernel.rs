//! The parts of this machine that a sandbox is made of.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{PidfdFlags, geteuid, getpid, pidfd_open};

use super::report::{Item, Report, State};
use crate::cli::failure::Failure;
use crate::host::sandbox::{Layers, users};

const UNTIL_THEN: &str = "until then play only bots that you trust";

pub fn examine(report: &mut Report, layers: Layers) -> Result<(), Failure> {
    report.section("Machine")?;
    report.add(kernel())?;
    report.add(landlock(layers))?;
    report.add(seccomp(layers))?;
    report.add(own_users(layers))?;
    report.add(process_descriptors())?;
    report.add(child_lists())?;
    report.add(waits())?;
    report.add(control_group())?;
    report.add(user_namespaces())?;
    report.add(bubblewrap())
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
        Err(error) => item(State::Missing, format!("none: {error}"))
            .means("no game starts: bots never run as root")
            .remedy("let root write to /run, or start as an ordinary user"),
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

fn control_group() -> Item {
    let item = |state, found: String| Item::new("cgroup", "control groups (v2)", state, found);
    let absent = |found: String| {
        item(State::Note, found)
            .means("bots are frozen and ended by signals alone, which reach all of a bot where there is seccomp")
            .remedy("nothing, if there is seccomp; or start the referee by systemd-run --user --scope -p Delegate=yes")
    };
    let Some(folder) = own_group() else { return absent("none".to_owned()) };
    let child = folder.join(format!("arbitro-doctor-{}", std::process::id()));
    match fs::create_dir(&child).and_then(|()| fs::remove_dir(&child)) {
        Ok(()) => item(State::Ok, format!("can be made in {}", folder.display())),
        Err(error) => absent(format!("cannot be made in {}: {error}", folder.display())),
    }
}

/// The folder of the control group that this process is in.
fn own_group() -> Option<PathBuf> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let group = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let mount = mounts.lines().find(|line| line.contains(" - cgroup2 "))?;
    let mut fields = mount.split(' ').skip(3);
    let (root, folder) = (fields.next()?, fields.next()?);
    let below = Path::new(group).strip_prefix(root).ok()?;
    Some(Path::new(folder).components().chain(below.components()).collect())
}

fn user_namespaces() -> Item {
    tried("user_namespaces", "user namespaces", "can be made", &["unshare", "--user", "true"])
}

fn bubblewrap() -> Item {
    let words = ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "true"];
    tried("bubblewrap", "bubblewrap", "starts programs", &words)
}

/// Something that no match needs, and whether this command for it works.
fn tried(id: &'static str, name: &'static str, works: &str, words: &[&str]) -> Item {
    let run = Command::new(words[0]).args(&words[1..]).stdin(Stdio::null()).output();
    let (state, found) = match run {
        Ok(output) if output.status.success() => (State::Ok, works.to_owned()),
        Ok(output) => {
            let told = String::from_utf8_lossy(&output.stderr);
            (State::Note, format!("no: {}", told.lines().next().unwrap_or("it says nothing")))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            (State::Note, format!("not tried: {} is not installed", words[0]))
        }
        Err(error) => (State::Note, format!("no: {error}")),
    };
    Item::new(id, name, state, found).means("nothing: no match needs it").remedy("nothing")
}
