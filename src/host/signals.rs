//! Which signals this process ignores, and how it stops ignoring them without unsafe code.
//!
//! A signal that is ignored stays so across `exec`, while one that is caught goes back to its default there. So a
//! process that catches a signal gives the default to whatever it starts or becomes.

use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{
    FORBIDDEN, SIGALRM, SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU, SIGUSR1, SIGUSR2, SIGXCPU,
};

/// What a terminal, a scheduler or a person sends to everybody.
pub(super) const BROADCAST: [i32; 11] =
    [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN, SIGTTOU, SIGXCPU];

/// The signals that this process ignores, `SIGPIPE` apart: Rust programs ignore it, and reset it themselves for what
/// they start. All signals if it cannot be told.
///
/// Those that cannot be caught safely (`SIGILL`, `SIGFPE`, `SIGSEGV`) are left out. They matter little: the kernel
/// delivers a real one even to a process that ignores it.
pub fn ignored() -> impl Iterator<Item = i32> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(u64::MAX);
    (1..=64).filter(move |&number| mask >> (number - 1) & 1 == 1 && number != SIGPIPE && !FORBIDDEN.contains(&number))
}

/// Catches a signal and does nothing with it.
///
/// # Errors
/// When the C library keeps the signal to itself; nobody can ignore such a one either.
pub(super) fn catch(number: i32) -> io::Result<()> {
    signal_hook::flag::register(number, Arc::new(AtomicBool::new(false))).map(drop)
}
