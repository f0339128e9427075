//! Openings that are read, and openings that are drawn.

use std::collections::HashSet;

use super::*;
use crate::chance::Hex32;

const PLAIN: Setting = Setting { game: GameName::AltoAhi, options: "{}", seats: 2 };
const TINY: Setting = Setting { game: GameName::AltoAhi, options: r#"{"size":3,"walls":0}"#, seats: 2 };

fn level(_: &[String]) -> BySeat<u32> {
    BySeat::collect([500, 500])
}

fn drawn(setting: Setting, plies: u32, count: usize) -> Drawn {
    draw(Hex32::from_text("openings"), setting, plies, count, None).unwrap()
}

#[test]
fn a_list_is_read_line_by_line() {
    let text = "# two of them\n\n  e2   e8\t# the usual\r\ne2 e8 e3h\n#end";
    assert_eq!(read(text, PLAIN).unwrap(), ["e2 e8", "e2 e8 e3h"]);
    assert_eq!(read("# nothing\n\n", PLAIN), Err(BadOpenings::Empty));
    assert_eq!(read("", PLAIN), Err(BadOpenings::Empty));
}

#[test]
fn a_line_that_cannot_be_played_is_told_with_the_move() {
    let refused = |text: &str, setting, begins: &str, within: &str| {
        let error = read(text, setting).unwrap_err().to_string();
        assert!(error.starts_with(begins) && error.contains(within), "{error}");
    };
    refused("e2 e8\ne2 e5", PLAIN, "2: move 2 of the opening, “e5”: ", "e5");
    refused("\ne2 x", PLAIN, "2: move 2 of the opening, “x”: ", "is not a move");
    refused("b2 b1", TINY, "1: this opening plays the game to its end", "leave its last move out");
    refused("b2 b1 b3", TINY, "1: move 3 of the opening, “b3”: the game is over before it", "");
    refused("e2 e8\n\ne2  e8", PLAIN, "3: this opening stands in line 1 already", "");
    let dice = Setting { game: GameName::AltoRiesgo, options: "{}", seats: 2 };
    refused("x", dice, "1: alto-riesgo begins with luck", "leave [openings] out");
    let cards = Setting { options: r#"{"cards":true}"#, ..PLAIN };
    refused("e2 card e3", cards, "1: move 3 of the opening, “e3”: luck decides before it", "");
    assert_eq!(read("e2 card", cards).unwrap(), ["e2 card"], "whatever the luck, this can be played");
}

#[test]
fn a_seed_draws_the_same_openings_and_another_one_others() {
    let of = |text: &str| draw(Hex32::from_text(text), PLAIN, 4, 20, None).unwrap();
    assert_eq!(of("one"), of("one"));
    assert_ne!(of("one"), of("two"));
    // More of them begin with the same.
    let more = draw(Hex32::from_text("one"), PLAIN, 4, 30, None).unwrap();
    assert_eq!(more.openings[..20], of("one").openings);
}

#[test]
fn drawn_openings_can_be_played_and_differ_in_where_they_lead() {
    for (setting, count) in [(PLAIN, 200), (TINY, 5), (Setting { seats: 4, ..PLAIN }, 50)] {
        let drawn = drawn(setting, 3, count);
        assert_eq!((drawn.openings.len(), drawn.unbalanced, drawn.taken_unbalanced), (count, 0, 0));
        assert_eq!(read(&drawn.openings.join("\n"), setting).unwrap(), drawn.openings);
        let mut positions = HashSet::new();
        for opening in &drawn.openings {
            assert_eq!(opening.split(' ').count(), 3);
            let mut table = setting.table();
            opening.split(' ').for_each(|token| assert!(table.play(token).is_ok()));
            assert!(positions.insert(table.hash()), "{opening} leads where another one does");
        }
    }
}

#[test]
fn every_first_move_is_as_likely() {
    // Three moves from the start of the smallest board; 2 degrees of freedom, and the 99.9 % point.
    let mut draws = Streams::new(Hex32::from_text("likely")).of(Purpose::Opening).clone();
    let mut counts: BTreeMap<String, i64> = BTreeMap::new();
    for _ in 0..3000 {
        *counts.entry(walk(&mut draws, TINY, 1).unwrap().0.concat()).or_default() += 1;
    }
    let chi: i64 = counts.values().map(|count| (count - 1000) * (count - 1000)).sum::<i64>() / 1000;
    assert!(counts.len() == 3 && chi < 14, "{counts:?}");
}

#[test]
fn there_may_be_too_few() {
    let error = draw(Hex32::from_text("few"), TINY, 1, 4, None).unwrap_err();
    assert_eq!(error, BadOpenings::TooFew { found: 3, plies: 1 });
    assert_eq!(draw(Hex32::from_text("few"), TINY, 40, 1, None), Err(BadOpenings::TooFew { found: 0, plies: 40 }));
}

#[test]
fn luck_is_no_part_of_an_opening() {
    let seed = Hex32::from_text("luck");
    let dice = Setting { game: GameName::AltoRiesgo, options: "{}", seats: 3 };
    assert_eq!(draw(seed, dice, 1, 1, None), Err(BadOpenings::Luck(GameName::AltoRiesgo)));
    let placed = Setting { game: GameName::Passage, options: r#"{"placement":"chance"}"#, seats: 2 };
    assert_eq!(draw(seed, placed, 1, 1, None), Err(BadOpenings::Luck(GameName::Passage)));
    let cards = Setting { options: r#"{"cards":true,"size":3,"walls":0}"#, ..TINY };
    let openings = drawn(cards, 2, 5).openings.join(" ");
    assert!(!openings.contains("card"), "{openings}");
}

#[test]
fn openings_that_favour_a_seat_are_drawn_anew() {
    // Whoever begins with the pawn to the left always wins.
    let asked = AtomicUsize::new(0);
    let weigh = |moves: &[String]| {
        asked.fetch_add(1, Ordering::Relaxed);
        if moves[0] == "d1" { BySeat::collect([1000, 0]) } else { level(moves) }
    };
    let seed = Hex32::from_text("balance");
    let free = Setting { options: r#"{"walls":0}"#, ..PLAIN };
    let all = draw(seed, free, 2, 6, None).unwrap().openings;
    assert!(all.iter().any(|opening| opening.starts_with("d1")), "{all:?}");
    let drawn = draw(seed, free, 2, 6, Some(Weighing { weigh: &weigh, threads: 2 })).unwrap();
    assert!(drawn.unbalanced > 0 && drawn.taken_unbalanced == 0, "{drawn:?}");
    assert!(!drawn.openings.iter().any(|opening| opening.starts_with("d1")), "{drawn:?}");
    assert_eq!(drawn.openings.len() + drawn.unbalanced, asked.into_inner(), "each is weighed once");
}

#[test]
fn however_many_threads_weigh_them_the_openings_are_the_same() {
    // What a position is worth follows from its moves, and about a third of them are worth too much.
    let weigh = |moves: &[String]| {
        let share = u32::from_be_bytes(Hex32::from_text(&moves.concat()).0[..4].try_into().unwrap()) % 1001;
        BySeat::collect([share, 1000 - share])
    };
    let of = |count: usize, threads: usize| {
        let weighing = Some(Weighing { weigh: &weigh, threads });
        draw(Hex32::from_text("threads"), PLAIN, 4, count, weighing).unwrap()
    };
    for count in [1, 70, BATCH + 200] {
        let one = of(count, 1);
        assert_eq!(one.openings.len(), count);
        for threads in [0, 2, 3, 64] {
            assert_eq!(of(count, threads), one, "{count} openings, {threads} threads");
        }
    }
    // As they were drawn when one was weighed after the other.
    let one = of(70, 1);
    let digest = Hex32::from_text(&one.openings.join(",")).to_string();
    assert_eq!(digest, "8f1b53366b044df24168691fb37b3b20cfda9f3e8c063058c4e7d779b6c4849a");
    assert_eq!((one.unbalanced, one.taken_unbalanced), (30, 0));
}

#[test]
fn the_least_unbalanced_are_taken_for_want_of_others() {
    let seed = Hex32::from_text("want");
    let share = |token: &str| match token {
        "a1" => 500,
        "c1" => 900,
        _ => 990,
    };
    let weigh = |moves: &[String]| BySeat::collect([share(&moves[0]), 1000 - share(&moves[0])]);
    let drawn = draw(seed, TINY, 1, 2, Some(Weighing { weigh: &weigh, threads: 1 })).unwrap();
    assert_eq!(drawn, Drawn { openings: vec!["a1".into(), "c1".into()], unbalanced: 2, taken_unbalanced: 1 });
}

#[test]
fn a_share_is_as_bad_below_half_as_above() {
    let favours = |points: &[u32]| lead(&BySeat::collect(points.iter().copied())) > lead_of(MOST_SHARE);
    assert!(favours(&[917, 83]) && favours(&[83, 917]));
    assert!(!favours(&[833, 167]) && !favours(&[500, 500]));
    assert!(favours(&[500, 500, 1000, 0]) && favours(&[600, 600, 700, 100]));
}

#[test]
fn luck_is_found_where_there_is_some() {
    let of = |game, options| Setting { game, options, seats: 2 }.has_luck();
    assert!(!of(GameName::AltoAhi, "{}") && !of(GameName::Crecer, "{}"));
    assert!(of(GameName::AltoAhi, r#"{"cards":true}"#) && of(GameName::AltoRiesgo, "{}"));
}
