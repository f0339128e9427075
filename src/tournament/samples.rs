//! Small tournaments for the tests of this floor.

use serde_json::json;

use super::Entrant;
use super::pairing::{Meeting, Orders, Round};
use super::plan::{FORMAT, Header, Plan, PlannedBot, PlannedGame};
use super::played::{Played, PlayedHost};
use crate::chance::{Hex32, Seed};
use crate::clock::TimeControl;
use crate::game::EndReason;
use crate::host::play::Ponder;
use crate::protocol::limits::Limits;
use crate::record::outcome::{GameResult, Reason};
use crate::seat::BySeat;
use crate::table::GameName;

/// The master seed of all of them.
pub const MASTER: Seed = Hex32([1; 32]);

/// A header for so many bots at two seats.
pub fn header(bots: usize) -> Header {
    let bot = |index: usize| PlannedBot {
        name: format!("bot {index}"),
        command: vec!["random".to_owned()],
        files: [("random".to_owned(), Hex32([index as u8; 32]))].into(),
        settings: None,
    };
    Header {
        format: FORMAT,
        referee: "1.0.0".to_owned(),
        name: "A cup".to_owned(),
        game: GameName::AltoAhi,
        rules: GameName::AltoAhi.rules_version(),
        options: json!({"size": 5}),
        seats: 2,
        orders: Orders::Turns,
        pairing: json!({"kind": "round-robin"}),
        clock: TimeControl::default(),
        limits: Limits::default(),
        disqualify_after: 0,
        reuse: 0,
        ponder: Ponder::Stop,
        bots: (0..bots).map(bot).collect(),
        drawn: None,
        openings: Vec::new(),
        master: MASTER.master_commitment(),
    }
}

/// A round of these meetings, each played in so many sets.
pub fn round(meetings: impl IntoIterator<Item = [u16; 2]>, byes: &[u16], sets: u32) -> Round {
    let meeting = |seats: [u16; 2]| Meeting { seats: BySeat::collect(seats.map(Entrant)) };
    let meetings = meetings.into_iter().map(meeting).collect();
    Round { meetings, sets, byes: byes.iter().copied().map(Entrant).collect() }
}

/// A game that the first seat won.
pub fn won(plan: &Plan, game: &PlannedGame) -> Played {
    Played {
        game: game.number,
        round: plan.sets()[game.set as usize - 1].round,
        set: game.set,
        seats: game.seats.clone(),
        result: GameResult::Decided,
        ranks: Some(BySeat::collect([1, 2])),
        reason: Reason::Rules(EndReason::Goal),
        plies: 9,
        faults: Vec::new(),
        voids: 0,
        course: serde_json::from_str("\"0123456789abcdef\"").unwrap(),
        game_sha256: Hex32([game.number as u8; 32]),
        sha256: Hex32([0; 32]),
        host: PlayedHost { thought_us: BySeat::collect([1, 2]), took_us: 3 },
    }
}

/// The games of a set, by its place in the plan, each won by the first seat.
pub fn set(plan: &Plan, index: usize) -> Vec<Played> {
    plan.games_of(index).map(|game| won(plan, &game)).collect()
}
