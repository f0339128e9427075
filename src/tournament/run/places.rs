//! How many games run at once, and on which processors each of them is kept.

use std::io;

use crate::host::cores;
use crate::host::player::{DESCRIPTORS, DESCRIPTORS_TO_START, raise_descriptors};
use crate::host::sandbox::users;

/// How many descriptors a referee holds besides those of its games: its own, the folder's, and those of logs that wait
/// for the disk.
const OWN: u64 = 32 + super::GROUP as u64;

/// How many games are wanted at once, and how they are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// How many games; as many as this machine takes, if it is not said.
    pub games: Option<usize>,
    /// On how many processors a game and its bots are kept.
    pub cores_per_game: usize,
    /// Whether they are kept on them at all.
    pub pin: bool,
}

/// What one game needs at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// How many bots play.
    pub seats: usize,
    /// How many games a set has.
    pub games_each: usize,
    /// Whether processes are kept for another set.
    pub keep: bool,
}

/// Where games can be played at once, each with the processors that it is kept on; none where they are not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places(pub Vec<Vec<usize>>);

/// Why so many games cannot run at once.
#[derive(Debug, thiserror::Error)]
pub enum TooMany {
    /// The system does not tell.
    #[error("the referee cannot find out how many games it can play at once: {0}")]
    Unknown(#[from] io::Error),
    /// The limit on open files.
    #[error(
        "{wanted} games at once need {needed} open files, and this process may have {allowed}: {}, or raise the limit \
         (ulimit -n)", possible_words(*.possible)
    )]
    OpenFiles {
        /// How many games are wanted.
        wanted: usize,
        /// How many open files they need.
        needed: u64,
        /// How many there may be.
        allowed: u64,
        /// How many games are possible.
        possible: usize,
    },
    /// The users that bots of root get.
    #[error("{wanted} games at once need {needed} users for their bots, and there are {}: {}", users::MOST, possible_words(*.possible))]
    Users {
        /// How many games are wanted.
        wanted: usize,
        /// How many users they need.
        needed: usize,
        /// How many games are possible.
        possible: usize,
    },
}

fn possible_words(possible: usize) -> String {
    match possible {
        0 => "not even one is possible".to_owned(),
        possible => format!("ask for at most {possible}"),
    }
}

impl Needs {
    /// How many descriptors a game holds: the logs of its set, those of the set before it until they are counted, and
    /// its bots.
    fn descriptors(self) -> u64 {
        // A bot of root holds a user, and a control group may be open for a moment.
        let bot = DESCRIPTORS + 2;
        let sets_of_bots = if self.keep { self.games_each } else { 1 };
        (2 * self.games_each + self.seats * bot * sets_of_bots) as u64
    }

    /// How many descriptors so many games hold; only so many start at once as there are processors.
    fn of_all(self, games: usize, processors: usize) -> u64 {
        let starting = games.min(processors) * self.seats * DESCRIPTORS_TO_START;
        OWN + games as u64 * self.descriptors() + starting as u64
    }

    /// How many games there can be with so many descriptors.
    fn possible(self, descriptors: u64, processors: usize) -> usize {
        let most = (descriptors / self.descriptors()) as usize;
        // What starts takes more while there are few games, so the answer is near, and below.
        (0..=most).rev().find(|&games| games == 0 || self.of_all(games, processors) <= descriptors).unwrap_or(0)
    }
}

impl Places {
    /// The places on this machine. The limit on open files is raised as far as this process may.
    ///
    /// # Errors
    /// When more games are wanted than can run at once, or not even one can.
    pub fn find(wanted: Wanted, needs: Needs) -> Result<Places, TooMany> {
        let allowed = cores::allowed()?;
        let fitting = (allowed.len() / wanted.cores_per_game.max(1)).max(1);
        let games = wanted.games.unwrap_or(fitting);
        let descriptors = raise_descriptors(needs.of_all(games, allowed.len()));
        let users = users::are_needed().then_some(users::MOST);
        let games = at_once(wanted.games, games, needs, allowed.len(), descriptors, users)?;
        Ok(Places(spread(games, wanted, &allowed)))
    }
}

/// How many games run at once: as many as wanted, or as fit if it was not said how many.
fn at_once(
    wanted: Option<usize>,
    games: usize,
    needs: Needs,
    processors: usize,
    descriptors: u64,
    users: Option<usize>,
) -> Result<usize, TooMany> {
    let possible = needs.possible(descriptors, processors);
    if possible == 0 || wanted.is_some_and(|wanted| wanted > possible) {
        let needed = needs.of_all(games, processors);
        return Err(TooMany::OpenFiles { wanted: games, needed, allowed: descriptors, possible });
    }
    let served = users.map_or(usize::MAX, |users| users / needs.seats);
    if wanted.is_some_and(|wanted| wanted > served) {
        return Err(TooMany::Users { wanted: games, needed: games * needs.seats, possible: served });
    }
    Ok(games.min(possible).min(served))
}

/// The processors of each game: in turn, so that all are used, and shared if there are more games than that.
fn spread(games: usize, wanted: Wanted, allowed: &[usize]) -> Vec<Vec<usize>> {
    let each = if wanted.pin { wanted.cores_per_game.clamp(1, allowed.len()) } else { 0 };
    let of_game = |game: usize| {
        let mut cores: Vec<usize> = (0..each).map(|core| allowed[(game * each + core) % allowed.len()]).collect();
        cores.sort_unstable();
        cores
    };
    (0..games).map(of_game).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: Needs = Needs { seats: 2, games_each: 2, keep: false };

    fn games(wanted: Option<usize>, descriptors: u64, users: Option<usize>) -> Result<usize, String> {
        at_once(wanted, wanted.unwrap_or(8), TWO, 2, descriptors, users).map_err(|error| error.to_string())
    }

    #[test]
    fn as_many_games_as_wanted_or_a_line_that_says_how_many_are_possible() {
        assert_eq!(games(Some(500), 20_000, None), Ok(500));
        let said = games(Some(500), 256, None).expect_err("too many");
        let possible = TWO.possible(256, 2);
        assert_eq!(
            said,
            format!(
                "500 games at once need {} open files, and this process may have 256: ask for at most {possible}, or \
                 raise the limit (ulimit -n)",
                TWO.of_all(500, 2)
            )
        );
        assert_eq!(games(Some(possible), 256, None), Ok(possible));
        assert!(possible >= 2 && TWO.of_all(possible, 2) <= 256 && TWO.of_all(possible + 1, 2) > 256, "{possible}");
        assert!(games(None, 20, None).expect_err("too few").contains("not even one is possible"));
    }

    #[test]
    fn where_it_is_not_said_how_many_as_many_as_fit() {
        assert_eq!(games(None, 20_000, None), Ok(8));
        assert_eq!(games(None, 256, None), Ok(TWO.possible(256, 2).min(8)));
        assert_eq!(games(None, 20_000, Some(7)), Ok(3));
        let said = games(Some(4), 20_000, Some(7)).expect_err("too many");
        assert!(
            said.starts_with("4 games at once need 8 users for their bots") && said.ends_with("at most 3"),
            "{said}"
        );
    }

    #[test]
    fn kept_processes_need_more() {
        let kept = Needs { keep: true, ..TWO };
        assert_eq!((TWO.descriptors(), kept.descriptors()), (4 + 12, 4 + 24));
    }

    #[test]
    fn games_are_spread_over_the_processors() {
        let of = |games, cores_per_game, pin| spread(games, Wanted { games: None, cores_per_game, pin }, &[0, 2, 4, 6]);
        assert_eq!(of(5, 1, true), [vec![0], vec![2], vec![4], vec![6], vec![0]]);
        assert_eq!(of(3, 2, true), [[0, 2], [4, 6], [0, 2]]);
        assert_eq!(of(2, 3, true), [[0, 2, 4], [0, 2, 6]]);
        assert_eq!(of(1, 9, true), [[0, 2, 4, 6]]);
        assert_eq!(of(2, 1, false), [[0; 0], [0; 0]]);
    }
}
