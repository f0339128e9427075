//! Processes below this one, as `/proc` shows them: to look at bots from outside, without asking their keepers.

use std::fs;
use std::time::Duration;

use rustix::param::clock_ticks_per_second;

/// A process; the moment of its start tells it from a later one with the same number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    pub pid: i32,
    pub name: String,
    parent: i32,
    session: i32,
    started: u64,
    alive: bool,
    ticks: u64,
}

impl Process {
    /// All processes below this one.
    pub fn family() -> Vec<Process> {
        let pids = fs::read_dir("/proc").into_iter().flatten().flatten();
        let all: Vec<Process> =
            pids.filter_map(|entry| Process::look(entry.file_name().to_str()?.parse().ok()?)).collect();
        let mut found: Vec<Process> = Vec::new();
        let mut parents = vec![std::process::id() as i32];
        while let Some(parent) = parents.pop() {
            for child in all.iter().filter(|process| process.parent == parent) {
                parents.push(child.pid);
                found.push(child.clone());
            }
        }
        found
    }

    fn look(pid: i32) -> Option<Process> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name may hold anything.
        let (front, rest) = stat.rsplit_once(") ")?;
        let fields: Vec<&str> = rest.split(' ').collect();
        let number = |place: usize| fields.get(place)?.parse::<u64>().ok();
        Some(Process {
            pid,
            name: front.split_once(" (")?.1.to_owned(),
            parent: fields.get(1)?.parse().ok()?,
            session: fields.get(3)?.parse().ok()?,
            started: number(19)?,
            alive: !matches!(*fields.first()?, "Z" | "X"),
            ticks: number(11)? + number(12)?,
        })
    }

    fn now(&self) -> Option<Process> {
        Process::look(self.pid).filter(|now| now.started == self.started)
    }

    /// Whether it still runs, not just waits to be reaped.
    pub fn is_alive(&self) -> bool {
        self.now().is_some_and(|now| now.alive)
    }

    /// Whether it leads a session of its own.
    pub fn leads_a_session(&self) -> bool {
        self.session == self.pid
    }

    /// Whether this word is among its arguments.
    pub fn is_called_with(&self, word: &str) -> bool {
        let words = fs::read(format!("/proc/{}/cmdline", self.pid)).unwrap_or_default();
        words.split(|&byte| byte == 0).any(|argument| argument == word.as_bytes())
    }

    /// The processor time that it has used so far, in steps of usually 10 ms; none if it is gone.
    pub fn processor_time(&self) -> Option<Duration> {
        let ticks = self.now()?.ticks;
        Some(Duration::from_millis(ticks * 1000 / clock_ticks_per_second().max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_child_is_found_and_its_end_is_seen() {
        let mut child = Command::new("sleep").arg("100").stdin(Stdio::null()).spawn().unwrap();
        let found = Process::family().into_iter().find(|process| process.pid == child.id() as i32).unwrap();
        // Until it is what it is to become, it is called as this process.
        while !found.is_called_with("100") {
            std::thread::yield_now();
        }
        assert!(found.is_alive() && !found.leads_a_session() && !found.is_called_with("10"));
        assert!(found.processor_time().is_some_and(|time| time < Duration::from_secs(1)));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!found.is_alive() && found.processor_time().is_none());
    }
}
