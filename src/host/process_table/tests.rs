use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use rustix::process::getpid;

use super::*;

#[test]
fn a_name_may_hold_anything() {
    let entry = |parent, session, alive| Some(Entry { parent, session, alive });
    assert_eq!(parse(b"12 (sh) S 1 12 11 0 -1"), entry(1, 11, true));
    assert_eq!(parse(b"12 (a) Z 9 (b)) R 345 12 1 0"), entry(345, 1, true));
    assert_eq!(parse(b"12 (\xff\n) Z 1 12 12 0"), entry(1, 12, false));
    assert_eq!(parse(b"12 (sh) S"), None);
    assert_eq!(parse(b""), None);
}

#[test]
fn lists_and_scan_find_the_same_family() {
    let script = "sh -c 'sleep 100 & echo ready; wait' & sleep 100 & wait";
    let mut shell = Command::new("/bin/sh").args(["-c", script]).stdout(Stdio::piped()).spawn().expect("a shell");
    let mut line = String::new();
    BufReader::new(shell.stdout.take().expect("it is piped")).read_line(&mut line).expect("the shell writes");
    let pid = Pid::from_child(&shell);
    // The last of the family may not have been started when the first says that it is ready.
    let deadline = Instant::now() + Duration::from_secs(20);
    while Lookup::Scan.descendants(pid).len() < 3 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
    }
    let sorted = |lookup: Lookup| {
        let mut family = lookup.descendants(pid);
        family.sort_by_key(|member| member.pid.as_raw_pid());
        family
    };
    let family = sorted(Lookup::Scan);
    assert_eq!(family.len(), 3);
    assert_eq!(family.iter().filter(|member| member.parent == pid).count(), 2);
    if Lookup::of_this_kernel() == Lookup::Lists {
        assert_eq!(sorted(Lookup::Lists), family);
        assert_eq!(Lookup::Lists.children(pid).len(), Lookup::Scan.children(pid).len());
    }
    for lookup in [Lookup::Scan, Lookup::of_this_kernel()] {
        assert_eq!(lookup.descendants_if_few(pid, 3), None, "they have a thread each");
        assert_eq!(lookup.descendants_if_few(pid, 4).map(|family| family.len()), Some(3));
    }
    for member in family.iter().rev() {
        member.kill(getpid());
    }
    Member { pid, parent: getpid() }.kill(getpid());
    await_end(pid, deadline);
    assert!(!is_alive(pid), "it waits to be reaped");
    shell.wait().expect("it is a child");
    assert!(look(pid).is_none() && reap(pid), "it is gone");
}

#[test]
fn a_number_that_is_somebody_elses_by_now_is_not_killed() {
    let mut child = Command::new("/bin/sleep").arg("100").spawn().expect("a child");
    let pid = Pid::from_child(&child);
    // As if it had been seen below a process that is not its parent.
    Member { pid, parent: Pid::INIT }.kill(Pid::from_raw(i32::MAX).expect("a number"));
    await_end(pid, Instant::now() + Duration::from_millis(50));
    assert!(is_alive(pid));
    child.kill().expect("it is a child");
    child.wait().expect("it is a child");
}
