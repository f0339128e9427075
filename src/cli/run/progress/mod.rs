//! What is said of a tournament while it runs: a bar or lines on stderr, and the state whenever somebody asks for it by
//! SIGUSR1.
//!
//! What happens is counted at once, and shown a few times a second by a thread of its own (`drawer`), so that showing it
//! keeps no game waiting, even where nobody reads.

mod drawer;
mod screen;
pub mod tally;
pub mod words;

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use signal_hook::consts::SIGUSR1;
use signal_hook::flag;

use crate::cli::failure::Failure;
use crate::cli::run::plan::Extent;
use crate::cli::stderr::Stderr;
use crate::tournament::Entrant;
use crate::tournament::pairing::KindName;
use crate::tournament::played::{HalfPoints, Played};
use crate::tournament::run::{Ending, Progress};
use drawer::Drawer;
use screen::Screen;
use tally::Tally;

/// A tournament that is shown.
pub struct Live {
    drawer: Arc<Drawer>,
    quiet: bool,
}

impl Live {
    /// Begins to listen for SIGUSR1, which ends whoever does not, and to keep stderr for all who write there.
    ///
    /// # Errors
    /// Those of the system.
    pub fn listen(quiet: bool, stderr: &Stderr) -> io::Result<Live> {
        let asked = Arc::new(AtomicBool::new(false));
        flag::register(SIGUSR1, Arc::clone(&asked))?;
        let drawer = Drawer::start(Screen::new(quiet), asked)?;
        let says = Arc::clone(&drawer);
        stderr.leave_to(move |line| says.say(line));
        Ok(Live { drawer, quiet })
    }

    /// What it is called, how and by whom it is played, and how long it is.
    pub fn plan(&self, title: String, format: KindName, names: Vec<String>, extent: Extent) {
        let mut state = self.drawer.state();
        state.tally.name(names, extent);
        state.tally.lead_by(format);
        state.title = title;
    }

    /// Games that an earlier run finished.
    pub fn resume(&self, games: &[Played]) {
        let tally = &mut self.drawer.state().tally;
        games.iter().for_each(|game| tally.resume(game));
    }

    /// Points for byes.
    pub fn credit(&self, byes: &[Entrant], points: HalfPoints) {
        self.drawer.state().tally.credit_all(byes, points);
    }

    /// Says something beside the state.
    pub fn say(&self, text: &str) {
        if !self.quiet {
            self.drawer.say(text.to_owned());
        }
    }

    /// Takes in what happened.
    pub fn tell(&self, progress: &Progress) {
        match progress {
            Progress::Begun { rounds, planned, .. } => {
                let mut state = self.drawer.state();
                state.tally.paired(*rounds, *planned);
                state.tally.begin_run();
                state.began = Some(Instant::now());
            }
            Progress::Started { game, worker } => self.drawer.state().tally.started(*worker, game.number),
            Progress::Void { game, .. } => {
                let tally = &mut self.drawer.state().tally;
                tally.voids += 1;
                tally.over(game.number);
            }
            Progress::Finished { game, .. } => self.drawer.state().tally.over(game.game),
            Progress::Counted { games } => {
                let tally = &mut self.drawer.state().tally;
                games.iter().for_each(|game| tally.finished(game));
            }
            Progress::Disqualified { bot } => {
                self.drawer.state().tally.disqualify(*bot);
                let words = "is disqualified: it was at fault in too many games";
                self.say(&format!("{} {words}", self.names([bot])));
            }
            Progress::Halted { bots } => {
                let words = "games of these in a row had no result, and they do not meet any more in this run";
                self.say(&format!("{}: {words}", self.names(bots.iter())));
            }
            // Rounds that go by results, and only those, are waited for.
            Progress::Paired { rounds, planned } => {
                self.drawer.state().tally.paired(*rounds, *planned);
                self.say(&format!("the next round is paired: {planned} games so far"));
            }
            Progress::RoundOver { .. } => {}
            Progress::Enough => self.say("enough is known: the rest is not played"),
            Progress::Stopping => self.say("stopping: running games end, and will be played again"),
            Progress::Ended(summary) => {
                if matches!(summary.ending, Ending::Complete | Ending::Enough) {
                    self.drawer.state().tally.all_are_finished();
                }
                self.drawer.finish();
            }
        }
    }

    fn names<'a>(&self, bots: impl IntoIterator<Item = &'a Entrant>) -> String {
        let tally = &self.drawer.state().tally;
        bots.into_iter().map(|&bot| tally.name_of(bot)).collect::<Vec<_>>().join(", ")
    }

    /// What was counted so far.
    pub fn tally(&self) -> Tally {
        self.drawer.state().tally.clone()
    }

    /// Waits a moment until all that was said so far is shown: before something is printed on stdout.
    pub fn settle(&self) {
        self.drawer.settle();
    }

    /// Says what failed, if anything did, and leaves stderr. Where nobody reads, the exit code is all that is told.
    ///
    /// # Errors
    /// That failure, which was said.
    pub fn end(self, done: Result<(), Failure>) -> Result<(), Failure> {
        let line = done.as_ref().err().and_then(Failure::line);
        line.into_iter().for_each(|line| self.drawer.say(line));
        self.drawer.close();
        done.map_err(|failure| Failure::silent(failure.kind()))
    }
}
