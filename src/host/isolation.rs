//! Namespaces for a bot, by bubblewrap: processes, files, network and names of its own.
//!
//! It stands between keeper and launcher, so that everything else is as it is without it: the launcher still puts on the
//! sandbox. The bot leads no session of its own then but stays in bubblewrap's process group, which is frozen as one; and
//! what is known of its end is what bubblewrap passes on, an exit code, 128 and more for a signal.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use super::program::look_up;
use super::sandbox::users::User;
use super::sandbox::{Confinement, SYSTEM_FILES};

/// Where the program of the referee lies in the namespaces of a bot.
const ARBITRO: &str = "/arbitro";

/// How bubblewrap is started for one bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Wrapper {
    /// The words of its command, up to what it is to run.
    argv: Vec<OsString>,
    /// The user that it runs as, if not the referee's: it gives nobody more rights then than that user has.
    user: Option<User>,
}

/// The program, if it is installed.
pub fn find() -> Option<PathBuf> {
    look_up(OsStr::new("bwrap"), &std::env::var_os("PATH").unwrap_or_default(), Path::new(""))
}

impl Wrapper {
    /// Bubblewrap's own processes: the one that waits outside, and the first one inside.
    pub(super) const PROCESSES: u64 = 2;

    /// Takes what the confinement lets through into the namespaces; the user becomes that of bubblewrap.
    pub fn new(bwrap: &Path, dir: &Path, confinement: &mut Confinement) -> Wrapper {
        let mut argv: Vec<OsString> = vec![bwrap.into()];
        let own = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"];
        argv.extend(own.map(OsString::from));
        if !confinement.network {
            argv.push("--unshare-net".into());
        }
        let mut bind = |how: &str, path: &Path| argv.extend([how.into(), path.into(), path.into()]);
        SYSTEM_FILES.iter().for_each(|path| bind("--ro-bind-try", Path::new(path)));
        let mut shared: Vec<(&PathBuf, &str)> = confinement.read.iter().map(|path| (path, "--ro-bind")).collect();
        shared.extend(confinement.write.iter().chain(&confinement.scratch).map(|path| (path, "--bind")));
        // What lies in another folder of the list comes after it.
        shared.sort_unstable();
        let is_outside = |path: &Path| !path.starts_with("/proc");
        shared.into_iter().filter(|(path, _)| is_outside(path)).for_each(|(path, how)| bind(how, path));
        let this = std::env::current_exe().unwrap_or_default();
        argv.extend(["--proc".into(), "/proc".into(), "--dev".into(), "/dev".into()]);
        argv.extend(["--dir".into(), dir.into(), "--ro-bind".into(), this.into(), ARBITRO.into(), "--".into()]);
        Wrapper { argv, user: confinement.user.take() }
    }

    /// Whether it works here.
    ///
    /// # Errors
    /// What bubblewrap says, in a line, where it does not.
    pub fn test(&self) -> Result<(), String> {
        let output = self.command().arg("/bin/true").env_clear().output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.success() { Ok(()) } else { Err(said.lines().next().unwrap_or("it ends").to_owned()) }
    }

    /// The command of a launcher inside, which is given this descriptor, inherited, as its standard input. Bubblewrap
    /// closes its own copies of all descriptors but the first three, so that nobody else holds this one open.
    ///
    /// # Errors
    /// When the descriptor has more digits than the shell knows.
    pub fn launcher(&self, words: &[&str], socket: i32) -> io::Result<Command> {
        if socket > 9 {
            return Err(io::Error::other("too many files are open in the keeper"));
        }
        let mut command = self.command();
        command.args(["/bin/sh", "-c", &format!("exec \"$0\" \"$@\" <&{socket} {socket}<&-"), ARBITRO]).args(words);
        command.stdin(Stdio::null()).process_group(0);
        Ok(command)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.argv[0]);
        command.args(&self.argv[1..]);
        if let Some(User(number)) = self.user {
            command.uid(number).gid(number);
        }
        command
    }
}
