//! Who of a group sits where, so that every bot sits in every seat as often as in any other.
//!
//! The meetings of a bot are cut, in the order in which they are played, into portions of as many as there are seats.
//! Portions on one side, meetings on the other, and an edge for each bot in a meeting: a bipartite graph in which nothing
//! has more edges than there are seats. By Kőnig's theorem its edges can be coloured with that many colours so that no two
//! at the same end are alike. The colours are the seats: different ones in a meeting, and different ones in a portion, so
//! that a whole portion has each of them once.

use crate::seat::{BySeat, MAX_SEATS};
use crate::tournament::Entrant;

/// What stands in each seat of a meeting or a portion: the other end of the edge with that colour.
type Ends = [Option<usize>; MAX_SEATS];

/// The groups in their order, each with its bots in their seats.
pub fn seated(groups: &[BySeat<Entrant>], field: usize) -> Vec<BySeat<Entrant>> {
    let Some(seats) = groups.first().map(BySeat::len) else { return Vec::new() };
    let mut colouring = Colouring { seats, portions: Vec::new(), meetings: vec![Ends::default(); groups.len()] };
    // The portion of each bot that is not full yet, and whose each portion is.
    let mut open = vec![None; field];
    let mut played = vec![0usize; field];
    let mut owners = Vec::new();
    for (meeting, group) in groups.iter().enumerate() {
        for &bot in group {
            if played[bot.index()].is_multiple_of(seats) {
                open[bot.index()] = Some(colouring.portions.len());
                colouring.portions.push(Ends::default());
                owners.push(bot);
            }
            played[bot.index()] += 1;
            colouring.add(open[bot.index()].expect("a portion was opened"), meeting);
        }
    }
    let seat = |portion: Option<usize>| owners[portion.expect("every seat of a meeting is taken")];
    colouring.meetings.iter().map(|ends| BySeat::collect(ends[..seats].iter().map(|&end| seat(end)))).collect()
}

/// A colouring of the edges so far.
struct Colouring {
    seats: usize,
    portions: Vec<Ends>,
    meetings: Vec<Ends>,
}

impl Colouring {
    /// Colours one more edge.
    fn add(&mut self, portion: usize, meeting: usize) {
        let colour = self.free(&self.portions[portion]);
        if self.meetings[meeting][colour].is_some() {
            let other = self.free(&self.meetings[meeting]);
            self.swap_from(meeting, colour, other);
        }
        self.portions[portion][colour] = Some(meeting);
        self.meetings[meeting][colour] = Some(portion);
    }

    /// The first colour that no edge at this end has.
    fn free(&self, ends: &Ends) -> usize {
        ends[..self.seats].iter().position(Option::is_none).expect("nothing has more edges than there are colours")
    }

    /// Makes `colour` free at a meeting that has no `other`, by swapping both along the one path of them from there. In a
    /// bipartite graph it cannot come to the portion at which `colour` is free.
    fn swap_from(&mut self, meeting: usize, colour: usize, other: usize) {
        let mut path = vec![meeting];
        let mut portion = self.meetings[meeting][colour];
        while let Some(at) = portion {
            path.push(at);
            let Some(next) = self.portions[at][other] else { break };
            path.push(next);
            portion = self.meetings[next][colour];
        }
        for (place, &node) in path.iter().enumerate() {
            let ends = if place % 2 == 0 { &mut self.meetings[node] } else { &mut self.portions[node] };
            ends.swap(colour, other);
        }
    }
}
