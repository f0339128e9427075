//! The wire between referee and bot: bytes to lines, what we send, what we accept, and the limits of it all.
//!
//! The normative text is `protocol.md`; this module is that text in code, and a test reads every block of it. It knows
//! neither processes nor clocks running: it turns bytes into messages and messages into bytes.

pub mod limits;
pub mod lines;
pub mod receive;
pub mod send;
pub mod strict;

/// The version of the protocol, in `hello`. It changes when a bot written for the old one could misunderstand the new.
pub const VERSION: u32 = 1;
