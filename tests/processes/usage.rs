//! What a bot uses is seen, whatever it does to hide it.

use arbitro::host::line::Line;
use arbitro::host::{Confinement, Player, Report};
use arbitro::referee::Usage;

use crate::support::{arbitro, has_python, program, read_line, reports_until};

/// What a script in Python uses once it has said that it is ready; it waits for the end of its input then. Nothing where
/// there is no Python.
fn used_by(script: &str, memory_limit: Option<u64>) -> Option<Usage> {
    let script = format!("import os, sys, time\n{script}\nprint('ready', flush=True)\nsys.stdin.read()");
    let program = has_python().then(|| program(&["python3", "-c", &script]))?;
    let mut player = Player::start(arbitro(), None, &program, &Confinement::default()).expect("a player starts");
    reports_until(&mut player, |report| matches!(report, Report::Started { .. }));
    assert_eq!(read_line(&mut player.stdout), "ready\n");
    Some(Line::new(player, None, false).used(memory_limit).expect("it runs"))
}

#[test]
fn threads_are_counted() {
    let script =
        "import threading\nfor _ in range(20): threading.Thread(target=threading.Event().wait, daemon=True).start()";
    let Some(used) = used_by(script, None) else { return };
    assert_eq!((used.processes, used.threads), (1, 21));
}
