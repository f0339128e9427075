//! Words and numbers as they are shown: names from outside made harmless, and numbers that are always numbers.

use unicode_width::UnicodeWidthStr;

use crate::protocol::receive::harmless;
use crate::tournament::played::HalfPoints;

/// What stands for a number that cannot be told.
pub const UNKNOWN: &str = "n/a";

/// How many columns of a terminal a name gets at most, and how many of them its beginning and its end where it is
/// longer: names that differ only in the middle are rare.
const NAME_COLUMNS: usize = 32;
const NAME_BEGINNING: usize = 20;
const NAME_END: usize = NAME_COLUMNS - NAME_BEGINNING - 1;

/// Marks around text that is read from right to left, so that it does not turn the numbers behind it round.
const ISOLATE: char = '\u{2068}';
const END_OF_ISOLATE: char = '\u{2069}';

/// A name for a terminal: what controls it written out, cut in the middle where it is long, and held together where it
/// is read from right to left.
pub fn name(raw: &str) -> String {
    let letters: Vec<String> = raw.chars().map(|letter| harmless(letter.encode_utf8(&mut [0; 4]))).collect();
    // Marks upon a letter take no column, and could be any number; so each counts as one.
    let columns = |letters: &[String]| letters.iter().map(|letter| letter.width().max(1)).sum::<usize>();
    let shown = if columns(&letters) <= NAME_COLUMNS {
        letters.concat()
    } else {
        let beginning = (0..letters.len()).take_while(|&end| columns(&letters[..=end]) <= NAME_BEGINNING).count();
        let end = (0..letters.len()).rev().take_while(|&begin| columns(&letters[begin..]) <= NAME_END).count();
        format!("{}…{}", letters[..beginning].concat(), letters[letters.len() - end..].concat())
    };
    if raw.chars().any(is_from_right_to_left) { format!("{ISOLATE}{shown}{END_OF_ISOLATE}") } else { shown }
}

/// Whether a letter belongs to a script that is written from right to left: the blocks that Unicode keeps for them.
fn is_from_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// A name for a cell of a Markdown table: letters, digits, blanks and hyphens as they are, all else as code, which is
/// neither markup nor HTML, no link and no mention of anybody.
pub fn markdown(raw: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || letter == ' ' || letter == '-';
    if !raw.is_empty() && raw.chars().all(is_plain) && raw.trim() == raw {
        return raw.to_owned();
    }
    let code: String = raw
        .chars()
        .map(|letter| match letter {
            // A table ends its cells before it looks for code, and code ends at the mark that it begins with.
            '|' | '`' => letter.escape_unicode().to_string(),
            letter => harmless(letter.encode_utf8(&mut [0; 4])),
        })
        .collect();
    // An empty name, or one that begins or ends with a blank, would be no code.
    format!("` {code} `")
}

/// A text as a field of a CSV file (RFC 4180), always in quotes. A spreadsheet takes what begins like a formula for one,
/// quotes or not; an apostrophe before it makes it a text, as OWASP advises.
pub fn csv(raw: &str) -> String {
    let is_formula = raw.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    format!("\"{}{}\"", if is_formula { "'" } else { "" }, harmless(raw).replace('"', "\"\""))
}

/// JSON in which no letter can control a terminal or end the HTML around it, and which says the same.
pub fn json(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        let is_safe =
            !matches!(letter, '<' | '>' | '&') && harmless(letter.encode_utf8(&mut [0; 4])).chars().eq([letter]);
        if is_safe {
            shown.push(letter);
        } else {
            // Such letters stand in strings alone.
            letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
        }
    }
    shown
}

/// A number with so many decimals.
pub fn decimals(value: Option<f64>, digits: usize) -> String {
    let Some(value) = value.filter(|value| value.is_finite()) else { return UNKNOWN.to_owned() };
    format!("{:.digits$}", rounded(value, digits))
}

/// A number with its sign and so many decimals.
pub fn signed(value: Option<f64>, digits: usize) -> String {
    let text = decimals(value, digits);
    let is_positive =
        text.starts_with(|first: char| first.is_ascii_digit()) && text.contains(|digit| ('1'..='9').contains(&digit));
    if is_positive { format!("+{text}") } else { text }
}

/// A share in percent with so many decimals.
pub fn percent(share: Option<f64>, digits: usize) -> String {
    match decimals(share.map(|share| share * 100.0), digits) {
        unknown if unknown == UNKNOWN => unknown,
        text => format!("{text} %"),
    }
}

/// A number rounded to so many decimals, without a zero that has a sign.
pub fn rounded(value: f64, digits: usize) -> f64 {
    let scale = 10f64.powi(digits as i32);
    let rounded = (value * scale).round() / scale;
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// Points, with their half as a decimal.
pub fn points(points: HalfPoints) -> String {
    format!("{}.{}", points.0 / 2, if points.0.is_multiple_of(2) { 0 } else { 5 })
}

/// A score that is counted in quarters of a point.
pub fn quarters(score: u64) -> String {
    format!("{}.{:02}", score / 4, score % 4 * 25)
}

/// A time in seconds.
pub fn seconds(microseconds: u64) -> String {
    format!("{}.{:03}", microseconds / 1_000_000, microseconds % 1_000_000 / 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_harmless_on_a_terminal() {
        assert_eq!(name("ada"), "ada");
        assert_eq!(name("\x1b[31mred\x07\u{9b}2J"), "\\u{1b}[31mred\\u{7}\\u{9b}2J");
        assert_eq!(name("a\nb\u{202e}c"), "a\\u{a}b\\u{202e}c");
        assert_eq!(name("東京 ñ"), "東京 ñ");
        assert_eq!(name("שלום 1"), "\u{2068}שלום 1\u{2069}");
        assert_eq!(name(""), "");
    }

    #[test]
    fn long_names_keep_both_ends_and_no_escape_is_cut() {
        let long: String = ('a'..='z').chain('0'..='9').collect();
        assert_eq!(name(&long), "abcdefghijklmnopqrst…z0123456789");
        assert_eq!(name(&long[..32]), long[..32]);
        assert_eq!(name(&"x".repeat(100_000)).chars().count(), 32);
        let wide = "東".repeat(17);
        assert_eq!(name(&wide), "東東東東東東東東東東…東東東東東", "each takes two columns");
        assert_eq!(name(&wide[3..]), wide[3..]);
        assert_eq!(name(&"\u{301}".repeat(100_000)).chars().count(), 32, "marks that take none");
        let escapes = name(&"\u{7}".repeat(50));
        assert_eq!(escapes, "\\u{7}\\u{7}\\u{7}\\u{7}…\\u{7}\\u{7}");
    }

    #[test]
    fn names_are_no_markup_in_markdown() {
        assert_eq!(markdown("Ada 2-b"), "Ada 2-b");
        assert_eq!(markdown("<script>x</script>"), "` <script>x</script> `");
        assert_eq!(markdown("a|b`c"), "` a\\u{7c}b\\u{60}c `");
        assert_eq!(markdown("@all"), "` @all `");
        assert_eq!(markdown("[x](http://y)"), "` [x](http://y) `");
        assert_eq!(markdown("a\n| b"), "` a\\u{a}\\u{7c} b `");
        assert_eq!(markdown(""), "`  `");
        assert_eq!(markdown(" x"), "`  x `");
    }

    #[test]
    fn names_are_no_formulas_in_csv() {
        assert_eq!(csv("ada"), "\"ada\"");
        assert_eq!(csv("=cmd()"), "\"'=cmd()\"");
        assert_eq!(csv("+1"), "\"'+1\"");
        assert_eq!(csv("-1"), "\"'-1\"");
        assert_eq!(csv("@sum"), "\"'@sum\"");
        assert_eq!(csv("\t=1"), "\"'\\u{9}=1\"");
        assert_eq!(csv("＝1"), "\"'＝1\"");
        assert_eq!(csv("a\",=1,\""), "\"a\"\",=1,\"\"\"");
        assert_eq!(csv("a\r\n=1"), "\"a\\u{d}\\u{a}=1\"");
    }

    #[test]
    fn json_says_the_same_with_harmless_letters() {
        let hostile = "</script>&\u{9b}\u{202e}\u{1b}\u{e0001}é";
        let text = serde_json::to_string(hostile).unwrap();
        let shown = json(&text);
        assert_eq!(shown, "\"\\u003c/script\\u003e\\u0026\\u009b\\u202e\\u001b\\udb40\\udc01é\"");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), hostile);
    }

    #[test]
    fn numbers_are_numbers_or_not_told() {
        assert_eq!(decimals(Some(1.005), 1), "1.0");
        assert_eq!(decimals(Some(-0.04), 1), "0.0");
        assert_eq!(
            (decimals(None, 1), decimals(Some(f64::NAN), 1), decimals(Some(f64::INFINITY), 0)),
            ("n/a".into(), "n/a".into(), "n/a".into())
        );
        assert_eq!((signed(Some(12.34), 1), signed(Some(-12.36), 1)), ("+12.3".into(), "-12.4".into()));
        assert_eq!(
            (signed(Some(0.01), 1), signed(Some(-0.01), 1), signed(None, 1)),
            ("0.0".into(), "0.0".into(), "n/a".into())
        );
        assert_eq!((percent(Some(0.5), 1), percent(None, 1)), ("50.0 %".into(), "n/a".into()));
        assert_eq!((points(HalfPoints(7)), points(HalfPoints(0))), ("3.5".into(), "0.0".into()));
        assert_eq!((quarters(13), quarters(4)), ("3.25".into(), "1.00".into()));
        assert_eq!(seconds(61_002_499), "61.002");
    }
}
