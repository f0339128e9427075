//! Which golden logs there are.

use arbitro::table::GameName;

/// One golden log.
pub struct Case {
    pub name: &'static str,
    pub game: GameName,
    pub seats: usize,
    pub options: &'static str,
    pub opening: &'static str,
    /// The clock, whose players think as long as they may; without one they think for microseconds.
    pub clock: &'static str,
    pub trouble: Option<Trouble>,
}

/// Something that goes wrong at the seventh question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// An illegal move that is tolerated.
    Strike,
    /// An illegal move.
    Illegal,
    /// No answer.
    Timeout,
    /// The program dies.
    Crash,
    /// The referee's own machinery fails.
    Void,
    /// The referee is stopped.
    Stop,
}

pub fn cases() -> Vec<Case> {
    use GameName::{AltoAhi, AltoRiesgo, Crecer, Passage};
    let case = |name, game, seats, options| Case { name, game, seats, options, opening: "", clock: "", trouble: None };
    let plain = [
        case("alto-ahi-2", AltoAhi, 2, "{}"),
        case("alto-ahi-4", AltoAhi, 4, "{}"),
        case("alto-ahi-2-small", AltoAhi, 2, r#"{"size":5,"walls":3,"edge":"none","repetition":3}"#),
        case("alto-ahi-4-side", AltoAhi, 4, r#"{"size":7,"pawn_behind":"side","max_plies":60}"#),
        case("alto-ahi-2-cards", AltoAhi, 2, r#"{"size":7,"walls":5,"cards":true}"#),
        case("alto-ahi-4-cards", AltoAhi, 4, r#"{"cards":true,"max_plies":150}"#),
        case(
            "alto-ahi-2-deck",
            AltoAhi,
            2,
            r#"{"size":5,"walls":4,"cards":true,"deck":[{"effect":"push","count":3},{"effect":"move-wall","count":2}]}"#,
        ),
        case("alto-riesgo-2", AltoRiesgo, 2, "{}"),
        case("alto-riesgo-3", AltoRiesgo, 3, "{}"),
        case("alto-riesgo-4", AltoRiesgo, 4, "{}"),
        case(
            "alto-riesgo-2-short",
            AltoRiesgo,
            2,
            r#"{"track":"BCCBC","climbers":2,"dice":5,"tie_next":"lower_only"}"#,
        ),
        case("alto-riesgo-3-capped", AltoRiesgo, 3, r#"{"max_turns":20}"#),
        case("crecer", Crecer, 2, "{}"),
        case("crecer-low", Crecer, 2, r#"{"max_height":2,"attack_up":false,"mutual":"mover_wins"}"#),
        case("crecer-forward", Crecer, 2, r#"{"backward":false,"max_plies":80,"repetition":2}"#),
        case("passage", Passage, 2, "{}"),
        case("passage-rematch", Passage, 2, r#"{"legs":2,"max_plies":40,"adjudicate":"progress"}"#),
        case(
            "passage-drawn",
            Passage,
            2,
            r#"{"placement":"chance","bridge_on_neutral":false,"max_plies":60,"repetition":2}"#,
        ),
        case(
            "passage-layout",
            Passage,
            2,
            r#"{"layout":"RBRBRBRBRBRBRBBRB","starter":"R","stuck":"loss","max_plies":60}"#,
        ),
    ];
    let trouble = |name, seats, trouble| Case {
        name,
        game: AltoAhi,
        seats,
        options: r#"{"size":5,"walls":3}"#,
        opening: "",
        clock: "",
        trouble: Some(trouble),
    };
    let troubled = [
        trouble("trouble-strike", 2, Trouble::Strike),
        trouble("trouble-illegal", 2, Trouble::Illegal),
        trouble("trouble-timeout", 2, Trouble::Timeout),
        trouble("trouble-crash-of-four", 4, Trouble::Crash),
        trouble("trouble-void", 2, Trouble::Void),
        trouble("trouble-stopped", 2, Trouble::Stop),
        Case { opening: "c2 c4 a1h", ..case("opening", AltoAhi, 2, r#"{"size":5,"walls":3}"#) },
    ];
    let small = r#"{"size":5,"walls":3}"#;
    let clocked = [
        Case { clock: "10s+1s/3x2s", ..case("clock-byo-yomi", AltoAhi, 2, small) },
        Case { clock: "5s/d500ms/4x1s", trouble: Some(Trouble::Strike), ..case("clock-delay", AltoAhi, 4, small) },
    ];
    plain.into_iter().chain(troubled).chain(clocked).collect()
}
