//! Whole tournaments with real bots, from the library: what counts, what follows, and what is left when they are stopped.

mod ends;
mod failures;
mod same;
mod support;
