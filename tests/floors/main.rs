//! The floors of the house, enforced: which module may use which, and what the pure ones must not touch.
//!
//! The sources are read as text. Test code is left out, for it may use what it likes; a rule that finds nothing wrong
//! anywhere might be no rule, so each is tried on small made-up sources too.

mod source;

use std::fs;
use std::path::{Path, PathBuf};

use source::Source;

/// Every module at the top of the house, and the others that it may use. What stands above `table` knows no single
/// game, the bots apart.
const FLOORS: [(&str, &[&str]); 16] = [
    ("seat", &[]),
    ("clock", &[]),
    ("chance", &["seat"]),
    ("game", &["chance", "seat"]),
    ("games", &["game", "chance", "seat"]),
    ("table", &["games", "game", "chance", "seat"]),
    ("protocol", &["table", "clock", "game", "chance", "seat"]),
    ("record", &["protocol", "table", "clock", "game", "chance", "seat"]),
    ("referee", &["record", "protocol", "table", "clock", "game", "chance", "seat"]),
    ("host", &["referee", "record", "protocol", "table", "clock", "game", "chance", "seat"]),
    ("check", &["host", "referee", "record", "protocol", "table", "clock", "game", "chance", "seat"]),
    ("tournament", &["host", "referee", "record", "protocol", "table", "clock", "game", "chance", "seat"]),
    ("report", &["tournament", "host", "referee", "record", "protocol", "table", "clock", "game", "chance", "seat"]),
    ("bots", &["table", "games", "clock", "game", "chance", "seat"]),
    (
        "cli",
        &[
            "bots",
            "check",
            "report",
            "tournament",
            "host",
            "referee",
            "record",
            "protocol",
            "table",
            "clock",
            "game",
            "chance",
            "seat",
        ],
    ),
    ("main", &["host", "cli"]),
];

/// The floors that read no clock, open no file, ask no environment, start nothing and print nothing, and in which
/// nothing depends on a random order or on rounding.
const PURE: [&str; 9] = ["seat", "clock", "chance", "game", "games", "table", "protocol", "record", "referee"];

/// What the pure floors must not use: the beginnings of paths.
const IMPURE: [&str; 17] = [
    "std::time::Instant",
    "std::time::SystemTime",
    "std::fs",
    "std::env",
    "std::thread",
    "std::net",
    "std::os",
    "std::process",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
    "std::collections::HashMap",
    "std::collections::HashSet",
    "std::hash::RandomState",
    "jiff::Timestamp",
    "jiff::Zoned",
    "rustix",
];

/// Names that stand for something impure however they came into scope.
const IMPURE_NAMES: [&str; 7] = ["Instant", "SystemTime", "HashMap", "HashSet", "RandomState", "f32", "f64"];

/// Macros that print.
const PRINTING: [&str; 5] = ["print", "println", "eprint", "eprintln", "dbg"];

/// The most lines that a file may have.
const MOST_LINES: usize = 600;

/// Everything that is wrong with the file at `path`, which counts from `src`.
fn faults(path: &Path, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let module = source::module_of(path);
    let floor = module.first().map_or("main", String::as_str);
    let source = Source::read(&module, text);
    let mut fault = |line: usize, what: String| faults.push(format!("src/{}:{line}: {what}", path.display()));

    match FLOORS.iter().find(|(name, _)| *name == floor) {
        None if path == Path::new("lib.rs") => {}
        None => fault(1, format!("{floor} stands on no floor: give it one in this test")),
        Some((_, below)) => {
            for used in &source.paths {
                let [house, other, rest @ ..] = used.segments.as_slice() else { continue };
                if !matches!(house.as_str(), "crate" | "arbitro") || !is_module(other) || other == floor {
                    if house == "crate" && floor == "games" && other == "games" {
                        other_game(&module, rest).into_iter().for_each(|what| fault(used.line, what));
                    }
                    continue;
                }
                if !below.contains(&other.as_str()) {
                    fault(used.line, format!("{floor} must not use {other}"));
                }
            }
        }
    }
    if PURE.contains(&floor) {
        impurities(&source).into_iter().for_each(|(line, what)| fault(line, format!("{floor} must not use {what}")));
    }
    if path == Path::new("lib.rs") && !source.has_attribute(&["forbid", "(", "unsafe_code", ")"]) {
        fault(1, "#![forbid(unsafe_code)] is missing".to_owned());
    }
    for word in source.names.iter().filter(|word| word.text == "unsafe") {
        fault(word.line, "unsafe code".to_owned());
    }
    let lines = text.lines().count();
    if lines > MOST_LINES {
        fault(lines, format!("{lines} lines, and {MOST_LINES} are the limit: make two files of it"));
    }
    faults
}

/// A game must not know another.
fn other_game(module: &[String], rest: &[String]) -> Option<String> {
    let (own, other) = (module.get(1)?, rest.first()?);
    let is_game = other != "*" && other != "conformance";
    (is_game && own != other).then(|| format!("the game {own} must not use {other}"))
}

fn is_module(name: &str) -> bool {
    FLOORS.iter().any(|(floor, _)| *floor == name)
}

/// What a pure floor must not use, with the lines where it does.
fn impurities(source: &Source) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for used in &source.paths {
        let path = used.segments.join("::").replacen("core::", "std::", 1);
        let whole = path.strip_suffix("::*");
        let hits = |impure: &&str| {
            path == **impure
                || path.starts_with(&format!("{impure}::"))
                || whole.is_some_and(|whole| impure.starts_with(&format!("{whole}::")))
        };
        if IMPURE.iter().any(hits) {
            found.push((used.line, path));
        } else if let [.., io, stream] = used.segments.as_slice()
            && io == "io"
            && ["stdin", "stdout", "stderr"].contains(&stream.as_str())
        {
            found.push((used.line, path));
        }
    }
    for name in &source.names {
        if IMPURE_NAMES.contains(&name.text.as_str()) || name.is_macro && PRINTING.contains(&name.text.as_str()) {
            found.push((name.line, name.text.clone()));
        }
    }
    found
        .extend(source.floats.iter().map(|number| (number.line, format!("the floating-point number {}", number.text))));
    found
}

fn sources_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the sources can be read").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources_below(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn every_source_stands_on_its_floor() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let texts: Vec<(PathBuf, String)> = sources_below(&src)
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a source is text");
            (path.strip_prefix(&src).expect("it is below").to_owned(), text)
        })
        .collect();
    assert!(texts.len() > 50, "only {} sources were found", texts.len());
    let tests: Vec<PathBuf> = texts.iter().flat_map(|(path, text)| source::test_modules(path, text)).collect();
    let is_test = |path: &Path| tests.iter().any(|test| path == test.with_extension("rs") || path.starts_with(test));
    let mut found = Vec::new();
    for (path, text) in &texts {
        let all = faults(path, text);
        // Test code may use what it likes, but is no longer than other code.
        found.extend(all.into_iter().filter(|fault| !is_test(path) || fault.contains("lines, and")));
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

/// What is wrong with this made-up source.
fn wrong(path: &str, text: &str) -> Vec<String> {
    faults(Path::new(path), text).into_iter().map(|fault| fault.split_once(": ").unwrap().1.to_owned()).collect()
}

#[test]
fn a_module_that_uses_what_stands_above_it_is_found() {
    for (path, text, what) in [
        ("seat.rs", "use crate::game::Game;", "seat must not use game"),
        ("clock.rs", "fn f() { crate::seat::Seat::new(0); }", "clock must not use seat"),
        ("chance.rs", "use crate::{seat::Seat, game::{Game, Turn}};", "chance must not use game"),
        ("game.rs", "use crate::{clock, seat::*};", "game must not use clock"),
        ("game.rs", "use super::table::Table;", "game must not use table"),
        ("games/one/mod.rs", "use super::super::table::GameName;", "games must not use table"),
        ("games/one/state.rs", "use crate::table as door;", "games must not use table"),
        ("protocol/send.rs", "pub use crate::record::entry;", "protocol must not use record"),
        ("record/mod.rs", "type R = crate :: referee :: Referee;", "record must not use referee"),
        ("referee/game.rs", "mod inner { use super::super::super::host::play; }", "referee must not use host"),
        ("referee/game.rs", "use ::arbitro::host::play;", "referee must not use host"),
        ("host/line.rs", "use crate::games::alto_ahi::AltoAhi;", "host must not use games"),
        ("host/play.rs", "use crate::bots;", "host must not use bots"),
        ("check/talk.rs", "use crate::bots::BotName;", "check must not use bots"),
        ("host/play.rs", "use crate::check;", "host must not use check"),
        ("bots/wire.rs", "use crate::protocol::send;", "bots must not use protocol"),
        ("cli/play.rs", "use crate::games::alto_ahi;", "cli must not use games"),
        ("main.rs", "use arbitro::referee::Referee;", "main must not use referee"),
        ("games/one/state.rs", "use crate::games::two::Board;", "the game one must not use two"),
        ("games/one/state.rs", "use super::super::two::Board;", "the game one must not use two"),
        ("helpers.rs", "", "helpers stands on no floor: give it one in this test"),
    ] {
        let mut found = wrong(path, text);
        found.dedup();
        assert_eq!(found, [what], "{path}: {text}");
    }
}

#[test]
fn a_pure_floor_that_touches_the_world_is_found() {
    for (text, what) in [
        ("use std::time::Instant;", "std::time::Instant"),
        ("use std::time; fn f() { time::SystemTime::now(); }", "SystemTime"),
        ("use std::{fmt, fs};", "std::fs"),
        ("use std::{fmt, fs::{self, File}};", "std::fs"),
        ("fn f() { std::env::var_os(\"HOME\"); }", "std::env::var_os"),
        ("use std::thread::spawn as go;", "std::thread::spawn"),
        ("use core::net::IpAddr;", "std::net::IpAddr"),
        ("use std::process::Command;", "std::process::Command"),
        ("use std::io; fn f() { io::stdout(); }", "io::stdout"),
        ("use std::collections::*;", "std::collections::*"),
        ("fn f(m: std::collections::HashMap<u8, u8>) {}", "std::collections::HashMap"),
        ("use std::collections as c; type M = c::HashSet<u8>;", "HashSet"),
        ("fn f(x: f64) {}", "f64"),
        ("fn f(x: u8) -> u8 { (x as f32 / 2f32) as u8 }", "f32"),
        ("const HALF: u8 = 0.5 as u8;", "the floating-point number 0.5"),
        ("const RANGE: u8 = 0..0.5;", "the floating-point number 0.5"),
        ("const BIG: u8 = 1e3 as u8;", "the floating-point number 1e3"),
        ("fn f() { println!(\"{}\", 1); }", "println"),
        ("fn f() { dbg!(1); }", "dbg"),
        ("use rustix::time::clock_gettime;", "rustix::time::clock_gettime"),
        ("fn f() { jiff::Timestamp::now(); }", "jiff::Timestamp::now"),
        ("#[cfg(not(test))] use std::fs;", "std::fs"),
    ] {
        let what = format!("referee must not use {what}");
        assert!(wrong("referee/game.rs", text).contains(&what), "{text}: {:?}", wrong("referee/game.rs", text));
        assert_eq!(wrong("host/play.rs", text), [] as [&str; 0], "the host may: {text}");
    }
}

#[test]
fn unsafe_code_and_long_files_are_found() {
    assert_eq!(wrong("lib.rs", "//! The house."), ["#![forbid(unsafe_code)] is missing"]);
    assert_eq!(wrong("lib.rs", "// #![forbid(unsafe_code)]"), ["#![forbid(unsafe_code)] is missing"]);
    assert_eq!(wrong("lib.rs", "//! The house.\n#![forbid(unsafe_code)]\npub mod seat;"), [] as [&str; 0]);
    assert_eq!(wrong("host/play.rs", "fn f() { unsafe { g() } }"), ["unsafe code"]);
    assert_eq!(wrong("cli/mod.rs", &"\n".repeat(600)), [] as [&str; 0]);
    assert_eq!(wrong("cli/mod.rs", &"\n".repeat(601)), ["601 lines, and 600 are the limit: make two files of it"]);
}

#[test]
fn what_only_looks_like_a_fault_is_none() {
    for text in [
        "// use std::fs; println!(\"{}\", 0.5)",
        "/* use crate::host; /* nested */ std::env */",
        "/// Unlike [`crate::host::play`], reads no `std::time::Instant`.\nfn f() {}",
        "const TEXT: &str = \"use std::fs; \\\" f64 \";",
        "const TEXT: &str = r#\"use \"std::fs\"; f64\"#; const B: &[u8] = b\"f64\"; const C: char = '\"';",
        "fn f<'f64>(x: &'f64 str) -> char { 'f' }",
        "use std::time::Duration; use std::io::Write; use std::collections::BTreeMap;",
        "#[cfg(test)] mod tests { use std::fs; fn f(x: f64) { println!(); crate::host::f() } } fn g() {}",
        "#[cfg(test)]\n#[path = \"x.rs\"]\nmod tests;\n#[cfg(test)] use crate::host;\n#[cfg(test)] fn f() -> f64 { 0.5 }",
        "fn stderr(&mut self) { self.stderr.total(); let range = 0..10; let pair = (1, 2); pair.0; pair.0.0; range.start }",
        "fn visit_f64<E>(self, _: f64) -> Result<(), E> { Ok(()) }",
        "fn print(println: u8) { println }",
        "const HEX: u64 = 0x1e3; const LONG: u64 = 1_000_000u64;",
        "use crate::seat; use crate::record::entry; use self::inner::x; use super::words;",
    ] {
        assert_eq!(wrong("referee/game.rs", text), [] as [&str; 0], "{text}");
    }
}

#[test]
fn files_of_test_modules_are_known() {
    let found = source::test_modules(
        Path::new("games/one/mod.rs"),
        "#[cfg(test)]\nmod tests;\nmod state;\n#[cfg(test)] pub mod two;",
    );
    assert_eq!(found, [Path::new("games/one/tests"), Path::new("games/one/two")]);
    let found = source::test_modules(Path::new("host/control.rs"), "#[cfg(test)] mod tests;");
    assert_eq!(found, [Path::new("host/control/tests")]);
    assert!(source::test_modules(Path::new("clock.rs"), "#[cfg(test)] mod tests { mod inner; }").is_empty());
}
