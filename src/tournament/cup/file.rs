//! The file as it is written: its tables and keys, each value with its place. What they mean together is not looked at
//! here.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::clock::{BadTime, Span};
use crate::tournament::pairing::Format;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub name: Option<Spanned<String>>,
    pub game: Spanned<String>,
    pub seats: Option<Spanned<usize>>,
    pub seed_file: Option<Spanned<PathBuf>>,
    #[serde(default)]
    pub options: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    pub format: Spanned<Format>,
    pub openings: Option<Spanned<OpeningsTable>>,
    #[serde(default)]
    pub clock: ClockTable,
    #[serde(default)]
    pub limits: BTreeMap<Spanned<String>, Spanned<LimitText>>,
    #[serde(default)]
    pub faults: FaultsTable,
    #[serde(default)]
    pub run: RunTable,
    #[serde(default)]
    pub bots: Vec<Spanned<BotTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpeningsTable {
    pub file: Option<Spanned<PathBuf>>,
    pub plies: Option<Spanned<u32>>,
    pub count: Option<Spanned<u32>>,
    pub balance: Option<Spanned<bool>>,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ClockTable {
    pub clock: Option<Spanned<String>>,
    pub move_limit: Option<Spanned<Time>>,
    pub startup: Option<Spanned<Time>>,
    pub margin: Option<Spanned<Time>>,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(super) struct FaultsTable {
    pub strikes: u32,
    pub lenient: u32,
    pub disqualify_after: u32,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RunTable {
    pub concurrency: Option<Spanned<u32>>,
    pub cores_per_game: Option<Spanned<u32>>,
    pub pin: Option<Spanned<bool>>,
    pub reuse: Option<Spanned<u32>>,
    pub ponder: Option<Spanned<PonderWord>>,
    pub sandbox: Option<Spanned<SandboxMode>>,
    pub isolation: Option<Spanned<IsolationMode>>,
}

/// Whether bots run while others think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PonderWord {
    Stop,
    Allow,
}

/// What keeps bots from files, the network and each other.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SandboxMode {
    /// Whatever this machine has.
    #[default]
    Auto,
    /// All of it, or nothing starts.
    Require,
    /// None: bots can do what their user can.
    Off,
}

/// What isolates bots besides.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IsolationMode {
    /// Nothing.
    #[default]
    None,
    /// Namespaces, by bubblewrap.
    Bwrap,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BotTable {
    pub name: Spanned<String>,
    pub command: Spanned<Vec<String>>,
    #[serde(default)]
    pub options: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    pub dir: Option<Spanned<PathBuf>>,
    #[serde(default)]
    pub env: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    pub files: Vec<Spanned<PathBuf>>,
    #[serde(default)]
    pub read: Vec<Spanned<PathBuf>>,
    #[serde(default)]
    pub write: Vec<Spanned<PathBuf>>,
    #[serde(default)]
    pub network: bool,
}

/// A time, in quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Time(pub Span);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Time, D::Error> {
        struct Read;
        impl Visitor<'_> for Read {
            type Value = Time;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a time in quotes with its unit, as in \"500ms\" or \"1m30s\"")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Time, E> {
                text.parse().map(Time).map_err(|error: BadTime| E::custom(error))
            }
        }
        from.deserialize_any(Read)
    }
}

/// The value of a limit: a number, or a text with a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LimitText(pub String);

impl<'de> Deserialize<'de> for LimitText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<LimitText, D::Error> {
        struct Read;
        impl Visitor<'_> for Read {
            type Value = LimitText;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a whole number, or a value with its unit in quotes, as in \"512MiB\",")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<LimitText, E> {
                Ok(LimitText(text.to_owned()))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<LimitText, E> {
                Ok(LimitText(number.to_string()))
            }
        }
        from.deserialize_any(Read)
    }
}
