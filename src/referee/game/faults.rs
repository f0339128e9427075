//! What follows from a fault: when it is charged, and to whom it does what.

use std::io::Write;

use super::{Phase, Referee, note};
use crate::chance::Purpose;
use crate::clock::{Moment, Span};
use crate::record::entry::{ChosenBy, Entry, Fault, FaultHost, FaultKind, Leave, MoveHost, Note, PositionHash};
use crate::referee::player::{Charge, Time};
use crate::referee::{Effect, words};
use crate::seat::{Seat, SeatSet};

impl Referee {
    /// A fault of its own at any time. It is charged at once if the seat is asked and its time is not over; a seat whose
    /// time is over is late first; any other is stopped and charged when it is next asked.
    pub(super) fn misbehave(&mut self, at: Moment, seat: Seat, charge: Charge, out: &mut Vec<Effect>) {
        let asked = self.players[seat].question.as_ref().map(|question| question.time(at));
        match asked {
            Some(Time::Running) => return self.charge(at, seat, charge, out),
            Some(Time::Fallen) => {}
            Some(Time::Grace) | None => {
                let (kind, words) = (charge.kind, charge.words.clone());
                out.push(note(Note::Stopped { seat, at, kind, words }));
                self.players[seat].pending.get_or_insert(charge);
            }
        }
        self.stop(seat, out);
    }

    pub(super) fn stop(&mut self, seat: Seat, out: &mut Vec<Effect>) {
        if !std::mem::replace(&mut self.players[seat].stopped, true) {
            out.push(Effect::Kill(seat));
        }
    }

    /// Charges an asked seat with a fault.
    pub(super) fn charge(&mut self, at: Moment, seat: Seat, charge: Charge, out: &mut Vec<Effect>) {
        let player = &mut self.players[seat];
        let question = player.question.take();
        let (turn, sent) = question.as_ref().map_or((self.turn, None), |question| (question.turn, question.sent));
        let tolerable = matches!(charge.kind, FaultKind::Timeout | FaultKind::Illegal);
        let tolerated = tolerable && turn > 0 && player.strikes < self.setup.limits.strikes && !player.stopped;
        let host = Some(FaultHost { at, sent, load: player.load.take(), words: charge.words });
        let fault = Box::new(Fault { seat, turn, kind: charge.kind, found: charge.found, tolerated, host });
        if let Phase::Starting { failed } = &mut self.phase {
            *failed = failed.with(seat);
            self.players[seat].failed_start = Some(fault);
            self.stop(seat, out);
            return self.start_if_all_known(at, out);
        }
        out.push(Effect::Log(Entry::Fault(fault)));
        if tolerated {
            return self.strike(at, seat, turn, sent.unwrap_or(at), out);
        }
        self.stop(seat, out);
        self.standing.leave(SeatSet::only(seat));
        if let Some(outcome) = self.standing.decided() {
            return self.end(at, outcome, out);
        }
        self.leave(seat, out);
        self.advance(at, out);
    }

    /// A fault that is tolerated: the referee draws a legal move for the seat.
    fn strike(&mut self, at: Moment, seat: Seat, turn: u64, sent: Moment, out: &mut Vec<Effect>) {
        let legal = self.table.legal();
        let drawn = self.chance.of(Purpose::Strike(seat)).below(legal.len() as u32) as usize;
        let token = self.table.play(&legal[drawn]).expect("a legal move can be played");
        let player = &mut self.players[seat];
        player.strikes += 1;
        player.clock.charge_strike(&self.setup.clock, at.since(sent));
        let (left, periods) = (player.clock.bank(), player.clock.periods());
        player.answered();
        let host = MoveHost { sent, got: at, left, periods, overrun: Span::ZERO, load: None, info: None };
        self.log_move(turn, seat, token, Some(ChosenBy::Strike), Some(host), out);
        self.advance(at, out);
    }

    pub(super) fn leave(&mut self, seat: Seat, out: &mut Vec<Effect>) {
        self.table.leave(seat);
        self.event(|events| write!(events, r#"{{"leave":{seat}}}"#));
        out.push(Effect::Log(Entry::Leave(Leave { seat, hash: PositionHash(self.table.hash()) })));
    }

    pub(super) fn look_at_the_time(&mut self, at: Moment, out: &mut Vec<Effect>) {
        for seat in Seat::first(self.players.len()) {
            let Some(question) = &mut self.players[seat].question else { continue };
            question.saw_nothing(at);
            if question.time(at) == Time::Fallen {
                let player = &self.players[seat];
                let question = player.question.as_ref().expect("just seen");
                let charge = words::late(player, question, &self.setup.clock, at);
                self.charge(at, seat, charge, out);
            }
        }
    }
}
