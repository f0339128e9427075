//! A report of checks for people: a line a check as it is made, and then what to fix.

use std::io::{self, IsTerminal, Write};

use super::rows::{CheckRow, Row};
use crate::check::{Check, Finding, Outcome};
use crate::protocol::receive::harmless;

/// How wide the words of what to fix are set.
const WIDTH: usize = 96;

/// Where the report is shown.
pub struct Screen {
    quiet: bool,
    silent: bool,
    colours: bool,
}

impl Screen {
    /// The standard output: all of it, what is wrong only, or nothing.
    pub fn new(quiet: bool, silent: bool) -> Screen {
        let colours = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty());
        Screen { quiet, silent, colours }
    }

    /// Says what is checked.
    pub fn begin(&self, bot: &str) -> io::Result<()> {
        if self.quiet || self.silent {
            return Ok(());
        }
        writeln!(io::stdout(), "Checking {}\n", self.bold(&harmless(bot)))
    }

    /// Says what came of a check.
    pub fn line(&self, check: &Check, finding: &Finding) -> io::Result<()> {
        if self.quiet || self.silent {
            return Ok(());
        }
        let title = &check.title;
        let rest = match finding.outcome {
            // What is wrong is told below, at length.
            Outcome::Failed | Outcome::Note => String::new(),
            Outcome::Passed | Outcome::Skipped if finding.seen.is_empty() => String::new(),
            Outcome::Passed | Outcome::Skipped => format!("  {}", self.dim(&harmless(&finding.seen))),
        };
        writeln!(io::stdout(), "{} {:18} {title}{rest}", self.badge(finding.outcome), check.name)
    }

    /// Says what to fix, and sums up.
    pub fn conclude(&self, row: &Row) -> io::Result<()> {
        let mut out = io::stdout().lock();
        for (outcome, heading) in [(Outcome::Failed, "To fix"), (Outcome::Note, "To think about")] {
            let wrong: Vec<&CheckRow> = row.checks.iter().filter(|check| check.outcome == outcome).collect();
            if wrong.is_empty() {
                continue;
            }
            writeln!(out, "\n{}", self.bold(heading))?;
            for check in wrong {
                writeln!(out, "\n{} {}: {}", self.badge(outcome), check.name, check.title)?;
                writeln!(out, "{}", wrapped("seen", &harmless(check.seen)))?;
                writeln!(out, "{}", wrapped("fix", check.fix.unwrap_or_default()))?;
            }
        }
        writeln!(out, "\n{}", summary(row))
    }

    fn badge(&self, outcome: Outcome) -> String {
        let (word, colour) = match outcome {
            Outcome::Passed => ("  ok", "32"),
            Outcome::Note => ("note", "33"),
            Outcome::Failed => ("FAIL", "31;1"),
            Outcome::Skipped => ("skip", "2"),
        };
        self.in_colour(word, colour)
    }

    fn bold(&self, text: &str) -> String {
        self.in_colour(text, "1")
    }

    fn dim(&self, text: &str) -> String {
        self.in_colour(text, "2")
    }

    fn in_colour(&self, text: &str, colour: &str) -> String {
        if self.colours { format!("\x1b[{colour}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// A label and words in lines below each other.
fn wrapped(label: &str, words: &str) -> String {
    let mut lines = vec![format!("     {label:5}")];
    for word in words.split(' ') {
        let line = lines.last_mut().expect("there is a line");
        if line.chars().count() + word.chars().count() >= WIDTH && line.trim().len() > label.len() {
            lines.push(format!("{:10}{word}", ""));
        } else {
            line.push_str(if line.ends_with(' ') { "" } else { " " });
            line.push_str(word);
        }
    }
    lines.join("\n")
}

fn summary(row: &Row) -> String {
    let mut games: Vec<String> = Vec::new();
    let mut last = None;
    for played in &row.plays {
        match games.last_mut() {
            Some(words) if last == Some(played.game) => words.push_str(&format!("/{}", played.seats)),
            _ => games.push(format!("{} {}", played.game, played.seats)),
        }
        last = Some(played.game);
    }
    let plays = if games.is_empty() { "no game".to_owned() } else { games.join(", ") };
    let seconds = row.ms as f64 / 1000.0;
    let mut words = format!("It plays {plays}.\n{} passed", row.passed);
    for (count, what) in [(row.failed, "failed"), (row.notes, "to think about"), (row.skipped, "skipped")] {
        if count > 0 {
            words.push_str(&format!(", {count} {what}"));
        }
    }
    format!("{words}, in {seconds:.1} s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_set_in_lines_below_each_other() {
        let text = wrapped("fix", &"word ".repeat(40));
        assert!(text.lines().count() > 2 && text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.starts_with("     fix  word word") && text.contains("\n          word"), "{text}");
    }
}
