//! A report of checks as JUnit's XML, for CI: one suite a bot, one case a check.
//!
//! JUnit knows no notes: they are cases that passed, with their words in the output.

use std::io::{self, Write};
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::rows::{CheckRow, Row};
use crate::check::Outcome;

/// Writes the report.
pub fn write(mut to: impl Write, row: &Row) -> io::Result<()> {
    let mut suite = TestSuite::new(row.bot);
    suite.set_time(Duration::from_millis(row.ms));
    suite.add_test_cases(row.checks.iter().map(|check| case(row.bot, check)));
    let mut report = Report::new("arbitro check");
    report.set_time(Duration::from_millis(row.ms));
    report.add_test_suite(suite);
    // Written in one piece: where the writer of XML fails itself, it does not say why.
    to.write_all(report.to_string().map_err(io::Error::other)?.as_bytes())
}

fn case(bot: &str, check: &CheckRow) -> TestCase {
    let words = match check.fix {
        Some(fix) => format!("{}\nWhat to fix: {fix}", check.seen),
        None => check.seen.to_owned(),
    };
    let mut status = match check.outcome {
        Outcome::Passed | Outcome::Note => TestCaseStatus::success(),
        Outcome::Failed => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Outcome::Skipped => TestCaseStatus::skipped(),
    };
    match check.outcome {
        Outcome::Failed => status.set_message(check.title).set_description(words.clone()),
        Outcome::Skipped => status.set_message(check.seen),
        Outcome::Passed | Outcome::Note => &mut status,
    };
    let mut case = TestCase::new(check.name, status);
    case.set_classname(bot).set_time(Duration::from_millis(check.ms));
    if check.outcome == Outcome::Note {
        case.set_system_out(words);
    }
    case
}
