//! Arbitro, a headless referee for bot battles: it starts player programs as child processes, speaks a line-based JSON
//! protocol with them, keeps their clocks, plays board games by their rules, and writes logs that anyone can check.
//!
//! This text is the architecture. What bots and readers of logs must know stands in `protocol.md`, what users must know
//! in `README.md`, and the rules of each game in its own `RULES.md` under `src/games/`.
//!
//! # Floors
//!
//! A module uses only what stands below it; a test reads the sources and enforces that.
//!
//! ```text
//! cli                     one file a subcommand: arguments, printing, exit codes
//!   report                views of records and standings: text, JSON, CSV, Markdown, HTML
//!   tournament            many games: plan, pairing, workers, journal, standings, ratings
//!   check                 scripts that play the referee's side for one bot, and say what to fix; stands on host
//!   host                  the only IO with bots: keepers, launchers, pipes, the loop of a game
//!     referee             one game as a state machine: events in, effects out
//!       record            the log: entries, writer, reader, hashes, verification
//!       protocol          the wire: bytes to lines to messages, and the limits on them
//!         clock           moments, spans, time controls: arithmetic that reads no time
//!         table           the one door between typed rules and text, and the closed list of games
//!           games         a folder a game: rules, notation, state, board
//!             game        what the rules of a game are
//!               chance    the one source of randomness: streams, fair draws, commitments
//!               seat      who sits where
//! bots                    the built-in players; they stand on table and games, and only cli knows them
//! ```
//!
//! Below `host`, `bots` apart, nothing reads a clock, opens a file, looks at the environment, starts a thread or prints,
//! and nothing there uses a hash map with a random order or floating point: the same game gives the same bytes anywhere.
//! So rules are tested by counting, the referee under a simulated clock by the thousand games a second, and only the
//! host with real processes.
//!
//! # One game
//!
//! [`host::play::play`] runs it on one thread. It waits in one `poll` for whatever its bots write, stamps what it reads,
//! and hands it to [`referee::Referee::handle`], which answers with [`referee::Effect`]s: send this message, write this
//! to the log, kill that program. The referee takes bytes and moments, never lines or clocks; that is why cutting a
//! bot's output into other pieces cannot change a verdict. What a fault is and who is charged is decided there and
//! nowhere else. The host decides nothing. What bots use is looked at on a second thread, for they decide how long that
//! takes.
//!
//! Behind each bot stands a keeper (see [`host`]), which proves at the end that nothing of it is left. What a bot may
//! touch is its [`host::Confinement`], decided by `cli` from what this machine has, and put on by the launcher before it
//! becomes the bot; what it may use is measured by the host and judged by the referee, like all else.
//!
//! # A tournament
//!
//! Everything that decides what is played stands in a plan ([`tournament::plan`]), which never changes; everything that
//! was played stands in a journal ([`tournament::journal`]), a line a game, and a game counts once its line is on the
//! disk. [`tournament::run::run`] plays what is planned and not journaled, on as many threads as there are games at once,
//! and one more that counts. So it can be stopped at any moment, and the same command goes on. All that follows, the
//! next round, standings, ratings, pages, is a function of plan and journal, in the order of the plan.
//!
//! # What is always true
//!
//! - A game is changed by steps alone (a move, a chance outcome, a seat that leaves), and each is a line of the log.
//! - A chance outcome is drawn from a seed that was committed to before the game, and revealed after it, when nobody
//!   can profit from it any more.
//! - What a bot is told it has left is what is enforced, to the nanosecond.
//! - What was measured, or is local to a machine, never enters the hash by which games are compared.
//! - The referee's own lateness or failure makes a game void, and never a loss.
//! - What a tournament comes to does not depend on how many games ran at once, or how often it was stopped.
//! - No bot runs as root, and none before all that was promised to hold it does.
//!
//! # Adding a game
//!
//! Copy the folder of the game that is nearest, implement [`game::Game`], add one line each to `games/mod.rs` and to
//! [`table::GameName`], put the numbers that prove it into `fixtures/`, and call the conformance tests. The tests name
//! what is missing.

#![forbid(unsafe_code)]
#[cfg(not(target_os = "linux"))]
compile_error!(
    "arbitro runs on Linux only: it contains player programs with Linux process features (pidfd, subreaper, Landlock)"
);

pub mod bots;
pub mod chance;
pub mod check;
pub mod cli;
pub mod clock;
pub mod game;
pub mod games;
pub mod host;
pub mod protocol;
pub mod record;
pub mod referee;
pub mod report;
pub mod seat;
pub mod table;
pub mod tournament;
