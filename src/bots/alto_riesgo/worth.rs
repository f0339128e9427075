//! What a position between two turns is worth: the chance of each seat to win.
//!
//! A seat is as far as the turns that its climbers still need, one climber a turn, and what it is likely to lose by a
//! fall or a knock counts as turns too. Chances follow from who needs fewer, and whose turn it is.

use crate::games::alto_riesgo::{Core, MAX_DICE, MAX_TRACK, Phase, Rules, Throw};
use crate::seat::{MAX_SEATS, Seat};

/// The chance of each seat to win, by its number; 0 for a seat that is out.
pub type Chances = [f64; MAX_SEATS];

/// How much the parts of a worth weigh, found by matches of the bot against itself.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// What a fall costs now, in so many falls that are to come.
    pub fall: f64,
    /// What a knock costs for the climbers that can be knocked off, in knocks by a rival that aims at them.
    pub knock: f64,
    /// How uncertain it is who arrives first, as a square of turns: at the end, and how much more with each turn that the
    /// first one still needs.
    pub luck: [f64; 2],
}

impl Default for Weights {
    fn default() -> Weights {
        Weights { fall: 0.1, knock: 0.4, luck: [0.1, 0.4] }
    }
}

/// The worth of positions under some rules.
#[derive(Clone, Debug)]
pub struct Worth {
    weights: Weights,
    /// By a number of zones: the turns that one climber needs for so many.
    turns: [f64; MAX_TRACK + 2],
    /// By a number of zones: the chance of a turn that aims at so many, and no others, to end with them.
    aim: [f64; MAX_DICE + 1],
    summit: u8,
}

impl Worth {
    /// The worth of positions under these rules.
    pub fn new(rules: &Rules, weights: Weights) -> Worth {
        let mut worth =
            Worth { weights, turns: [0.0; MAX_TRACK + 2], aim: [0.0; MAX_DICE + 1], summit: rules.summit() };
        for zones in 1..=usize::from(rules.summit()) {
            worth.turns[zones] = turns_for(rules.dice(), zones, &worth.turns);
        }
        for zones in 1..=rules.dice() {
            worth.aim[usize::from(zones)] = chance_of_exactly(rules.dice(), zones);
        }
        worth
    }

    /// The chances of all seats, with dice to be thrown for a new turn, or after the end.
    pub fn of(&self, core: &Core) -> Chances {
        let mut chances = Chances::default();
        if let Phase::Over(_) = core.phase() {
            let first = core.ranking().groups().next().expect("somebody is in");
            first.iter().for_each(|seat| chances[seat.index()] = 1.0 / first.len() as f64);
            return chances;
        }
        let seats_in = core.seats_in();
        let (mut arrivals, mut first) = (Chances::default(), f64::INFINITY);
        for seat in seats_in.iter() {
            let before = seats_in.iter().filter(|&other| place(core, other) < place(core, seat)).count();
            let arrival = self.turns(core, seat) + before as f64 / seats_in.len() as f64;
            arrivals[seat.index()] = arrival;
            first = first.min(arrival);
        }
        let [least, more] = self.weights.luck;
        let spread = (least + more * first).sqrt();
        let mut sum = 0.0;
        for seat in seats_in.iter().map(Seat::index) {
            chances[seat] = ((first - arrivals[seat]) / spread).exp();
            sum += chances[seat];
        }
        chances.map(|chance| chance / sum)
    }

    /// The turns that a seat needs, with those that it is likely to lose.
    pub fn turns(&self, core: &Core, seat: Seat) -> f64 {
        let climbers = core.climbers(seat);
        let fall = core.fall(seat).map_or(0.0, |(from, to)| self.loss(from, to));
        let mut turns = self.weights.fall * fall;
        for &zone in climbers {
            turns += self.turns[usize::from(self.summit - zone)];
            if core.rules().is_cliff(zone) {
                turns += self.knock_chance(core, seat, zone) * self.loss(zone, open_below(core, zone));
            }
        }
        turns
    }

    /// The turns that a climber loses that drops from one zone to another.
    fn loss(&self, from: u8, to: u8) -> f64 {
        self.turns[usize::from(self.summit - to)] - self.turns[usize::from(self.summit - from)]
    }

    /// How likely the climber of a seat on a cliff is knocked off by a rival in its next turn.
    fn knock_chance(&self, core: &Core, seat: Seat, zone: u8) -> f64 {
        let mut stays = 1.0;
        for rival in core.seats_in().without(seat).iter() {
            let mut zones = core.zones(rival) & ((1 << zone) - 1);
            while zones != 0 {
                let below = usize::from(zone) - zones.trailing_zeros() as usize;
                stays *= 1.0 - self.weights.knock * self.aim.get(below).copied().unwrap_or(0.0);
                zones &= zones - 1;
            }
        }
        1.0 - stays
    }
}

/// How many seats' turns come before that of a seat, were all seats in.
fn place(core: &Core, seat: Seat) -> usize {
    (seat.index() + MAX_SEATS - core.to_move().index()) % MAX_SEATS
}

/// Where a climber that is knocked off a cliff would land.
fn open_below(core: &Core, zone: u8) -> u8 {
    (!core.taken() & ((1 << zone) - 1)).ilog2() as u8
}

/// The turns that a lone climber needs for `zones`, by the best choice between rolling and climbing, a fall costing its
/// turn only, and a turn that another one follows at once costing nothing. `fewer` has the turns for fewer zones.
fn turns_for(dice: u8, zones: usize, fewer: &[f64]) -> f64 {
    let mut turns = fewer[zones - 1] + 1.0;
    loop {
        // A turn without progress leaves all to do, so the number is its own argument: a fixed point.
        let left = |ascents: u8| match zones.saturating_sub(ascents.into()) {
            left if left == zones => turns,
            left => fewer[left],
        };
        let better =
            reckon(dice, 1.0 + turns, f64::min, |danger, ascents| left(ascents) + if danger == 0 { 0.0 } else { 1.0 });
        if (better - turns).abs() < 1e-9 {
            return better;
        }
        turns = better;
    }
}

/// The chance that a turn ends with exactly so many ascents, if that is all that it is played for.
fn chance_of_exactly(dice: u8, zones: u8) -> f64 {
    reckon(dice, 0.0, f64::max, |_, ascents| f64::from(ascents == zones))
}

/// The mean of what a turn of a lone climber brings that is played for the best: `fall` behind a fall, and `end` with
/// the dice in danger and the ascents aside where it is ended.
fn reckon(dice: u8, fall: f64, best: fn(f64, f64) -> f64, end: impl Fn(u8, u8) -> f64) -> f64 {
    // By the dice in danger and the ascents aside; each refers to fewer dice only.
    let mut rolled = [[0.0; MAX_DICE + 1]; MAX_DICE + 1];
    for danger in 1..=dice {
        for ascents in 0..=dice - danger {
            let mut sum = 0.0;
            for (throw, ways) in Throw::all(danger) {
                let (left, aside) = (danger - throw.ascents - throw.weather, ascents + throw.ascents);
                let ended = if left < danger { end(left, aside) } else { fall };
                let further = rolled[usize::from(left)][usize::from(aside)];
                let worth = if left < danger && left > 0 { best(ended, further) } else { ended };
                sum += f64::from(ways) * worth;
            }
            rolled[usize::from(danger)][usize::from(ascents)] = sum / f64::from(6u32.pow(danger.into()));
        }
    }
    rolled[usize::from(dice)][0]
}
