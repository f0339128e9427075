//! For each check a bot that fails it: what is put in the place of a part of a good one.

/// One way to be wrong.
pub struct Bad {
    /// The check that finds it.
    pub check: &'static str,
    /// The lines that make it so, in Python.
    pub code: &'static str,
    /// What the finding says, among other words.
    pub seen: &'static str,
    /// What more it is checked with.
    pub options: &'static str,
}

/// The game for whatever shows in any game.
const HERE: &str = "--game alto-ahi --seats 2";

const fn bad(check: &'static str, seen: &'static str, code: &'static str) -> Bad {
    Bad { check, code, seen, options: HERE }
}

const fn bad_in(check: &'static str, seen: &'static str, options: &'static str, code: &'static str) -> Bad {
    Bad { check, code, seen, options }
}

/// In one game it plays no move when it has played some.
const LATE: [(&str, &str, &str); 7] = [
    ("alto-ahi-2", "--game alto-ahi --seats 2", r#"LOSES = "alto-ahi", 2"#),
    ("alto-ahi-4", "--game alto-ahi --seats 4", r#"LOSES = "alto-ahi", 4"#),
    ("alto-riesgo-2", "--game alto-riesgo --seats 2", r#"LOSES = "alto-riesgo", 2"#),
    ("alto-riesgo-3", "--game alto-riesgo --seats 3", r#"LOSES = "alto-riesgo", 3"#),
    ("alto-riesgo-4", "--game alto-riesgo --seats 4", r#"LOSES = "alto-riesgo", 4"#),
    ("crecer-2", "--game crecer --seats 2", r#"LOSES = "crecer", 2"#),
    ("passage-2", "--game passage --seats 2", r#"LOSES = "passage", 2"#),
];

/// All of them, in the order of the checks.
pub fn all() -> Vec<Bad> {
    let games = LATE.map(|(check, options, code)| bad_in(check, "illegal: “nowhere”", options, code));
    TALKS.into_iter().chain(games).collect()
}

const TALKS: [Bad; 61] = [
    bad("no-home", "with a folder to write to", r#"def begin(): open(os.environ["HOME"] + "/log", "w")"#),
    bad("starts", "exit code 3 before anything", "def begin(): sys.exit(3)"),
    bad_in(
        "flush",
        "only when the input had ended",
        "--game alto-ahi --seats 2 --startup 1s",
        "def write(text): sys.stdout.write(text)",
    ),
    bad_in(
        "line-end",
        r#"“{"type": "ready", "name": "good"}\u{d}” came without \n"#,
        "--game alto-ahi --seats 2 --startup 1s",
        r#"def say(message): write(json.dumps(message) + "\r")"#,
    ),
    bad_in("ready", "no line came within", "--game alto-ahi --seats 2 --startup 1s", "def on_hello(message): pass"),
    bad("ready-form", "expected a string", r#"def on_hello(message): say({"type": "ready", "name": 3})"#),
    bad("waits-for-hello", "before hello", r#"def begin(): say({"type": "ready"})"#),
    bad(
        "readable",
        "the line was “{'type'",
        r#"def on_turn(message): write(str({"type": "move", "turn": message["turn"], "move": choose(message)}) + "\n")"#,
    ),
    bad(
        "turn-number",
        "was asked, and turn 2 answered",
        r#"def on_turn(message): say({"type": "move", "turn": asked, "move": choose(message)})"#,
    ),
    bad("answers", "“z9” is not", r#"def choose(message): return "z9""#),
    bad("legal-declined", "KeyError", r#"def on_hello(message): say({"type": "ready", "legal": False})"#),
    bad(
        "plain-game",
        "exit code 9",
        r#"
def choose(message):
    if asked == 5: sys.exit(9)
    return message["legal"][0]
"#,
    ),
    bad(
        "stdout-clean",
        "“thinking…”",
        r#"
def choose(message):
    print("thinking…")
    return random.choice(message["legal"])
"#,
    ),
    bad(
        "message-types",
        "no message has the type “info”",
        r#"
def choose(message):
    say({"type": "info", "depth": 3})
    return random.choice(message["legal"])
"#,
    ),
    bad(
        "one-answer",
        "6 lines answered no question",
        r#"
def on_turn(message):
    token = choose(message)
    for time in range(2): say({"type": "move", "turn": message["turn"], "move": token})
"#,
    ),
    bad("silent-after-over", "came after over", r#"def on_over(message): say({"type": "resign", "turn": 1})"#),
    bad(
        "info",
        "bytes, and 1024 are the limit",
        r#"
def on_turn(message):
    say({"type": "move", "turn": message["turn"], "move": choose(message), "info": {"text": "x" * 2000}})
"#,
    ),
    bad(
        "line-length",
        "of 65536",
        r#"
def on_turn(message):
    say({"type": "move", "turn": message["turn"], "move": choose(message), "note": "x" * 70000})
"#,
    ),
    bad(
        "stderr",
        "bytes in 6 turns",
        r#"
def choose(message):
    print("x" * 10000, file=sys.stderr)
    return random.choice(message["legal"])
"#,
    ),
    bad(
        "does-not-resign",
        "resigned after 5 moves",
        r#"
def on_turn(message):
    if asked == 6: say({"type": "resign", "turn": message["turn"]})
    else: say({"type": "move", "turn": message["turn"], "move": choose(message)})
"#,
    ),
    bad(
        "unknown-fields",
        "unknown field",
        r#"
KNOWN = "type protocol rules game options seat players clock limits game_id bot_seed commitment turn state events legal"
def choose(message):
    if any(key not in KNOWN for key in message): sys.exit("unknown field")
    return random.choice(message["legal"])
"#,
    ),
    bad(
        "unknown-messages",
        "it answered {",
        r#"def on_other(message): say({"type": "move", "turn": 0, "move": "pass"})"#,
    ),
    bad(
        "player-names",
        "UnicodeEncodeError",
        r#"
def on_hello(message):
    [name.encode("ascii") for name in message["players"]]
    say({"type": "ready"})
"#,
    ),
    bad(
        "long-lines",
        "JSONDecodeError",
        r#"
def lines():
    for line in sys.stdin: yield line[:8192]
"#,
    ),
    bad(
        "pieces",
        "JSONDecodeError",
        r#"
def lines():
    rest = b""
    while chunk := os.read(0, 65536):
        if len(chunk) < 1000 and not chunk.endswith(b"\n"): continue
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole: yield line.decode()
"#,
    ),
    bad("second-game", "exit code 0", "def on_over(message): sys.exit(0)"),
    bad_in(
        "two-lines",
        "had not answered hello",
        "--game alto-ahi --seats 2 --startup 2s",
        r#"
def lines():
    rest = b""
    while chunk := os.read(0, 65536):
        rest += chunk
        if b"\n" in rest:
            line = rest.split(b"\n")[0]
            rest = b""
            yield line.decode()
"#,
    ),
    bad(
        "spaced-json",
        "exit code 1",
        r#"
def lines():
    for line in sys.stdin:
        if '"type":' not in line: sys.exit("what is this?")
        yield line
"#,
    ),
    bad(
        "crlf",
        "exit code 1",
        r#"
def lines():
    for line in sys.stdin.buffer:
        if line.endswith(b"\r\n"): sys.exit("a carriage return")
        yield line.decode()
"#,
    ),
    bad(
        "limits-absent",
        "KeyError: 'memory_bytes'",
        r#"
def on_hello(message):
    message["limits"]["memory_bytes"] // 2
    say({"type": "ready"})
"#,
    ),
    bad_in(
        "seats",
        "in alto-ahi with 4 seats, seat 3",
        "--game alto-ahi",
        r#"
def choose(message):
    if hello["seat"] == 3: sys.exit("no such seat")
    return random.choice(message["legal"])
"#,
    ),
    bad(
        "options",
        r#"in alto-ahi with {"size":7}"#,
        r#"
def choose(message):
    assert hello["options"]["size"] == 9
    return random.choice(message["legal"])
"#,
    ),
    bad(
        "opening",
        "AssertionError",
        r#"
def choose(message):
    assert asked > 1 or len(message["events"]) < 6
    return random.choice(message["legal"])
"#,
    ),
    bad(
        "strike",
        "AssertionError",
        r#"
def choose(message):
    assert all(event.get("by") != "strike" for event in message["events"])
    return random.choice(message["legal"])
"#,
    ),
    bad_in(
        "leave",
        "KeyError: 'seat'",
        "--game alto-ahi",
        r#"
def choose(message):
    [event["seat"] for event in message["events"] if "chance" not in event]
    return random.choice(message["legal"])
"#,
    ),
    bad(
        "chance",
        "KeyError: 'move'",
        r#"
def choose(message):
    [event["move"] for event in message["events"] if "leave" not in event]
    return random.choice(message["legal"])
"#,
    ),
    bad(
        "forced-move",
        "IndexError",
        r#"
def choose(message):
    message["legal"][1]
    return random.choice(message["legal"])
"#,
    ),
    bad(
        "over-at-once",
        "at over",
        r#"
def on_over(message):
    assert asked > 0
"#,
    ),
    bad("over-void", "TypeError", r#"def on_over(message): message["ranks"][0]"#),
    bad("repeatable", "and then", r#"def choose(message): return random.SystemRandom().choice(message["legal"])"#),
    bad(
        "small-clock",
        "answers came late",
        r#"
def choose(message):
    if message["clock"]["move_ms"] == 50: time.sleep(0.1)
    return random.choice(message["legal"])
"#,
    ),
    bad(
        "tiny-clock",
        "ValueError",
        r#"
def choose(message):
    if message["clock"]["move_ms"]: time.sleep((message["clock"]["move_ms"] - 20) / 1e6)
    return random.choice(message["legal"])
"#,
    ),
    bad(
        "move-limit",
        "TypeError",
        r#"
def choose(message):
    if message["clock"]["move_ms"]: message["clock"]["left_ms"][hello["seat"]] / 20
    return random.choice(message["legal"])
"#,
    ),
    bad(
        "no-clock",
        "TypeError",
        r#"
def choose(message):
    message["clock"]["move_ms"] / 20
    return random.choice(message["legal"])
"#,
    ),
    bad(
        "fractions",
        "ValueError",
        r#"
def choose(message):
    if message["clock"]["move_ms"]: int(str(message["clock"]["move_ms"]))
    return random.choice(message["legal"])
"#,
    ),
    bad(
        "byo-yomi",
        "it resigned",
        r#"
def on_turn(message):
    if message["clock"]["left_ms"][0] == 0: say({"type": "resign", "turn": message["turn"]})
    else: say({"type": "move", "turn": message["turn"], "move": choose(message)})
"#,
    ),
    bad(
        "frozen",
        "exit code 7",
        r#"
def watch():
    while True:
        began = time.monotonic()
        time.sleep(0.1)
        if time.monotonic() - began > 0.6: os._exit(7)
def begin(): threading.Thread(target=watch, daemon=True).start()
"#,
    ),
    bad(
        "long-wait",
        "exit code 7",
        r#"
heard = time.monotonic()
def watch():
    while time.monotonic() - heard < 1.1: time.sleep(0.05)
    os._exit(7)
def begin(): threading.Thread(target=watch, daemon=True).start()
def lines():
    global heard
    for line in sys.stdin:
        heard = time.monotonic()
        yield line
"#,
    ),
    bad(
        "off-turn",
        "% of a processor",
        r#"
def think():
    while True: sum(range(100))
def begin(): threading.Thread(target=think, daemon=True).start()
"#,
    ),
    bad(
        "ends-with-input",
        "still ran",
        r#"
over = False
def on_over(message):
    global over
    over = True
def end():
    while over: time.sleep(1)
"#,
    ),
    bad(
        "ends-after-ready",
        "still ran",
        r#"
def end():
    while asked == 0: time.sleep(1)
"#,
    ),
    bad(
        "ends-mid-game",
        "still ran",
        r#"
over = False
def on_over(message):
    global over
    over = True
def end():
    while asked and not over: time.sleep(1)
"#,
    ),
    bad("ends-soon", "it took", "def end(): time.sleep(0.4)"),
    bad("exit-status", "exit code 4", "def end(): sys.exit(4)"),
    bad(
        "leftovers",
        "1 more of its processes",
        r#"
import subprocess
def begin(): subprocess.Popen(["sleep", "100"])
"#,
    ),
    bad_in("memory", "of 64 MiB", "--game alto-ahi --seats 2 --limit memory=64MiB", r#"ballast = b"x" * (80 << 20)"#),
    bad("processes", "open files of 64", "files = [open(__file__) for number in range(70)]"),
    bad_in(
        "two-copies",
        "Address already in use",
        "--game alto-ahi --seats 2 --network",
        r#"
import socket
lock = socket.socket(socket.AF_UNIX)
lock.bind("\0" + __file__)
"#,
    ),
    bad("other-start", "FileNotFoundError", "def begin(): open(os.path.basename(__file__))"),
    bad(
        "fresh-game",
        "another way",
        r#"
def on_hello(message):
    random.seed(message["bot_seed"] + str(games))
    say({"type": "ready"})
"#,
    ),
    bad_in(
        "ready-early",
        "ms at most, of 1200",
        "--game alto-ahi --seats 2 --startup 1200ms",
        r#"
def on_hello(message):
    time.sleep(0.7)
    say({"type": "ready"})
"#,
    ),
];
