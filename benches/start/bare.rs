//! The chain that the keeper and the launcher are compared with: a program that starts itself, waits for that to end and
//! ends; the second becomes the bot. No containment, no messages, no pipes but the bot's. Built by the bench beside it.

use std::os::unix::process::CommandExt;
use std::process::Command;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    match words[1].as_str() {
        "hold" => {
            let mut enter = Command::new("/proc/self/exe");
            let mut child = enter.args(["enter", &words[2]]).spawn().expect("the second process starts");
            child.wait().expect("the second process ends");
        }
        _ => panic!("the bot does not start: {}", Command::new(&words[2]).exec()),
    }
}
