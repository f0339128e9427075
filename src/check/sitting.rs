//! A game with one process of the bot: what the script says as its referee, and the answers that count.

use std::time::{Duration, Instant};

use super::deal::{Deal, Setting};
use super::talk::{Arrived, Talk};
use super::verdict::{Halt, bad, untried};
use crate::protocol::receive::{self, Message, shown};

/// How long an answer is waited for, whatever the bot was told: whether it came in time is a matter of a few checks.
pub const ANSWER_PATIENCE: Duration = Duration::from_secs(5);

/// How lines are said to the bot.
pub type Say = fn(&mut Talk, Vec<u8>) -> Result<(), Halt>;

/// Says a line as the referee does.
pub fn say_whole(talk: &mut Talk, line: Vec<u8>) -> Result<(), Halt> {
    talk.say(&line);
    Ok(())
}

/// A game with one process of the bot.
pub struct Match<'a> {
    /// The process.
    pub talk: Talk<'a>,
    /// The game.
    pub deal: Deal,
    say: Say,
    startup: Duration,
    wants_legal: bool,
    resigned: bool,
    /// What it wrote beside its answers.
    pub strays: Vec<Arrived>,
}

/// An answer that counts.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move; nothing if it resigned.
    pub token: Option<String>,
    /// The line.
    pub line: Vec<u8>,
    /// How long it took.
    pub took: Duration,
}

impl<'a> Match<'a> {
    /// Deals a game to a process, up to its `ready`.
    ///
    /// # Errors
    /// A verdict when it does not get ready in time; and those of [`Talk::next_line`].
    pub fn begin(talk: Talk<'a>, deal: Deal, say: Say, startup: Duration) -> Result<Match<'a>, Halt> {
        let (wants_legal, resigned, strays) = (true, false, Vec::new());
        let mut game = Match { talk, deal, say, startup, wants_legal, resigned, strays };
        game.greet()?;
        Ok(game)
    }

    fn greet(&mut self) -> Result<(), Halt> {
        let hello = self.deal.hello();
        (self.say)(&mut self.talk, hello)?;
        self.become_ready()
    }

    fn become_ready(&mut self) -> Result<(), Halt> {
        let until = Instant::now() + self.startup;
        while let Some(arrived) = self.talk.next_line(until)? {
            match receive::read(&arrived.line) {
                Ok(Message::Ready(ready)) => {
                    self.wants_legal = ready.legal != Some(false);
                    return Ok(());
                }
                _ => self.strays.push(arrived),
            }
        }
        Err(bad(self.silence("answered hello", self.startup)))
    }

    /// Asks it, and plays what it answers.
    ///
    /// # Errors
    /// A verdict when no legal answer comes, or the game is over; and those of [`Talk::next_line`].
    pub fn ask(&mut self) -> Result<Answer, Halt> {
        let answer = self.ask_only()?;
        if let Some(token) = &answer.token {
            let turn = self.deal.turn();
            let refused = |refusal| bad(format!("its move in turn {turn} is refused: {refusal}"));
            self.deal.answer(token).map_err(refused)?;
        }
        Ok(answer)
    }

    /// Asks it, and leaves it to the caller to play something.
    ///
    /// # Errors
    /// Those of [`ask`](Match::ask).
    pub fn ask_only(&mut self) -> Result<Answer, Halt> {
        if self.resigned {
            return Err(untried("the bot resigned before this could be tried"));
        }
        let question = self.deal.question(self.wants_legal);
        let question = question.ok_or_else(|| untried("the game was over before this could be tried"))?;
        let sent = Instant::now();
        (self.say)(&mut self.talk, question)?;
        self.answer(sent)
    }

    fn answer(&mut self, sent: Instant) -> Result<Answer, Halt> {
        let asked = self.deal.turn();
        while let Some(arrived) = self.talk.next_line(sent + ANSWER_PATIENCE)? {
            let token = match receive::read(&arrived.line) {
                Ok(Message::Move(mv)) if mv.turn == asked => Some(mv.token.into_owned()),
                Ok(Message::Resign(resign)) if resign.turn == asked => None,
                _ => {
                    self.strays.push(arrived);
                    continue;
                }
            };
            self.resigned = token.is_none();
            return Ok(Answer { token, took: arrived.at.saturating_duration_since(sent), line: arrived.line });
        }
        Err(bad(self.silence(&format!("answered turn {asked}"), ANSWER_PATIENCE)))
    }

    /// Asks it so many times, unless the game is over before.
    ///
    /// # Errors
    /// Those of [`ask`](Match::ask).
    pub fn play(&mut self, questions: usize) -> Result<Vec<Answer>, Halt> {
        let mut answers = Vec::new();
        while answers.len() < questions && !self.resigned && !self.deal.is_over() {
            match self.ask() {
                // The moves of the others may have ended it.
                Err(_) if self.deal.is_over() && !self.talk.is_gone() => break,
                answer => answers.push(answer?),
            }
        }
        Ok(answers)
    }

    /// Tells it that the game is over.
    ///
    /// # Errors
    /// Those of the way in which things are said.
    pub fn over(&mut self) -> Result<(), Halt> {
        let line = self.deal.over();
        (self.say)(&mut self.talk, line)
    }

    /// Deals the next game to the same process, up to its `ready`.
    ///
    /// # Errors
    /// Those of [`begin`](Match::begin).
    pub fn again(&mut self, setting: Setting) -> Result<(), Halt> {
        self.deal = self.deal.again(setting).map_err(|error| untried(format!("there is no such game: {error}")))?;
        self.resigned = false;
        self.greet()
    }

    /// The same, with the `over` of the last game in one piece with the `hello` of the next.
    ///
    /// # Errors
    /// Those of [`begin`](Match::begin).
    pub fn again_at_once(&mut self, setting: Setting) -> Result<(), Halt> {
        let over = self.deal.over();
        self.deal = self.deal.again(setting).map_err(|error| untried(format!("there is no such game: {error}")))?;
        self.resigned = false;
        let both = [over, self.deal.hello()].concat();
        (self.say)(&mut self.talk, both)?;
        self.become_ready()
    }

    /// Whether it resigned.
    pub fn has_resigned(&self) -> bool {
        self.resigned
    }

    /// That it is still there, and has only to be asked.
    ///
    /// # Errors
    /// A verdict when it is gone; and those of [`Talk::next_line`].
    pub fn must_be_there(&mut self, when: &str) -> Result<(), Halt> {
        self.talk.listen(Duration::from_millis(20))?;
        if self.talk.is_gone() { Err(bad(self.talk.gone_words(when))) } else { Ok(()) }
    }

    /// That it did not die of what it was told: after its last game it may end, but with status 0.
    ///
    /// # Errors
    /// A verdict when it did; and those of [`Talk::next_line`].
    pub fn must_be_well(&mut self, when: &str) -> Result<(), Halt> {
        self.talk.listen(Duration::from_millis(80))?;
        if self.talk.ended_badly() { Err(bad(self.talk.gone_words(when))) } else { Ok(()) }
    }

    /// Why there was no answer, in words.
    fn silence(&self, what: &str, patience: Duration) -> String {
        if self.talk.is_gone() {
            return self.talk.gone_words(&format!("before it {what}"));
        }
        let seen = match (self.talk.partial(), self.strays.last()) {
            ([], None) => "nothing came".to_owned(),
            ([], Some(stray)) => format!("what came instead was “{}”", shown(&stray.line)),
            (partial, _) => format!("“{}” came without a line end", shown(partial)),
        };
        format!("it had not {what} after {patience:?}: {seen}{}", self.talk.stderr_words())
    }
}
