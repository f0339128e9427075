use std::collections::BTreeSet;

use super::*;

const HELLO: &str = r#"{"type":"hello","game":"alto-ahi","options":{},"seat":0,"players":["a","b"]}"#;

/// The lines that the bot writes about two games of two turns each.
fn said(options: &[&str]) -> Vec<String> {
    let turn = |turn: u64| format!("{{\"type\":\"turn\",\"turn\":{turn},\"legal\":[\"e2\"]}}\n");
    let over = "{\"type\":\"over\"}\n";
    let game = |first: u64| format!("{HELLO}\n{}{}{over}", turn(first), turn(first + 2));
    let (input, mut output, mut notes) = (game(1) + &game(5), Vec::new(), Vec::new());
    super::super::run("faulty", options, input.as_bytes(), &mut output, &mut notes).unwrap();
    assert_eq!(notes, b"");
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn it_is_honest_but_for_one_moment() {
    let honest = said(&["mode=honest"]);
    assert_eq!(honest.len(), 6);
    assert_eq!(honest[1], r#"{"type":"move","turn":1,"move":"e2"}"#);
    for (options, line) in [
        (&["mode=null"][..], 1),
        (&["mode=null", "turn=0"], 0),
        (&["mode=null", "turn=2"], 2),
        (&["turn=3", "mode=null"], 4),
    ] {
        let mut expected = honest.clone();
        expected[line] = "null".to_owned();
        assert_eq!(said(options), expected, "{options:?}");
    }
    assert_eq!(said(&["mode=null", "turn=5"]), honest, "its moment never came");
}

#[test]
fn what_a_mode_makes_of_an_answer() {
    for (mode, expected) in [
        ("half", r#"{"type":"move","tu"#),
        ("array", r#"[{"type":"move","turn":1,"move":"e2"}]"#),
        ("wrong-turn", r#"{"type":"move","turn":1001,"move":"e2"}"#),
        ("wrong-types", r#"{"type":"move","turn":"1","move":"e2"}"#),
        ("no-turn", r#"{"type":"move","n":0,"move":"e2"}"#),
        ("duplicate-keys", r#"{"type":"move","type":"move","turn":1,"move":"e2"}"#),
        ("huge-number", r#"{"type":"move","turn":1e999,"move":"e2"}"#),
        ("bom", "\u{feff}{\"type\":\"move\",\"turn\":1,\"move\":\"e2\"}"),
    ] {
        assert_eq!(said(&[&format!("mode={mode}")])[1], expected, "{mode}");
    }
}

#[test]
fn every_mode_has_a_name_and_words_of_its_own() {
    let modes: Vec<&Mode> = MODES.iter().flat_map(|(_, modes)| *modes).collect();
    let names: BTreeSet<&str> = modes.iter().map(|mode| mode.name).collect();
    let words: BTreeSet<&str> = modes.iter().map(|mode| mode.words).collect();
    assert_eq!((names.len(), words.len()), (modes.len(), modes.len()));
    assert!(words.iter().all(|words| words.len() <= 100 && !words.contains('|')), "one line, and a cell of a table");
    assert!(names.iter().all(|name| name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))));
}
