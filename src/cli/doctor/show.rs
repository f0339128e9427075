//! How a report looks: plain columns, and on a terminal marks and colours.

use std::fmt::Write as _;
use std::io::IsTerminal;

use super::report::{Item, State};
use crate::cli::show::style;
use crate::protocol::receive::harmless;

/// How long a line may be.
const WIDTH: usize = 100;

/// The room for the name of an item.
const NAME: usize = 28;

/// How a report is shown.
#[derive(Clone, Copy)]
pub struct Show {
    terminal: bool,
    colour: bool,
    /// Every attempt of a bot, not only those that work.
    verbose: bool,
    /// Only what is amiss.
    quiet: bool,
}

impl Show {
    /// As it suits what stdout is.
    pub fn on_stdout(verbose: bool, quiet: bool) -> Show {
        let terminal = std::io::stdout().is_terminal();
        Show { terminal, colour: style(false, terminal).colour, verbose, quiet }
    }

    /// The heading of a section, apart from what stands above it.
    pub fn section(&self, name: &str, is_first: bool) -> String {
        let gap = if is_first { "" } else { "\n" };
        if self.quiet { String::new() } else { format!("{gap}{}\n", self.painted(BOLD, name)) }
    }

    /// An item, with what it means where it is not as it should be.
    pub fn item(&self, item: &Item) -> String {
        if self.quiet && !matches!(item.state, State::Missing | State::Failed) {
            return String::new();
        }
        let (colour, mark) = self.mark(item.state);
        let margin = 2 + mark.chars().count() + 2;
        let mut text = String::new();
        let mut found = wrapped(&harmless(&item.found), WIDTH - margin - NAME - 2).into_iter();
        let first = found.next().unwrap_or_default();
        let _ = writeln!(text, "  {}  {:NAME$}  {first}", self.painted(colour, mark), item.name);
        found.for_each(|line| {
            let _ = writeln!(text, "{:1$}{line}", "", margin + NAME + 2);
        });
        for (label, words) in [("means", &item.means), ("to do", &item.remedy)] {
            let Some(words) = words else { continue };
            let lines = wrapped(words, WIDTH - margin - label.len() - 4);
            for (number, line) in lines.iter().enumerate() {
                let label = if number == 0 { format!("{label}: ") } else { String::new() };
                let _ = writeln!(text, "{:margin$}  {}{line}", "", self.painted(FAINT, &format!("{label:7}")));
            }
        }
        for attempt in item.attempts.iter().filter(|_| self.verbose) {
            let verdict = if attempt.works { "works".to_owned() } else { format!("denied: {}", attempt.why) };
            for (number, line) in wrapped(&harmless(&verdict), WIDTH - margin - NAME - 2).into_iter().enumerate() {
                let name = if number == 0 { attempt.name.as_str() } else { "" };
                let _ = writeln!(text, "{:margin$}  {name:1$}  {line}", "", NAME - 2);
            }
        }
        text
    }

    /// The last line: whether `--sandbox require` starts here, or what keeps it from that.
    pub fn verdict(&self, missing: Option<&str>, failed: &[&str]) -> String {
        let gap = if self.quiet { "" } else { "\n" };
        match (missing, failed) {
            (Some(missing), _) => {
                format!("{gap}{}: {missing}\n", self.painted(RED, "--sandbox require does not start here"))
            }
            (None, []) => format!("{gap}{}\n", self.painted(GREEN, "--sandbox require starts here, and all holds")),
            (None, failed) => format!(
                "{gap}{}: {}\n",
                self.painted(RED, "--sandbox require starts here, but not all holds"),
                failed.join(", ")
            ),
        }
    }

    fn mark(&self, state: State) -> (&'static str, &'static str) {
        match (state, self.terminal) {
            (State::Ok, true) => (GREEN, "✓"),
            (State::Ok, false) => (GREEN, "ok     "),
            (State::Note, true) => (YELLOW, "•"),
            (State::Note, false) => (YELLOW, "note   "),
            (State::Missing, true) => (RED, "✗"),
            (State::Missing, false) => (RED, "missing"),
            (State::Failed, true) => (RED, "✗"),
            (State::Failed, false) => (RED, "FAILED "),
        }
    }

    fn painted(&self, colour: &str, text: &str) -> String {
        if self.colour { format!("{colour}{text}\x1b[0m") } else { text.to_owned() }
    }
}

const BOLD: &str = "\x1b[1m";
const FAINT: &str = "\x1b[2m";
const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const YELLOW: &str = "\x1b[33m";

/// Text in lines of at most so many characters; a word that is longer has a line of its own.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("longer-than-that one", 7), ["longer-than-that", "one"]);
        assert_eq!(wrapped("", 7), [""]);
    }

    #[test]
    fn no_line_is_too_long_and_escapes_are_only_for_colours() {
        let words = "why and wherefore of it ".repeat(12);
        let mut item = Item::new("id", "a name", State::Failed, format!("{words}\x1b[2J")).means(&words).remedy(&words);
        item.attempts.push(super::super::report::Attempt { name: "attempt".into(), works: false, why: words });
        for terminal in [false, true] {
            let show = Show { terminal, colour: false, verbose: true, quiet: false };
            let text = show.item(&item);
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
            assert!(text.lines().count() > 8 && !text.contains('\x1b'), "{text:?}");
            assert!(Show { colour: true, ..show }.item(&item).contains(RED));
        }
    }
}
