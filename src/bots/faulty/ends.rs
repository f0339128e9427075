//! A program that ends, or closes its pipes, when it should play.

use std::fs::File;
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::process::{Signal, getpid, kill_process};
use rustix::stdio::{dup2_stdin, dup2_stdout};

use super::{Mode, hang, mode};

pub(super) const MODES: &[Mode] = &[
    mode("exit", "says why on stderr and ends with exit code 7", |scene| {
        scene.note("no such column: 12")?;
        exit(7)
    }),
    mode("exit-137", "ends with exit code 137, as a shell does whose child was killed", |_| exit(137)),
    mode("killed", "kills itself by SIGKILL", |_| Ok(kill_process(getpid(), Signal::KILL)?)),
    mode("segfault", "ends as by a wrong access to memory", |_| {
        // The first is caught by the runtime, which looks for an overflow of the stack and lets go.
        kill_process(getpid(), Signal::SEGV)?;
        Ok(kill_process(getpid(), Signal::SEGV)?)
    }),
    mode("panic", "panics", |_| panic!("index out of bounds: the length is 9 but the index is 12")),
    mode("half-and-exit", "writes half of its answer and ends", |scene| {
        let answer = scene.bare_answer();
        scene.say(&answer[..answer.len() / 2])?;
        exit(0)
    }),
    mode("answer-and-exit", "answers and ends", |scene| {
        scene.answer()?;
        exit(0)
    }),
    mode("close-stdin", "closes its stdin and answers", |scene| {
        dup2_stdin(nowhere()?)?;
        scene.answer()?;
        hang();
        Ok(())
    }),
    mode("close-stdout", "closes its stdout and lives on", |_| {
        dup2_stdout(nowhere()?)?;
        hang();
        Ok(())
    }),
    mode("deaf", "answers, and reads nothing any more", |scene| {
        scene.answer()?;
        hang();
        Ok(())
    }),
    mode(
        "ignore-signals",
        "takes no notice of SIGTERM, SIGINT, SIGHUP and SIGQUIT, and writes nothing any more",
        |_| {
            for signal in [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT] {
                signal_hook::flag::register(signal.as_raw(), Arc::new(AtomicBool::new(false)))?;
            }
            hang();
            Ok(())
        },
    ),
    mode("stay", "plays on, and stays when the game is over", |scene| {
        *scene.stays = true;
        scene.answer()
    }),
    mode("honest", "makes no mistake, to compare with", |scene| scene.answer()),
];

/// What takes the place of a pipe that is closed.
fn nowhere() -> std::io::Result<File> {
    File::options().read(true).write(true).open("/dev/null")
}
