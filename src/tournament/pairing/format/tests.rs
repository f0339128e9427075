use proptest::option;
use proptest::prelude::*;

use super::*;

fn read(table: &str) -> Result<Format, String> {
    toml::from_str(table).map_err(|error| error.message().to_owned())
}

fn kind(table: &str) -> Kind {
    read(table).unwrap().kind
}

#[test]
fn every_kind_is_read_with_what_is_usual() {
    assert_eq!(kind("kind = 'round-robin'"), Kind::RoundRobin { rounds: 1 });
    assert_eq!(kind("kind = 'round-robin'\nrounds = 2"), Kind::RoundRobin { rounds: 2 });
    assert_eq!(kind("kind = 'gauntlet'"), Kind::Gauntlet { rounds: 1, challengers: 1 });
    assert_eq!(kind("kind = 'gauntlet'\nchallengers = 3"), Kind::Gauntlet { rounds: 1, challengers: 3 });
    assert_eq!(kind("kind = 'swiss'\nrounds = 5"), Kind::Swiss { rounds: 5, sets: 1 });
    assert_eq!(kind("kind = 'pods'"), Kind::Pods { rounds: 1, design: None });
    let balanced = Kind::Pods { rounds: 1, design: Some(Design::Balanced) };
    assert_eq!(kind("kind = 'pods'\ndesign = 'balanced'"), balanced);
    let usual = Knockout { sets: 1, extra_sets: 2, third_place: false };
    assert_eq!(kind("kind = 'knockout'"), Kind::Knockout(usual));
    let own = Knockout { sets: 2, extra_sets: 0, third_place: true };
    assert_eq!(kind("kind = 'knockout'\nsets = 2\nextra_sets = 0\nthird_place = true"), Kind::Knockout(own));
    assert_eq!(kind("kind = 'match'\nsets = 100"), Kind::Match { sets: 100, sprt: None });
    let sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
    let table = "kind = 'match'\nsets = 100\n[sprt]\nelo0 = 0\nelo1 = 5";
    assert_eq!(kind(table), Kind::Match { sets: 100, sprt: Some(sprt) });
    let sprt = Sprt { alpha: 0.01, beta: 0.1, model: Model::Logistic, ..sprt };
    let table = format!("{table}\nalpha = 0.01\nbeta = 0.1\nmodel = 'logistic'");
    assert_eq!(kind(&table), Kind::Match { sets: 100, sprt: Some(sprt) });
    assert_eq!(read("kind = 'pods'").unwrap().orders, Orders::Turns);
    assert_eq!(read("kind = 'pods'\norders = 'all'").unwrap().orders, Orders::All);
}

#[test]
fn what_is_no_format_is_refused_in_words() {
    let sprt = |rest: &str| format!("kind = 'match'\nsets = 9\n{rest}");
    for (table, words) in [
        ("rounds = 1", "missing field `kind`"),
        (
            "kind = 'ladder'",
            "unknown variant `ladder`, expected one of `round-robin`, `gauntlet`, `swiss`, `knockout`, `pods`, `match`",
        ),
        (
            "kind = 'swiss'\nround = 1",
            "unknown field `round`, expected one of `kind`, `orders`, `rounds`, `challengers`, `sets`, `extra_sets`, \
             `third_place`, `design`, `sprt`",
        ),
        ("kind = 'swiss'\nchallengers = 1", "swiss has no `challengers`: it takes `rounds`, `sets` and `orders`"),
        ("kind = 'round-robin'\nsets = 2", "round-robin has no `sets`: it takes `rounds` and `orders`"),
        ("kind = 'swiss'", "swiss needs `rounds`: how many are played"),
        ("kind = 'match'", "match needs `sets`: how many are played at most"),
        ("kind = 'round-robin'\nrounds = 0", "`rounds` must be 1 or more"),
        ("kind = 'swiss'\nrounds = 0", "`rounds` must be 1 or more"),
        ("kind = 'gauntlet'\nchallengers = 0", "`challengers` must be 1 or more"),
        ("kind = 'knockout'\nsets = 0", "`sets` must be 1 or more"),
        ("kind = 'pods'\nrounds = -1", "invalid value: integer `-1`, expected u32"),
        ("kind = 'pods'\norders = 'both'", "unknown variant `both`, expected one of `one`, `turns`, `all`"),
        (&sprt("sprt = {}"), "missing field `elo0`"),
        (
            &sprt("sprt = { elo0 = 0, elo1 = 1, elo2 = 2 }"),
            "unknown field `elo2`, expected one of `elo0`, `elo1`, `alpha`, `beta`, `model`",
        ),
        (&sprt("sprt = { elo0 = 0, elo1 = inf }"), "`elo1` of the SPRT must be a finite number"),
        (&sprt("sprt = { elo0 = nan, elo1 = 1 }"), "`elo0` of the SPRT must be a finite number"),
        (&sprt("sprt = { elo0 = 5, elo1 = 0.5 }"), "`elo0` of the SPRT must be less than `elo1`: they are 5 and 0.5"),
        (
            &sprt("sprt = { elo0 = 0, elo1 = 5, alpha = 0.5 }"),
            "`alpha` of the SPRT must be above 0 and below 0.5: it is 0.5",
        ),
        (&sprt("sprt = { elo0 = 0, elo1 = 5, beta = 0 }"), "`beta` of the SPRT must be above 0 and below 0.5: it is 0"),
        (
            &sprt("orders = 'one'\nsprt = { elo0 = 0, elo1 = 5 }"),
            "an SPRT counts pairs of games with the seats turned: leave out `orders`, or make it \"turns\" or \"all\"",
        ),
    ] {
        assert_eq!(read(table).unwrap_err(), words, "{table}");
    }
}

fn formats() -> impl Strategy<Value = Format> {
    let some = || 1..1000u32;
    let design = option::of(prop_oneof![Just(Design::Complete), Just(Design::Balanced)]);
    let sprt = (-50..50i32, 1..50i32, 1..49u32).prop_map(|(elo0, more, alpha)| Sprt {
        elo0: f64::from(elo0) / 4.0,
        elo1: f64::from(elo0 + more) / 4.0,
        alpha: f64::from(alpha) / 100.0,
        beta: 0.05,
        model: if more % 2 == 0 { Model::Logistic } else { Model::Normalized },
    });
    let kind = prop_oneof![
        some().prop_map(|rounds| Kind::RoundRobin { rounds }),
        (some(), some()).prop_map(|(rounds, challengers)| Kind::Gauntlet { rounds, challengers }),
        (some(), some()).prop_map(|(rounds, sets)| Kind::Swiss { rounds, sets }),
        (some(), 0..9u32, any::<bool>()).prop_map(|(sets, extra_sets, third_place)| Kind::Knockout(Knockout {
            sets,
            extra_sets,
            third_place
        })),
        (some(), design).prop_map(|(rounds, design)| Kind::Pods { rounds, design }),
        (some(), option::of(sprt)).prop_map(|(sets, sprt)| Kind::Match { sets, sprt }),
    ];
    let orders = prop_oneof![Just(Orders::Turns), Just(Orders::All)];
    (kind, orders).prop_map(|(kind, orders)| Format { kind, orders })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(format in formats()) {
        let table = toml::to_string(&format).unwrap();
        prop_assert_eq!(read(&table).unwrap(), format);
    }
}

fn bots(places: &[u16]) -> BySeat<Entrant> {
    BySeat::collect(places.iter().map(|&place| Entrant(place)))
}

#[test]
fn one_order_turns_from_set_to_set() {
    let orders = |set| Orders::One.of_set(&bots(&[7, 8, 9]), set);
    assert_eq!(orders(0), [bots(&[7, 8, 9])]);
    assert_eq!(orders(1), [bots(&[9, 7, 8])]);
    assert_eq!(orders(2), [bots(&[8, 9, 7])]);
    assert_eq!(orders(3), orders(0));
}

#[test]
fn turns_put_every_bot_into_every_seat_once() {
    assert_eq!(Orders::Turns.of_set(&bots(&[4, 2]), 0), [bots(&[4, 2]), bots(&[2, 4])]);
    for seats in 2..=4 {
        let orders = Orders::Turns.of_set(&bots(&[5, 6, 7, 8][..seats]), 3);
        assert_eq!(orders.len() as u64, Orders::Turns.games(seats));
        for seat in 0..seats {
            let mut sat: Vec<u16> = orders.iter().map(|order| order.iter().as_slice()[seat].0).collect();
            sat.sort();
            assert_eq!(sat, [5, 6, 7, 8][..seats]);
        }
    }
}

#[test]
fn all_orders_are_all_of_them_and_begin_with_that_of_the_meeting() {
    for (seats, count) in [(2, 2), (3, 6), (4, 24)] {
        let meeting = bots(&[8, 6, 7, 5][..seats]);
        let orders = Orders::All.of_set(&meeting, 1);
        assert_eq!(orders[0], meeting);
        assert_eq!((orders.len(), Orders::All.games(seats)), (count, count as u64));
        for (place, order) in orders.iter().enumerate() {
            assert!(!orders[..place].contains(order));
            assert!(meeting.iter().all(|bot| order.iter().any(|sat| sat == bot)));
        }
    }
    assert_eq!(Orders::All.of_set(&bots(&[1, 2, 3]), 0)[1], bots(&[1, 3, 2]));
}
