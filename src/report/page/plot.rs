//! Plots that need no script: marks on a scale, and bars. Their sizes are parts of the width that they get, so text keeps
//! its size on a telephone.

use std::fmt::Write;

use super::Html;

/// A range of values, laid out over a width.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

/// About how many marks a scale has.
const MARKS: f64 = 4.0;

impl Scale {
    /// A scale on which all these values find a place, with round numbers at its marks. Values that are no numbers are
    /// left out.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Scale {
        let values = values.into_iter().filter(|value| value.is_finite());
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let step = round_step((high - low).max(f64::MIN_POSITIVE.max(high.abs() * 1e-9)) / MARKS);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        Scale { low, high: if high > low { high } else { low + step }, step }
    }

    /// Where a value lies, in percent of the width.
    pub fn percent(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low) * 100.0).clamp(0.0, 100.0)
    }

    /// The values at its marks, in order.
    pub fn marks(&self) -> Vec<f64> {
        let count = ((self.high - self.low) / self.step).round() as usize;
        (0..=count).map(|mark| self.low + mark as f64 * self.step).collect()
    }

    /// Adds a value with its interval as one row; `label` says the same in words.
    pub fn interval(&self, html: &mut Html, low: f64, value: f64, high: f64, label: &str) {
        let [low, value, high] = [low, value, high].map(|value| self.percent(value));
        html.raw("<svg class=\"strip\" role=\"img\" aria-label=\"").text(label).raw("\">");
        for mark in self.marks() {
            let x = self.percent(mark);
            html.raw(&format!("<line class=\"grid\" x1=\"{x:.2}%\" x2=\"{x:.2}%\" y1=\"0\" y2=\"100%\"/>"));
        }
        html.raw(&format!("<line class=\"range\" x1=\"{low:.2}%\" x2=\"{high:.2}%\" y1=\"50%\" y2=\"50%\"/>"));
        for end in [low, high] {
            html.raw(&format!("<line class=\"range\" x1=\"{end:.2}%\" x2=\"{end:.2}%\" y1=\"30%\" y2=\"70%\"/>"));
        }
        html.raw(&format!("<circle class=\"dot\" cx=\"{value:.2}%\" cy=\"50%\" r=\"5\"/></svg>"));
    }

    /// Adds a value as a bar from the beginning of the scale, as one row.
    pub fn bar(&self, html: &mut Html, value: f64, label: &str) {
        let width = self.percent(value);
        html.raw("<svg class=\"strip\" role=\"img\" aria-label=\"").text(label).raw("\">");
        html.raw(&format!("<rect class=\"bar\" x=\"0\" y=\"15%\" width=\"{width:.2}%\" height=\"70%\"/></svg>"));
    }

    /// Adds its marks as a row of numbers: so many of them as have room, also on the narrowest plot.
    pub fn axis(&self, html: &mut Html) {
        html.raw("<span class=\"axis\" aria-hidden=\"true\">");
        let numbers: Vec<String> = self.marks().into_iter().map(number).collect();
        let last = numbers.len() - 1;
        let (narrow, wide) = strides(&numbers);
        for (place, number) in numbers.iter().enumerate() {
            let width = match place {
                place if place % narrow == 0 => "",
                place if place % wide == 0 => " roomy",
                _ => continue,
            };
            // The outer numbers keep within the plot.
            let side = match place {
                0 => "first",
                place if place == last => "last",
                _ => "mark",
            };
            let x = place as f64 / last as f64 * 100.0;
            html.raw(&format!("<span class=\"{side}{width}\" style=\"left:{x:.2}%\">{number}</span>"));
        }
        html.raw("</span>");
    }
}

/// How wide a plot is at least, and where `style.css` shows what is `roomy`: in sizes of the letters below it.
const NARROW: f64 = 20.0;
const WIDE: f64 = 40.0;

/// Each how many of these numbers have room, from the first, on a narrow and on a wide plot. The wide one has those of
/// the narrow one, and more between them.
fn strides(numbers: &[String]) -> (usize, usize) {
    let last = numbers.len() - 1;
    let narrow = (1..=last).find(|&stride| have_room(numbers, stride, NARROW)).unwrap_or(last + 1);
    let fits = |stride: &usize| narrow.is_multiple_of(*stride) && have_room(numbers, *stride, WIDE);
    (narrow, (1..narrow).find(fits).unwrap_or(narrow))
}

/// Whether so many of these numbers, evenly spaced over a width, leave a blank between them.
fn have_room(numbers: &[String], stride: usize, width: f64) -> bool {
    let last = numbers.len() - 1;
    let span = |place: usize| {
        // In the widest of usual fonts a digit takes two thirds of its height.
        let (x, own) = (place as f64 / last as f64 * width, numbers[place].chars().count() as f64 * 0.67);
        match place {
            0 => (0.0, own),
            place if place == last => (x - own, x),
            _ => (x - own / 2.0, x + own / 2.0),
        }
    };
    let spans: Vec<(f64, f64)> = (0..=last).step_by(stride).map(span).collect();
    spans.windows(2).all(|two| two[0].1 + 0.5 <= two[1].0) && spans.iter().all(|(_, end)| *end <= width)
}

/// The round number (1, 2 or 5 times a power of ten) that is not below this.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|step| *step >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// A mark of a scale in as few digits as it needs.
fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.replace('-', "−") }
}

/// How many of some values lie in each of a few equal ranges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bins {
    /// Where the first range begins.
    pub from: u64,
    /// How wide each is.
    pub width: u64,
    /// How many values lie in each.
    pub counts: Vec<u64>,
}

/// The most ranges.
const MOST_BINS: u64 = 24;

impl Bins {
    /// Counts some values; nothing if there are none.
    pub fn of(values: impl IntoIterator<Item = u64> + Clone) -> Option<Bins> {
        let low = values.clone().into_iter().min()?;
        let high = values.clone().into_iter().max()?;
        let least = ((high - low) / MOST_BINS + 1) as f64;
        let width = (round_step(least) as u64).max(1);
        let from = low / width * width;
        let mut counts = vec![0; ((high - from) / width + 1) as usize];
        values.into_iter().for_each(|value| counts[((value - from) / width) as usize] += 1);
        Some(Bins { from, width, counts })
    }

    /// Adds them as bars beside each other, with their beginning and end below.
    pub fn bars(&self, html: &mut Html, unit: &str) {
        let most = *self.counts.iter().max().expect("there is at least one") as f64;
        let slot = 100.0 / self.counts.len() as f64;
        let end = self.from + self.width * self.counts.len() as u64;
        let mut label = format!("{unit}: ");
        for (place, count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let from = self.from + self.width * place as u64;
            let _ = match self.width {
                1 => write!(label, "{count} at {from}; "),
                width => write!(label, "{count} from {from} to {}; ", from + width - 1),
            };
        }
        html.raw("<svg class=\"bars\" role=\"img\" aria-label=\"").text(label.trim_end_matches("; ")).raw("\">");
        for (place, count) in self.counts.iter().enumerate() {
            let (x, height) = (place as f64 * slot, *count as f64 / most * 100.0);
            let (width, y) = ((slot * 0.9).max(0.1), 100.0 - height);
            html.raw(&format!(
                "<rect class=\"bar\" x=\"{x:.2}%\" y=\"{y:.2}%\" width=\"{width:.2}%\" height=\"{height:.2}%\"/>"
            ));
        }
        html.raw(&format!(
            "</svg><p class=\"ends\" aria-hidden=\"true\"><span>{}</span><span>{unit}</span><span>{}</span></p>",
            self.from,
            end - 1
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_has_round_marks_around_all_values() {
        let scale = Scale::of([-37.0, 112.0, f64::NAN, f64::INFINITY]);
        assert_eq!(scale.marks(), [-50.0, 0.0, 50.0, 100.0, 150.0]);
        assert_eq!(scale.percent(-50.0), 0.0);
        assert_eq!(scale.percent(50.0), 50.0);
        assert_eq!(scale.percent(1e9), 100.0);
    }

    #[test]
    fn a_scale_of_one_value_or_none_has_a_width() {
        for scale in [Scale::of([]), Scale::of([0.0]), Scale::of([1500.0, 1500.0]), Scale::of([-3.5])] {
            let marks = scale.marks();
            assert!(marks.len() >= 2 && marks.len() < 20 && marks.iter().all(|mark| mark.is_finite()), "{marks:?}");
        }
    }

    #[test]
    fn marks_are_short_numbers() {
        assert_eq!(
            [0.0, -0.0, -50.0, 0.1, 0.30000000000000004, 1500.0].map(number),
            ["0", "0", "−50", "0.1", "0.3", "1500"]
        );
    }

    #[test]
    fn numbers_have_room_on_the_narrowest_plot() {
        let shown = |scale: Scale| {
            let numbers: Vec<String> = scale.marks().into_iter().map(number).collect();
            let every = |stride| numbers.iter().step_by(stride).cloned().collect::<Vec<String>>();
            let (narrow, wide) = strides(&numbers);
            (every(narrow), every(wide))
        };
        let five = Scale::of([-2100.0, 5900.0]);
        assert_eq!(five.marks().len(), 6);
        assert_eq!(shown(five).0, ["−4000", "0", "4000"]);
        assert_eq!(shown(five).1, ["−4000", "−2000", "0", "2000", "4000", "6000"]);
        assert_eq!(shown(Scale::of([0.0, 4.0])).0, ["0", "1", "2", "3", "4"]);
        assert_eq!(shown(Scale::of([0.0, 0.00004])).0, ["0", "0.00002", "0.00004"]);
        assert_eq!(shown(Scale::of([0.0, 4e40])).0, ["0"]);
        // A wide plot shows both, so those between must not come near the others.
        for (low, high) in [(-4000.0, 5900.0), (0.0, 0.003), (-1e9, 1e9), (0.000001, 0.000005), (-123456.0, 0.0)] {
            let (narrow, wide) = shown(Scale::of([low, high]));
            assert!(narrow.iter().all(|number| wide.contains(number)), "{narrow:?} {wide:?}");
        }
    }

    #[test]
    fn bins_hold_each_value_once() {
        assert_eq!(Bins::of([]), None);
        assert_eq!(Bins::of([7, 7, 9]), Some(Bins { from: 7, width: 1, counts: vec![2, 0, 1] }));
        let bins = Bins::of((0..1000).map(|value| value * 3)).unwrap();
        assert_eq!((bins.counts.iter().sum::<u64>(), bins.counts.len() <= MOST_BINS as usize), (1000, true));
        assert_eq!(bins.from % bins.width, 0);
    }
}
