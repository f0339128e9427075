//! A machine with more to do than it can: nobody loses on time for that.

use std::process::{Child, Command};
use std::sync::atomic::{AtomicUsize, Ordering};

use arbitro::chance::Hex32;
use arbitro::clock::{Span, TimeControl};
use arbitro::host::Confinement;
use arbitro::host::cores;
use arbitro::host::play::{Arena, Kept, Ponder, play};
use arbitro::protocol::limits::Limits;
use arbitro::record::entry::HeaderHost;
use arbitro::record::outcome::{GameResult, Reason};
use arbitro::record::writer::Writer;
use arbitro::referee::Setup;
use arbitro::seat::BySeat;
use arbitro::table::GameName;

use crate::support::{arbitro, program};

const GAMES: usize = 500;
const PLIES: usize = 8;
const MOVE_LIMIT: Span = Span::from_ms(50);

/// Two loops a processor that never end by themselves, killed when they are dropped.
struct Hogs(Vec<Child>);

impl Hogs {
    fn start(count: usize) -> Hogs {
        let hog = |_| Command::new("/bin/sh").args(["-c", "while :; do :; done"]).spawn().expect("there is a shell");
        Hogs((0..count).map(hog).collect())
    }
}

impl Drop for Hogs {
    fn drop(&mut self) {
        for hog in &mut self.0 {
            let _ = hog.kill();
            let _ = hog.wait();
        }
    }
}

/// Plays one game between bots that sleep so long before each answer; how it ended.
fn game(number: usize, sleep: &str) -> Reason {
    let argv = [arbitro().to_str().expect("a plain path"), "bot", "random", sleep];
    let arena = Arena {
        referee_exe: arbitro().to_owned(),
        programs: BySeat::from_fn(2, |_| program(&argv)),
        confinements: BySeat::from_fn(2, |_| Confinement::default()),
        ponder: Ponder::Stop,
        keep: false,
        groups: None,
    };
    let (master, name) = (Hex32::from_text("overload"), format!("game {number}"));
    let setup = Setup {
        game: GameName::AltoAhi,
        options: format!(r#"{{"max_plies":{PLIES}}}"#),
        players: BySeat::from_fn(2, |seat| format!("bot {seat}")),
        game_seed: master.of_game(&name),
        bot_seeds: BySeat::from_fn(2, |seat| master.of_bot(&name, seat)),
        game_id: name.clone(),
        luck_id: name,
        guessable_seed: true,
        clock: TimeControl {
            bank: None,
            increment: Span::ZERO,
            move_limit: Some(MOVE_LIMIT),
            ..TimeControl::default()
        },
        limits: Limits::default(),
        opening: Vec::new(),
        host: HeaderHost::default(),
    };
    let mut kept = BySeat::from_fn(2, |_| Kept::default());
    let mut log = Writer::new(Vec::new());
    let finished = play(&arena, setup, &mut kept, &mut log, None, &mut |_| {}).expect("the game is played");
    assert!(finished.clean, "{:?}", finished.faults);
    if finished.end.outcome.reason == Reason::Faults {
        println!("game {number}: {:?}", finished.faults);
    }
    finished.end.outcome.reason
}

/// Plays all games, as many at once as there are processors; how many ended by a fault, and how many were void.
fn count(sleep: &str, games: usize) -> (usize, usize) {
    let next = AtomicUsize::new(0);
    let cores = cores::allowed().expect("there are processors");
    let reasons: Vec<Reason> = std::thread::scope(|scope| {
        let workers: Vec<_> = cores
            .iter()
            .map(|&core| {
                scope.spawn({
                    let next = &next;
                    move || {
                        cores::pin(&[core]).expect("it may be used");
                        cores::wake_exactly().expect("it is this thread");
                        let mut reasons = Vec::new();
                        while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&n| n < games) {
                            reasons.push(game(number, sleep));
                        }
                        reasons
                    }
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("its games are played")).collect()
    });
    let faults = reasons.iter().filter(|&&reason| reason == Reason::Faults).count();
    let void = reasons.iter().filter(|reason| reason.result() == GameResult::Void).count();
    println!("{games} games, {sleep}: {faults} lost on time, {void} void");
    (faults, void)
}

#[test]
#[ignore = "slow: a minute and a half"]
fn nobody_loses_on_time_because_the_machine_is_busy() {
    let _hogs = Hogs::start(2 * cores::allowed().expect("there are processors").len());
    // The bots sleep 30 % of what they have.
    // How many are void depends on how busy the machine is otherwise: they are counted, and would be played again.
    let (lost, void) = count("sleep=15ms", GAMES);
    assert!(lost == 0 && void < GAMES, "{lost} lost on time, {void} void");
    // What is too slow loses here too, so that the test could tell.
    let (lost, void) = count("sleep=80ms", 20);
    assert!(lost > 0 && lost + void == 20, "{lost} lost on time, {void} void");
}
