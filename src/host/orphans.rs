//! What comes back to the referee when a keeper dies before its time.
//!
//! A referee is the child subreaper above its keepers. If one of them is killed, the bot dies with it (its parent-death
//! signal), but whatever the bot had started and detached becomes a child of the referee. A sweep kills and reaps it.
//!
//! What is an orphan? Every bot leads a session of its own, and a process can leave its session for a new one but never
//! join another. So an orphan is a child of this process that is in another session than this process itself, that was
//! not started through this module, and that was not there before. A host may start other children of its own, as long
//! as it gives them no session of their own.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use rustix::process::{Pid, getpid, set_child_subreaper};
use signal_hook::consts::SIGCHLD;

use super::process_table::{Lookup, Member, await_end, breathe, reap, session};
use super::signals;

/// How long a sweep waits for the children that it killed before it looks around again.
const GLANCE: Duration = Duration::from_millis(50);

/// The children that a sweep spares.
struct Family {
    lookup: Lookup,
    /// Held together by all who start or reap a child, and alone by the one who sweeps: between its birth and its entry
    /// in the list, and between its death and its removal, a child must not meet a sweep.
    gate: RwLock<()>,
    /// Process ids.
    spared: Mutex<BTreeSet<i32>>,
}

impl Family {
    fn spared(&self) -> MutexGuard<'_, BTreeSet<i32>> {
        self.spared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The children of this process; it becomes the heir of all orphans below it when this is first asked for.
fn family() -> &'static Family {
    static FAMILY: OnceLock<Family> = OnceLock::new();
    FAMILY.get_or_init(|| {
        let lookup = Lookup::of_this_kernel();
        // Children from before, such as a shell's background jobs that an exec handed down, are none of ours to kill.
        let spared = lookup.children(getpid()).into_iter().map(Pid::as_raw_pid).collect();
        // Where SIGCHLD is ignored the kernel reaps children by itself, here and in every keeper, and their ends are lost.
        if signals::ignored().any(|number| number == SIGCHLD) {
            let _ = signals::catch(SIGCHLD);
        }
        // Never refused since Linux 3.4; without it, orphans go to init and no sweep finds them.
        let _ = set_child_subreaper(Some(getpid()));
        Family { lookup, gate: RwLock::new(()), spared: Mutex::new(spared) }
    })
}

/// Makes this process the heir of its orphans before it starts any other thread or child.
///
/// The first player does it too; what counts as a child from before is decided then.
pub fn adopt() {
    family();
}

/// A child of this process that no sweep touches. Dropped, it is killed and reaped.
pub struct Ward {
    child: Child,
    reaped: bool,
}

impl Ward {
    /// Starts the command as a child that is known before any sweep can see it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(command: &mut Command) -> io::Result<Ward> {
        let family = family();
        let _shared = family.gate.read().unwrap_or_else(PoisonError::into_inner);
        let child = command.spawn()?;
        family.spared().insert(Pid::from_child(&child).as_raw_pid());
        Ok(Ward { child, reaped: false })
    }

    /// Its process id.
    pub fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Kills it, if it still runs, and reaps it.
    pub fn end(&mut self) {
        if self.reaped {
            return;
        }
        let family = family();
        let _ = self.child.kill();
        let _shared = family.gate.read().unwrap_or_else(PoisonError::into_inner);
        // From here on the number may be given to an orphan, which a sweep must not spare.
        let _ = self.child.wait();
        self.reaped = true;
        family.spared().remove(&self.pid().as_raw_pid());
    }
}

impl Drop for Ward {
    fn drop(&mut self) {
        self.end();
    }
}

/// What a sweep did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sweep {
    /// How many orphans it reaped.
    pub reaped: u32,
    /// Whether none is left.
    pub clean: bool,
}

/// Kills and reaps every orphan that this process inherited, with all its descendants, at the latest until then.
pub fn sweep(until: Instant) -> Sweep {
    let family = family();
    let me = getpid();
    let own_session = session(me);
    let _alone = family.gate.write().unwrap_or_else(PoisonError::into_inner);
    let spared = family.spared().clone();
    let (mut reaped, mut rounds) = (0, 0);
    loop {
        let mut orphans = family.lookup.children(me);
        orphans.retain(|&orphan| !spared.contains(&orphan.as_raw_pid()) && session(orphan) != own_session);
        if orphans.is_empty() {
            return Sweep { reaped, clean: true };
        }
        if Instant::now() >= until {
            return Sweep { reaped, clean: false };
        }
        for &orphan in &orphans {
            let descendants = family.lookup.descendants(orphan);
            Member { pid: orphan, parent: me }.kill(me);
            descendants.into_iter().for_each(|member| member.kill(me));
        }
        let glance = until.min(Instant::now() + GLANCE);
        for orphan in orphans {
            await_end(orphan, glance);
            reaped += u32::from(reap(orphan));
        }
        breathe(&mut rounds);
    }
}
