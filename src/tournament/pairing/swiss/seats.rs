//! Who has the first seat, by the rules of the FIDE handbook for colours (C.04.3, article 5 of 2026).

use std::cmp::Ordering;

use super::history::Player;

/// Which seat a bot should have next, and how much that matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preference {
    /// Whether it is the first.
    pub first: bool,
    /// How much it matters.
    pub strength: Strength,
    /// How many times more it sat in one seat than in the other.
    difference: usize,
}

/// How much it matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strength {
    /// It sat in both as often, and should alternate.
    Mild,
    /// It sat once more in one.
    Strong,
    /// It sat twice more in one, or sat in the same the last two times.
    Absolute,
}

/// Which seat the bot should have; nothing for one that did not play yet.
pub fn preference(player: &Player) -> Option<Preference> {
    let seats: Vec<bool> = player.first.iter().copied().flatten().collect();
    let last = *seats.last()?;
    let firsts = seats.iter().filter(|&&first| first).count();
    let seconds = seats.len() - firsts;
    let twice = seats.len() > 1 && seats[seats.len() - 2] == last;
    let (first, strength) = match firsts.abs_diff(seconds) {
        2.. => (firsts < seconds, Strength::Absolute),
        _ if twice => (!last, Strength::Absolute),
        1 => (firsts < seconds, Strength::Strong),
        _ => (!last, Strength::Mild),
    };
    Some(Preference { first, strength, difference: firsts.abs_diff(seconds) })
}

/// How much the one that does not get its seat wanted it, when these two meet; nothing where both get theirs.
pub fn denied(one: Option<Preference>, other: Option<Preference>) -> Option<Strength> {
    let (one, other) = (one?, other?);
    (one.first == other.first).then(|| one.strength.min(other.strength))
}

/// Whether the higher of two bots has the first seat.
pub fn higher_is_first(higher: &Player, lower: &Player) -> bool {
    match (preference(higher), preference(lower)) {
        (None, None) => higher.bot.index().is_multiple_of(2),
        (Some(one), None) => one.first,
        (None, Some(other)) => !other.first,
        (Some(one), Some(other)) if one.first != other.first => one.first,
        (Some(one), Some(other)) => match (one.strength, one.difference).cmp(&(other.strength, other.difference)) {
            Ordering::Greater => one.first,
            Ordering::Less => !other.first,
            Ordering::Equal => otherwise_than_last(higher, lower).unwrap_or(one.first),
        },
    }
}

/// The seats that two bots did not have the last time that they sat differently.
fn otherwise_than_last(higher: &Player, lower: &Player) -> Option<bool> {
    let both = higher.first.iter().zip(&lower.first).rev();
    both.filter_map(|(one, other)| one.zip(*other)).find(|(one, other)| one != other).map(|(one, _)| !one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::Entrant;

    /// A bot whose seats were these: `+` the first, `-` the second, a blank for a bye.
    fn player(bot: u16, seats: &str) -> Player {
        let first = seats.chars().map(|seat| if seat == ' ' { None } else { Some(seat == '+') }).collect();
        Player { bot: Entrant(bot), score: 0, byes: 0, first, floats: Vec::new() }
    }

    #[test]
    fn who_sat_more_often_in_one_seat_should_have_the_other() {
        let of = |seats| preference(&player(0, seats)).map(|preference| (preference.first, preference.strength));
        assert_eq!(of(""), None);
        assert_eq!(of(" "), None);
        assert_eq!(of("+"), Some((false, Strength::Strong)));
        assert_eq!(of("- "), Some((true, Strength::Strong)));
        assert_eq!(of("+-"), Some((true, Strength::Mild)));
        assert_eq!(of("- +"), Some((false, Strength::Mild)));
        assert_eq!(of("++"), Some((false, Strength::Absolute)));
        assert_eq!(of("+--"), Some((true, Strength::Absolute)));
        assert_eq!(of("++--"), Some((true, Strength::Absolute)));
        assert_eq!(of("-+ -+"), Some((false, Strength::Mild)));
        assert_eq!(of("+-+ +"), Some((false, Strength::Absolute)));
        // The last two count for more than a difference of one, and a difference of two for more than they.
        assert_eq!(of("+++--"), Some((true, Strength::Absolute)));
        assert_eq!(of("++++--"), Some((false, Strength::Absolute)));
    }

    #[test]
    fn the_weaker_wish_is_denied() {
        let denied = |one, other| denied(preference(&player(0, one)), preference(&player(1, other)));
        assert_eq!(denied("+", ""), None);
        assert_eq!(denied("+", "-"), None);
        assert_eq!(denied("+", "+"), Some(Strength::Strong));
        assert_eq!(denied("++", "-+"), Some(Strength::Mild));
        assert_eq!(denied("++", "+-+ +"), Some(Strength::Absolute));
    }

    #[test]
    fn the_first_seat_goes_to_whom_it_is_due() {
        let first = |one, other| higher_is_first(&player(2, one), &player(5, other));
        // Nobody played: by the place in the field.
        assert!(first("", ""));
        assert!(!higher_is_first(&player(3, ""), &player(8, "")));
        // Both get what they should have.
        assert!(first("-", "+"));
        assert!(!first("+", "-"));
        assert!(first("", "+"));
        assert!(!first("+", ""));
        // Both should have the first seat: the stronger wish, the greater difference, the other seat than last time that
        // they sat differently, the higher one.
        assert!(!first("+-", "-"));
        assert!(first("--", "-"));
        assert!(!first("--", "---"));
        assert!(first("+-+-", "-++-"));
        assert!(!first("-++-", "+-+-"));
        assert!(first("+-", "+-"));
        // Both should have the second.
        assert!(!first("-+", "-+"));
        assert!(first("-+", "+"));
    }
}
