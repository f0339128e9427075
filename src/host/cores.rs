//! Which processors a game and its bots run on.

use std::io;
use std::num::NonZeroU64;

use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity, set_current_timer_slack};

/// The processors that this thread may use.
///
/// # Errors
/// Those of the system.
pub fn allowed() -> io::Result<Vec<usize>> {
    let set = sched_getaffinity(None)?;
    Ok((0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect())
}

/// Keeps this thread, and every process that it starts from now on, on these processors.
///
/// # Errors
/// Those of the system, when one of them may not be used.
pub fn pin(cores: &[usize]) -> io::Result<()> {
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    Ok(sched_setaffinity(None, &set)?)
}

/// So many processors of those allowed, the one that runs this thread now first: whoever starts several referees at
/// once leaves it to the system to spread them.
///
/// # Errors
/// Those of the system.
pub fn nearest(count: usize) -> io::Result<Vec<usize>> {
    let allowed = allowed()?;
    let here = allowed.iter().position(|&core| core == sched_getcpu()).unwrap_or(0);
    let mut cores: Vec<usize> =
        (0..count.min(allowed.len())).map(|step| allowed[(here + step) % allowed.len()]).collect();
    cores.sort_unstable();
    Ok(cores)
}

/// Makes waits of this thread end when they are due, and not up to 50 µs later to save wake-ups.
///
/// # Errors
/// Those of the system.
pub fn wake_exactly() -> io::Result<()> {
    Ok(set_current_timer_slack(NonZeroU64::new(1))?)
}
