//! Tournaments from their file to their end, with real processes.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use arbitro::tournament::journal;
use arbitro::tournament::plan::Plan;
use predicates::str::{contains, is_empty};
use serde_json::{Value, json};

use crate::support::Place;
use crate::tournament::{THREE, cup, journaled};

const TWICE: &str = "kind = \"round-robin\"\nrounds = 2";

#[test]
fn the_example_runs_as_it_is() {
    let place = Place::new();
    place.run("init").code(0).prints("cup.toml is written; arbitro run cup.toml --out DIR plays it\n").err(is_empty());
    // Where the machine is slow it says what it does.
    let ran = place.run("run --dry-run --json").code(0);
    assert!(ran.stderr().lines().all(|line| line.starts_with("weighing 8 openings")), "{}", ran.shown());
    let outlook = ran.rows().remove(0);
    assert_eq!((&outlook["games"], &outlook["openings"]), (&json!({"least": 12, "most": 12}), &json!(8)));
    assert_eq!(place.files(), ["cup.toml", "seed.hex"], "nothing but the seed is made");
    let ran = place.run("run cup.toml --out o").code(0);
    assert!(ran.lines().len() == 3 && ran.stdout().starts_with("  1. "), "{}", ran.shown());
    assert!(ran.stderr().contains("12 of 12 games, 0 faults, 0 voids"), "{}", ran.shown());
    assert_eq!(journaled(&place, "o").len(), 12);
    place.run("verify o/games").code(0);
    // The plan that was foretold is the one that was played.
    let plan = assert_cmd::Command::new("sha256sum").arg(place.path("o/plan.jsonl")).assert().success();
    let sum = String::from_utf8_lossy(&plan.get_output().stdout).into_owned();
    assert!(sum.starts_with(outlook["plan"].as_str().unwrap()), "{sum}");
    place.run("init --force").code(0);
    place.is_empty_of_processes();
}

#[test]
fn a_tournament_is_foretold() {
    let place = Place::new();
    place.write("cup.toml", cup(TWICE, "name = \"Autumn cup\"\nrun.concurrency = 2", &THREE));
    let ran = place.run("run --dry-run").code(0);
    let lines = ran.lines();
    assert_eq!(
        lines[..2],
        ["Autumn cup: round-robin, 3 bots, alto-ahi with 2 seats", "games       12 (6 rounds, 6 sets of 2)"]
    );
    place.write("one.toml", cup("kind = \"match\"\nsets = 1", "", &THREE[..2]));
    place.run("run one.toml --dry-run").code(0).says(&["\ngames       2 (1 round, 1 set of 2)\n"]);
    std::fs::remove_file(place.path("one.toml")).unwrap();
    ran.says(&["\nat once     2 on ", "\nexpected    ", "\nworst case  ", "\ndisk        ", "\nplan        "]);
    let foretold = |options: &str| place.run(&format!("run --dry-run{options} --json")).code(0).rows().remove(0);
    let outlook = foretold("");
    // 100 plies at most, 20 s and 1 s a ply; 10 s to start and 0.1 s to end; three games of two sets one after another.
    let worst = outlook["worst_case_seconds"].as_f64().unwrap();
    assert!((worst - 6.0 * (10.0 + 0.1 + 2.0 * 20.0 + 100.0 * 1.0001)).abs() < 1e-6, "{worst}");
    assert_eq!(
        (&outlook["most_plies"], &outlook["at_once"], &outlook["tried_games"]),
        (&json!(100), &json!(2), &json!(0))
    );
    assert!(outlook["expected_seconds"].as_f64().unwrap() < worst);
    let tried = foretold("=try").to_string();
    let tried: Value = serde_json::from_str(&tried).unwrap();
    assert!(tried["tried_games"].as_u64().unwrap() >= 2, "{tried}");
    assert!(tried["expected_seconds"].as_f64().unwrap() < 60.0, "quick bots are seen to be quick: {tried}");
    assert_eq!(tried["plan"], outlook["plan"]);
    assert_eq!(foretold(" --concurrency 1")["worst_case_seconds"], json!(2.0 * worst));
    assert_eq!(place.files(), ["cup.toml", "seed.hex"]);
    place.is_empty_of_processes();
}

#[test]
fn a_seed_makes_the_same_plan_and_another_one_another() {
    let place = Place::new();
    place.write("cup.toml", cup(TWICE, "openings = { plies = 2, count = 5 }", &THREE));
    place.write("seed.hex", "1".repeat(64));
    let plan = || place.run("run --dry-run --json").code(0).rows().remove(0)["plan"].clone();
    let first = plan();
    assert_eq!(plan(), first);
    place.write("seed.hex", "2".repeat(64));
    assert_ne!(plan(), first);
}

#[test]
fn a_finished_tournament_is_gone_on_with_and_nothing_is_played_twice() {
    let place = Place::new();
    place.write("cup.toml", cup(TWICE, "", &THREE));
    let row = |ran: crate::support::Ran| ran.code(0).rows().remove(0);
    let first = row(place.run("run --out o --json -q"));
    assert_eq!((&first["ending"], &first["counted"], &first["played"]), (&json!("complete"), &json!(12), &json!(12)));
    let journal = place.bytes("o/journal.jsonl");
    let again = place.run("run --out o --json").code(0).err(contains("going on in o: 12 games are finished"));
    let second = row(again);
    assert_eq!((&second["played"], &second["standings"]), (&json!(0), &first["standings"]));
    assert_eq!(place.bytes("o/journal.jsonl"), journal);
    let seed = place.bytes("seed.hex");
    std::fs::remove_file(place.path("seed.hex")).unwrap();
    place.refuses(
        66,
        "run --out o",
        &["cup.toml:1: seed_file: ", "is gone, and the tournament in o was begun with it", "o/seed"],
    );
    place.write("seed.hex", seed);
    place.write("cup.toml", cup("kind = \"round-robin\"\nrounds = 3", "", &THREE));
    place.refuses(78, "run --out o", &["o/plan.jsonl: another tournament was begun here: it differs in format;"]);
}

#[test]
fn a_bot_is_found_in_its_folder_and_its_files_are_its_own() {
    let place = Place::new();
    place.open_to_all();
    // It plays only where it finds what it was promised.
    let script =
        "[ -r weights.bin ] && [ -r ../shared.bin ] && [ \"$MODE\" = deep ] && [ \"$1\" = -x ] || exit 9; ready; play";
    place.bot("cups/bots/ada/ada.sh", script);
    place.write("cups/bots/ada/weights.bin", "one");
    place.write("cups/bots/shared.bin", "two");
    let rest = "[\"./ada.sh\", \"-x\"]\ndir = \"bots/ada\"\nenv = { MODE = \"deep\" }\nfiles = [\"weights.bin\", \"../shared.bin\"]";
    place.write("cups/cup.toml", cup("kind = \"round-robin\"", "", &[("ada", rest), THREE[1]]));
    let row = place.run("run cups/cup.toml --out o --json").code(0).rows().remove(0);
    assert_eq!((&row["faults"], &row["counted"]), (&json!(0), &json!(2)), "{row}");
    assert!(place.path("cups/seed.hex").exists(), "the seed lies beside the file");
    let plan = &place.logged("o/plan.jsonl", "plan")[0];
    let files: Vec<&String> = plan["bots"][0]["files"].as_object().unwrap().keys().collect();
    assert!(files.contains(&&"ada.sh".to_owned()) && files.contains(&&"weights.bin".to_owned()), "{files:?}");
    assert_eq!(plan["bots"][0]["command"], json!(["./ada.sh", "-x"]));
    // What it consists of is part of the plan, and what is given to it too.
    place.write("cups/bots/ada/weights.bin", "another");
    place.refuses(78, "run cups/cup.toml --out o", &["these bots are not what they were", "ada", "--changed-bots"]);
    place.run("run cups/cup.toml --out o --changed-bots").code(0);
}

#[test]
fn every_format_is_played_to_its_end() {
    let four = [THREE[0], THREE[1], THREE[2], ("di", "[\"greedy\"]")];
    for (format, more, bots, games) in [
        ("kind = \"gauntlet\"", "", &four[..], 6),
        ("kind = \"swiss\"\nrounds = 2", "", &THREE[..], 4),
        ("kind = \"knockout\"", "", &THREE[..], 4),
        ("kind = \"match\"\nsets = 3", "run.reuse = 2", &four[..2], 6),
        ("kind = \"round-robin\"\norders = \"one\"", "", &THREE[..], 3),
        ("kind = \"pods\"", "seats = 4", &four[..], 4),
    ] {
        let place = Place::new();
        place.write("cup.toml", cup(format, more, bots));
        let foretold = place.run("run --dry-run --json").code(0).rows().remove(0);
        let (least, most) = (foretold["games"]["least"].as_u64().unwrap(), foretold["games"]["most"].as_u64().unwrap());
        let ran = place.run("run --out o --json").code(0);
        let row = ran.rows().remove(0);
        let counted = row["counted"].as_u64().unwrap();
        let all = format!("{counted} of {counted} games");
        ran.err(contains(&all));
        place.run("status o").code(0).says(&[&all, "finished"]);
        assert!((least..=most).contains(&counted), "{format}: {row} {foretold}");
        assert!(counted >= games, "{format}: {row}");
        let status = place.run("status o --json").code(0).rows().remove(0);
        assert_eq!((&status["finished"], &status["standings"]), (&row["counted"], &row["standings"]), "{format}");
        let standings = place.run("standings o --format json").code(0).rows().remove(0);
        let ranks = |rows: &Value| -> Vec<(Value, Value)> {
            rows.as_array().unwrap().iter().map(|row| (row["rank"].clone(), row["name"].clone())).collect()
        };
        assert_eq!(ranks(&row["standings"]), ranks(&standings["bots"]), "{format}");
        assert_eq!((&status["state"], &standings["games"]["final"]), (&json!("finished"), &json!(true)), "{format}");
        place.run("verify o/games").code(0);
    }
}

#[test]
fn the_readme_names_every_field_that_programs_read() {
    let place = Place::new();
    let format = "kind = \"match\"\nsets = 2\nsprt = { elo0 = 0, elo1 = 50 }";
    place.write("cup.toml", cup(format, "", &THREE[..2]));
    let commands =
        ["run --dry-run --json", "run --out o --json", "status o --json", "standings o --format json --times"];
    let readme = include_str!("../../README.md");
    let (_, readme) = readme.split_once("### For programs").unwrap();
    for command in commands {
        let row = place.run(command).code(0).rows().remove(0);
        let mut left = vec![&row];
        while let Some(value) = left.pop() {
            left.extend(value.as_array().into_iter().flatten());
            for (key, inner) in value.as_object().into_iter().flatten() {
                assert!(readme.contains(&format!("`{key}`")), "{command} has {key}: {row}");
                // The keys in these are names of other things.
                if !["reasons", "faults", "tolerated"].contains(&key.as_str()) {
                    left.push(inner);
                }
            }
        }
    }
}

#[test]
fn a_match_stops_by_itself_when_enough_is_known() {
    let place = Place::new();
    let format = "kind = \"match\"\nsets = 300\nsprt = { elo0 = 0, elo1 = 50 }";
    place.write("cup.toml", cup(format, "openings = { plies = 2, count = 300, balance = false }", &THREE[..2]));
    let row = |folder: &str, options: &str| {
        let ran = place.run(&format!("run --out {folder} --json {options}")).code(0);
        let told = ran.stderr();
        let (told, row) = (told.lines().last().unwrap_or_default(), ran.rows().remove(0));
        assert!(!told.contains(" left"), "nothing takes any time: {told}");
        assert!(told.starts_with(&format!("{0} of {0} games, ", row["counted"])), "and nothing follows: {told}");
        row
    };
    let first = row("o", "--concurrency 1 --events e.jsonl");
    assert_eq!((&first["ending"], &first["sprt"]["verdict"]), (&json!("enough"), &json!("H1")), "{first}");
    let counted = first["counted"].as_u64().unwrap();
    assert!(counted < 300 && first["sprt"]["sets"] == counted / 2, "{first}");
    assert!(place.text("e.jsonl").contains("{\"enough\":"));
    let again = row("o", "");
    assert_eq!((&again["played"], &again["sprt"], &again["ending"]), (&json!(0), &first["sprt"], &first["ending"]));
    let other = row("p", "--concurrency 3");
    assert_eq!((&other["counted"], &other["sprt"]), (&first["counted"], &first["sprt"]), "it stops at the same set");
    let status = place.run("status p --json").code(0).rows().remove(0);
    assert_eq!((&status["finished"], &status["state"]), (&json!(counted), &json!("finished")));
    assert_eq!((&status["planned_least"], &status["planned_most"]), (&json!(counted), &json!(counted)));
    place.run("standings p").code(0).says(&[&format!("{counted} of 600 games played, {counted} decided; final\n")]);
    let none = format.replace("elo0 = 0, elo1 = 50", "elo0 = 0, elo1 = 5000");
    place.write("cup.toml", cup(&none, "", &THREE[..2]));
    place.refuses(78, "run --out q", &["cup.toml:8: format.sprt: `sprt`: elo0 and elo1 must lie between -200 and 200"]);
}

#[test]
fn byes_are_credited_where_they_count() {
    let place = Place::new();
    place.write("cup.toml", cup("kind = \"swiss\"\nrounds = 2", "", &THREE));
    let row = place.run("run --out o --json").code(0).rows().remove(0);
    // Two rounds of one meeting of two games, and one bye each, which is worth both games of a meeting.
    let points: f64 = row["standings"].as_array().unwrap().iter().map(|bot| bot["points"].as_f64().unwrap()).sum();
    assert_eq!(points, 8.0, "{row}");
}

#[test]
fn repeated_games_are_warned_of() {
    let place = Place::new();
    let warned = |more: &str| {
        place.write("cup.toml", cup(TWICE, more, &THREE));
        place.run("run --dry-run").code(0).stderr()
    };
    assert!(warned("").contains("alto-ahi has no luck, and some bots meet in more sets than there are openings (0)"));
    assert!(warned("openings = { plies = 2, count = 1, balance = false }").contains("than there are openings (1)"));
    assert_eq!(warned("openings = { plies = 2, count = 2, balance = false }"), "");
    let dice = cup(TWICE, "", &THREE).replace("alto-ahi", "alto-riesgo").replace("size = 5, walls = 2", "");
    place.write("cup.toml", dice);
    place.run("run --dry-run").code(0).err(is_empty());
}

/// Changes a plan, and begins a journal for what it is now.
fn replan(place: &Place, change: impl FnOnce(&Value, &str) -> String) {
    let text = place.text("o/plan.jsonl");
    let changed = change(&place.logged("o/plan.jsonl", "plan")[0], &text);
    let plan = Plan::read(changed.as_bytes()).expect("a plan");
    place.write("o/journal.jsonl", journal::beginning(&journal::Header::of(&plan)));
    place.write("o/plan.jsonl", changed);
}

#[test]
fn openings_are_drawn_once_and_stand_in_the_plan() {
    let place = Place::new();
    let two = |count: usize| cup(TWICE, &format!("openings = {{ plies = 2, count = {count} }}"), &THREE[..2]);
    place.write("cup.toml", two(2));
    place.run("run --out o -q").code(0);
    let openings = |plan: &Value| plan["openings"].as_array().expect("a list").clone();
    let drawn = openings(&place.logged("o/plan.jsonl", "plan")[0]);
    // Another version of the program would have drawn others.
    replan(&place, |plan, text| {
        let others: Vec<Value> = openings(plan).into_iter().rev().collect();
        text.replacen(&plan["openings"].to_string(), &Value::from(others).to_string(), 1)
    });
    place.run("run --out o -q").code(0);
    assert_eq!(journaled(&place, "o").len(), 4);
    let moves = place.logged("o/games/0000/game-0000001.jsonl", "move");
    let opening = moves.iter().filter(|mv| mv["by"] == "opening").map(|mv| mv["move"].as_str().unwrap());
    assert_eq!(opening.collect::<Vec<_>>().join(" "), drawn[1], "the last one comes first now");
    // Not everything goes.
    place.write("cup.toml", two(3));
    place.refuses(78, "run --out o", &["another tournament was begun here: it differs in openings.count;"]);
    place.write("cup.toml", two(2));
    let plan = place.text("o/plan.jsonl");
    place.write("o/plan.jsonl", plan.replacen(drawn[0].as_str().unwrap(), "b1 b5", 1));
    place.refuses(65, "run --out o", &["o/plan.jsonl: it was changed after the journal was begun"]);
}

#[test]
fn a_plan_that_does_not_say_what_openings_were_asked_for_is_gone_on_with() {
    let place = Place::new();
    place.write("cup.toml", cup(TWICE, "openings = { plies = 2, count = 2 }", &THREE[..2]));
    place.run("run --out o -q").code(0);
    let drawn = r#""drawn":{"plies":2,"count":2,"balance":true},"#;
    replan(&place, |_, text| {
        assert_eq!(text.matches(drawn).count(), 1);
        text.replace(drawn, "")
    });
    place.run("run --out o -q").code(0);
    assert!(journaled(&place, "o").len() == 4 && !place.text("o/plan.jsonl").contains("\"drawn\""));
    place.write("cup.toml", cup(TWICE, "openings = { plies = 2, count = 3 }", &THREE[..2]));
    place.refuses(78, "run --out o", &["another tournament was begun here: it differs in openings;"]);
}

#[test]
fn whoever_waits_for_openings_is_told_so() {
    let place = Place::new();
    place.write("cup.toml", cup(TWICE, "openings = { plies = 4, count = 50000 }", &THREE[..2]));
    let mut command = place.command("run --dry-run");
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut told = String::new();
    BufReader::new(run.stderr.take().expect("it is piped")).read_line(&mut told).expect("a line");
    run.kill().expect("it is ours");
    run.wait().expect("it ends");
    assert!(told.contains("weighing 50000 openings with the greedy bot …"), "{told}");
}

#[test]
fn openings_are_played_from_every_seat() {
    let place = Place::new();
    place.write("lines.txt", "c2 c4\nb1 d5 # the other way\n");
    place.write("cup.toml", cup(TWICE, "openings.file = \"lines.txt\"", &THREE[..2]));
    place.run("run --out o -q").code(0);
    let opening = |game: u64| {
        let moves = place.logged(&format!("o/games/0000/game-{game:07}.jsonl"), "move");
        let opening = moves.iter().filter(|mv| mv["by"] == "opening").map(|mv| mv["move"].as_str().unwrap().to_owned());
        opening.collect::<Vec<String>>().join(" ")
    };
    assert_eq!((1..=4).map(opening).collect::<Vec<_>>(), ["c2 c4", "c2 c4", "b1 d5", "b1 d5"]);
}

#[test]
fn events_are_lines_of_a_closed_list() {
    let place = Place::new();
    let crash = place.bot("crash", "ready; ask; echo ouch >&2; exit 1");
    place.write(
        "cup.toml",
        cup("kind = \"round-robin\"", "", &[THREE[0], THREE[1], ("eve", &format!("[\"{crash}\"]"))]),
    );
    place.run("run --out o --events e.jsonl -q").code(0);
    let lines = |place: &Place| -> Vec<Value> {
        place.text("e.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let first = lines(&place);
    let tag = |line: &Value| line.as_object().unwrap().keys().next().unwrap().clone();
    let tags: Vec<String> = first.iter().map(tag).collect();
    assert_eq!((tags[0].as_str(), tags[1].as_str(), tags.last().unwrap().as_str()), ("header", "begun", "ended"));
    let known = ["begun", "counted", "ended", "finished", "header", "round_over", "started"];
    assert_eq!(tags.iter().map(String::as_str).collect::<BTreeSet<_>>(), BTreeSet::from(known));
    assert_eq!(
        (&first[0]["header"]["format"], &first[0]["header"]["bots"]),
        (&json!(1), &json!(["ada", "bob", "eve"]))
    );
    let finished: Vec<&Value> = first.iter().filter_map(|line| line.get("finished")).collect();
    assert_eq!(finished.len(), 6);
    let faults: Vec<&Value> = finished.iter().flat_map(|game| game["faults"].as_array().unwrap()).collect();
    assert_eq!(faults.len(), 4);
    assert!(faults.iter().all(|fault| fault["kind"] == "exited" && fault["stderr"] == "ouch\n"), "{faults:?}");
    let counted =
        first.iter().filter_map(|line| line.get("counted")).flat_map(|line| line["games"].as_array().unwrap());
    assert_eq!(counted.map(|game| game.as_u64().unwrap()).collect::<BTreeSet<_>>(), (1..=6).collect());
    assert_eq!(first.last().unwrap()["ended"]["ending"], "complete");
    // Another run goes on with the file, and half a line of a referee that was killed is not its.
    place.write("e.jsonl", format!("{}{{\"star", place.text("e.jsonl")));
    place.run("run --out o --events e.jsonl -q").code(0);
    let text = place.text("e.jsonl");
    let (_, second) = text.split_once("{\"star\n").expect("the line is ended");
    assert!(second.starts_with("{\"header\":"), "{second}");
}

#[test]
fn whoever_is_at_fault_too_often_is_out() {
    let place = Place::new();
    let crash = place.bot("crash", "ready; ask; exit 1");
    let bots = [THREE[0], THREE[1], ("eve", &*format!("[\"{crash}\"]"))];
    place.write("cup.toml", cup(TWICE, "faults.disqualify_after = 2\nrun.concurrency = 1", &bots));
    let ran = place.run("run --out o --events e.jsonl --json").code(0);
    let row = ran.rows().remove(0);
    assert!(ran.stderr().contains("eve is disqualified: it was at fault in too many games"), "{}", ran.shown());
    assert_eq!((&row["disqualified"], &row["faults"], &row["counted"]), (&json!(["eve"]), &json!(2), &json!(12)));
    let events = place.logged("e.jsonl", "disqualified");
    assert_eq!((events.len(), &events[0]["bot"]), (1, &json!(2)));
    let status = place.run("status o --json").code(0).rows().remove(0);
    assert_eq!((&status["faults"], &status["standings"]), (&json!(2), &row["standings"]));
}

#[test]
fn whoever_is_out_of_a_swiss_is_paired_no_more() {
    let place = Place::new();
    let crash = place.bot("crash", "ready; ask; exit 1");
    let bots = [THREE[0], THREE[1], ("eve", &*format!("[\"{crash}\"]")), THREE[2]];
    let swiss = cup("kind = \"swiss\"\nrounds = 3", "faults.disqualify_after = 1", &bots);
    place.write("cup.toml", swiss);
    let journals = ["1", "2"].map(|at_once| {
        place.run(&format!("run --out o{at_once} --concurrency {at_once} -q")).code(0);
        journaled(&place, &format!("o{at_once}"))
    });
    let hash = |game: &Value| game["game_sha256"].clone();
    assert_eq!(journals[0].iter().map(hash).collect::<Vec<_>>(), journals[1].iter().map(hash).collect::<Vec<_>>());
    let with_eve = |game: &&Value| game["seats"].as_array().unwrap().contains(&json!(2));
    assert!(journals[0].iter().filter(with_eve).all(|game| game["round"] == 1), "{journals:?}");
    // Three are left for two rounds: one meeting of two games each, and a bye.
    let later = journals[0].iter().filter(|game| game["round"] != 1);
    assert_eq!((later.count(), journals[0].len()), (4, 8));
    let standings = place.run("standings o1 --format json").code(0).rows().remove(0);
    let last = standings["bots"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["name"], &last["disqualified"]), (&json!("eve"), &json!(true)), "{standings}");
    place.run("run --out o1 -q").code(0);
}

#[test]
fn nothing_is_said_where_it_is_to_be_quiet() {
    let place = Place::new();
    place.write(
        "cup.toml",
        cup(TWICE, "", &THREE).replace("kind = \"round-robin\"\nrounds = 2", "kind = \"round-robin\""),
    );
    place.run("run --out o -q").code(0).err(is_empty()).out(contains("1. "));
}
