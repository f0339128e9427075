//! The command line from end to end: every subcommand, every refusal, and games with real processes.

mod forger;
mod running;
mod support;

mod boards;
mod bot;
mod check;
mod damage;
mod doctor;
mod faults;
mod floods;
mod forgery;
mod isolation;
mod leftovers;
mod limits;
mod lists;
mod load;
mod matches;
mod play;
mod pondering;
mod refusals;
mod report;
mod reuse;
mod sandbox;
mod standings;
mod stopping;
mod tournament;
mod tournament_kills;
mod tournament_refusals;
mod tournament_runs;
mod tournament_stops;
mod tournament_unread;
mod verify;
mod voids;
mod zoo;
