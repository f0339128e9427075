//! Looks at a page in the browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What the browser found.
pub struct Seen(Value);

/// Opens a page; nothing where there is no browser, which is said, and a failure where there must be one.
pub fn look(name: &str, html: &str) -> Option<Seen> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("report").join(name);
    fs::create_dir_all(&folder).expect("a folder can be made");
    let page = folder.join("report.html");
    fs::write(&page, html).expect("a page can be written");
    if !here.join("node_modules").is_dir() || !Path::new("/usr/bin/chromium").exists() {
        assert!(
            std::env::var_os("CI").is_none(),
            "the browser is missing: apt-get install chromium; npm ci in {here:?}"
        );
        println!("skipped: needs chromium, and npm ci in tests/browser");
        return None;
    }
    let output = Command::new("node").arg(here.join("look.mjs")).args([&page, &folder]).output().expect("node starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    Some(Seen(serde_json::from_slice(&output.stdout).expect("it prints JSON")))
}

impl Seen {
    /// The findings of a kind.
    pub fn list(&self, kind: &str) -> Vec<String> {
        let found = self.0[kind].as_array().expect("a list");
        found.iter().map(|found| found.as_str().expect("a text").to_owned()).collect()
    }

    /// Checks that nothing is wrong.
    pub fn is_clean(&self) {
        for kind in ["errors", "requests", "sticking_out", "touching", "violations"] {
            assert_eq!(self.list(kind), [""; 0], "{kind}");
        }
        assert_eq!(self.0["said"]["scripts"], 0);
    }

    /// The headings in order.
    pub fn headings(&self) -> Vec<&str> {
        let headings = self.0["said"]["headings"].as_array().expect("a list");
        headings.iter().map(|heading| heading.as_str().expect("a text")).collect()
    }

    /// All that can be read.
    pub fn text(&self) -> &str {
        self.0["said"]["text"].as_str().expect("a text")
    }
}
