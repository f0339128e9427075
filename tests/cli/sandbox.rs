//! What a bot can touch and what it cannot, and what is said where the machine cannot see to it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::support::{Place, is_there};

/// Tells the program to take a layer for missing.
const PRETEND: &str = "ARBITRO_PRETEND_WITHOUT";

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// What a bot in the shell's language says on stderr, played with these options.
fn said(script: &str, options: &str) -> String {
    let place = Place::new();
    place.open_to_all();
    place.write("elsewhere/secret", "told\n");
    let bot = place.bot("mine/bot", &format!("ready; ask; {script}; answer; play"));
    place.write("mine/own", "own\n");
    let game = place.play(&format!("alto-ahi {bot} random --set max_plies=4 --clock unlimited {options}"));
    assert_eq!(game.ending(), "decided by max_plies", "{}", game.ran.shown());
    place.is_empty_of_processes();
    place.stderr_of(0)
}

#[test]
fn a_bot_reads_its_own_folder_and_nothing_else() {
    let script = "cat mine/own elsewhere/secret >&2; cat /etc/passwd >&2; ls /tmp >&2; echo done >&2";
    let told = said(script, "");
    assert!(told.starts_with("own\n") && told.ends_with("done\n"), "{told}");
    assert_eq!(told.matches("Permission denied").count(), 3, "{told}");
    let told = said("cat elsewhere/secret >&2", "--read 0=elsewhere");
    assert_eq!(told, "told\n", "more only by configuration");
    let told = said("cat elsewhere/secret >&2", "--read 1=elsewhere");
    assert!(told.contains("Permission denied"), "what is granted to one is not granted to the other: {told}");
    assert_eq!(said("cat elsewhere/secret >&2", "--sandbox off"), "told\n", "without a sandbox it works");
}

#[test]
fn a_bot_writes_nowhere_unless_it_may() {
    let script = "for at in mine elsewhere /tmp /dev/shm; do (: >$at/new) 2>/dev/null && echo $at >&2; done";
    assert_eq!(said(script, ""), "");
    // Each user that is not root may still be kept out by the rights of the folder.
    let script = "mkdir made && : >made/new && echo made >&2";
    assert_eq!(said(script, "--write 0=."), "made\n");
    assert!(said(script, "").contains("Permission denied"));
    assert_eq!(said(script, "--sandbox off"), "made\n");
}

#[test]
fn a_bot_is_never_root_and_never_the_user_of_its_rival() {
    let place = Place::new();
    let one = place.bot("one", "ready; id -u >&2; play");
    let game = place.play(&format!("alto-ahi {one} {one} --set max_plies=4 --sandbox off"));
    assert_eq!(game.faults(), Vec::<String>::new());
    let uid =
        |seat| place.stderr_of(seat).trim().parse::<u32>().unwrap_or_else(|_| panic!("{}", place.stderr_of(seat)));
    assert_ne!(uid(0), 0);
    assert_eq!(uid(0) != uid(1), is_root(), "root can give each a user of its own");
    if !is_root() {
        println!("only root gives bots users of their own; the rest is for root");
        return;
    }
    let folder = place.path("closed");
    place.bot("closed/bot", "ready; play");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    for player in ["./closed/bot", "'sh closed/bot'"] {
        place.refuses(
            78,
            &format!("play alto-ahi {player} random"),
            &["never run as root", "closed on the way", "chmod o+rx"],
        );
    }
}

#[test]
fn what_the_machine_lacks_is_said_in_a_line_and_required_it_is_refused() {
    for (missing, word, in_force) in [
        ("landlock", "no Landlock", "seccomp"),
        ("seccomp,cgroup", "no seccomp", "landlock"),
        ("landlock,seccomp,cgroup", "; nor", "none"),
    ] {
        let place = Place::new();
        let with = |line: &str| {
            let mut command = place.command(line);
            command.env(PRETEND, missing).output().expect("the program starts")
        };
        let played = with("play alto-ahi greedy random --set max_plies=2 --log g.jsonl --json");
        let told = String::from_utf8_lossy(&played.stderr);
        let warnings: Vec<&str> = told.lines().filter(|line| !line.starts_with("ply ")).collect();
        assert_eq!((played.status.code(), warnings.len()), (Some(0), 1), "{told}");
        assert!(warnings[0].contains(word), "{told}");
        let header = place.logged("g.jsonl", "header").remove(0);
        let sandbox = header["host"]["sandbox"].as_str().unwrap();
        assert!(sandbox.starts_with(in_force), "{sandbox}");
        let ponder = header["host"]["ponder"].as_str().unwrap();
        assert_eq!(ponder.contains("best effort"), missing.contains("seccomp"), "{ponder}");
        let refused = with("play alto-ahi greedy random --sandbox require --log h.jsonl");
        let told = String::from_utf8_lossy(&refused.stderr);
        assert_eq!((refused.status.code(), told.lines().count()), (Some(78), 1), "{told}");
        assert!(told.contains(word) && told.contains("nothing was started"), "{told}");
        assert!(!place.path("h.jsonl").exists());
    }
}

#[test]
fn all_that_this_machine_has_is_in_force_by_default() {
    let place = Place::new();
    place.play("alto-ahi greedy random --set max_plies=2 --sandbox require");
    let header = place.logged("g.jsonl", "header").remove(0);
    let sandbox = header["host"]["sandbox"].as_str().unwrap();
    assert!(sandbox.starts_with("landlock ") && sandbox.contains("seccomp"), "{sandbox}");
    assert_eq!(sandbox.contains("a user for each bot"), is_root());
    assert_eq!(header["host"]["ponder"], json!("stop"));
}

#[test]
fn the_referee_keeps_its_seeds_to_itself() {
    use std::os::unix::fs::MetadataExt;
    let place = Place::new();
    let running = place.start("play alto-ahi 'random sleep=1s' random --sandbox off --log g.jsonl");
    running.family_of(4);
    // What the kernel takes out of its user's hands belongs to root.
    let owner = fs::metadata(format!("/proc/{}/environ", running.pid())).unwrap().uid();
    assert_eq!(owner, 0);
    if is_root() {
        println!("everything of root belongs to root: this tells something only for other users");
    }
}

#[test]
fn options_of_the_sandbox_that_make_no_sense_are_refused() {
    let place = Place::new();
    place.refuses(2, "play alto-ahi greedy random --read 2=.", &["--read 2=.", "number of the player"]);
    place.refuses(2, "play alto-ahi greedy random --write nets", &["--write nets", "number of the player"]);
    place.refuses(2, "play alto-ahi greedy random --network 2", &["--network 2"]);
    place.refuses(66, "play alto-ahi greedy random --read 0=missing", &["missing", "No such file"]);
    place.refuses(2, "play alto-ahi greedy random --sandbox maybe", &["maybe"]);
}

const NODE: &str = r#"const lines = require('readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'hello') console.log('{"type":"ready"}');
  if (message.type === 'turn') console.log(JSON.stringify({ type: 'move', turn: message.turn, move: message.legal[0] }));
});
"#;

const JAVA: &str = r#"import java.util.Scanner;
class Bot {
    public static void main(String[] words) {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String line = lines.nextLine();
            if (line.contains("\"hello\"")) System.out.println("{\"type\":\"ready\"}");
            if (!line.contains("\"type\":\"turn\"")) continue;
            String turn = line.split("\"turn\":")[1].split("[^0-9]")[0];
            String move = line.split("\"legal\":\\[\"")[1].split("\"")[0];
            System.out.println("{\"type\":\"move\",\"turn\":" + turn + ",\"move\":\"" + move + "\"}");
        }
    }
}
"#;

#[test]
fn interpreters_run_in_the_sandbox() {
    let place = Place::new();
    place.write("bot.js", NODE);
    place.write("Bot.java", JAVA);
    place.write("bot.py", "import sys, json, threading, random, ssl\nfor line in sys.stdin:\n    message = json.loads(line)\n    if message['type'] == 'hello':\n        print('{\"type\":\"ready\"}', flush=True)\n    if message['type'] == 'turn':\n        print(json.dumps({'type': 'move', 'turn': message['turn'], 'move': message['legal'][0]}), flush=True)\n");
    let shell = place.bot("bot.sh", "ready; while ask; do echo \"$move\" | cat >/dev/null; answer; done");
    let bash = format!("bash {shell}");
    for (program, command) in
        [("python3", "python3 bot.py"), ("node", "node bot.js"), ("java", "java Bot.java"), ("bash", bash.as_str())]
    {
        if !is_there(program) {
            continue;
        }
        let game = place
            .play(&format!("alto-ahi '{command}' random --set max_plies=6 --sandbox require --startup 60s --force"));
        assert_eq!((game.ending().as_str(), game.faults()), ("decided by max_plies", vec![]), "{}", game.ran.shown());
    }
}
