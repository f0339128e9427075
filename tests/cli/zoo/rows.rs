//! The table: a row or more for each mode, in the order of the list of modes.

/// What is played, and what must come of it.
#[derive(Clone, Copy)]
pub struct Row {
    /// The mode and the other options of the bot.
    pub bot: &'static str,
    /// The options of the match.
    pub options: &'static str,
    pub verdict: Verdict,
    /// What the log must hold.
    pub logged: &'static [&'static str],
    /// What the stderr of the bot must hold.
    pub noted: &'static [&'static str],
    /// How many processes it leaves at least.
    pub leaves: u64,
}

#[derive(Clone, Copy)]
pub enum Verdict {
    /// It is out, for a fault of this kind, in words that hold these; the other bot wins.
    Fault(&'static str, &'static [&'static str]),
    /// The game goes on without a fault; how, in words for people.
    None(&'static str),
}

use Verdict::{Fault, None};

impl Row {
    /// The name of the mode.
    pub fn mode(&self) -> &'static str {
        self.bot.split(' ').next().expect("a mode comes first")
    }

    /// The word that names the player on the command line.
    pub fn player(&self) -> String {
        format!("'faulty mode={}'", self.bot)
    }

    /// What comes of it, in a cell of a table for people; with what is special about this row, if it is not the first.
    pub fn shown(&self, special: bool) -> String {
        let comes = match self.verdict {
            Fault(kind, says) => {
                let says: Vec<&str> = says.iter().map(|words| words.trim()).collect();
                format!("`{kind}`: {}", says.join(" … "))
            }
            None(words) => words.to_owned(),
        };
        let own = self.bot.strip_prefix(self.mode()).unwrap_or_default();
        let given = [own, self.options].join(" ");
        if special { format!("with `{}`: {comes}", given.trim()) } else { comes }
    }

    const fn logged(mut self, words: &'static [&'static str]) -> Row {
        self.logged = words;
        self
    }

    const fn noted(mut self, words: &'static [&'static str]) -> Row {
        self.noted = words;
        self
    }

    const fn leaves(mut self, processes: u64) -> Row {
        self.leaves = processes;
        self
    }
}

const fn row(bot: &'static str, options: &'static str, verdict: Verdict) -> Row {
    Row { bot, options, verdict, logged: &[], noted: &[], leaves: 0 }
}

/// A time for a move that is soon over.
const SHORT: &str = "--move-limit 500ms";

pub const TABLE: &[(&str, &[Row])] = &[
    ("Time", TIME),
    ("Lines and messages", LINES),
    ("Its end", ENDS),
    ("Processes", PROCESSES),
    ("Resources", RESOURCES),
    ("Attacks", ATTACKS),
];

const TIME: &[Row] = &[
    row("silent", SHORT, Fault("timeout", &["no answer to turn 1 after ", "no part of one", "flush it"])),
    row("silent turn=0", "--startup 1500ms", Fault("startup", &["not ready 1", "no part of one"])),
    row("busy", SHORT, Fault("timeout", &["no answer to turn 1 after "])),
    row("stopped", SHORT, Fault("timeout", &["no answer to turn 1 after "])),
    row("chatty", SHORT, Fault("timeout", &["no answer to turn 1 after ", " bytes came", "the lines were blank"])),
    row("late", SHORT, Fault("timeout", &["no answer to turn 1 after "])),
    row("slow", SHORT, Fault("timeout", &["no answer to turn 1 after "])),
    row("slow turn=0", "--clock 900ms", None("nothing: the start has a time of its own")),
    row(
        "unended",
        SHORT,
        Fault(
            "timeout",
            &["“{\"type\":\"move\",\"turn\":1,", "came without a line end", "did you end the line with \\n"],
        ),
    ),
    row("dribble", SHORT, Fault("timeout", &["“{", "came without a line end"])),
    row("wrong-turn", SHORT, Fault("timeout", &["no answer to turn 1 after ", "the number of another turn"]))
        .logged(&["\"turn\\\":1001"]),
    row("ponder", "", None("nothing: it is frozen while others think")),
];

const LINES: &[Row] = &[
    row("crlf", "", None("accepted")),
    row("blanks", "", None("accepted")),
    row("bom", "", Fault("unreadable", &["does not begin with “{”", "“\\u{feff}{"])),
    row("bom turn=0", "", None("accepted")),
    row("debug", "", Fault("unreadable", &["“thinking about it”", "write anything else to stderr"])),
    row("debug", "--lenient 1", None("skipped, and kept in the log")).logged(&["\"line\":\"thinking about it\""]),
    row("half", "", Fault("unreadable", &["EOF while parsing a string, at column 18"])),
    row("two-objects", "", Fault("unreadable", &["trailing characters, at column "])),
    row("array", "", Fault("unreadable", &["does not begin with “{”", "“[{"])),
    row("null", "", Fault("unreadable", &["does not begin with “{”", "“null”"])),
    row("wrong-types", "", Fault("unreadable", &["invalid type: string \"1\", expected a whole number, at column 25"])),
    row("no-turn", "", Fault("unreadable", &["missing field `turn`, at column "])),
    row("huge-number", "", Fault("unreadable", &["number out of range, at column 27"])),
    row("duplicate-keys", "", Fault("unreadable", &["duplicate field `type`, at column 21"])),
    row("unknown-type", "", Fault("unreadable", &["no message has the type “mvoe”", "ready, move or resign"])),
    row("not-utf8", "", Fault("unreadable", &["not UTF-8 at byte 10", "\\xff"])),
    row("nul", "", Fault("unreadable", &["key must be a string, at column 2", "\\u{0}"])),
    row("brackets", "", Fault("unreadable", &["nested deeper than 32 levels, at column 41"])),
    row("long-info", "", Fault("unreadable", &["info is not kept: it has 2011 bytes, and 1024 are the limit"])),
    row("escapes", "", Fault("unreadable", &["does not begin with “{”", "“\\u{1b}[2J"])),
    row("hostile-text", "", Fault("exited", &["exit code 1", "see its stderr"])).logged(&["\\u001b[2J"]),
    row("illegal", "", Fault("illegal", &["“castle” is not a move", "a square such as e2"])),
    row("resign", "", Fault("resigned", &["the bot resigned"])),
    row("double", "", None("the second answer is kept in the log")).logged(&["{\"host\":{\"ignored\":{\"seat\":0,"]),
    row("early", "", None("what answers no question is kept in the log"))
        .logged(&["{\"host\":{\"ignored\":{\"seat\":0,"]),
    row("stale", "", None("what answers no question is kept in the log"))
        .logged(&["{\"host\":{\"ignored\":{\"seat\":0,"]),
    row("unasked", "", Fault("unasked", &["more than 16 lines answered no question", "answer each turn once"])),
    row("flood", "", Fault("too_long", &["a line on stdout has more than 65536 bytes"])),
    row("flood-of-lines", "", Fault("output_limit", &["more than 1048576 bytes on stdout since the last answer"])),
    row("flood-of-stderr", "", Fault("stderr_limit", &["more than 67108864 bytes on stderr"])),
];

const ENDS: &[Row] = &[
    row("exit", "", Fault("exited", &["exit code 7", "see its stderr"])).noted(&["no such column: 12"]),
    row("exit turn=0", "", Fault("exited", &["exit code 7"])),
    row("exit-137", "", Fault("exited", &["exit code 137"])),
    row("killed", "", Fault("exited", &["SIGKILL (signal 9)"])),
    row("segfault", "", Fault("exited", &["SIGSEGV (signal 11)"])),
    row("panic", "", Fault("exited", &["exit code 101", "see its stderr"])).noted(&["index out of bounds"]),
    row(
        "half-and-exit",
        "",
        Fault("exited", &["exit code 0", "the last bytes, without a line end, were “{\"type\":\"move\",\"tu”"]),
    ),
    row("answer-and-exit", "", Fault("exited", &["exit code 0"]))
        .logged(&["{\"move\":{\"ply\":2,", "\"fault\":{\"seat\":0,\"turn\":3,"]),
    row("close-stdin", SHORT, Fault("timeout", &["no answer to turn 3 after "])),
    row("close-stdout", "", Fault("closed", &["closed its stdout", "can answer no more"])),
    row("deaf", SHORT, Fault("timeout", &["no answer to turn 3 after "])),
    row("ignore-signals", SHORT, Fault("timeout", &["no answer to turn 1 after "])),
    row("stay", "", None("nothing: it is killed 100 ms after the end"))
        .logged(&["\"ended\":{\"seat\":0,\"exit\":null,"]),
    row("honest", "", None("nothing")),
];

const PROCESSES: &[Row] = &[
    row("child", "", None("killed at the end, and counted in the log")).leaves(2),
    row("child-and-exit", "", Fault("exited", &["exit code 4"])).leaves(1),
    row("child-and-exit", "--sandbox off", Fault("exited", &["exit code 4"])).leaves(1),
    row("daemon", "", None("denied; its child is killed at the end")).leaves(1),
    row("daemon", "--sandbox off", None("killed at the end all the same")).leaves(1),
    row("comet", "", None("killed at the end")),
    row("comet", "--sandbox off", None("killed at the end all the same")),
    row("swarm", "--limit processes=300", None("killed at the end")).leaves(80),
];

/// What comes of these depends on the limits that are in force.
const RESOURCES: &[Row] = &[
    row(
        "memory",
        "--limit memory=200MiB",
        Fault("memory_limit", &["bytes of memory", "at most 209715200 are allowed"]),
    ),
    row("memory mib=128", "", None("nothing: it is within the limit")).noted(&["took 128 MiB of memory\n"]),
    row("memory-children", "--limit memory=200MiB", Fault("memory_limit", &["the program and all that it started"])),
    row("fork-bomb", "", Fault("process_limit", &["processes at once", "at most 64 are allowed"])),
    row("open-files", "", Fault("open_files_limit", &["open files of one process", "at most 64 are allowed"])),
    row("disk", "", None("denied")).noted(&["wrote 0 MiB, and no more: Permission denied"]),
    row("disk mib=8", "--write 0=.", None("written")).noted(&["wrote 8 MiB\n"]),
    row("big-file", "", None("denied")).noted(&["wrote 0 MiB, and no more: Permission denied"]),
    row("big-file", "--write 0=.", Fault("file_limit", &["SIGXFSZ"])),
    row("cpu", SHORT, Fault("timeout", &["no answer to turn 1 after "])),
    row("cpu", "--limit cpu=300ms", Fault("cpu_limit", &["milliseconds of processor time", "at most 300"])),
];

const DENIED: Verdict = None("denied");

const ATTACKS: &[Row] = &[
    row("attack-files", "", None("denied; that a file is there can be seen")),
    row("attack-network", "", DENIED),
    row("attack-processes", "", DENIED),
    row("stop-rival", "", DENIED).noted(&["attack stop-rival: denied"]),
    row("kill-rival", "", DENIED).noted(&["attack kill-rival: denied"]),
    row("kill-keeper", "", DENIED).noted(&["attack kill-keeper: denied"]),
    row("kill-referee", "", DENIED).noted(&["attack kill-referee: denied"]),
];

pub const README_HEAD: &str = "\
# The zoo

`arbitro bot faulty --list-modes` lists them: bots that play any legal move, and misbehave once. They are for trying a
referee, a limit or a sandbox:

    arbitro play alto-ahi 'faulty mode=flood' random

`turn=N` says at which of its turns it does so, the first if not given; `turn=0` is the moment at which it should get
ready. It plays every game. What it does is bounded: it ends by itself within a minute (`stopped` apart), stays on this
machine, and takes back what it changed. `arbitro bot faulty --mode flood` is the same bot by itself, for other referees.

`raw.py` is a bot too: it tries the system calls that only a program written for that makes, such as io_uring, ptrace
and 32-bit calls.

The tables say what comes of each mode against a bot without a fault, under the default limits and sandbox; for modes
that use up time, with a short `--move-limit`. Behind the name of a fault stands what its words say. The tests play every
row, and keep this file.

Attacks say on stderr, which the log keeps, of each attempt whether it works. With `--sandbox off` they work, but for
those on processes and files of another user: a referee that runs as root gives each bot a user of its own.
";
