//! Numbers and names: the limits, the faults, the results and the reasons.

use std::collections::BTreeSet;

use arbitro::clock::TimeControl;
use arbitro::host::play::{CLOSED_GRACE, END_GRACE};
use arbitro::protocol::limits::{
    Limits, NAME_CHARS, NESTING, SCRATCH_FILES, SHOWN_BYTES, STDERR_HEAD_BYTES, STDERR_TAIL_BYTES,
};
use arbitro::record::FORMAT;
use arbitro::record::entry::FaultKind;
use arbitro::record::outcome::{GameResult, Reason};
use serde_json::{Value, json};

use crate::document::{plain, table, text};

#[test]
fn the_limits_are_those_in_force() {
    let table = table("8. Limits", "limit");
    let told = serde_json::to_value(Limits::default()).unwrap();
    let mut documented = serde_json::Map::new();
    for (row, name) in table.rows.iter().zip(table.column("limit")) {
        if row[3] == "yes" {
            documented.insert(name, serde_json::from_str(&row[1]).unwrap());
        }
    }
    assert_eq!(Value::Object(documented), told);

    let number = |name: &str| table.cell(name, "default").parse::<usize>().unwrap();
    assert_eq!(Some(number("threads") as u64), Limits::default().threads());
    assert_eq!(number("nesting"), NESTING);
    assert_eq!(number("name"), NAME_CHARS);
    assert_eq!(number("shown text"), SHOWN_BYTES);
    assert_eq!(number("stderr head"), STDERR_HEAD_BYTES);
    assert_eq!(number("stderr tail"), STDERR_TAIL_BYTES);
    assert_eq!(number("scratch files") as u64, SCRATCH_FILES);
    assert_eq!(number("end grace") as u64, END_GRACE.whole_ms());
    assert_eq!(number("closed grace") as u64, CLOSED_GRACE.whole_ms());
    assert_eq!(number("voids"), arbitro::tournament::game::MOST_VOIDS);
    assert_eq!(table.rows.iter().filter(|row| row[3] == "no").count(), 10, "each is compared above");
}

#[test]
fn the_default_time_control_is_that_of_the_program() {
    let table = table("8. Limits", "field");
    let mut documented = serde_json::Map::new();
    for name in table.column("field") {
        let value = serde_json::from_str(&table.cell(&name, "default")).unwrap();
        documented.insert(name, value);
    }
    assert_eq!(Value::Object(documented), serde_json::to_value(TimeControl::default()).unwrap());
}

#[test]
fn the_numbers_in_the_prose_are_those_of_the_tables() {
    let text = text().split_whitespace().collect::<Vec<_>>().join(" ");
    for (words, number) in [
        ("bytes without its `\\n` (N; dropped", Limits::default().line_bytes as u64),
        ("keeps its beginning (N bytes", STDERR_HEAD_BYTES as u64),
        ("its end (N bytes)", STDERR_TAIL_BYTES as u64),
        ("its first N characters are noted", NAME_CHARS as u64),
        ("bytes as it is written (N)", Limits::default().info_bytes as u64),
        ("of them in a game (N) are a fault", u64::from(Limits::default().unasked_lines)),
        ("nested at most N levels deep", NESTING as u64),
        ("did not end within N ms", CLOSED_GRACE.whole_ms()),
        ("It has N ms to end by itself", END_GRACE.whole_ms()),
        ("at most the first N bytes", SHOWN_BYTES as u64),
        ("normative text of protocol version N", u64::from(arbitro::protocol::VERSION)),
        ("and log format N", u64::from(FORMAT)),
        ("the version of this protocol: N", u64::from(arbitro::protocol::VERSION)),
        ("the version of the log format: N", u64::from(FORMAT)),
    ] {
        let words = words.replace('N', &number.to_string());
        assert!(text.contains(&words), "{words}");
    }
}

#[test]
fn every_fault_is_documented_and_no_other() {
    let documented: Vec<String> = table("6. Faults", "kind").column("kind");
    let known: Vec<&str> = FaultKind::ALL.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(documented, known);
    for kind in FaultKind::ALL {
        assert_eq!(serde_json::to_value(kind).unwrap(), json!(kind.as_str()));
    }
}

#[test]
fn every_result_and_reason_is_documented_and_no_other() {
    let results = table("10. Results", "result");
    assert_eq!(results.column("result"), GameResult::ALL.map(GameResult::as_str));
    for (name, ranks) in results.column("result").iter().zip(results.column("ranks")) {
        assert_eq!(ranks == "yes", name == "decided");
    }
    let documented: Vec<(String, String)> =
        table("10. Results", "reason").rows.iter().map(|row| (plain(&row[0]), plain(&row[1]))).collect();
    let known: Vec<(String, String)> =
        Reason::all().map(|reason| (reason.as_str().to_owned(), reason.result().as_str().to_owned())).collect();
    assert_eq!(documented, known);
    let first_nine = Reason::all().filter(|reason| matches!(reason, Reason::Rules(_))).count();
    assert_eq!(first_nine, 9, "the text below the table counts them");
}

#[test]
fn every_word_in_the_contents_leads_somewhere() {
    let anchor = |heading: &str| {
        let letters = heading.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-'));
        letters.collect::<String>().to_lowercase().replace(' ', "-")
    };
    let anchors: BTreeSet<String> =
        text().lines().filter(|line| line.starts_with('#')).map(|line| anchor(line.trim_matches(['#', ' ']))).collect();
    let text = text();
    let links: Vec<&str> = text.split("](#").skip(1).map(|rest| rest.split_once(')').expect("a link ends").0).collect();
    assert!(links.len() > 14);
    for link in links {
        assert!(anchors.contains(link), "{link}");
    }
}
