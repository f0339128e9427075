//! Which steps are open between the squares of a board, and searches along them by floods of whole sets of squares.
//!
//! It knows neither pawns nor seats: only squares, the barriers between them, and sets to reach.

use arrayvec::ArrayVec;

use super::grid::{Barrier, BarrierSet, Grid, Heading, Lie, MAX_SIZE, STRIDE};

/// The steps that are open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ways {
    /// The squares from which a step up meets neither barrier nor edge.
    up: u128,
    /// The squares from which a step to the right does not.
    right: u128,
}

impl Ways {
    /// All steps on a board without barriers.
    pub fn of(grid: &Grid) -> Ways {
        Ways {
            up: grid.board & !grid.edge[Heading::Up as usize],
            right: grid.board & !grid.edge[Heading::Right as usize],
        }
    }

    /// Closes the steps that a barrier stops.
    pub fn close(&mut self, barrier: Barrier) {
        match barrier.lie() {
            Lie::Horizontal => self.up &= !barrier.stops(),
            Lie::Vertical => self.right &= !barrier.stops(),
        }
    }

    /// Opens the steps that a barrier stopped. No other barrier stops them too, since barriers do not overlap.
    pub fn open(&mut self, barrier: Barrier) {
        match barrier.lie() {
            Lie::Horizontal => self.up |= barrier.stops(),
            Lie::Vertical => self.right |= barrier.stops(),
        }
    }

    /// These ways with the steps closed that a barrier stops.
    #[must_use]
    pub fn closed_by(mut self, barrier: Barrier) -> Ways {
        self.close(barrier);
        self
    }

    /// The squares one step from these in a direction.
    pub fn step(&self, from: u128, heading: Heading) -> u128 {
        match heading {
            Heading::Up => (from & self.up) << STRIDE,
            Heading::Right => (from & self.right) << 1,
            Heading::Down => from >> STRIDE & self.up,
            Heading::Left => from >> 1 & self.right,
        }
    }

    /// Whether some square of `goal` can be reached from one of `from`.
    pub fn reach(&self, from: u128, goal: u128) -> bool {
        let mut reached = from;
        loop {
            let sideways = reached | (reached & self.right) << 1 | reached >> 1 & self.right;
            let further = sideways | (sideways & self.up) << STRIDE | sideways >> STRIDE & self.up;
            if further & goal != 0 {
                return true;
            }
            if further == reached {
                return false;
            }
            reached = further;
        }
    }

    /// The number of steps from `from` to the nearest square of `goal`; none if there is no way.
    pub fn distance(&self, from: u128, goal: u128) -> Option<u32> {
        let mut reached = from;
        let mut steps = 0;
        while reached & goal == 0 {
            let further = self.spread(reached);
            if further == reached {
                return None;
            }
            reached = further;
            steps += 1;
        }
        Some(steps)
    }

    /// Those barriers of `doubtful` that would close every way from the square `from` to `goal`.
    ///
    /// Only a barrier across a shortest path can do so, and then it is enough to find a way round it: from the path before
    /// it to any square that is nearer to the goal than the farther ends of both steps that the barrier stops, since no
    /// shortest path from there leads over one of them.
    ///
    /// # Panics
    /// If there is no way from `from` to `goal` now.
    pub fn cutting(&self, from: u128, goal: u128, doubtful: BarrierSet) -> BarrierSet {
        let mut within = self.within(from, goal);
        let [mut square, mut before] = [from; 2];
        let mut unsearched = doubtful;
        let mut cutting = BarrierSet::EMPTY;
        while let Some(&nearer) = within.last() {
            let (next, stoppers) = self.quietest_step(square, nearer, unsearched);
            for barrier in stoppers {
                unsearched = unsearched.minus(barrier.set());
                if !self.closed_by(barrier).reach(before, behind(barrier, &within)) {
                    cutting = cutting.or(barrier.set());
                }
            }
            within.pop();
            before |= next;
            square = next;
        }
        cutting
    }

    /// The barriers that would stop a step of one shortest way from the square `from` to `goal`: no other can make that
    /// way longer.
    ///
    /// # Panics
    /// If there is no way from `from` to `goal`.
    pub fn across(&self, from: u128, goal: u128) -> BarrierSet {
        const ALL: BarrierSet = BarrierSet { horizontal: u64::MAX, vertical: u64::MAX };
        let mut square = from;
        self.within(from, goal).into_iter().rev().fold(BarrierSet::EMPTY, |across, nearer| {
            let (next, stoppers) = self.quietest_step(square, nearer, ALL);
            square = next;
            across.or(stoppers)
        })
    }

    /// The squares within 0, 1, 2, … steps of the goal, until the next would reach the square `from`.
    fn within(&self, from: u128, goal: u128) -> ArrayVec<u128, { MAX_SIZE * MAX_SIZE }> {
        let mut within = ArrayVec::new();
        let mut reached = goal;
        while reached & from == 0 {
            within.push(reached);
            let further = self.spread(reached);
            assert!(further != reached, "there is a way to the goal");
            reached = further;
        }
        within
    }

    /// A step from a square into `nearer`, one that no barrier of `doubtful` could stop if there is such a step, and the
    /// barriers of `doubtful` that could stop it.
    fn quietest_step(&self, square: u128, nearer: u128, doubtful: BarrierSet) -> (u128, BarrierSet) {
        let mut chosen = (0, BarrierSet::EMPTY);
        for heading in Heading::ALL {
            let next = self.step(square, heading) & nearer;
            if next != 0 {
                chosen = (next, stoppers(square, next, heading).and(doubtful));
                if chosen.1.is_empty() {
                    break;
                }
            }
        }
        chosen
    }

    /// These squares and all that are one step from one of them.
    fn spread(&self, squares: u128) -> u128 {
        Heading::ALL.into_iter().fold(squares, |spread, heading| spread | self.step(squares, heading))
    }
}

/// The squares that are nearer to the goal than the farther end of each step that the barrier stops, or the goal alone:
/// the greatest set of `within`, which grow, that holds no such step whole. The last set of `within` holds one end only
/// of one of them.
fn behind(barrier: Barrier, within: &[u128]) -> u128 {
    let [one, other] = barrier.stopped_steps();
    let holds_none = |&&squares: &&u128| squares & one != one && squares & other != other;
    within.iter().rev().find(holds_none).copied().unwrap_or(within[0])
}

/// The barriers that would stop a step between two squares.
fn stoppers(square: u128, next: u128, heading: Heading) -> BarrierSet {
    let first = (square | next).trailing_zeros() as usize;
    match heading {
        Heading::Up | Heading::Down => BarrierSet { horizontal: STOP_UP[first], vertical: 0 },
        Heading::Right | Heading::Left => BarrierSet { horizontal: 0, vertical: STOP_RIGHT[first] },
    }
}

/// The anchors of the horizontal barriers that stop a step up from each square.
static STOP_UP: [u64; MAX_SIZE * STRIDE as usize] = anchors_beside(1, 0);

/// The anchors of the vertical barriers that stop a step to the right from each square.
static STOP_RIGHT: [u64; MAX_SIZE * STRIDE as usize] = anchors_beside(0, 1);

/// For each square, its own anchor and the one so many files and ranks before it, where there are such.
const fn anchors_beside(files: usize, ranks: usize) -> [u64; MAX_SIZE * STRIDE as usize] {
    let mut anchors = [0; MAX_SIZE * STRIDE as usize];
    let mut file = 0;
    while file < MAX_SIZE {
        let mut rank = 0;
        while rank < MAX_SIZE {
            let square = rank * STRIDE as usize + file;
            if file < 8 && rank < 8 {
                anchors[square] |= 1 << (rank * 8 + file);
            }
            if file >= files && rank >= ranks && file - files < 8 && rank - ranks < 8 {
                anchors[square] |= 1 << ((rank - ranks) * 8 + file - files);
            }
            rank += 1;
        }
        file += 1;
    }
    anchors
}
