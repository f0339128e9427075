//! A tournament that holds: its plan and its journal, as they stand on a disk.

use std::collections::BTreeMap;
use std::io;
use std::sync::LazyLock;

use arbitro::chance::Hex32;
use arbitro::clock::TimeControl;
use arbitro::host::play::Ponder;
use arbitro::protocol::limits::Limits;
use arbitro::seat::BySeat;
use arbitro::table::GameName;
use arbitro::tournament::Entrant;
use arbitro::tournament::journal::{End, Header as Beginning, Journal, Storage, beginning, read};
use arbitro::tournament::pairing::{Meeting, Orders, Round};
use arbitro::tournament::plan::{FORMAT, Header, Plan, PlannedBot, PlannedGame};
use arbitro::tournament::played::Played;
use serde_json::json;

/// The plan of three bots that meet in two rounds, as text.
pub static PLAN: LazyLock<String> = LazyLock::new(|| {
    let mut bytes = Vec::new();
    plan().write(0, &mut bytes).expect("memory takes all bytes");
    String::from_utf8(bytes).expect("a plan is text")
});

/// The journal of that plan with all games played, as text.
pub static JOURNAL: LazyLock<String> = LazyLock::new(|| {
    let plan = plan();
    let mut bytes = beginning(&Beginning::of(&plan));
    let end = read(bytes.as_slice()).expect("it begins well").end;
    let mut journal = Journal::resume(Memory(&mut bytes), &End { torn: 0, ..end }).expect("memory takes all bytes");
    for set in 0..plan.sets().len() {
        let games: Vec<Played> = plan.games_of(set).map(|game| played(&plan, &game)).collect();
        journal.commit(&games).expect("memory takes all bytes");
    }
    String::from_utf8(bytes).expect("a journal is text")
});

struct Memory<'a>(&'a mut Vec<u8>);

impl Storage for Memory<'_> {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.0.truncate(length as usize);
        Ok(())
    }
}

fn plan() -> Plan {
    let bot = |name: &str| PlannedBot {
        name: name.to_owned(),
        command: vec!["random".to_owned()],
        files: BTreeMap::new(),
        settings: None,
    };
    let header = Header {
        format: FORMAT,
        referee: "1.0.0".to_owned(),
        name: "A cup".to_owned(),
        game: GameName::Crecer,
        rules: GameName::Crecer.rules_version(),
        options: json!({}),
        seats: 2,
        orders: Orders::Turns,
        pairing: json!({"kind": "swiss"}),
        clock: TimeControl::default(),
        limits: Limits::default(),
        disqualify_after: 0,
        reuse: 2,
        ponder: Ponder::Stop,
        bots: ["ada", "bela", "cora"].map(bot).into(),
        drawn: None,
        openings: vec!["a1".to_owned(), String::new()],
        master: Hex32([1; 32]).master_commitment(),
    };
    let round = |seats: [u16; 2], bye: u16| Round {
        meetings: vec![Meeting { seats: BySeat::collect(seats.map(Entrant)) }],
        sets: 3,
        byes: vec![Entrant(bye)],
    };
    Plan::new(header, [round([0, 1], 2), round([2, 0], 1)])
}

fn played(plan: &Plan, game: &PlannedGame) -> Played {
    let text = json!({
        "game": game.number, "round": plan.sets()[game.set as usize - 1].round, "set": game.set, "seats": game.seats,
        "result": "decided", "ranks": [1, 2], "reason": "goal", "plies": 9, "course": format!("{:016x}", game.number),
        "faults": [{"seat": 1, "kind": "timeout"}], "game_sha256": Hex32([2; 32]), "sha256": Hex32([3; 32]),
        "host": {"thought_us": [5, 6], "took_us": 7},
    });
    serde_json::from_value(text).expect("this is a finished game")
}
