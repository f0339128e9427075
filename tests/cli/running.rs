//! A run of the program that goes on while a test looks at it, signals it, or waits for it.

use std::fs;
use std::io::{Read, Seek};
use std::os::unix::fs::FileExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::wait_until;

/// How long anything of a referee that was stopped or killed may live on: 2 s are promised, and a busy machine has more.
/// What does not stop would live much longer.
pub const SHORTLY: Duration = Duration::from_secs(8);

/// A program that runs. Dropped, it is killed.
pub struct Running {
    child: Child,
    stdout: fs::File,
    stderr: Option<fs::File>,
}

/// How a program ended, and what it wrote.
pub struct Ended {
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub took: Duration,
    pub stdout: String,
    pub stderr: String,
}

impl Running {
    pub fn start(command: Command) -> Running {
        let stderr = tempfile::tempfile().expect("a file");
        let mut running = Running::start_telling(command, stderr.try_clone().expect("a descriptor"));
        running.stderr = Some(stderr);
        running
    }

    /// Starts it with a stderr that is not read here.
    pub fn start_telling(mut command: Command, stderr: fs::File) -> Running {
        stop_ignoring();
        let stdout = tempfile::tempfile().expect("a file");
        command.stdin(Stdio::null()).stdout(stdout.try_clone().expect("a descriptor")).stderr(stderr);
        Running { child: command.spawn().expect("the program can be started"), stdout, stderr: None }
    }

    pub fn pid(&self) -> i32 {
        self.child.id().try_into().expect("a process id")
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("our own child");
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("our own child").is_some()
    }

    /// What it has written to stderr so far.
    pub fn told(&self) -> String {
        let file = self.stderr.as_ref().expect("it is kept");
        let mut bytes = vec![0; file.metadata().expect("a file").len() as usize];
        // The program writes on where the file stands.
        let read = file.read_at(&mut bytes, 0).expect("it can be read");
        String::from_utf8_lossy(&bytes[..read]).into_owned()
    }

    /// Waits for its end.
    pub fn wait(mut self) -> Ended {
        let began = Instant::now();
        wait_until("the program ends", || self.has_ended());
        let took = began.elapsed();
        let status = self.child.wait().expect("our own child");
        let read = |file: &mut fs::File| {
            let mut text = String::new();
            file.rewind().expect("a file");
            file.read_to_string(&mut text).expect("text");
            text
        };
        Ended {
            code: status.code(),
            signal: status.signal(),
            took,
            stdout: read(&mut self.stdout),
            stderr: self.stderr.as_mut().map(read).unwrap_or_default(),
        }
    }

    /// Everything below it: keepers, bots, and what these started.
    pub fn family(&self) -> Vec<Process> {
        let all = Process::all();
        let mut found: Vec<Process> = Vec::new();
        let mut parents = vec![self.pid()];
        while let Some(parent) = parents.pop() {
            for process in all.iter().filter(|process| process.parent == parent) {
                parents.push(process.pid);
                found.push(process.clone());
            }
        }
        found
    }

    /// Waits until so many processes are below it.
    pub fn family_of(&self, count: usize) -> Vec<Process> {
        wait_until("all processes of the game run", || self.family().len() >= count);
        self.family()
    }

    /// The most memory that it has had, in KiB (`VmHWM`).
    pub fn peak_memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().strip_suffix(" kB")?.parse().ok()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A process as `/proc` shows it; the moment of its start tells it from a later one with the same number.
#[derive(Clone, Debug)]
pub struct Process {
    pub pid: i32,
    pub name: String,
    parent: i32,
    started: u64,
    alive: bool,
}

impl Process {
    fn all() -> Vec<Process> {
        let entries = fs::read_dir("/proc").expect("/proc is there").flatten();
        entries.filter_map(|entry| Process::look(entry.file_name().to_str()?.parse().ok()?)).collect()
    }

    fn look(pid: i32) -> Option<Process> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (front, rest) = stat.rsplit_once(") ")?;
        let fields: Vec<&str> = rest.split(' ').collect();
        Some(Process {
            pid,
            name: front.split_once(" (")?.1.to_owned(),
            parent: fields[1].parse().ok()?,
            started: fields[19].parse().ok()?,
            alive: !matches!(fields[0], "Z" | "X"),
        })
    }

    /// Whether it still runs, not just waits to be reaped.
    pub fn is_alive(&self) -> bool {
        Process::look(self.pid).is_some_and(|now| now.started == self.started && now.alive)
    }
}

/// Waits until none of these runs any more; how long that took.
pub fn wait_for_end_of(processes: &[Process]) -> Duration {
    let began = Instant::now();
    wait_until("the processes end", || !processes.iter().any(Process::is_alive));
    began.elapsed()
}

/// Gives what is started from now on the signals at their default, even where this test run itself ignores them, as in
/// the background of a script: a signal that is caught is not ignored by what is started.
fn stop_ignoring() {
    let status = fs::read_to_string("/proc/self/status").expect("/proc is there");
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("a mask of signals").trim();
    let mask = u64::from_str_radix(mask, 16).expect("a mask of signals");
    for signal in [Signal::HUP, Signal::INT, Signal::TERM].map(Signal::as_raw) {
        if mask >> (signal - 1) & 1 == 1 {
            signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false))).expect("it can be caught");
        }
    }
}
