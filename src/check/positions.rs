//! What happens in games: openings, strikes, seats that leave, chance, forced moves, other options, early ends.

use super::bench::Bench;
use super::deal::{Deal, Setting, neighbours};
use super::verdict::{Checked, Halt, Verdict, bad, good, untried};
use super::{Check, Weight, check};
use crate::seat::Seat;
use crate::table::{GameName, Table};

/// How many random games are looked through for a forced move, and how far, in each game.
const PLAYOUTS: usize = 4;
const MOST_PLIES: usize = 80;

/// The checks of this part.
pub static CHECKS: [Check; 10] = [
    check(
        Weight::Must,
        "seats",
        "plays from every seat",
        "sits it in each seat of each game that it plays",
        "Take your seat from “seat” in hello, and do not presume that it is the first.",
        seats,
    ),
    check(
        Weight::Must,
        "options",
        "plays with other options, or ends at hello",
        "changes each option of each game that it plays, one at a time",
        "Read “options” from hello, sizes and counts above all. If it cannot play with them, let it end before ready.",
        options,
    ),
    check(
        Weight::Must,
        "opening",
        "plays on after an opening",
        "asks it first after 8 moves that it did not choose, marked “by”:“opening”",
        "Take all “events” in, your own moves among them, or choose from “state”.",
        opening,
    ),
    check(
        Weight::Must,
        "strike",
        "plays on after a move that the referee drew for it",
        "plays another move than it answered, marked “by”:“strike”",
        "Believe “events” and “state”: after a late or illegal answer the referee may have played for you.",
        strike,
    ),
    check(
        Weight::Must,
        "leave",
        "plays on when a seat leaves",
        "takes a rival out of a game of three or four",
        "Take in {\"leave\":seat}: the game goes on without that seat.",
        leave,
    ),
    check(
        Weight::Must,
        "chance",
        "plays on after chance steps",
        "plays where dice or cards are drawn, which events tell as {\"chance\":…}",
        "Take in or pass over {\"chance\":…} in “events”: it has no “seat” and no “move”.",
        chance,
    ),
    check(
        Weight::Must,
        "forced-move",
        "answers when only one move is legal",
        "asks it in a position with a single legal move, which may be pass",
        "Answer also if there is nothing to choose.",
        forced_move,
    ),
    check(
        Weight::Must,
        "over-at-once",
        "takes over before its first turn",
        "says over right after ready, as when the rival did not start",
        "Expect over at any time after ready; there may have been no turn.",
        over_at_once,
    ),
    check(
        Weight::Must,
        "over-void",
        "takes over without ranks",
        "ends a game as void, with “ranks”:null",
        "Look at “result” before “ranks”: of a game that counts for nobody there are none.",
        over_void,
    ),
    check(
        Weight::Should,
        "repeatable",
        "plays the same game again with the same seed",
        "plays the beginning of a game twice with the same bot_seed and the same rivals",
        "Draw from bot_seed alone, and from neither time nor process; then a game can be played again to find a bug.",
        repeatable,
    ),
];

fn seats(bench: &mut Bench) -> Checked {
    let mut count = 0;
    for (game, seats) in bench.taken_on() {
        for seat in Seat::first(seats) {
            let setting = Setting { seat, ..bench.setting(game, seats) };
            at(&format!("{game} with {seats} seats, seat {seat}"), || bench.sit(setting)?.play(2))?;
            count += 1;
        }
    }
    good(format!("{count} seats"))
}

fn options(bench: &mut Bench) -> Checked {
    let (mut count, mut declined) = (0, 0);
    let mut games: Vec<(GameName, usize)> = bench.taken_on().collect();
    games.dedup_by_key(|(game, _)| *game);
    for (game, seats) in games {
        for options in neighbours(game, seats) {
            let setting = Setting { options: options.clone(), ..bench.setting(game, seats) };
            count += 1;
            if bench.declines(&setting)? {
                declined += 1;
                continue;
            }
            at(&format!("{game} with {options}"), || bench.sit(setting)?.play(2))?;
        }
    }
    let others = if declined > 0 { format!(", and {declined} declined") } else { String::new() };
    good(format!("{} other settings{others}", count - declined))
}

fn opening(bench: &mut Bench) -> Checked {
    plays_from(bench, bench.home(), |deal| deal.open(8, |_| false)).map(|_| Verdict::Good("8 moves".to_owned()))
}

/// Lets a game begin with something that happens, and plays on.
fn plays_from<T>(bench: &Bench, setting: Setting, happens: impl FnOnce(&mut Deal) -> T) -> Result<T, Halt> {
    let mut game = bench.sit(setting)?;
    let happened = happens(&mut game.deal);
    let answers = game.play(3)?;
    if answers.is_empty() { Err(untried("the game was over before it could be asked")) } else { Ok(happened) }
}

fn strike(bench: &mut Bench) -> Checked {
    let mut game = bench.sit(bench.home())?;
    game.ask()?;
    let answer = game.ask_only()?;
    game.deal.strike(answer.token.as_deref().unwrap_or_default());
    game.play(2)?;
    good("")
}

fn leave(bench: &mut Bench) -> Checked {
    let large = bench.taken_on().find(|&(_, seats)| seats > 2);
    let (game, seats) = large.ok_or_else(|| untried("it plays no game of three or four"))?;
    let mut game = bench.sit(bench.setting(game, seats))?;
    for _ in 0..8 {
        game.ask()?;
        if game.deal.leave() {
            game.ask()?;
            return good("");
        }
    }
    Err(untried("it was always its own turn"))
}

fn chance(bench: &mut Bench) -> Checked {
    for (game, seats) in bench.taken_on() {
        for options in std::iter::once("{}".to_owned()).chain(neighbours(game, seats)) {
            let setting = Setting { options, ..bench.setting(game, seats) };
            let draws = Deal::new(setting.clone()).is_ok_and(|mut deal| deal.open_to_chance());
            if draws && !bench.declines(&setting)? {
                plays_from(bench, setting, Deal::open_to_chance)?;
                return good(format!("in {game}"));
            }
        }
    }
    Err(untried("it plays no game with chance"))
}

fn forced_move(bench: &mut Bench) -> Checked {
    bench.needs(&["opening"])?;
    let forced = |table: &dyn Table| table.count_legal() == 1;
    for (game, seats) in bench.taken_on() {
        for number in 0..PLAYOUTS {
            let game_seed = crate::chance::Seed::from_text(&format!("forced move {number}"));
            let setting = Setting { game_seed, ..bench.setting(game, seats) };
            let found = Deal::new(setting.clone()).is_ok_and(|mut deal| deal.open(MOST_PLIES, forced));
            if found {
                plays_from(bench, setting, |deal| deal.open(MOST_PLIES, forced))?;
                return good(format!("in {game}"));
            }
        }
    }
    Err(untried("no such position was found"))
}

fn over_at_once(bench: &mut Bench) -> Checked {
    let mut game = bench.sit(bench.home())?;
    game.over()?;
    game.must_be_well("at over")?;
    good("")
}

fn over_void(bench: &mut Bench) -> Checked {
    let mut game = bench.sit(bench.home())?;
    game.play(2)?;
    game.talk.say(&Deal::void());
    game.must_be_well("at over")?;
    good("")
}

fn repeatable(bench: &mut Bench) -> Checked {
    let tokens = || -> Result<Vec<Option<String>>, Halt> {
        let answers = bench.sit(bench.home())?.play(8)?;
        Ok(answers.into_iter().map(|answer| answer.token).collect())
    };
    let (one, other) = (tokens()?, tokens()?);
    match one.iter().zip(&other).position(|(one, other)| one != other) {
        None => good(format!("{} moves alike", one.len())),
        Some(place) => {
            let token = |tokens: &[Option<String>]| tokens[place].clone().unwrap_or_else(|| "resign".to_owned());
            Err(bad(format!("its move {} was {} and then {}", place + 1, token(&one), token(&other))))
        }
    }
}

/// Says where it was that something went wrong.
fn at<T>(place: &str, play: impl FnOnce() -> Result<T, Halt>) -> Result<T, Halt> {
    play().map_err(|halt| match halt {
        Halt::Verdict(Verdict::Bad(words)) => bad(format!("in {place}: {words}")),
        other => other,
    })
}
