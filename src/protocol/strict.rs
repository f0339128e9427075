//! JSON that is read only to be sound: what a bot sends beside the fields that mean something.
//!
//! Nothing is kept of it, but it may stand in a log, and a log is read by programs in every language. So it must be what
//! all of them read alike: nested no deeper than [`NESTING`], no name twice in an object, every number within the range
//! of a double, every string a text.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::limits::NESTING;

/// Reads one value of any kind and keeps nothing of it.
#[derive(Clone, Copy)]
pub struct Strict {
    /// How many more objects and lists may be opened in one another.
    deeper: usize,
}

impl Default for Strict {
    fn default() -> Strict {
        Strict { deeper: NESTING }
    }
}

impl Strict {
    /// Whether the text is one sound value.
    ///
    /// # Errors
    /// What is unsound about it, and where.
    pub fn check(text: &str) -> Result<(), serde_json::Error> {
        let mut json = serde_json::Deserializer::from_str(text);
        Strict::default().deserialize(&mut json)?;
        json.end()
    }

    fn inside<E: de::Error>(self) -> Result<Strict, E> {
        let too_deep = || E::custom(format_args!("nested deeper than {NESTING} levels"));
        self.deeper.checked_sub(1).map(|deeper| Strict { deeper }).ok_or_else(too_deep)
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let inside = self.inside()?;
        while list.next_element_seed(inside)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let inside = self.inside()?;
        let mut seen = BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            map.next_value_seed(inside)?;
            if let Some(twice) = seen.replace(key) {
                let shown = super::receive::shown(twice.as_bytes());
                return Err(de::Error::custom(format_args!("duplicate field `{shown}`")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(levels: usize) -> String {
        format!("{}1{}", r#"{"a":["#.repeat(levels / 2), "]}".repeat(levels / 2))
    }

    #[test]
    fn what_all_readers_take_alike_is_sound() {
        for text in ["null", "-1", "1e308", r#""\u00e9""#, r#"{"a":{"a":[{"a":1},{"a":2}]},"b":[]}"#, &nested(NESTING)]
        {
            assert!(Strict::check(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_they_could_take_differently_is_refused() {
        let words = |text: &str| Strict::check(text).unwrap_err().to_string();
        assert!(words(r#"{"a":1,"b":{"c":1,"\u0063":2}}"#).contains("duplicate field `c`"));
        assert!(words("[1e999]").contains("out of range"));
        assert!(Strict::check(r#"["\ud800"]"#).is_err());
        assert!(words(&nested(NESTING + 2)).contains("nested deeper than"));
        assert!(words("1 2").contains("trailing"));
    }
}
