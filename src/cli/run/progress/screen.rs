//! Where the state of a running tournament is shown: a bar on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::tally::Tally;
use super::words;

/// How often the bar is drawn anew at most, a second.
const FRAMES: u8 = 4;

/// How many bots stand below the bar.
const BELOW: usize = 5;

/// After how long the first line comes where there is no bar; each one after it comes after twice as long.
const FIRST_LINE: Duration = Duration::from_secs(2);

/// How long it takes from line to line in the end.
const LINES: Duration = Duration::from_secs(60);

/// Shows the state on stderr.
pub enum Screen {
    /// Nothing of the state.
    Quiet,
    /// A bar, drawn again and again.
    Bar(ProgressBar),
    /// Lines.
    Lines {
        /// When the next one is due, from the beginning.
        next: Duration,
        /// How long after the last one.
        every: Duration,
    },
}

impl Screen {
    /// For a run that begins.
    pub fn new(quiet: bool) -> Screen {
        match (quiet, io::stderr().is_terminal()) {
            (true, _) => Screen::Quiet,
            (false, true) => Screen::Bar(bar()),
            (false, false) => Screen::Lines { next: FIRST_LINE, every: FIRST_LINE },
        }
    }

    /// Whether it is time to show the state.
    pub fn is_due(&self, lasted: Duration) -> bool {
        match self {
            Screen::Quiet => false,
            Screen::Bar(_) => true,
            Screen::Lines { next, .. } => lasted >= *next,
        }
    }

    /// Shows the state.
    pub fn show(&mut self, tally: &Tally, lasted: Duration) {
        match self {
            Screen::Quiet => {}
            Screen::Bar(bar) => draw(bar, tally, lasted),
            Screen::Lines { next, every } => {
                *every = (*every * 2).min(LINES);
                *next = lasted + *every;
                tell(&words::line(tally, tally.rate(lasted), tally.left(lasted)));
            }
        }
    }

    /// Says something that does not fit into the state, and keeps the bar below it.
    pub fn say(&self, text: &str) {
        match self {
            Screen::Bar(bar) if !bar.is_finished() => bar.suspend(|| tell(text)),
            _ => tell(text),
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if let Screen::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }

    /// Shows the state a last time. Nothing takes any time any more, whether all is played or not.
    pub fn finish(&self, tally: &Tally, lasted: Duration) {
        self.clear();
        if !matches!(self, Screen::Quiet) {
            tell(&words::line(tally, tally.rate(lasted), None));
        }
    }
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {prefix}\n{msg}").expect("the template is ours");
    let target = ProgressDrawTarget::stderr_with_hz(FRAMES);
    ProgressBar::with_draw_target(Some(0), target).with_style(style.progress_chars("█▉▊▋▌▍▎▏ "))
}

fn draw(bar: &ProgressBar, tally: &Tally, lasted: Duration) {
    bar.set_length(tally.planned().1);
    bar.set_position(tally.finished);
    bar.set_prefix(words::games(tally));
    let mut text = words::counts(tally);
    if let Some(rate) = tally.rate(lasted) {
        text.push_str(&format!(", {}", words::pace(rate)));
    }
    if let Some(left) = tally.left(lasted) {
        text.push_str(&format!(", {} left", words::duration(left)));
    }
    for (rank, bot) in words::leading(tally, BELOW) {
        text.push_str(&format!("\n{rank:>4}. {bot}"));
    }
    bar.set_message(text);
}

/// Whoever closed stderr does not want to know.
fn tell(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_ever_more_seldom() {
        let tally = crate::cli::run::progress::tally::tests::of(&["a", "b"], 1);
        let mut screen = Screen::Lines { next: FIRST_LINE, every: FIRST_LINE };
        let mut told = Vec::new();
        for second in 0..400 {
            if screen.is_due(Duration::from_secs(second)) {
                screen.show(&tally, Duration::from_secs(second));
                told.push(second);
            }
        }
        assert_eq!(told, [2, 6, 14, 30, 62, 122, 182, 242, 302, 362]);
    }
}
