//! Pages: one file of HTML each, with all that it needs inside, which asks nothing of any network and runs no script.
//!
//! Text from outside (names, words of bots) reaches a page through [`Html::text`] alone, which shows it and never lets
//! it mean anything.

mod event;
mod faults;
mod html;
mod plot;
mod table;

#[cfg(test)]
mod tests;

pub use event::{Event, event};
pub use faults::{ShownFault, shown_faults};
pub use html::{GENERATOR, Html, document};
pub use plot::{Bins, Scale};
