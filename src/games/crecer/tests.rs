//! The rules, one test for each sentence of them that could go wrong. `facts` compares with numbers computed
//! elsewhere, and `naive` with a second, plain program of the same rules.

mod facts;
mod naive;

use super::*;
use crate::chance::{Hex32, Purpose, Streams};
use crate::game::{Notation, Token};
use crate::games::conformance;

const SEAT_0: Seat = Seat::new(0);
const SEAT_1: Seat = Seat::new(1);

/// A position from words such as `a1:3`: the stacks of each seat, and the hands. Seat 0 is to move.
fn position(stacks: [&str; 2], hand: [u8; 2], rules: Rules) -> Core {
    position_of(SEAT_0, stacks, hand, rules)
}

fn position_of(to_move: Seat, stacks: [&str; 2], hand: [u8; 2], rules: Rules) -> Core {
    let mut core = Core::bare(rules, hand, to_move);
    for (seat, words) in Seat::first(2).zip(stacks) {
        for word in words.split_whitespace() {
            let (square, height) = word.split_once(':').unwrap();
            core.put(seat, square.parse().unwrap(), height.parse().unwrap());
        }
    }
    core
}

fn game_at(core: Core, max_plies: u32, repetition: u32) -> Crecer {
    Crecer { core, ply: 0, max_plies, history: History::new(repetition, &core), end: None }
}

fn play(game: &mut Crecer, tokens: &str) {
    for token in tokens.split_whitespace() {
        game.apply(Step::Move(token.parse().unwrap()));
    }
}

/// The game at this position after these moves; its default limits are out of the way.
fn after(core: Core, tokens: &str) -> Crecer {
    let mut game = game_at(core, MOST_PLIES, 0);
    play(&mut game, tokens);
    game
}

/// The stacks of a seat, as in [`position`].
fn stacks(core: &Core, seat: Seat) -> String {
    let words: Vec<_> = core.stacks(seat).into_iter().map(|at| format!("{at}:{}", core.height(at))).collect();
    words.join(" ")
}

fn tokens(core: &Core) -> Vec<Token> {
    core.legal().into_iter().map(Move::token).collect()
}

fn refusal(core: &Core, token: &str) -> Illegal {
    let mv: Move = token.parse().unwrap();
    assert!(!core.legal().contains(&mv), "{token}");
    core.check(mv).unwrap_err()
}

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

#[test]
fn the_promises_of_a_game_are_kept_with_all_options() {
    let options = |json: &str| serde_json::from_str::<Options>(json).unwrap();
    conformance::check::<Crecer>(&Options::default(), 2, 3, 200);
    for (json, plies) in [
        (r#"{"max_height":1,"max_plies":60}"#, 60),
        (r#"{"max_height":12,"max_plies":300}"#, 300),
        (r#"{"attack_up":false,"mutual":"mover_wins"}"#, 200),
        (r#"{"backward":false,"mutual":"mover_loses","repetition":0}"#, 200),
        (r#"{"repetition":2,"max_plies":100000}"#, 2000),
        (r#"{"max_plies":1}"#, 1),
    ] {
        conformance::check::<Crecer>(&options(json), 2, 2, plies);
    }
}

#[test]
fn the_start_is_two_full_ranks_and_a_full_hand_for_each_seat() {
    let core = Core::start(Rules::default());
    assert_eq!(stacks(&core, SEAT_0), "a1:1 b1:1 c1:1 d1:1 e1:1 f1:1 a2:1 b2:1 c2:1 d2:1 e2:1 f2:1");
    assert_eq!(stacks(&core, SEAT_1), "a5:1 b5:1 c5:1 d5:1 e5:1 f5:1 a6:1 b6:1 c6:1 d6:1 e6:1 f6:1");
    assert_eq!([core.hand(SEAT_0), core.hand(SEAT_1)], [12, 12]);
    assert_eq!(core.to_move(), SEAT_0);
}

#[test]
fn a_whole_stack_moves_to_any_empty_square_next_to_it() {
    let core = position(["c3:3 c4:2 a1:1", "b2:1"], [0, 0], Rules::default());
    let from_c3: Vec<_> = core.steps_from(square("c3")).into_iter().map(Square::name).collect();
    assert_eq!(from_c3, ["c2", "d2", "b3", "d3", "b4", "d4"]);
    let game = after(core, "c3-d2");
    assert_eq!(stacks(game.core(), SEAT_0), "a1:1 d2:3 c4:2");
    assert_eq!(game.turn(), Turn::Seat(SEAT_1));
}

#[test]
fn no_step_leads_around_an_edge() {
    for at in ["a1", "f1", "a3", "f3", "a6", "f6"] {
        let core = position([&format!("{at}:2 c3:1"), "d5:1"], [0, 0], Rules::default());
        let at = square(at);
        assert!(core.steps_from(at).into_iter().all(|to| to.file().abs_diff(at.file()) <= 1), "{at}");
        assert_eq!(core.count_legal() as usize, core.legal().len());
    }
}

#[test]
fn a_stack_grows_from_the_hand_up_to_the_greatest_height() {
    let core = position(["a1:3 b1:4 c1:1", "a6:1"], [2, 5], Rules::default());
    assert!(!tokens(&core).contains(&Token::from("+b1").unwrap()));
    let game = after(core, "+a1");
    assert_eq!(stacks(game.core(), SEAT_0), "a1:4 b1:4 c1:1");
    assert_eq!([game.core().hand(SEAT_0), game.core().hand(SEAT_1)], [1, 5]);

    let tall = position(["a1:11 c1:1", "a6:1"], [1, 0], Rules { max_height: 12, ..Rules::default() });
    assert_eq!(stacks(after(tall, "+a1").core(), SEAT_0), "a1:12 c1:1");
    let flat = Core::start(Rules { max_height: 1, ..Rules::default() });
    assert!(flat.growable().is_empty());
}

#[test]
fn equal_stacks_both_leave_the_game() {
    let game = after(position(["c3:2 a1:1", "d4:2 a6:1"], [3, 4], Rules::default()), "c3xd4");
    assert_eq!([stacks(game.core(), SEAT_0), stacks(game.core(), SEAT_1)], ["a1:1", "a6:1"]);
    assert_eq!([game.core().hand(SEAT_0), game.core().hand(SEAT_1)], [3, 4], "nothing comes back to a hand");
}

#[test]
fn a_taller_attacker_takes_the_square_and_keeps_its_height() {
    let game = after(position(["c3:3 a1:1", "d4:2 a6:1"], [0, 0], Rules::default()), "c3xd4");
    assert_eq!([stacks(game.core(), SEAT_0), stacks(game.core(), SEAT_1)], ["a1:1 d4:3", "a6:1"]);
}

#[test]
fn a_lower_attacker_is_given_up_and_the_defender_takes_its_square() {
    let core = position(["c3:2 a1:1", "d4:3 a6:1"], [0, 0], Rules::default());
    let game = after(core, "c3xd4");
    assert_eq!([stacks(game.core(), SEAT_0), stacks(game.core(), SEAT_1)], ["a1:1", "c3:3 a6:1"]);
}

#[test]
fn tall_stacks_win_nothing_on_the_far_rank() {
    let core = position(["c5:2 a1:1", "a6:1 f6:3"], [1, 1], Rules::default());
    assert_eq!(after(core, "c5-c6").end(), None);
}

#[test]
fn a_single_piece_on_the_far_rank_wins() {
    let game = after(position(["c5:1", "f6:1 f3:2"], [0, 0], Rules::default()), "c5-d6");
    assert_eq!(game.ending(), Some(Ending { winner: Some(SEAT_0), reason: EndReason::Goal }));
    assert_eq!(game.turn(), Turn::Over(Ranking::won_by(SEAT_0, SeatSet::first(2))));
    let game = after(position(["f5:2 f4:1", "c2:1"], [0, 0], Rules::default()), "f5-f6 c2-b1");
    assert_eq!(game.ending(), Some(Ending { winner: Some(SEAT_1), reason: EndReason::Goal }));
}

#[test]
fn a_seat_without_a_single_piece_has_lost_even_by_its_own_growth() {
    let fought = after(position(["c3:2 a1:1", "d4:1 e5:3"], [0, 0], Rules::default()), "c3xd4");
    assert_eq!(fought.ending(), Some(Ending { winner: Some(SEAT_0), reason: EndReason::NoPieces }));
    let grown = after(position(["c3:2 a1:1", "d4:1 e5:3"], [1, 0], Rules::default()), "+a1");
    assert_eq!(grown.ending(), Some(Ending { winner: Some(SEAT_1), reason: EndReason::NoPieces }));
    let given_up = after(position(["c3:1", "d4:2 e6:1"], [0, 0], Rules::default()), "c3xd4");
    assert_eq!(given_up.ending(), Some(Ending { winner: Some(SEAT_1), reason: EndReason::NoPieces }));
}

#[test]
fn when_both_seats_lose_their_last_single_piece_the_option_decides() {
    for (mutual, winner) in
        [(Mutual::Draw, None), (Mutual::MoverWins, Some(SEAT_0)), (Mutual::MoverLoses, Some(SEAT_1))]
    {
        let rules = Rules { mutual, ..Rules::default() };
        let game = after(position(["c3:1 a1:2", "d4:1 a6:2"], [0, 0], rules), "c3xd4");
        assert_eq!(game.ending(), Some(Ending { winner, reason: EndReason::NoPieces }), "{mutual:?}");
    }
}

#[test]
fn a_seat_that_can_do_nothing_passes_and_only_then() {
    let core = position(["a1:1", "a2:4 b1:4 b2:3 f6:1"], [0, 0], Rules::default());
    assert_eq!(tokens(&core).as_slice(), ["pass"].map(|token| Token::from(token).unwrap()));
    assert_eq!(core.count_legal(), 1);
    let game = after(core, "pass");
    assert_eq!((game.end(), game.ply()), (None, 1));
    assert!(game.core().passed());
    let game = after(core, "pass b2-c3 a1-b2");
    assert!(!game.core().passed());
}

/// Neither seat can do anything: all stacks went as far as they go, and moves back are off.
fn everybody_stuck(to_move: Seat) -> Core {
    let full =
        |tall: char, low: char| ('a'..='f').map(|file| format!("{file}{tall}:3 {file}{low}:1 ")).collect::<String>();
    let rules = Rules { backward: false, ..Rules::default() };
    position_of(to_move, [&full('6', '5'), &full('1', '2')], [0, 0], rules)
}

#[test]
fn two_passes_in_succession_are_a_draw() {
    let mut game = game_at(everybody_stuck(SEAT_0), 200, 3);
    play(&mut game, "pass");
    assert_eq!(game.turn(), Turn::Seat(SEAT_1));
    play(&mut game, "pass");
    assert_eq!(game.ending(), Some(Ending { winner: None, reason: EndReason::Passes }));
    assert_eq!(game.turn(), Turn::Over(Ranking::draw(SeatSet::first(2))));
    let mut capped = game_at(everybody_stuck(SEAT_0), 2, 3);
    play(&mut capped, "pass pass");
    assert_eq!(capped.end(), Some(EndReason::Passes), "the game's own ending is judged first");
}

#[test]
fn a_pass_before_is_part_of_the_position_only_where_another_may_follow() {
    let bytes = |core: &Core| {
        let mut out = Vec::new();
        core.encode(&mut out);
        out
    };
    let stuck = [after(everybody_stuck(SEAT_0), "pass").core, everybody_stuck(SEAT_1)];
    assert_ne!(bytes(&stuck[0]), bytes(&stuck[1]));
    let cornered = |to_move| position_of(to_move, ["a1:1", "a2:4 b1:4 b2:3 f6:1"], [0, 0], Rules::default());
    let free = [after(cornered(SEAT_0), "pass").core, cornered(SEAT_1)];
    assert_eq!(bytes(&free[0]), bytes(&free[1]));
    assert_ne!(free[0], free[1]);
}

#[test]
fn the_same_position_for_the_nth_time_is_a_draw() {
    let round = "a2-a3 a5-a4 a3-a2 a4-a5 ";
    let mut game = Crecer::new(&Options::default(), 2).unwrap();
    play(&mut game, round);
    assert_eq!((game.end(), game.view().occurrences), (None, 2));
    play(&mut game, round);
    assert_eq!(game.ending(), Some(Ending { winner: None, reason: EndReason::Repetition }));

    // The same squares with a piece less in a hand are another position.
    let mut game = Crecer::new(&Options { repetition: 2, ..Options::default() }, 2).unwrap();
    play(&mut game, "a2-a3 +a5 a3-a2");
    assert_eq!((game.end(), game.view().occurrences), (None, 1));

    let mut game = Crecer::new(&Options { repetition: 0, ..Options::default() }, 2).unwrap();
    play(&mut game, &round.repeat(49));
    assert_eq!((game.end(), game.view().occurrences), (None, 0));
    play(&mut game, round);
    assert_eq!((game.end(), game.ply()), (Some(EndReason::MaxPlies), 200));
}

#[test]
fn what_would_be_a_draw_once_more_is_known_before() {
    let spent = |repetition, tokens: &str| {
        let mut game = Crecer::new(&Options { repetition, ..Options::default() }, 2).unwrap();
        play(&mut game, tokens);
        game.spent()
    };
    let start = Core::start(Rules::default());
    let step = after(start, "a2-a3").core;
    assert_eq!(spent(2, "a2-a3"), [start, step]);
    assert_eq!(spent(3, "a2-a3 a5-a4 a3-a2"), []);
    assert_eq!(spent(3, "a2-a3 a5-a4 a3-a2 a4-a5 a2-a3"), [start, step]);
    assert_eq!(spent(3, "a2-a3 a5-a4 a3-a2 a4-a5 +a1"), []);
    assert_eq!(spent(0, "a2-a3 a5-a4 a3-a2 a4-a5"), []);
}

#[test]
fn a_position_reached_by_a_pass_and_by_a_move_is_the_same() {
    let rules = Rules { backward: false, ..Rules::default() };
    let mut game = game_at(position(["a1:1", "a3:4 b2:4 b3:4 f5:1"], [0, 0], rules), 200, 2);
    play(&mut game, "a1-a2 f5-e5 pass e5-f5");
    assert_eq!(game.end(), None);
    play(&mut game, "pass");
    assert_eq!(game.end(), Some(EndReason::Repetition));
}

#[test]
fn endings_are_judged_in_their_order() {
    let mut both = Crecer::new(&Options { repetition: 2, max_plies: 4, ..Options::default() }, 2).unwrap();
    play(&mut both, "a2-a3 a5-a4 a3-a2 a4-a5");
    assert_eq!(both.end(), Some(EndReason::Repetition));
    let mut goal = game_at(position(["c5:1", "f6:1"], [0, 0], Rules::default()), 1, 2);
    play(&mut goal, "c5-c6");
    assert_eq!(goal.end(), Some(EndReason::Goal));
}

#[test]
fn moves_back_can_be_forbidden() {
    let rules = Rules { backward: false, ..Rules::default() };
    let core = position(["c3:1 a1:1", "b2:1 f6:1"], [1, 0], rules);
    let listed: Vec<_> = tokens(&core).into_iter().filter(|token| token.contains("c3")).collect();
    assert_eq!(
        listed.iter().map(Token::as_str).collect::<Vec<_>>(),
        ["c3-b3", "c3-d3", "c3-b4", "c3-c4", "c3-d4", "+c3", "c3xb2"]
    );
    let seat_1 = after(core, "a1-a2");
    let listed: Vec<_> = tokens(seat_1.core());
    assert_eq!(
        listed.iter().map(Token::as_str).collect::<Vec<_>>(),
        ["b2-a1", "b2-b1", "b2-c1", "b2-c2", "f6-e5", "f6-f5", "f6-e6", "b2xa2", "b2xc3"]
    );
}

#[test]
fn every_broken_rule_has_its_own_reason() {
    let core = position(["c3:1 c4:3 b3:4 a1:2", "d4:3 d3:2 a2:3 f6:1 b4:3"], [1, 0], Rules::default());
    let (c3, c4, d4) = (square("c3"), square("c4"), square("d4"));
    assert_eq!(refusal(&core, "e3-e4"), Illegal::NothingThere { square: square("e3") });
    assert_eq!(refusal(&core, "+e3"), Illegal::NothingThere { square: square("e3") });
    assert_eq!(refusal(&core, "e3xd4"), Illegal::NothingThere { square: square("e3") });
    assert_eq!(refusal(&core, "d4-e4"), Illegal::NotYours { square: d4 });
    assert_eq!(refusal(&core, "+d4"), Illegal::NotYours { square: d4 });
    assert_eq!(refusal(&core, "d4xc3"), Illegal::NotYours { square: d4 });
    assert_eq!(refusal(&core, "c3-c5"), Illegal::NotNextTo { from: c3, to: square("c5") });
    assert_eq!(refusal(&core, "c3-c3"), Illegal::NotNextTo { from: c3, to: c3 });
    assert_eq!(refusal(&core, "c4xf6"), Illegal::NotNextTo { from: c4, to: square("f6") });
    assert_eq!(refusal(&core, "c3-c4"), Illegal::OwnInTheWay { to: c4 });
    assert_eq!(refusal(&core, "c3-d4"), Illegal::RivalInTheWay { from: c3, to: d4 });
    assert_eq!(refusal(&core, "+b3"), Illegal::FullGrown { square: square("b3"), height: 4 });
    assert_eq!(refusal(&core, "c3xc2"), Illegal::NothingToAttack { from: c3, to: square("c2") });
    assert_eq!(refusal(&core, "c3xc4"), Illegal::AttackOnOwn { to: c4 });
    assert_eq!(refusal(&core, "c3xd4"), Illegal::UnequalFight { from: c3, own: 1, to: d4, theirs: 3 });
    assert_eq!(refusal(&core, "pass"), Illegal::PassWithMoves { mv: core.legal()[0] });

    let strict = Rules { attack_up: false, backward: false, ..Rules::default() };
    let core = position(["c3:1 b3:4", "d3:2 f6:1"], [0, 0], strict);
    assert_eq!(refusal(&core, "c3-c2"), Illegal::Backward { from: c3, to: square("c2") });
    assert_eq!(refusal(&core, "+c3"), Illegal::HandEmpty);
    assert_eq!(refusal(&core, "c3xd3"), Illegal::AttackUp { from: c3, own: 1, to: square("d3"), theirs: 2 });
    assert_eq!(
        refusal(&core, "c3xd3").to_string(),
        "d3 has height 2 and c3 only 1: attacks on a taller stack are off (option `attack_up`)"
    );

    let over = after(position(["c5:1", "f6:1"], [0, 0], Rules::default()), "c5-c6");
    assert_eq!(over.check("f6-f5".parse().unwrap()), Err(Illegal::GameOver));
    assert_eq!(over.count_legal(), 0);
    assert_eq!(over.view().turn, None);
}

#[test]
#[should_panic(expected = "was not checked")]
fn an_unchecked_illegal_move_is_our_bug() {
    play(&mut Crecer::new(&Options::default(), 2).unwrap(), "a1-a2");
}

#[test]
#[should_panic(expected = "cannot leave")]
fn nobody_leaves_a_game_of_two() {
    Crecer::new(&Options::default(), 2).unwrap().apply(Step::Leave(SEAT_0));
}

#[test]
fn moves_read_back_as_written_and_nothing_else_is_read() {
    let squares = || Square::all();
    let pairs = || squares().flat_map(move |from| squares().map(move |to| (from, to)));
    let steps = pairs().map(|(from, to)| Move::Step { from, to });
    let attacks = pairs().map(|(from, to)| Move::Attack { from, to });
    for mv in steps.chain(attacks).chain(squares().map(Move::Grow)).chain([Move::Pass]) {
        assert_eq!(mv.token().parse(), Ok(mv));
    }
    for bad in ["", "pas", "PASS", "a2", "a2b3", "a2-", "-a2", "+", "é-a2", "aé-b3", "a2–b3", "a2-b3-c4 ", "a2 -b3"]
    {
        assert!(bad.parse::<Move>().is_err(), "{bad:?}");
    }
    for bad in ["+a7", "+g1", "+a", "+a2 ", "A2-b3", "a0-a1", "a2-b33", "a2xg3", "++"] {
        assert_eq!(bad.parse::<Move>(), Err(NoSuchMove::Square(NoSuchSquare)), "{bad:?}");
    }
}

#[test]
fn impossible_options_are_refused_with_their_field() {
    let refused = |options: &str, seats| {
        let options: Options = serde_json::from_str(options).unwrap();
        Crecer::new(&options, seats).unwrap_err().to_string()
    };
    assert_eq!(refused(r#"{"max_height":0}"#, 2), "max_height: 0 is not a height from 1 to 12");
    assert_eq!(refused(r#"{"max_height":13}"#, 2), "max_height: 13 is not a height from 1 to 12");
    assert_eq!(refused(r#"{"max_plies":0}"#, 2), "max_plies: 0 is not a number of plies from 1 to 100000");
    assert_eq!(refused(r#"{"max_plies":100001}"#, 2), "max_plies: 100001 is not a number of plies from 1 to 100000");
    assert!(refused(r#"{"repetition":1}"#, 2).starts_with("repetition: 1 would end every game"));
    assert_eq!(refused("{}", 3), "seats: crecer is played by 2, not by 3");
    for bad in [r#"{"height":4}"#, r#"{"mutual":"win"}"#, r#"{"max_height":-1}"#, r#"{"attack_up":1}"#] {
        assert!(serde_json::from_str::<Options>(bad).is_err(), "{bad}");
    }
}

#[test]
fn options_come_back_filled_in() {
    let given =
        r#"{"max_height":7,"attack_up":false,"mutual":"mover_loses","backward":false,"max_plies":99,"repetition":5}"#;
    let options: Options = serde_json::from_str(given).unwrap();
    assert_eq!(serde_json::to_string(&Crecer::new(&options, 2).unwrap().options()).unwrap(), given);
    assert_eq!(
        serde_json::to_string(&Crecer::new(&Options::default(), 2).unwrap().options()).unwrap(),
        r#"{"max_height":4,"attack_up":true,"mutual":"draw","backward":true,"max_plies":200,"repetition":3}"#
    );
}

#[test]
fn the_rules_in_words_show_the_state_as_it_is_and_every_option_with_its_default() {
    let mut game = Crecer::new(&Options::default(), 2).unwrap();
    play(&mut game, "a2-a3 +f5");
    let state = serde_json::to_string(&game.view()).unwrap();
    assert!(Crecer::RULES.contains(&state), "{state}");
    let options = serde_json::to_value(Options::default()).unwrap();
    for (name, default) in options.as_object().unwrap() {
        assert!(Crecer::RULES.contains(&format!("| `{name}` | `{default}` |")), "{name} = {default}");
    }
}

#[test]
fn a_state_is_read_back_to_the_position_if_it_is_sound() {
    let game = after(position(["c3:3 a1:1", "d4:2 a6:1"], [1, 12], Rules::default()), "c3-c4");
    let state = serde_json::to_string(&game.view()).unwrap();
    let core = |state: &str| serde_json::from_str::<View>(state).unwrap().core(Rules::default());
    assert_eq!(core(&state), Some(*game.core()));
    for (sound, unsound) in [
        (r#""turn":1"#, r#""turn":null"#),
        (r#""turn":1"#, r#""turn":2"#),
        (r#""hand":[1,12]"#, r#""hand":[1,13]"#),
        (r#""d4":2"#, r#""c4":2"#),
        (r#""d4":2"#, r#""d4":5"#),
        (r#""a6":1"#, r#""a6":2"#),
        (r#""d4":2"#, r#""b6":4,"c6":4,"d6":4"#),
    ] {
        assert!(state.contains(sound), "{sound}");
        assert_eq!(core(&state.replace(sound, unsound)), None, "{unsound}");
    }
    for unreadable in [r#""d4":0"#, r#""d4":13"#, r#""d7":2"#, r#""d4":2,"d4":2"#] {
        assert!(serde_json::from_str::<View>(&state.replace(r#""d4":2"#, unreadable)).is_err(), "{unreadable}");
    }
}

#[test]
fn search_is_told_how_far_it_is_to_the_goal() {
    let open = position(["b2:1 c4:1 d5:2", "e3:1"], [0, 0], Rules::default());
    assert_eq!([open.steps_to_goal(SEAT_0), open.steps_to_goal(SEAT_1)], [Some(2), Some(2)]);
    assert_eq!(square("e3").ranks_to_go(SEAT_0), 3);
    assert_eq!(square("e3").ranks_to_go(SEAT_1), 2);
    assert_eq!([open.pieces(SEAT_0), open.pieces(SEAT_1)], [4, 1]);

    // The way round leads back to rank 4: d4, e5, f6.
    let wall = ["c5:1", "a6:2 b6:2 c6:2 d6:2 e6:2 b5:1 d5:2 e5:2 f4:2 e4:2"];
    assert_eq!(position(wall, [0, 0], Rules::default()).steps_to_goal(SEAT_0), None);
    let way_round = ["c5:1", "a6:2 b6:2 c6:2 d6:2 e6:1 b5:1 d5:2"];
    assert_eq!(position(way_round, [0, 0], Rules::default()).steps_to_goal(SEAT_0), Some(3));
    let forward_only = Rules { backward: false, ..Rules::default() };
    assert_eq!(position(way_round, [0, 0], forward_only).steps_to_goal(SEAT_0), None);
    // The same seen from the other side.
    let way_round = ["a1:2 b1:2 c1:2 d1:2 e1:1 b2:1 d2:2", "c2:1"];
    assert_eq!(position(way_round, [0, 0], Rules::default()).steps_to_goal(SEAT_1), Some(3));
    assert_eq!(position(way_round, [0, 0], forward_only).steps_to_goal(SEAT_1), None);
    assert_eq!(position(["c3:1", "d4:1"], [0, 0], forward_only).steps_to_goal(SEAT_1), Some(3));
    assert_eq!(position(["b1:2", "e6:1"], [0, 0], Rules::default()).steps_to_goal(SEAT_0), None);
}

#[test]
fn the_board_shows_heights_hands_and_who_is_to_move() {
    let game = game_at(position(["a1:1 c3:12", "f6:1 d4:2"], [3, 11], Rules::default()), 200, 0);
    let drawn = |unicode, colour| {
        let mut out = String::new();
        game.board(&mut out, BoardStyle { unicode, colour }).unwrap();
        out
    };
    let ascii = "   +-----+-----+-----+-----+-----+-----+
 6 |     |     |     |     |     | v1  |
   +-----+-----+-----+-----+-----+-----+
 5 |     |     |     |     |     |     |
   +-----+-----+-----+-----+-----+-----+
 4 |     |     |     | v2  |     |     |
   +-----+-----+-----+-----+-----+-----+
 3 |     |     | ^12 |     |     |     |
   +-----+-----+-----+-----+-----+-----+
 2 |     |     |     |     |     |     |
   +-----+-----+-----+-----+-----+-----+
 1 | ^1  |     |     |     |     |     |
   +-----+-----+-----+-----+-----+-----+
      a     b     c     d     e     f
   v seat 1: hand 11, stacks 2 (1 of height 1)
   ^ seat 0: hand 3, stacks 2 (1 of height 1), to move
";
    assert_eq!(drawn(false, false), ascii);
    assert!(drawn(false, true).is_ascii());
    let boxes = drawn(true, false);
    assert!(boxes.contains("│ ▲12 │") && boxes.contains("┼") && !boxes.contains('\x1b'));
    let mut plain = drawn(true, true);
    while let Some(start) = plain.find('\x1b') {
        let end = start + plain[start..].find('m').unwrap();
        plain.replace_range(start..=end, "");
    }
    assert_eq!(plain, boxes, "colours change nothing else");
}
