//! What the tests of tournaments share: files for them, and what lies in their folders.

use crate::support::Place;

/// Small and quick games, of a few plies each.
const GAME: &str = "game = \"alto-ahi\"\noptions = { size = 5, walls = 2 }\nclock.clock = \"20s+1s\"\n";

/// A tournament's file of these bots, each with a name and the rest of its table.
pub fn cup(format: &str, more: &str, bots: &[(&str, &str)]) -> String {
    let field: String =
        bots.iter().map(|(name, rest)| format!("[[bots]]\nname = \"{name}\"\ncommand = {rest}\n")).collect();
    format!("{GAME}{more}\n[format]\n{format}\n{field}")
}

/// Three bots that are built in.
pub const THREE: [(&str, &str); 3] =
    [("ada", "[\"greedy\"]"), ("bob", "[\"random\"]"), ("cy", "[\"random\", \"sleep=1ms\"]")];

/// The games of the journal in a folder.
pub fn journaled(place: &Place, folder: &str) -> Vec<serde_json::Value> {
    place.logged(&format!("{folder}/journal.jsonl"), "game")
}
