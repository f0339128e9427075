//! What a bot may use, as limits of the kernel on each of its processes.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};

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

impl Limits {
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
