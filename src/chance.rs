//! The one source of randomness: seeds, commitments, and fair draws from ChaCha20 streams.
//!
//! Everything random in a game comes from the 32 bytes of its [`Seed`] through [`Streams`]: one stream for each
//! [`Purpose`], so that what one seat does never shifts the luck of another. The raw output of ChaCha20 is the same
//! in every version of every implementation; ranges and shuffles of general libraries are not, so the two draws that
//! games need are written here and specified, with test vectors, in `protocol.md`.
//!
//! This module knows no game, and takes no bytes from the system: whoever makes a master seed hands it in.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use hmac::{Hmac, KeyInit, Mac};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::seat::Seat;

const TEXT_DOMAIN: &[u8] = b"arbitro/1/text-seed\0";
const GAME_DOMAIN: &[u8] = b"arbitro/1/game-seed\0";
const OPENINGS_DOMAIN: &[u8] = b"arbitro/1/openings\0";
const BOT_DOMAIN: &[u8] = b"arbitro/1/bot-seed\0";
const COMMITMENT_DOMAIN: &[u8] = b"arbitro/1/commitment\0";
const MASTER_DOMAIN: &[u8] = b"arbitro/1/master\0";

/// 32 bytes as 64 lower-case hex digits: a seed or a digest. JSON numbers cannot carry them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Hex32(pub [u8; 32]);

/// The seed of one game, of one bot in one game, or the master that the others are derived from.
pub type Seed = Hex32;

/// Text that is not 64 hex digits.
#[derive(Debug, thiserror::Error)]
#[error("expected 64 hex digits, found {0}")]
pub struct BadHex(String);

impl Hex32 {
    /// A master seed from a text such as `42`: its SHA-256 behind a domain. Anyone can guess such a seed.
    pub fn from_text(text: &str) -> Seed {
        Hex32(Sha256::new().chain_update(TEXT_DOMAIN).chain_update(text).finalize().into())
    }

    /// The seed of the game, or group of games, with this luck: HMAC-SHA256(master, domain ‖ luck id).
    pub fn of_game(&self, luck_id: &str) -> Seed {
        self.keyed(&[GAME_DOMAIN, luck_id.as_bytes()])
    }

    /// The seed that the bot at `seat` gets in the game with this id: HMAC-SHA256(master, domain ‖ game id ‖ NUL ‖ seat digit).
    pub fn of_bot(&self, game_id: &str, seat: Seat) -> Seed {
        self.keyed(&[BOT_DOMAIN, game_id.as_bytes(), b"\0", seat.to_string().as_bytes()])
    }

    /// The seed that the openings of a tournament are drawn from: HMAC-SHA256(master, domain).
    pub fn of_openings(&self) -> Seed {
        self.keyed(&[OPENINGS_DOMAIN])
    }

    /// What is published before a game so that its seed cannot be changed afterwards: SHA-256(domain ‖ game id ‖ game seed).
    pub fn commitment(&self, game_id: &str) -> Hex32 {
        Hex32(
            Sha256::new().chain_update(COMMITMENT_DOMAIN).chain_update(game_id).chain_update(self.0).finalize().into(),
        )
    }

    /// What a plan publishes so that its master seed cannot be changed afterwards: SHA-256(domain ‖ master).
    pub fn master_commitment(&self) -> Hex32 {
        Hex32(Sha256::new().chain_update(MASTER_DOMAIN).chain_update(self.0).finalize().into())
    }

    fn keyed(&self, parts: &[&[u8]]) -> Seed {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        parts.iter().for_each(|part| mac.update(part));
        Hex32(mac.finalize().into_bytes().into())
    }
}

impl fmt::Display for Hex32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |place: usize| b"0123456789abcdef"[usize::from(self.0[place / 2] >> (4 - place % 2 * 4) & 15)];
        let digits: [u8; 64] = std::array::from_fn(digit);
        f.write_str(std::str::from_utf8(&digits).expect("hex digits are ASCII"))
    }
}

impl fmt::Debug for Hex32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Hex32 {
    type Err = BadHex;

    fn from_str(text: &str) -> Result<Hex32, BadHex> {
        let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
        let mut bytes = [0; 32];
        if text.len() != 64 {
            return Err(BadHex(format!("{} characters", text.chars().count())));
        }
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().as_chunks::<2>().0) {
            match (digit(pair[0]), digit(pair[1])) {
                (Some(high), Some(low)) => *byte = high << 4 | low,
                _ => return Err(BadHex(format!("{:?}", String::from_utf8_lossy(pair)))),
            }
        }
        Ok(Hex32(bytes))
    }
}

impl From<Hex32> for String {
    fn from(hex: Hex32) -> String {
        hex.to_string()
    }
}

impl TryFrom<String> for Hex32 {
    type Error = BadHex;

    fn try_from(text: String) -> Result<Hex32, BadHex> {
        text.parse()
    }
}

/// What a stream of chance is for. The number of each is the ChaCha20 stream number, part of the log format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Purpose {
    /// Setting the board up.
    SetUp,
    /// Shuffling or drawing from a deck.
    Deck,
    /// The dice of one seat.
    Dice(Seat),
    /// The moves that the referee plays for one seat whose fault was tolerated.
    Strike(Seat),
    /// Opening moves that are drawn at random.
    Opening,
}

impl Purpose {
    /// The number of its ChaCha20 stream.
    pub const fn stream(self) -> u64 {
        match self {
            Purpose::SetUp => 1,
            Purpose::Deck => 2,
            Purpose::Opening => 3,
            Purpose::Dice(seat) => 16 + seat.index() as u64,
            Purpose::Strike(seat) => 32 + seat.index() as u64,
        }
    }
}

/// All the chance of one game: a stream of draws for each purpose.
#[derive(Clone, Debug)]
pub struct Streams {
    seed: Seed,
    open: BTreeMap<Purpose, Draws>,
}

impl Streams {
    /// The streams of the game with this seed, each at its beginning.
    pub fn new(seed: Seed) -> Streams {
        Streams { seed, open: BTreeMap::new() }
    }

    /// The stream for a purpose, where its last draw left it.
    pub fn of(&mut self, purpose: Purpose) -> &mut Draws {
        self.open.entry(purpose).or_insert_with(|| Draws::new(self.seed, purpose))
    }
}

/// Fair draws from one stream.
#[derive(Clone, Debug)]
pub struct Draws(ChaCha20Rng);

impl Draws {
    fn new(seed: Seed, purpose: Purpose) -> Draws {
        let mut rng = ChaCha20Rng::from_seed(seed.0);
        rng.set_stream(purpose.stream());
        Draws(rng)
    }

    /// A number from 0 to `bound` − 1, each equally likely: words of 32 bits are taken until one lies below the
    /// greatest multiple of `bound` that is not above 2³²; its remainder is the number.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "a draw needs something to draw from");
        let limit = (1u64 << 32) / u64::from(bound) * u64::from(bound);
        loop {
            let word = self.0.next_u32();
            if u64::from(word) < limit {
                return word % bound;
            }
        }
    }

    /// Puts the items into an order drawn at random, each order equally likely (Fisher–Yates, from the last place down).
    ///
    /// # Panics
    /// If there are 2³² items or more.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for place in (1..items.len()).rev() {
            let bound = u32::try_from(place + 1).expect("nothing this long is shuffled");
            items.swap(place, self.below(bound) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counting_seed() -> Seed {
        Hex32(std::array::from_fn(|index| index as u8))
    }

    #[test]
    fn hex_reads_back_and_refuses_anything_else() {
        let seed = counting_seed();
        assert_eq!(seed.to_string().parse::<Seed>().unwrap(), seed);
        for bad in ["", "00", &"g".repeat(64), &"é".repeat(32), &"0".repeat(65)] {
            assert!(bad.parse::<Seed>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn seeds_of_games_and_bots_differ_from_each_other() {
        let master = counting_seed();
        let seeds = [
            master.of_game("game-1"),
            master.of_game("game-2"),
            master.of_openings(),
            master.of_bot("game-1", Seat::new(0)),
            master.of_bot("game-1", Seat::new(1)),
            master.of_game("game-1").commitment("game-1"),
            master.of_game("game-1").commitment("game-2"),
            master.master_commitment(),
        ];
        for (index, seed) in seeds.iter().enumerate() {
            assert!(!seeds[..index].contains(seed));
        }
    }

    #[test]
    fn streams_do_not_shift_each_other() {
        let mut plain = Streams::new(counting_seed());
        let mut busy = Streams::new(counting_seed());
        for _ in 0..100 {
            busy.of(Purpose::Dice(Seat::new(1))).below(6);
        }
        let roll = |streams: &mut Streams| streams.of(Purpose::Dice(Seat::new(0))).below(6);
        assert!((0..100).all(|_| roll(&mut plain) == roll(&mut busy)));
    }

    #[test]
    fn draws_are_uniform() {
        // Chi-square with 5 and 23 degrees of freedom; the bounds are the 99.9 % points.
        let mut draws = Streams::new(counting_seed()).of(Purpose::Deck).clone();
        let mut faces = [0i64; 6];
        (0..60_000).for_each(|_| faces[draws.below(6) as usize] += 1);
        let chi: i64 = faces.iter().map(|count| (count - 10_000) * (count - 10_000)).sum::<i64>() / 10_000;
        assert!(chi < 21, "{faces:?}");

        let mut orders = BTreeMap::new();
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            draws.shuffle(&mut items);
            *orders.entry(items).or_insert(0i64) += 1;
        }
        assert_eq!(orders.len(), 24);
        let chi: i64 = orders.values().map(|count| (count - 1000) * (count - 1000)).sum::<i64>() / 1000;
        assert!(chi < 50, "{orders:?}");
    }

    #[test]
    #[should_panic(expected = "something to draw from")]
    fn nothing_to_draw_from_is_our_bug() {
        Streams::new(counting_seed()).of(Purpose::SetUp).below(0);
    }
}
