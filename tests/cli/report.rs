//! `arbitro report`: the page of a tournament that was played.

use predicates::prelude::*;
use predicates::str::contains;

use crate::support::Place;

const CUP: &str = r#"
name = "A <cup>"
game = "crecer"
[format]
kind = "round-robin"
[[bots]]
name = "greedy"
command = ["greedy"]
[[bots]]
name = "no & good"
command = ["sh", "-c", "read hello; echo '<b>last words</b>' >&2; exit 3"]
"#;

#[test]
fn a_report_has_the_last_words_of_a_bot_and_the_way_to_each_log() {
    let place = Place::new();
    place.write("cup.toml", CUP);
    place.run("run cup.toml --out cup -q").code(78);
    place.write("cup.toml", CUP.replace("read hello;", r#"read hello; echo '{\"type\":\"ready\"}'; read turn;"#));
    place.run("run cup.toml --out cup -q").code(0);
    place.run("report cup").code(0).prints("cup/report.html\n");
    let page = place.text("cup/report.html");
    for text in
        ["A &lt;cup&gt;", "no &amp; good", "&lt;b&gt;last words&lt;/b&gt;", "href=\"games/0000/game-0000001.jsonl\""]
    {
        assert!(page.contains(text), "{text} is there");
    }
    assert!(!page.contains("<script"));
    // From elsewhere, the links lead to the same logs.
    place.run("report cup --output elsewhere.html").code(0);
    let page = place.text("elsewhere.html");
    assert!(page.contains("href=\"cup/games/0000/game-0000001.jsonl\""));
    assert!(place.path("cup/games/0000/game-0000001.jsonl").exists());
    // It is made again, and writes over nothing else.
    place.run("report cup").code(0);
    place.write("notes.html", "mine");
    place
        .run("report cup -o notes.html")
        .code(2)
        .err(contains("notes.html is there already and is no report; --force"));
    assert_eq!(place.text("notes.html"), "mine");
    place.run("report cup -o notes.html --force").code(0);
    let ran = place.run("report cup -o nowhere/report.html").code(74);
    assert_eq!(ran.stderr().matches("nowhere").count(), 1, "it is named once: {}", ran.shown());
    place.run("report nowhere").code(66).err(contains("nowhere").and(contains("\n").count(1)));
}
