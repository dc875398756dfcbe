//! A short run of a fuzz target, as part of the tests of the crate that owns the target.
//!
//! A target is a function that reads foreign bytes, in the module `fuzz` of its crate. It returns true if the bytes are
//! valid, and panics if the reader has a defect. Its corpus, the inputs from which others are made, is in
//! `corpus/<target>`. The long run, with libFuzzer, uses the same targets and files: `bash tests/fuzz/run.sh`.

mod mutate;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mutate::Mutator;

/// Size of the largest generated input in bytes: larger ones take longer and reach the same code.
const MAX_INPUT: usize = 1 << 18;

/// Time for the additional inputs with `BRIDGEHEAD_LONG=1`: some readers need milliseconds for one.
const LONG: Duration = Duration::from_secs(20);

/// Reads the whole corpus of a target, then `mutations` inputs made from it; with `BRIDGEHEAD_LONG=1`, up to 100 times
/// as many within 20 seconds. The same inputs in every run.
///
/// # Panics
/// Panics if no file of the corpus is valid, because mutations of it would test nothing but refusals, or if the target
/// panics: the input is written to a file that the message names.
pub fn short_run(target: &str, mutations: u64, read: impl Fn(&[u8]) -> bool) {
    let corpus = corpus(target);
    let valid =
        corpus.iter().filter(|(path, input)| check(target, &path.display().to_string(), input, &read));
    assert!(valid.count() > 0, "target `{target}`: no file of the corpus is valid");
    let inputs: Vec<&[u8]> = corpus.iter().map(|(_, input)| input.as_slice()).collect();
    let is_long = std::env::var("BRIDGEHEAD_LONG").is_ok_and(|value| value == "1");
    let all = if is_long { mutations * 100 } else { mutations };
    #[expect(clippy::disallowed_methods, reason = "the clock of the host is not that of its fuzz targets")]
    let began = Instant::now();
    for number in 0..all {
        // Wall time: long runs try as many inputs as there is time for.
        if number >= mutations && began.elapsed() > LONG {
            break;
        }
        let input = Mutator::new(number).mutated(&inputs, MAX_INPUT);
        check(target, &format!("mutation {number}"), &input, &read);
    }
}

/// Returns the files of a target's corpus in the order of their names.
fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} has no file", folder.display());
    let read = |path: PathBuf| {
        let content = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, content)
    };
    paths.into_iter().map(read).collect()
}

/// Gives an input to the target, returns whether it is valid, and keeps it if the target panics.
fn check(target: &str, name: &str, input: &[u8], read: &impl Fn(&[u8]) -> bool) -> bool {
    if let Ok(is_valid) = catch_unwind(AssertUnwindSafe(|| read(input))) {
        return is_valid;
    }
    let kept = std::env::temp_dir().join(format!("bridgehead-fuzz-{target}-{}", std::process::id()));
    let place = match fs::write(&kept, input) {
        Ok(()) => format!("the input is in {}", kept.display()),
        Err(error) => format!("the input could not be written to {}: {error}", kept.display()),
    };
    panic!("target `{target}` panics at {name}; {place}");
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn a_run_reads_each_file_and_the_given_number_of_different_mutations() {
        let inputs = std::sync::Mutex::new(Vec::new());
        short_run("json", 300, |input| {
            inputs.lock().expect("not poisoned").push(input.to_vec());
            true
        });
        let mut inputs = inputs.into_inner().expect("not poisoned");
        let files = corpus("json").len();
        assert!(inputs.len() >= files + 300, "{} inputs", inputs.len());
        assert!(inputs.iter().all(|input| input.len() <= MAX_INPUT));
        let all = inputs.len();
        inputs.sort();
        inputs.dedup();
        assert!(inputs.len() > all * 9 / 10, "{} of {all} inputs are different", inputs.len());
    }

    #[test]
    #[should_panic(expected = "no file of the corpus is valid")]
    fn a_corpus_without_a_valid_file_is_refused() {
        short_run("json", 1, |_| false);
    }

    #[test]
    fn a_panic_of_the_target_fails_the_run_and_keeps_the_input() {
        let calls = AtomicU64::new(0);
        let run = AssertUnwindSafe(|| {
            short_run("json", 50, |_| {
                assert!(calls.fetch_add(1, Ordering::Relaxed) < 20, "enough");
                true
            });
        });
        let cause = catch_unwind(run).expect_err("the target panics");
        let text = cause.downcast_ref::<String>().expect("a text");
        let place = text.split(" is in ").nth(1).unwrap_or_else(|| panic!("no file in: {text}"));
        assert!(fs::metadata(place).is_ok(), "{place} exists");
        fs::remove_file(place).expect("removed");
    }
}
