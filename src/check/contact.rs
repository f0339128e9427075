//! The first talk with a bot: what comes when it is greeted and asked, however wrong it is.
//!
//! Other scripts presume that a bot answers at all. Here everything is written down that can go wrong before that, so
//! that each trouble is reported once, by the check that says how to mend it.

use std::time::{Duration, Instant};

use super::bench::Bench;
use super::deal::{Deal, Setting};
use super::sitting::ANSWER_PATIENCE;
use super::talk::Talk;
use super::verdict::{Halt, untried};
use crate::protocol::receive::{self, Message, Unreadable, shown};
use crate::table::GameName;

/// How long it is listened for what comes only when the input is over.
const LAST_WORDS: Duration = Duration::from_millis(1500);

/// What came of the first talk.
#[derive(Clone, Default)]
pub struct Contact {
    /// The first line that looks like a message, and how long after the start it was complete.
    pub ready: Option<(Vec<u8>, Duration)>,
    /// What came for each question.
    pub replies: Vec<Reply>,
    /// What had come of a line without an end when the patience was over.
    pub partial: Vec<u8>,
    /// The lines that came only after the end of the input.
    pub late: Vec<Vec<u8>>,
    /// How it was gone, in words, if it was: `ended with exit code 1`.
    pub gone: Option<String>,
    /// The last of its stderr, in words to be put behind others.
    pub stderr: String,
}

/// What came for a question.
#[derive(Clone)]
pub enum Reply {
    /// A move that the rules take.
    Move,
    /// A move that they refuse, and why.
    Illegal(String),
    /// It gave up.
    Resigned,
    /// A line that is no message, and why.
    Unreadable(String),
    /// An answer to another question than the one that was asked.
    OtherTurn {
        /// What was asked.
        asked: u64,
        /// What was answered.
        answered: u64,
    },
    /// None.
    Nothing {
        /// What was asked.
        asked: u64,
    },
}

/// The first talk in one game.
pub struct Probe {
    /// The game.
    pub game: GameName,
    /// How many play.
    pub seats: usize,
    /// What came.
    pub contact: Contact,
}

impl Probe {
    /// Greets a new process of the bot in this game, and asks it once.
    pub fn of(bench: &Bench, game: GameName, seats: usize) -> Result<Probe, Halt> {
        let contact = Contact::with(bench, bench.setting(game, seats), &[1])?;
        Ok(Probe { game, seats, contact })
    }

    /// Whether the bot takes part, well or not: it does not if it ends when it is greeted or first asked.
    pub fn takes_part(&self) -> bool {
        self.contact.ready.is_some() && self.contact.gone.is_none()
    }

    /// Whether it gets ready.
    pub fn gets_ready(&self) -> bool {
        self.contact.ready.is_some()
    }

    /// Whether it plays: it gets ready in a way that is understood, and its first answer is one.
    pub fn plays(&self) -> bool {
        let understood = |(line, _): &(Vec<u8>, Duration)| matches!(receive::read(line), Ok(Message::Ready(_)));
        self.contact.ready.as_ref().is_some_and(understood) && matches!(self.contact.replies[..], [Reply::Move])
    }

    /// Whether it neither answered nor ended.
    pub fn hangs(&self) -> bool {
        let Contact { ready, replies, gone, .. } = &self.contact;
        gone.is_none() && (ready.is_none() || matches!(replies[..], [Reply::Nothing { .. }]))
    }
}

impl Contact {
    /// The numbers of the questions: as in a first game, and as late in the life of a process.
    const TURNS: [u64; 4] = [1, 7, 8, 1_000_003];

    /// Greets a new process of the bot, and asks it a few times.
    pub fn of(bench: &Bench, setting: Setting) -> Result<Contact, Halt> {
        Contact::with(bench, setting, &Contact::TURNS)
    }

    /// The first reply that is no move, if one is not.
    pub fn trouble(&self) -> Option<&Reply> {
        self.replies.iter().find(|reply| !matches!(reply, Reply::Move))
    }

    fn with(bench: &Bench, setting: Setting, turns: &[u64]) -> Result<Contact, Halt> {
        let mut deal = Deal::new(setting).map_err(|error| untried(error.to_string()))?;
        let mut talk = bench.start()?;
        let mut contact = Contact::default();
        talk.say(&deal.hello());
        let until = talk.began + bench.startup();
        while contact.ready.is_none()
            && let Some(arrived) = talk.next_line(until)?
        {
            // Another check is about text that is no message.
            let began = talk.began;
            contact.ready = arrived.line.starts_with(b"{").then(|| (arrived.line, arrived.at - began));
        }
        if contact.ready.is_none() {
            contact.listen_to_the_end(&mut talk)?;
            return Ok(contact);
        }
        let mut asked = Vec::new();
        for &turn in turns {
            deal.skip_to(turn);
            let Some(question) = deal.question(true) else { break };
            asked.push(deal.turn());
            // What is written twice is no answer to the next question.
            talk.listen(Duration::from_millis(5))?;
            talk.take_lines();
            talk.say(&question);
            let reply = reply(&mut talk, &mut deal, &asked)?;
            let nothing = matches!(reply, Reply::Nothing { .. });
            let good = matches!(reply, Reply::Move);
            contact.replies.push(reply);
            if nothing {
                contact.listen_to_the_end(&mut talk)?;
            }
            if !good {
                break;
            }
        }
        Ok(contact)
    }

    fn listen_to_the_end(&mut self, talk: &mut Talk) -> Result<(), Halt> {
        if talk.is_gone() {
            self.gone = Some(talk.how_gone());
        } else {
            self.partial = talk.partial().to_vec();
            talk.end_input();
            let until = Instant::now() + LAST_WORDS;
            while let Some(arrived) = talk.next_line(until)? {
                self.late.push(arrived.line);
            }
            if self.partial.is_empty() && self.late.is_empty() && !talk.partial().is_empty() {
                self.late.push(talk.partial().to_vec());
            }
        }
        self.stderr = talk.stderr_words();
        Ok(())
    }
}

fn reply(talk: &mut Talk, deal: &mut Deal, asked: &[u64]) -> Result<Reply, Halt> {
    let turn = deal.turn();
    let until = Instant::now() + ANSWER_PATIENCE;
    let mut stale = None;
    while let Some(arrived) = talk.next_line(until)? {
        let answered = match receive::read(&arrived.line) {
            Ok(Message::Move(mv)) if mv.turn == turn => {
                return Ok(deal.answer(&mv.token).map_or_else(|why| Reply::Illegal(why.to_string()), |()| Reply::Move));
            }
            Ok(Message::Resign(resign)) if resign.turn == turn => return Ok(Reply::Resigned),
            Ok(Message::Move(mv)) => mv.turn,
            Ok(Message::Resign(resign)) => resign.turn,
            // Other checks are about what else is written.
            Ok(Message::Ready(_)) | Err(Unreadable::NotAnObject | Unreadable::UnknownType(_)) => continue,
            Err(why) => return Ok(Reply::Unreadable(format!("{why}; the line was “{}”", shown(&arrived.line)))),
        };
        if !asked.contains(&answered) {
            return Ok(Reply::OtherTurn { asked: turn, answered });
        }
        stale = Some(answered);
    }
    Ok(match stale.filter(|_| !talk.is_gone()) {
        Some(answered) => Reply::OtherTurn { asked: turn, answered },
        None => Reply::Nothing { asked: turn },
    })
}
