//! Freezing a program off turn, and what that costs.

use std::fs;
use std::time::{Duration, Instant};

use arbitro::clock::Span;
use arbitro::host::cgroup::Groups;
use arbitro::host::line::Line;
use arbitro::host::{Confinement, Layers, Player, Report};
use rustix::process::{Pid, Signal, kill_process};

use crate::support::{
    PATIENCE, finish, marker, processes_with, read_line, reports_until, start_marked_in, start_sh, wait_for,
};

/// The state letter of a process and of its only child.
fn states(pid: i32) -> String {
    let state = |pid: i32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process is there");
        stat.rsplit_once(')').expect("a name is in parentheses").1.trim().chars().next().expect("a state follows")
    };
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).expect("the process is there");
    [pid]
        .into_iter()
        .chain(children.split_ascii_whitespace().map(|pid| pid.parse().expect("a number")))
        .map(state)
        .collect()
}

fn started(player: &mut Player) -> i32 {
    reports_until(player, |report| matches!(report, Report::Started { .. }));
    player.pid().expect("a program that started has a number")
}

#[test]
fn a_frozen_program_stops_with_its_children_and_goes_on_when_thawed() {
    let mut player = start_sh("sleep 100 & echo ready; wait; echo never");
    player.freeze().expect("freezing before the start does nothing");
    assert_eq!(read_line(&mut player.stdout), "ready\n");
    let pid = started(&mut player);
    player.freeze().expect("it can be frozen");
    wait_for("all are stopped", || states(pid) == "TT");
    player.thaw().expect("it can be thawed");
    wait_for("all go on", || states(pid) == "SS");
    player.freeze().expect("it can be frozen");
    assert_eq!(finish(&mut player), 1, "a frozen program can be finished");
    assert_eq!(player.pid(), None);
    player.freeze().expect("freezing after the end does nothing");
}

#[test]
fn a_keeper_sleeps_while_its_program_is_frozen_and_thawed() {
    let mut player = start_sh("echo ready; exec sleep 100");
    assert_eq!(read_line(&mut player.stdout), "ready\n");
    let pid = started(&mut player);
    let status = format!("/proc/{}/status", player.keeper_pid());
    let switches = || {
        let text = fs::read_to_string(&status).expect("the keeper is there");
        let count = text.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:")).expect("a count");
        count.trim().parse::<u64>().expect("a number")
    };
    let begun = Instant::now();
    let before = switches();
    for _ in 0..100 {
        player.freeze().expect("it can be frozen");
        wait_for("it is stopped", || states(pid) == "T");
        player.thaw().expect("it can be thawed");
        wait_for("it goes on", || states(pid) == "S");
    }
    // It tidies every few seconds; nothing else may wake it.
    let allowed = 1 + begun.elapsed().as_secs() / 4;
    assert!(switches() - before <= allowed, "the keeper woke {} times", switches() - before);
    player.wait_empty(Instant::now() + PATIENCE);
}

/// The processor time of all processes with a marker, in nanoseconds.
fn burnt(marker: &str) -> u64 {
    let of = |pid: i32| {
        let text = fs::read_to_string(format!("/proc/{pid}/schedstat")).unwrap_or_default();
        text.split(' ').next().and_then(|first| first.parse::<u64>().ok()).unwrap_or(0)
    };
    processes_with(marker).into_iter().map(of).sum()
}

#[test]
fn a_frozen_program_that_was_woken_is_seen_and_frozen_again() {
    let marker = marker("woken");
    let mut player = start_marked_in(&marker, "echo ready; while :; do :; done", &Confinement::default());
    assert_eq!(read_line(&mut player.stdout), "ready\n");
    let pid = started(&mut player);
    let mut line = Line::new(player, None, false);
    line.set_frozen(true).expect("it can be frozen");
    wait_for("it is stopped", || states(pid) == "T");
    let seen = line.used(None).expect("it is looked at while it is frozen");
    assert!(seen.memory_bytes > 0 && seen.cpu_frozen == Span::ZERO, "{seen:?}");
    assert_eq!(line.used(None).map(|seen| seen.cpu_frozen), Some(Span::ZERO));
    let before = burnt(&marker);
    kill_process(Pid::from_raw(pid).expect("a number"), Signal::CONT).expect("it is below us");
    wait_for("it burns", || burnt(&marker) > before + 50_000_000);
    let seen = line.used(None).expect("it runs");
    assert!(seen.cpu_frozen >= Span::from_ms(30), "{seen:?}");
    wait_for("it is stopped again", || states(pid) == "T");
    line.set_frozen(false).expect("it can be thawed");
    wait_for("it goes on", || states(pid) == "R");
    line.used(None).expect("it runs");
    line.set_frozen(true).expect("it can be frozen");
    assert_eq!(line.used(None).map(|seen| seen.cpu_frozen), Some(Span::ZERO), "what it burnt before is its own");
    assert!(line.end(Instant::now() + PATIENCE));
}

#[test]
fn what_was_frozen_by_its_group_goes_on_with_it() {
    let Some(groups) = Groups::find() else { return println!("no group can be made here") };
    let group = groups.make().expect("a group can be made");
    let frozen = group.path().join("cgroup.freeze");
    let is_frozen = || fs::read_to_string(&frozen).expect("it is there").trim() == "1";
    let held = Confinement { cgroup: Some(group.path().to_owned()), ..Confinement::default() };
    let mut player = start_marked_in(&marker("thawed"), "echo ready; exec sleep 100", &held);
    assert_eq!(read_line(&mut player.stdout), "ready\n");
    let pid = started(&mut player);
    let mut line = Line::new(player, Some(group), false);
    line.set_frozen(true).expect("it can be frozen");
    assert!(!is_frozen(), "a short wait is one by signals");
    line.used(None).expect("it is looked at");
    assert!(is_frozen());
    line.set_frozen(false).expect("it can be thawed");
    assert!(!is_frozen());
    wait_for("it goes on", || states(pid) == "S");
    line.set_frozen(true).expect("it can be frozen");
    line.used(None).expect("it is looked at");
    assert!(line.end(Instant::now() + PATIENCE), "what is frozen by its group can be ended");
}

/// What a bot of several processes burns in 300 ms in which it is not asked, one of which would leave its group.
fn burnt_off_turn(name: &str, confinement: &Confinement, freeze: impl Fn(&Player)) -> u64 {
    let marker = marker(name);
    let burn = "while :; do :; done";
    let script = format!("sh -c '{burn}' & (setsid sh -c '{burn}' || {burn}) & sleep 0.1; echo ready; {burn}");
    let mut player = start_marked_in(&marker, &script, confinement);
    assert_eq!(read_line(&mut player.stdout), "ready\n");
    started(&mut player);
    freeze(&player);
    // Signals take their effect when a process next runs, which takes a while where others burn too.
    let begun = Instant::now();
    let stopped = || processes_with(&marker).into_iter().all(|pid| !states(pid).contains(['R', 'S']));
    while begun.elapsed() < Duration::from_millis(50) || !stopped() && begun.elapsed() < Duration::from_secs(1) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let before = burnt(&marker);
    std::thread::sleep(Duration::from_millis(300));
    let burnt = burnt(&marker) - before;
    finish(&mut player);
    burnt
}

#[test]
fn off_turn_a_bot_of_several_processes_burns_next_to_nothing() {
    const MS: u64 = 1_000_000;
    let stop = |player: &Player| player.freeze().expect("it can be frozen");
    let free = Confinement::default();
    assert!(burnt_off_turn("allowed", &free, |_| {}) > 50 * MS, "without a stop it burns");
    let held = Confinement { layers: Layers::of_this_kernel(), ..Confinement::default() };
    if !held.layers.seccomp {
        return println!("skipped: no seccomp here");
    }
    let burnt = burnt_off_turn("stopped", &held, stop);
    assert!(burnt < MS, "nobody can leave its group: {burnt} ns");
    assert!(burnt_off_turn("left", &free, stop) > 10 * MS, "what may leave its group burns on");
    if let Some(groups) = Groups::find() {
        let group = groups.make().expect("a group can be made");
        let held = Confinement { cgroup: Some(group.path().to_owned()), ..Confinement::default() };
        let burnt = burnt_off_turn("grouped", &held, |_| group.freeze(true).expect("it can be frozen"));
        assert!(burnt < MS, "nobody can leave its control group: {burnt} ns");
    }
}
