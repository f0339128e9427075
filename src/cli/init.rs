//! `arbitro init`: an example of a tournament's file, to begin with.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::failure::{Failure, Kind};
use super::output;

/// The example, which runs as it is.
const EXAMPLE: &str = include_str!("init/cup.toml");

/// Write an example of a tournament's file, which runs as it is
#[derive(clap::Args)]
pub struct Args {
    /// The file to write
    #[arg(value_name = "FILE", default_value = "cup.toml")]
    file: PathBuf,
    /// Write over a file that is there already
    #[arg(long)]
    force: bool,
}

pub fn run(args: Args, quiet: bool) -> Result<(), Failure> {
    let path = &args.file;
    output::check(path, None, Some("cup.toml"))?;
    create(path, args.force)
        .and_then(|mut file| file.write_all(EXAMPLE.as_bytes()))
        .map_err(|error| Failure::new(Kind::Io, in_words(path, &error)))?;
    if !quiet {
        let name = path.display();
        writeln!(io::stdout(), "{name} is written; arbitro run {name} --out DIR plays it")?;
    }
    Ok(())
}

fn create(path: &Path, force: bool) -> io::Result<File> {
    let mut how = OpenOptions::new();
    how.write(true);
    if force {
        how.create(true).truncate(true)
    } else {
        how.create_new(true)
    };
    how.open(path)
}

fn in_words(path: &Path, error: &io::Error) -> String {
    let name = path.display();
    match error.kind() {
        io::ErrorKind::AlreadyExists if path.is_dir() => format!("{name} is a folder: name a file in it"),
        io::ErrorKind::AlreadyExists => format!("{name} is there already: name another file, or give --force"),
        _ => format!("{name} cannot be written: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::EXAMPLE;
    use crate::tournament::cup::Cup;

    /// The example with one of its commented lines in force.
    fn with(line: &str) -> String {
        assert!(EXAMPLE.contains(&format!("\n# {line}")), "no such line: {line}");
        EXAMPLE.replacen(&format!("\n# {line}"), &format!("\n{line}"), 1)
    }

    #[test]
    fn the_example_can_be_read() {
        let cup = Cup::read(EXAMPLE).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(cup.bots.len(), 3);
    }

    #[test]
    fn the_lines_that_are_commented_out_can_be_read_too() {
        // What begins as a key or a heading is one; the rest is text.
        let is_line = |line: &&str| {
            let key = line.split('=').next().unwrap_or_default().trim();
            let is_key = line.contains(" = ") && key.chars().all(|c| c.is_ascii_lowercase() || "_-.".contains(c));
            is_key && !key.is_empty()
        };
        let lines: Vec<&str> = EXAMPLE.lines().filter_map(|line| line.strip_prefix("# ")).filter(is_line).collect();
        assert!(lines.len() > 15, "{lines:?}");
        for line in lines {
            // They stand in the table of the line above; what belongs to another kind or way is told so.
            match Cup::read(&with(line)) {
                Ok(_) => {}
                Err(error) => {
                    let words = error.to_string();
                    assert!(!words.contains("unknown") && !words.contains("cannot be used"), "{line}: {words}");
                }
            }
        }
    }
}
