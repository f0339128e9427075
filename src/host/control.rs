//! What referee, keeper and launcher say to each other, and the sockets they say it through.
//!
//! The sockets keep message boundaries (`SOCK_SEQPACKET`): one message is one JSON text, and an end of file means that
//! the other side is gone. The request to start a program travels from the referee through the keeper to the launcher
//! as it is, with the bot's ends of the three pipes as descriptors beside it (`SCM_RIGHTS`); it is queued before the
//! receiver exists, so that nobody waits for anybody at the start.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use arrayvec::ArrayVec;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::isolation::Wrapper;
use super::program::Program;
use super::sandbox::Confinement;
use crate::record::entry::Exit;

/// The first argument of a keeper.
pub const KEEPER: &str = "__keeper";
/// The first argument of a launcher; the second is the process id of its keeper, or 0 in namespaces of its own.
pub const LAUNCHER: &str = "__enter";
/// The most bytes in a message; it fits into the default buffer of a socket whole, so that sending never waits.
pub const LONGEST_MESSAGE: usize = 160 * 1024;
/// The most bytes in what a keeper or launcher says: a short report.
pub const LONGEST_REPORT: usize = 4096;
/// The most descriptors that come with a message.
const MOST_DESCRIPTORS: usize = 3;

/// What a launcher is to become: the first message to a keeper, and the first after each [`Report::Empty`], passed on
/// to its launcher as it is.
///
/// The bot's standard input, output and error come with it as descriptors, in this order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Request {
    /// What to run.
    pub program: Program,
    /// What it may use and touch.
    pub confinement: Confinement,
    /// What puts the bot into namespaces of its own, if it gets any.
    pub wrapper: Option<Wrapper>,
}

/// What a referee tells a keeper after a request. That the referee is gone means the same, and that no more will come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Reap the ended processes that came to the keeper.
    Tidy,
    /// End the bot and everything it started, and report when nothing is left.
    Finish,
}

/// What a launcher tells its keeper. The end of the socket after `Entering` means that the program runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// It is about to become the program.
    Entering,
    /// It could not become the program.
    Failed {
        /// Why, for the bot's author or for whoever runs the referee.
        reason: String,
        /// Whose fault it was.
        blame: Blame,
    },
}

/// Whose fault it is that a program did not start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Blame {
    /// The program's: missing, not executable, made for another kind of machine.
    Program,
    /// The machine's or the referee's: no memory, no process left. Never to be charged to a bot.
    Machine,
}

/// What a referee hears about one player's processes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Report {
    /// The program runs.
    Started {
        /// Its process id, which is also that of its session and process group.
        pid: i32,
    },
    /// The program could not be started; nothing of it runs.
    Failed {
        /// Why, in words.
        reason: String,
        /// Whose fault it was.
        blame: Blame,
    },
    /// The program itself ended. What it started may still run, and may hold its pipes open.
    Exited(Exit),
    /// Nothing is left of the program or of anything that it started. The last report of this program.
    Empty {
        /// How many processes other than the program itself were still alive when the end began.
        leftovers: u32,
    },
    /// Something could not be killed in time; the keeper goes on trying.
    Stuck,
    /// The keeper itself is gone without having emptied its player: it was killed. The last report.
    KeeperGone,
}

/// Makes a connected pair of control sockets, closed on exec.
///
/// # Errors
/// When no descriptors are left.
pub fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?)
}

/// A message as it was received: its bytes and the descriptors that came with it.
pub struct Message {
    /// The JSON text.
    pub text: Vec<u8>,
    /// What came with it; closed on exec.
    pub descriptors: ArrayVec<OwnedFd, MOST_DESCRIPTORS>,
}

impl Message {
    /// Reads the message.
    ///
    /// # Errors
    /// When it is not a `T`.
    pub fn read<T: DeserializeOwned>(&self) -> io::Result<T> {
        serde_json::from_slice(&self.text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }
}

/// Sends one value.
///
/// # Errors
/// When the other side is gone, or the value is larger than [`LONGEST_MESSAGE`].
pub fn send(socket: impl AsFd, value: &impl Serialize) -> io::Result<()> {
    send_bytes(socket, &serde_json::to_vec(value)?, &[])
}

/// Sends a text and descriptors, without waiting.
///
/// # Errors
/// When the other side is gone, or the text is longer than [`LONGEST_MESSAGE`].
pub fn send_bytes(socket: impl AsFd, text: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    if text.len() > LONGEST_MESSAGE {
        return Err(Errno::MSGSIZE.into());
    }
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !beside.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(Errno::INVAL.into());
    }
    let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
    rustix::io::retry_on_intr(|| sendmsg(&socket, &[IoSlice::new(text)], &mut beside, flags))?;
    Ok(())
}

/// Receives one message of at most `room` bytes without waiting; nothing if the other side is gone and everything it
/// said was read.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`] while there is none; others when the message is too long or the socket is none.
pub fn receive(socket: impl AsFd, room: usize) -> io::Result<Option<Message>> {
    let mut text = vec![0; room];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT;
    let received = loop {
        match recvmsg(&socket, &mut [IoSliceMut::new(&mut text)], &mut beside, flags) {
            // The other side closed with messages unread; what it said before is still to be had.
            Err(Errno::INTR | Errno::CONNRESET) => {}
            other => break other?,
        }
    };
    let descriptors = beside
        .drain()
        .filter_map(|message| match message {
            RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
            _ => None,
        })
        .flatten()
        .take(MOST_DESCRIPTORS)
        .collect();
    if received.flags.intersects(ReturnFlags::TRUNC | ReturnFlags::CTRUNC) {
        return Err(Errno::MSGSIZE.into());
    }
    text.truncate(received.bytes);
    Ok((received.bytes > 0).then_some(Message { text, descriptors }))
}

/// Cuts a reason to what fits into a report, between two characters.
pub fn shorten(mut reason: String) -> String {
    reason.truncate(reason.floor_char_boundary(LONGEST_REPORT / 8));
    reason
}

#[cfg(test)]
mod tests;
