//! Options, the bag, the placement, and the chance in them.

use std::collections::BTreeMap;

use super::*;

#[test]
fn the_bag_fills_the_centre_and_its_last_disc_starts() {
    for (bag, starter) in [("RRBRBBRBRBBR", Colour::Red), ("BRRBRBRBRRBB", Colour::Black)] {
        let mut game = open(&Options::default());
        assert_eq!(game.turn(), Turn::Chance);
        game.apply(Step::Chance(Chance::Bag(bag.parse().unwrap())));
        assert_eq!(game.view().discs.as_str(), format!("...{}...", &bag[..11]));
        assert_eq!(game.turn(), Turn::Seat(starter.seat()));
        assert_eq!(tokens(&game), ["b2", "d2", "f2", "b6", "d6", "f6"]);
        assert_eq!(game.view().in_hand, [3, 3]);
    }
}

#[test]
fn seats_place_their_discs_in_turn_and_the_starter_moves_first() {
    let mut game = open(&Options::default());
    game.apply(Step::Chance(Chance::Bag("RRBRBBRBRBRB".parse().unwrap())));
    for (place, discs) in [("d6", "....B."), ("b2", "R...B."), ("f6", "R...BB"), ("d2", "RR..BB"), ("b6", "RR.BBB")] {
        play(&mut game, place);
        let view = game.view();
        assert_eq!(format!("{}{}", &view.discs[..3], &view.discs[14..]), discs);
        assert_eq!(view.ply, 0);
    }
    assert_eq!((game.view().in_hand, tokens(&game)), ([1, 0], vec![String::from("f2")]));
    play(&mut game, "f2");
    assert_eq!(game.view().discs.as_str(), "RRRRRBRBBRBRBRBBB");
    assert_eq!(game.turn(), Turn::Seat(Colour::Black.seat()));
    assert_eq!((game.phase, game.plies, game.history.occurrences()), (Phase::Moving, 0, 1));
}

#[test]
fn chance_may_place_instead() {
    let mut game = open(&Options { placement: Placement::Chance, ..Options::default() });
    game.apply(Step::Chance(Chance::Bag("RRBRBBRBRBRB".parse().unwrap())));
    assert_eq!(game.turn(), Turn::Chance);
    game.apply(Step::Chance(Chance::Outer("RBRBRB".parse().unwrap())));
    assert_eq!(game.view().discs.as_str(), "RBRRRBRBBRBRBRBRB");
    assert_eq!(game.turn(), Turn::Seat(Colour::Black.seat()));
}

#[test]
fn a_layout_is_the_position_after_the_set_up() {
    let mut drawn = open(&Options { placement: Placement::Chance, ..Options::default() });
    drawn.apply(Step::Chance(Chance::Bag("RRBRBBRBRBRB".parse().unwrap())));
    drawn.apply(Step::Chance(Chance::Outer("RBRBRB".parse().unwrap())));
    // The placement that nobody makes does not matter.
    for placement in [Placement::Seats, Placement::Chance] {
        let given = open(&Options { placement, ..layout("RBRRRBRBBRBRBRBRB", Colour::Black) });
        assert_eq!(given.position(), drawn.position());
        assert_eq!(given.view(), drawn.view());
    }
}

#[test]
fn impossible_options_are_refused_with_field_and_reason() {
    let red = |letters: &str| layout(letters, Colour::Red);
    let none = Options::default;
    for (options, seats, message) in [
        (none(), 1, "seats: 1 cannot play: the game is for 2"),
        (none(), 4, "seats: 4 cannot play: the game is for 2"),
        (Options { legs: 0, ..none() }, 2, "legs: 0 cannot be played: 1, or 2 with the rematch"),
        (Options { legs: 3, ..none() }, 2, "legs: 3 cannot be played: 1, or 2 with the rematch"),
        (Options { max_plies: 0, ..none() }, 2, "max_plies: 0 is not from 1 to 100000"),
        (Options { max_plies: 100_001, ..none() }, 2, "max_plies: 100001 is not from 1 to 100000"),
        (
            Options { repetition: 1, ..none() },
            2,
            "repetition: 1 would draw every game before the first move: 0 for never, or 2 and more occurrences",
        ),
        (
            Options { starter: Some(Colour::Red), ..none() },
            2,
            "starter: without a layout the last disc of the bag decides who starts",
        ),
        (Options { starter: None, ..red("") }, 2, "starter: a layout needs the colour that starts, R or B"),
        (red("RBRBRBRBRBRBRBBR"), 2, "layout: expected 17 letters, one for each disc, found 16"),
        (red("RBRBRBRBéBRBRBBRB"), 2, "layout: expected R for a red and B for a black disc, found 'é'"),
        (red("RBRBRBRB.BRBRBBRB"), 2, "layout: expected R for a red and B for a black disc, found '.'"),
        (
            red("RBRBRBRBRBRBRRBRB"),
            2,
            "layout: 9 red discs, where 8 are needed: 8 of the starter's colour and 9 of the other",
        ),
        (
            layout("RBRBRBRBRBRBRBBRB", Colour::Black),
            2,
            "layout: 9 black discs, where 8 are needed: 8 of the starter's colour and 9 of the other",
        ),
        (
            red("RBBBRBRBRBRBRRBRB"),
            2,
            "layout: 2 red discs in the outer holes b2 d2 f2 b6 d6 f6, where each colour has three",
        ),
        (
            red("RRRBRBRBRBRBBBBRB"),
            2,
            "layout: 4 red discs in the outer holes b2 d2 f2 b6 d6 f6, where each colour has three",
        ),
    ] {
        assert_eq!(Passage::new(&options, seats).unwrap_err().to_string(), message);
    }
}

#[test]
fn options_in_force_are_complete_and_unknown_ones_are_refused() {
    let json = serde_json::to_string(&open(&Options::default()).options()).unwrap();
    assert_eq!(
        json,
        r#"{"layout":null,"starter":null,"placement":"seats","legs":1,"bridge_on_neutral":true,"stuck":"pass","adjudicate":"draw","max_plies":300,"repetition":3}"#
    );
    let text = r#"{"layout":"RBRBRBRBRBRBRBBRB","starter":"R","placement":"chance","legs":2,"bridge_on_neutral":false,"stuck":"loss","adjudicate":"progress","max_plies":100,"repetition":0}"#;
    let options: Options = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&open(&options).options()).unwrap(), text);
    for bad in
        [r#"{"leg":1}"#, r#"{"stuck":"lose"}"#, r#"{"starter":"red"}"#, r#"{"legs":-1}"#, r#"{"placement":true}"#]
    {
        assert!(serde_json::from_str::<Options>(bad).is_err(), "{bad}");
    }
}

/// Draws `draws` outcomes from one stream and says how often each came.
fn tally(game: &Passage, draws: u32) -> BTreeMap<String, i64> {
    let mut luck = Streams::new(Seed::from_text("tally"));
    let mut counts = BTreeMap::new();
    for _ in 0..draws {
        let outcome = serde_json::to_string(&game.draw(&mut luck)).unwrap();
        *counts.entry(outcome).or_insert(0) += 1;
    }
    counts
}

fn chi_square(counts: &BTreeMap<String, i64>, expected: i64) -> i64 {
    counts.values().map(|count| (count - expected) * (count - expected)).sum::<i64>() / expected
}

#[test]
fn every_bag_and_every_outer_row_is_equally_likely() {
    // The bounds are the 99.9 % points of chi-square with 923 and with 19 degrees of freedom.
    let mut game = open(&Options { placement: Placement::Chance, ..Options::default() });
    let bags = tally(&game, 924 * 20);
    assert_eq!(bags.len(), 924);
    assert!(chi_square(&bags, 20) < 1062, "{}", chi_square(&bags, 20));
    step(&mut game, &mut Streams::new(Seed::from_text("one bag")));
    let rows = tally(&game, 20 * 500);
    assert_eq!(rows.len(), 20);
    assert!(chi_square(&rows, 500) < 44, "{}", chi_square(&rows, 500));
}

#[test]
fn only_the_set_up_stream_is_drawn_from() {
    let [mut plain, mut busy] = [(); 2].map(|()| Streams::new(Seed::from_text("streams")));
    let others = Colour::BOTH.map(Colour::seat).map(|seat| [Purpose::Dice(seat), Purpose::Strike(seat)]);
    for purpose in others.into_iter().flatten().chain([Purpose::Deck, Purpose::Opening]) {
        (0..7).for_each(|_| assert!(busy.of(purpose).below(6) < 6));
    }
    let mut game = open(&Options { placement: Placement::Chance, ..Options::default() });
    while game.turn() == Turn::Chance {
        let outcome = game.draw(&mut plain);
        assert_eq!(outcome, game.draw(&mut busy));
        game.apply(Step::Chance(outcome));
    }
    let next = |luck: &mut Streams| luck.of(Purpose::Deck).below(1 << 31);
    assert_eq!(next(&mut plain), next(&mut Streams::new(Seed::from_text("streams"))));
}

#[test]
fn the_draws_of_a_seed_never_change() {
    let mut luck = Streams::new(Seed::from_text("42"));
    let mut game = open(&Options { placement: Placement::Chance, ..Options::default() });
    let mut outcomes = Vec::new();
    while game.turn() == Turn::Chance {
        let outcome = game.draw(&mut luck);
        outcomes.push(serde_json::to_string(&outcome).unwrap());
        game.apply(Step::Chance(outcome));
    }
    assert_eq!(outcomes, [r#"{"bag":"BBRRRRBRBBRB"}"#, r#"{"outer":"BRRBBR"}"#]);
}
