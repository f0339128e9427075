//! A plain game with everything that a bot did in it: many checks look at the same one.

use std::time::{Duration, Instant};

use super::bench::Bench;
use super::sitting::Answer;
use super::talk::Arrived;
use super::verdict::Halt;
use crate::record::entry::Exit;
use crate::referee::Usage;

/// How many questions are asked.
const QUESTIONS: usize = 6;
/// How long it is listened after the last answer, and after `over`, for what nobody asked for.
const QUIET: Duration = Duration::from_millis(150);
/// How long the bot may take to end after its input.
pub const END_PATIENCE: Duration = Duration::from_secs(2);

/// What a bot did in a plain game.
pub struct Record {
    /// Its answers.
    pub answers: Vec<Answer>,
    /// What it wrote beside them, up to the end of the game.
    pub strays: Vec<Arrived>,
    /// What it wrote after `over`.
    pub after_over: Vec<Arrived>,
    /// Whether it ran on after `over`.
    pub stayed: bool,
    /// How it ended, and how long after the end of its input; nothing if it did not.
    pub end: Option<(Exit, Duration)>,
    /// How many of its processes were left then.
    pub leftovers: u32,
    /// How much came on stderr, in bytes.
    pub stderr_bytes: u64,
    /// The last of its stderr, in words to be put behind others.
    pub stderr: String,
    /// The most that it used.
    pub peak: Usage,
}

impl Record {
    /// Plays the game.
    ///
    /// # Errors
    /// A verdict when it comes to nothing; and those of [`Bench::start`].
    pub fn of(bench: &Bench) -> Result<Record, Halt> {
        let mut game = bench.sit(bench.home())?;
        let mut answers = Vec::new();
        for _ in 0..QUESTIONS {
            game.talk.look();
            answers.extend(game.play(1)?);
        }
        game.talk.listen(QUIET)?;
        game.talk.look();
        let mut strays = std::mem::take(&mut game.strays);
        strays.extend(game.talk.take_lines());
        game.over()?;
        game.talk.listen(QUIET)?;
        let after_over = game.talk.take_lines();
        let stayed = !game.talk.is_gone();
        game.talk.end_input();
        let ended = Instant::now();
        let end = game.talk.wait_exit(ended + END_PATIENCE)?;
        let end = end.map(|(exit, at)| (exit, at.saturating_duration_since(ended)));
        let (peak, stderr_bytes, stderr) = (game.talk.peak, game.talk.stderr_bytes, game.talk.stderr_words());
        let leftovers = game.talk.finish();
        Ok(Record { answers, strays, after_over, stayed, end, leftovers, stderr_bytes, stderr, peak })
    }
}
