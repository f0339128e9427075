//! Rolls by a rule of thumb, and makes the climb that looks best at once.

use crate::bots::follow::{Choice, Strategy};
use crate::bots::options::Options;
use crate::bots::wire::{Hello, Question};
use crate::chance::Draws;
use crate::games::alto_riesgo::{AltoRiesgo, Core, Move};

/// With so many ascents it climbs, whatever the risk is.
const ENOUGH: u8 = 3;

/// With fewer than enough, but with so many, it climbs when few dice are left.
const FAIR: u8 = 2;

/// So few dice all show danger too often: in one of four rolls or more.
const FEW_DICE: u8 = 2;

/// What arriving where nobody can be knocked off is worth, in zones.
const SAFE: i32 = 1;

/// The strategy: looks one move ahead.
pub struct Greedy(Draws);

impl Strategy<AltoRiesgo> for Greedy {
    fn sit_down(hello: &Hello, _: &Options) -> Greedy {
        Greedy(hello.draws())
    }

    fn choose(&mut self, game: &AltoRiesgo, _: &Question) -> Choice<Move> {
        let best = best_moves(game.core());
        best[self.0.below(best.len() as u32) as usize].into()
    }
}

/// The moves that are best one move ahead, all alike.
pub(super) fn best_moves(core: &Core) -> Vec<Move> {
    if core.may_roll() && rolls_on(core) {
        return vec![Move::Roll];
    }
    if core.may_stop() {
        return vec![Move::Stop];
    }
    let mut climbs = Vec::new();
    core.each_legal(|mv| {
        if let Move::Climb(from) = mv {
            climbs.push((gain(core, from), mv));
        }
    });
    let best = climbs.iter().map(|&(gain, _)| gain).max().expect("with ascents somebody can climb");
    climbs.into_iter().filter(|&(gain, _)| gain == best).map(|(_, mv)| mv).collect()
}

fn rolls_on(core: &Core) -> bool {
    let enough = if core.danger() <= FEW_DICE { FAIR } else { ENOUGH };
    core.ascents() < enough
}

/// What the climb from a zone gains: the zones climbed, those that a rival loses, and a place to stay.
fn gain(core: &Core, from: u8) -> i32 {
    let landing = core.landing(from);
    let lost = landing.knocked.map_or(0, |knock| {
        let zones = i32::from(landing.to - knock.to);
        if knock.seat == core.to_move() { -zones } else { zones }
    });
    let safe = if core.rules().is_cliff(landing.to) { 0 } else { SAFE };
    i32::from(landing.to - from) + lost + safe
}
