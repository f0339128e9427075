//! The example bots, each as the process that an author would start, spoken to over pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use arbitro::game::Turn;
use arbitro::seat::Seat;
use arbitro::table::GameName;
use serde_json::{Value, json};

/// How long a bot may take over anything; an interpreter on a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(30);

/// A bot that runs. Dropping it ends it.
struct Bot {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Bot {
    fn start(program: &Path) -> Bot {
        let mut command = Command::new(program);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).env("PYTHONDONTWRITEBYTECODE", "1");
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().expect("it is piped"));
        let (send, lines) = channel();
        thread::spawn(move || BufReader::new(stdout).lines().map_while(Result::ok).all(|line| send.send(line).is_ok()));
        Bot { child, stdin, lines }
    }

    fn tell(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("it is open until the end");
        stdin.write_all(format!("{line}\n").as_bytes()).expect("the bot reads");
    }

    /// What it answers to a line, before the next one is sent.
    fn ask(&mut self, line: &str) -> Value {
        self.tell(line);
        let answer = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{error}: no answer to {line}"));
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    /// Closes its input; it must say nothing more and end well.
    fn finish(mut self) {
        self.stdin = None;
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            match self.child.try_wait().expect("it is a child") {
                Some(status) => break status,
                None => assert!(Instant::now() < deadline, "it goes on after the end of its input"),
            }
            thread::sleep(Duration::from_millis(2));
        };
        assert!(status.success(), "{status}");
        assert_eq!(self.lines.recv_timeout(PATIENCE).ok(), None);
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn python(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bots-examples/python").join(name)
}

/// Whether the test can be run; where it must be (`CI=true`), it fails instead.
fn is_python_here() -> bool {
    let found = Command::new("python3").arg("--version").stdout(Stdio::null()).status().is_ok_and(|ran| ran.success());
    assert!(found || std::env::var("CI").as_deref() != Ok("true"), "python3 not found");
    if !found {
        println!("skipped: python3 not found");
    }
    found
}

/// The example that cargo builds beside the tests.
fn rust(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let built = test.ancestors().nth(2).expect("tests lie in deps").join("examples").join(name);
    assert!(built.is_file(), "{} is not there; run cargo build --examples", built.display());
    built
}

fn hello(game: &str, seat: u8, players: usize) -> String {
    let players: Vec<String> = (0..players).map(|seat| format!("jugador №{seat}")).collect();
    json!({
        "type": "hello", "protocol": 1, "rules": 1, "game": game, "options": {"size": 9}, "seat": seat, "players": players,
        "clock": {"bank_ms": 60000, "increment_ms": 1000, "move_limit_ms": null, "startup_ms": 10000, "margin_ms": 0},
        "limits": {}, "game_id": "game-1", "bot_seed": "07".repeat(32), "commitment": "00".repeat(32), "later": [],
    })
    .to_string()
}

fn turn(number: u64, state: &str, legal: &str) -> String {
    format!(
        r#"{{"type":"turn","turn":{number},"state":{state},"events":[{{"seat":0,"move":"e2"}}],"legal":{legal},"clock":{{"move_ms":60000,"left_ms":[60000,null],"periods":[3,1]}}}}"#
    )
}

const OVER: &str = r#"{"type":"over","result":"decided","ranks":[1,2],"reason":"goal"}"#;

/// What a bot that plays any legal move must do.
fn plays_at_random(program: &Path) {
    let legal = ["e8", "d9", "f9", "a1h"];
    let list = json!(legal).to_string();
    let game = |bot: &mut Bot, first: u64| -> Vec<String> {
        assert_eq!(bot.ask(&hello("any-game", 1, 2))["type"], "ready");
        let answers = (first..first + 20).map(|number| bot.ask(&turn(number, r#"{"any":[1]}"#, &list)));
        let moves = answers.zip(first..).map(|(answer, number)| {
            assert_eq!((&answer["type"], &answer["turn"]), (&json!("move"), &json!(number)));
            answer["move"].as_str().expect("a move is text").to_owned()
        });
        let moves = moves.collect();
        bot.tell(OVER);
        bot.tell(r#"{"type":"weather","fine":true}"#);
        moves
    };
    let mut bot = Bot::start(program);
    let moves = game(&mut bot, 1);
    assert!(legal.iter().all(|token| moves.iter().any(|mv| mv == token)), "{moves:?}");
    assert_eq!(game(&mut bot, 21), moves, "the seed decides, whichever game of a process it is");
    bot.finish();
    Bot::start(program).finish();
}

#[test]
fn the_python_bot_plays_at_random() {
    if is_python_here() {
        plays_at_random(&python("random_bot.py"));
    }
}

#[test]
fn the_rust_bot_plays_at_random() {
    plays_at_random(&rust("random_bot"));
}

#[test]
fn the_walker_walks_round_barriers_in_both_games() {
    if !is_python_here() {
        return;
    }
    let mut bot = Bot::start(&python("walker.py"));
    assert_eq!(bot.ask(&hello("alto-ahi", 0, 2)), json!({"type": "ready", "name": "walker.py"}));
    let state = |barriers: &str| {
        format!(
            r#"{{"size":9,"turn":0,"ply":2,"pawns":["e4","e9",null,null],"barriers":[{barriers},[]],"store":[7,10]}}"#
        )
    };
    // A barrier before the pawn: the nearer end of its line decides the way round it.
    let cases = [
        (r#"["c4h","e4h","g4h"]"#, r#"["d4","e3","f4","a1h","s2"]"#, "d4"),
        (r#"["a4h","c4h","e4h"]"#, r#"["d4","e3","f4","a1h","s2"]"#, "f4"),
        ("[]", r#"["d4","e3","e5","f4","a1h","s2"]"#, "e5"),
    ];
    for (barriers, legal, token) in cases {
        let answer = bot.ask(&turn(3, &state(barriers), legal));
        assert_eq!(answer, json!({"type": "move", "turn": 3, "move": token}), "{barriers}");
    }
    assert_eq!(bot.ask(&turn(4, &state("[]"), r#"["pass"]"#))["move"], "pass");
    bot.tell(OVER);
    for (seat, token) in [(0, "e5"), (1, "f4"), (2, "e3"), (3, "d4")] {
        bot.ask(&hello("alto-ahi", seat, 4));
        let answer = bot.ask(&turn(5, &state("[]"), r#"["d4","e3","e5","f4"]"#));
        assert_eq!(answer["move"], token, "seat {seat}");
    }
    bot.finish();
}

#[test]
fn the_walker_wins_a_whole_game_against_an_idler() {
    if !is_python_here() {
        return;
    }
    let mut table = GameName::AltoAhi.open("{}", 2).expect("the defaults can be played");
    let mut bot = Bot::start(&python("walker.py"));
    bot.ask(&hello("alto-ahi", 1, 2));
    for number in 1.. {
        let token = match table.turn() {
            Turn::Seat(seat) if seat.index() == 1 => {
                let (mut state, mut legal) = (Vec::new(), Vec::new());
                table.state_json(&mut state);
                table.legal_json(&mut legal);
                let text = |json: &[u8]| String::from_utf8(json.to_vec()).expect("JSON is UTF-8");
                bot.ask(&turn(number, &text(&state), &text(&legal)))["move"].as_str().expect("text").to_owned()
            }
            Turn::Seat(_) => table.legal()[0].to_string(),
            _ => break,
        };
        table.play(&token).unwrap_or_else(|refusal| panic!("{token}: {refusal}"));
    }
    assert!(matches!(table.turn(), Turn::Over(ranking) if ranking.winner() == Some(Seat::new(1))));
    bot.finish();
}

#[test]
fn the_python_module_resigns_notes_and_keeps_stdout_clean() {
    if !is_python_here() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder for a bot");
    let program = folder.path().join("bot.py");
    std::fs::copy(python("arbitro_bot.py"), folder.path().join("arbitro_bot.py")).expect("it can be copied");
    let source = r#"#!/usr/bin/env python3
import arbitro_bot
def choose(state, legal, game):
    print("thinking", game.turn, game.left_ms[game.seat])
    if state["resign"]:
        return arbitro_bot.RESIGN
    return legal[-1], {"history": len(game.history), "seed": game.seed[:2], "move_ms": game.move_ms, "periods": game.periods}
arbitro_bot.play(choose, end=lambda game: print(game.result["reason"]))
"#;
    std::fs::write(&program, source).expect("it can be written");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, executable).expect("it can be made executable");
    let mut bot = Bot::start(&program);
    assert_eq!(bot.ask(&hello("any-game", 0, 2)), json!({"type": "ready"}));
    bot.ask(&turn(1, r#"{"resign":false}"#, r#"["e2","e3"]"#));
    let answer = bot.ask(&turn(2, r#"{"resign":false}"#, r#"["e2","e3"]"#));
    let info = json!({"history": 2, "seed": "07", "move_ms": 60000, "periods": [3, 1]});
    assert_eq!(answer, json!({"type": "move", "turn": 2, "move": "e3", "info": info}));
    assert_eq!(bot.ask(&turn(3, r#"{"resign":true}"#, r#"["e2"]"#)), json!({"type": "resign", "turn": 3}));
    bot.tell(OVER);
    bot.finish();
}
