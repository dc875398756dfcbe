//! World files that were cut, garbled and filled with nonsense: whatever comes, it is read with findings or refused
//! with one, and what was read can be built and stepped; nothing panics and nothing hangs.
//!
//! The seeds are the worlds of this repository, those beside this file that hold what the others do not, and those of
//! the field where they lie beside it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr, reason = "a test")]
#![allow(clippy::disallowed_methods, reason = "the test watches over itself")]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::abort;
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use bridgehead_host::world::build;
use bridgehead_sdf::{self as sdf, Severity};

#[path = "mutilated/mutate.rs"]
mod mutate;
#[path = "../../tests/it/support/skip.rs"]
mod skip;

use mutate::Dice;

const MUTATIONS: u64 = 10_000;
/// Larger seeds would take most of the time and exercise nothing more.
const MAX_BYTES: u64 = 60_000;
/// A file of that size that takes this long hangs.
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn no_mutilated_world_panics_or_hangs() {
    let seeds: Vec<(PathBuf, String)> =
        seeds().into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect();
    assert!(seeds.len() >= 5, "too few seeds: {seeds:?}");
    let kept_parts = tempfile::TempDir::new().unwrap();
    // SAFETY: no other thread of this program is running that reads the environment.
    unsafe { std::env::set_var("XDG_CACHE_HOME", kept_parts.path()) };
    let mut counts = Counts::default();
    let watch = Watch::start();
    for number in 0..MUTATIONS {
        let mut dice = Dice::new(number);
        let (path, text) = dice.one_of(&seeds);
        let mutilated = mutate::mutilate(text, &mut dice);
        watch.begin(format!("mutation {number} of {}", path.display()));
        let fate = catch_unwind(AssertUnwindSafe(|| try_out(&mutilated)));
        counts.add(fate.unwrap_or_else(|_| {
            let kept = tempfile::TempDir::new().unwrap().keep().join("mutilated.sdf");
            fs::write(&kept, &mutilated).unwrap();
            panic!("mutation {number} of {} panics: see {}", path.display(), kept.display());
        }));
    }
    eprintln!("{counts:?}");
    // Nonsense is neither all refused nor all taken as it is, or the mutations are no test.
    assert!(
        [counts.refused, counts.with_errors, counts.clean].iter().all(|count| *count > 1000),
        "{counts:?}"
    );
}

/// What became of a file.
#[derive(Clone, Copy)]
enum Fate {
    Refused,
    ReadWithErrors,
    Clean,
}

#[derive(Debug, Default)]
struct Counts {
    refused: u32,
    with_errors: u32,
    clean: u32,
}

impl Counts {
    fn add(&mut self, fate: Fate) {
        *match fate {
            Fate::Refused => &mut self.refused,
            Fate::ReadWithErrors => &mut self.with_errors,
            Fate::Clean => &mut self.clean,
        } += 1;
    }
}

/// Reads, builds and steps. A world that is built stays one of finite numbers, or says which entity left it.
fn try_out(text: &str) -> Fate {
    let loaded = match sdf::parse_str("mutilated.sdf", text) {
        Ok(loaded) => loaded,
        Err(error) => {
            assert!(error.to_string().contains("BH-"), "a refusal without a code: {error}");
            return Fate::Refused;
        }
    };
    for finding in &loaded.diagnostics {
        assert!(finding.to_string().contains("BH-"), "a finding without a code: {finding}");
    }
    if let Ok(mut built) = build(&loaded.world, 0.001, 1) {
        for _ in 0..3 {
            if built.world.step().is_err() {
                break;
            }
        }
    }
    let is_wrong = loaded.diagnostics.iter().any(|finding| finding.severity >= Severity::Error);
    if is_wrong { Fate::ReadWithErrors } else { Fate::Clean }
}

fn seeds() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut folders = vec![root.join("worlds"), root.join("host/tests/mutilated")];
    // Without them only the worlds of this repository are damaged.
    if let Some(field) = skip::shared("sdf") {
        folders.extend([field.join("gz-worlds"), field.join("sdformat")]);
    }
    let mut files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).into_iter().flatten())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sdf"))
        .filter(|path| fs::metadata(path).is_ok_and(|data| data.len() <= MAX_BYTES))
        .collect();
    files.sort();
    files
}

/// Ends the process, with the name of the piece of work, when one lasts too long.
struct Watch(Mutex<std::sync::mpsc::Sender<String>>);

impl Watch {
    fn start() -> Self {
        let (sender, receiver) = channel::<String>();
        std::thread::spawn(move || {
            let mut current = String::new();
            loop {
                match receiver.recv_timeout(PATIENCE) {
                    Ok(next) => current = next,
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {
                        eprintln!("{current} takes longer than {PATIENCE:?}");
                        abort();
                    }
                }
            }
        });
        Watch(Mutex::new(sender))
    }

    fn begin(&self, what: String) {
        self.0.lock().unwrap().send(what).unwrap();
    }
}
