//! The interpreters that bots are usually written for, each with a bot of two lines in the sandbox.

use std::ffi::OsString;

use super::report::{Item, Report, State};
use super::trial::{Lab, PLAIN, Trial, Tried};
use crate::cli::failure::Failure;
use crate::host::{BadProgram, Program};
use crate::protocol::receive::shown;

/// An interpreter, and a bot for it: it says the version on stderr, gets ready, and gives up when it is asked.
struct Interpreter {
    program: &'static str,
    file: &'static str,
    script: &'static str,
}

const INTERPRETERS: [Interpreter; 4] = [
    Interpreter {
        program: "python3",
        file: "bot.py",
        script: "import sys\nprint(sys.version.split()[0], file=sys.stderr)\n\
                 input()\nprint('{\"type\":\"ready\"}', flush=True)\n\
                 input()\nprint('{\"type\":\"resign\",\"turn\":1}', flush=True)\n",
    },
    Interpreter {
        program: "node",
        file: "bot.js",
        script: "console.error(process.version);\n\
                 const answers = ['{\"type\":\"ready\"}', '{\"type\":\"resign\",\"turn\":1}'];\n\
                 require('readline').createInterface({ input: process.stdin })\n\
                 .on('line', () => { if (answers.length) console.log(answers.shift()); });\n",
    },
    Interpreter {
        program: "java",
        file: "Bot.java",
        script: "class Bot {\n\
                 public static void main(String[] words) throws java.io.IOException {\n\
                 System.err.println(System.getProperty(\"java.version\"));\n\
                 var lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));\n\
                 lines.readLine();\nSystem.out.println(\"{\\\"type\\\":\\\"ready\\\"}\");\n\
                 lines.readLine();\nSystem.out.println(\"{\\\"type\\\":\\\"resign\\\",\\\"turn\\\":1}\");\n}\n}\n",
    },
    Interpreter {
        program: "bash",
        file: "bot.sh",
        script: "echo $BASH_VERSION >&2\nread -r hello\necho '{\"type\":\"ready\"}'\n\
                 read -r turn\necho '{\"type\":\"resign\",\"turn\":1}'\n",
    },
];

pub fn examine(report: &mut Report, lab: &Lab) -> Result<(), Failure> {
    report.section("Interpreters, each with a bot in the sandbox")?;
    INTERPRETERS.iter().try_for_each(|interpreter| report.add(tried(interpreter, lab)?))
}

fn tried(interpreter: &Interpreter, lab: &Lab) -> Result<Item, Failure> {
    let Interpreter { program, file, script } = interpreter;
    let item = |state, found: String| Item::new(program, program, state, found);
    let words = [OsString::from(program)];
    let path = match Program::find(&words, &lab.here(), &[]) {
        Ok(found) => found.argv[0].to_string_lossy().into_owned(),
        Err(BadProgram::NotInPath { .. }) => {
            let found = "not found where bots look for it".to_owned();
            let remedy = "install it, if a bot needs it; for a referee that is root, where all users can reach it";
            return Ok(item(State::Note, found).means("no bot that needs it can be played").remedy(remedy));
        }
        Err(error) => return Ok(item(State::Note, error.to_string())),
    };
    let tried = match lab.file("bots", file, script, [0o755, 0o644]) {
        Ok(script) => {
            let bot = shell_words::join([path.as_str(), &script.to_string_lossy()]);
            lab.play(&Trial { bot: &bot, ..PLAIN }, &mut |_| {})?
        }
        Err(error) => Tried { trouble: Some(error.to_string()), ..Tried::default() },
    };
    Ok(judged(item, &path, &tried))
}

fn judged(item: impl Fn(State, String) -> Item, path: &str, tried: &Tried) -> Item {
    let gave_up = tried.fault.as_ref().is_some_and(|fault| fault.kind == "resigned");
    let last = |text: &str| shown(text.lines().next_back().unwrap_or_default().as_bytes());
    match tried.ready.filter(|_| gave_up) {
        Some(ready) => {
            let found = format!("{}, {path}: ready after {} ms", last(&tried.stderr), ready.whole_ms());
            item(State::Ok, found).figure("ready_ms", ready.whole_ms())
        }
        None => {
            let fault = tried.fault.as_ref().map(|fault| fault.words.clone());
            let why = fault.or_else(|| tried.trouble.clone()).unwrap_or_else(|| "it does not play".to_owned());
            let told = if tried.stderr.is_empty() { String::new() } else { format!("; {}", last(&tried.stderr)) };
            item(State::Note, format!("{path} starts no bot: {why}{told}"))
                .means("bots that need it lose before they move")
                .remedy("see what it says, and whether --read N=PATH helps")
        }
    }
}
