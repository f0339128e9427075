//! Control groups, where this process may make some (cgroup v2): they hold a bot with everything that it starts, whatever
//! sessions it moves to, and need no controller for what is used here: to kill, to freeze, and to count processor time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::sandbox::is_pretended_missing;
use crate::clock::Span;

/// What the names of groups begin with; the number of the referee follows.
const PREFIX: &str = "arbitro-";

/// A place where groups can be made: the referee's own group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Groups(PathBuf);

impl Groups {
    /// The place, if this process has one: a group is made there to see that it can be. Groups of referees that were killed
    /// are removed.
    pub fn find() -> Option<Groups> {
        if is_pretended_missing("cgroup") {
            return None;
        }
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let groups = Groups(place(&mounts, &own)?);
        groups.make().ok()?;
        groups.sweep();
        Some(groups)
    }

    /// Removes what is left of referees that are gone; the kernel keeps a group in which somebody is.
    fn sweep(&self) {
        for entry in fs::read_dir(&self.0).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let referee = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next());
            if referee.is_some_and(|referee| !Path::new("/proc").join(referee).exists()) {
                let _ = remove(&entry.path());
            }
        }
    }

    /// Makes a group in which nobody is yet.
    ///
    /// # Errors
    /// When it cannot be made, or the kernel is too old to kill and freeze groups.
    pub fn make(&self) -> io::Result<Group> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let group = loop {
            let number = MADE.fetch_add(1, Ordering::Relaxed);
            let path = self.0.join(format!("{PREFIX}{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                // Left by a referee that had this number before.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => break made.map(|()| Group(path))?,
            }
        };
        for file in ["cgroup.kill", "cgroup.freeze", "cpu.stat"] {
            fs::metadata(group.0.join(file))?;
        }
        Ok(group)
    }
}

/// A group, removed when it is dropped; nobody may be in it by then.
#[derive(Debug)]
pub struct Group(PathBuf);

impl Group {
    /// Its folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Freezes all in it, or lets them go on.
    ///
    /// # Errors
    /// Those of the system.
    pub fn freeze(&self, frozen: bool) -> io::Result<()> {
        fs::write(self.0.join("cgroup.freeze"), if frozen { "1" } else { "0" })
    }

    /// The processor time of all that were ever in it.
    pub fn cpu(&self) -> Option<Span> {
        cpu(&self.0)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        match remove(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!("the group {} cannot be removed: {error}", self.0.display());
            }
            // The keeper was quicker.
            Ok(()) | Err(_) => {}
        }
    }
}

/// Moves this process into a group.
pub(super) fn enter(group: &Path) -> io::Result<()> {
    fs::write(group.join("cgroup.procs"), "0")
}

/// The processor time of all that were ever in a group.
pub(super) fn cpu(group: &Path) -> Option<Span> {
    let stat = fs::read_to_string(group.join("cpu.stat")).ok()?;
    let micros: u64 = stat.lines().find_map(|line| line.strip_prefix("usage_usec "))?.trim().parse().ok()?;
    Some(Span(micros.saturating_mul(1000)))
}

/// Kills all in a group. A group that is gone has nobody in it.
pub(super) fn kill(group: &Path) {
    let _ = fs::write(group.join("cgroup.kill"), "1");
}

/// Removes a group that nobody is left in.
pub(super) fn remove(group: &Path) -> io::Result<()> {
    fs::remove_dir(group)
}

/// Where this process's own group lies, from the lists of mounts and of its groups.
fn place(mounts: &str, own: &str) -> Option<PathBuf> {
    let path = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    // After the fields of a mount comes a dash, and then the kind of file system; the fifth field is where it is.
    let mount =
        mounts.lines().find(|line| line.split_once(" - ").is_some_and(|(_, kind)| kind.starts_with("cgroup2 ")))?;
    let root = mount.split(' ').nth(4)?;
    Some(Path::new(root).join(path.trim_start_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_found_among_mounts_of_both_kinds() {
        let mounts = "30 23 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n\
                      31 30 0:27 / /sys/fs/cgroup/unified rw,nosuid - cgroup2 cgroup2 rw\n";
        let own = "2:cpu:/\n0::/user.slice/one\n";
        assert_eq!(place(mounts, own), Some("/sys/fs/cgroup/unified/user.slice/one".into()));
        assert_eq!(place("30 23 0:26 / /sys rw - sysfs sysfs rw", own), None);
        assert_eq!(place(mounts, "2:cpu:/\n"), None);
    }

    #[test]
    fn a_group_that_can_be_made_is_gone_when_it_is_dropped() {
        let Some(groups) = Groups::find() else { return println!("no group can be made here") };
        let group = groups.make().unwrap();
        let path = group.path().to_owned();
        assert!(path.exists() && group.cpu() == Some(Span::ZERO));
        drop(group);
        assert!(!path.exists());
    }

    #[test]
    fn what_a_killed_referee_left_is_removed_and_in_nobodys_way() {
        let Some(groups) = Groups::find() else { return println!("no group can be made here") };
        let group = groups.make().unwrap();
        let name = group.path().file_name().unwrap().to_str().unwrap();
        let number: u32 = name.rsplit('-').next().unwrap().parse().unwrap();
        let ahead = groups.0.join(format!("{PREFIX}{}-{}", std::process::id(), number + 5));
        let gone = groups.0.join(format!("{PREFIX}999999999-3"));
        [&ahead, &gone].iter().for_each(|path| fs::create_dir(path).unwrap());
        let more: Vec<Group> = (0..9).map(|_| groups.make().unwrap()).collect();
        assert!(Groups::find().is_some() && !gone.exists());
        assert!(ahead.exists() && group.path().exists() && more.iter().all(|group| group.path().exists()));
        fs::remove_dir(ahead).unwrap();
    }
}
