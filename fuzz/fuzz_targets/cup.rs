//! The file of a tournament: a tournament that makes sense, or one line that says where it does not.

#![no_main]

use arbitro::tournament::cup::Cup;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Cup::read(text) {
        Ok(cup) => {
            assert!(cup.bots.len() >= 2 && cup.format.check(cup.bots.len(), cup.seats).is_ok());
            cup.game.open(&cup.options, cup.seats).map(drop).expect("the options were tried");
        }
        Err(error) => {
            let words = error.to_string();
            assert!(!words.chars().any(char::is_control), "{words:?}");
            assert!((1..=text.split('\n').count()).contains(&error.line), "{words}");
        }
    }
});
