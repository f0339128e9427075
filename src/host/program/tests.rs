use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::host::Confinement;
use crate::host::control::{LONGEST_MESSAGE, Request};

/// A folder of files to be found as programs.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder for the test"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes an executable file.
    fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).expect("the test owns the folder");
        fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("the test owns the file");
        path
    }

    fn find(&self, name: &str) -> Result<Program, BadProgram> {
        Program::find(&[self.path(name).into_os_string()], self.0.path(), &[])
    }

    /// The complaint about a file with this content, with the folder's own path taken out.
    fn complaint(&self, name: &str, content: &[u8]) -> String {
        self.file(name, content);
        self.refusal(name)
    }

    fn refusal(&self, name: &str) -> String {
        let text = self.find(name).expect_err("it cannot be started").to_string();
        assert!(!text.contains('\n'), "one line: {text}");
        text.replace(&format!("{}/", self.0.path().display()), "")
    }
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

fn find(argv: &[&str]) -> Result<Program, BadProgram> {
    Program::find(&words(argv), Path::new("/"), &[])
}

#[test]
fn a_name_without_a_slash_is_looked_up_and_one_with_a_slash_is_a_path_of_the_callers() {
    let program = find(&["sh", "-c", "exit"]).expect("there is a shell");
    assert!(Path::new(&program.argv[0]).is_absolute() && program.argv[0].to_string_lossy().ends_with("/sh"));
    assert_eq!(program.argv[1..], words(&["-c", "exit"]));

    let folder = Folder::new();
    let path = folder.file("bot", b"#!/bin/sh\n");
    let here = std::env::current_dir().expect("tests run in a folder");
    let up = "../".repeat(here.components().count());
    let relative = format!("{up}.{}", path.display());
    // The working directory of the bot is another, and does not matter for the path.
    let program = find(&[&relative]).expect("the path leads there");
    assert!(Path::new(&program.argv[0]).is_absolute());
    assert_eq!(fs::canonicalize(&program.argv[0]).ok(), fs::canonicalize(&path).ok());
}

#[test]
fn a_link_keeps_its_own_name() {
    let folder = Folder::new();
    symlink("/bin/sh", folder.path("linked")).expect("the test owns the folder");
    assert_eq!(folder.find("linked").expect("it is a program").argv[0], folder.path("linked").into_os_string());
}

#[test]
fn what_is_no_program_is_refused_with_what_to_do() {
    let folder = Folder::new();
    fs::create_dir(folder.path("nest")).expect("the test owns the folder");
    fs::write(folder.path("plain"), "#!/bin/sh\n").expect("the test owns the folder");
    assert_eq!(folder.refusal("bot"), r#"there is no file "bot": check the path"#);
    let said = |argv: &[&str]| find(argv).expect_err("there is none").to_string();
    let relative = said(&["./no-such-program"]);
    assert!(
        relative.ends_with("check the path, it is taken from the folder where the referee was started"),
        "{relative}"
    );
    assert!(said(&["~/no-such-program"]).ends_with("no shell comes in between to fill in ~: write it out"));
    for words in [&["A=.", "python3", "x"][..], &["A=./b", "x"], &["cd", "x;", "./y"], &["no-such-program", "&&", "y"]]
    {
        let said = match find(words) {
            Err(error) => error.to_string(),
            // Some systems have a program of this name.
            Ok(_) => continue,
        };
        assert!(said.contains("no shell comes in between; begin with a program"), "{said}");
    }
    assert!(said(&["no-such-program", "x.py"]).ends_with("in PATH: install it or name another"));
    assert_eq!(folder.refusal("nest"), r#""nest" is a directory: name the program in it"#);
    let plain = r#""plain" is not executable: run chmod +x on it, or name its interpreter first, as in python3 plain"#;
    assert_eq!(folder.refusal("plain"), plain);
    assert!(folder.refusal("plain/x").contains("cannot be reached: Not a directory"));
    assert!(matches!(find(&["/dev/null"]), Err(BadProgram::NoFile { .. })));
    let unknown = find(&["no-such-program-at-all"]).expect_err("there is none").to_string();
    assert!(unknown.ends_with(r#"for a file of this folder write "./no-such-program-at-all""#), "{unknown}");
}

#[test]
fn a_file_that_a_shell_would_have_been_given_is_refused() {
    let folder = Folder::new();
    let no_line = r#" has no interpreter line; its first line should be for example #!/usr/bin/env python3"#;
    for content in [b"print('hello')\n".as_slice(), b"", b"# !/bin/sh\n", b"#!\n", b"#!   \nexit"] {
        assert_eq!(folder.complaint("bot", content), format!("\"bot\"{no_line}"), "{content:?}");
    }
    assert!(folder.complaint("bot", b"\xef\xbb\xbf#!/bin/sh\n").contains("byte order mark"));
    assert!(folder.complaint("bot", b"#!/bin/sh\r\nexit\r\n").contains("carriage return"));
    assert!(folder.complaint("bot", b"#!/usr/bin/env sh\r\nexit\r\n").contains("carriage return"));
    let long = [b"#!/bin/sh ".as_slice(), &[b'x'; 300]].concat();
    assert!(folder.complaint("bot", &long).contains("too long: it must end within 256 bytes"));
}

#[test]
fn the_interpreter_of_a_script_must_be_there_and_fit() {
    let folder = Folder::new();
    for sound in ["#!/bin/sh", "#! /bin/sh -e\n", "#!\t/bin/sh\t\n", "#!/usr/bin/env sh\n", "#!/usr/bin/env -S sh -e\n"]
    {
        folder.file("bot", sound.as_bytes());
        assert!(folder.find("bot").is_ok(), "{sound:?}");
    }
    let missing = r#"the #! line of "bot" names "/no/python", which is not there: install it or correct the line"#;
    assert_eq!(folder.complaint("bot", b"#!/no/python -u\n"), missing);
    fs::write(folder.path("plain"), "#!/bin/sh\n").expect("the test owns the folder");
    let unfit = format!("#!{}\n", folder.path("plain").display());
    assert!(folder.complaint("bot", unfit.as_bytes()).contains("which cannot be run (\"plain\" is not executable"));
    assert!(folder.complaint("bot", b"#!/usr\n").contains("which cannot be run (\"/usr\" is a directory"));
    let own = format!("#!{}\n", folder.path("bot").display());
    assert!(folder.complaint("bot", own.as_bytes()).contains("which cannot be run"), "a script that interprets itself");
    // A relative interpreter counts from the working directory of the bot, which is the folder here.
    folder.file("inner", b"#!/bin/sh\n");
    folder.file("bot", b"#!./inner\n");
    assert!(folder.find("bot").is_ok());
    assert!(matches!(
        Program::find(&[folder.path("bot").into()], Path::new("/"), &[]),
        Err(BadProgram::InterpreterMissing { .. })
    ));
}

#[test]
fn what_a_script_asks_env_for_must_be_in_the_path_that_it_will_have() {
    let folder = Folder::new();
    let missing =
        r#"the #! line of "bot" asks env for "python-4", which is not in PATH: install it or correct the line"#;
    assert_eq!(folder.complaint("bot", b"#!/usr/bin/env python-4\n"), missing);
    assert_eq!(folder.complaint("bot", b"#!/usr/bin/env -S A=1 python-4 -u\n"), missing);
    let words = folder.complaint("bot", b"#!/usr/bin/env python3 -u\n");
    assert!(words.ends_with("which it takes for one name: write env -S python3 -u"), "{words}");
    folder.file("bot", b"#!/usr/bin/env -i sh\n");
    assert!(folder.find("bot").is_ok(), "other options are left to env");

    folder.file("python-4", b"#!/bin/sh\n");
    let path = |value: &str| [(OsString::from("PATH"), OsString::from(value))];
    let argv = [folder.file("bot", b"#!/usr/bin/env python-4\n").into_os_string()];
    let in_folder = path(&format!("/bin:{}", folder.0.path().display()));
    assert!(Program::find(&argv, Path::new("/"), &in_folder).is_ok());
    assert!(Program::find(&words_of("python-4"), Path::new("/"), &in_folder).is_ok());
    assert!(Program::find(&argv, Path::new("/"), &path("/bin")).is_err());
}

fn words_of(word: &str) -> Vec<OsString> {
    words(&[word])
}

#[test]
fn a_program_for_another_machine_or_without_its_loader_is_refused() {
    let folder = Folder::new();
    let mut elf = fs::read("/bin/sh").expect("there is a shell");
    folder.file("bot", &elf);
    assert!(folder.find("bot").is_ok(), "the copy is sound");
    elf[18] ^= 1;
    assert!(folder.complaint("bot", &elf).contains("built for another kind of machine"));
    elf[18] ^= 1;
    let loader = elf.windows(4).position(|window| window == b"/lib").expect("the shell has a loader");
    elf[loader + 1] = b'L';
    assert!(folder.complaint("bot", &elf).contains("needs the loader \"/Lib"));
    assert!(folder.complaint("bot", &elf[..100]).contains("damaged"));
    assert!(folder.complaint("bot", b"\x7fELF").contains("damaged"));
}

#[test]
fn the_working_directory_must_be_one() {
    let folder = Folder::new();
    folder.file("file", b"");
    let at = |dir: PathBuf| Program::find(&words_of("sh"), &dir, &[]);
    assert_eq!(at(PathBuf::from("/usr")).expect("it is there").dir, Path::new("/usr"));
    assert!(matches!(at(folder.path("none")), Err(BadProgram::NoDirectory { .. })));
    assert!(matches!(at(folder.path("file")), Err(BadProgram::NotADirectory { .. })));
    assert!(matches!(at(folder.path("file/x")), Err(BadProgram::ClosedDirectory { .. })));
    assert!(at(PathBuf::from(".")).expect("tests run in a folder").dir.is_absolute());
}

#[test]
fn words_and_variables_that_cannot_be_passed_on_are_refused() {
    assert!(matches!(find(&[]), Err(BadProgram::Empty)));
    assert!(matches!(find(&[""]), Err(BadProgram::Empty)));
    assert!(matches!(find(&["sh", "a\0b"]), Err(BadProgram::NulByte)));
    assert!(matches!(find(&["sh", &"x".repeat(LONGEST_COMMAND)]), Err(BadProgram::TooLong { .. })));
    let with = |name: &str, value: &str| Program::find(&words_of("sh"), Path::new("/"), &[(name.into(), value.into())]);
    assert!(matches!(with("", "x"), Err(BadProgram::BadVariable { .. })));
    assert!(matches!(with("A=B", "x"), Err(BadProgram::BadVariable { .. })));
    assert!(matches!(with("A", "x\0"), Err(BadProgram::NulByte)));
}

#[test]
fn the_environment_is_a_short_list_and_what_was_added_replaces() {
    let extra = [("SEAT", "1"), ("HOME", "/home/bot"), ("SEAT", "2")].map(|(name, value)| (name.into(), value.into()));
    let program = Program::find(&words_of("sh"), Path::new("/"), &extra).expect("there is a shell");
    let value = |name: &str| {
        let mut found = program.env.iter().filter(|(known, _)| known == name).map(|(_, value)| value.to_str());
        (found.next().flatten(), found.count())
    };
    assert_eq!(program.env.len(), 5);
    let path = reachable(&std::env::var_os("PATH").unwrap());
    assert_eq!(value("PATH"), (path.to_str(), 0));
    assert!(std::env::split_paths(&path).all(|folder| users::blocked(&folder).is_none()));
    assert_eq!(value("HOME"), (Some("/home/bot"), 0));
    assert_eq!(value("TMPDIR"), (Some("/nonexistent"), 0));
    assert_eq!(value("LANG"), (Some("C.UTF-8"), 0));
    assert_eq!(value("SEAT"), (Some("2"), 0));
}

#[test]
fn the_longest_command_fits_into_a_message_whatever_its_bytes_are() {
    let fill = |bytes: usize| {
        let argv = [OsString::from("sh"), OsString::from_vec(vec![0xff; bytes])];
        Program::find(&argv, Path::new("/"), &[])
    };
    let Err(BadProgram::TooLong { bytes }) = fill(LONGEST_COMMAND) else { panic!("that is too long") };
    let program = fill(2 * LONGEST_COMMAND - bytes).expect("it is just short enough");
    let request = Request { program, confinement: Confinement::default(), wrapper: None };
    let text = serde_json::to_vec(&request).expect("a request can be written");
    assert!(text.len() < LONGEST_MESSAGE, "{}", text.len());
    assert_eq!(serde_json::from_slice::<Request>(&text).ok(), Some(request));
}
