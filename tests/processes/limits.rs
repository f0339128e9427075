//! What a program gets and what it does not: descriptors, environment, limits.

use std::path::Path;

use arbitro::host::sandbox::users;
use arbitro::host::{Confinement, Limits, Player, Program};

use crate::support::{arbitro, finish, program, read_to_end, start, start_sh, words};

#[test]
fn a_program_has_three_descriptors_and_a_directory() {
    // The fourth is the folder that ls reads.
    assert_eq!(read_to_end(&mut start(&["/bin/ls", "/proc/self/fd"]).stdout), "0\n1\n2\n3\n");
    let program = Program::find(&words(&["/bin/pwd"]), Path::new("/usr/../usr/bin"), &[]).expect("it can be started");
    let mut player = Player::start(arbitro(), None, &program, &Confinement::default()).expect("a player starts");
    assert_eq!(read_to_end(&mut player.stdout), "/usr/bin\n");
}

#[test]
fn a_program_is_told_nothing_of_the_referees_environment() {
    let extra = [("SEAT".into(), "of honour".into()), ("LANG".into(), "es_ES.UTF-8".into())];
    let program = Program::find(&words(&["/usr/bin/env"]), Path::new("/"), &extra).expect("it can be started");
    let mut player = Player::start(arbitro(), None, &program, &Confinement::default()).expect("a player starts");
    let text = read_to_end(&mut player.stdout);
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    let path = std::env::var("PATH").expect("tests run with a PATH");
    let reachable = path.split(':').filter(|folder| users::blocked(Path::new(folder)).is_none());
    let path = format!("PATH={}", reachable.collect::<Vec<_>>().join(":"));
    let wanted = ["HOME=/nonexistent", "LANG=es_ES.UTF-8", &path, "SEAT=of honour", "TMPDIR=/nonexistent"];
    assert_eq!(lines, wanted);
}

#[test]
fn a_program_leads_its_own_session_and_group_and_its_files_are_its_own() {
    let script =
        "read pid name state parent group session rest </proc/self/stat; echo $((pid == group)) $((pid == session))";
    assert_eq!(read_to_end(&mut start_sh(script).stdout), "1 1\n");
    assert_eq!(read_to_end(&mut start_sh("umask; ulimit -c; cat /proc/self/oom_score_adj").stdout), "0077\n0\n1000\n");
}

#[test]
fn limits_bind_the_program_and_are_cut_to_what_the_referee_has() {
    let limits =
        Limits { open_files: Some(20), file_bytes: Some(512 * 8), cpu_seconds: Some(u64::MAX), ..Limits::default() };
    let program = program(&["/bin/sh", "-c", "ulimit -n; ulimit -Hn; ulimit -f; ulimit -t"]);
    let mut player = Player::start(arbitro(), None, &program, &Confinement { limits, ..Confinement::default() })
        .expect("a player starts");
    assert_eq!(read_to_end(&mut player.stdout), "20\n20\n8\nunlimited\n");
    assert_eq!(finish(&mut player), 0);
}

#[test]
fn neither_reading_nor_writing_waits_for_a_program() {
    let player = start(&["/bin/sleep", "100"]);
    let stdin = player.stdin.as_ref().expect("it is open");
    let piece = [b'x'; 4096];
    let accepted = (0..1000).take_while(|_| rustix::io::write(stdin, &piece).is_ok()).count();
    assert!((1..1000).contains(&accepted), "the pipe takes something and then is full: {accepted}");
    for pipe in [&player.stdout, &player.stderr] {
        let read = rustix::io::read(pipe.as_ref().expect("it is open"), &mut [0; 1]);
        assert_eq!(read, Err(rustix::io::Errno::AGAIN));
    }
}
