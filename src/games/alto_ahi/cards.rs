//! The card game around the position: deck and discards, halts, the card in hand, and turns that cards end.

use serde::{Deserialize, Serialize};

use crate::chance::{Purpose, Streams};
use crate::seat::{MAX_SEATS, Seat};

use super::deck::{Effect, Pile};
use super::effects::{Choices, Held, Stage};
use super::illegal::Illegal;
use super::notation::Move;
use super::state::Position;

/// The outcome of a draw: which card was on top of the deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    /// What the card does.
    pub card: Effect,
}

/// Everything that a game with cards has besides the position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cards {
    pub deck: Pile,
    pub discards: Pile,
    /// How many turns each seat is still going to lose.
    pub halts: [u32; MAX_SEATS],
    pub hand: Hand,
}

/// What the seat to move has in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hand {
    /// No card: its turn begins.
    Empty,
    /// A card that is still face down: chance is to decide which it is.
    FaceDown,
    /// A card that is being carried out.
    Held(Held),
}

/// Whether a step ended the turn of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TurnGoes {
    On,
    Over,
}

impl Cards {
    pub fn new(deck: Pile) -> Cards {
        Cards { deck, discards: Pile::default(), halts: [0; MAX_SEATS], hand: Hand::Empty }
    }

    /// What the seat to move can choose, besides taking a card.
    fn choices(&self, position: &Position) -> Choices {
        match &self.hand {
            Hand::Empty => {
                Choices { squares: position.pawn_targets(), barriers: position.barrier_places(), ..Choices::default() }
            }
            Hand::FaceDown => Choices::default(),
            Hand::Held(held) => held.choices(position),
        }
    }

    pub fn legal_moves(&self, position: &Position, out: &mut Vec<Move>) {
        self.choices(position).append(out);
        if self.hand == Hand::Empty {
            out.push(Move::Card);
        }
    }

    pub fn count_legal(&self, position: &Position) -> u64 {
        self.choices(position).len() + u64::from(self.hand == Hand::Empty)
    }

    pub fn check(&self, position: &Position, mv: Move) -> Result<(), Illegal> {
        match (&self.hand, mv) {
            (Hand::FaceDown, _) => Err(Illegal::CardFaceDown),
            (Hand::Empty, Move::Card) => Ok(()),
            (Hand::Empty, Move::Pass) => Err(Illegal::MustMove),
            (Hand::Empty, Move::Rival(_)) => Err(Illegal::NoCardForRival),
            (Hand::Empty, Move::To(_) | Move::Barrier(_)) => position.check(mv),
            (Hand::Held(held), _) if held.choices(position).contains(mv) => Ok(()),
            (Hand::Held(held), _) => Err(held.why_not(position, mv)),
        }
    }

    /// Draws the card that lies face down; changes nothing.
    ///
    /// # Panics
    /// If there is none.
    pub fn draw(&self, chance: &mut Streams) -> Drawn {
        assert!(self.hand == Hand::FaceDown, "a card is drawn when one was taken");
        Drawn { card: self.deck.draw(chance.of(Purpose::Deck)) }
    }

    pub fn check_drawn(&self, drawn: Drawn) -> Result<(), Illegal> {
        match self.hand {
            Hand::FaceDown if self.deck.count(drawn.card) > 0 => Ok(()),
            Hand::FaceDown => Err(Illegal::NotInDeck(drawn.card)),
            Hand::Empty | Hand::Held(_) => Err(Illegal::NothingToDraw),
        }
    }

    /// Makes a checked move of the seat to move.
    pub fn play(&mut self, position: &mut Position, mv: Move) -> TurnGoes {
        debug_assert_eq!(self.check(position, mv), Ok(()), "{mv:?} was not checked");
        match (self.hand, mv) {
            (Hand::Empty, Move::Card) => {
                self.hand = Hand::FaceDown;
                TurnGoes::On
            }
            (Hand::Empty, _) => {
                position.play(mv);
                self.skip_halted(position);
                TurnGoes::Over
            }
            (Hand::Held(held), _) => {
                assert!(held.choices(position).contains(mv), "{mv:?} was not checked");
                if let (Effect::Halt, Move::Rival(rival)) = (held.effect, mv) {
                    self.halts[rival.index()] += 1;
                }
                match held.carry_out(position, mv) {
                    Some(rest) => {
                        self.hand = Hand::Held(rest);
                        TurnGoes::On
                    }
                    None => self.end_card(position, held.effect),
                }
            }
            (Hand::FaceDown, _) => panic!("nobody moves while a card lies face down"),
        }
    }

    /// Turns over the card that was taken, and carries out what needs no choice. If it cannot be carried out, the turn
    /// is lost.
    pub fn turn_over(&mut self, position: &mut Position, drawn: Drawn) -> TurnGoes {
        assert!(self.hand == Hand::FaceDown, "a card is turned over when one was taken");
        self.deck.take(drawn.card);
        if drawn.card == Effect::StepBack {
            position.step_back(position.to_move());
        }
        let held = Held::new(drawn.card);
        if held.choices(position).len() == 0 {
            return self.end_card(position, drawn.card);
        }
        self.hand = Hand::Held(held);
        TurnGoes::On
    }

    /// Takes a seat out, with its halts. Its own card is abandoned; that of another seat is lost if nothing can be chosen
    /// any more.
    pub fn leave(&mut self, position: &mut Position, seat: Seat) -> TurnGoes {
        let hand = self.hand;
        let its_turn = position.to_move() == seat;
        if let (Hand::Held(held), true) = (hand, its_turn) {
            held.abandon(position);
        }
        self.halts[seat.index()] = 0;
        position.leave(seat);
        match hand {
            _ if its_turn => {
                if let Hand::Held(held) = hand {
                    self.discard(held.effect);
                }
                self.hand = Hand::Empty;
                self.skip_halted(position);
                TurnGoes::Over
            }
            Hand::Held(held) if held.choices(position).len() == 0 => self.end_card(position, held.effect),
            _ => TurnGoes::On,
        }
    }

    /// Appends canonical bytes: the cards left, halts, and the card in hand. The discards follow from these.
    pub fn encode(&self, position: &Position, out: &mut Vec<u8>) {
        position.encode_owners(out);
        self.deck.encode(out);
        out.extend(self.halts[..position.grid().seats].iter().flat_map(|halts| halts.to_le_bytes()));
        match self.hand {
            Hand::Empty => out.push(0),
            Hand::FaceDown => out.push(1),
            Hand::Held(Held { effect, stage }) => {
                out.extend([2, effect as u8]);
                match stage {
                    Stage::First => out.push(0),
                    Stage::Second => out.push(1),
                    Stage::Lifted(barrier, owner) => {
                        out.extend([2, owner.index() as u8]);
                        out.extend_from_slice(barrier.as_str().as_bytes());
                    }
                }
            }
        }
    }

    /// Ends the turn of a seat whose card is done or lost.
    fn end_card(&mut self, position: &mut Position, effect: Effect) -> TurnGoes {
        self.hand = Hand::Empty;
        self.discard(effect);
        if position.winner().is_none() {
            position.end_turn();
            self.skip_halted(position);
        }
        TurnGoes::Over
    }

    /// Puts a card on the discards, which become the deck when that is empty.
    fn discard(&mut self, effect: Effect) {
        self.discards.put(effect);
        if self.deck.len() == 0 {
            self.deck = std::mem::take(&mut self.discards);
        }
    }

    /// Passes over the seats that lose their turn.
    fn skip_halted(&mut self, position: &mut Position) {
        while position.winner().is_none() && self.halts[position.to_move().index()] > 0 {
            self.halts[position.to_move().index()] -= 1;
            position.end_turn();
        }
    }
}
