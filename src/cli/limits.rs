//! What bots may send and use, from the command line: `--limit memory=2GiB`.

use super::failure::Failure;
use crate::protocol::limits::{Limits, NAMED};

/// The help for the option.
pub fn help() -> String {
    let list: Vec<String> = NAMED.iter().map(|(name, default, words)| format!("{name}={default} ({words})")).collect();
    format!(
        "A limit for each bot, such as memory=2GiB, or memory=none; may be given again. By default: {}",
        list.join(", ")
    )
}

/// Sets what the texts say.
///
/// # Errors
/// The first text that cannot be used, and what could be.
pub fn set(limits: &mut Limits, texts: &[String]) -> Result<(), Failure> {
    let names = || NAMED.map(|(name, ..)| name).join(", ");
    let mut pairs = Vec::new();
    for text in texts {
        let words = || format!("--limit {text}: write NAME=VALUE; the names are {}", names());
        pairs.push(text.split_once('=').ok_or_else(|| Failure::usage(words()))?);
    }
    limits.set_named(pairs).map_err(|(number, error)| Failure::usage(format!("--limit {}: {error}", texts[number])))
}
