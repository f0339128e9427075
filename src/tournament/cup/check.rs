//! From the file as it is written to a tournament that makes sense.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use serde_json::{Map, Number, Value};
use toml::Spanned;

use super::file::{BotTable, ClockTable, File, LimitText, OpeningsTable, PonderWord, RunTable, Time};
use super::place::{self, BadCup, Located, Text, is_unseen};
use super::{Cup, CupBot, MOST_BOTS, Openings, RunSettings, SEED_FILE, test_of};
use crate::clock::{Span, TimeControl};
use crate::host::play::Ponder;
use crate::protocol::limits::{BadLimit, Limits, NAME_CHARS, NAMED};
use crate::seat::alternatives;
use crate::table::GameName;
use crate::tournament::openings::{Drawing, MOST_OPENINGS, MOST_PLIES};
use crate::tournament::pairing::{Format, Kind};

/// The whole file, checked from its top to its bottom.
pub(super) fn check(text: &Text, file: File) -> Result<Cup, BadCup> {
    let name = file.name.map(|name| checked_name(text, &name).map(|()| name.into_inner())).transpose()?;
    let game = game(text, &file.game)?;
    let seats = seats(text, game, file.seats.as_ref(), &file.format)?;
    let options = options(text, &file.options, game, seats)?;
    let bots = field(text, file.bots)?;
    let (at, format) = (file.format.span(), file.format.into_inner());
    format.check(bots.len(), seats).map_err(|misfit| text.fault_within(&at, misfit))?;
    test_of(&format).map_err(|error| text.fault_within(&at, format!("`sprt`: {error}")))?;
    let openings = file.openings.map(|table| openings(text, table)).transpose()?;
    let clock = clock(text, &file.clock)?;
    let limits = limits(text, &file.limits, file.faults.strikes, file.faults.lenient)?;
    let run = run(text, &file.run, &limits)?;
    Ok(Cup {
        name,
        game,
        seats,
        options,
        seed_file: match file.seed_file {
            Some(path) => text.locate(path),
            None => Located { line: 1, value: SEED_FILE.into() },
        },
        format,
        openings,
        clock,
        limits,
        disqualify_after: file.faults.disqualify_after,
        run,
        bots,
    })
}

fn game(text: &Text, game: &Spanned<String>) -> Result<GameName, BadCup> {
    let known: Vec<&str> = GameName::ALL.iter().map(|game| game.as_str()).collect();
    let name = game.get_ref();
    name.parse()
        .map_err(|_| text.fault(&game.span(), format!("no game is called “{name}”: {}", place::instead(name, &known))))
}

/// Those that are given, or the only number that game and format leave.
fn seats(
    text: &Text,
    game: GameName,
    given: Option<&Spanned<usize>>,
    format: &Spanned<Format>,
) -> Result<usize, BadCup> {
    let pods = matches!(format.get_ref().kind, Kind::Pods { .. });
    let possible: Vec<usize> = game.seats().iter().copied().filter(|&seats| (seats > 2) == pods).collect();
    match (given, &possible[..]) {
        (Some(given), possible) if possible.contains(given.get_ref()) => Ok(*given.get_ref()),
        (None, &[only]) => Ok(only),
        (None, []) => {
            let words = format!("{game} is played by two, and pods are for three and four: take \"round-robin\"");
            Err(text.fault(&format.span(), words))
        }
        (None, possible) => {
            let words = format!("{game} is played with {} seats here: say which", alternatives(possible));
            Err(BadCup::new(1, "seats", words))
        }
        (Some(given), _) => Err(text.fault(&given.span(), wrong_seats(game, *given.get_ref(), pods))),
    }
}

fn wrong_seats(game: GameName, seats: usize, pods: bool) -> String {
    match (game.seats().contains(&seats), pods) {
        (true, true) => "two seats are no pod: take another kind of format, such as \"round-robin\"".to_owned(),
        (true, false) => format!("with {seats} seats the bots meet in pods: write kind = \"pods\" in [format]"),
        (false, _) => {
            format!("{game} is played with {} seats, not with {seats}", alternatives(game.seats()))
        }
    }
}

/// The options as JSON, tried by opening the game with them.
fn options(
    text: &Text,
    given: &BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    game: GameName,
    seats: usize,
) -> Result<String, BadCup> {
    let mut options = Map::new();
    for (key, value) in given {
        let json = json(value.get_ref()).map_err(|words| text.fault(&value.span(), words))?;
        options.insert(key.get_ref().clone(), json);
    }
    let options = Value::Object(options).to_string();
    let Err(error) = game.open(&options, seats) else { return Ok(options) };
    let blamed = given.iter().find(|(key, _)| error.field.split(['.', '[']).next() == Some(key.get_ref()));
    let hint = format!("`arbitro rules {game}` explains the options");
    Err(match (blamed, place::unknown("field", &error.reason)) {
        (Some((key, _)), Some((unknown, known))) => {
            let line = text.line_of(&key.span());
            let words = format!("unknown option `{unknown}` of {game}: {}", place::instead(unknown, &known));
            BadCup::new(line, "", words)
        }
        (Some((_, value)), None) => text.fault(&value.span(), format!("{}; {hint}", error.reason)),
        (None, _) => BadCup::new(1, "options", format!("{error}; {hint}")),
    })
}

fn json(value: &toml::Value) -> Result<Value, &'static str> {
    Ok(match value {
        toml::Value::String(text) => Value::String(text.clone()),
        toml::Value::Integer(number) => Value::Number((*number).into()),
        toml::Value::Float(number) => Value::Number(Number::from_f64(*number).ok_or("no option is without an end")?),
        toml::Value::Boolean(truth) => Value::Bool(*truth),
        toml::Value::Datetime(_) => return Err("no option is a date"),
        toml::Value::Array(items) => Value::Array(items.iter().map(json).collect::<Result<_, _>>()?),
        toml::Value::Table(table) => {
            let pairs = table.iter().map(|(key, value)| Ok((key.clone(), json(value)?)));
            Value::Object(pairs.collect::<Result<_, &'static str>>()?)
        }
    })
}

fn openings(text: &Text, table: Spanned<OpeningsTable>) -> Result<Openings, BadCup> {
    let at = table.span();
    let OpeningsTable { file, plies, count, balance } = table.into_inner();
    let (Some(plies), Some(count)) = (&plies, &count) else {
        let other = plies.as_ref().or(count.as_ref()).map(Spanned::span);
        let other = other.or(balance.as_ref().filter(|_| file.is_some()).map(Spanned::span));
        return match (file, other) {
            (Some(file), None) => Ok(Openings::File(text.locate(file))),
            (Some(_), Some(at)) => {
                Err(text
                    .fault(&at, "this is for openings that are drawn, and `file` names a list: leave one of them out"))
            }
            (None, other) => {
                Err(text
                    .fault(&other.unwrap_or(at), "write either file = \"openings.txt\", or plies = 4 and count = 50"))
            }
        };
    };
    if let Some(file) = file {
        return Err(text.fault(
            &file.span(),
            "openings are either read from a file or drawn: leave `file` out, or `plies` and `count`",
        ));
    }
    let value = Drawing {
        plies: within(text, plies, 1, MOST_PLIES)?,
        count: within(text, count, 1, MOST_OPENINGS as u32)?,
        balance: balance.is_none_or(Spanned::into_inner),
    };
    Ok(Openings::Random(Located { line: text.line_of(&at), value }))
}

fn clock(text: &Text, table: &ClockTable) -> Result<TimeControl, BadCup> {
    let time = |given: &Option<Spanned<Time>>| given.as_ref().map(|time| time.get_ref().0);
    let mut clock = TimeControl {
        move_limit: time(&table.move_limit),
        startup: time(&table.startup).or(TimeControl::default().startup),
        margin: time(&table.margin).unwrap_or_default(),
        ..TimeControl::default()
    };
    for (given, what) in [(&table.move_limit, "move"), (&table.startup, "get ready")] {
        if let Some(given) = given.as_ref().filter(|given| given.get_ref().0 == Span::ZERO) {
            return Err(text.fault(&given.span(), format!("0s: nobody could {what} in no time")));
        }
    }
    if let Some(words) = &table.clock {
        clock.set_clock(words.get_ref()).map_err(|error| text.fault(&words.span(), error))?;
    }
    Ok(clock.guarded())
}

fn limits(
    text: &Text,
    given: &BTreeMap<Spanned<String>, Spanned<LimitText>>,
    strikes: u32,
    lenient: u32,
) -> Result<Limits, BadCup> {
    let mut limits = Limits { strikes, lenient, ..Limits::default() };
    let named = given.iter().map(|(name, value)| (name.get_ref().as_str(), value.get_ref().0.as_str()));
    limits.set_named(named).map_err(|(number, error)| {
        let (name, value) = given.iter().nth(number).expect("it is one of them");
        match error {
            BadLimit::Name => {
                let known = NAMED.map(|(name, ..)| name);
                let name_words = name.get_ref();
                let words = format!("unknown limit `{name_words}`: {}", place::instead(name_words, &known));
                BadCup::new(text.line_of(&name.span()), "", words)
            }
            BadLimit::Value(words) => text.fault(&value.span(), words),
        }
    })?;
    Ok(limits)
}

fn run(text: &Text, table: &RunTable, limits: &Limits) -> Result<RunSettings, BadCup> {
    let usual = RunSettings::default();
    let pin = table.pin.as_ref().map_or(usual.pin, |pin| *pin.get_ref());
    if let (Some(cores), false) = (&table.cores_per_game, pin) {
        return Err(
            text.fault(&cores.span(), "with pin = false games are kept on no processors: leave one of them out")
        );
    }
    let reuse = table.reuse.as_ref().map_or(usual.reuse, |reuse| *reuse.get_ref());
    if let (Some(given), 1.., Some(_)) = (&table.reuse, reuse, limits.scratch_bytes) {
        let words = "programs that go on from game to game and the limit `scratch` do not go together, for a folder \
                     lasts for one game: leave one of them out";
        return Err(text.fault(&given.span(), words));
    }
    Ok(RunSettings {
        concurrency: table.concurrency.as_ref().map_or(Ok(0), |given| within(text, given, 0, 10_000))?,
        cores_per_game: table.cores_per_game.as_ref().map_or(Ok(1), |given| within(text, given, 1, 10_000))?,
        pin,
        reuse,
        ponder: match table.ponder.as_ref().map(Spanned::get_ref) {
            Some(PonderWord::Allow) => Ponder::Allow,
            Some(PonderWord::Stop) | None => usual.ponder,
        },
        sandbox: table.sandbox.as_ref().map(|mode| *mode.get_ref()).unwrap_or_default(),
        isolation: table.isolation.as_ref().map(|mode| *mode.get_ref()).unwrap_or_default(),
    })
}

/// The bots, each by a name of its own.
fn field(text: &Text, tables: Vec<Spanned<BotTable>>) -> Result<Vec<CupBot>, BadCup> {
    if tables.len() < 2 {
        let (line, number) = match tables.first() {
            Some(only) => (text.line_of(&only.span()), "one"),
            None => (1, "none"),
        };
        let words = format!("two bots at least are needed, and there is {number}: write each under a heading [[bots]]");
        return Err(BadCup::new(line, "bots", words));
    }
    if let Some(beyond) = tables.get(MOST_BOTS) {
        return Err(text.fault(&beyond.span(), format!("a field has at most {MOST_BOTS} bots")));
    }
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut bots = Vec::with_capacity(tables.len());
    for table in tables {
        let (at, bot) = (table.span(), table.into_inner());
        checked_name(text, &bot.name)?;
        let line = text.line_of(&bot.name.span());
        if let Some(other) = names.insert(bot.name.get_ref().clone(), line) {
            let words = format!("“{}” is called so already in line {other}: names are to differ", bot.name.get_ref());
            return Err(text.fault(&bot.name.span(), words));
        }
        bots.push(one(text, &at, bot)?);
    }
    Ok(bots)
}

fn one(text: &Text, at: &Range<usize>, bot: BotTable) -> Result<CupBot, BadCup> {
    if bot.command.get_ref().first().is_none_or(String::is_empty) {
        let words = "the command is empty: write a program and its arguments, as in [\"python3\", \"bot.py\"], or a \
                     built-in bot, as in [\"greedy\"]";
        return Err(text.fault(&bot.command.span(), words));
    }
    for name in bot.env.keys() {
        if name.get_ref().is_empty() || name.get_ref().contains(['=', '\0']) {
            let words = "this cannot name a variable of the environment: use letters, digits and underscores";
            return Err(text.fault(&name.span(), words));
        }
    }
    let paths = bot.dir.iter().chain(&bot.files).chain(&bot.read).chain(&bot.write);
    if let Some(empty) = paths.clone().find(|path| path.get_ref().as_os_str().is_empty()) {
        return Err(text.fault(&empty.span(), "a path is empty: write \".\" for the folder itself"));
    }
    let mut command = text.locate(bot.command);
    for (key, value) in &bot.options {
        command.value.push(option_word(text, key, value)?);
    }
    Ok(CupBot {
        line: text.line_of(at),
        name: bot.name.into_inner(),
        command,
        dir: bot.dir.map(|dir| text.locate(dir)),
        env: bot.env.into_iter().map(|(name, value)| (name.into_inner(), value.into_inner())).collect(),
        files: text.locate_all(bot.files),
        read: text.locate_all(bot.read),
        write: text.locate_all(bot.write),
        network: bot.network,
    })
}

/// An option of a bot as the word of its command that it becomes: `nodes=200`, which is how built-in bots take them.
fn option_word(text: &Text, key: &Spanned<String>, value: &Spanned<toml::Value>) -> Result<String, BadCup> {
    let name = key.get_ref();
    if name.is_empty() || name.contains(['=', '\0']) {
        return Err(text.fault(&key.span(), "this cannot name an option, which becomes `name=value` in the command"));
    }
    let word = match value.get_ref() {
        toml::Value::String(word) => word.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(truth) => truth.to_string(),
        _ => return Err(text.fault(&value.span(), "the option of a bot is a text, a number, or true or false")),
    };
    Ok(format!("{name}={word}"))
}

/// A name that can stand in a table, on a terminal and in a log, and is told from others by looking at it.
fn checked_name(text: &Text, name: &Spanned<String>) -> Result<(), BadCup> {
    let fault = |words: String| Err(text.fault(&name.span(), words));
    let chars = name.get_ref().chars();
    match name.get_ref().as_str() {
        "" => fault("a name is empty: give one of letters, digits or signs".to_owned()),
        long if chars.clone().count() > NAME_CHARS => {
            fault(format!("a name has at most {NAME_CHARS} characters, and this one has {}", long.chars().count()))
        }
        blank if blank.trim() != blank => fault("a name begins or ends with a blank: take it away".to_owned()),
        shown if chars.clone().any(is_unseen) => {
            fault(format!("“{shown}” has a character that cannot be seen: take it away"))
        }
        _ => Ok(()),
    }
}

/// A number from `least` to `most`.
fn within(text: &Text, number: &Spanned<u32>, least: u32, most: u32) -> Result<u32, BadCup> {
    let value = *number.get_ref();
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(text.fault(&number.span(), format!("{value} cannot be used: a number from {least} to {most} is needed")))
    }
}
