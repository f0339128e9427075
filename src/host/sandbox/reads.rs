//! What a bot may read beside the system: the folder of its program, and the installation of its interpreter.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use crate::host::THIS_EXECUTABLE;
use crate::host::program::Program;

/// Where programs of the system lie, which everybody may read anyway.
const SYSTEM: [&str; 5] = ["/usr", "/bin", "/sbin", "/lib", "/proc"];

/// The folder of a bot: the one that holds the first file of its command that is not part of the system. None where
/// there is no such file, or where the folder holds everything of somebody: the root, a home, the folder for temporary
/// files.
pub fn own_folder(program: &Program) -> Option<PathBuf> {
    let file = files(program).find(|path| path.is_file() && !is_of_system(path))?;
    file.parent().filter(|folder| !holds_everything(folder)).map(Path::to_owned)
}

/// The files and folders that a program needs: its own folder, its interpreter with the installation that belongs to
/// it, and every file and folder that its command names.
pub fn of(program: &Program) -> Vec<PathBuf> {
    let named = files(program).flat_map(|path| installation(&path).into_iter().chain([path]));
    let interpreter = files(program).next().map(|path| interpreter(&path, program)).unwrap_or_default();
    let interpreter = interpreter.iter().flat_map(|path| installation(path));
    let mut reads: Vec<PathBuf> = own_folder(program).into_iter().chain(named).chain(interpreter).collect();
    reads.sort_unstable();
    reads.dedup();
    reads
}

/// The program, and the words of its command that name files or folders: options are not taken for names, nor are the
/// words of a built-in bot.
fn files(program: &Program) -> impl Iterator<Item = PathBuf> {
    let is_name = |word: &&OsString| !word.is_empty() && !word.as_encoded_bytes().starts_with(b"-");
    let is_built_in = program.argv.first().is_some_and(|word| word == THIS_EXECUTABLE);
    let words = program
        .argv
        .iter()
        .skip(if is_built_in { usize::MAX } else { 1 })
        .filter(is_name)
        .map(|word| program.dir.join(word));
    let named = words.filter(|path| path.exists() && !(path.is_dir() && holds_everything(path)));
    program.argv.first().map(PathBuf::from).into_iter().chain(named)
}

/// The interpreter that the first line of a script names, and what `env` finds for it.
fn interpreter(path: &Path, program: &Program) -> Vec<PathBuf> {
    let mut line = Vec::new();
    let read = File::open(path).and_then(|file| BufReader::with_capacity(256, file).read_until(b'\n', &mut line));
    let line = String::from_utf8_lossy(line.strip_prefix(b"#!").filter(|_| read.is_ok()).unwrap_or_default());
    let search =
        program.env.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.clone()).unwrap_or_default();
    let on_path = |name: &str| env::split_paths(&search).map(|folder| folder.join(name)).find(|path| path.is_file());
    let mut words = line.split_ascii_whitespace();
    words.next().map(PathBuf::from).into_iter().chain(words.filter_map(on_path)).collect()
}

/// A program that is not part of the system, as the file that it really is, and the installation that it belongs to:
/// the folder above its `bin`, if that has a `lib` too.
fn installation(path: &Path) -> Vec<PathBuf> {
    let Some(real) = fs::canonicalize(path).ok().filter(|real| !is_of_system(real)) else { return Vec::new() };
    let bin = real.parent().filter(|bin| bin.file_name().is_some_and(|name| name == "bin"));
    let prefix = bin.and_then(Path::parent).filter(|prefix| prefix.join("lib").is_dir() && !holds_everything(prefix));
    let prefix = prefix.map(Path::to_owned);
    prefix.into_iter().chain([real]).collect()
}

fn is_of_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}

/// Whether a folder is the root, a home, one that homes lie in, or the one for temporary files.
fn holds_everything(folder: &Path) -> bool {
    let home = env::home_dir().unwrap_or_else(|| "/root".into());
    let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    home.starts_with(&real) || real == Path::new("/home") || real == env::temp_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(argv: &[&str], dir: &Path) -> Program {
        Program { argv: argv.iter().map(OsString::from).collect(), dir: dir.to_owned(), env: vec![] }
    }

    #[test]
    fn a_bot_reads_its_folder_and_the_files_it_is_given() {
        let folder = tempfile::tempdir().unwrap();
        let (bots, data) = (folder.path().join("bots"), folder.path().join("data"));
        [&bots, &data].into_iter().for_each(|path| fs::create_dir(path).unwrap());
        let (script, weights) = (bots.join("bot.py"), data.join("weights"));
        [&script, &weights].into_iter().for_each(|path| fs::write(path, "").unwrap());
        let argv = ["/usr/bin/python3", "-u", "bots/bot.py", "data/weights", "--seed", "missing"];
        let program = program(&argv, folder.path());
        let reads = of(&program);
        assert_eq!(own_folder(&program), Some(bots.clone()));
        assert!(reads.contains(&bots) && reads.contains(&weights), "{reads:?}");
        assert!(!reads.contains(&data) && !reads.contains(&folder.path().to_owned()), "{reads:?}");
    }

    #[test]
    fn nobodys_home_is_opened_whole() {
        let home = env::home_dir().unwrap();
        assert!([Path::new("/"), &env::temp_dir(), &home].into_iter().all(holds_everything));
        assert!(!holds_everything(&home.join("bots")));
        let file = tempfile::NamedTempFile::new().unwrap();
        let program = program(&[file.path().to_str().unwrap()], Path::new("/"));
        assert_eq!(own_folder(&program), None);
        assert_eq!(of(&program), [file.path()]);
    }

    #[test]
    fn an_interpreter_outside_the_system_comes_with_its_installation() {
        let folder = tempfile::tempdir().unwrap();
        let prefix = folder.path().join("python");
        ["bin", "lib", "../bots"].into_iter().for_each(|name| fs::create_dir_all(prefix.join(name)).unwrap());
        fs::write(prefix.join("bin/python3"), "").unwrap();
        let script = folder.path().join("bots/bot");
        let mut program = program(&[script.to_str().unwrap()], folder.path());
        program.env.push(("PATH".into(), prefix.join("bin").into()));
        for line in [format!("#!{}\n", prefix.join("bin/python3").display()), "#!/usr/bin/env python3\n".to_owned()] {
            fs::write(&script, line).unwrap();
            let reads = of(&program);
            assert!(reads.contains(&fs::canonicalize(&prefix).unwrap()), "{reads:?}");
            assert!(reads.contains(&folder.path().join("bots")), "{reads:?}");
        }
    }
}
