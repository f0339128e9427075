//! The thread that shows how it stands. It alone writes to stderr while a tournament runs, and it may be kept there for as
//! long as whoever reads likes: a terminal can be held, and a pipe be full. Whoever has something to say leaves it here and
//! goes on; only the end waits, and not for long.

use std::io;
use std::mem::take;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::screen::Screen;
use super::tally::Tally;
use super::words;

/// How often it is looked whether there is something to show.
const TICK: Duration = Duration::from_millis(100);

/// How many lines wait to be shown at most.
const MOST_LINES: usize = 1000;

/// How long the end waits for what is not shown yet.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is to be shown, and the thread that does. Whoever holds the state writes nothing.
#[derive(Default)]
pub struct Drawer {
    state: Mutex<State>,
    changed: Condvar,
}

/// What is to be shown.
#[derive(Default)]
pub struct State {
    /// What the tournament is called.
    pub title: String,
    /// How it stands.
    pub tally: Tally,
    /// When games began; nothing of how it stands is shown before.
    pub began: Option<Instant>,
    /// How long it lasted, until that was shown.
    over: Option<Duration>,
    lines: Vec<String>,
    /// How many lines there was no room for.
    lost: u64,
    /// Whether the thread is on its way to stderr.
    is_drawing: bool,
    is_closing: bool,
    is_closed: bool,
}

/// What is shown at once.
struct Frame {
    lines: Vec<String>,
    stands: Option<(Tally, Duration)>,
    ended: Option<(Tally, Duration)>,
    is_last: bool,
}

impl Drawer {
    /// Starts the thread; `asked` has it say how it stands.
    ///
    /// # Errors
    /// Those of the system.
    pub fn start(screen: Screen, asked: Arc<AtomicBool>) -> io::Result<Arc<Drawer>> {
        let drawer = Arc::new(Drawer::default());
        let draws = Arc::clone(&drawer);
        thread::Builder::new().name("progress".to_owned()).spawn(move || draws.draw(screen, &asked))?;
        Ok(drawer)
    }

    /// What is to be shown. One that was left in the middle of being changed is still worth showing.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves a line to be said, if there is room for it.
    pub fn say(&self, line: String) {
        let mut state = self.state();
        match state.lines.len() < MOST_LINES {
            true => state.lines.push(line),
            false => state.lost += 1,
        }
        self.changed.notify_all();
    }

    /// The games are over: how it stands is shown a last time.
    pub fn finish(&self) {
        let mut state = self.state();
        state.over = Some(state.lasted());
        state.began = None;
        self.changed.notify_all();
    }

    /// Waits until all is shown, but not for ever.
    pub fn settle(&self) {
        self.wait(|state| state.lines.is_empty() && state.over.is_none() && !state.is_drawing);
    }

    /// Ends the thread when all is shown; one that is kept too long is left behind.
    pub fn close(&self) {
        self.state().is_closing = true;
        self.changed.notify_all();
        self.wait(|state| state.is_closed);
    }

    fn wait(&self, until: impl Fn(&State) -> bool) {
        drop(self.changed.wait_timeout_while(self.state(), PATIENCE, |state| !until(state)));
    }

    fn draw(&self, mut screen: Screen, asked: &AtomicBool) {
        let is_idle = |state: &mut State| state.lines.is_empty() && state.over.is_none() && !state.is_closing;
        let mut state = self.state();
        loop {
            let waited = self.changed.wait_timeout_while(state, TICK, is_idle);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            let frame = state.frame(&screen, asked.swap(false, Ordering::Relaxed));
            state.is_drawing = true;
            drop(state);
            let is_last = frame.is_last;
            frame.draw(&mut screen);
            state = self.state();
            (state.is_drawing, state.is_closed) = (false, is_last);
            self.changed.notify_all();
            if is_last {
                return;
            }
        }
    }
}

impl State {
    fn lasted(&self) -> Duration {
        self.began.map(|began| began.elapsed()).unwrap_or_default()
    }

    fn frame(&mut self, screen: &Screen, asked: bool) -> Frame {
        let (mut lines, lost, lasted) = (take(&mut self.lines), take(&mut self.lost), self.lasted());
        if lost > 0 {
            lines.push(format!("{} left out: nobody read stderr", words::number(lost, "line")));
        }
        if asked && !self.tally.is_begun() {
            lines.push("no game has begun yet: openings are weighed, and every bot is started once".to_owned());
        } else if asked {
            let (rate, left) = (self.tally.rate(lasted), self.tally.left(lasted));
            lines.push(words::state(&self.title, &self.tally, rate, left));
        }
        let is_due = self.began.is_some() && screen.is_due(lasted);
        Frame {
            lines,
            stands: is_due.then(|| (self.tally.clone(), lasted)),
            ended: self.over.take().map(|lasted| (self.tally.clone(), lasted)),
            is_last: self.is_closing,
        }
    }
}

impl Frame {
    fn draw(self, screen: &mut Screen) {
        if self.is_last {
            screen.clear();
        }
        self.lines.iter().for_each(|line| screen.say(line));
        if let Some((tally, lasted)) = self.stands {
            screen.show(&tally, lasted);
        }
        if let Some((tally, lasted)) = self.ended {
            screen.finish(&tally, lasted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_before_the_first_game_is_told_so() {
        let drawer = Drawer::default();
        let told = |drawer: &Drawer| drawer.state().frame(&Screen::Quiet, true).lines;
        assert!(told(&drawer)[0].starts_with("no game has begun yet: "));
        drawer.state().tally.paired(1, 0);
        assert!(told(&drawer)[0].contains(": 0 of 0 games"));
    }

    #[test]
    fn lines_that_nobody_reads_are_counted() {
        let drawer = Drawer::default();
        (0..MOST_LINES + 3).for_each(|line| drawer.say(line.to_string()));
        let frame = drawer.state().frame(&Screen::Quiet, false);
        assert_eq!(frame.lines.len(), MOST_LINES + 1);
        assert_eq!(frame.lines.last().unwrap(), "3 lines left out: nobody read stderr");
        assert!(drawer.state().frame(&Screen::Quiet, false).lines.is_empty());
    }
}
