//! What is said of a tournament while it runs: a bar or lines on stderr, and the state whenever somebody asks for it by
//! SIGUSR1.
//!
//! What happens is counted at once, and shown a few times a second by a thread of its own, so that showing it keeps no
//! game waiting.

mod screen;
pub mod tally;
pub mod words;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use signal_hook::consts::SIGUSR1;
use signal_hook::flag;

use crate::tournament::Entrant;
use crate::tournament::played::{HalfPoints, Played};
use crate::tournament::run::Progress;
use screen::Screen;
use tally::Tally;

/// How often it is looked whether there is something to show.
const TICK: Duration = Duration::from_millis(100);

/// A tournament that is shown.
pub struct Live {
    state: Arc<Mutex<State>>,
    /// Dropped to end the thread.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct State {
    title: String,
    tally: Tally,
    screen: Screen,
    /// When games began; nothing is shown before.
    began: Option<Instant>,
}

impl Live {
    /// Begins to listen for SIGUSR1, which ends whoever does not.
    ///
    /// # Errors
    /// Those of the system.
    pub fn listen(quiet: bool) -> io::Result<Live> {
        let asked = Arc::new(AtomicBool::new(false));
        flag::register(SIGUSR1, Arc::clone(&asked))?;
        let (title, tally) = ("beginning".to_owned(), Tally::default());
        let state = State { title, tally, screen: Screen::new(quiet), began: None };
        let state = Arc::new(Mutex::new(state));
        let (end, ended) = channel();
        let shown = Arc::clone(&state);
        let show = move || {
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                lock(&shown).show(asked.swap(false, Ordering::Relaxed));
            }
        };
        let thread = thread::Builder::new().name("progress".to_owned()).spawn(show)?;
        Ok(Live { state, end: Some(end), thread: Some(thread) })
    }

    /// What it is called, who plays, and how many games there will be, at least and at most.
    pub fn plan(&self, title: String, names: Vec<String>, games: (u64, u64)) {
        let state = &mut *lock(&self.state);
        state.tally.name(names, games);
        state.title = title;
    }

    /// Games that an earlier run finished.
    pub fn resume(&self, games: &[Played]) {
        let tally = &mut lock(&self.state).tally;
        for game in games {
            tally.finished(game);
            tally.voids += u64::from(game.voids);
        }
    }

    /// Points for byes.
    pub fn credit(&self, byes: &[Entrant], points: HalfPoints) {
        lock(&self.state).tally.credit_all(byes, points);
    }

    /// Says something beside the state.
    pub fn say(&self, text: &str) {
        lock(&self.state).say(text);
    }

    /// Takes in what happened.
    pub fn tell(&self, progress: &Progress) {
        let state = &mut *lock(&self.state);
        match progress {
            Progress::Begun { .. } => {
                state.tally.begin_run();
                state.began = Some(Instant::now());
            }
            Progress::Started { game, worker } => state.tally.started(*worker, game.number),
            Progress::Void { game, .. } => {
                state.tally.voids += 1;
                state.tally.over(game.number);
            }
            Progress::Finished { game, .. } => state.tally.over(game.game),
            Progress::Counted { games } => games.iter().for_each(|game| state.tally.finished(game)),
            Progress::Disqualified { bot } => {
                let words = "is disqualified: it was at fault in too many games";
                state.say(&format!("{} {words}", state.name(*bot)));
            }
            Progress::Halted { bots } => {
                let bots: Vec<&str> = bots.iter().map(|&bot| state.name(bot)).collect();
                let words = "games of these in a row had no result, and they do not meet any more in this run";
                state.say(&format!("{}: {words}", bots.join(", ")));
            }
            // Rounds that go by results, and only those, are waited for.
            Progress::Paired { planned } => state.say(&format!("the next round is paired: {planned} games so far")),
            Progress::RoundOver { .. } => {}
            Progress::Enough => state.say("enough is known: the rest is not played"),
            Progress::Stopping => state.say("stopping: running games end, and will be played again"),
            Progress::Ended(_) => state.finish(),
        }
    }

    /// What was counted so far.
    pub fn tally(&self) -> Tally {
        lock(&self.state).tally.clone()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl State {
    fn name(&self, bot: Entrant) -> &str {
        self.tally.name_of(bot)
    }

    fn lasted(&self) -> Duration {
        self.began.map(|began| began.elapsed()).unwrap_or_default()
    }

    fn say(&self, text: &str) {
        self.screen.say(text);
    }

    fn show(&mut self, asked: bool) {
        let lasted = self.lasted();
        if asked {
            let (rate, left) = (self.tally.rate(lasted), self.tally.left(lasted));
            self.screen.answer(&words::state(&self.title, &self.tally, rate, left));
        }
        if self.began.is_some() {
            self.screen.show(&self.tally, lasted);
        }
    }

    fn finish(&mut self) {
        let lasted = self.lasted();
        self.screen.finish(&self.tally, lasted);
        self.began = None;
    }
}

/// A state that was left in the middle of being changed is still worth showing.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
