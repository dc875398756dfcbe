//! Decides what the end of a process means: a result, or a try that gave none.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use bridgehead_files::{MAX_OF_DATA, open, read_bytes};
use serde::Deserialize;

use super::child::Exit;
use crate::command::{LOG, OUTPUT, RESULT};
use crate::digest::of_bytes;
use crate::store::{Entry, Try, Verdict};
use crate::{CampaignError, PlannedRun};

/// Bytes at the end of a log that are kept of a try without a result.
const LOG_TAIL: i64 = 2000;

/// What a run has come to.
#[derive(Debug)]
pub(crate) enum Judged {
    /// A result, still without the earlier tries and without its seal.
    Result(Box<Entry>),
    /// None.
    Nothing {
        /// The try.
        attempt: Try,
        /// True if another try would end in the same way.
        is_final: bool,
    },
}

/// The fields of a result file that are needed here.
#[derive(Deserialize)]
struct ResultFields {
    outcome: String,
    cause: String,
    exit_code: i32,
    seed: u64,
    steps: u64,
    time_ns: u64,
    real_time_factor: Option<f64>,
    state_hash: Option<String>,
}

/// Judges the end of a process. Exit codes 0, 8 and 9 are results; 1 is final, because a wrong configuration stays wrong.
pub(super) fn judged(run: &PlannedRun, exit: Exit, folder: &Path, wall_s: f64) -> Judged {
    let nothing = |end: String, is_final: bool| {
        let log = tail(&folder.join(LOG)).unwrap_or_default();
        Judged::Nothing { attempt: Try { end, log, wall_s }, is_final }
    };
    match exit {
        Exit::Late(limit_s) => nothing(format!("ended after its time limit of {limit_s} s"), false),
        Exit::Signal(signal) => nothing(format!("signal {signal}"), false),
        Exit::Code(1) => nothing("exit code 1".to_owned(), true),
        Exit::Code(code @ (0 | 8 | 9)) => match entry(run, code, folder, wall_s) {
            Ok(entry) => Judged::Result(Box::new(entry)),
            Err(fault) => nothing(format!("exit code {code}, but {fault}"), false),
        },
        Exit::Code(code) => nothing(format!("exit code {code}"), false),
    }
}

fn entry(run: &PlannedRun, exit_code: i32, folder: &Path, wall_s: f64) -> Result<Entry, String> {
    let text = read_bytes(&folder.join(RESULT), MAX_OF_DATA)
        .map_err(|error| format!("its result file cannot be read: {error}"))?;
    let fields: ResultFields =
        serde_json::from_slice(&text).map_err(|error| format!("its result file is damaged: {error}"))?;
    if fields.exit_code != exit_code || fields.seed != run.seed {
        return Err(format!(
            "its result file has the exit code {} and the seed {}, not {}",
            fields.exit_code, fields.seed, run.seed
        ));
    }
    Ok(Entry {
        schema: Entry::schema(),
        key: run.key,
        verdict: if exit_code == 0 { Verdict::Passed } else { Verdict::Failed },
        exit_code,
        outcome: fields.outcome,
        cause: fields.cause,
        state_hash: fields.state_hash,
        seed: fields.seed,
        steps: fields.steps,
        time_ns: fields.time_ns,
        real_time_factor: fields.real_time_factor,
        earlier: Vec::new(),
        began_ms: None,
        cores: std::thread::available_parallelism().ok().and_then(|cores| u32::try_from(cores.get()).ok()),
        wall_s,
        machine: rustix::system::uname().nodename().to_string_lossy().into_owned(),
        result: of_bytes(&text),
        seal: None,
    })
}

/// Moves the files of a finished run into the folder of its entry: its result, what it wrote, and its log unless it passed.
/// The folder in which it ran is left for another run, because creating and removing files is most of the work.
pub(super) fn move_files(from: &Path, to: &Path, verdict: Verdict) -> Result<(), CampaignError> {
    let moved = fs::rename(from.join(RESULT), to.join(RESULT)).and_then(|()| {
        if verdict != Verdict::Passed {
            fs::rename(from.join(LOG), to.join(LOG))?;
        }
        let output = from.join(OUTPUT);
        if fs::read_dir(&output)?.next().is_some() { fs::rename(output, to.join(OUTPUT)) } else { Ok(()) }
    });
    moved.map_err(|error| CampaignError::Store { path: to.to_owned(), reason: error.to_string() })
}

/// Removes what a try without a result wrote.
pub(super) fn clear(folder: &Path) {
    let output = folder.join(OUTPUT);
    if fs::read_dir(&output).is_ok_and(|mut entries| entries.next().is_some()) {
        drop(fs::remove_dir_all(output));
    }
}

/// Checks that the store still has room: a run on a full disk ends like one with a wrong configuration.
pub(super) fn is_writable(folder: &Path) -> Result<(), CampaignError> {
    let path = folder.join("room");
    let written = fs::write(&path, [0; 4096]).and_then(|()| fs::remove_file(&path));
    written.map_err(|error| CampaignError::Store { path, reason: error.to_string() })
}

fn tail(path: &Path) -> std::io::Result<String> {
    let mut file = open(path)?;
    let length = i64::try_from(file.metadata()?.len()).unwrap_or(i64::MAX);
    file.seek(SeekFrom::End(-length.min(LOG_TAIL)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> PlannedRun {
        PlannedRun { key: of_bytes(b"a"), case: 0, seed: 3 }
    }

    /// Judges an end with this result file.
    fn judge(exit: Exit, result: Option<&str>) -> Judged {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(LOG), "x".repeat(3000) + "the end").expect("a log");
        if let Some(result) = result {
            fs::write(folder.path().join(RESULT), result).expect("a result");
        }
        judged(&run(), exit, folder.path(), 0.5)
    }

    fn result(exit_code: i32, seed: u64) -> String {
        format!(
            r#"{{"outcome":"o","cause":"c","exit_code":{exit_code},"seed":{seed},"steps":7,"time_ns":8,
               "real_time_factor":null,"state_hash":"00ff","topics":[]}}"#
        )
    }

    #[test]
    fn exit_codes_of_verdicts_are_results() {
        for (code, verdict) in [(0, Verdict::Passed), (8, Verdict::Failed), (9, Verdict::Failed)] {
            let Judged::Result(entry) = judge(Exit::Code(code), Some(&result(code, 3))) else {
                panic!("{code}")
            };
            assert_eq!((entry.verdict, entry.steps, entry.state_hash.as_deref()), (verdict, 7, Some("00ff")));
            assert_eq!(entry.sealed().fault(run().key), None);
        }
    }

    #[test]
    fn other_ends_are_tries_and_a_wrong_configuration_is_final() {
        for (exit, text, expected) in [
            (Exit::Code(16), Some(result(16, 3)), ("exit code 16", false)),
            (Exit::Code(4), Some(result(4, 3)), ("exit code 4", false)),
            (Exit::Code(1), None, ("exit code 1", true)),
            (Exit::Signal(9), None, ("signal 9", false)),
            (Exit::Late(5), Some(result(0, 3)), ("ended after its time limit of 5 s", false)),
            (Exit::Code(0), None, ("exit code 0, but its result file cannot be read", false)),
            (Exit::Code(0), Some("{".to_owned()), ("exit code 0, but its result file is damaged", false)),
            (
                Exit::Code(0),
                Some(result(9, 3)),
                ("exit code 0, but its result file has the exit code 9", false),
            ),
            (Exit::Code(0), Some(result(0, 4)), ("exit code 0, but its result file has", false)),
        ] {
            let Judged::Nothing { attempt, is_final } = judge(exit, text.as_deref()) else {
                panic!("{exit:?}")
            };
            assert!(attempt.end.starts_with(expected.0) && is_final == expected.1, "{exit:?}: {attempt:?}");
            assert!(attempt.log.len() == 2000 && attempt.log.ends_with("the end"));
        }
    }
}
