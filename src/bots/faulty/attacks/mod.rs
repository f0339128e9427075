//! What a bot must not be able to do: each attempt says on stderr whether it works, and the game goes on.
//!
//! `attack NAME: works` or `attack NAME: denied (why)`. What needs system calls for which there is no safe function is
//! tried by `bots-examples/faulty/raw.py`.

mod files;
mod network;
mod processes;

use std::io;

use super::{Mode, Scene, mode};

/// One attempt: its name, and what it does. It leaves everything as it was.
type Attempt<T> = (&'static str, fn(&T) -> io::Result<()>);

pub(super) const MODES: &[Mode] = &[
    mode(
        "attack-files",
        "reads, writes and changes what is not its own: /etc/passwd, at=FOLDER with a file secret in it",
        |scene| {
            let folder = scene.options.at.clone().unwrap_or_else(|| ".".to_owned());
            attack(scene, files::ATTEMPTS, &folder.into())
        },
    ),
    mode("attack-network", "listens, and connects to at=ADDRESS:PORT,/PATH/OF/SOCKET,@ABSTRACT-NAME", |scene| {
        let target = network::Target::read(scene.options.at.as_deref().unwrap_or("127.0.0.1:9"));
        attack(scene, network::ATTEMPTS, &target)
    }),
    mode("attack-processes", "looks into its rival, its keeper and the referee, and changes how they run", |scene| {
        attack(scene, processes::ATTEMPTS, &processes::Family::find())
    }),
    mode("stop-rival", "stops its rival by SIGSTOP", |scene| {
        attack(scene, processes::STOP_RIVAL, &processes::Family::find())
    }),
    mode("kill-rival", "kills its rival", |scene| attack(scene, processes::KILL_RIVAL, &processes::Family::find())),
    mode("kill-keeper", "kills the process that holds it", |scene| {
        attack(scene, processes::KILL_KEEPER, &processes::Family::find())
    }),
    mode("kill-referee", "kills the referee", |scene| {
        attack(scene, processes::KILL_REFEREE, &processes::Family::find())
    }),
];

fn attack<T>(scene: &mut Scene, attempts: &[Attempt<T>], target: &T) -> io::Result<()> {
    for (name, attempt) in attempts {
        match attempt(target) {
            Ok(()) => scene.note(format!("attack {name}: works"))?,
            Err(error) => scene.note(format!("attack {name}: denied ({error})"))?,
        }
    }
    scene.answer()
}
