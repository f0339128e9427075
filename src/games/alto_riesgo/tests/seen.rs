//! What is shown: the state on the wire, canonical bytes, the board.

use super::*;

#[test]
fn the_state_is_written_as_the_rules_show_it() {
    let core = after(mountain("{}", &[&[7, 5, 4, 2], &[3, 2, 2, 2]]), "WDDDDD stop AAWDDD");
    let core = Core { turns: 23, ..core };
    let json = r#"{"turn":1,"phase":"choice","turns_played":23,"climbers":[[7,5,4,2],[3,2,2,2]],"danger":3,"ascents":2,"weather":1}"#;
    assert_eq!(serde_json::to_string(&AltoRiesgo::from(core).view()).unwrap(), json);
    assert!(AltoRiesgo::RULES.contains(json));
    assert_eq!(serde_json::from_str::<State>(json).unwrap().position(*core.rules()), Ok(core));
}

#[test]
fn seats_that_are_out_have_no_climbers_in_the_state() {
    let mut core = mountain("{}", &[&[7, 5, 4], &[3, 2, 2], &[6, 6, 6]]);
    core.leave(Seat::new(1));
    let json = serde_json::to_string(&State::of(&core)).unwrap();
    assert!(json.contains(r#""turns_played":0,"climbers":[[7,5,4],[],[6,6,6]]"#), "{json}");
}

#[test]
fn states_that_are_no_positions_are_refused() {
    let rules = Rules::new(&Options::default(), 3).unwrap();
    let read = |json: &str| serde_json::from_str::<State>(json).unwrap().position(rules);
    let state = |phase: &str, seat: usize, climbers: &str, dice: &str| {
        let [danger, ascents, weather] = [0, 1, 2].map(|place| &dice[place..=place]);
        read(&format!(
            r#"{{"turn":{seat},"phase":"{phase}","turns_played":9,"climbers":{climbers},"danger":{danger},"ascents":{ascents},"weather":{weather}}}"#
        ))
    };
    let fine = "[[7,5,4],[3,2,2],[6,6,6]]";
    assert!(state("choice", 2, fine, "321").is_ok());
    assert_eq!(state("choice", 0, "[[1,1,1]]", "321"), Err(BadState::Seats(1)));
    let three = BadState::Climbers { seat: Seat::new(1), found: 2, due: 3 };
    assert_eq!(state("choice", 0, "[[7,5,4],[3,2],[6,6,6]]", "321"), Err(three));
    assert_eq!(state("choice", 0, "[[11,5,4],[3,2,2],[6,6,6]]", "321"), Err(BadState::Zone(11)));
    assert_eq!(state("choice", 0, "[[7,5,4],[4,2,2],[6,6,6]]", "321"), Err(BadState::Cliff(4)));
    for (phase, dice) in [("choice", "322"), ("choice", "600"), ("dice", "051")] {
        assert!(matches!(state(phase, 0, fine, dice), Err(BadState::Dice { .. })), "{phase} {dice}");
    }
    assert_eq!(state("choice", 3, fine, "321"), Err(BadState::Turn));
    assert_eq!(state("choice", 0, "[[],[3,2,2],[6,6,6]]", "321"), Err(BadState::Turn));
    assert_eq!(state("choice", 0, "[[10,10,10],[3,2,2],[6,6,6]]", "321"), Err(BadState::Over));
    assert_eq!(state("over", 0, fine, "600"), Err(BadState::Over));
    let over = after(mountain(r#"{"max_turns":1}"#, &[&[0; 4], &[0; 4]]), "DDDDDD");
    assert_eq!(State::of(&over).position(*over.rules()), Err(BadState::Turn));
    let capped = State { turn: Some(Seat::new(0)), phase: PhaseName::Dice, ..State::of(&over) };
    assert_eq!(capped.position(*over.rules()), Err(BadState::Over));
}

fn bytes(core: Core) -> Vec<u8> {
    let mut bytes = Vec::new();
    AltoRiesgo::from(core).encode(&mut bytes);
    bytes
}

#[test]
fn canonical_bytes_tell_apart_all_that_decides_the_future() {
    let start = mountain("{}", &[&[7, 5, 4], &[3, 2, 2], &[6, 6, 6]]);
    let mut one_out = start;
    one_out.leave(Seat::new(2));
    let others = [
        mountain("{}", &[&[7, 5, 3], &[4, 2, 2], &[6, 6, 6]]),
        after(start, "ADDDDD"),
        after(start, "WDDDDD"),
        after(start, "AWDDDD"),
        after(start, "AWDDDD roll"),
        after(start, "WDDDDD stop"),
        Core { turns: 256, ..start },
        Core { turns: 1, ..start },
        one_out,
    ];
    let mut all = vec![bytes(start)];
    for other in others {
        assert!(!all.contains(&bytes(other)), "{other:?}");
        all.push(bytes(other));
    }
    // Two ways to the same position give the same bytes: which climber of a seat is where does not matter.
    let (low, high) =
        (mountain("{}", &[&[1, 0, 0], &[0; 3], &[0; 3]]), mountain("{}", &[&[0, 1, 0], &[0; 3], &[0; 3]]));
    assert_eq!(bytes(low), bytes(high));
    assert_eq!(bytes(after(start, "AWDDDD")), bytes(after(start, "DDWDDA")));
}

fn drawn(core: Core, unicode: bool, colour: bool) -> String {
    let mut text = String::new();
    AltoRiesgo::from(core).board(&mut text, BoardStyle { unicode, colour }).unwrap();
    text
}

const MOUNTAIN: &str = "     ┌───────────┐
 10  │ 0         │  Summit
     └──┬─────┬──┘
  9     │  1  │     Cliff
        ├─────┤
  8     │     │     Cliff
        ├─────┤
  7     │     │     Cliff
     ┌──┴─────┴──┐
  6  │ 00   1    │  Bivouac
     └──┬─────┬──┘
  5     │     │     Cliff
        ├─────┤
  4     │  0  │     Cliff
        ├─────┤
  3     │     │     Cliff
     ┌──┴─────┴──┐
  2  │      11   │  Bivouac
     ├───────────┤
  1  │           │  Bivouac
     ├───────────┤
  0  │           │  Basecamp
     └───────────┘
turn 1: seat 0, aside A A W, danger D D D
";

#[test]
fn the_mountain_is_drawn_with_boxes_and_in_ascii() {
    let core = after(mountain("{}", &[&[10, 6, 6, 4], &[9, 6, 2, 2]]), "WDADAD");
    assert_eq!(drawn(core, true, false), MOUNTAIN);
    let plain = MOUNTAIN.replace('│', "|").replace('─', "-").replace(|letter: char| !letter.is_ascii(), "+");
    assert_eq!(drawn(core, false, false), plain);
}

#[test]
fn colours_are_those_of_the_seats_and_only_where_wanted() {
    let core = after(mountain("{}", &[&[10, 6, 6, 4], &[9, 6, 2, 2]]), "WDADAD");
    let coloured = drawn(core, true, true);
    assert!(coloured.contains("\x1b[1;31m00\x1b[0m   \x1b[34m1\x1b[0m    │  Bivouac\n"), "{coloured}");
    let mut bare = coloured;
    ["\x1b[1;31m", "\x1b[34m", "\x1b[0m"].iter().for_each(|escape| bare = bare.replace(escape, ""));
    assert_eq!(bare, MOUNTAIN);
}

#[test]
fn ledges_are_wide_enough_for_all_climbers_and_every_line_fits() {
    for (json, climbers) in [
        (r#"{"track":"CBCC","climbers":4}"#, vec![&[2u8, 2, 2, 2][..]; 4]),
        (r#"{"track":"CBCC","climbers":1}"#, vec![&[2][..]; 2]),
        (r#"{"track":"CBCC","climbers":4}"#, vec![&[2, 2, 2, 2][..]; 3]),
    ] {
        let text = drawn(mountain(json, &climbers), true, false);
        let lines: Vec<&str> = text.lines().collect();
        let width = lines[0].chars().count();
        let bivouac = lines.iter().find(|line| line.ends_with("Bivouac")).unwrap();
        assert_eq!(bivouac.chars().count(), width + "  Bivouac".len());
        for seat in Seat::first(climbers.len()) {
            assert!(bivouac.contains(&seat.to_string().repeat(climbers[0].len())), "{text}");
        }
    }
}

#[test]
fn the_line_below_tells_how_the_turn_or_the_game_stands() {
    let last = |core: Core| drawn(core, true, false).lines().last().unwrap().to_owned();
    let start = mountain("{}", &[&[10, 10, 10, 9], &[0; 4]]);
    assert_eq!(last(start), "turn 1: seat 0, aside nothing, to throw 6");
    assert_eq!(last(after(start, "WDDADD roll")), "turn 1: seat 0, aside A W, to throw 4");
    assert_eq!(last(after(start, "WWWWWA")), "turn 1: seat 0, aside A W W W W W, no danger");
    assert_eq!(last(after(start, "ADDDDD climb-9")), "seat 0 won in turn 1");
    let capped = mountain(r#"{"max_turns":1}"#, &[&[0; 4], &[0; 4]]);
    assert_eq!(last(after(capped, "DDDDDD")), "over after turn 1");
}
