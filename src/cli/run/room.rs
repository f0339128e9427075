//! How many games this machine plays at once.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::cli::failure::{Failure, Kind};
use crate::host::cores;
use crate::tournament::cup::Cup;

/// How many descriptors of the referee's own a bot takes: its pipes, its keeper, its control group.
const DESCRIPTORS_A_BOT: u64 = 8;

/// How many a game takes besides: its log, and what wakes it.
const DESCRIPTORS_A_GAME: u64 = 6;

/// How many the rest takes.
const DESCRIPTORS_BESIDES: u64 = 64;

/// Where games are played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Room {
    /// The processors that may be used.
    pub cores: Vec<usize>,
    /// How many games run at once.
    pub at_once: usize,
}

impl Room {
    /// The room for games, where so many were asked for; `sets_of` games of a set keep their programs at the same time.
    ///
    /// # Errors
    /// When there are not descriptors enough for what was asked for, or the system does not say.
    pub fn find(cup: &Cup, asked: u32, sets_of: usize) -> Result<Room, Failure> {
        let cores = cores::allowed().map_err(|error| {
            Failure::new(Kind::Io, format!("the system does not say what processors there are: {error}"))
        })?;
        let programs = if cup.run.reuse > 0 { cup.seats * sets_of } else { cup.seats } as u64;
        let each = programs * DESCRIPTORS_A_BOT + DESCRIPTORS_A_GAME;
        let most = (descriptors().saturating_sub(DESCRIPTORS_BESIDES) / each) as usize;
        if most == 0 || asked as usize > most {
            let words = format!(
                "this process may have descriptors for {most} games at once, and {} are asked for: raise the limit \
                 (ulimit -n), or lower `concurrency`",
                asked.max(1)
            );
            return Err(Failure::new(Kind::Config, words));
        }
        let of_cores = (cores.len() / cup.run.cores_per_game as usize).max(1);
        let at_once = if asked == 0 { of_cores.min(most) } else { asked as usize };
        if cup.run.pin && at_once > of_cores {
            tracing::warn!(
                "{at_once} games at once on {} processors: bots wait for each other, and may lose by it",
                cores.len()
            );
        }
        Ok(Room { cores, at_once })
    }
}

/// How many descriptors this process may have: as many as it may ask for.
fn descriptors() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.unwrap_or(1 << 20);
    if limit.current.is_some_and(|current| current < most) {
        let raised = Rlimit { current: Some(most), maximum: limit.maximum };
        if setrlimit(Resource::Nofile, raised).is_err() {
            return limit.current.unwrap_or(most);
        }
    }
    most
}
