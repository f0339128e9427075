//! A whole bot: it plays any legal move. Copy it to `src/main.rs` of a package of your own, whose `Cargo.toml` says
//!
//! ```toml
//! [dependencies]
//! serde_json = "1"
//! ```

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    let mut random = 0;
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        let answer = match message["type"].as_str() {
            // A game begins. The seed makes the bot play the same game again when it is asked to.
            Some("hello") => {
                random = scramble(&message["bot_seed"].to_string());
                json!({"type": "ready", "name": "random_bot.rs"})
            }
            // The answer repeats the number of the question.
            Some("turn") => {
                let legal = message["legal"].as_array().expect("a turn lists the legal moves");
                random = scramble(&random);
                let chosen = &legal[random as usize % legal.len()];
                json!({"type": "move", "turn": message["turn"], "move": chosen})
            }
            // `over` needs no answer, and neither does what a later version of the protocol may send.
            _ => continue,
        };
        writeln!(stdout, "{answer}")?;
        stdout.flush()?; // Without it the answer might stay here, and time would run out.
    }
    Ok(())
}

/// A number that depends on everything in `what` and looks like chance.
fn scramble(what: &(impl std::hash::Hash + ?Sized)) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(what)
}
