//! More of something than a bot needs, up to a bound. What the machine refuses is said on stderr, and the game goes on.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, Write};
use std::process::{Child, Command, Stdio};
use std::thread::{available_parallelism, sleep, spawn};
use std::time::{Duration, Instant};

use super::{LONG, Mode, Scene, mode};

const MIB: usize = 1 << 20;

/// At how much memory it is taken at once.
const STEP: usize = 16 * MIB;

/// How much memory is taken in all, in MiB, and how much is written to files.
const MEMORY: u64 = 3072;
const DISK: u64 = 64;

pub(super) const MODES: &[Mode] = &[
    mode("memory", "takes 3 GiB of memory in steps of 16 MiB (mib=N: so many MiB), and answers", |scene| {
        let mib = scene.options.mib.unwrap_or(MEMORY);
        let (mut held, ones): (Vec<Vec<u8>>, _) = (Vec::new(), vec![1; MIB]);
        let result = (0..mib as usize * MIB / STEP).try_for_each(|_| {
            let mut bytes = Vec::new();
            bytes.try_reserve_exact(STEP).map_err(io::Error::other)?;
            // Other bytes than the system gives, so that it must give them.
            (0..STEP / MIB).for_each(|_| bytes.extend_from_slice(&ones));
            held.push(black_box(bytes));
            Ok(())
        });
        report(scene, &format!("took {} MiB of memory", held.len() * STEP / MIB), result)?;
        scene.answer()?;
        // Kept until the end.
        std::mem::forget(held);
        Ok(())
    }),
    mode(
        "memory-children",
        "lets five children take a fifth of 3 GiB each (mib=N: of so many MiB), and answers",
        |scene| {
            let (mut children, mib) = (Vec::new(), scene.options.mib.unwrap_or(MEMORY) / 5);
            let result = (0..5).try_for_each(|_| {
                children.push(glutton(scene.hello, mib)?);
                Ok(())
            });
            let ready = children.iter_mut().filter_map(|child| child.stdout.as_mut()).map(|out| {
                // The child answers when it has the memory, and not at all if it was ended.
                io::Read::read(out, &mut [0; 8]).is_ok_and(|count| count > 0)
            });
            let ready = ready.filter(|&ready| ready).count();
            report(scene, &format!("{ready} of 5 children have their {mib} MiB"), result)?;
            scene.answer()?;
            std::mem::forget(children);
            Ok(())
        },
    ),
    mode("fork-bomb", "lets shells start two shells each until there are 250 processes, and answers", |scene| {
        let bomb = "bomb() { [ $1 -gt 0 ] && { bomb $(($1 - 1)) & bomb $(($1 - 1)) & }; sleep 50; }; bomb 6";
        let result = Command::new("sh").args(["-c", bomb]).stdout(Stdio::null()).spawn().map(drop);
        sleep(Duration::from_millis(500));
        report(scene, "lit a fork bomb", result)?;
        scene.answer()
    }),
    mode("open-files", "opens 5000 files, holds them for half a second, and answers", |scene| {
        let mut held = Vec::new();
        let result = (0..5000).try_for_each(|_| {
            held.push(File::open("/dev/null")?);
            Ok(())
        });
        report(scene, &format!("opened {} files", held.len()), result)?;
        sleep(Duration::from_millis(500));
        scene.answer()
    }),
    mode("disk", "writes 64 MiB into files of a MiB in its working directory (mib=N: so many), and answers", |scene| {
        let mut written = 0;
        let result = (0..scene.options.mib.unwrap_or(DISK)).try_for_each(|number| {
            File::create_new(format!("faulty-{}-{number}", std::process::id()))?.write_all(&[1; MIB])?;
            written += 1;
            Ok(())
        });
        report(scene, &format!("wrote {written} MiB"), result)?;
        for number in 0..=written {
            let _ = fs::remove_file(format!("faulty-{}-{number}", std::process::id()));
        }
        scene.answer()
    }),
    mode("big-file", "writes one file of 64 MiB into its working directory (mib=N: so many), and answers", |scene| {
        let name = format!("faulty-{}", std::process::id());
        let mut written = 0;
        let result = File::create_new(&name).and_then(|mut file| {
            (0..scene.options.mib.unwrap_or(DISK)).try_for_each(|_| {
                file.write_all(&[1; MIB])?;
                written += 1;
                Ok(())
            })
        });
        report(scene, &format!("wrote {written} MiB"), result)?;
        let _ = fs::remove_file(name);
        scene.answer()
    }),
    mode("cpu", "keeps all processors busy and writes nothing any more", |_| {
        let threads: Vec<_> = (0..available_parallelism()?.get()).map(|_| spawn(burn)).collect();
        threads.into_iter().for_each(|thread| drop(thread.join()));
        Ok(())
    }),
];

/// Says how far it came, and what stopped it.
fn report(scene: &mut Scene, what: &str, result: io::Result<()>) -> io::Result<()> {
    match result {
        Ok(()) => scene.note(what),
        Err(error) => scene.note(format!("{what}, and no more: {error}")),
    }
}

/// A child of the same kind that takes memory at once and answers when it has it.
fn glutton(hello: &[u8], mib: u64) -> io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["bot", "faulty", "mode=memory", "turn=0", &format!("mib={mib}")]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    child.stdin.as_mut().map_or(Ok(()), |stdin| stdin.write_all(hello))?;
    Ok(child)
}

fn burn() {
    let began = Instant::now();
    while began.elapsed() < LONG {
        black_box(());
    }
}
