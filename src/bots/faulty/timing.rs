//! Too late, in all ways that there are.

use std::hint::black_box;
use std::io;
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use rustix::process::{Signal, getpid, kill_process};

use super::super::wire::Question;
use super::{LONG, Mode, Scene, hang, mode};

pub(super) const MODES: &[Mode] = &[
    mode("silent", "writes nothing any more", |_| {
        hang();
        Ok(())
    }),
    mode("busy", "keeps its processor busy and writes nothing any more", |_| {
        spin();
        Ok(())
    }),
    mode("stopped", "stops itself by SIGSTOP", |_| Ok(kill_process(getpid(), Signal::STOP)?)),
    mode("chatty", "writes an empty line every 50 ms instead of an answer", chat),
    mode("late", "answers 200 ms after its time is over", |scene| {
        sleep(time_to_answer(scene) + Duration::from_millis(200));
        scene.answer()
    }),
    mode("slow", "takes a second for this answer, if it has the time for it or not", |scene| {
        sleep(Duration::from_secs(1));
        scene.answer()
    }),
    mode("unended", "leaves the line end of its answer out", |scene| {
        scene.say(scene.bare_answer())?;
        hang();
        Ok(())
    }),
    mode("dribble", "writes its answer one byte every 100 ms", dribble),
    mode("wrong-turn", "answers with the number of another turn", |scene| {
        let (turn, token) = scene.own_move();
        scene.say(format!("{{\"type\":\"move\",\"turn\":{},\"move\":\"{token}\"}}\n", turn + 1000))
    }),
    mode("ponder", "answers, and keeps its processor busy while others think", |scene| {
        spawn(spin);
        scene.answer()
    }),
];

fn spin() {
    let began = Instant::now();
    while began.elapsed() < LONG {
        black_box(());
    }
}

fn chat(scene: &mut Scene) -> io::Result<()> {
    let began = Instant::now();
    while began.elapsed() < LONG {
        scene.say("\n")?;
        sleep(Duration::from_millis(50));
    }
    Ok(())
}

fn dribble(scene: &mut Scene) -> io::Result<()> {
    for byte in scene.answer {
        scene.say([*byte])?;
        sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// The time that the question gives; two seconds where it gives none.
fn time_to_answer(scene: &Scene) -> Duration {
    let given = Question::read(scene.question).ok().and_then(|question| question.clock.move_ms);
    given.map_or(Duration::from_secs(2), |ms| Duration::from_secs_f64(ms / 1000.0).min(LONG))
}
