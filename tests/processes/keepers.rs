//! Keepers that hold one program after another.

use arbitro::clock::Span;
use arbitro::host::line::Line;
use arbitro::host::player::Keeper;
use arbitro::host::{Confinement, Player, Report};
use rustix::process::{Pid, Signal, kill_process};

use crate::support::{
    arbitro, finish, process_is_alive, program, read_line, read_to_end, reports_until, start_sh, wait_for,
};

/// Ends a program and takes its keeper back; how many processes it left, and the number of the keeper.
fn emptied(mut player: Player) -> (u32, i32, Keeper) {
    let (leftovers, keeper) = (finish(&mut player), player.keeper_pid());
    (leftovers, keeper, player.into_keeper().expect("nothing is left of it"))
}

fn start_behind(keeper: Keeper, script: &str) -> Player {
    let program = program(&["/bin/sh", "-c", script]);
    Player::start(arbitro(), Some(keeper), &program, &Confinement::default()).expect("a player is started")
}

#[test]
fn a_keeper_holds_one_program_after_another_and_proves_the_end_of_each() {
    let mut player = start_sh("sleep 60 & setsid sleep 60 & echo first; exit 3");
    assert_eq!(read_line(&mut player.stdout), "first\n");
    reports_until(&mut player, |report| matches!(report, Report::Exited(_)));
    let (leftovers, first, keeper) = emptied(player);
    assert_eq!(leftovers, 2);
    let mut player = start_behind(keeper, "echo second; exec sleep 60");
    assert_eq!(read_line(&mut player.stdout), "second\n");
    let (leftovers, second, keeper) = emptied(player);
    assert_eq!((leftovers, second), (0, first), "the same keeper");
    let mut player = start_behind(keeper, "echo third");
    assert_eq!(read_to_end(&mut player.stdout), "third\n");
    assert_eq!(finish(&mut player), 0);
    assert!(process_is_alive(first));
    drop(player);
    assert!(!process_is_alive(first), "it ends with what it holds");
}

#[test]
fn an_idle_keeper_that_was_killed_is_replaced() {
    let (_, first, keeper) = emptied(start_sh("exec sleep 60"));
    kill_process(Pid::from_raw(first).expect("it has a number"), Signal::KILL).expect("the keeper is there");
    wait_for("the keeper to end", || !process_is_alive(first));
    let mut player = start_behind(keeper, "echo here; exec sleep 60");
    assert_eq!(read_line(&mut player.stdout), "here\n");
    let (_, second, _) = emptied(player);
    assert_ne!(first, second);
}

#[test]
fn nobody_pays_for_the_processor_time_of_the_one_before() {
    let script = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo done; exec sleep 60";
    let mut player = start_sh(script);
    assert_eq!(read_line(&mut player.stdout), "done\n");
    reports_until(&mut player, |report| matches!(report, Report::Started { .. }));
    let mut line = Line::new(player, None, false);
    let used = line.used(None).expect("it runs").cpu;
    assert!(used >= Span::from_ms(50), "it worked for {used}");
    assert!(line.end(std::time::Instant::now() + crate::support::PATIENCE));
    let mut player = start_behind(line.into_keeper().expect("nothing is left"), "echo here; exec sleep 60");
    assert_eq!(read_line(&mut player.stdout), "here\n");
    reports_until(&mut player, |report| matches!(report, Report::Started { .. }));
    let used = Line::new(player, None, false).used(None).expect("it runs").cpu;
    assert!(used < Span::from_ms(50), "it worked for {used}");
}
