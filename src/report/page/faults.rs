//! The faults of an event, as the authors of its bots should see them.

use std::collections::{BTreeMap, BTreeSet};

use super::event::Event;
use super::{Html, table};
use crate::report::faults::in_log;
use crate::tournament::Entrant;
use crate::tournament::played::Played;
use crate::tournament::standings::Row;

/// More faults than this are counted, and not shown one by one.
const MOST_FAULTS: usize = 200;
/// So many of one kind are shown of one bot: those behind them would hide what befell the others.
const MOST_OF_A_KIND: usize = 10;

/// A fault as its author should see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownFault {
    /// The number of the game.
    pub game: u64,
    /// Who is charged.
    pub entrant: Entrant,
    /// Its name in the log.
    pub kind: String,
    /// Whether a strike was taken for it, and the game went on.
    pub tolerated: bool,
    /// What happened, and what to do about it.
    pub words: String,
    /// The last that the bot wrote on stderr.
    pub stderr: String,
}

/// The faults that a page shows, in the order of the games; `log` reads the log of a game.
pub fn shown_faults(games: &[Played], log: &dyn Fn(u64) -> Vec<u8>) -> Vec<ShownFault> {
    let mut counts: BTreeMap<(Entrant, String, bool), usize> = BTreeMap::new();
    let mut shown = Vec::new();
    for game in games {
        let is_wanted = |kind: &str, tolerated, entrant| {
            counts.get(&(entrant, kind.to_owned(), tolerated)).is_none_or(|&count| count < MOST_OF_A_KIND)
        };
        let mut faults = game.faults.iter().filter(|fault| fault.is_fault());
        if !faults.any(|fault| is_wanted(&fault.kind, fault.tolerated, game.seats[fault.seat])) {
            continue;
        }
        for said in in_log(&log(game.game)) {
            let Some(&entrant) = game.seats.get(said.seat) else { continue };
            let count = counts.entry((entrant, said.kind.to_owned(), said.tolerated)).or_default();
            *count += 1;
            if *count <= MOST_OF_A_KIND {
                let (kind, tolerated) = (said.kind.to_owned(), said.tolerated);
                let (words, stderr) = (said.words, said.stderr);
                shown.push(ShownFault { game: game.game, entrant, kind, tolerated, words, stderr });
            }
        }
        if shown.len() >= MOST_FAULTS {
            break;
        }
    }
    shown.truncate(MOST_FAULTS);
    shown
}

/// How many faults there are by kind, and those of which more is known.
pub(super) fn faults(event: &Event, html: &mut Html) {
    let rows = &event.standings.rows;
    html.raw("<h2>Faults</h2>\n");
    let kinds: BTreeSet<&String> = rows.iter().flat_map(|row| row.faults.keys().chain(row.tolerated.keys())).collect();
    if rows.iter().all(|row| row.faults.is_empty()) {
        let words = if kinds.is_empty() { "No bot was at fault." } else { "All faults were tolerated." };
        html.element("p", words).raw("\n");
    }
    if kinds.is_empty() {
        return;
    }
    table::begin(html, "Faults by kind");
    html.raw("<thead><tr><th scope=\"col\" class=\"left\">bot</th>");
    kinds.iter().for_each(|kind| _ = html.element("th scope=\"col\"", kind));
    html.raw("</tr></thead>\n<tbody>\n");
    for row in rows.iter().filter(|row| !row.faults.is_empty() || !row.tolerated.is_empty()) {
        html.raw("<tr><th scope=\"row\" class=\"left\">").name(event.standings.name_of(row.entrant)).raw("</th>");
        kinds.iter().for_each(|kind| _ = html.element("td", times(row, kind)));
        html.raw("</tr>\n");
    }
    html.raw("</tbody>\n");
    table::end(html);
    event.faults.iter().for_each(|fault| one(event, fault, html));
    let all: u64 = rows.iter().flat_map(|row| row.faults.values().chain(row.tolerated.values())).sum();
    if all > event.faults.len() as u64 {
        let words = format!(
            "{} of {all} faults are shown, at most {MOST_OF_A_KIND} of a kind for each bot; the others are in the logs.",
            event.faults.len()
        );
        html.element("p class=\"quiet\"", words).raw("\n");
    }
}

/// How often a bot was at fault in this way.
fn times(row: &Row, kind: &str) -> String {
    let of = |counts: &BTreeMap<String, u64>| counts.get(kind).copied().unwrap_or(0);
    match (of(&row.faults), of(&row.tolerated)) {
        (charged, 0) => charged.to_string(),
        (0, tolerated) => format!("{tolerated} tolerated"),
        (charged, tolerated) => format!("{charged}, and {tolerated} tolerated"),
    }
}

fn one(event: &Event, fault: &ShownFault, html: &mut Html) {
    html.raw("<details><summary>").name(event.standings.name_of(fault.entrant)).raw(": ").text(&fault.kind);
    html.text(format!(" in game {}", fault.game)).raw(if fault.tolerated { " (tolerated)" } else { "" });
    html.raw("</summary>\n").element("p", &fault.words);
    html.raw("<p>").link(&(event.log)(fault.game), "its log").raw("</p>\n");
    if !fault.stderr.is_empty() {
        html.raw("<p class=\"quiet\">The last on stderr:</p>\n").element("pre", &fault.stderr);
    }
    html.raw("</details>\n");
}
