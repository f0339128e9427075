//! The state of a tournament in words.

use std::fmt::Write;
use std::time::Duration;

use super::tally::{Score, Tally};
use crate::report::text;
use crate::tournament::played::HalfPoints;

/// How many bots are named in one line.
const IN_A_LINE: usize = 3;

/// How many bots are named in a state.
const IN_A_STATE: usize = 10;

/// The state in one line: `120 of 1200 games, 3 faults, 0 voids, 12.3 games/s, 1m30s left; ada 31½/40, bob 9/40`.
pub fn line(tally: &Tally, rate: Option<f64>, left: Option<Duration>) -> String {
    let mut line = format!("{}, {}", games(tally), counts(tally));
    if let Some(rate) = rate {
        let _ = write!(line, ", {}", pace(rate));
    }
    if let Some(left) = left.filter(|left| !left.is_zero()) {
        let _ = write!(line, ", {} left", duration(left));
    }
    let leading = leading(tally, IN_A_LINE);
    for (place, (_, bot)) in leading.iter().enumerate() {
        let _ = write!(line, "{} {bot}", if place == 0 { ";" } else { "," });
    }
    line
}

/// The state in a few lines, for whoever asks.
pub fn state(title: &str, tally: &Tally, rate: Option<f64>, left: Option<Duration>) -> String {
    let mut text = format!("{}: {}", text::name(title), games(tally));
    if tally.running() > 0 {
        let _ = write!(text, ", {} running", tally.running());
    }
    let _ = write!(text, "\n{}", counts(tally));
    if let Some(rate) = rate {
        let _ = write!(text, "; {}", pace(rate));
    }
    if let Some(left) = left.filter(|left| !left.is_zero()) {
        let _ = write!(text, ", {} left", duration(left));
    }
    for (rank, bot) in leading(tally, IN_A_STATE) {
        let _ = write!(text, "\n{rank:>4}. {bot}");
    }
    text
}

/// How many games are finished: `120 of 1200 games`.
pub fn games(tally: &Tally) -> String {
    let (least, most) = tally.planned();
    match least == most {
        true => format!("{} of {most} games", tally.finished),
        false => format!("{} of {least} to {most} games", tally.finished),
    }
}

/// What went wrong: `3 faults, 0 voids`.
pub fn counts(tally: &Tally) -> String {
    let Tally { faults, voids, unresolved, .. } = tally;
    let mut words = format!("{}, {}", number(*faults, "fault"), number(*voids, "void"));
    if *unresolved > 0 {
        let _ = write!(words, ", {unresolved} without a result");
    }
    words
}

/// The leading bots with their ranks, each with its points: `ada 31½/40`.
pub fn leading(tally: &Tally, count: usize) -> Vec<(usize, String)> {
    let leading = tally.leading(count);
    if leading.iter().all(|(.., score)| score.most.0 == 0) {
        return Vec::new();
    }
    let words = |name, points, most| format!("{} {}/{}", text::name(name), halves(points), halves(most));
    leading.into_iter().map(|(rank, name, Score { points, most, .. })| (rank, words(name, points, most))).collect()
}

/// Points as people write them: `31½`.
pub fn halves(points: HalfPoints) -> String {
    match (points.0 / 2, points.0 % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "½".to_owned(),
        (whole, _) => format!("{whole}½"),
    }
}

/// A pace: by the second, the minute or the hour, whichever gives a number that can be read.
pub fn pace(rate: f64) -> String {
    let (number, unit) = match rate {
        rate if rate >= 1.0 => (rate, "s"),
        rate if rate * 60.0 >= 1.0 => (rate * 60.0, "min"),
        _ => (rate * 3600.0, "h"),
    };
    if number >= 100.0 { format!("{number:.0} games/{unit}") } else { format!("{number:.1} games/{unit}") }
}

/// A length of time in its two largest units: `1d3h`, `2h05m`, `1m30s`, `12s`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds}s"),
        (0, 0, minutes) => format!("{minutes}m{:02}s", seconds % 60),
        (0, hours, minutes) => format!("{hours}h{minutes:02}m"),
        (days, hours, _) if days < 1000 => format!("{days}d{hours:02}h"),
        (days, ..) => format!("{} years", days / 365),
    }
}

/// So many of something: `1 game`, `2 games`.
pub fn number(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::run::plan::Extent;
    use crate::cli::run::progress::tally::tests::{game, of};
    use crate::tournament::plan::{Header, Plan};
    use crate::tournament::samples::header;

    #[test]
    fn a_line_says_what_there_is_to_say() {
        let mut tally = of(&["ada", "bob", "eve"], 4);
        assert_eq!(line(&tally, None, None), "0 of 4 games, 0 faults, 0 voids");
        tally.finished(&game(Some(&[2, 1]), &["crash"]));
        tally.voids = 1;
        assert_eq!(
            line(&tally, Some(0.5), Some(Duration::from_secs(6))),
            "1 of 4 games, 1 fault, 1 void, 30.0 games/min, 6s left; bob 1/1, ada 0/1"
        );
        let pairing = serde_json::json!({"kind": "knockout", "sets": 1, "extra_sets": 1});
        let plan = Plan::new(Header { pairing, ..header(3) }, []);
        tally.name(["ada", "bob", "eve"].map(str::to_owned).to_vec(), Extent::of(&plan));
        tally.finished(&game(None, &[]));
        assert!(
            line(&tally, Some(1.0), None)
                .starts_with("2 of 4 to 8 games, 1 fault, 1 void, 1 without a result, 1.0 games/s")
        );
    }

    #[test]
    fn numbers_can_be_read() {
        assert_eq!([0, 1, 2, 63].map(|points| halves(HalfPoints(points))), ["0", "½", "1", "31½"]);
        assert_eq!(
            [1234.5, 12.34, 0.5, 0.001].map(pace),
            ["1234 games/s", "12.3 games/s", "30.0 games/min", "3.6 games/h"]
        );
        let times = [0.0, 0.2, 59.0, 90.0, 7500.0, 97_200.0, 1e9, 1e11];
        let words = times.map(|seconds| duration(Duration::from_secs_f64(seconds)));
        assert_eq!(words, ["0s", "1s", "59s", "1m30s", "2h05m", "1d03h", "31 years", "3170 years"]);
    }
}
