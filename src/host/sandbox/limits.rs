//! What a bot may use, as limits of the kernel on each of its processes.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};

use crate::protocol;

/// Limits on each process of a bot; `None` leaves what the referee has.
///
/// A limit above what the referee itself may grant is cut to that.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Open descriptors.
    pub open_files: Option<u64>,
    /// The size of each file that it writes, in bytes.
    pub file_bytes: Option<u64>,
    /// Private memory, in bytes.
    pub memory_bytes: Option<u64>,
    /// Processes and threads of the bot's user. Not enforced for root.
    pub processes: Option<u64>,
    /// Processor time, in seconds.
    pub cpu_seconds: Option<u64>,
}

/// How far above what a bot may use the kernel's own limits lie, where the bot is looked at: it is to be seen over a
/// limit, and told so, before the kernel refuses it something without a word.
const ABOVE: u64 = 2;

impl Limits {
    /// The limits of the kernel for a bot that may use so much. The kernel counts threads as
    /// processes, and for each user: that limits the bot alone only where it has a user of its own.
    pub fn below(limits: &protocol::limits::Limits, has_own_user: bool) -> Limits {
        let above = |limit: Option<u64>| limit.map(|limit| limit.saturating_mul(ABOVE));
        Limits {
            open_files: above(limits.open_files),
            file_bytes: limits.file_bytes,
            memory_bytes: above(limits.memory_bytes),
            processes: limits.threads().filter(|_| has_own_user),
            cpu_seconds: limits.cpu_ms.map(|ms| ms.div_ceil(1000).saturating_add(1)),
        }
    }

    /// Limits this process and all that it will start. The order is that of the fields, core files first.
    pub(super) fn put_on(&self) -> Result<(), String> {
        let wanted = [
            ("core files", Resource::Core, Some(0)),
            ("open files", Resource::Nofile, self.open_files),
            ("file size", Resource::Fsize, self.file_bytes),
            ("memory", Resource::Data, self.memory_bytes),
            ("processes", Resource::Nproc, self.processes),
            ("processor time", Resource::Cpu, self.cpu_seconds),
        ];
        for (name, resource, limit) in wanted {
            let Some(limit) = limit else { continue };
            let most = getrlimit(resource).maximum.unwrap_or(u64::MAX);
            let limit = Some(limit.min(most));
            setrlimit(resource, Rlimit { current: limit, maximum: limit })
                .map_err(|error| format!("the limit of {name} cannot be set: {error}"))?;
        }
        Ok(())
    }
}
