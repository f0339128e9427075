//! The command line: one file a subcommand, each from its arguments to what is printed and the exit code.
//!
//! Results go to stdout, everything else to stderr. What each exit code means is in `failure.rs`.

mod bot;
mod check;
mod doctor;
mod failure;
mod games;
mod init;
mod input;
mod legal;
mod limits;
mod logs;
mod output;
mod perft;
mod play;
mod players;
mod position;
mod report;
mod result;
mod rules;
mod run;
mod sandbox;
mod seed;
mod show;
mod signals;
mod standings;
mod status;
mod stderr;
mod verify;
mod watch;

use std::io::Write;
use std::process::ExitCode;

use clap::{ArgAction, Parser, Subcommand};

use failure::Failure;
use stderr::Stderr;

/// A referee for bot battles: it starts player programs, keeps their clocks, and writes logs that anyone can check.
#[derive(Parser)]
#[command(version, max_term_width = 100, disable_help_subcommand = true)]
struct Cli {
    /// Say more on stderr; twice for everything
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    verbose: u8,
    /// Say nothing but results and errors
    #[arg(short, long, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Play(Box<play::Args>),
    Init(init::Args),
    Run(Box<run::Args>),
    Status(status::Args),
    Standings(standings::Args),
    Report(report::Args),
    Check(Box<check::Args>),
    Verify(verify::Args),
    Show(show::Args),
    Games(games::Args),
    Rules(rules::Args),
    Legal(legal::Args),
    Perft(perft::Args),
    Bot(bot::Args),
    Doctor(doctor::Args),
}

/// Does what the command line asks for.
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => error.exit(),
        Err(help) => return ended(printed(&help).map_err(Failure::from)),
    };
    let stderr = Stderr::default();
    log_to(&stderr, cli.verbose, cli.quiet);
    let done = match cli.command {
        Command::Play(args) => play::run(*args, cli.quiet),
        Command::Init(args) => init::run(args, cli.quiet),
        Command::Run(args) => run::run(*args, cli.quiet, &stderr),
        Command::Status(args) => status::run(args),
        Command::Standings(args) => standings::run(args),
        Command::Report(args) => report::run(args, cli.quiet),
        Command::Check(args) => check::run(*args, cli.quiet),
        Command::Verify(args) => verify::run(args, cli.quiet),
        Command::Show(args) => show::run(args),
        Command::Games(args) => games::run(args),
        Command::Rules(args) => rules::run(args),
        Command::Legal(args) => legal::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Bot(args) => bot::run(args),
        Command::Doctor(args) => doctor::run(args, cli.verbose > 0, cli.quiet),
    };
    ended(done)
}

/// Prints what `--help` and `--version` ask for.
fn printed(help: &clap::Error) -> std::io::Result<()> {
    help.print()?;
    std::io::stdout().flush()
}

fn ended(done: Result<(), Failure>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.tell();
            ExitCode::from(failure.code())
        }
    }
}

fn log_to(stderr: &Stderr, verbose: u8, quiet: bool) {
    let level = match (quiet, verbose) {
        (true, _) => tracing::Level::ERROR,
        (false, 0) => tracing::Level::WARN,
        (false, 1) => tracing::Level::INFO,
        (false, 2) => tracing::Level::DEBUG,
        (false, _) => tracing::Level::TRACE,
    };
    let colours = std::io::IsTerminal::is_terminal(&std::io::stderr()) && std::env::var_os("NO_COLOR").is_none();
    let stderr = stderr.clone();
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(move || stderr.clone())
        .with_ansi(colours)
        .with_target(false)
        // It would tell on stderr that stderr cannot be written to, and panic there.
        .log_internal_errors(false)
        .without_time()
        .init();
}
