//! Round robins against the Berger tables of caissify-pairings, which are those of the FIDE handbook.

use std::collections::BTreeSet;

use arbitro::tournament::pairing::Format;
use serde_json::{Value, json};

use crate::peer::Peer;

#[test]
fn round_robins_are_those_of_caissify() {
    let Some(mut peer) = Peer::start("pairings.py", &["py4swiss", "caissify_pairings"]) else { return };
    let format: Format = serde_json::from_value(json!({ "kind": "round-robin" })).unwrap();
    for field in 2..=41 {
        let answer: Vec<BTreeSet<(u16, u16)>> =
            serde_json::from_value(peer.ask(&json!({ "ask": "berger", "field": field }))).unwrap();
        let rounds = (1..).map_while(|number| format.round(number, field, 2, &[], &BTreeSet::new()));
        let seats = |seats: &[u16]| (seats[0], seats[1]);
        let own: Vec<BTreeSet<(u16, u16)>> = rounds
            .map(|round| {
                let numbers = |meeting: &Value| -> Vec<u16> { serde_json::from_value(meeting.clone()).unwrap() };
                let meetings = round.meetings.iter().map(|meeting| json!(meeting.seats.map(|bot| bot.0 + 1)));
                meetings.map(|meeting| seats(&numbers(&meeting))).collect()
            })
            .collect();
        assert_eq!(own, answer, "{field} bots");
    }
}
