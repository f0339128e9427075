//! Referees in processes of their own, for tests of what happens when somebody in the chain is killed.
//!
//! Such a referee is this test program again, told by a variable of its environment which part to play; each part
//! prints what it found, and panics if that is wrong.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use arbitro::host::{Confinement, Player, Report, orphans};
use rustix::process::{Pid, Signal, kill_process};

use crate::support::{
    PATIENCE, arbitro, finish, has_python, marker, process_is_alive, processes_with, program, read_line, read_to_end,
    reports_until, start, start_marked, start_sh, wait_for,
};

/// Names the part that this process is to play.
const PART: &str = "ARBITRO_TEST_PART";
/// Gives a marker to a part.
const MARKER: &str = "ARBITRO_TEST_MARKER";

/// A program that starts a daemon in a session of its own, says that it is ready, and waits: three processes.
const WITH_DAEMON: &str = "setsid sh -c 'echo ready; sleep 100; true' & exec sleep 100";

/// Where the other process begins.
#[test]
#[ignore = "a part that other tests start in a process of its own"]
fn plays_a_part() {
    match env::var(PART).unwrap_or_default().as_str() {
        "" => {}
        "hold a player" => hold_a_player(),
        "lose a keeper" => lose_a_keeper(),
        "drop a lost keeper" => drop_a_lost_keeper(),
        "drop a stopped keeper" => drop_a_stopped_keeper(),
        "sweep beside others" => sweep_beside_others(),
        "start no keeper" => start_no_keeper(),
        "count descriptors" => count_descriptors(),
        "run ls" => print!("\n{}", read_to_end(&mut start(&["/bin/ls", "/proc/self/fd"]).stdout)),
        "run ulimit" => print!("\n{}", read_to_end(&mut start_sh("ulimit -c").stdout)),
        "run exit" => assert_eq!(exit_seven(), 0),
        "run status" => print!("\n{}", read_to_end(&mut start(&["/bin/cat", "/proc/self/status"]).stdout)),
        other => panic!("there is no part {other:?}"),
    }
}

/// The command that plays a part, as words for a shell's `exec "$@"`.
fn part_words() -> Vec<String> {
    let this = env::current_exe().expect("this program is a file").display().to_string();
    [this.as_str(), "--exact", "referee::plays_a_part", "--ignored", "--nocapture", "--test-threads=1"]
        .map(String::from)
        .to_vec()
}

fn part(part: &str, marker: &str) -> Command {
    let words = part_words();
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).env(PART, part).env(MARKER, marker);
    command
}

/// Plays a part to its end, started by a shell that first does something; what it prints.
fn play_after(first: &str, name: &str, marker: &str) -> String {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &format!("{first}\nexec \"$@\""), "sh"]).args(part_words());
    let output = command.env(PART, name).env(MARKER, marker).output().expect("the shell starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{name}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

fn play(name: &str) {
    let marker = marker(&name.replace(' ', "-"));
    play_after(":", name, &marker);
    // The part itself carries the marker too; by now it is gone.
    assert_eq!(processes_with(&marker), Vec::<i32>::new(), "nothing is left of {name}");
}

fn own_marker() -> String {
    format!("{}-bot", env::var(MARKER).expect("a part has a marker"))
}

fn start_with_daemon(marker: &str) -> Player {
    let mut player = start_marked(marker, WITH_DAEMON);
    assert_eq!(read_line(&mut player.stdout), "ready\n");
    wait_for("program and daemon are found", || processes_with(marker).len() == 3);
    reports_until(&mut player, |report| matches!(report, Report::Started { .. }));
    player
}

fn kill_keeper(player: &Player, signal: Signal) {
    kill_process(Pid::from_raw(player.keeper_pid()).expect("it has a number"), signal).expect("the keeper is there");
}

#[test]
fn nothing_survives_a_referee_that_is_killed() {
    let marker = marker("killed-referee");
    let mut referee: Child = part("hold a player", &marker).stdout(Stdio::piped()).spawn().expect("the referee starts");
    let mut keeper = None;
    for line in BufReader::new(referee.stdout.take().expect("it is piped")).lines() {
        let line = line.expect("the referee writes text");
        if let Some((_, pid)) = line.split_once("keeper ") {
            keeper = pid.parse().ok();
            break;
        }
    }
    let keeper = keeper.expect("the referee names its keeper");
    assert_eq!(processes_with(&format!("{marker}-bot")).len(), 3);
    assert!(process_is_alive(keeper));
    referee.kill().expect("the referee is there");
    referee.wait().expect("the referee is a child");
    wait_for("program, daemon and keeper are gone", || {
        processes_with(&format!("{marker}-bot")).is_empty() && !process_is_alive(keeper)
    });
}

fn hold_a_player() {
    let player = start_with_daemon(&own_marker());
    println!("keeper {}", player.keeper_pid());
    std::thread::sleep(PATIENCE);
}

#[test]
fn what_a_killed_keeper_held_is_swept_up() {
    play("lose a keeper");
    play("drop a lost keeper");
}

fn lose_a_keeper() {
    let marker = own_marker();
    let mut player = start_with_daemon(&marker);
    kill_keeper(&player, Signal::KILL);
    let reports = reports_until(&mut player, |report| *report == Report::KeeperGone);
    assert_eq!(reports, [Report::KeeperGone]);
    assert!(player.is_over());
    player.freeze().expect("nobody is left to be frozen");
    // The program dies with its keeper; what it had detached does not, and is there to be swept.
    wait_for("only the daemon is left", || processes_with(&marker).len() == 2);
    assert_eq!(player.wait_empty(Instant::now() + PATIENCE), []);
    assert_eq!(processes_with(&marker), Vec::<i32>::new());
}

fn drop_a_lost_keeper() {
    let marker = own_marker();
    let player = start_with_daemon(&marker);
    kill_keeper(&player, Signal::KILL);
    drop(player);
    assert_eq!(processes_with(&marker), Vec::<i32>::new());
}

#[test]
fn a_keeper_that_does_not_answer_holds_nobody_up() {
    play("drop a stopped keeper");
}

fn drop_a_stopped_keeper() {
    let marker = own_marker();
    let player = start_with_daemon(&marker);
    kill_keeper(&player, Signal::STOP);
    let begun = Instant::now();
    drop(player);
    assert!(begun.elapsed() < Duration::from_secs(8), "dropping took {:?}", begun.elapsed());
    assert_eq!(processes_with(&marker), Vec::<i32>::new());
}

#[test]
fn a_sweep_spares_other_players_and_what_was_there_before() {
    let marker = marker("earlier-child");
    // The shell's job, in a session of its own, becomes a child of the referee, which the shell turns into.
    let text = play_after(&format!("NAME={marker}-job setsid sleep 100 & echo job $!"), "sweep beside others", &marker);
    assert!(text.contains("the job is alive"), "{text}");
    wait_for("the job is gone", || processes_with(&marker).is_empty());
}

fn sweep_beside_others() {
    let marker = own_marker();
    let job = format!("{}-job", env::var(MARKER).expect("a part has a marker"));
    let mut spared = start_sh("read line; echo got $line");
    let mut own = Command::new("/bin/sleep").arg("100").spawn().expect("a child of this session");
    let mut lost = start_with_daemon(&marker);
    kill_keeper(&lost, Signal::KILL);
    lost.wait_empty(Instant::now() + PATIENCE);
    assert_eq!(processes_with(&marker), Vec::<i32>::new());
    assert_eq!(orphans::sweep(Instant::now() + PATIENCE), orphans::Sweep { reaped: 0, clean: true });

    rustix::io::write(spared.stdin.as_ref().expect("it is open"), b"it\n").expect("the other player lives");
    assert_eq!(read_line(&mut spared.stdout), "got it\n");
    assert_eq!(finish(&mut spared), 0);

    assert!(own.try_wait().expect("it is a child").is_none(), "a child of this session is not swept away");
    own.kill().expect("it is a child");
    own.wait().expect("it is a child");

    let jobs = processes_with(&job);
    assert_eq!(jobs.len(), 1, "the job of the shell is not swept away");
    println!("the job is alive");
    kill_process(Pid::from_raw(jobs[0]).expect("it has a number"), Signal::KILL).expect("the job is there");
}

#[test]
fn players_started_by_many_threads_at_once_share_nothing_and_leak_nothing() {
    play("count descriptors");
}

fn count_descriptors() {
    let count = || std::fs::read_dir("/proc/self/fd").expect("/proc is there").count();
    orphans::adopt();
    let before = count();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let program = program(&["/bin/ls", "/proc/self/fd"]);
                let mut players: Vec<Player> = (0..25)
                    .map(|_| {
                        Player::start(arbitro(), None, &program, &Confinement::default()).expect("a player starts")
                    })
                    .collect();
                for player in &mut players {
                    // The fourth is the folder that ls reads.
                    assert_eq!(read_to_end(&mut player.stdout), "0\n1\n2\n3\n");
                    assert_eq!(finish(player), 0);
                }
            });
        }
    });
    println!("100 players in {:?}", begun.elapsed());
    assert_eq!(count(), before, "no descriptor is left");
    assert_eq!(own_children(), "", "no zombie is left");
}

/// The children of this process, running and ended, over all of its threads.
fn own_children() -> String {
    let threads = std::fs::read_dir("/proc/self/task").expect("/proc is there").flatten();
    threads.map(|thread| std::fs::read_to_string(thread.path().join("children")).unwrap_or_default()).collect()
}

#[test]
fn descriptors_that_the_referee_was_given_do_not_reach_a_bot() {
    let text = play_after("exec 7</dev/null 9>&2", "run ls", &marker("inherited"));
    let listed: Vec<&str> = text.lines().filter(|line| line.parse::<u32>().is_ok()).collect();
    assert_eq!(listed, ["0", "1", "2", "3"], "{text}");
}

#[test]
fn a_bot_writes_no_core_files_even_if_the_referee_may() {
    let text =
        play_after("ulimit -c unlimited || echo skipped: core files are forbidden", "run ulimit", &marker("core"));
    assert!(text.lines().any(|line| line == "0"), "{text}");
}

#[test]
fn signals_that_the_referee_ignores_are_not_ignored_by_a_bot() {
    let text = play_after("trap '' INT HUP TERM QUIT USR1 TSTP ALRM WINCH", "run status", &marker("ignoring"));
    let mask = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).expect("the status has the line");
        u64::from_str_radix(line.trim(), 16).expect("a mask is a number")
    };
    // The C library keeps the signals 32 and 33 to itself and ignores them in whatever it starts.
    assert_eq!(mask("SigIgn:") & !(0b11 << 31), 0, "{text}");
    assert_eq!(mask("SigBlk:"), 0, "{text}");
}

#[test]
fn ends_are_seen_although_the_referee_was_told_to_ignore_them() {
    if has_python() {
        // Not every shell agrees to ignore this one.
        let ignore = "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])";
        play_after(&format!("set -- python3 -c '{ignore}' \"$@\""), "run exit", &marker("unseen"));
    }
}

fn exit_seven() -> u32 {
    let mut player = start_sh("sleep 0.05 & exit 7");
    let exited = Report::Exited(arbitro::record::entry::Exit::Code(7));
    reports_until(&mut player, |report| *report == exited);
    finish(&mut player).saturating_sub(1)
}

#[test]
fn broadcast_signals_do_not_end_a_keeper() {
    let mut player = start_sh("read line; echo got $line");
    reports_until(&mut player, |report| matches!(report, Report::Started { .. }));
    for signal in [Signal::HUP, Signal::INT, Signal::QUIT, Signal::TERM, Signal::USR1, Signal::USR2, Signal::TSTP] {
        kill_keeper(&player, signal);
    }
    rustix::io::write(player.stdin.as_ref().expect("it is open"), b"it\n").expect("the program reads");
    assert_eq!(read_line(&mut player.stdout), "got it\n");
    assert_eq!(finish(&mut player), 0);
}

#[test]
fn what_ended_below_a_keeper_is_reaped_during_the_game() {
    // Each of the ten is orphaned and ends; the program itself ended too, and stays.
    let mut player = start_sh("for i in 0 1 2 3 4 5 6 7 8 9; do (sleep 0.01 &) ; done");
    reports_until(&mut player, |report| matches!(report, Report::Exited(_)));
    let keeper = player.keeper_pid();
    let children = || std::fs::read_to_string(format!("/proc/{keeper}/task/{keeper}/children")).expect("it runs");
    let alone = format!("{} ", player.pid().expect("it started"));
    wait_for("only the program is left", || {
        // It looks around every few seconds; a signal that it takes no notice of wakes it earlier.
        kill_keeper(&player, Signal::USR1);
        children() == alone
    });
    assert_eq!(finish(&mut player), 0);
}

#[test]
fn a_process_that_cannot_be_reaped_is_reported_as_stuck_and_waited_for() {
    if !has_python() {
        return;
    }
    let mut player = start_sh("echo ready; exec sleep 100");
    assert_eq!(read_line(&mut player.stdout), "ready\n");
    reports_until(&mut player, |report| matches!(report, Report::Started { .. }));
    // A dead process that somebody traces is not given back to its parent before the tracer lets go of it.
    let trace = "import ctypes, sys, time; print(ctypes.CDLL(None).ptrace(0x4206, int(sys.argv[1]), None, None), flush=True); time.sleep(100)";
    let mut tracer = Command::new("python3");
    tracer.args(["-c", trace]).arg(player.pid().expect("it started").to_string()).stdout(Stdio::piped());
    let mut tracer = tracer.spawn().expect("there is a Python");
    let mut answer = String::new();
    BufReader::new(tracer.stdout.take().expect("it is piped")).read_line(&mut answer).expect("it writes");
    if answer == "0\n" {
        player.finish();
        let reports = reports_until(&mut player, |report| *report == Report::Stuck);
        assert_eq!(reports, [Report::Stuck]);
        let cpu = processor_ticks(player.keeper_pid());
        assert!(cpu < 100, "waiting took {cpu} ticks of the processor");
    } else {
        println!("skipped: tracing is not permitted");
    }
    tracer.kill().expect("it is a child");
    tracer.wait().expect("it is a child");
    assert_eq!(finish(&mut player), 0);
}

/// The processor time of a process, in hundredths of a second.
fn processor_ticks(pid: i32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process is there");
    let fields = stat.rsplit_once(')').expect("a name is in parentheses").1.split_ascii_whitespace();
    fields.skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("a number")).sum()
}

#[test]
fn a_file_that_is_no_keeper_is_noticed() {
    play("start no keeper");
}

fn start_no_keeper() {
    let mut player = Player::start(Path::new("/bin/true"), None, &program(&["/bin/true"]), &Confinement::default())
        .expect("the file can be started");
    assert_eq!(player.wait_empty(Instant::now() + PATIENCE), [Report::KeeperGone]);
    assert!(Player::start(Path::new("/nonexistent"), None, &program(&["/bin/true"]), &Confinement::default()).is_err());
}
