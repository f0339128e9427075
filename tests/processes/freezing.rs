//! Freezing a program off turn, and what that costs.

use std::fs;
use std::time::{Duration, Instant};

use arbitro::host::cgroup::Groups;
use arbitro::host::{Confinement, Layers, Player, Report};

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
