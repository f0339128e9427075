//! The edges of every part of a clock, to the nanosecond; and its text.

use proptest::prelude::*;

use super::*;

const NANO: Span = Span(1);

fn control(text: &str) -> TimeControl {
    let mut control = TimeControl::default();
    control.set_clock(text).unwrap_or_else(|error| panic!("{error}"));
    control
}

/// A clock after answers that took so long, each of which must be in time.
fn after(control: &TimeControl, times: &[Span]) -> Clock {
    let mut clock = Clock::new(control);
    for &used in times {
        assert!(used <= most(&clock, control), "{used} is in time");
        clock.charge(control, used);
    }
    clock
}

/// The longest that an answer can take and be in time.
fn most(clock: &Clock, control: &TimeControl) -> Span {
    clock.deadline(control, Moment(7)).expect("time is limited").since(Moment(7))
}

fn left(clock: &Clock) -> (Span, u32) {
    (clock.bank().expect("there is a bank"), clock.periods().expect("there is byo-yomi"))
}

#[test]
fn times_are_read_as_people_write_them() {
    for (text, ms) in [("500ms", 500), ("10s", 10_000), ("1m30s", 90_000), ("0s", 0), ("1m 30s", 90_000)] {
        assert_eq!(text.parse::<Span>(), Ok(Span::from_ms(ms)), "{text}");
    }
    for text in ["", "fast", "10", "-1s", "1us", "99999999h", "1s2"] {
        assert!(text.parse::<Span>().is_err(), "{text}");
    }
}

#[test]
fn controls_are_read_and_written() {
    let fischer = control("1m+500ms");
    assert_eq!((fischer.bank, fischer.increment), (Some(Span::from_secs(60)), Span::from_ms(500)));
    assert_eq!((fischer.delay, fischer.byo_yomi), (Span::ZERO, None));
    assert_eq!(control("5s").increment, Span::ZERO);
    let all = control("10m+5s/d2s/3x30s");
    let byo_yomi = ByoYomi { periods: 3, period: Span::from_secs(30) };
    assert_eq!((all.bank, all.increment), (Some(Span::from_secs(600)), Span::from_secs(5)));
    assert_eq!((all.delay, all.byo_yomi), (Span::from_secs(2), Some(byo_yomi)));
    assert_eq!(control("10m+5s / 3x30s / d2s"), all, "in either order, with blanks");
    let free = control("unlimited").guarded();
    assert_eq!((free.bank, free.move_limit), (None, Some(WATCHDOG)));
    let mut again = all.clone();
    again.set_clock("60s").unwrap();
    assert_eq!(again, control("60s"), "nothing is left of an earlier clock");
}

#[test]
fn a_text_that_is_no_control_is_told_why() {
    for (text, words) in [
        ("60", "is not a time control"),
        ("", "is not a time control"),
        ("+1s", "is not a time control"),
        ("unlimited+1s", "is not a time control"),
        ("unlimited/3x30s", "is not a time control"),
        ("/3x30s", "is not a time control"),
        ("60s+x", "“x” is not a time"),
        ("60s/", "“” is neither a delay nor byo-yomi"),
        ("60s/2s", "“2s” is neither a delay nor byo-yomi"),
        ("60s/d", "“d” is neither a delay nor byo-yomi"),
        ("60s/x30s", "“x30s” is neither a delay nor byo-yomi"),
        ("60s/+3x30s", "“+3x30s” is neither a delay nor byo-yomi"),
        ("60s/3x", "“3x” is neither a delay nor byo-yomi"),
        ("60s/d-1s", "“-1s” cannot be used: a time is at least 0"),
        ("60s/3x1us", "“1us” cannot be used: a time is at least 0"),
        ("60s/0x30s", "1 to 1000 periods"),
        ("60s/1001x30s", "1 to 1000 periods"),
        ("60s/99999999999x30s", "1 to 1000 periods"),
        ("60s/3x0s", "each longer than 0s"),
        ("60s/d1s/d2s", "“d2s” is one too many"),
        ("60s/1x1s/d1s/1x1s", "“1x1s” is one too many"),
        ("0s", "leaves no time for the first move"),
        ("0s+1s/d0s", "leaves no time for the first move"),
    ] {
        let mut control = TimeControl::default();
        let error = control.set_clock(text).expect_err(text).to_string();
        assert!(error.contains(words), "{text}: {error}");
        assert_eq!(control, TimeControl::default(), "{text}: nothing was changed");
    }
    for text in ["0s/1x1ms", "0s/d1ms", "1ms", "0s+1s/1000x8784h"] {
        control(text);
    }
}

#[test]
fn a_part_that_a_control_lacks_is_not_in_its_json_and_need_not_be() {
    let (fischer, all) = (control("1m+500ms"), control("1m/d2s/3x30s"));
    let text = |control: &TimeControl| serde_json::to_string(control).unwrap();
    let rest = r#""move_limit_ms":null,"startup_ms":10000,"margin_ms":0}"#;
    assert_eq!(text(&fischer), format!(r#"{{"bank_ms":60000,"increment_ms":500,{rest}"#));
    let parts = r#""delay_ms":2000,"byo_yomi":{"periods":3,"period_ms":30000}"#;
    assert_eq!(text(&all), format!(r#"{{"bank_ms":60000,"increment_ms":0,{parts},{rest}"#));
    for control in [fischer, all] {
        assert_eq!(serde_json::from_str::<TimeControl>(&text(&control)).unwrap(), control);
    }
}

#[test]
fn a_time_in_json_is_that_time_or_refused() {
    let json = |ms: u64| {
        format!(r#"{{"bank_ms":{ms},"increment_ms":0,"move_limit_ms":null,"startup_ms":null,"margin_ms":{ms}}}"#)
    };
    let most = u64::MAX / 1_000_000;
    let control: TimeControl = serde_json::from_str(&json(most)).unwrap();
    assert_eq!(serde_json::to_string(&control).unwrap(), json(most));
    for ms in [most + 1, u64::MAX] {
        assert!(serde_json::from_str::<TimeControl>(&json(ms)).is_err(), "{ms}");
    }
}

#[test]
fn milliseconds_keep_every_nanosecond() {
    for (nanos, text) in
        [(0, "0"), (1, "0.000001"), (1_500_000, "1.5"), (59_999_999_999, "59999.999999"), (2_000_000, "2")]
    {
        assert_eq!(Span(nanos).ms().to_string(), text);
    }
}

#[test]
fn an_answer_at_the_deadline_is_in_time_and_leaves_nothing_but_the_increment() {
    let control = control("10s+1s");
    let mut clock = Clock::new(&control);
    let sent = Moment(7);
    let deadline = clock.deadline(&control, sent).unwrap();
    assert_eq!(deadline, Moment(10_000_000_007));
    assert_eq!(clock.charge(&control, deadline.since(sent)).overrun, Span::ZERO);
    assert_eq!(clock.bank(), Some(Span::from_secs(1)));
}

#[test]
fn the_move_limit_bounds_a_move_and_the_bank_pays_for_it() {
    let control = TimeControl { move_limit: Some(Span::from_secs(2)), ..control("10s") };
    let mut clock = Clock::new(&control);
    assert_eq!(clock.allowance(&control), Some(Span::from_secs(2)));
    clock.charge(&control, Span::from_ms(9_500));
    assert_eq!(clock.allowance(&control), Some(Span::from_ms(500)));
}

#[test]
fn the_delay_is_free_and_what_is_not_needed_of_it_is_lost() {
    let control = control("10s/d2s");
    let (bank, delay) = (Span::from_secs(10), Span::from_secs(2));
    assert_eq!(Clock::new(&control).allowance(&control), Some(Span::from_secs(12)));
    for (used, rest) in [
        (Span::ZERO, bank),
        (delay - NANO, bank),
        (delay, bank),
        (delay + NANO, bank - NANO),
        (delay + bank - NANO, NANO),
        (delay + bank, Span::ZERO),
    ] {
        assert_eq!(after(&control, &[used]).bank(), Some(rest), "after {used}");
    }
    let spent = after(&control, &[delay + bank, delay, delay, delay]);
    assert_eq!(most(&spent, &control), delay, "with an empty bank there is the delay for each move");
}

#[test]
fn a_period_is_used_up_a_nanosecond_after_its_end_and_not_before() {
    let control = control("10s/3x1s");
    let (bank, period) = (Span::from_secs(10), Span::from_secs(1));
    for (used, rest) in [
        (bank - NANO, (NANO, 3)),
        (bank, (Span::ZERO, 3)),
        (bank + NANO, (Span::ZERO, 3)),
        (bank + period, (Span::ZERO, 3)),
        (bank + period + NANO, (Span::ZERO, 2)),
        (bank + period * 2, (Span::ZERO, 2)),
        (bank + period * 2 + NANO, (Span::ZERO, 1)),
        (bank + period * 3, (Span::ZERO, 1)),
    ] {
        assert_eq!(left(&after(&control, &[used])), rest, "after {used}");
    }
    assert_eq!(most(&Clock::new(&control), &control), bank + period * 3);
    let last = after(&control, &[bank + period * 3, period, period]);
    assert_eq!((left(&last), most(&last, &control)), ((Span::ZERO, 1), period), "the last is there for each move");
    let second = after(&control, &[bank, period + NANO, period]);
    assert_eq!((left(&second), most(&second, &control)), ((Span::ZERO, 2), period * 2));
}

#[test]
fn the_delay_comes_before_the_period_too() {
    let control = control("0s/d2s/2x1s");
    let (delay, period) = (Span::from_secs(2), Span::from_secs(1));
    assert_eq!(most(&Clock::new(&control), &control), delay + period * 2);
    assert_eq!(left(&after(&control, &[delay + period, delay + period])), (Span::ZERO, 2));
    assert_eq!(left(&after(&control, &[delay + period + NANO])), (Span::ZERO, 1));
}

#[test]
fn the_increment_goes_into_the_bank_in_byo_yomi_too() {
    let control = control("0s+2s/2x1s");
    let (increment, period) = (Span::from_secs(2), Span::from_secs(1));
    let once = after(&control, &[period]);
    assert_eq!((left(&once), most(&once, &control)), ((increment, 2), increment + period * 2));
    assert_eq!(left(&after(&control, &[period, increment + period])), (increment, 2));
    assert_eq!(left(&after(&control, &[period, increment + period + NANO])), (increment, 1));
    assert_eq!(left(&after(&control, &[period, increment - NANO])), (increment + NANO, 2));
}

#[test]
fn the_move_limit_bounds_delay_bank_and_periods_together() {
    let all = control("1s/d1s/2x1s");
    for (ms, flag) in
        [(1, Flag::MoveLimit), (3999, Flag::MoveLimit), (4000, Flag::LastPeriod), (9000, Flag::LastPeriod)]
    {
        let limited = TimeControl { move_limit: Some(Span::from_ms(ms)), ..all.clone() };
        let clock = Clock::new(&limited);
        assert_eq!(most(&clock, &limited), Span::from_ms(ms.min(4000)));
        assert_eq!(clock.flag(&limited), Some(flag), "{ms} ms");
    }
    let unlimited = control("unlimited");
    assert_eq!(Clock::new(&unlimited).flag(&unlimited), None);
    assert_eq!(Clock::new(&control("1s")).flag(&control("1s")), Some(Flag::Bank));
}

#[test]
fn an_overrun_inside_the_margin_is_owed_from_the_next_increment() {
    let control = TimeControl { margin: Span::from_ms(50), ..control("1s+100ms") };
    let mut clock = Clock::new(&control);
    assert_eq!(clock.charge(&control, Span::from_ms(1_030)).overrun, Span::from_ms(30));
    assert_eq!(clock.bank(), Some(Span::from_ms(70)));
}

#[test]
fn a_margin_is_no_free_time_for_an_empty_bank() {
    let control = TimeControl { margin: Span::from_ms(50), ..control("1s") };
    let mut clock = Clock::new(&control);
    clock.charge(&control, Span::from_ms(1_000));
    let mut free = Span::ZERO;
    for _ in 0..10 {
        let used = most(&clock, &control).min(Span::from_ms(20));
        clock.charge(&control, used);
        free = free + used;
    }
    assert_eq!(free, control.margin);
}

#[test]
fn a_margin_is_no_free_time_in_byo_yomi() {
    let control = TimeControl { margin: Span::from_ms(50), ..control("0s/d10ms/2x1s") };
    let (once, twice) = (Span::from_ms(1_010), Span::from_ms(2_010));
    let mut clock = Clock::new(&control);
    assert_eq!(most(&clock, &control), twice + control.margin);
    assert_eq!(clock.charge(&control, once + NANO).overrun, Span::ZERO, "the next period pays for it, not the margin");
    let mut over = Span::ZERO;
    for _ in 0..10 {
        assert_eq!((clock.allowance(&control), clock.periods()), (Some(once), Some(1)));
        let used = most(&clock, &control).min(once + Span::from_ms(20));
        over = over + clock.charge(&control, used).overrun;
    }
    assert_eq!(over, control.margin, "all overruns together");
    assert_eq!(most(&clock, &control), once, "and then the period is all there is");
}

#[test]
fn what_is_owed_in_byo_yomi_is_paid_by_the_increment() {
    let control = TimeControl { margin: Span::from_ms(50), ..control("0s+20ms/1x1s") };
    let mut clock = after(&control, &[Span::from_ms(1_050)]);
    assert_eq!((left(&clock), most(&clock, &control)), ((Span::ZERO, 1), Span::from_ms(1_020)), "30 ms are owed");
    clock.charge(&control, Span::ZERO);
    assert_eq!((left(&clock), most(&clock, &control)), ((Span::ZERO, 1), Span::from_ms(1_040)));
    clock.charge(&control, Span::ZERO);
    assert_eq!((left(&clock), most(&clock, &control)), ((Span::from_ms(10), 1), Span::from_ms(1_060)));
}

#[test]
fn after_a_tolerated_fault_there_is_time_to_go_on() {
    let mut clock = Clock::new(&control("10s"));
    clock.charge_strike(&control("10s"), Span::from_secs(99));
    assert_eq!(clock.bank(), Some(Span::from_secs(1)));
    let slow = control("10s+3s");
    let mut clock = Clock::new(&slow);
    clock.charge_strike(&slow, Span::from_secs(99));
    assert_eq!(clock.bank(), Some(Span::from_secs(3)));
}

#[test]
fn a_tolerated_fault_leaves_the_last_period() {
    let control = TimeControl { margin: Span::from_ms(50), ..control("10s/5x1s") };
    for (secs, periods) in [(3, 5), (11, 5), (12, 4), (15, 1), (16, 1), (99, 1)] {
        let mut clock = Clock::new(&control);
        clock.charge_strike(&control, Span::from_secs(secs));
        assert_eq!(clock.periods(), Some(periods), "after {secs} s");
        let bank = Span::from_secs(10 - secs.min(9));
        assert_eq!(most(&clock, &control), bank + Span::from_secs(periods.into()) + control.margin, "nothing is owed");
    }
}

fn any_control() -> impl Strategy<Value = TimeControl> {
    let span = || prop_oneof![Just(0), 0..100u64, any::<u64>(), Just(u64::MAX)].prop_map(Span);
    let periods = prop_oneof![0..5u32, any::<u32>(), Just(u32::MAX)];
    let byo_yomi = (periods, span()).prop_map(|(periods, period)| ByoYomi { periods, period });
    let option = proptest::option::of::<BoxedStrategy<Span>>;
    let parts =
        (option(span().boxed()), span(), span(), proptest::option::of(byo_yomi), option(span().boxed()), span());
    parts.prop_map(|(bank, increment, delay, byo_yomi, move_limit, margin)| TimeControl {
        bank,
        increment,
        delay,
        byo_yomi,
        move_limit,
        startup: None,
        margin,
    })
}

proptest! {
    /// Also numbers that no text gives, but a forged log may.
    #[test]
    fn no_number_is_too_big_or_too_small(
        control in any_control(),
        times in prop::collection::vec(any::<u64>(), 1..20),
    ) {
        let mut clock = Clock::new(&control);
        for (number, used) in times.into_iter().enumerate() {
            let sent = Moment(used.rotate_left(17));
            let periods = clock.periods();
            prop_assert!(clock.deadline(&control, sent).is_none_or(|deadline| deadline >= sent));
            prop_assert_eq!(clock.allowance(&control).is_some(), clock.flag(&control).is_some());
            if number % 3 == 0 {
                clock.charge_strike(&control, Span(used));
            } else {
                clock.charge(&control, Span(used));
            }
            prop_assert!(clock.periods() <= periods, "no period comes back");
            prop_assert!(clock.periods() > Some(0) || periods.is_none_or(|periods| periods == 0), "the last one stays");
            prop_assert_eq!(clock.bank().is_some(), control.bank.is_some());
        }
    }
}
