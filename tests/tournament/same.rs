//! The same seed gives the same tournament: however many games run at once, and however often it was interrupted.

use std::collections::BTreeSet;

use arbitro::tournament::Entrant;
use arbitro::tournament::pairing::{Meeting, Orders, Round, RoundPlayed};
use arbitro::tournament::plan::{Header, game_id, luck_id};
use arbitro::tournament::played::{HalfPoints, Played};
use arbitro::tournament::run::{Director, Ending, Progress};

use crate::support::{Cup, NoDirector, Stop, all_meet, header, options, round};

/// A field of bots that play the same for the same seeds.
fn field() -> Header {
    header(&["random", "greedy", "random", "random"])
}

#[test]
fn games_are_played_as_planned_and_counted_once() {
    let cup = Cup::new(Header { openings: vec!["c2 c4".to_owned()], ..field() }, [all_meet(4, 1)]);
    let summary = cup.play(2);
    assert_eq!((summary.ending, summary.planned, summary.counted, summary.played), (Ending::Complete, 12, 12, 12));
    assert_eq!((summary.unresolved, summary.panics), (0, 0));
    let record = cup.record();
    let numbers: Vec<u64> = record.played.iter().map(|game| game.game).collect();
    assert_eq!(numbers, (1..=12).collect::<Vec<u64>>());
    for game in &record.played {
        let planned = record.plan.game(game.game).unwrap();
        assert_eq!((&game.seats, game.set, game.round), (&planned.seats, planned.set, 1));
        let log = std::fs::read_to_string(arbitro::tournament::folder::log(&cup.path(), game.game)).unwrap();
        let header: serde_json::Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
        assert_eq!(header["header"]["game_id"], game_id(game.game));
        assert_eq!(header["header"]["luck_id"], luck_id(game.set));
        let names: Vec<&str> =
            planned.seats.iter().map(|bot| record.plan.header().bots[bot.index()].name.as_str()).collect();
        assert_eq!(header["header"]["players"], serde_json::json!(names));
        assert!(log.contains(r#""move":"c2","hash""#) && log.contains(r#""by":"opening""#), "{log}");
        assert!(game.host.took_us > game.host.thought_us.iter().sum::<u64>());
        assert!(game.host.thought_us.iter().all(|&thought| thought > 0));
    }
    let mut courses: Vec<_> = record.played.iter().map(|game| game.course).collect();
    courses.sort();
    courses.dedup();
    assert_eq!(courses.len(), 12, "no two games took the same course");
    let again = cup.play(2);
    assert_eq!((again.ending, again.counted, again.played), (Ending::Complete, 12, 0), "nothing is played twice");
}

#[test]
fn however_many_games_run_at_once_the_results_are_the_same() {
    for reuse in [0, 2] {
        let of = |at_once: usize| {
            let cup = Cup::new(Header { reuse, ..field() }, [all_meet(4, 3)]);
            assert_eq!(cup.play(at_once).ending, Ending::Complete);
            cup.results()
        };
        let one = of(1);
        assert_eq!(one.len(), 36);
        assert_eq!(one, of(2));
        assert_eq!(one, of(8));
    }
}

#[test]
fn three_and_four_at_a_table_are_played_in_every_order() {
    let of = |seats: usize, orders, bots: &[&str], table: &[u16]| {
        let options = options(r#"{"size":5,"walls":1,"max_plies":12}"#, seats);
        let cup = Cup::new(Header { seats, orders, options, ..header(bots) }, [round(&[table], 1)]);
        assert_eq!(cup.play(2).ending, Ending::Complete);
        let mut seats: Vec<Vec<u16>> =
            cup.record().played.iter().map(|game| game.seats.iter().map(|bot| bot.0).collect()).collect();
        seats.sort();
        seats.dedup();
        seats.len()
    };
    assert_eq!(of(4, Orders::Turns, &["random"; 4], &[3, 1, 0, 2]), 4);
    assert_eq!(of(4, Orders::One, &["random"; 4], &[3, 1, 0, 2]), 1);
}

#[test]
fn interrupted_again_and_again_it_ends_as_if_it_never_had_been() {
    let tournament = || Cup::new(Header { reuse: 2, ..field() }, [all_meet(4, 2), all_meet(4, 1)]);
    let undisturbed = tournament();
    undisturbed.play(2);
    let cup = tournament();
    let (mut runs, mut played) = (0, 0);
    loop {
        let stop = Stop::new();
        let mut finished = 0;
        let summary = cup.play_opened(cup.open(), 2, &mut NoDirector, &stop, |progress| {
            // Sometimes in the middle of a set, sometimes at its end.
            finished += u64::from(matches!(progress, Progress::Started { .. }));
            if finished == 3 + runs % 3 {
                stop.stop();
            }
        });
        let summary = summary.expect("nothing fails");
        runs += 1;
        played += summary.played;
        let record = cup.record();
        assert_eq!(record.played.len() as u64, summary.counted);
        if summary.ending == Ending::Complete {
            break;
        }
        assert_eq!(summary.ending, Ending::Interrupted);
        assert!(runs < 60, "it comes to no end");
    }
    assert!(runs > 1, "it was interrupted");
    assert_eq!(played, 36, "nothing that counted was played again");
    assert_eq!(cup.results(), undisturbed.results());
}

/// Pairs the leader with the second, and so on; three rounds.
struct Swiss {
    asked: Vec<usize>,
}

impl Director for Swiss {
    fn pairs_by_results(&self) -> bool {
        true
    }

    fn next_round(&mut self, before: &[RoundPlayed], _: &BTreeSet<Entrant>) -> Option<Round> {
        self.asked.push(before.len());
        let mut points = [HalfPoints(0); 4];
        for round in before {
            for (meeting, won) in round.round.meetings.iter().zip(&round.points) {
                meeting.seats.iter().zip(won).for_each(|(bot, won)| points[bot.index()].0 += won.0);
            }
        }
        let mut order: Vec<Entrant> = Entrant::field(4).collect();
        order.sort_by_key(|bot| (std::cmp::Reverse(points[bot.index()]), bot.0));
        let meeting = |pair: &[Entrant]| Meeting { seats: arbitro::seat::BySeat::collect(pair.iter().copied()) };
        let round = Round { meetings: order.chunks(2).map(meeting).collect(), sets: 1, byes: Vec::new() };
        (before.len() < 3).then_some(round)
    }
}

#[test]
fn rounds_that_follow_from_results_are_planned_when_those_are_there() {
    let tournament = || Cup::new(field(), [round(&[&[0, 1], &[2, 3]], 1)]);
    let undisturbed = tournament();
    let mut swiss = Swiss { asked: Vec::new() };
    let mut told = Vec::new();
    let summary = undisturbed.play_with(2, &mut swiss, |progress| match progress {
        Progress::RoundOver { round } => told.push(format!("round {round} over")),
        Progress::Paired { planned, .. } => told.push(format!("{planned} planned")),
        _ => {}
    });
    assert_eq!((summary.ending, summary.counted), (Ending::Complete, 12));
    assert_eq!(swiss.asked, [1, 2, 3]);
    assert_eq!(told, ["round 1 over", "8 planned", "round 2 over", "12 planned", "round 3 over"]);
    assert_eq!(undisturbed.record().plan.parts(), 3);

    let cup = tournament();
    for started in [1, 3, 2, 4, 1] {
        let (stop, mut count) = (Stop::new(), 0);
        let mut tell = |progress: Progress| {
            count += u32::from(matches!(progress, Progress::Started { .. }));
            if count == started {
                stop.stop();
            }
        };
        cup.play_opened(cup.open(), 2, &mut Swiss { asked: vec![] }, &stop, &mut tell).expect("nothing fails");
    }
    assert_eq!(cup.play_with(1, &mut Swiss { asked: vec![] }, |_| {}).ending, Ending::Complete);
    assert_eq!(cup.results(), undisturbed.results());
    for file in ["plan.jsonl", "plan-0002.jsonl", "plan-0003.jsonl"] {
        let bytes = |cup: &Cup| std::fs::read(cup.path().join(file)).unwrap();
        assert_eq!(bytes(&cup), bytes(&undisturbed), "{file}");
    }
}

/// Has seen enough after so many points of the first bot.
struct Enough {
    points: u64,
    most: u64,
    seen: Vec<u64>,
}

impl Director for Enough {
    fn may_end_early(&self) -> bool {
        true
    }

    fn see(&mut self, games: &[Played]) {
        self.seen.push(games[0].set);
        for game in games {
            let ranks = game.ranks.as_ref().expect("it is decided");
            let own = game.seats.seats().find(|(_, bot)| bot.0 == 0).expect("it plays").0;
            self.points += u64::from(ranks[own] == 1);
        }
    }

    fn is_enough(&self) -> bool {
        self.points >= self.most
    }
}

#[test]
fn a_tournament_that_ends_early_ends_at_the_same_set_however_many_games_run_at_once() {
    let enough = || Enough { points: 0, most: 9, seen: Vec::new() };
    let tournament = || Cup::new(header(&["random", "random"]), [round(&[&[0, 1]], 40)]);
    let of = |at_once: usize| {
        let (cup, mut enough, mut told) = (tournament(), enough(), 0);
        let summary = cup.play_with(at_once, &mut enough, |progress| {
            told += u32::from(matches!(progress, Progress::Enough));
        });
        assert_eq!((summary.ending, told), (Ending::Enough, 1));
        assert!(enough.points >= 9 && enough.seen.len() < 40, "{:?}", enough.seen);
        assert_eq!(enough.seen, (1..=enough.seen.len() as u64).collect::<Vec<u64>>(), "in the order of the plan");
        let results = cup.results();
        assert_eq!(results.len(), 2 * enough.seen.len());
        let again = cup.play_with(at_once, &mut self::Enough { points: 0, most: 9, seen: Vec::new() }, |_| {});
        assert_eq!((again.ending, again.played), (Ending::Enough, 0));
        results
    };
    let one = of(1);
    assert_eq!(one, of(2));
    assert_eq!(one, of(8));

    let cup = tournament();
    for started in [3, 5, 8] {
        let (stop, mut count) = (Stop::new(), 0);
        let mut director = enough();
        let opened = {
            let look = &mut |_: &arbitro::tournament::plan::Plan, games: &[Played]| director.see(games);
            arbitro::tournament::folder::open(&cup.path(), cup.plan.clone(), crate::support::MASTER, false, look)
        };
        let tell = |progress: Progress| {
            count += u32::from(matches!(progress, Progress::Started { .. }));
            if count == started {
                stop.stop();
            }
        };
        cup.play_opened(opened.unwrap(), 4, &mut director, &stop, tell).expect("nothing fails");
        cup.record();
    }
    cup.play_with(4, &mut enough(), |_| {});
    assert_eq!(cup.results(), one);
}

#[test]
fn where_enough_is_known_at_the_beginning_no_game_begins() {
    let cup = Cup::new(header(&["random", "random"]), [round(&[&[0, 1]], 40)]);
    // Workers that are quick would have begun one sooner or later.
    for run in 0..30 {
        let mut told = Vec::new();
        let mut enough = Enough { points: 0, most: 0, seen: Vec::new() };
        let summary = cup.play_with(8, &mut enough, |progress| told.push(format!("{progress:?}")));
        assert_eq!((summary.ending, summary.played), (Ending::Enough, 0));
        assert!(!told.iter().any(|told| told.starts_with("Started")), "run {run}: {told:?}");
    }
    assert_eq!(cup.logs(), Vec::<std::path::PathBuf>::new());
}

/// Plays the first legal move, and says on stderr how many games it has played.
const COUNTING: &str = r#"
    n=0
    while read -r line; do
        case $line in
            *'"type":"hello"'*) n=$((n + 1)); echo "game $n of mine" >&2; echo '{"type":"ready"}' ;;
            *'"type":"turn"'*)
                turn=${line#*'"turn":'}; turn=${turn%%[!0-9]*}
                move=${line#*'"legal":["'}; move=${move%%'"'*}
                printf '{"type":"move","turn":%s,"move":"%s"}\n' "$turn" "$move" ;;
        esac
    done"#;

#[test]
fn a_process_plays_its_sitting_and_never_two_games_of_one_set() {
    // Of each set, how many games the processes of its games have played, those of both bots.
    let of = |reuse: u32, at_once: usize| {
        let mut cup = Cup::new(Header { reuse, ..header(&["sh", "sh"]) }, [round(&[&[0, 1]], 5)]);
        cup.commands = vec![["/bin/sh", "-c", COUNTING].map(str::to_owned).to_vec(); 2];
        assert_eq!(cup.play(at_once).ending, Ending::Complete);
        let lives = cup.record().played.into_iter().map(|game| {
            let log = std::fs::read_to_string(arbitro::tournament::folder::log(&cup.path(), game.game)).unwrap();
            let said = |seat: usize| {
                let note = format!(r#""stderr":{{"seat":{seat},"#);
                let line = log.lines().find(|line| line.contains(&note)).expect("it says so");
                line.split("\"game ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a number").to_owned()
            };
            [said(0), said(1)].join(" ")
        });
        let lives: Vec<String> = lives.collect();
        lives.chunks(2).map(|set| set.join(", ")).collect::<Vec<String>>()
    };
    let (first, second) = ("1 1, 1 1", "2 2, 2 2");
    for at_once in [1, 2, 8] {
        assert_eq!(of(0, at_once), [first; 5]);
        assert_eq!(of(2, at_once), [first, second, first, second, first]);
    }
}
