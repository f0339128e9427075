use super::*;

/// What a bot that follows the game by its events would know, beside what it is told.
struct Follower {
    table: Box<dyn Table>,
    last: u64,
}

impl Follower {
    fn new(hello: &[u8]) -> Follower {
        let hello: Value = serde_json::from_slice(hello).unwrap();
        let game: GameName = hello["game"].as_str().unwrap().parse().unwrap();
        let seats = hello["players"].as_array().unwrap().len();
        Follower { table: game.open(&hello["options"].to_string(), seats).unwrap(), last: 0 }
    }

    /// Takes a question in, and sees that it is right.
    fn hear(&mut self, question: &[u8]) -> Value {
        let question: Value = serde_json::from_slice(question).unwrap();
        for event in question["events"].as_array().unwrap() {
            if let Some(token) = event["move"].as_str() {
                assert_eq!(Turn::Seat(Seat::new(event["seat"].as_u64().unwrap() as usize)), self.table.turn());
                self.table.play(token).unwrap();
            } else if let Some(seat) = event["leave"].as_u64() {
                self.table.leave(Seat::new(seat as usize));
            } else {
                self.table.play_chance(&event["chance"].to_string()).unwrap();
            }
        }
        let (mut state, mut legal) = (Vec::new(), Vec::new());
        self.table.state_json(&mut state);
        self.table.legal_json(&mut legal);
        assert_eq!(question["state"], serde_json::from_slice::<Value>(&state).unwrap());
        if !question["legal"].is_null() {
            assert_eq!(question["legal"], serde_json::from_slice::<Value>(&legal).unwrap());
        }
        let turn = question["turn"].as_u64().unwrap();
        assert!(turn > std::mem::replace(&mut self.last, turn), "numbers rise");
        question
    }
}

fn games() -> impl Iterator<Item = (GameName, usize)> {
    GameName::ALL.iter().flat_map(|&game| game.seats().iter().map(move |&seats| (game, seats)))
}

fn setting(game: GameName, seats: usize) -> Setting {
    Setting { seat: Seat::new(seats - 1), ..Setting::of(game, seats, &Limits::default(), TimeControl::default()) }
}

#[test]
fn whatever_happens_the_events_lead_to_the_state_that_is_told() {
    for (game, seats) in games() {
        let mut deal = Deal::new(setting(game, seats)).unwrap();
        let mut follower = Follower::new(&deal.hello());
        deal.open(5, |_| false);
        deal.leave();
        for number in 0..12 {
            let Some(question) = deal.question(number % 2 == 0) else { break };
            let question = follower.hear(&question);
            assert_eq!(question["legal"].is_null(), number % 2 == 1);
            let token = follower.table.legal()[0];
            if number % 3 == 1 {
                deal.strike(&token)
            } else {
                deal.answer(&token).unwrap()
            }
            if number == 4 {
                deal.leave();
            }
        }
    }
}

#[test]
fn an_opening_goes_to_where_it_is_to_stop() {
    let two = |table: &dyn Table| table.count_legal() == 2;
    let mut deal = Deal::new(setting(GameName::AltoRiesgo, 2)).unwrap();
    assert!(deal.open(50, two), "a climber rolls on, or one stops");
    let question: Value = serde_json::from_slice(&deal.question(true).unwrap()).unwrap();
    assert_eq!(question["legal"].as_array().unwrap().len(), 2);
    let openings = question["events"].as_array().unwrap().iter().filter(|event| !event["move"].is_null());
    assert!(openings.clone().count() > 0 && openings.into_iter().all(|event| event["by"] == "opening"));
    assert!(Deal::new(setting(GameName::AltoRiesgo, 2)).unwrap().open_to_chance());
    assert!(!Deal::new(setting(GameName::Crecer, 2)).unwrap().open_to_chance());
}

#[test]
fn the_next_game_is_numbered_on() {
    let mut deal = Deal::new(setting(GameName::Crecer, 2)).unwrap();
    deal.skip_to(70);
    deal.question(true);
    let turn = deal.turn();
    assert!(turn >= 70);
    let mut next = deal.again(setting(GameName::Crecer, 2)).unwrap();
    next.question(true);
    assert!(next.turn() > turn);
}

#[test]
fn neighbours_differ_in_one_option_and_can_be_played_with() {
    for (game, seats) in games() {
        let all = neighbours(game, seats);
        assert!(all.len() >= 2, "{game}: {all:?}");
        for options in all {
            let defaults: Value = serde_json::from_str(&game.open("{}", seats).unwrap().options_json()).unwrap();
            let changed: Value = serde_json::from_str(&options).unwrap();
            let [(key, value)] = &changed.as_object().unwrap().iter().collect::<Vec<_>>()[..] else {
                panic!("{game}: {options}")
            };
            assert_ne!(&defaults[key.as_str()], *value, "{game}: {options}");
            assert!(game.open(&options, seats).is_ok(), "{game}: {options}");
        }
    }
}
