//! Bytes to lines: the same however they are cut, and what the protocol says of lines.

#![no_main]

use arbitro::protocol::lines::{Lines, TooLong};
use arbitro_fuzz::choices::Choices;
use libfuzzer_sys::fuzz_target;

/// The lines of these pieces up to one that is too long, and what is left where there is none.
fn split(pieces: &[&[u8]], limit: usize) -> (Vec<Vec<u8>>, Result<Vec<u8>, TooLong>) {
    let mut lines = Lines::new(limit);
    let mut out = Vec::new();
    for piece in pieces {
        let mut rest = *piece;
        loop {
            let (taken, line) = lines.next(rest);
            match line {
                None => break assert_eq!(taken, rest.len()),
                Some(Ok(line)) => out.push(line.to_vec()),
                Some(Err(too_long)) => return (out, Err(too_long)),
            }
            rest = &rest[taken..];
        }
    }
    (out, Ok(lines.partial().to_vec()))
}

/// The same, as the protocol says it.
fn split_plainly(bytes: &[u8], limit: usize) -> (Vec<Vec<u8>>, Result<Vec<u8>, TooLong>) {
    let mut out = Vec::new();
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    let rest = lines.pop().expect("a split gives at least one part");
    for (number, line) in lines.into_iter().enumerate() {
        if line.len() > limit {
            return (out, Err(TooLong));
        }
        let line = if number == 0 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        let line = line.trim_ascii_end();
        out.extend((!line.is_empty()).then(|| line.to_vec()));
    }
    if rest.len() > limit { (out, Err(TooLong)) } else { (out, Ok(rest.to_vec())) }
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices::new(bytes);
    let limit = usize::from(choices.byte());
    let count = choices.byte() % 16;
    let cuts = choices.bytes(count.into());
    let bytes = choices.rest();
    let mut cuts: Vec<usize> = cuts.iter().map(|&cut| usize::from(cut).min(bytes.len())).collect();
    cuts.extend([0, bytes.len()]);
    cuts.sort_unstable();
    let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
    let expected = split_plainly(bytes, limit);
    assert_eq!(split(&[bytes], limit), expected, "in one piece");
    assert_eq!(split(&pieces, limit), expected, "in the pieces {cuts:?}");
    assert_eq!(split(&bytes.chunks(1).collect::<Vec<_>>(), limit), expected, "byte by byte");
});
