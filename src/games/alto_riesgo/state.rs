//! The position, packed: [`Core`], a plain value that a search copies and plays on.
//!
//! It knows the whole rule but no text and no random source: throws come in as counts of faces.

use super::dice::Throw;
use super::notation::Move;
use super::options::{MAX_CLIMBERS, Rules, TieNext};
use crate::game::{EndReason, Ranking};
use crate::seat::{MAX_SEATS, Seat, SeatSet};

/// Where a turn stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The dice of [`Core::danger`] are to be thrown.
    Dice,
    /// The seat of [`Core::to_move`] decides.
    Choice,
    /// The game is over.
    Over(EndReason),
}

/// Where a climb would end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Landing {
    /// The zone that the climber reaches.
    pub to: u8,
    /// The climber that it knocks off a cliff there, if there is one.
    pub knocked: Option<Knock>,
}

/// A climber that another one knocks off a cliff.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Knock {
    /// Whose climber it is; the climbing seat's own one falls as well.
    pub seat: Seat,
    /// The zone that it drops to.
    pub to: u8,
}

/// Which rule a move or an outcome of the dice breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// A move after the end.
    #[error("the game is over")]
    Over,
    /// A move while the dice are to be thrown.
    #[error("the dice are to be thrown first: no seat is asked now")]
    DiceFirst,
    /// `roll` with no die left.
    #[error(
        "all dice are set aside, so none is left to roll: this turn ends with a climb, or with stop without ascents"
    )]
    NoDice,
    /// `stop` with ascents.
    #[error("ascents are set aside ({ascents}) and a climb cannot be declined: play climb-Z for one of your climbers")]
    MustClimb {
        /// The ascents set aside.
        ascents: u8,
    },
    /// `climb-Z` without ascents.
    #[error("no ascent is set aside, so nobody climbs: the turn ends with stop")]
    NoAscents,
    /// A zone above the Summit.
    #[error("there is no zone {zone}: the Summit is zone {summit}")]
    NoSuchZone {
        /// The zone of the move.
        zone: u8,
        /// The highest zone.
        summit: u8,
    },
    /// A climber that has arrived.
    #[error("a climber on the Summit has arrived and climbs no more")]
    OnSummit,
    /// A zone without an own climber.
    #[error("you have no climber on zone {zone}")]
    NobodyThere {
        /// The zone of the move.
        zone: u8,
    },
    /// An outcome of dice that are not due.
    #[error("no dice are to be thrown now")]
    NoThrowDue,
    /// An outcome with another number of dice.
    #[error("{due} dice are to be thrown, and the outcome shows {found}")]
    DiceCount {
        /// The dice to be thrown.
        due: u8,
        /// The dice of the outcome.
        found: u8,
    },
}

/// The position with the rules it is played by: small, plain, and enough to play on from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Core {
    pub(super) rules: Rules,
    /// The zones of each seat's climbers, the highest first; 0 behind the last climber, and for a seat that is out.
    pub(super) climbers: [[u8; MAX_CLIMBERS]; MAX_SEATS],
    /// The cliffs that are taken: always a subset of the cliffs.
    pub(super) taken: u32,
    pub(super) turns: u32,
    pub(super) seats: u8,
    pub(super) seats_in: SeatSet,
    pub(super) to_move: Seat,
    pub(super) danger: u8,
    pub(super) ascents: u8,
    pub(super) phase: Phase,
}

impl Core {
    /// The start of a game: all climbers in Basecamp, seat 0 about to throw.
    ///
    /// # Panics
    /// If no game has this number of seats.
    pub fn new(rules: Rules, seats: usize) -> Core {
        Core {
            rules,
            climbers: [[0; MAX_CLIMBERS]; MAX_SEATS],
            taken: 0,
            turns: 0,
            seats: seats as u8,
            seats_in: SeatSet::first(seats),
            to_move: Seat::new(0),
            danger: rules.dice(),
            ascents: 0,
            phase: Phase::Dice,
        }
    }

    /// The rules it is played by.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many seats the game started with.
    pub const fn seats(&self) -> usize {
        self.seats as usize
    }

    /// The seats still in.
    pub const fn seats_in(&self) -> SeatSet {
        self.seats_in
    }

    /// The seat whose turn it is; after the end the one whose turn was the last.
    pub const fn to_move(&self) -> Seat {
        self.to_move
    }

    /// Where the turn stands.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The turns that have ended.
    pub const fn turns(&self) -> u32 {
        self.turns
    }

    /// The dice that are not set aside: the ones to be thrown, or that may be rolled again.
    pub const fn danger(&self) -> u8 {
        self.danger
    }

    /// The ascents set aside in this turn.
    pub const fn ascents(&self) -> u8 {
        self.ascents
    }

    /// The weather dice set aside in this turn.
    pub const fn weather(&self) -> u8 {
        self.rules.dice() - self.danger - self.ascents
    }

    /// The cliffs that are taken, as a set of zones: zone 0 is the lowest bit.
    pub const fn taken(&self) -> u32 {
        self.taken
    }

    /// The zones of a seat's climbers, the highest first; empty for a seat that is out.
    pub fn climbers(&self, seat: Seat) -> &[u8] {
        let count = if self.seats_in.contains(seat) { self.rules.climbers() } else { 0 };
        &self.climbers[seat.index()][..usize::from(count)]
    }

    /// How many climbers of a seat stand on the Summit.
    pub fn on_summit(&self, seat: Seat) -> u8 {
        self.climbers(seat).iter().filter(|&&zone| zone == self.rules.summit()).count() as u8
    }

    /// Whether all climbers of a seat stand on the Summit: of a seat that is out, none does.
    pub fn has_arrived(&self, seat: Seat) -> bool {
        self.climbers(seat).last() == Some(&self.rules.summit())
    }

    /// The sum of the zones of a seat's climbers.
    pub fn progress(&self, seat: Seat) -> u8 {
        self.climbers(seat).iter().sum()
    }

    /// The zones that a seat's climbers have yet to climb, all together.
    pub fn distance(&self, seat: Seat) -> u8 {
        self.climbers(seat).iter().map(|zone| self.rules.summit() - zone).sum()
    }

    /// The zones on which a seat has climbers below the Summit, as a set: zone 0 is the lowest bit.
    pub fn zones(&self, seat: Seat) -> u32 {
        self.climbers(seat).iter().fold(0, |zones, zone| zones | 1 << zone) & !(1 << self.rules.summit())
    }

    /// The zones from which the seat to move may climb now, as a set: empty where it can only `stop`, or is not asked.
    pub fn may_climb_from(&self) -> u32 {
        match self.phase {
            Phase::Choice if self.ascents > 0 => self.zones(self.to_move),
            _ => 0,
        }
    }

    /// Whether the seat to move may roll.
    pub fn may_roll(&self) -> bool {
        self.phase == Phase::Choice && self.danger > 0
    }

    /// Whether the seat to move may stop.
    pub fn may_stop(&self) -> bool {
        self.phase == Phase::Choice && self.ascents == 0
    }

    /// The number of legal moves.
    pub fn count_legal(&self) -> u32 {
        self.may_climb_from().count_ones() + u32::from(self.may_roll()) + u32::from(self.may_stop())
    }

    /// Calls `each` with every legal move: `roll`, then `stop`, then climbs from the lowest zone up.
    pub fn each_legal(&self, mut each: impl FnMut(Move)) {
        if self.may_roll() {
            each(Move::Roll);
        }
        if self.may_stop() {
            each(Move::Stop);
        }
        let mut zones = self.may_climb_from();
        while zones != 0 {
            each(Move::Climb(zones.trailing_zeros() as u8));
            zones &= zones - 1;
        }
    }

    /// Whether the move is legal.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub fn check(&self, mv: Move) -> Result<(), Illegal> {
        let summit = self.rules.summit();
        match (self.phase, mv) {
            (Phase::Over(_), _) => Err(Illegal::Over),
            (Phase::Dice, _) => Err(Illegal::DiceFirst),
            (Phase::Choice, Move::Roll) if self.danger == 0 => Err(Illegal::NoDice),
            (Phase::Choice, Move::Roll) => Ok(()),
            (Phase::Choice, Move::Stop) if self.ascents > 0 => Err(Illegal::MustClimb { ascents: self.ascents }),
            (Phase::Choice, Move::Stop) => Ok(()),
            (Phase::Choice, Move::Climb(_)) if self.ascents == 0 => Err(Illegal::NoAscents),
            (Phase::Choice, Move::Climb(zone)) if zone > summit => Err(Illegal::NoSuchZone { zone, summit }),
            (Phase::Choice, Move::Climb(zone)) if !self.climbers(self.to_move).contains(&zone) => {
                Err(Illegal::NobodyThere { zone })
            }
            (Phase::Choice, Move::Climb(zone)) if zone == summit => Err(Illegal::OnSummit),
            (Phase::Choice, Move::Climb(_)) => Ok(()),
        }
    }

    /// Where the climber of the seat to move that stands on `from` would end, with the ascents set aside now.
    ///
    /// It means nothing for a zone that is not in [`Core::may_climb_from`].
    pub fn landing(&self, from: u8) -> Landing {
        let to = (from + self.ascents).min(self.rules.summit());
        let others = self.taken & !(1 << from);
        let knocked = (others >> to & 1 != 0).then(|| Knock { seat: self.owner(to), to: open_below(others, to) });
        Landing { to, knocked }
    }

    /// From which zone to which a seat's highest climber below the Summit would fall now; nothing where nobody would.
    pub fn fall(&self, seat: Seat) -> Option<(u8, u8)> {
        let mut below = self.climbers(seat).iter().copied().skip_while(|&zone| zone == self.rules.summit());
        let from = below.next().filter(|&zone| zone > 0)?;
        let next = match self.rules.tie_next() {
            TieNext::SameZone => below.next(),
            TieNext::LowerOnly => below.find(|&zone| zone < from),
        };
        // Without a next climber, or with one in Basecamp only, the fall ends in Basecamp.
        Some((from, next.filter(|&zone| zone > 0).map_or(0, |zone| open_below(self.taken, zone))))
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// If it is not legal.
    pub fn play(&mut self, mv: Move) {
        if let Err(illegal) = self.check(mv) {
            panic!("{mv:?} is not legal: {illegal}");
        }
        match mv {
            Move::Roll => self.phase = Phase::Dice,
            Move::Stop => self.end_turn(self.danger == 0),
            Move::Climb(from) => {
                self.climb(from);
                self.end_turn(self.danger == 0);
            }
        }
    }

    /// Plays the throw that is due, [`Core::danger`] dice.
    ///
    /// # Panics
    /// If none is due, or it is of more dice.
    pub fn throw(&mut self, throw: Throw) {
        let aside = throw.ascents + throw.weather;
        assert!(self.phase == Phase::Dice && aside <= self.danger, "{throw:?} is not due");
        if aside == 0 {
            if let Some((from, to)) = self.fall(self.to_move) {
                self.replace(self.to_move, from, to);
                self.taken = self.taken & !(1 << from) | self.rules.cliffs() & 1 << to;
            }
            self.end_turn(false);
        } else {
            self.danger -= aside;
            self.ascents += throw.ascents;
            self.phase = Phase::Choice;
        }
    }

    /// Takes a seat out, with its climbers. Its turn, if it is under way, counts and ends with nothing else; a turn
    /// before its first throw is skipped and does not count.
    ///
    /// # Panics
    /// If the seat is not in, if fewer than two others are, or if the game is over.
    pub fn leave(&mut self, seat: Seat) {
        assert!(!matches!(self.phase, Phase::Over(_)), "nobody leaves a game that is over");
        assert!(self.seats_in.contains(seat) && self.seats_in.len() > 2, "a seat that leaves leaves two others");
        self.taken &= !self.zones(seat);
        self.climbers[seat.index()] = [0; MAX_CLIMBERS];
        self.seats_in = self.seats_in.without(seat);
        if seat != self.to_move {
            return;
        }
        match self.danger == self.rules.dice() {
            true => self.to_move = self.next_seat(),
            false => self.end_turn(false),
        }
    }

    /// The order of the seats still in: the winner, if there is one, and then by climbers on the Summit and the sum of zones.
    pub fn ranking(&self) -> Ranking {
        let mut ranking = Ranking::default();
        let mut rest = self.seats_in;
        if self.phase == Phase::Over(EndReason::Goal) {
            ranking.push(SeatSet::only(self.to_move));
            rest = rest.without(self.to_move);
        }
        let others = Ranking::by_score(rest, |seat| (self.on_summit(seat), self.progress(seat)));
        others.groups().for_each(|group| ranking.push(group));
        ranking
    }

    /// Moves a climber of the seat to move up by the ascents set aside, and what it knocks off down.
    fn climb(&mut self, from: u8) {
        let Landing { to, knocked } = self.landing(from);
        let mut arrivals = 1 << to;
        if let Some(knock) = knocked {
            self.replace(knock.seat, to, knock.to);
            arrivals |= 1 << knock.to;
        }
        self.replace(self.to_move, from, to);
        self.taken = self.taken & !(1 << from) | self.rules.cliffs() & arrivals;
    }

    /// Ends the turn: by a win, by the limit of turns, or by the next turn, which is the same seat's if it plays `again`.
    fn end_turn(&mut self, again: bool) {
        self.turns += 1;
        self.danger = self.rules.dice();
        self.ascents = 0;
        self.phase = if self.has_arrived(self.to_move) {
            Phase::Over(EndReason::Goal)
        } else if self.turns == self.rules.max_turns() {
            Phase::Over(EndReason::MaxTurns)
        } else {
            self.to_move = if again { self.to_move } else { self.next_seat() };
            Phase::Dice
        };
    }

    fn next_seat(&self) -> Seat {
        self.seats_in.after(self.to_move).expect("a seat is in until the end")
    }

    /// The seat whose climber stands on this cliff.
    fn owner(&self, cliff: u8) -> Seat {
        let owner = self.climbers.iter().position(|zones| zones.contains(&cliff));
        Seat::new(owner.expect("a taken cliff holds a climber"))
    }

    /// Puts one climber of a seat, which stands on `from`, on `to`, and keeps the list in order.
    fn replace(&mut self, seat: Seat, from: u8, to: u8) {
        let zones = &mut self.climbers[seat.index()];
        let place = zones.iter().position(|&zone| zone == from).expect("the climber stands on its zone");
        zones[place] = to;
        sort(zones);
    }
}

/// The highest zone strictly below `zone` that takes a climber; Basecamp always does.
fn open_below(taken: u32, zone: u8) -> u8 {
    let open = !taken & ((1 << zone) - 1);
    open.ilog2() as u8
}

/// Sorts four zones, the highest first, by the network of five comparisons, which needs no branches.
fn sort(zones: &mut [u8; MAX_CLIMBERS]) {
    for (upper, lower) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
        (zones[upper], zones[lower]) = (zones[upper].max(zones[lower]), zones[upper].min(zones[lower]));
    }
}
