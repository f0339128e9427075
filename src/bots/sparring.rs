//! Whole games between built-in bots without processes or clocks: quick, and the same each time.
//!
//! They show which bot is the stronger one, how long games last, and how the seats fare after an opening. The bots are
//! spoken to in lines, as ever, so they play as they would in a process.

use serde_json::{Value, json};

use super::{BotError, Session};
use crate::chance::{Purpose, Seed, Streams};
use crate::game::Turn;
use crate::seat::{BySeat, Seat};
use crate::table::{GameName, Table};

/// A bot: its name and its options.
pub type Entrant<'a> = (&'a str, &'a [&'a str]);

/// How long each bot is told to have, for the whole game and for a move.
const MS: u64 = 60_000;

/// How a game is played.
#[derive(Clone, Copy, Debug)]
pub struct Sparring<'a> {
    /// The game.
    pub game: GameName,
    /// Its options, a JSON object.
    pub options: &'a str,
    /// Decides the bots' seeds and, where there is chance, the luck.
    pub seed: Seed,
    /// Moves played before the first turn.
    pub opening: &'a [&'a str],
    /// One of so many moves is any legal one, so that bots that know their game play several; none if 0.
    pub strays: u32,
}

/// One bot at a table, with what it has heard of the game so far.
struct Place {
    session: Session,
    heard: usize,
}

/// Plays one game; the finished game and its moves.
///
/// # Errors
/// A name or an option that does not exist, or a game that a bot does not play.
///
/// # Panics
/// If the game cannot be played with these options and this opening, or if a bot plays what is not legal.
pub fn play(sparring: Sparring, entrants: &[Entrant]) -> Result<(Box<dyn Table>, Vec<String>), BotError> {
    let Sparring { game, options, seed, opening, strays } = sparring;
    let mut table = game.open(options, entrants.len()).expect("the options were tried");
    let mut chance = Streams::new(seed.of_game("game"));
    let mut stray = Streams::new(seed.of_game("strays"));
    let mut places = Vec::with_capacity(entrants.len());
    for (seat, (name, options)) in Seat::first(entrants.len()).zip(entrants) {
        let mut session = Session::new(name, options)?;
        let hello = hello(game, table.as_ref(), seat, &seed.of_bot("game", seat).to_string());
        hear(&mut session, &hello)?;
        places.push(Place { session, heard: 0 });
    }
    let (mut events, mut moves, mut opening) = (Vec::new(), Vec::new(), opening.iter());
    loop {
        match table.turn() {
            Turn::Over(_) => return Ok((table, moves)),
            Turn::Chance => {
                let outcome = table.draw(&mut chance);
                events.push(format!("{{\"chance\":{outcome}}}"));
            }
            Turn::Seat(seat) => {
                let draws = stray.of(Purpose::Strike(seat));
                let token = match opening.next() {
                    Some(token) => (*token).to_owned(),
                    None if strays > 0 && draws.below(strays) == 0 => {
                        let legal = table.legal();
                        legal[draws.below(legal.len() as u32) as usize].to_string()
                    }
                    None => ask(&mut places[seat.index()], table.as_mut(), seat, moves.len() as u64 + 1, &events)?,
                };
                let played = table.play(&token).unwrap_or_else(|refusal| panic!("{token}: {refusal}\n{moves:?}"));
                events.push(format!("{{\"seat\":{seat},\"move\":\"{played}\"}}"));
                moves.push(token);
            }
        }
    }
}

fn ask(place: &mut Place, table: &mut dyn Table, seat: Seat, turn: u64, events: &[String]) -> Result<String, BotError> {
    let mut line = format!("{{\"type\":\"turn\",\"turn\":{turn},\"state\":").into_bytes();
    table.state_json(&mut line);
    line.extend_from_slice(format!(",\"events\":[{}],\"legal\":", events[place.heard..].join(",")).as_bytes());
    place.heard = events.len();
    table.legal_json(&mut line);
    let left = BySeat::from_fn(table.seats(), |_| MS);
    let left = serde_json::to_string(&left).expect("numbers are plain data");
    line.extend_from_slice(format!(",\"clock\":{{\"move_ms\":{MS},\"left_ms\":{left}}}}}\n").as_bytes());
    let answer = hear(&mut place.session, str::from_utf8(&line).expect("it is our own text"))?;
    let answer: Value = serde_json::from_str(&answer)
        .unwrap_or_else(|error| panic!("{error}: no answer to {}", String::from_utf8_lossy(&line)));
    assert_eq!((&answer["type"], &answer["turn"]), (&json!("move"), &json!(turn)), "{seat:?}");
    Ok(answer["move"].as_str().expect("a move is a text").to_owned())
}

/// What a bot answers, which must be at most one line and without any notes.
fn hear(session: &mut Session, line: &str) -> Result<String, BotError> {
    let (mut answer, mut notes) = (Vec::new(), Vec::new());
    session.hear(line.as_bytes(), &mut answer, &mut notes)?;
    assert_eq!(String::from_utf8_lossy(&notes), "", "in answer to {line}");
    assert!(answer.iter().filter(|&&byte| byte == b'\n').count() <= 1, "one line at most, in answer to {line}");
    Ok(String::from_utf8(answer).expect("bots write UTF-8"))
}

fn hello(game: GameName, table: &dyn Table, seat: Seat, bot_seed: &str) -> String {
    let options: Value = serde_json::from_str(&table.options_json()).expect("options are JSON");
    let players = vec!["x"; table.seats()];
    format!(
        "{}\n",
        json!({"type": "hello", "protocol": 1, "rules": 1, "game": game, "options": options, "seat": seat,
               "players": players, "bot_seed": bot_seed, "clock": {"bank_ms": MS}, "limits": {}})
    )
}
