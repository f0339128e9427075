//! A source as the rules of the floors look at it: paths, names and numbers, without comments, texts and test code.

use std::path::{Path, PathBuf};

/// What of a source the rules look at.
pub struct Source {
    /// Every path with at least two segments, those of `use` spelt out one by one, and `self` and `super` resolved.
    pub paths: Vec<UsedPath>,
    /// Every name.
    pub names: Vec<Word>,
    /// Every floating-point number.
    pub floats: Vec<Word>,
    /// The attributes of the file, as their words.
    attributes: Vec<Vec<String>>,
}

/// A path, and where it stands.
pub struct UsedPath {
    pub segments: Vec<String>,
    pub line: usize,
}

/// A word of the language or a sign, and where it stands.
#[derive(Clone, Debug)]
pub struct Word {
    pub text: String,
    pub line: usize,
    /// Whether it is the name of a macro that is called.
    pub is_macro: bool,
}

/// The module that a file is, from the root of the crate; that of `lib.rs` and `main.rs` is empty.
pub fn module_of(path: &Path) -> Vec<String> {
    let mut module: Vec<String> =
        path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib")) {
        module.pop();
    }
    if module == ["main"] { vec![] } else { module }
}

/// The modules with files of their own that a file declares for tests only: their paths without an ending.
pub fn test_modules(path: &Path, text: &str) -> Vec<PathBuf> {
    let here: PathBuf = module_of(path).iter().collect();
    let (_, tests) = without_tests(words(text));
    tests.into_iter().map(|name| here.join(name)).collect()
}

impl Source {
    /// Reads the source of a module.
    pub fn read(module: &[String], text: &str) -> Source {
        let (words, _) = without_tests(words(text));
        let mut source = Source { paths: Vec::new(), names: Vec::new(), floats: Vec::new(), attributes: Vec::new() };
        let mut walk = Walk { words: &words, place: 0, module: module.to_vec(), depth: 0, inner: Vec::new() };
        while walk.place < words.len() {
            walk.step(&mut source);
        }
        source
    }

    /// Whether the file has `#![…]` with these words.
    pub fn has_attribute(&self, wanted: &[&str]) -> bool {
        self.attributes.iter().any(|words| words.iter().eq(wanted.iter()))
    }
}

struct Walk<'a> {
    words: &'a [Word],
    place: usize,
    /// The module here, and the depths of braces at which its last parts, written in place, began.
    module: Vec<String>,
    depth: usize,
    inner: Vec<usize>,
}

impl Walk<'_> {
    fn at(&self, offset: usize) -> &str {
        self.words.get(self.place + offset).map_or("", |word| &word.text)
    }

    fn step(&mut self, source: &mut Source) {
        let line = self.words[self.place].line;
        match self.at(0) {
            "#" if self.at(1) == "!" && self.at(2) == "[" => {
                let end = closing(self.words, self.place + 2);
                source.attributes.push(self.words[self.place + 3..end].iter().map(|word| word.text.clone()).collect());
                self.place = end + 1;
            }
            "mod" if self.at(2) == "{" => {
                self.module.push(self.at(1).to_owned());
                self.depth += 1;
                self.inner.push(self.depth);
                self.place += 3;
            }
            "{" => (self.depth, self.place) = (self.depth + 1, self.place + 1),
            "}" => {
                if self.inner.last() == Some(&self.depth) {
                    self.inner.pop();
                    self.module.pop();
                }
                (self.depth, self.place) = (self.depth.saturating_sub(1), self.place + 1);
            }
            // `use<…>` stands in types and imports nothing.
            "use" if self.at(1) != "<" => {
                self.place += 1;
                self.tree(&[], line, source);
            }
            word if is_name(word) => self.path(source),
            word => {
                // In `self.0.0` the numbers are fields; `..0.5` is a range again.
                let before = |steps: usize| self.place.checked_sub(steps).map(|place| self.words[place].text.as_str());
                let is_field = before(1) == Some(".") && before(2) != Some(".");
                if is_float(word) && !is_field {
                    source.floats.push(self.words[self.place].clone());
                }
                self.place += 1;
            }
        }
    }

    /// A name, and the path that it may begin.
    fn path(&mut self, source: &mut Source) {
        let line = self.words[self.place].line;
        let mut segments = Vec::new();
        loop {
            // What a serde visitor must name to pass it over is no use of it.
            let is_ignored = self.place >= 2
                && self.words[self.place - 2..self.place].iter().map(|word| word.text.as_str()).eq(["_", ":"]);
            let is_macro = self.at(1) == "!" && self.at(2) != "=";
            if !is_ignored {
                source.names.push(Word { is_macro, ..self.words[self.place].clone() });
            }
            segments.push(self.at(0).to_owned());
            self.place += 1;
            if self.at(0) != "::" || !is_name(self.at(1)) {
                break;
            }
            self.place += 1;
        }
        if segments.len() > 1 {
            source.paths.push(UsedPath { segments: self.resolved(segments), line });
        }
    }

    /// What stands behind `use`, up to its semicolon: one path for each leaf of the tree.
    fn tree(&mut self, before: &[String], line: usize, source: &mut Source) {
        let mut segments = before.to_vec();
        let begin = self.place;
        while self.place < self.words.len() {
            match self.at(0) {
                "::" => self.place += 1,
                "{" => {
                    self.place += 1;
                    while self.place < self.words.len() && self.at(0) != "}" {
                        self.tree(&segments, line, source);
                        self.place += usize::from(self.at(0) == ",");
                    }
                    self.place += 1;
                    return;
                }
                "as" => self.place += 2,
                word if is_name(word) || word == "*" => {
                    if word != "self" || segments.is_empty() {
                        segments.push(word.to_owned());
                    }
                    source.names.push(self.words[self.place].clone());
                    self.place += 1;
                }
                // A comma or a brace ends this part of the tree, a semicolon all of it.
                _ => break,
            }
        }
        if self.place > begin {
            source.paths.push(UsedPath { segments: self.resolved(segments), line });
        }
    }

    /// The path from the root of the crate, if it begins with `self` or `super`.
    fn resolved(&self, segments: Vec<String>) -> Vec<String> {
        let ups = segments.iter().take_while(|segment| *segment == "super").count();
        let rest = match segments[0].as_str() {
            "self" => &segments[1..],
            "super" => &segments[ups..],
            _ => return segments,
        };
        let kept = &self.module[..self.module.len().saturating_sub(ups)];
        ["crate"].into_iter().map(str::to_owned).chain(kept.iter().cloned()).chain(rest.iter().cloned()).collect()
    }
}

/// The words without the items that are there for tests only, and the names of the modules among these that have files
/// of their own.
fn without_tests(words: Vec<Word>) -> (Vec<Word>, Vec<String>) {
    let (mut kept, mut modules, mut place) = (Vec::new(), Vec::new(), 0);
    let is = |place: usize, text: &str| words.get(place).is_some_and(|word| word.text == text);
    while place < words.len() {
        let marked = ["#", "[", "cfg", "(", "test", ")", "]"].iter().enumerate().all(|(at, text)| is(place + at, text));
        if !marked {
            kept.push(words[place].clone());
            place += 1;
            continue;
        }
        place += 7;
        while is(place, "#") {
            place = closing(&words, place + 1) + 1;
        }
        let mut end = place;
        while end < words.len() && !is(end, ";") && !is(end, "{") {
            end = if is(end, "(") || is(end, "[") { closing(&words, end) + 1 } else { end + 1 };
        }
        let name = (place..end).find(|&at| is(at, "mod")).and_then(|at| words.get(at + 1));
        modules.extend(name.filter(|_| is(end, ";")).map(|name| name.text.clone()));
        place = if is(end, "{") { closing(&words, end) + 1 } else { end + 1 };
        // `use a::{b};` goes on behind its brace.
        place += usize::from(is(place, ";"));
    }
    (kept, modules)
}

/// The place of the bracket that closes the one at `open`.
fn closing(words: &[Word], open: usize) -> usize {
    let mut depth = 0usize;
    for (place, word) in words.iter().enumerate().skip(open) {
        match word.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return place;
        }
    }
    words.len()
}

fn is_name(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

fn is_float(word: &str) -> bool {
    word.starts_with(|digit: char| digit.is_ascii_digit())
        && !word.starts_with("0x")
        && (word.contains(['.', 'e', 'E']) || word.ends_with("f32") || word.ends_with("f64"))
}

/// The words and signs of a source, without comments, texts and lifetimes.
fn words(text: &str) -> Vec<Word> {
    let letters: Vec<char> = text.chars().collect();
    let (mut found, mut place, mut line) = (Vec::new(), 0, 1);
    while place < letters.len() {
        let (length, is_word) = measure(&letters[place..]);
        let piece = &letters[place..place + length];
        if is_word {
            found.push(Word { text: piece.iter().collect(), line, is_macro: false });
        }
        line += piece.iter().filter(|&&letter| letter == '\n').count();
        place += length;
    }
    found
}

/// How long the first piece is, and whether it is a word or a sign, not a comment, a text, a lifetime or a blank.
fn measure(rest: &[char]) -> (usize, bool) {
    let at = |place: usize| rest.get(place).copied().unwrap_or('\0');
    let run = |from: usize, goes_on: &dyn Fn(char) -> bool| {
        from + rest[from.min(rest.len())..].iter().take_while(|&&letter| goes_on(letter)).count()
    };
    let in_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    match at(0) {
        '/' if at(1) == '/' => (run(0, &|letter| letter != '\n'), false),
        '/' if at(1) == '*' => (block_comment(rest), false),
        '"' => (text_end(rest, 1), false),
        'b' | 'c' if at(1) == '"' => (text_end(rest, 2), false),
        'b' if at(1) == '\'' => (letter_end(rest, 2), false),
        'r' if at(1) == '"' || at(1) == '#' && matches!(at(2), '"' | '#') => (raw_text_end(rest, 1), false),
        'b' | 'c' if at(1) == 'r' && matches!(at(2), '"' | '#') => (raw_text_end(rest, 2), false),
        '\'' if at(1) == '\\' || at(2) == '\'' => (letter_end(rest, 1), false),
        '\'' => (run(1, &in_name), false),
        ':' if at(1) == ':' => (2, true),
        first if first.is_ascii_digit() => (number_end(rest, &in_name), true),
        first if in_name(first) => (run(0, &in_name), true),
        first => (1, !first.is_whitespace()),
    }
}

fn number_end(rest: &[char], in_name: &dyn Fn(char) -> bool) -> usize {
    let whole = rest.iter().take_while(|&&letter| in_name(letter)).count();
    let is_point = rest.get(whole) == Some(&'.') && rest.get(whole + 1).is_some_and(char::is_ascii_digit);
    if is_point { whole + 1 + rest[whole + 1..].iter().take_while(|&&letter| in_name(letter)).count() } else { whole }
}

fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut place) = (0, 0);
    while place < rest.len() {
        match (rest[place], rest.get(place + 1)) {
            ('/', Some('*')) => (depth, place) = (depth + 1, place + 2),
            ('*', Some('/')) => (depth, place) = (depth - 1, place + 2),
            _ => place += 1,
        }
        if depth == 0 {
            return place;
        }
    }
    rest.len()
}

fn text_end(rest: &[char], mut place: usize) -> usize {
    while place < rest.len() && rest[place] != '"' {
        place += 1 + usize::from(rest[place] == '\\');
    }
    (place + 1).min(rest.len())
}

fn letter_end(rest: &[char], mut place: usize) -> usize {
    while place < rest.len() && rest[place] != '\'' {
        place += 1 + usize::from(rest[place] == '\\');
    }
    (place + 1).min(rest.len())
}

fn raw_text_end(rest: &[char], from: usize) -> usize {
    let hashes = rest[from..].iter().take_while(|&&letter| letter == '#').count();
    let mut place = from + hashes + 1;
    while place < rest.len() {
        let closes =
            rest[place] == '"' && rest[place + 1..].iter().take(hashes).filter(|&&sign| sign == '#').count() == hashes;
        if closes {
            return place + 1 + hashes;
        }
        place += 1;
    }
    rest.len()
}
