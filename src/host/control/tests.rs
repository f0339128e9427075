use std::io::{Read, Write};

use rustix::fs::fstat;
use rustix::io::{FdFlags, fcntl_getfd};

use super::*;

#[test]
fn descriptors_arrive_in_order_and_are_closed_on_exec() {
    let (ours, theirs) = pair().expect("a pair");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    send_bytes(&ours, b"two", &[reader.as_fd(), writer.as_fd()]).expect("it is sent");
    let message = receive(&theirs, 100).expect("it came").expect("it is one");
    assert_eq!(message.text, b"two");
    let [first, second] = message.descriptors.as_slice() else { panic!("two were sent") };
    let same = |a: BorrowedFd<'_>, b: &OwnedFd| fstat(a).unwrap().st_ino == fstat(b).unwrap().st_ino;
    assert!(same(reader.as_fd(), first) && same(writer.as_fd(), second));
    assert!(message.descriptors.iter().all(|fd| fcntl_getfd(fd).unwrap().contains(FdFlags::CLOEXEC)));
    drop((reader, writer));
    let mut descriptors = message.descriptors.into_iter();
    let (mut reader, mut writer) = (
        std::io::PipeReader::from(descriptors.next().unwrap()),
        std::io::PipeWriter::from(descriptors.next().unwrap()),
    );
    writer.write_all(b"through").expect("it is open");
    drop(writer);
    let mut text = String::new();
    reader.read_to_string(&mut text).expect("it is open");
    assert_eq!(text, "through", "nobody else holds the writing end");
}

#[test]
fn messages_keep_their_borders_and_the_end_comes_after_the_last() {
    let (ours, theirs) = pair().expect("a pair");
    let nothing = receive(&theirs, 100).err().expect("nothing was said");
    assert_eq!(nothing.kind(), io::ErrorKind::WouldBlock);
    let said = [
        Report::Started { pid: 7 },
        Report::Failed { reason: "no \u{2028} loader".into(), blame: Blame::Machine },
        Report::Exited(Exit::Signal(9)),
        Report::Empty { leftovers: 2 },
    ];
    said.iter().for_each(|report| send(&ours, report).expect("it is sent"));
    drop(ours);
    for report in &said {
        assert_eq!(&receive(&theirs, 100).unwrap().unwrap().read::<Report>().unwrap(), report);
    }
    assert!(receive(&theirs, 100).expect("an end is no error").is_none());
}

#[test]
fn what_was_said_before_is_heard_although_the_other_side_left_with_an_order_unread() {
    let (ours, theirs) = pair().expect("a pair");
    send(&theirs, &Order::Finish).expect("it is sent");
    send(&ours, &Report::Stuck).expect("it is sent");
    drop(ours);
    assert_eq!(receive(&theirs, 100).unwrap().unwrap().read::<Report>().unwrap(), Report::Stuck);
    assert!(receive(&theirs, 100).expect("an end is no error").is_none());
    assert!(send(&theirs, &Order::Finish).is_err(), "nobody is there, and nobody is killed by SIGPIPE");
}

#[test]
fn too_long_a_message_is_an_error_at_either_end() {
    let (ours, theirs) = pair().expect("a pair");
    let most = vec![b'x'; LONGEST_MESSAGE];
    send_bytes(&ours, &most, &[]).expect("the longest fits without waiting");
    assert_eq!(receive(&theirs, LONGEST_MESSAGE).unwrap().unwrap().text.len(), LONGEST_MESSAGE);
    assert!(send_bytes(&ours, &[&most[..], b"x"].concat(), &[]).is_err());
    send_bytes(&ours, b"four", &[]).expect("it is sent");
    assert!(receive(&theirs, 3).is_err());
}

#[test]
fn the_longest_reason_fits_into_a_report() {
    let reason = shorten("\u{1}é".repeat(LONGEST_REPORT));
    let text = serde_json::to_vec(&Report::Failed { reason, blame: Blame::Program }).expect("a report can be written");
    assert!(text.len() <= LONGEST_REPORT);
}
