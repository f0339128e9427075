//! What the rules say, one situation at a time; numbers and recorded games are in [`facts`], and [`plain`] plays
//! against the rules written a second time.

mod facts;
mod illegal;
mod plain;
mod seen;

use super::*;
use crate::chance::Hex32;
use crate::seat::{BySeat, SeatSet};

/// The options with these fields, the others being the published ones.
fn options(json: &str) -> Options {
    serde_json::from_str(json).unwrap()
}

/// Seat 0 about to throw, with climbers on these zones.
fn mountain(json: &str, climbers: &[&[u8]]) -> Core {
    let climbers = BySeat::collect(climbers.iter().map(|zones| zones.iter().copied().collect()));
    let rules = Rules::new(&options(json), climbers.len()).unwrap();
    let state = State {
        turn: Some(Seat::new(0)),
        phase: PhaseName::Dice,
        turns_played: 0,
        climbers,
        danger: rules.dice(),
        ascents: 0,
        weather: 0,
    };
    state.position(rules).unwrap()
}

/// The position behind steps written as words: rolls and moves.
fn after(core: Core, steps: &str) -> Core {
    let mut game = AltoRiesgo::from(core);
    for word in steps.split_whitespace() {
        game.apply(match game.turn() {
            Turn::Chance => Step::Chance(word.parse().unwrap()),
            _ => Step::Move(word.parse().unwrap()),
        });
    }
    game.core
}

fn zones(core: &Core) -> Vec<&[u8]> {
    Seat::first(core.seats()).map(|seat| core.climbers(seat)).collect()
}

fn legal(core: &Core) -> Vec<String> {
    let mut moves = Vec::new();
    AltoRiesgo::from(*core).legal_moves(&mut moves);
    moves.into_iter().map(|mv| crate::game::Notation::token(mv).to_string()).collect()
}

#[test]
fn a_game_begins_with_a_throw_of_all_dice_by_seat_0() {
    for (seats, climbers) in [(2, 4), (3, 3), (4, 2)] {
        let game = AltoRiesgo::new(&Options::default(), seats).unwrap();
        assert_eq!(game.turn(), Turn::Chance);
        assert_eq!((game.core.to_move(), game.core.danger()), (Seat::new(0), 6));
        assert!(zones(&game.core).iter().all(|zones| *zones == vec![0; climbers]));
        assert_eq!(game.core.rules().summit(), 10);
    }
}

#[test]
fn ascents_and_weather_are_set_aside_and_the_rest_may_be_rolled_again() {
    let core = after(mountain("{}", &[&[3, 0, 0, 0], &[0; 4]]), "ADDDWD");
    assert_eq!((core.danger(), core.ascents(), core.weather()), (4, 1, 1));
    assert_eq!(legal(&core), ["roll", "climb-0", "climb-3"]);
    let core = after(core, "roll DDDA");
    assert_eq!((core.danger(), core.ascents(), core.weather()), (3, 2, 1));
}

#[test]
fn weather_alone_is_a_throw_to_go_on_with_and_stop_ends_the_turn() {
    let core = after(mountain("{}", &[&[3, 0, 0, 0], &[0; 4]]), "DDDDDW");
    assert_eq!(legal(&core), ["roll", "stop"]);
    let core = after(core, "stop");
    assert_eq!((core.to_move(), core.turns(), core.danger()), (Seat::new(1), 1, 6));
    assert_eq!(zones(&core)[0], [3, 0, 0, 0]);
}

#[test]
fn a_climb_ends_the_turn_even_with_dice_to_roll() {
    let core = after(mountain("{}", &[&[3, 0, 0, 0], &[0; 4]]), "ADDDWA climb-0");
    assert_eq!(zones(&core)[0], [3, 2, 0, 0]);
    assert_eq!((core.to_move(), core.turns(), core.phase()), (Seat::new(1), 1, Phase::Dice));
}

#[test]
fn danger_alone_is_a_fall_and_the_ascents_set_aside_are_lost() {
    let core = after(mountain("{}", &[&[8, 4, 0, 0], &[0; 4]]), "AAAADD roll DD");
    assert_eq!(zones(&core)[0], [4, 3, 0, 0]);
    assert_eq!((core.to_move(), core.ascents(), core.danger(), core.turns()), (Seat::new(1), 0, 6, 1));
}

#[test]
fn a_fall_from_a_cliff_frees_it_and_a_fall_to_a_cliff_takes_it() {
    let core = mountain("{}", &[&[8, 4, 0, 0], &[9, 0, 0, 0]]);
    assert_eq!(core.taken(), 1 << 8 | 1 << 4 | 1 << 9);
    assert_eq!(after(core, "DDDDDD").taken(), 1 << 4 | 1 << 3 | 1 << 9);
}

#[test]
fn all_dice_aside_make_a_seat_climb_and_play_another_turn() {
    let core = after(mountain("{}", &[&[3, 0, 0, 0], &[0; 4]]), "AADDWA roll AW");
    assert_eq!(legal(&core), ["climb-0", "climb-3"]);
    let core = after(core, "climb-3");
    assert_eq!(zones(&core)[0], [7, 0, 0, 0]);
    assert_eq!((core.to_move(), core.turns(), core.danger(), core.phase()), (Seat::new(0), 1, 6, Phase::Dice));
}

#[test]
fn six_weathers_are_another_turn_without_a_climb() {
    let core = after(mountain("{}", &[&[3, 0, 0, 0], &[0; 4]]), "WWWWWW");
    assert_eq!(legal(&core), ["stop"]);
    let core = after(core, "stop");
    assert_eq!((core.to_move(), core.turns(), core.phase()), (Seat::new(0), 1, Phase::Dice));
}

#[test]
fn a_climb_ends_on_the_summit_at_the_latest() {
    let core = after(mountain("{}", &[&[9, 0, 0, 0], &[0; 4]]), "AAAADD climb-9");
    assert_eq!(zones(&core)[0], [10, 0, 0, 0]);
}

#[test]
fn climbers_on_the_way_do_not_matter() {
    let core = after(mountain("{}", &[&[0; 4], &[5, 4, 3, 0]]), "AAAAAA climb-0");
    assert_eq!(zones(&core), [[6, 0, 0, 0], [5, 4, 3, 0]]);
}

#[test]
fn a_knocked_climber_drops_past_taken_cliffs_and_knocks_nobody() {
    let core = mountain("{}", &[&[2, 0, 0, 0], &[5, 4, 3, 0]]);
    let core = after(core, "AAADDD");
    let knocked = Some(Knock { seat: Seat::new(1), to: 2 });
    assert_eq!(core.landing(2), Landing { to: 5, knocked });
    assert_eq!(zones(&after(core, "climb-2")), [[5, 0, 0, 0], [4, 3, 2, 0]]);
}

#[test]
fn bivouacs_have_room_for_all() {
    let core = after(mountain("{}", &[&[3, 0, 0, 0], &[6, 6, 6, 6]]), "AAADDD climb-3");
    assert_eq!(zones(&core), [[6, 0, 0, 0], [6; 4]]);
}

#[test]
fn an_own_climber_is_knocked_off_too() {
    let core = after(mountain("{}", &[&[5, 4, 2, 0], &[0; 4]]), "AAADDD climb-2");
    assert_eq!(zones(&core)[0], [5, 4, 3, 0]);
}

#[test]
fn the_zone_that_the_climber_left_is_free_for_the_knocked_one() {
    for climbers in [[&[4, 0, 0, 0], &[5, 0, 0, 0]], [&[5, 4, 0, 0], &[0; 4]]] {
        let core = after(mountain("{}", &[climbers[0], climbers[1]]), "ADDDDD climb-4");
        assert_eq!(core.taken(), 1 << 4 | 1 << 5);
        assert_eq!(core.climbers(Seat::new(0))[0], 5);
    }
}

#[test]
fn without_ties_on_a_zone_a_fall_is_measured_from_the_next_lower_one() {
    let six_and_two: &[&[u8]] = &[&[6, 6, 2, 0], &[0; 4]];
    assert_eq!(mountain("{}", six_and_two).fall(Seat::new(0)), Some((6, 5)));
    let lower = r#"{"tie_next":"lower_only"}"#;
    assert_eq!(mountain(lower, six_and_two).fall(Seat::new(0)), Some((6, 1)));
    assert_eq!(mountain(lower, &[&[6, 6, 0, 0], &[0; 4]]).fall(Seat::new(0)), Some((6, 0)));
    assert_eq!(mountain(lower, &[&[10, 6, 6, 6], &[0; 4]]).fall(Seat::new(0)), Some((6, 0)));
}

#[test]
fn who_has_all_climbers_on_the_summit_wins_before_another_turn() {
    let three: &[&[u8]] = &[&[10, 10, 9], &[10, 6, 6], &[10, 8, 2]];
    let core = after(mountain("{}", three), "AWWWWW climb-9");
    assert_eq!(core.phase(), Phase::Over(EndReason::Goal));
    let game = AltoRiesgo::from(core);
    assert_eq!(game.end(), Some(EndReason::Goal));
    let Turn::Over(ranking) = game.turn() else { panic!("the game is over") };
    assert_eq!(ranking.ranks(3), BySeat::collect([1, 2, 3]));
    assert_eq!((game.count_legal(), legal(&core).len()), (0, 0));
}

#[test]
fn the_others_rank_by_climbers_on_the_summit_and_then_by_the_sum_of_zones() {
    let four: &[&[u8]] = &[&[10, 6], &[6, 6], &[10, 0], &[6, 6]];
    let core = after(mountain("{}", four), "AAAADD climb-6");
    assert_eq!(core.ranking().ranks(4), BySeat::collect([1, 3, 2, 3]));
}

#[test]
fn when_the_last_turn_has_ended_progress_decides() {
    let core = after(mountain(r#"{"max_turns":2}"#, &[&[6, 6, 0, 0], &[10, 0, 0, 0]]), "DDDDDD WDDDDD stop");
    assert_eq!((core.phase(), core.turns()), (Phase::Over(EndReason::MaxTurns), 2));
    assert_eq!(core.ranking().winner(), Some(Seat::new(1)));
    // An extra turn counts as one, and the last one comes too late for it.
    let core = after(mountain(r#"{"max_turns":1}"#, &[&[6, 6, 0, 0], &[6, 6, 0, 0]]), "WWWWWW stop");
    assert_eq!(core.phase(), Phase::Over(EndReason::MaxTurns));
    assert_eq!(core.ranking().winner(), None);
}

#[test]
fn a_win_in_the_last_turn_is_a_win() {
    let core = after(mountain(r#"{"max_turns":1}"#, &[&[10, 10, 10, 9], &[0; 4]]), "ADDDDD climb-9");
    assert_eq!(core.phase(), Phase::Over(EndReason::Goal));
}

#[test]
fn a_seat_that_leaves_takes_its_climbers_along_and_its_turn_ends() {
    let three: &[&[u8]] = &[&[5, 4, 0], &[3, 2, 0], &[9, 0, 0]];
    for steps in ["AADDDW", "AADDDW roll", "AAADDW roll AW"] {
        let mut core = after(mountain("{}", three), steps);
        core.leave(Seat::new(0));
        assert_eq!((core.to_move(), core.turns(), core.phase()), (Seat::new(1), 1, Phase::Dice), "{steps}");
        assert_eq!((core.danger(), core.ascents()), (6, 0));
        assert_eq!(zones(&core), [&[][..], &[3, 2, 0], &[9, 0, 0]]);
        assert_eq!(core.taken(), 1 << 3 | 1 << 9);
        // Turns skip it from now on.
        assert_eq!(after(core, "WDDDDD stop WDDDDD stop").to_move(), Seat::new(1));
    }
}

#[test]
fn a_seat_that_leaves_off_turn_disturbs_nothing_else() {
    let mut core = after(mountain("{}", &[&[5, 4, 0], &[3, 2, 0], &[9, 0, 0]]), "AADDDW");
    let before = core;
    core.leave(Seat::new(2));
    assert_eq!(core, Core { seats_in: SeatSet::first(2), climbers: core.climbers, taken: core.taken, ..before });
    assert_eq!(core.taken(), 1 << 5 | 1 << 4 | 1 << 3);
    assert_eq!(after(core, "climb-0 WDDDDD stop").to_move(), Seat::new(0));
}

#[test]
fn a_seat_that_leaves_before_its_first_throw_is_skipped_and_no_turn_counts() {
    let mut core = AltoRiesgo::new(&Options::default(), 4).unwrap().core;
    core.leave(Seat::new(0));
    core.leave(Seat::new(1));
    assert_eq!((core.to_move(), core.turns(), core.phase()), (Seat::new(2), 0, Phase::Dice));
}

#[test]
fn a_turn_cut_short_can_be_the_last_one() {
    let mut core = after(mountain(r#"{"max_turns":1}"#, &[&[10, 4, 0], &[3, 2, 0], &[9, 0, 0]]), "AADDDW");
    core.leave(Seat::new(0));
    assert_eq!(core.phase(), Phase::Over(EndReason::MaxTurns));
    assert_eq!(core.ranking().groups().collect::<Vec<_>>(), [2, 1].map(|seat| SeatSet::only(Seat::new(seat))));
}

#[test]
#[should_panic(expected = "leaves two others")]
fn the_last_but_one_seat_does_not_leave() {
    AltoRiesgo::new(&Options::default(), 2).unwrap().core.leave(Seat::new(0));
}

#[test]
#[should_panic(expected = "you have no climber on zone 3")]
fn an_illegal_move_that_nobody_checked_is_our_bug() {
    after(mountain("{}", &[&[2, 0, 0, 0], &[0; 4]]), "AADDDW climb-3");
}

/// The faces that a seat throws in a game in which seat 0 rolls on for as long as it can, or never.
fn dice_of_seat_1(greedy: bool) -> String {
    let mut streams = Streams::new(Hex32::from_text("streams"));
    let mut game = AltoRiesgo::new(&options(r#"{"track":"BBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"}"#), 2).unwrap();
    let mut thrown = String::new();
    while thrown.len() < 300 {
        let mut moves = Vec::new();
        match game.turn() {
            Turn::Chance => {
                let roll = game.draw(&mut streams);
                if game.core.to_move() == Seat::new(1) {
                    thrown += &roll.to_string();
                }
                game.apply(Step::Chance(roll));
            }
            Turn::Seat(seat) => {
                game.legal_moves(&mut moves);
                let roll_on = greedy && seat == Seat::new(0);
                let wanted = moves.iter().find(|&&mv| (mv == Move::Roll) == roll_on).or(moves.first());
                game.apply(Step::Move(*wanted.unwrap()));
            }
            Turn::Over(_) => panic!("the track is long"),
        }
    }
    thrown
}

#[test]
fn what_one_seat_rolls_does_not_change_the_dice_of_another() {
    let (patient, greedy) = (dice_of_seat_1(false), dice_of_seat_1(true));
    assert_eq!(patient[..300], greedy[..300]);
}

#[test]
fn dice_show_three_two_and_one_of_six() {
    // Chi-square with 2 degrees of freedom against 30 000, 20 000, 10 000 of 60 000; its 99.9 % point is 13.8.
    let mut streams = Streams::new(Hex32::from_text("dice"));
    let core = AltoRiesgo::new(&Options::default(), 2).unwrap();
    let mut counts = [0i64; 3];
    for _ in 0..10_000 {
        core.draw(&mut streams).faces().iter().for_each(|&face| counts[face as usize] += 1);
    }
    let expected = [30_000, 20_000, 10_000];
    let chi: i64 = counts.iter().zip(expected).map(|(count, due)| (count - due) * (count - due) * 10 / due).sum();
    assert!(chi < 138, "{counts:?}");
}

#[test]
fn a_draw_changes_nothing_and_reads_the_stream_of_the_seat_die_by_die() {
    let seed = Hex32::from_text("one throw");
    let core = after(mountain("{}", &[&[0; 4], &[0; 4]]), "WDDDDD stop");
    let roll = AltoRiesgo::from(core).draw(&mut Streams::new(seed));
    let mut streams = Streams::new(seed);
    let draws = streams.of(Purpose::Dice(Seat::new(1)));
    let letters: String = (0..6).map(|_| b"DDDAAW"[draws.below(6) as usize] as char).collect();
    assert_eq!(roll.to_string(), letters);
}
