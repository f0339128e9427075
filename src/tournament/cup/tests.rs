//! Everything that can be wrong with a file, each with its line, its key and what to write instead.

use std::path::Path;

use super::*;
use crate::clock::{ByoYomi, Span};

/// The least that makes a tournament, with more lines before the bots; the first of them is line 4.
fn with(more: &str) -> String {
    format!("game = \"alto-ahi\"\nformat.kind = \"round-robin\"\n\n{more}\n{BOTS}")
}

const BOTS: &str =
    "[[bots]]\nname = \"ada\"\ncommand = [\"greedy\"]\n[[bots]]\nname = \"bob\"\ncommand = [\"./bob\", \"-v\"]\n";

fn read(text: &str) -> Cup {
    Cup::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The text is refused, with these words at their beginning and others within.
fn refused(text: &str, begins: &str, within: &[&str]) {
    let error = Cup::read(text).expect_err(text).to_string();
    assert!(error.starts_with(begins), "{error}, not {begins}, for\n{text}");
    within.iter().for_each(|word| assert!(error.contains(word), "no {word}: {error}"));
    assert!(!error.contains('\n') && error.len() < 400, "one line: {error}");
}

#[test]
fn a_short_file_has_the_usual_for_the_rest() {
    let cup = read(&with(""));
    assert_eq!((cup.game, cup.seats, cup.options.as_str()), (GameName::AltoAhi, 2, "{}"));
    assert_eq!((cup.name, cup.openings, cup.disqualify_after), (None, None, 0));
    assert_eq!((cup.clock, cup.limits, cup.run), (TimeControl::default(), Limits::default(), RunSettings::default()));
    assert_eq!(cup.seed_file.value, Path::new("seed.hex"));
    let bob = &cup.bots[1];
    assert_eq!((bob.name.as_str(), bob.command.value.as_slice()), ("bob", &["./bob".to_owned(), "-v".to_owned()][..]));
    assert_eq!((bob.line, bob.command.line, bob.network), (8, 10, false));
}

#[test]
fn every_key_is_read() {
    let cup = read(
        r#"
name = "Autumn cup"
game = "alto-ahi"
seats = 2
seed_file = "seeds/autumn.hex"
options = { size = 7, edge = "none" }
[format]
kind = "round-robin"
[openings]
plies = 4
count = 50
balance = false
[clock]
clock = "10m+5s/d2s/3x30s"
move_limit = "2s"
startup = "1m30s"
margin = "5ms"
[limits]
memory = "512MiB"
processes = 3
cpu = "none"
[faults]
strikes = 1
lenient = 2
disqualify_after = 3
[run]
concurrency = 4
cores_per_game = 2
reuse = 10
ponder = "allow"
sandbox = "require"
isolation = "bwrap"
[[bots]]
name = "ada"
command = ["python3", "ada.py"]
dir = "bots/ada"
env = { KEY = "value" }
files = ["ada.py", "weights.bin"]
read = ["/data/nets"]
write = ["out"]
network = true
[[bots]]
name = "Ádám Ö."
command = ["minimax", "depth=2"]
"#,
    );
    assert_eq!(cup.name.as_deref(), Some("Autumn cup"));
    assert_eq!(cup.options, r#"{"edge":"none","size":7}"#);
    assert_eq!((cup.seed_file.line, cup.seed_file.value.as_path()), (5, Path::new("seeds/autumn.hex")));
    assert_eq!(
        cup.openings,
        Some(Openings::Random(Located { line: 9, value: Drawing { plies: 4, count: 50, balance: false } }))
    );
    assert_eq!(cup.clock.byo_yomi, Some(ByoYomi { periods: 3, period: Span::from_secs(30) }));
    assert_eq!((cup.clock.move_limit, cup.clock.startup), (Some(Span::from_secs(2)), Some(Span::from_secs(90))));
    assert_eq!((cup.clock.increment, cup.clock.margin), (Span::from_secs(5), Span::from_ms(5)));
    let limits = Limits {
        memory_bytes: Some(512 << 20),
        processes: Some(3),
        cpu_ms: None,
        strikes: 1,
        lenient: 2,
        ..Limits::default()
    };
    assert_eq!((cup.limits, cup.disqualify_after), (limits, 3));
    let run = RunSettings {
        concurrency: 4,
        cores_per_game: 2,
        pin: true,
        reuse: 10,
        ponder: Ponder::Allow,
        sandbox: SandboxMode::Require,
        isolation: IsolationMode::Bwrap,
    };
    assert_eq!(cup.run, run);
    let ada = &cup.bots[0];
    let located = |line, path: &str| Located { line, value: PathBuf::from(path) };
    assert_eq!(ada.dir, Some(located(36, "bots/ada")));
    assert_eq!(ada.env, [("KEY".to_owned(), "value".to_owned())]);
    assert_eq!(ada.files, [located(38, "ada.py"), located(38, "weights.bin")]);
    assert_eq!((&ada.read[..], &ada.write[..]), (&[located(39, "/data/nets")][..], &[located(40, "out")][..]));
    assert!(ada.network);
    assert_eq!(cup.bots[1].name, "Ádám Ö.");
}

#[test]
fn a_key_that_is_unknown_is_told_with_the_one_that_was_meant() {
    refused(&with("nmae = \"x\""), "4: unknown key `nmae`: did you mean `name`?", &[]);
    refused(
        &with("[clock]\nmove-limit = \"1s\""),
        "5: unknown key `move-limit` in [clock]: did you mean `move_limit`?",
        &[],
    );
    refused(
        &with("[run]\nzzz = 1"),
        "5: unknown key `zzz` in [run]: there is concurrency, cores_per_game, ",
        &["isolation"],
    );
    refused(&with("[rum]\nreuse = 1"), "4: unknown key `rum`: did you mean `run`?", &[]);
    refused(
        &with("").replace("name = \"bob\"", "nam = \"bob\""),
        "9: unknown key `nam` in [bots]: did you mean `name`?",
        &[],
    );
    refused(
        &with("").replace("format.kind", "format.knid"),
        "2: unknown key `knid` in [format]: did you mean `kind`?",
        &[],
    );
    refused(&with("[limits]\nmemry = 3"), "5: unknown limit `memry`: did you mean `memory`?", &[]);
    refused(&with("[options]\nsise = 7"), "5: unknown option `sise` of alto-ahi: did you mean `size`?", &[]);
    refused(&with("[run]\nponder = \"stpo\""), "5: run.ponder: “stpo” cannot be used: did you mean `stop`?", &[]);
    refused(&with("[run]\nsandbox = \"on\""), "5: run.sandbox: “on” cannot be used: ", &["auto", "require", "off"]);
}

#[test]
fn what_is_no_toml_is_told_by_its_line() {
    refused("game = \"alto-ahi\"\nseats 2\n", "2: this is no TOML: ", &["="]);
    refused("game = \"alto-ahi\n", "1: this is no TOML: ", &["invalid basic string"]);
    refused(&with("game = \"crecer\""), "4: this is no TOML: duplicate key", &[]);
    refused("game = alto-ahi", "1: this is no TOML: ", &["quoted"]);
}

#[test]
fn what_is_missing_is_named() {
    refused("", "1: game: this key is missing", &["arbitro init"]);
    refused("game = \"alto-ahi\"", "1: format: this key is missing", &[]);
    refused(&with("").replace("name = \"bob\"\n", ""), "8: bots.name: this key is missing", &[]);
    refused(&with("").replace("command = [\"./bob\", \"-v\"]\n", ""), "8: bots.command: this key is missing", &[]);
}

#[test]
fn values_of_another_type_are_told_in_plain_words() {
    refused(&with("seats = \"2\""), "4: seats: the text \"2\" cannot be used: a whole number from 0 is needed", &[]);
    refused(&with("seats = -2"), "4: seats: integer -2 cannot be used: a whole number from 0 is needed", &[]);
    refused(&with("name = 2"), "4: name: integer 2 cannot be used: a text in quotes is needed", &[]);
    refused(&with("seed_file = 2"), "4: seed_file: integer 2 cannot be used: a text in quotes is needed", &[]);
    refused(&with("[run]\npin = \"yes\""), "5: run.pin: the text \"yes\" cannot be used: true or false is needed", &[]);
    refused(&with("[run]\nponder = 3"), "5: run.ponder: a word in quotes is needed", &[]);
    let text = with("").replace("[\"./bob\", \"-v\"]", "\"./bob -v\"");
    refused(
        &text,
        "10: bots.command: the text \"./bob -v\" cannot be used: an array is needed, as in [\"python3\"",
        &[],
    );
    let text = with("")
        .replace("[[bots]]\nname = \"ada\"\ncommand = [\"greedy\"]\n", "")
        .replace("[[", "[")
        .replace("]]", "]");
    refused(&text, "5: bots: a table cannot be used: an array is needed", &["[[bots]]"]);
    refused(&with("[faults]\nstrikes = -1"), "5: faults.strikes: integer -1 cannot be used", &[]);
}

#[test]
fn a_game_and_its_seats_must_fit() {
    let of = |game: &str, kind: &str, seats: &str| {
        let more = "[[bots]]\nname = \"cy\"\ncommand = [\"greedy\"]\n[[bots]]\nname = \"di\"\ncommand = [\"greedy\"]\n";
        (with(seats) + more).replace("alto-ahi", game).replace("\"round-robin\"", &format!("\"{kind}\""))
    };
    refused(&of("altoahi", "round-robin", ""), "1: game: no game is called “altoahi”: did you mean `alto-ahi`?", &[]);
    refused(&of("a\\nb", "round-robin", ""), "1: game: no game is called “a\\nb”: there is", &[]);
    refused(&of("chess", "round-robin", ""), "1: game: no game is called “chess”: there is alto-ahi, ", &["crecer"]);
    assert_eq!(read(&of("alto-riesgo", "round-robin", "")).seats, 2);
    assert_eq!(read(&of("alto-ahi", "pods", "")).seats, 4);
    assert_eq!(read(&of("alto-riesgo", "pods", "seats = 3")).seats, 3);
    refused(&of("alto-riesgo", "pods", ""), "1: seats: alto-riesgo is played with 3 or 4 seats here", &[]);
    refused(&of("crecer", "pods", ""), "2: format", &["crecer is played by two", "round-robin"]);
    refused(&of("alto-ahi", "pods", "seats = 3"), "4: seats: alto-ahi is played with 2 or 4 seats, not with 3", &[]);
    refused(&of("alto-riesgo", "pods", "seats = 5"), "4: seats: alto-riesgo is played with 2, 3 or 4 seats, not", &[]);
    refused(&of("alto-ahi", "pods", "seats = 2"), "4: seats: two seats are no pod", &["round-robin"]);
    refused(&of("alto-ahi", "round-robin", "seats = 4"), "4: seats: with 4 seats the bots meet in pods", &[]);
}

#[test]
fn a_format_and_its_field_must_fit() {
    let format = |lines: &str, begins: &str| {
        let text = with("").replace("format.kind = \"round-robin\"", &format!("[format]\n{lines}"));
        refused(&text, begins, &[]);
    };
    format("kind = \"league\"", "3: format.kind: “league” cannot be used: there is round-robin, gauntlet, ");
    format("kind = \"round-robin\"\nrounds = 0", "4: format.rounds: `rounds` must be 1 or more");
    format("kind = \"round-robin\"\nrounds = -1", "4: format.rounds: integer -1 cannot be used");
    format(
        "challengers = 1\nkind = \"round-robin\"",
        "3: format.challengers: round-robin has no `challengers`: it takes",
    );
    format(
        "kind = \"gauntlet\"\nchallengers = 2",
        "4: format.challengers: with `challengers = 2` the gauntlet needs 3",
    );
    format("kind = \"swiss\"", "2: format: swiss needs `rounds`");
    format("kind = \"swiss\"\nrounds = 2", "4: format.rounds: after 1 rounds of swiss");
    format("kind = \"match\"\nsets = 9\nsprt = { elo0 = 5, elo1 = 5 }", "5: format.sprt.elo0: `elo0` of the SPRT");
    format("kind = \"match\"\nsets = 9\n[format.sprt]\nelo0 = 0\nelo1 = 5\nbeta = 1", "8: format.sprt.beta: `beta`");
    let three = with("").replace("\"round-robin\"", "\"match\"\nformat.sets = 2")
        + "[[bots]]\nname = \"cy\"\ncommand = [\"x\"]";
    refused(&three, "2: format: a match is between two bots, and there are 3", &[]);
}

#[test]
fn options_are_tried_on_the_game() {
    refused(&with("[options]\nsize = 8"), "5: options.size: ", &["3, 5, 7 or 9", "arbitro rules alto-ahi"]);
    refused(&with("[options]\nsize = \"big\""), "5: options.size: ", &["big"]);
    refused(&with("[options]\nsize = 1979-05-27"), "5: options.size: no option is a date", &[]);
    refused(&with("[options]\nsize = inf"), "5: options.size: no option is without an end", &[]);
    assert_eq!(read(&with("[options]\nsize = 5")).options, r#"{"size":5}"#);
}

#[test]
fn clocks_and_times_are_those_of_a_single_game() {
    let clock = |line: &str, words: &[&str]| refused(&with(&format!("[clock]\n{line}")), "5: clock.", words);
    clock("clock = \"-5s\"", &["clock.clock: ", "at least 0"]);
    clock("clock = \"soon\"", &["60s+1s"]);
    clock("clock = \"0s+1s\"", &["no time for the first move"]);
    clock("clock = 60", &["a text in quotes is needed"]);
    clock("move_limit = \"-2s\"", &["clock.move_limit: ", "at least 0"]);
    clock("move_limit = \"0s\"", &["nobody could move"]);
    clock("move_limit = 2", &["a time in quotes with its unit"]);
    clock("startup = \"0s\"", &["nobody could get ready"]);
    clock("startup = \"1 fortnight\"", &["clock.startup: ", "is not a time"]);
    clock("margin = \"-1ms\"", &["clock.margin: ", "at least 0"]);
    let cup = read(&with("[clock]\nclock = \"unlimited\""));
    assert_eq!((cup.clock.bank, cup.clock.move_limit), (None, Some(Span::from_secs(3600))), "there is a watchdog");
}

#[test]
fn limits_are_those_of_a_single_game() {
    let limit = |line: &str, words: &str| refused(&with(&format!("[limits]\n{line}")), &format!("5: {words}"), &[]);
    limit("memory = \"2GB\"", "limits.memory: a size above 0 is needed");
    limit("memory = -1", "limits.memory: a size above 0 is needed");
    limit("processes = 0", "limits.processes: a whole number from 1 is needed");
    limit("cpu = 1.5", "limits.cpu: floating point 1.5 cannot be used: a whole number, or a value with its unit");
    limit("line = \"none\"", "limits.line: a size above 0 is needed");
    assert_eq!(read(&with("[limits]\nscratch = \"8MiB\"")).limits.file_bytes, Some(8 << 20));
}

#[test]
fn what_contradicts_itself_is_refused() {
    refused(
        &with("[run]\nreuse = 3\n[limits]\nscratch = \"8MiB\""),
        "5: run.reuse: ",
        &["scratch", "leave one of them out"],
    );
    read(&with("[run]\nreuse = 0\n[limits]\nscratch = \"8MiB\""));
    refused(&with("[run]\npin = false\ncores_per_game = 2"), "6: run.cores_per_game: ", &["leave one of them out"]);
    refused(&with("[run]\ncores_per_game = 0"), "5: run.cores_per_game: 0 cannot be used", &["from 1"]);
    let openings = |lines: &str, begins: &str| refused(&with(&format!("[openings]\n{lines}")), begins, &[]);
    openings("", "4: openings: write either file");
    openings("plies = 4", "5: openings.plies: write either file");
    openings("count = 4", "5: openings.count: write either file");
    openings("file = \"o.txt\"\nplies = 4", "6: openings.plies: this is for openings that are drawn");
    openings("file = \"o.txt\"\nbalance = true", "6: openings.balance: this is for openings that are drawn");
    openings("plies = 4\ncount = 3\nfile = \"o.txt\"", "7: openings.file: openings are either read");
    openings("plies = 0\ncount = 3", "5: openings.plies: 0 cannot be used: a number from 1");
    openings("plies = 1\ncount = 1000000", "6: openings.count: 1000000 cannot be used");
    assert_eq!(
        read(&with("[openings]\nfile = \"o.txt\"")).openings,
        Some(Openings::File(Located { line: 5, value: "o.txt".into() }))
    );
}

#[test]
fn a_field_needs_bots_that_can_be_told_apart() {
    refused(&with("").replace(BOTS, ""), "1: bots: two bots at least are needed, and there is none", &["[[bots]]"]);
    let (one, _) = BOTS.rsplit_once("[[bots]]").unwrap();
    refused(&with("").replace(BOTS, one), "5: bots: two bots at least are needed, and there is one", &[]);
    refused(&with("").replace("bob", "ada"), "9: bots.name: “ada” is called so already in line 6", &["differ"]);
    let named = |name: &str, words: &str| {
        refused(&with("").replace("\"bob\"", name), &format!("9: bots.name: {words}"), &[]);
    };
    named("\"\"", "a name is empty");
    named(&format!("\"{}\"", "é".repeat(65)), "a name has at most 64 characters, and this one has 65");
    read(&with("").replace("\"bob\"", &format!("\"{}\"", "é".repeat(64))));
    named("\"a\\tb\"", "“a\\tb” has a character that cannot be seen");
    named("\"a\\u0000b\"", "“a\\u{0}b” has a character that cannot be seen");
    named("\"a\\u202Eb\"", "“a\\u{202e}b” has a character that cannot be seen");
    named("\" bob\"", "a name begins or ends with a blank");
    let many: String = (0..=MOST_BOTS).map(|n| format!("[[bots]]\nname = \"{n}\"\ncommand = [\"greedy\"]\n")).collect();
    refused(&with("").replace(BOTS, &many), "30005: bots: a field has at most 10000 bots", &[]);
}

#[test]
fn options_of_a_bot_stand_behind_its_command() {
    let bob = |options: &str| with("").replace("[\"./bob\", \"-v\"]", &format!("[\"./bob\"]\noptions = {options}"));
    let command = |options: &str| read(&bob(options)).bots[1].command.value[1..].join(" ");
    assert_eq!(
        command("{ nodes = 200, book = \"a b.txt\", hash = 1.5, learn = false }"),
        "book=a b.txt hash=1.5 learn=false nodes=200"
    );
    assert_eq!(command("{}"), "");
    refused(&bob("{ a = [1] }"), "11: bots.options.a: the option of a bot is a text, a number, or true or false", &[]);
    refused(&bob("{ \"a=b\" = 1 }"), "11: bots.options.a=b: this cannot name an option", &[]);
    refused(&bob("[\"a\"]"), "11: bots.options: an array cannot be used: a table is needed", &[]);
}

#[test]
fn a_bot_needs_a_command() {
    let bot = |line: &str, begins: &str| {
        refused(&with("").replace("command = [\"./bob\", \"-v\"]", line), begins, &[]);
    };
    bot("command = []", "10: bots.command: the command is empty");
    bot("command = [\"\"]", "10: bots.command: the command is empty");
    bot("command = [1]", "10: bots.command: integer 1 cannot be used: a text in quotes is needed");
    bot("command = [\"x\"]\nenv = { \"A=B\" = \"1\" }", "11: bots.env.A=B: this cannot name a variable");
    bot("command = [\"x\"]\nenv = { A = 1 }", "11: bots.env.A: integer 1 cannot be used: a text in quotes");
    bot("command = [\"x\"]\ndir = \"\"", "11: bots.dir: a path is empty");
    bot("command = [\"x\"]\nnetwork = 1", "11: bots.network: integer 1 cannot be used: true or false");
}

proptest::proptest! {
    #[test]
    fn a_damaged_file_is_refused_in_one_line(cut in 0usize..200, length in 0usize..6, put in "[\\[\\]{}=\".,a-z0-9\\n\\\\-]{0,6}") {
        let mut text = with("[clock]\nclock = \"10s+1s\"\n[limits]\nmemory = \"1GiB\"\n[run]\nreuse = 1\n");
        let cut = cut.min(text.len());
        text.replace_range(cut..(cut + length).min(text.len()), &put);
        if let Err(error) = Cup::read(&text) {
            let words = error.to_string();
            proptest::prop_assert!(!words.contains('\n') && error.line >= 1 && error.line <= text.lines().count() + 1, "{}", words);
        }
    }
}
