//! What the attacks of the zoo come to: in the sandbox they are denied, and without it they work, so that this can fail.
//!
//! A referee that runs as root gives each bot a user of its own, with or without a sandbox. So everything here is to be
//! run as root and as an ordinary user.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;

use rustix::process::{Signal, geteuid};

use super::Game;
use crate::support::{Place, python_is_there, wait_until};

/// For whom an attack works where there is no sandbox.
#[derive(Clone, Copy)]
enum Works {
    Always,
    /// For bots that have the same user as the referee and the rival.
    SameUser,
    /// For those too, where Yama does not keep processes from tracing each other.
    Tracing,
    /// That depends on the machine.
    Perhaps,
    Never,
}

use Works::{Always, Never, Perhaps, SameUser, Tracing};

impl Works {
    /// Whether it works here; none if that cannot be told.
    fn here(self) -> Option<bool> {
        let setting = |path: &str| fs::read_to_string(Path::new("/proc/sys").join(path)).unwrap_or_default();
        let same = !geteuid().is_root();
        match self {
            Always => Some(true),
            SameUser => Some(same),
            Tracing => Some(same && matches!(setting("kernel/yama/ptrace_scope").trim(), "" | "0")),
            Perhaps => None,
            Never => Some(false),
        }
    }
}

const FILES: &[(&str, Works)] = &[
    ("read-secret", Always),
    ("list-rival", Always),
    ("stat-secret", Always),
    ("read-passwd", Always),
    ("list-tmp", Always),
    ("write-rival", Always),
    ("write-here", Always),
    ("write-tmp", Always),
    ("write-shm", Always),
    ("change-secret", Always),
    ("make-folder", Always),
    ("link-secret", Always),
    ("read-through-symlink", Always),
    ("rename-secret", Always),
    ("chmod-secret", SameUser),
    ("touch-secret", SameUser),
    ("watch-secret", Always),
];

const NETWORK: &[(&str, Works)] = &[
    ("tcp-listen", Always),
    ("tcp-connect", Always),
    ("udp-send", Always),
    ("unix-connect", Always),
    ("abstract-listen", Always),
    ("abstract-connect", Always),
    ("netlink", Always),
];

const PROCESSES: &[(&str, Works)] = &[
    ("find-rival", Always),
    ("environment-of-rival", SameUser),
    ("memory-of-rival", Tracing),
    ("folder-of-rival", SameUser),
    ("stdout-of-rival", SameUser),
    ("take-stdout-of-rival", Tracing),
    ("signal-rival", SameUser),
    ("signal-rival-by-descriptor", SameUser),
    ("limit-rival", SameUser),
    ("renice-rival", SameUser),
    ("pin-rival", SameUser),
    ("signal-keeper", SameUser),
    // A keeper lets nobody look into it.
    ("environment-of-keeper", Never),
    ("renice-keeper", SameUser),
    ("pin-keeper", SameUser),
    ("signal-referee", SameUser),
    ("environment-of-referee", Never),
    ("wake-at-end-of-parent", Always),
    ("leave-group", Always),
    ("leave-session", Always),
];

const RAW: &[(&str, Works)] = &[
    ("ptrace", Tracing),
    ("read-memory", Tracing),
    ("compare", SameUser),
    ("signal-by-descriptor", Always),
    ("timer-that-wakes", Always),
    ("child-that-wakes", Always),
    ("parent-that-wakes", Always),
    ("io-uring", Always),
    ("int-80", Always),
    // Most kernels have none.
    ("x32", Perhaps),
    ("clone3", Always),
    ("new-user-space", Perhaps),
    ("shared-memory", Always),
    ("message-queue", Always),
    ("key", Always),
    ("bpf", Perhaps),
    ("perf-event", Perhaps),
    ("user-fault", Perhaps),
    ("personality", Always),
    ("memory-file", Always),
    ("close-to-others", Always),
    ("vsock", Perhaps),
];

/// Asserts that these attempts were made, and that those work of which it is said so; nothing is asserted of those of
/// which nothing is said.
fn assert_reports(game: &Game, attacks: &[(&str, Works)], works: impl Fn(&str, Works) -> Option<bool>) {
    let told = game.place.stderr_of(0);
    let read = |line: &str| {
        let (name, verdict) = line.strip_prefix("attack ")?.split_once(": ")?;
        Some((name.to_owned(), verdict.to_owned()))
    };
    let reports: BTreeMap<String, String> = told.lines().filter_map(read).collect();
    assert_eq!(reports.len(), attacks.len(), "{told}");
    for (name, usually) in attacks {
        let verdict = reports.get(*name).unwrap_or_else(|| panic!("no word of {name}: {told}"));
        let denied = verdict.starts_with("denied (");
        assert_ne!(denied, verdict == "works", "{name}: {verdict}");
        match works(name, *usually) {
            Some(true) if denied => {
                assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{name} should work: {verdict}");
                println!("skipped: this machine denies {name} without a sandbox: {verdict}");
            }
            Some(false) => assert!(denied, "{name} works"),
            Some(true) | None => {}
        }
    }
}

/// In the sandbox nothing works but this; without one, what works here.
fn in_sandbox(but: &[&str]) -> impl Fn(&str, Works) -> Option<bool> {
    move |name, _| Some(but.contains(&name))
}

fn without_sandbox(_: &str, works: Works) -> Option<bool> {
    works.here()
}

/// A place with a folder of the rival in it, open to all but for the sandbox.
fn place_with_a_secret() -> Place {
    let place = Place::new();
    place.open_to_all();
    place.write("rival/secret", "told\n");
    for (path, mode) in [("rival", 0o777), ("rival/secret", 0o666)] {
        fs::set_permissions(place.path(path), fs::Permissions::from_mode(mode)).expect("it is ours");
    }
    place
}

#[test]
fn files_of_others_are_out_of_reach() {
    for (sandbox, off) in [("auto", false), ("off", true)] {
        let place = place_with_a_secret();
        let bot = format!("'faulty mode=attack-files at={}'", place.path("rival").display());
        let game = Game::play(place, &bot, &format!("--sandbox {sandbox}"));
        match off {
            false => assert_reports(&game, FILES, in_sandbox(&["stat-secret"])),
            true => assert_reports(&game, FILES, without_sandbox),
        }
        assert_eq!(game.place.text("rival/secret"), "told\n");
        assert_eq!(game.place.files(), ["g.jsonl", "rival", "rival/secret"]);
    }
}

#[test]
fn nobody_can_be_reached_over_any_kind_of_socket() {
    for (sandbox, off) in [("auto", false), ("off", true)] {
        let place = Place::new();
        place.open_to_all();
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = tcp.local_addr().expect("a port").port();
        let udp = UdpSocket::bind(("127.0.0.1", port)).expect("the same port");
        let path = place.path("socket");
        let unix = UnixListener::bind(&path).expect("a socket");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o777)).expect("it is ours");
        let name = format!("arbitro-test-{}-{port}", std::process::id());
        let hidden = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).expect("a socket");
        let bot = format!("'faulty mode=attack-network at=127.0.0.1:{port},{},@{name}'", path.display());
        let game = Game::play(place, &bot, &format!("--sandbox {sandbox}"));
        if off {
            assert_reports(&game, NETWORK, without_sandbox);
        } else {
            assert_reports(&game, NETWORK, in_sandbox(&[]));
        }
        // What arrived is what was said to work.
        tcp.set_nonblocking(true).unwrap();
        udp.set_nonblocking(true).unwrap();
        unix.set_nonblocking(true).unwrap();
        hidden.set_nonblocking(true).unwrap();
        fn all(connection: std::io::Result<impl Read>) -> String {
            let mut text = String::new();
            connection.map_or(Ok(0), |mut connection| connection.read_to_string(&mut text)).expect("text");
            text
        }
        let mut datagram = [0; 4];
        let came = udp.recv(&mut datagram).map_or("", |_| str::from_utf8(&datagram).expect("text"));
        let came = [
            all(tcp.accept().map(|(connection, _)| connection)),
            came.to_owned(),
            all(unix.accept().map(|(connection, _)| connection)),
            all(hidden.accept().map(|(connection, _)| connection)),
        ];
        assert_eq!(came.concat(), if off { "tcp\nudp\nunix\nabstract\n" } else { "" });
    }
}

#[test]
fn rival_keeper_and_referee_cannot_be_touched() {
    let bot = "'faulty mode=attack-processes'";
    let game = Game::play(Place::new(), bot, "");
    assert_reports(&game, PROCESSES, in_sandbox(&[]));
    // Whoever can see them still cannot touch them.
    let game = Game::play(Place::new(), bot, "--read 0=/proc");
    assert_reports(&game, PROCESSES, in_sandbox(&["find-rival"]));
    let game = Game::play(Place::new(), bot, "--sandbox off");
    assert_reports(&game, PROCESSES, without_sandbox);
}

#[test]
fn calls_that_go_round_the_sandbox_are_denied() {
    if !python_is_there() || std::env::consts::ARCH != "x86_64" {
        return;
    }
    let raw = include_str!("../../../bots-examples/faulty/raw.py");
    for (options, off) in [("", false), ("--read 0=/proc", false), ("--sandbox off", true)] {
        let place = Place::new();
        let bot = place.program("raw/raw.py", raw);
        let game = Game::play(place, &bot, options);
        if off {
            assert_reports(&game, RAW, without_sandbox);
        } else {
            assert_reports(&game, RAW, in_sandbox(&[]));
        }
    }
}

#[test]
fn a_killer_reaches_nobody_that_has_another_user() {
    for mode in ["stop-rival", "kill-rival", "kill-keeper", "kill-referee"] {
        let mut options = vec!["--read 0=/proc"];
        options.extend(geteuid().is_root().then_some("--sandbox off"));
        for options in options {
            let game = Game::play(Place::new(), &format!("'faulty mode={mode}'"), options);
            assert_eq!(game.row["reason"], "max_plies", "{mode}: {}", game.row);
            assert_reports(&game, &[(mode, Never)], in_sandbox(&[]));
        }
    }
}

#[test]
fn without_a_sandbox_a_killer_reaches_whoever_has_its_user() {
    if geteuid().is_root() {
        println!("bots of a referee that is root have users of their own; this is for others");
        return;
    }
    let play = |mode: &str, more: &str| {
        let place = Place::new();
        let line = format!("play alto-ahi 'faulty mode={mode}' random --sandbox off --log g.jsonl --json {more}");
        let mut running = place.start(&line);
        wait_until("the referee ends", || running.has_ended());
        let ended = running.wait();
        wait_until("nothing is left", || place.processes().is_empty());
        (ended, place)
    };
    let (ended, _) = play("stop-rival", "--ponder allow --move-limit 1s");
    assert!(ended.stdout.contains(r#""seat":1,"kind":"timeout""#), "{}", ended.stdout);
    let (ended, _) = play("kill-rival", "");
    assert!(ended.stdout.contains(r#""seat":1,"kind":"exited""#), "{}", ended.stdout);
    assert!(ended.stdout.contains("SIGKILL"), "{}", ended.stdout);
    let (ended, _) = play("kill-keeper", "");
    assert!(ended.stdout.contains(r#""reason":"infrastructure""#), "nobody can tell who did it: {}", ended.stdout);
    assert_eq!(ended.code, Some(75));
    let (ended, _) = play("kill-referee", "");
    assert_eq!(ended.signal, Some(Signal::KILL.as_raw()), "{}", ended.stderr);
}
