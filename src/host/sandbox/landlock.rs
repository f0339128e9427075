//! Files, TCP ports, abstract sockets and signals, by Landlock.

use std::fs;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};

use super::{Confinement, SYSTEM_FILES};

/// The newest ABI whose rights are asked for. What an older kernel does not know is left out.
const NEWEST: ABI = ABI::V7;

/// What of the running system any program may read.
const SYSTEM_STATE: [&str; 8] = [
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/vm/overcommit_memory",
    "/proc/version",
    "/sys/devices/system/cpu",
    "/sys/kernel/mm/transparent_hugepage",
];

/// The devices that any program may use.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// The newest ABI that this kernel and this module both know; 0 if there is no Landlock.
pub fn abi() -> u32 {
    // Asking for a rule set by name restricts nobody.
    (1..=NEWEST as u32)
        .rev()
        .find(|&abi| create(ABI::from(abi as i32), CompatLevel::HardRequirement).is_ok())
        .unwrap_or(0)
}

/// Rules that are ready to be put on.
pub struct Prepared(RulesetCreated);

/// Opens everything that the rules name.
pub fn prepare(confinement: &Confinement) -> Result<Prepared, String> {
    prepare_rules(confinement).map(Prepared).map_err(|error| format!("Landlock: {error}"))
}

impl Prepared {
    /// Binds this process.
    pub fn put_on(self) -> Result<(), String> {
        match self.0.restrict_self() {
            Ok(status) if status.ruleset != RulesetStatus::NotEnforced => Ok(()),
            Ok(_) => Err("Landlock: the kernel does not enforce it".to_owned()),
            Err(error) => Err(format!("Landlock: {error}")),
        }
    }
}

fn create(abi: ABI, level: CompatLevel) -> Result<RulesetCreated, landlock::RulesetError> {
    let mut rules = Ruleset::default().set_compatibility(level).handle_access(AccessFs::from_all(abi))?;
    if abi >= ABI::V4 {
        rules = rules.handle_access(AccessNet::from_all(abi))?;
    }
    if abi >= ABI::V6 {
        rules = rules.scope(Scope::from_all(abi))?;
    }
    rules.create()
}

fn prepare_rules(confinement: &Confinement) -> Result<RulesetCreated, landlock::RulesetError> {
    let mut rules = create(NEWEST, CompatLevel::BestEffort)?;
    if confinement.network {
        rules = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(NEWEST))?
            .scope(Scope::Signal)?
            .create()?;
    }
    let read = AccessFs::from_read(NEWEST);
    let system = SYSTEM_FILES.iter().chain(&SYSTEM_STATE).map(PathBuf::from).chain(java_configuration());
    for path in system.chain(confinement.read.iter().cloned()) {
        rules = allow(rules, &path, read)?;
    }
    for path in DEVICES {
        rules = allow(rules, Path::new(path), AccessFs::ReadFile | AccessFs::WriteFile)?;
    }
    // Nobody needs devices, sockets or named pipes, which would lead to others.
    let special = AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSock | AccessFs::MakeFifo;
    for path in confinement.write.iter().chain(&confinement.scratch) {
        rules = allow(rules, path, AccessFs::from_all(NEWEST) & !special & !AccessFs::IoctlDev)?;
    }
    Ok(rules)
}

/// Lets something through under a path; a path that is not there needs no rule.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, landlock::RulesetError> {
    let Ok(open) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST) };
    rules.add_rule(PathBeneath::new(open, access))
}

/// Where Debian's Java has its configuration, without which it does not start.
fn java_configuration() -> impl Iterator<Item = PathBuf> {
    let names = fs::read_dir("/etc").into_iter().flatten().flatten();
    names
        .map(|entry| entry.path())
        .filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("java-")))
}
