//! What the tests of the command line share: a folder to play in, bots to put into it, and runs of the program there.
//!
//! Every run is bounded by [`PATIENCE`], and everything that a test starts is found again by the path of its folder,
//! which stands in the `PATH` of the referee and so of every bot.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use assert_cmd::assert::Assert;
use predicates::Predicate;
use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

use crate::running::Running;

/// No run and no wait in these tests is longer.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// How a bot in the shell's language begins: words to play any legal game with.
///
/// `ready` answers `hello`, `ask` waits for the next question and takes the first legal move from it, `answer` plays
/// that, and `play` does both to the end.
const WORDS: &str = r#"#!/bin/sh
ready() { read -r hello; echo '{"type":"ready"}'; }
ask() {
    read -r line || exit 0
    case $line in *'"type":"over"'*) exit 0 ;; esac
    turn=${line#*'"turn":'}; turn=${turn%%[!0-9]*}
    move=${line#*'"legal":["'}; move=${move%%'"'*}
}
answer() { printf '{"type":"move","turn":%s,"move":"%s"}\n' "$turn" "$move"; }
play() { while ask; do answer; done; }
"#;

/// A folder of its own, gone with all that is in it when it is dropped.
pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Place {
        Place { folder: TempDir::with_prefix("arbitro-cli-").expect("a folder for temporary files") }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// Writes a file, and the folders that lead to it.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file in the folder")).expect("the folder can be made");
        fs::write(path, bytes).expect("the file can be written");
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name} cannot be read: {error}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("the file is text")
    }

    /// The lines of a log that have this tag, without it.
    pub fn logged(&self, log: &str, tag: &str) -> Vec<Value> {
        let lines = self.text(log);
        let read = |line: &str| serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        lines.lines().map(read).filter_map(|mut line| Some(line.get_mut(tag)?.take())).collect()
    }

    /// What a seat wrote to stderr, as far as the beginning is kept in `g.jsonl`: it may have come in many pieces.
    pub fn stderr_of(&self, seat: u64) -> String {
        let notes = self.logged("g.jsonl", "host");
        let texts = notes.iter().filter(|note| note["stderr"]["seat"] == seat);
        texts.filter_map(|note| note["stderr"]["text"].as_str()).collect()
    }

    /// Lets everybody write here, the users of bots too.
    pub fn open_to_all(&self) {
        fs::set_permissions(self.folder(), fs::Permissions::from_mode(0o777)).expect("the folder is ours");
    }

    /// Writes an executable file; the word that names it as a player.
    pub fn program(&self, name: &str, text: &str) -> String {
        self.write(name, text);
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).expect("the file is ours");
        format!("./{name}")
    }

    /// A bot in the shell's language, with the words `ready`, `ask`, `answer` and `play`; the word that names it.
    pub fn bot(&self, name: &str, script: &str) -> String {
        self.program(name, &format!("{WORDS}{script}\n"))
    }

    /// The program, to be run in this folder.
    pub fn command(&self, line: &str) -> Command {
        let words = shell_words::split(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let mut path = std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
        path.push(":");
        path.push(self.folder());
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbitro"));
        command.args(words.iter().map(OsString::from)).current_dir(self.folder()).env("PATH", path);
        command.env_remove("NO_COLOR").env_remove("RUST_BACKTRACE");
        command
    }

    /// Runs `arbitro` with the words of this line to its end.
    pub fn run(&self, line: &str) -> Ran {
        self.run_with(line, b"")
    }

    /// Runs it with this on its standard input.
    pub fn run_with(&self, line: &str, input: &[u8]) -> Ran {
        let began = Instant::now();
        let mut command = assert_cmd::Command::from_std(self.command(line));
        let assert = command.write_stdin(input).timeout(PATIENCE).assert();
        let took = began.elapsed();
        assert!(took < PATIENCE, "it did not end in time: arbitro {line}");
        Ran { assert, took, line: line.to_owned() }
    }

    /// Starts it and lets it run.
    pub fn start(&self, line: &str) -> Running {
        Running::start(self.command(line))
    }

    /// Plays one game to its end; its log is `g.jsonl`.
    pub fn play(&self, line: &str) -> Played {
        let ran = self.run(&format!("play {line} --log g.jsonl --json"));
        let mut rows = ran.rows();
        assert_eq!(rows.len(), 1, "one game has one result: {}", ran.shown());
        Played { row: rows.remove(0), ran }
    }

    /// Runs what must be refused: with this exit code, on stderr one line that holds these words, nothing on stdout,
    /// and everything else as it was.
    pub fn refuses(&self, code: i32, line: &str, words: &[&str]) {
        let before = self.files();
        let ran = self.run(line).code(code).out(predicates::str::is_empty());
        let told = ran.stderr();
        match told.strip_prefix("error: ") {
            // The parser of the command line adds how a command is written, and where more is to be read.
            Some(parsed) => assert!(parsed.contains("try '--help'"), "{}", ran.shown()),
            None => {
                assert!(told.starts_with("arbitro: "), "{}", ran.shown());
                assert_eq!(told.matches('\n').count(), 1, "one line: {}", ran.shown());
                assert!(told.len() < 500, "a line that can be read: {}", ran.shown());
            }
        }
        for word in words {
            assert!(told.contains(word), "“{word}” is not said: {}", ran.shown());
        }
        assert_eq!(self.files(), before, "nothing is left behind: arbitro {line}");
        self.is_empty_of_processes();
    }

    /// All files in the folder and below it, in order.
    pub fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.folder().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("the folder can be read").flatten() {
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(entry.path());
                }
                let path = entry.path();
                found.push(path.strip_prefix(self.folder()).expect("it is below").display().to_string());
            }
        }
        found.sort();
        found
    }

    /// The processes that belong to this folder, ended ones not counted: itself or one above it was started as a file in
    /// it, or with its path among its arguments, or by a referee in it.
    pub fn processes(&self) -> Vec<i32> {
        let marker = self.folder().as_os_str().as_encoded_bytes();
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").expect("/proc is there").flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            let holds = |file: &str| {
                let mut bytes = Vec::new();
                let opened = fs::File::open(entry.path().join(file));
                opened.is_ok_and(|mut file| file.read_to_end(&mut bytes).is_ok())
                    && bytes.windows(marker.len()).any(|window| window == marker)
            };
            if holds("cmdline") || holds("environ") {
                found.push(pid);
            }
        }
        found
    }

    /// Asserts that no process of this folder is left.
    pub fn is_empty_of_processes(&self) {
        assert_eq!(self.processes(), Vec::<i32>::new(), "processes are left");
    }
}

/// A run that came to its end.
pub struct Ran {
    assert: Assert,
    line: String,
    pub took: Duration,
}

impl Ran {
    pub fn code(self, code: i32) -> Ran {
        assert!(!self.stderr().contains("panicked"), "a panic: {}", self.shown());
        assert_eq!(self.assert.get_output().status.code(), Some(code), "the exit code of {}", self.shown());
        self
    }

    pub fn out(self, expected: impl Predicate<str>) -> Ran {
        assert!(expected.eval(&self.stdout()), "stdout, {expected}: {}", self.shown());
        self
    }

    pub fn err(self, expected: impl Predicate<str>) -> Ran {
        assert!(expected.eval(&self.stderr()), "stderr, {expected}: {}", self.shown());
        self
    }

    /// On stdout exactly this.
    pub fn prints(self, expected: &str) -> Ran {
        assert_eq!(self.stdout(), expected, "{}", self.shown());
        self
    }

    /// On stdout these words, each somewhere.
    pub fn says(self, words: &[&str]) -> Ran {
        words.iter().fold(self, |ran, &word| ran.out(contains(word)))
    }

    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.assert.get_output().stdout).into_owned()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.assert.get_output().stderr).into_owned()
    }

    pub fn lines(&self) -> Vec<String> {
        self.stdout().lines().map(str::to_owned).collect()
    }

    /// The lines of stdout as JSON.
    pub fn rows(&self) -> Vec<Value> {
        let read =
            |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}: {}", self.shown()));
        self.stdout().lines().map(read).collect()
    }

    /// What was run and what it wrote, to be shown with a failure.
    pub fn shown(&self) -> String {
        format!("arbitro {}\n--- stdout\n{}--- stderr\n{}---", self.line, self.stdout(), self.stderr())
    }
}

/// One game that was played, with its result as JSON.
pub struct Played {
    pub ran: Ran,
    pub row: Value,
}

impl Played {
    /// The kinds of all faults, each after the number of its seat: `0 timeout`.
    pub fn faults(&self) -> Vec<String> {
        let faults = self.row["faults"].as_array().expect("a list of faults");
        faults.iter().map(|fault| format!("{} {}", fault["seat"], fault["kind"].as_str().expect("a kind"))).collect()
    }

    /// The words of the first fault.
    pub fn words(&self) -> &str {
        self.row["faults"][0]["words"].as_str().expect("a fault in words")
    }

    /// The result and the reason for it: `decided by goal`.
    pub fn ending(&self) -> String {
        let word = |key: &str| self.row[key].as_str().expect("a word").to_owned();
        format!("{} by {}", word("result"), word("reason"))
    }

    pub fn winner(&self) -> Option<u64> {
        self.row["winner"].as_u64()
    }
}

/// Waits until a condition holds.
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "never came true: {what}");
        std::thread::sleep(Duration::from_millis(3));
    }
}

/// Whether `python3` can be run; says so if not, and fails where everything must be tested.
pub fn python_is_there() -> bool {
    is_there("python3")
}

/// Whether a program is installed; a test of it is skipped where it is not, but never in CI.
pub fn is_there(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{program} not found");
        println!("skipped: {program} not found");
    }
    there
}
