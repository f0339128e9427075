//! What is reported when a program that was found cannot be started after all.

use std::fs::{self, File, OpenOptions, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use arbitro::host::{Blame, Confinement, Player, Program, Report};

use crate::support::{arbitro, finish, read_to_end, reports_until, words};

/// A folder with a program in it that says hello.
fn with_program() -> (tempfile::TempDir, PathBuf, Program) {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("bot");
    fs::copy("/bin/echo", &path).expect("a program to copy");
    let argv = words(&[path.to_str().expect("a plain path"), "hello"]);
    let program = Program::find(&argv, folder.path(), &[]).expect("it can be started");
    (folder, path, program)
}

fn start(program: &Program) -> Player {
    Player::start(arbitro(), None, program, &Confinement::default()).expect("a player starts")
}

/// The reason why a program failed, for which it is to blame itself.
fn failure(program: &Program) -> String {
    let mut player = start(program);
    let reports = reports_until(&mut player, |report| matches!(report, Report::Failed { .. }));
    assert_eq!(reports.len(), 1, "a program that failed never started nor ended: {reports:?}");
    assert_eq!(finish(&mut player), 0);
    assert_eq!(player.pid(), None);
    assert_eq!(read_to_end(&mut player.stdout), "", "and the pipes are closed");
    match &reports[0] {
        Report::Failed { reason, blame: Blame::Program } => reason.clone(),
        other => panic!("the program is to blame: {other:?}"),
    }
}

#[test]
fn a_program_that_vanished_or_lost_its_rights_failed() {
    let (folder, path, program) = with_program();
    fs::set_permissions(&path, Permissions::from_mode(0o644)).expect("the test owns the file");
    assert!(failure(&program).ends_with("may not be executed"), "{}", failure(&program));
    fs::remove_file(&path).expect("the file is there");
    assert!(failure(&program).ends_with("is not there any more"), "{}", failure(&program));
    drop(folder);
    assert!(failure(&program).contains("cannot be entered: No such file"), "{}", failure(&program));
}

#[test]
fn a_program_that_is_being_written_to_is_waited_for_a_little() {
    let (_folder, path, program) = with_program();
    let writer: File = OpenOptions::new().append(true).open(&path).expect("the test owns the file");
    let mut player = start(&program);
    std::thread::sleep(Duration::from_millis(30));
    drop(writer);
    assert_eq!(read_to_end(&mut player.stdout), "hello\n");
    assert_eq!(finish(&mut player), 0);
    let _writer = OpenOptions::new().append(true).open(&path).expect("the test owns the file");
    assert!(failure(&program).contains("is still being written to"), "{}", failure(&program));
}

#[test]
fn more_arguments_than_the_system_takes_are_a_failure_in_words() {
    let (_folder, _, program) = with_program();
    // One word of more than 128 KiB is refused by the kernel; the request is refused before, and loudly.
    let long = Program { argv: vec![program.argv[0].clone(), "x".repeat(200_000).into()], ..program };
    assert!(Player::start(arbitro(), None, &long, &Confinement::default()).is_err());
}

#[test]
fn keeper_and_launcher_refuse_to_be_started_by_hand() {
    for word in ["__keeper", "__enter"] {
        let output = std::process::Command::new(Path::new(arbitro())).arg(word).output().expect("it starts");
        assert!(!output.status.success());
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains("the referee's own"), "{word}: {text}");
    }
}
