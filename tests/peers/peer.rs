//! A program of others behind a script of ours: questions in, answers out, a line of JSON each.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

/// A script that runs.
pub struct Peer {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts a script of `tests/peers` that needs these Python packages; nothing, and a word about it, where they are
    /// missing.
    ///
    /// # Panics
    /// If they are missing and `CI` is `true`.
    pub fn start(script: &str, packages: &[&str]) -> Option<Peer> {
        let python = python();
        let imports = packages.join(", ");
        let found = Command::new(&python).args(["-c", &format!("import {imports}")]).stderr(Stdio::null()).status();
        if !found.is_ok_and(|status| status.success()) {
            let words = format!("{} has no {imports}: see tests/peers/main.rs", python.display());
            assert!(std::env::var("CI").as_deref() != Ok("true"), "{words}");
            eprintln!("skipped: {words}");
            return None;
        }
        let mut child = Command::new(&python)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers").join(script))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python starts");
        let questions = child.stdin.take().expect("it is a pipe");
        let answers = BufReader::new(child.stdout.take().expect("it is a pipe"));
        Some(Peer { child, questions, answers })
    }

    /// Asks, and waits for the answer.
    pub fn ask(&mut self, question: &Value) -> Value {
        writeln!(self.questions, "{question}").expect("the script reads");
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("the script writes");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{question} was answered with {line:?}: {error}"))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It ends at the end of its input; this one is done with it now.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The interpreter that has the packages: the one in `target/peers`, if there is one.
fn python() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/peers/bin/python");
    if own.exists() { own } else { PathBuf::from("python3") }
}
