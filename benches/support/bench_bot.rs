//! The bot of the benches: answers each turn with a legal move taken straight from the line. Compiled by the benches
//! themselves, static and without dependencies, so that both sides of a comparison run the very same program.
//!
//! `bench_bot [sleep in ms]`: sleeps so long before each answer, and says in `info` how long it held the question.

use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

fn main() {
    let sleep = std::env::args().nth(1).and_then(|ms| ms.parse().ok()).map(Duration::from_millis);
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let (mut line, mut answer) = (Vec::with_capacity(4096), Vec::with_capacity(256));
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).unwrap_or(0) == 0 {
            return;
        }
        let began = Instant::now();
        answer.clear();
        match line.get(9) {
            Some(b'h') => answer.extend_from_slice(b"{\"type\":\"ready\"}\n"),
            Some(b't') => {
                let turn = number(&line[22..]);
                let token = pick(&line, turn);
                write!(answer, "{{\"type\":\"move\",\"turn\":{turn},\"move\":\"").unwrap();
                answer.extend_from_slice(token);
                answer.push(b'"');
                if let Some(sleep) = sleep {
                    std::thread::sleep(sleep);
                    write!(answer, ",\"info\":{{\"held\":{}}}", began.elapsed().as_nanos()).unwrap();
                }
                answer.extend_from_slice(b"}\n");
            }
            _ => {}
        }
        if output.write_all(&answer).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}

fn number(text: &[u8]) -> u64 {
    text.iter().take_while(|byte| byte.is_ascii_digit()).fold(0, |sum, byte| sum * 10 + u64::from(byte - b'0'))
}

/// A legal move that looks drawn at random and depends on nothing but the turn.
fn pick(line: &[u8], turn: u64) -> &[u8] {
    const KEY: &[u8] = b"\"legal\":[";
    let start = line.windows(KEY.len()).position(|window| window == KEY).expect("a turn has a legal list") + KEY.len();
    let list = &line[start..];
    let end = list.iter().position(|&byte| byte == b']').expect("a list ends");
    let count = 1 + list[..end].iter().filter(|&&byte| byte == b',').count() as u64;
    let index = (turn.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) % count;
    let token = list[..end].split(|&byte| byte == b',').nth(index as usize).expect("the index is below the count");
    &token[1..token.len() - 1]
}
