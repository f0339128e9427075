//! Cards: their effects, and piles of them. Which of a pile comes first is not known to anybody before it is drawn.

use serde::{Deserialize, Serialize};

use crate::chance::Draws;
use crate::game::BadSetup;

/// The most cards that a deck may have.
pub const MAX_CARDS: u32 = 1000;

/// What a card does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Avanza dos: two pawn moves in a row.
    AdvanceTwo,
    /// Diagonal: one diagonal step.
    Diagonal,
    /// Salta la barrera: one step across a barrier.
    LeapWall,
    /// Empuja: a rival's pawn goes one square back.
    Push,
    /// ¡Alto ahí!: a rival loses its next turn.
    Halt,
    /// Quita una barrera: a barrier leaves the game.
    RemoveWall,
    /// Traslada una barrera: a barrier is put elsewhere.
    MoveWall,
    /// Doble barrera: two barriers are placed.
    DoubleWall,
    /// Recupera: a barrier of one's own comes back into the store.
    RecoverWall,
    /// Un paso atrás: one's own pawn goes one square back.
    StepBack,
    /// Pierdes el turno: nothing.
    LoseTurn,
}

impl Effect {
    /// All effects, in the order in which the cards of a pile are counted.
    pub const ALL: [Effect; 11] = [
        Effect::AdvanceTwo,
        Effect::Diagonal,
        Effect::LeapWall,
        Effect::Push,
        Effect::Halt,
        Effect::RemoveWall,
        Effect::MoveWall,
        Effect::DoubleWall,
        Effect::RecoverWall,
        Effect::StepBack,
        Effect::LoseTurn,
    ];

    /// Its name in options, state and log.
    pub const fn id(self) -> &'static str {
        match self {
            Effect::AdvanceTwo => "advance-two",
            Effect::Diagonal => "diagonal",
            Effect::LeapWall => "leap-wall",
            Effect::Push => "push",
            Effect::Halt => "halt",
            Effect::RemoveWall => "remove-wall",
            Effect::MoveWall => "move-wall",
            Effect::DoubleWall => "double-wall",
            Effect::RecoverWall => "recover-wall",
            Effect::StepBack => "step-back",
            Effect::LoseTurn => "lose-turn",
        }
    }
}

impl std::fmt::Display for Effect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

/// So many cards with one effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardCount {
    /// What each of them does.
    pub effect: Effect,
    /// How many there are, at least one.
    pub count: u16,
}

/// The deck of 24 cards that is played with unless the options name another.
pub fn default_deck() -> Vec<CardCount> {
    const COUNTS: [u16; 11] = [2, 2, 3, 3, 2, 2, 1, 2, 2, 3, 2];
    Effect::ALL.into_iter().zip(COUNTS).map(|(effect, count)| CardCount { effect, count }).collect()
}

/// The cards of a pile, by effect.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Pile([u16; Effect::ALL.len()]);

impl Pile {
    /// The pile of the cards that an option lists.
    pub fn of(deck: &[CardCount]) -> Result<Pile, BadSetup> {
        let refuse = |reason: String| Err(BadSetup::new("deck", reason));
        let mut pile = Pile::default();
        for &CardCount { effect, count } in deck {
            if count == 0 {
                return refuse(format!("{effect} has the count 0; leave it out, or give at least 1"));
            }
            if pile.count(effect) > 0 {
                return refuse(format!("{effect} is listed twice; give it one count"));
            }
            pile.0[effect as usize] = count;
        }
        match pile.len() {
            0 => refuse("a deck without cards cannot be drawn from; list effects with their counts".to_owned()),
            1..=MAX_CARDS => Ok(pile),
            cards => refuse(format!("{cards} cards are too many; {MAX_CARDS} are possible")),
        }
    }

    /// How many cards there are with this effect.
    pub fn count(&self, effect: Effect) -> u16 {
        self.0[effect as usize]
    }

    /// How many cards there are.
    pub fn len(&self) -> u32 {
        self.0.iter().map(|&count| u32::from(count)).sum()
    }

    /// The effects that there are cards of, each with their number.
    pub fn counts(&self) -> impl Iterator<Item = CardCount> {
        let counts = Effect::ALL.into_iter().zip(self.0).map(|(effect, count)| CardCount { effect, count });
        counts.filter(|cards| cards.count > 0)
    }

    /// Adds a card.
    pub fn put(&mut self, effect: Effect) {
        self.0[effect as usize] += 1;
    }

    /// Takes a card away.
    ///
    /// # Panics
    /// If there is none with this effect.
    pub fn take(&mut self, effect: Effect) {
        let count = &mut self.0[effect as usize];
        *count = count.checked_sub(1).expect("a card that is drawn was in the pile");
    }

    /// One of the cards, each equally likely: the cards are counted in the order of their effects.
    ///
    /// # Panics
    /// If there is none.
    pub fn draw(&self, draws: &mut Draws) -> Effect {
        let mut place = draws.below(self.len());
        for CardCount { effect, count } in self.counts() {
            match place.checked_sub(u32::from(count)) {
                Some(rest) => place = rest,
                None => return effect,
            }
        }
        unreachable!("a place below the number of cards has a card")
    }

    /// Appends the counts of all effects.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.0.iter().flat_map(|count| count.to_le_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{Purpose, Seed, Streams};

    #[test]
    fn the_default_deck_has_the_24_cards_of_the_rules() {
        let pile = Pile::of(&default_deck()).unwrap();
        assert_eq!(pile.len(), 24);
        assert_eq!(pile.count(Effect::LeapWall), 3);
        assert_eq!(pile.count(Effect::MoveWall), 1);
    }

    #[test]
    fn effects_are_read_by_their_names() {
        for effect in Effect::ALL {
            assert_eq!(serde_json::to_string(&effect).unwrap(), format!("\"{}\"", effect.id()));
        }
        let unknown = serde_json::from_str::<Vec<CardCount>>(r#"[{"effect":"fly","count":1}]"#).unwrap_err();
        assert!(unknown.to_string().contains("advance-two"), "{unknown}");
    }

    #[test]
    fn each_card_is_equally_likely_not_each_effect() {
        let deck = [(Effect::Push, 1), (Effect::Halt, 3)].map(|(effect, count)| CardCount { effect, count });
        let pile = Pile::of(&deck).unwrap();
        let mut streams = Streams::new(Seed::from_text("cards"));
        let drawn = (0..40_000).filter(|_| pile.draw(streams.of(Purpose::Deck)) == Effect::Halt).count();
        // Three cards of four; 350 is four standard deviations.
        assert!(drawn.abs_diff(30_000) < 350, "{drawn}");
    }

    #[test]
    fn decks_that_cannot_be_played_are_refused() {
        let refused = |deck: &[(Effect, u16)]| {
            let deck: Vec<CardCount> = deck.iter().map(|&(effect, count)| CardCount { effect, count }).collect();
            Pile::of(&deck).expect_err("refused").reason
        };
        assert!(refused(&[]).contains("without cards"));
        assert!(refused(&[(Effect::Push, 0)]).contains("count 0"));
        assert!(refused(&[(Effect::Push, 1), (Effect::Push, 1)]).contains("twice"));
        assert!(refused(&[(Effect::Push, 1000), (Effect::Halt, 1)]).contains("too many"));
    }
}
