//! Files that are not the bot's own: in the folder of its rival there is one called `secret`.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::id;

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, inotify, utimensat};

use super::Attempt;

pub(super) const ATTEMPTS: &[Attempt<PathBuf>] = &[
    ("read-secret", |rival| fs::read(secret(rival)).map(drop)),
    ("list-rival", |rival| fs::read_dir(rival).map(drop)),
    ("stat-secret", |rival| fs::metadata(secret(rival)).map(drop)),
    ("read-passwd", |_| fs::read("/etc/passwd").map(drop)),
    ("list-tmp", |_| fs::read_dir("/tmp").map(drop)),
    ("write-rival", |rival| plant(rival)),
    ("write-here", |_| plant(Path::new("."))),
    ("write-tmp", |_| plant(Path::new("/tmp"))),
    ("write-shm", |_| plant(Path::new("/dev/shm"))),
    ("change-secret", |rival| {
        let file = File::options().write(true).open(secret(rival))?;
        file.set_len(file.metadata()?.len())
    }),
    ("make-folder", |rival| {
        let made = named(rival);
        fs::create_dir(&made)?;
        fs::remove_dir(made)
    }),
    ("link-secret", |rival| {
        let made = named(rival);
        fs::hard_link(secret(rival), &made)?;
        fs::remove_file(made)
    }),
    ("read-through-symlink", |rival| {
        let made = named(Path::new("/tmp"));
        symlink(secret(rival), &made)?;
        let read = fs::read(&made);
        fs::remove_file(made)?;
        read.map(drop)
    }),
    ("rename-secret", |rival| {
        let moved = named(rival);
        fs::rename(secret(rival), &moved)?;
        fs::rename(moved, secret(rival))
    }),
    ("chmod-secret", |rival| fs::set_permissions(secret(rival), fs::metadata(secret(rival))?.permissions())),
    ("touch-secret", |rival| {
        let now = fs::metadata(secret(rival))?;
        let times = Timestamps {
            last_access: Timespec { tv_sec: now.atime(), tv_nsec: now.atime_nsec() },
            last_modification: Timespec { tv_sec: now.mtime(), tv_nsec: now.mtime_nsec() },
        };
        Ok(utimensat(CWD, secret(rival), &times, AtFlags::empty())?)
    }),
    ("watch-secret", |rival| {
        let watch = inotify::init(inotify::CreateFlags::CLOEXEC)?;
        Ok(inotify::add_watch(watch, secret(rival), inotify::WatchFlags::ACCESS).map(drop)?)
    }),
];

fn secret(rival: &Path) -> PathBuf {
    rival.join("secret")
}

/// A name in a folder that nobody else uses.
fn named(folder: &Path) -> PathBuf {
    folder.join(format!("arbitro-faulty-{}", id()))
}

fn plant(folder: &Path) -> io::Result<()> {
    fs::write(named(folder), "planted\n")?;
    fs::remove_file(named(folder))
}
