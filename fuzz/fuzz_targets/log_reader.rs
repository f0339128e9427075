//! Bytes as a log: read to an end without a panic, and what was read is written and read again as it was. Lines in the
//! writer's own form, which are read in a quicker way, are what they are in another form.

#![no_main]

use arbitro_fuzz::logs::Log;
use libfuzzer_sys::fuzz_target;

/// The same with a blank in each step where the writer has none.
fn in_another_form(log: &[u8]) -> Vec<u8> {
    let line = |line: &[u8]| match line {
        [start @ .., b'\n'] if line.starts_with(b"{\"move\":") => [b"{\"move\": ", &start[8..], b"\n"].concat(),
        [start @ .., b'\n'] if line.starts_with(b"{\"chance\":") => [b"{\"chance\": ", &start[10..], b"\n"].concat(),
        _ => line.to_vec(),
    };
    log.split_inclusive(|&byte| byte == b'\n').flat_map(line).collect()
}

fn check_same(left: &Log, right: &Log) {
    assert_eq!(format!("{:?}", left.entries), format!("{:?}", right.entries));
    assert_eq!(format!("{:?}", left.end()), format!("{:?}", right.end()));
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(log) = Log::read(bytes) else { return };
    check_same(&Log::read(&in_another_form(bytes)).expect("its header is the same"), &log);
    let (written, digests) = log.written();
    let again = Log::read(&written).expect("what was written is a log");
    check_same(&again, &log);
    if let (Some(digests), Some(ending)) = (digests, again.ending) {
        assert_eq!(ending.sha256, (digests.sha256, digests.sha256));
        assert_eq!(ending.rest, 0);
    }
});
