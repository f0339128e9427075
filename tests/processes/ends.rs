//! How programs end, and that the referee is told the truth about it.

use arbitro::host::Report;
use arbitro::record::entry::Exit;

use crate::support::{finish, process_is_alive, read_line, reports_until, start_sh};

fn exit_of(script: &str) -> Exit {
    let mut player = start_sh(script);
    let reports = reports_until(&mut player, |report| matches!(report, Report::Exited(_)));
    assert!(matches!(reports[0], Report::Started { .. }), "the start comes first: {reports:?}");
    assert_eq!(reports.len(), 2, "nothing else is reported: {reports:?}");
    // Unreaped, it keeps its number from being given to a process that a signal could then hit.
    let pid = player.pid().expect("it started");
    assert!(std::fs::exists(format!("/proc/{pid}")).expect("/proc is there") && !process_is_alive(pid));
    assert_eq!(finish(&mut player), 0);
    let Report::Exited(exit) = reports[1] else { unreachable!("it was waited for") };
    exit
}

#[test]
fn exit_codes_and_signals_are_told_apart() {
    assert_eq!(exit_of("exit 0"), Exit::Code(0));
    assert_eq!(exit_of("exit 7"), Exit::Code(7));
    assert_eq!(exit_of("exit 137"), Exit::Code(137));
    assert_eq!(exit_of("kill -KILL $$"), Exit::Signal(9));
    assert_eq!(exit_of("kill -SEGV $$"), Exit::Signal(11));
    assert_eq!(Exit::Signal(9).to_string(), "SIGKILL (signal 9)");
    assert_eq!(Exit::Code(137).to_string(), "exit code 137");
}

#[test]
fn what_a_program_wrote_before_its_end_can_be_read_after_it() {
    let mut player = start_sh("echo last words");
    assert_eq!(finish_after_exit(&mut player), 0);
    assert_eq!(read_line(&mut player.stdout), "last words\n");
}

fn finish_after_exit(player: &mut arbitro::host::Player) -> u32 {
    reports_until(player, |report| matches!(report, Report::Exited(_)));
    finish(player)
}
