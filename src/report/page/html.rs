//! HTML as it is written: text that is escaped, tags that are not, and the frame of a page.

use std::fmt::{Display, Write};

use crate::protocol::receive::is_showable;

/// The look of all pages: readable on a telephone, in light and dark, and on paper.
const STYLE: &str = include_str!("style.css");

/// What tells our pages from those of others.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"arbitro\">";

/// A piece of a page.
#[derive(Default)]
pub struct Html(String);

impl Html {
    /// Adds markup as it is.
    pub fn raw(&mut self, markup: &str) -> &mut Html {
        self.0.push_str(markup);
        self
    }

    /// Adds text that may come from anybody: markup in it shows as it is written, and what cannot be shown as escapes.
    pub fn text(&mut self, text: impl Display) -> &mut Html {
        for letter in text.to_string().chars() {
            match letter {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' => self.0.push('\n'),
                letter if is_showable(letter) => self.0.push(letter),
                letter => self.0.extend(letter.escape_unicode()),
            }
        }
        self
    }

    /// Adds an element with text in it; `open` is its name with its attributes, which must not come from outside.
    pub fn element(&mut self, open: &str, text: impl Display) -> &mut Html {
        let name = open.split(' ').next().unwrap_or(open);
        let _ = write!(self.0, "<{open}>");
        self.text(text);
        let _ = write!(self.0, "</{name}>");
        self
    }

    /// Adds the name of a bot: its letters run in their own direction, and do not turn what stands around them.
    pub fn name(&mut self, name: &str) -> &mut Html {
        self.element("bdi", name)
    }

    /// Adds a link; the address may come from anybody, and is one within the same folder or below it.
    pub fn link(&mut self, path: &str, text: impl Display) -> &mut Html {
        self.raw("<a href=\"");
        for &byte in path.as_bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => self.0.push(byte as char),
                byte => _ = write!(self.0, "%{byte:02X}"),
            }
        }
        self.raw("\">").text(text).raw("</a>")
    }

    /// What was added so far.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A whole page.
pub fn document(title: &str, body: &Html) -> String {
    let mut page = Html::default();
    page.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    // Nothing is loaded and nothing runs, whatever got into the page.
    page.raw(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
    );
    page.raw(GENERATOR).raw("\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.element("title", title).raw("\n<style>\n").raw(STYLE).raw("</style>\n</head>\n<body>\n");
    page.raw(body.as_str()).raw("</body>\n</html>\n");
    page.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_shows_and_means_nothing() {
        let mut html = Html::default();
        html.text("<script>alert('&\")</script>\n\u{1b}[2J\u{202e}Ž");
        assert_eq!(html.as_str(), "&lt;script&gt;alert(&#39;&amp;&quot;)&lt;/script&gt;\n\\u{1b}[2J\\u{202e}Ž");
    }

    #[test]
    fn a_link_stays_a_path() {
        let mut html = Html::default();
        html.link("a b/\"><script>/game-1.jsonl", "<1>");
        assert_eq!(html.as_str(), "<a href=\"a%20b/%22%3E%3Cscript%3E/game-1.jsonl\">&lt;1&gt;</a>");
    }
}
