//! What a turn under way is worth, by the exact chances of all dice that it may still throw.
//!
//! A turn is small: between two throws only the dice left in danger and the ascents aside matter, which is at most 28
//! pairs, so that each is reckoned once.

use super::worth::Chances;
use crate::games::alto_riesgo::{Core, MAX_DICE, Move, Throw};
use crate::seat::Seat;

/// A move, and what it leads to.
#[derive(Clone, Copy, Debug)]
pub struct Advice {
    /// The move.
    pub mv: Move,
    /// The chances of all seats after it.
    pub chances: Chances,
}

/// One turn of one seat, with what is known about it already.
pub struct Turn<W> {
    worth: W,
    /// Behind a fall, which is the same whenever it happens.
    fallen: Option<Chances>,
    /// By the ascents aside: the best way to end the turn, and the same where another turn follows.
    ended: [[Option<Advice>; MAX_DICE + 1]; 2],
    /// By the dice in danger and the ascents aside: the best that can be done there.
    best: [[Option<Advice>; MAX_DICE + 1]; MAX_DICE + 1],
}

impl<W: Fn(&Core) -> Chances> Turn<W> {
    /// A turn about which nothing is known yet; `worth` says what a position behind it is worth.
    pub fn new(worth: W) -> Turn<W> {
        Turn { worth, fallen: None, ended: [[None; MAX_DICE + 1]; 2], best: [[None; MAX_DICE + 1]; MAX_DICE + 1] }
    }

    /// The best move where the seat is asked. All positions that one `Turn` is asked about belong to the same turn.
    ///
    /// # Panics
    /// If no seat is asked in this position.
    pub fn best(&mut self, core: &Core) -> Advice {
        let (danger, ascents) = (usize::from(core.danger()), usize::from(core.ascents()));
        if let Some(known) = self.best[danger][ascents] {
            return known;
        }
        let mut best = self.end(core);
        if core.may_roll() {
            let mut rolling = *core;
            rolling.play(Move::Roll);
            let chances = self.roll(&rolling);
            if odds(&chances, core.to_move()) > odds(&best.chances, core.to_move()) {
                best = Advice { mv: Move::Roll, chances };
            }
        }
        self.best[danger][ascents] = Some(best);
        best
    }

    /// The chances of all seats where dice are to be thrown: the mean over all throws.
    ///
    /// # Panics
    /// If no dice are to be thrown in this position.
    pub fn roll(&mut self, core: &Core) -> Chances {
        let mut sum = Chances::default();
        for (throw, ways) in Throw::all(core.danger()) {
            let chances = self.thrown(core, throw);
            sum.iter_mut().zip(chances).for_each(|(sum, chance)| *sum += f64::from(ways) * chance);
        }
        let all = f64::from(6u32.pow(core.danger().into()));
        sum.map(|sum| sum / all)
    }

    fn thrown(&mut self, core: &Core, throw: Throw) -> Chances {
        let is_fall = throw == Throw::default();
        if let (true, Some(known)) = (is_fall, self.fallen) {
            return known;
        }
        let mut next = *core;
        next.throw(throw);
        if !is_fall {
            return self.best(&next).chances;
        }
        let chances = (self.worth)(&next);
        self.fallen = Some(chances);
        chances
    }

    /// The best way to end the turn now.
    fn end(&mut self, core: &Core) -> Advice {
        let again = usize::from(core.danger() == 0);
        let ascents = usize::from(core.ascents());
        if let Some(known) = self.ended[again][ascents] {
            return known;
        }
        let mut best: Option<Advice> = None;
        core.each_legal(|mv| {
            if mv == Move::Roll {
                return;
            }
            let mut next = *core;
            next.play(mv);
            let chances = (self.worth)(&next);
            if best.is_none_or(|best| odds(&chances, core.to_move()) > odds(&best.chances, core.to_move())) {
                best = Some(Advice { mv, chances });
            }
        });
        let best = best.expect("a turn can be ended whenever its seat is asked");
        self.ended[again][ascents] = Some(best);
        best
    }
}

/// The chance of a seat against that of all others. It orders as the chance itself does, but exactly, however near to
/// certain that is.
fn odds(chances: &Chances, seat: Seat) -> f64 {
    let others: f64 =
        chances.iter().enumerate().filter(|&(index, _)| index != seat.index()).map(|(_, chance)| chance).sum();
    chances[seat.index()] / others
}
