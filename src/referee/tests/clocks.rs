//! Told is enforced: whatever the time control, what a bot is told in `turn` is the time until its flag.

use proptest::option::{of, weighted};
use proptest::prelude::*;

use super::plain_clock::PlainClock;
use super::simulation::{answer, setup};
use crate::clock::{ByoYomi, Moment, Span, TimeControl};
use crate::protocol::limits::Limits;
use crate::record::outcome::{GameResult, Reason};
use crate::record::verify::verify;
use crate::record::writer::Writer;
use crate::referee::{Effect, Event, Referee};
use crate::seat::Seat;

/// A game of two in which both move to and fro, on clocks that only a test moves.
struct Game {
    referee: Referee,
    effects: Vec<Effect>,
    now: Moment,
}

/// What a bot is told in `turn`, in nanoseconds.
#[derive(PartialEq, Eq, Debug)]
struct Told {
    for_move: Option<i128>,
    left: Vec<Option<i128>>,
    periods: Option<Vec<u32>>,
}

impl Game {
    fn new(control: &TimeControl, strikes: u32) -> Game {
        let mut setup = setup(2, "clocks");
        setup.options = r#"{"size":5,"walls":0,"max_plies":1000,"repetition":0}"#.to_owned();
        setup.clock = control.clone();
        setup.limits = Limits { strikes, ..Limits::default() };
        let mut effects = Vec::new();
        let referee = Referee::new(setup, 0, &mut effects).unwrap();
        let mut game = Game { referee, effects, now: Moment(0) };
        for seat in Seat::first(2) {
            game.event(Event::Sending { seat });
            game.event(Event::Bytes { seat, bytes: b"{\"type\":\"ready\"}\n" });
        }
        game
    }

    fn event(&mut self, event: Event) {
        self.referee.handle(self.now, event, &mut self.effects);
    }

    /// The seat that is asked, and what it is told.
    fn ask(&mut self) -> (Seat, Told) {
        let seat = Seat::first(2).find(|&seat| self.referee.is_asked(seat)).expect("the game goes on");
        let message = std::str::from_utf8(self.referee.message(seat)).unwrap();
        let told = Told::read(message.split_once(r#""clock":"#).unwrap().1);
        self.event(Event::Sending { seat });
        (seat, told)
    }

    fn wait(&mut self, span: i128) {
        self.now = self.now + Span(span.try_into().unwrap());
    }

    /// Moves to and fro on the seat's own edge of the board, or back to it, so that the game does not end.
    fn answer(&mut self, seat: Seat) {
        let home = if seat == Seat::new(0) { "1" } else { "5" };
        let legal = self.referee.table().legal();
        let token = legal.iter().find(|token| token.ends_with(home)).expect("the edge is near");
        let line = answer(self.referee.turn(), token);
        self.event(Event::Bytes { seat, bytes: line.as_bytes() });
    }

    fn result(&self) -> Option<(GameResult, Reason)> {
        self.referee.outcome().map(|outcome| (outcome.result, outcome.reason))
    }

    /// What the referee said of the last fault.
    fn words(&self) -> String {
        let text = self.log();
        let fault = text.lines().rfind(|line| line.starts_with("{\"fault\"")).expect("there is a fault");
        fault.split_once("\"words\":\"").unwrap().1.to_owned()
    }

    fn log(&self) -> String {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        let mut end = None;
        for effect in &self.effects {
            match effect {
                Effect::Log(entry) => writer.entry(entry).unwrap(),
                Effect::Done(done) => end = Some(done),
                _ => {}
            }
        }
        if let Some(end) = end {
            writer.end(end).unwrap();
        }
        String::from_utf8(bytes).unwrap()
    }
}

impl Told {
    /// Reads `{"move_ms":1.5,"left_ms":[2,null],"periods":[3,3]}}` without going through floating point.
    fn read(clock: &str) -> Told {
        let after = |key: &str| clock.split_once(&format!("\"{key}\":")).map(|(_, rest)| rest);
        let items = |key: &str| Some(after(key)?.strip_prefix('[')?.split_once(']')?.0.split(','));
        Told {
            for_move: nanos(after("move_ms").unwrap().split(',').next().unwrap()),
            left: items("left_ms").unwrap().map(nanos).collect(),
            periods: items("periods").map(|items| items.map(|item| item.parse().unwrap()).collect()),
        }
    }
}

/// Milliseconds with decimals as nanoseconds.
fn nanos(ms: &str) -> Option<i128> {
    if ms == "null" {
        return None;
    }
    let (whole, decimals) = ms.split_once('.').unwrap_or((ms, ""));
    assert!(decimals.len() <= 6);
    Some(format!("{whole}{decimals:0<6}").parse().unwrap())
}

fn control(text: &str, change: impl FnOnce(&mut TimeControl)) -> TimeControl {
    let mut control = TimeControl::default();
    control.set_clock(text).unwrap();
    change(&mut control);
    control
}

const LOST: Option<(GameResult, Reason)> = Some((GameResult::Decided, Reason::Faults));
const VOID: Option<(GameResult, Reason)> = Some((GameResult::Void, Reason::RefereeLate));

/// Any control under which the first move can be made, its numbers small enough to be used up, and often round, so that
/// edges fall together.
fn any_control() -> impl Strategy<Value = TimeControl> {
    let ms = |most: u64| prop_oneof![Just(0), 1..=most, (1..=4u64).prop_map(|n| n * 500)].prop_map(Span::from_ms);
    let some = |most: u64| ms(most).prop_map(|span| span.max(Span::from_ms(1)));
    let byo_yomi = (1..=4u32, some(3000)).prop_map(|(periods, period)| ByoYomi { periods, period });
    let move_limit = some(6000);
    let parts = (weighted(0.85, ms(9000)), ms(1500), ms(1500), of(byo_yomi), weighted(0.3, move_limit), ms(150));
    let control = parts.prop_map(|(bank, increment, delay, byo_yomi, move_limit, margin)| TimeControl {
        bank,
        increment: if bank.is_some() { increment } else { Span::ZERO },
        delay: if bank.is_some() { delay } else { Span::ZERO },
        byo_yomi: byo_yomi.filter(|_| bank.is_some()),
        move_limit,
        startup: None,
        margin,
    });
    control
        .prop_filter("the first move has time", |control| PlainClock::new(control).told().is_none_or(|told| told > 0))
}

/// How long a move takes: some part of what is allowed, or exactly at an edge, a nanosecond before or after.
#[derive(Clone, Debug)]
enum Think {
    Part(u32),
    Edge(prop::sample::Index, i128),
    Most,
}

impl Think {
    fn any() -> impl Strategy<Value = Think> {
        let edge = (any::<prop::sample::Index>(), -1..=1i128).prop_map(|(edge, by)| Think::Edge(edge, by));
        prop_oneof![2 => (0..=1000u32).prop_map(Think::Part), 4 => edge, 1 => Just(Think::Most)]
    }

    /// The time in nanoseconds, which is in time.
    fn time(&self, clock: &PlainClock) -> i128 {
        let most = clock.most().unwrap_or(100_000_000_000);
        let edges = clock.edges();
        match self {
            Think::Part(part) => most * i128::from(*part) / 1000,
            Think::Edge(edge, by) => (edges[edge.index(edges.len())] + by).clamp(0, most),
            Think::Most => most,
        }
    }
}

/// Plays these moves, both seats by turns, and compares all that is told with plain clocks. The game as it stands when
/// the last question was sent, whom it asks, and how long an answer may take.
fn play(control: &TimeControl, thinking: &[Think]) -> (Game, Seat, Option<i128>) {
    let mut game = Game::new(control, 0);
    let mut clocks = [PlainClock::new(control), PlainClock::new(control)];
    let mut granted = [0; 2];
    for (number, think) in thinking.iter().enumerate() {
        let (seat, told) = game.ask();
        assert_eq!(told, expected(&clocks, seat), "move {number} under {control:?}");
        let clock = &mut clocks[seat.index()];
        let used = think.time(clock);
        clock.answer(used);
        game.wait(used);
        game.answer(seat);
        assert_eq!(game.result(), None, "{used} ns for move {number} were told to be in time under {control:?}");
        granted[seat.index()] += used;
        let moves = number as i128 / 2 + 1;
        assert!(most_granted(control, moves).is_none_or(|most| granted[seat.index()] <= most), "{control:?}");
    }
    let (seat, told) = game.ask();
    assert_eq!(told, expected(&clocks, seat), "the last move under {control:?}");
    (game, seat, clocks[seat.index()].most())
}

fn expected(clocks: &[PlainClock; 2], seat: Seat) -> Told {
    Told {
        for_move: clocks[seat.index()].told(),
        left: clocks.iter().map(|clock| clock.bank).collect(),
        periods: clocks.iter().map(|clock| clock.periods).collect(),
    }
}

/// All the time that a seat can ever get for so many moves: the bank, the increments between them, a delay and a whole
/// period for each, the other periods once, and the margin once.
fn most_granted(control: &TimeControl, moves: i128) -> Option<i128> {
    let ns = |span: Span| i128::from(span.0);
    let byo_yomi = control.byo_yomi.map_or(0, |all| ns(all.period) * (moves + i128::from(all.periods) - 1));
    let each = ns(control.delay) * moves + ns(control.increment) * (moves - 1);
    Some(ns(control.bank?) + each + byo_yomi + ns(control.margin))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn what_is_told_is_what_is_enforced(
        control in any_control(),
        thinking in prop::collection::vec(Think::any(), 0..24),
    ) {
        let (mut in_time, seat, most) = play(&control, &thinking);
        let plies = in_time.referee.plies();
        let Some(most) = most else {
            prop_assert_eq!(in_time.referee.deadline(), None);
            return Ok(());
        };
        // At the deadline it counts.
        in_time.wait(most);
        in_time.answer(seat);
        prop_assert_eq!((in_time.result(), in_time.referee.plies()), (None, plies + 1));
        in_time.event(Event::Stop);
        let log = in_time.log();
        prop_assert!(verify(log.as_bytes()).is_ok(), "{:?}", verify(log.as_bytes()));

        // A nanosecond later it does not: nobody can say when it came, as the referee comes late itself.
        let (mut after, seat, _) = play(&control, &thinking);
        after.wait(most + 1);
        after.answer(seat);
        prop_assert_eq!((after.result(), after.referee.plies()), (VOID, plies));

        // And where the referee saw at once that there was none, it is a timeout.
        let (mut late, seat, _) = play(&control, &thinking);
        late.wait(most + 1);
        late.event(Event::Tick);
        late.wait(1);
        late.answer(seat);
        prop_assert_eq!((late.result(), late.referee.plies()), (LOST, plies));
        let log = late.log();
        prop_assert!(verify(log.as_bytes()).is_ok(), "{:?}", verify(log.as_bytes()));
    }
}

#[test]
fn a_seat_goes_on_after_a_strike_in_byo_yomi() {
    let control = control("0s/2x1s", |_| {});
    let mut game = Game::new(&control, 2);
    let (seat, told) = game.ask();
    assert_eq!(told.for_move, Some(2_000_000_000));
    // Silence until the flag, which the referee sees at once.
    for span in [2_000_000_001, 1] {
        game.wait(span);
        game.event(Event::Tick);
    }
    assert_eq!((game.result(), game.referee.plies()), (None, 1), "a move was drawn for it");
    game.ask();
    game.answer(Seat::new(1));
    let (again, told) = game.ask();
    assert_eq!((again, told.for_move), (seat, Some(2_000_000_000)), "a second, and the last period");
    assert_eq!((told.left, told.periods), (vec![Some(1_000_000_000), Some(0)], Some(vec![1, 2])));
    game.wait(2_000_000_000);
    game.answer(seat);
    assert_eq!((game.result(), game.referee.plies()), (None, 3), "and goes on");
    game.event(Event::Stop);
    verify(game.log().as_bytes()).unwrap_or_else(|finding| panic!("{finding}"));
}

#[test]
fn the_words_of_a_timeout_say_what_was_over() {
    let limited = |control: &mut TimeControl| control.move_limit = Some(Span::from_secs(2));
    for (control, over) in [
        (control("1s", |_| {}), "the bank was used up"),
        (control("1s/d1s", |_| {}), "the bank was used up"),
        (control("1s", limited), "the bank was used up"),
        (control("5s", limited), "the move limit of 2s was over"),
        (control("unlimited", limited), "the move limit of 2s was over"),
        (control("0s/3x500ms", limited), "the last byo-yomi period of 500ms was over"),
        (control("0s/5x500ms", limited), "the move limit of 2s was over"),
    ] {
        let (silent, _, most) = &mut play(&control, &[]);
        silent.wait(most.unwrap() + 1);
        silent.event(Event::Tick);
        silent.wait(1);
        silent.event(Event::Tick);
        let words = silent.words();
        assert!(words.starts_with("no answer to turn 1 after "), "{words}");
        assert!(words.contains(&format!(" ms, and {over}: no complete line came")), "{words}");
        let (late, seat, most) = &mut play(&control, &[]);
        late.wait(most.unwrap() + 1);
        late.event(Event::Tick);
        late.wait(1);
        late.answer(*seat);
        let words = late.words();
        assert!(words.contains(&format!(" ms after the question, when {over}\"")), "{words}");
    }
}

#[test]
fn a_forged_clock_is_found() {
    let control = control("2s/d500ms/3x1s", |control| control.margin = Span::from_ms(20));
    let mut game = Game::new(&control, 0);
    // Seat 0: within the delay, a nanosecond into byo-yomi, beyond the end of a period, and into the margin.
    for used in [499_999_999, 500_000_000, 2_500_000_001, 400_000_000, 1_600_000_000, 0, 2_510_000_000] {
        let (seat, _) = game.ask();
        game.wait(used);
        game.answer(seat);
    }
    game.event(Event::Stop);
    let log = game.log();
    verify(log.as_bytes()).unwrap_or_else(|finding| panic!("{finding}"));
    let words = |from: &str, to: &str| {
        assert!(log.contains(from), "{from} is not in\n{log}");
        verify(log.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
    };
    for (from, to, finds) in [
        ("\"delay_ms\":500", "\"delay_ms\":499", "the time left in ns should be"),
        ("\"delay_ms\":500,", "", "the time left in ns should be"),
        ("\"period_ms\":1000", "\"period_ms\":1200", "the byo-yomi periods left should be 3, and the log says 2"),
        ("\"period_ms\":1000", "\"period_ms\":0", "the byo-yomi periods left should be 1, and the log says 3"),
        ("\"periods\":3,\"period_ms\"", "\"periods\":4,\"period_ms\"", "the byo-yomi periods left should be 4"),
        ("\"byo_yomi\":{\"periods\":3,\"period_ms\":1000},", "", "the byo-yomi periods left should be none"),
        ("\"left\":2000000000,\"periods\":3", "\"left\":2000000000", "the byo-yomi periods left should be 3"),
        ("\"left\":0,\"periods\":2", "\"left\":0,\"periods\":3", "the byo-yomi periods left should be 2"),
        ("\"left\":0,\"periods\":1", "\"left\":0,\"periods\":0", "the byo-yomi periods left should be 1"),
        ("\"left\":0,\"periods\":1", "\"left\":1,\"periods\":1", "the time left in ns should be 0"),
        (",\"overrun\":10000000", "", "the overrun in ns should be 10000000"),
        ("\"margin_ms\":20", "\"margin_ms\":9", "more than the clock allowed"),
    ] {
        let words = words(from, to);
        assert!(words.contains(finds), "{from} → {to}: {words}");
    }
}
