//! The pages that are made from events, looked at in a real browser: see `tests/browser/look.mjs`.

mod browser;
mod events;

use arbitro::report::page::{Event, event};
use arbitro::tournament::standings::{Results, Standings};

use browser::look;
use events::{HOSTILE, faults, results};

fn page(bots: &[&str], seats: usize, games: usize) -> String {
    page_of(&results(bots, seats, games))
}

fn page_of(results: &Results) -> String {
    let standings = Standings::of(results).expect("these are results");
    let facts = [("plan".to_owned(), "0123456789abcdef".repeat(4))];
    let log = |game: u64| format!("games/0000/game-{game:07}.jsonl");
    event(&Event { standings: &standings, games: &results.games, facts: &facts, faults: &faults(results), log: &log })
}

#[test]
fn a_report_is_readable_at_any_width_and_asks_for_nothing() {
    let Some(seen) = look("usual", &page(&["ada", "bela", "cora", "dina", "ewa", "fritz"], 2, 300)) else { return };
    seen.is_clean();
    assert_eq!(
        seen.headings(),
        [
            "An event",
            "Standings",
            "Ratings",
            "Who met whom",
            "From each seat",
            "What a seat is worth",
            "How long games are",
            "Time used",
            "Faults",
            "Games"
        ]
    );
    for word in ["ada", "fritz", "disqualified", "timeout", "plies", "of these by disqualification alone"] {
        assert!(seen.text().contains(word), "{word} is there");
    }
}

#[test]
fn a_report_of_four_seats_has_places() {
    let Some(seen) = look("four", &page(&["ada", "bela", "cora", "dina", "ewa"], 4, 100)) else { return };
    seen.is_clean();
    assert!(seen.text().contains("4th"));
}

#[test]
fn a_report_of_nothing_yet_is_a_page() {
    let Some(seen) = look("nothing", &page(&["ada", "bela"], 2, 0)) else { return };
    seen.is_clean();
    assert!(seen.text().contains("No bot was at fault."));
}

#[test]
fn long_numbers_below_a_plot_do_not_touch() {
    // So few games leave wide intervals, and such short times need many digits.
    let mut results = results(&["ada", "bela", "cora", "dina", "ewa", "fritz"], 2, 12);
    results.games.iter_mut().for_each(|game| game.host.thought_us.iter_mut().for_each(|us| *us = 1 + *us % 30));
    let html = page_of(&results);
    assert!(html.contains("−2000<") && html.contains(">0.00001<"), "the numbers are long");
    let Some(seen) = look("long", &html) else { return };
    seen.is_clean();
}

#[test]
fn what_bots_call_themselves_and_say_does_nothing() {
    let html = page(&HOSTILE, 2, 60);
    assert!(
        !html.contains("<script") && !html.contains("<img") && !html.contains('\u{1b}') && !html.contains('\u{202e}')
    );
    assert!(!html.contains("NaN") && !html.contains("inf%"));
    let Some(seen) = look("hostile", &html) else { return };
    seen.is_clean();
    assert!(seen.text().contains("<script>alert(1)</script>"), "it shows as it is written");
}

#[test]
fn the_browser_would_notice() {
    let bad = "<!doctype html><html lang=en><title>x</title><h1>x</h1><img src=\"http://127.0.0.1:9/x.png\">\
               <div style=\"width:3000px;color:#999;background:#aaa\">wide</div>\
               <p class=axis><span>−4000</span><span>2000</span></p><script>console.error('heard')</script>";
    let Some(seen) = look("bad", bad) else { return };
    for kind in ["errors", "requests", "sticking_out", "touching", "violations"] {
        assert!(!seen.list(kind).is_empty(), "{kind} are found");
    }
}
