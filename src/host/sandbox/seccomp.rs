//! System calls, by a seccomp filter: a list of what no player of a board game needs.
//!
//! What is on the list fails with `EPERM`, as if this machine did not allow it; calls that came after the list was
//! written fail with `ENOSYS`, as on an older kernel. On a foreign entry into the kernel (32-bit calls on a 64-bit
//! machine) the bot is killed.

use std::collections::BTreeMap;
use std::fs;

use libc::*;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

/// Calls that fail whatever their arguments are.
#[rustfmt::skip]
const DENIED: &[c_long] = &[
    // Into other processes, or away from the referee's reach.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_getfd, SYS_kcmp, SYS_process_madvise,
    SYS_process_mrelease, SYS_setsid, SYS_setpgid, SYS_setpriority, SYS_ioprio_set, SYS_sched_setaffinity,
    SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_migrate_pages, SYS_move_pages, SYS_mbind,
    // Signals to come, of any number: a frozen bot would have itself woken by SIGCONT.
    SYS_timer_create, SYS_mq_notify,
    // Rings take calls past this filter.
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
    // The kernel itself.
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_personality,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff,
    SYS_acct, SYS_quotactl, SYS_syslog, SYS_vhangup, SYS_fanotify_init, SYS_inotify_add_watch, SYS_lookup_dcookie,
    SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_sethostname, SYS_setdomainname,
    // Other views of the file system.
    SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_open_tree, SYS_move_mount,
    SYS_fsopen, SYS_fsmount, SYS_fspick, SYS_fsconfig, SYS_mount_setattr, SYS_name_to_handle_at,
    SYS_open_by_handle_at, SYS_mknodat,
    // Owners, rights, times and attributes of files, which Landlock leaves to anybody; locks, which are a way to talk.
    SYS_fchmod, SYS_fchmodat, SYS_fchmodat2, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr,
    SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_flock,
    // Memory and queues that outlive or leave a process.
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_msgget, SYS_msgctl, SYS_semget, SYS_semctl, SYS_mq_open, SYS_mq_unlink,
    SYS_memfd_secret,
];

/// Those that only this kind of processor has.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const DENIED_HERE: &[c_long] = &[
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat, SYS_mknod, SYS_iopl, SYS_ioperm,
    SYS_modify_ldt, SYS_kexec_file_load,
];
#[cfg(not(target_arch = "x86_64"))]
const DENIED_HERE: &[c_long] = &[];

/// The first number of a call that this list does not know, and how many after it are taken for not there.
const UNKNOWN: std::ops::Range<c_long> = 463..600;

/// Set in the number of a call in the x32 way, which has other numbers for the same calls.
const X32: c_long = 0x4000_0000;

/// A filter that is ready to be put on.
pub struct Prepared([BpfProgram; 2]);

/// Whether this kernel has filters.
pub fn is_there() -> bool {
    let actions = fs::read_to_string("/proc/sys/kernel/seccomp/actions_avail").unwrap_or_default();
    actions.split_ascii_whitespace().any(|action| action == "errno")
}

/// Builds the filter.
pub fn prepare(network: bool) -> Result<Prepared, String> {
    let built = || -> Result<Prepared, BackendError> {
        let refused = build(refused(network)?, EPERM)?;
        let absent = build(absent(), ENOSYS)?;
        Ok(Prepared([absent, refused]))
    };
    built().map_err(|error| format!("seccomp: {error}"))
}

impl Prepared {
    /// Binds this process.
    pub fn put_on(self) -> Result<(), String> {
        self.0.iter().try_for_each(|program| apply_filter(program)).map_err(|error| format!("seccomp: {error}"))
    }
}

type Rules = BTreeMap<c_long, Vec<SeccompRule>>;

fn build(mut rules: Rules, errno: c_int) -> Result<BpfProgram, BackendError> {
    if cfg!(target_arch = "x86_64") {
        let again: Vec<_> = rules.iter().map(|(call, rules)| (call | X32, rules.clone())).collect();
        rules.extend(again);
    }
    let machine: TargetArch = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(errno as u32), machine)?.try_into()
}

/// Calls that are taken for not there: `clone3`, whose flags no filter can see (the C library goes back to `clone`),
/// `memfd_create`, whose files are memory that is counted nowhere (runtimes do without it), and what is newer than the
/// list.
fn absent() -> Rules {
    [SYS_clone3, SYS_memfd_create].into_iter().chain(UNKNOWN).map(|call| (call, vec![])).collect()
}

/// Calls that are not allowed, and those that are not with some arguments.
fn refused(network: bool) -> Result<Rules, BackendError> {
    let always = DENIED.iter().chain(DENIED_HERE).copied().chain((!network).then_some(SYS_socket));
    let mut rules: Rules = always.map(|call| (call, vec![])).collect();
    let spaces = [CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP];
    let mut clone = any(0, spaces.map(|flag| (SeccompCmpOp::MaskedEq(flag as u64), flag as u64)))?;
    // The signal at the end of a child, or of a parent, that would wake a frozen bot.
    clone.extend(any(0, [(SeccompCmpOp::MaskedEq(CSIGNAL as u64), SIGCONT as u64)])?);
    rules.insert(SYS_clone, clone);
    let woken_by_parent = [is(0, PR_SET_PDEATHSIG as u64)?, is(1, SIGCONT as u64)?];
    // Closing itself to the referee, which looks at what it uses.
    let closed = [is(0, PR_SET_DUMPABLE as u64)?, is(1, 0)?];
    let settings = [woken_by_parent, closed].map(|setting| SeccompRule::new(setting.to_vec()));
    rules.insert(SYS_prctl, settings.into_iter().collect::<Result<_, _>>()?);
    // Typing into a terminal.
    rules.insert(SYS_ioctl, any(1, [TIOCSTI, TIOCLINUX].map(|request| (SeccompCmpOp::Eq, request)))?);
    // Limits of others.
    rules.insert(SYS_prlimit64, any(0, [(SeccompCmpOp::Ne, 0)])?);
    // Signals by way of a descriptor, locks, and the size of pipes, which is a stock that all of a user share.
    let (set_signal, set_owner) = (10, 15); // F_SETSIG, F_SETOWN_EX
    let commands = [
        F_SETOWN,
        set_signal,
        set_owner,
        F_SETLEASE,
        F_NOTIFY,
        F_SETPIPE_SZ,
        F_SETLK,
        F_SETLKW,
        F_OFD_SETLK,
        F_OFD_SETLKW,
    ];
    rules.insert(SYS_fcntl, any(1, commands.map(|command| (SeccompCmpOp::Eq, command as u64)))?);
    if !network {
        rules.insert(SYS_socketpair, any(0, [(SeccompCmpOp::Ne, AF_UNIX as u64)])?);
    }
    Ok(rules)
}

/// That an argument, taken as 32 bits, is this.
fn is(argument: u8, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}

/// Rules that hold when an argument compares to any of the values; arguments are taken as 32 bits.
fn any<const N: usize>(argument: u8, values: [(SeccompCmpOp, u64); N]) -> Result<Vec<SeccompRule>, BackendError> {
    let rule =
        |(how, value)| SeccompRule::new(vec![SeccompCondition::new(argument, SeccompCmpArgLen::Dword, how, value)?]);
    values.into_iter().map(rule).collect()
}
