//! What each card lets its seat choose, and what a choice does to the position.
//!
//! A choice is legal only if the rest of the card can still be carried out after it, and never if it would leave a pawn
//! without a path to its goal. It knows nothing of decks and of whose turn comes next.

use crate::seat::{Seat, SeatSet};

use super::deck::Effect;
use super::grid::{Barrier, BarrierSet, Heading, SquareSet};
use super::notation::Move;
use super::state::Position;
use super::ways::Ways;

/// A card that its seat is carrying out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Held {
    pub effect: Effect,
    pub stage: Stage,
}

/// How far a card has been carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Nothing was chosen yet.
    First,
    /// One pawn move was made, or one barrier placed, and one more is to come.
    Second,
    /// This barrier, from the store of this seat, is off the board and wants a new place.
    Lifted(Barrier, Seat),
}

/// What can be chosen: each kind of move that a card can ask for, most of them empty.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Choices {
    pub squares: SquareSet,
    pub barriers: BarrierSet,
    pub rivals: SeatSet,
}

impl Choices {
    fn squares(squares: SquareSet) -> Choices {
        Choices { squares, ..Choices::default() }
    }

    fn barriers(barriers: BarrierSet) -> Choices {
        Choices { barriers, ..Choices::default() }
    }

    fn rivals(rivals: SeatSet) -> Choices {
        Choices { rivals, ..Choices::default() }
    }

    pub fn len(&self) -> u64 {
        u64::from(self.squares.len() + self.barriers.len()) + self.rivals.len() as u64
    }

    pub fn contains(&self, mv: Move) -> bool {
        match mv {
            Move::To(square) => self.squares.contains(square),
            Move::Barrier(barrier) => self.barriers.contains(barrier),
            Move::Rival(seat) => self.rivals.contains(seat),
            Move::Card | Move::Pass => false,
        }
    }

    pub fn append(&self, out: &mut Vec<Move>) {
        out.extend(self.squares.into_iter().map(Move::To));
        out.extend(self.barriers.into_iter().map(Move::Barrier));
        out.extend(self.rivals.iter().map(Move::Rival));
    }
}

impl Held {
    /// A card of which nothing was carried out yet.
    pub fn new(effect: Effect) -> Held {
        Held { effect, stage: Stage::First }
    }

    /// What the seat to move can choose next.
    pub fn choices(&self, position: &Position) -> Choices {
        match (self.effect, self.stage) {
            (Effect::AdvanceTwo, Stage::First) => Choices::squares(position.first_of_two_moves()),
            (Effect::AdvanceTwo, _) => Choices::squares(position.pawn_targets()),
            (Effect::Diagonal, _) => Choices::squares(position.diagonal_targets()),
            (Effect::LeapWall, _) => Choices::squares(position.leap_targets()),
            (Effect::Push, _) => Choices::rivals(position.rivals_to_push()),
            (Effect::Halt, _) => Choices::rivals(position.rivals()),
            (Effect::RemoveWall, _) => Choices::barriers(position.barriers()),
            (Effect::MoveWall, Stage::Lifted(lifted, _)) => {
                Choices::barriers(position.legal_places().minus(lifted.set()))
            }
            (Effect::MoveWall, _) => Choices::barriers(position.barriers_to_move()),
            (Effect::DoubleWall, Stage::First) => Choices::barriers(position.first_of_two_places()),
            (Effect::DoubleWall, _) => Choices::barriers(position.barrier_places()),
            (Effect::RecoverWall, _) => Choices::barriers(position.barriers_of(position.to_move())),
            (Effect::StepBack | Effect::LoseTurn, _) => Choices::default(),
        }
    }

    /// Carries a choice out, except that a halt is not the position's to note; gives what is left of the card.
    ///
    /// # Panics
    /// If the choice is not of the kind that the card asks for, or its barrier is not where it should be.
    pub fn carry_out(self, position: &mut Position, mv: Move) -> Option<Held> {
        let seat = position.to_move();
        let second = Some(Held { stage: Stage::Second, ..self });
        match (self.effect, self.stage, mv) {
            (Effect::AdvanceTwo, Stage::First, Move::To(square)) => {
                position.put_pawn(seat, square);
                second.filter(|_| position.winner().is_none())
            }
            (Effect::AdvanceTwo | Effect::Diagonal | Effect::LeapWall, _, Move::To(square)) => {
                position.put_pawn(seat, square);
                None
            }
            (Effect::Push, _, Move::Rival(rival)) => {
                assert!(position.step_back(rival), "a rival that is pushed has a square behind it");
                None
            }
            (Effect::Halt, _, Move::Rival(_)) => None,
            (Effect::RemoveWall, _, Move::Barrier(barrier)) => {
                position.lift_barrier(barrier);
                None
            }
            (Effect::MoveWall, Stage::First, Move::Barrier(barrier)) => {
                let owner = position.lift_barrier(barrier);
                Some(Held { stage: Stage::Lifted(barrier, owner), ..self })
            }
            (Effect::MoveWall, Stage::Lifted(_, owner), Move::Barrier(barrier)) => {
                position.put_barrier(owner, barrier);
                None
            }
            (Effect::DoubleWall, stage, Move::Barrier(barrier)) => {
                position.place_from_store(barrier);
                second.filter(|_| stage == Stage::First)
            }
            (Effect::RecoverWall, _, Move::Barrier(barrier)) => {
                let owner = position.lift_barrier(barrier);
                position.return_to_store(owner);
                None
            }
            _ => panic!("{mv:?} was not checked"),
        }
    }

    /// Undoes what must not stay when the card is abandoned: a lifted barrier returns to its place.
    pub fn abandon(self, position: &mut Position) {
        if let Stage::Lifted(barrier, owner) = self.stage {
            position.put_barrier(owner, barrier);
        }
    }
}

/// What the single effects need to know of a position.
impl Position {
    /// The seats still in but the one to move.
    pub(super) fn rivals(&self) -> SeatSet {
        self.seats_in().without(self.to_move())
    }

    fn rivals_to_push(&self) -> SeatSet {
        self.rivals().iter().filter(|&rival| self.square_behind(rival) != 0).collect()
    }

    /// The pawn moves after which the game is won or another one is possible.
    fn first_of_two_moves(&self) -> SquareSet {
        let goes_on = |&square: &super::grid::Square| {
            let mut moved = *self;
            moved.put_pawn(self.to_move(), square);
            moved.winner().is_some() || !moved.pawn_targets().is_empty()
        };
        self.pawn_targets().into_iter().filter(goes_on).collect()
    }

    /// The free squares diagonal to the pawn, where one of the two L-shaped ways meets no barrier.
    pub(super) fn diagonal_targets(&self) -> SquareSet {
        let pawn = self.pawn_bit(self.to_move());
        let ways_round = Heading::ALL.into_iter().flat_map(|first| first.sides().map(|second| (first, second)));
        let corners = ways_round.map(|(first, second)| self.ways.step(self.ways.step(pawn, first), second));
        SquareSet(corners.fold(0, |targets, corner| targets | corner) & !self.occupied())
    }

    /// The squares next to the pawn behind a barrier, occupied or not, with or without a path to the goal.
    pub(super) fn across_barriers(&self) -> SquareSet {
        let pawn = self.pawn_bit(self.to_move());
        let bare = Ways::of(self.grid());
        SquareSet(
            Heading::ALL
                .into_iter()
                .fold(0, |targets, heading| targets | bare.step(pawn, heading) & !self.ways.step(pawn, heading)),
        )
    }

    /// Of the squares behind a barrier, the free ones from which there is a path to the goal.
    fn leap_targets(&self) -> SquareSet {
        let goal = self.grid().goal(self.to_move()).0;
        let free = SquareSet(self.across_barriers().0 & !self.occupied());
        free.into_iter().filter(|square| self.ways.reach(square.set().0, goal)).collect()
    }

    /// The barriers that, lifted, can be put in another place.
    fn barriers_to_move(&self) -> BarrierSet {
        let can_move = |&barrier: &Barrier| {
            let mut lifted = *self;
            lifted.lift_barrier(barrier);
            lifted.has_place_besides(barrier.set())
        };
        self.barriers().into_iter().filter(can_move).collect()
    }

    /// The places for a barrier after which a second one has a place; none with fewer than two in store.
    fn first_of_two_places(&self) -> BarrierSet {
        if self.store(self.to_move()) < 2 {
            return BarrierSet::EMPTY;
        }
        let leaves_another = |&barrier: &Barrier| {
            let mut placed = *self;
            placed.put_barrier(self.to_move(), barrier);
            placed.has_place_besides(BarrierSet::EMPTY)
        };
        self.legal_places().into_iter().filter(leaves_another).collect()
    }

    /// Whether a barrier can be placed anywhere but there. Most places need no search for paths, so those are asked first.
    fn has_place_besides(&self, places: BarrierSet) -> bool {
        let free = self.free_places().minus(places);
        !free.minus(self.closing()).is_empty() || !self.legal_places().minus(places).is_empty()
    }

    /// The square to which the pawn of a seat would step back, as a set: empty if it is occupied, behind a barrier or
    /// off the board.
    fn square_behind(&self, seat: Seat) -> u128 {
        let back = self.grid().forward[seat.index()].back();
        self.ways.step(self.pawn_bit(seat), back) & !self.occupied()
    }

    /// Puts the pawn of a seat one square back, away from its goal; says whether it could.
    pub(super) fn step_back(&mut self, seat: Seat) -> bool {
        let behind = SquareSet(self.square_behind(seat)).into_iter().next();
        if let Some(square) = behind {
            self.put_pawn(seat, square);
        }
        behind.is_some()
    }
}
