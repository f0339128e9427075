//! Processes that are to outlive the game.

use std::io;
use std::process::{Child, Command, exit};

use super::{Mode, mode};

/// A chain of processes, each of which starts the next and ends: by the time one is seen it is gone. `$0` is how many
/// are to come, `$1` this text, `$2` what starts the next one.
const COMET: &str = r#"[ "$0" -gt 0 ] || exec sleep 50; $2 sh -c "$1" $(($0 - 1)) "$1" "$2" & exit"#;

pub(super) const MODES: &[Mode] = &[
    mode("child", "leaves a shell with a child, which hold its stdout, and plays on", |scene| {
        shell("sleep 50; true")?;
        scene.answer()
    }),
    mode("child-and-exit", "leaves a shell with a child, which hold its stdout, and ends", |_| {
        shell("setsid true 2>/dev/null && exec setsid sh -c 'sleep 50; true'; sleep 50; true")?;
        exit(4)
    }),
    mode("daemon", "leaves a daemon in a session of its own, if it can, and plays on", |scene| {
        let daemon = "exec </dev/null >/dev/null 2>&1; (setsid sleep 50 || sleep 50) & exit";
        shell(daemon)?.wait()?;
        scene.answer()
    }),
    mode("comet", "lets 150 processes start each other and end, each in a session of its own if it can", |scene| {
        let with = if Command::new("setsid").arg("true").status()?.success() { "setsid" } else { "" };
        Command::new("sh").args(["-c", COMET, "150", COMET, with]).spawn()?;
        scene.answer()
    }),
    mode("swarm", "leaves forty shells with a child each, and plays on", |scene| {
        (0..40).try_for_each(|_| shell("sleep 50; true").map(drop))?;
        scene.answer()
    }),
];

fn shell(script: &str) -> io::Result<Child> {
    Command::new("sh").args(["-c", script]).spawn()
}
