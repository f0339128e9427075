//! Views of records and standings: text for people and programs, and pages for browsers. Nothing is computed here that
//! standings or ratings do not say, and nothing is read from a disk.

pub mod page;
