//! Problems of worlds in the log: their severity, and how many of them are shown.

use std::collections::BTreeMap;

use bridgehead_sdf as sdf;
use bridgehead_sdf::{Diagnostic, Severity};

use crate::catalogue::split_code;
use crate::severity;

/// What a file lacks, and what `--strict` does not accept of it.
pub(super) struct Logged {
    /// Parts that are missing, which are errors of the run.
    pub(super) lost: Vec<String>,
    /// All findings that `--strict` does not accept.
    pub(super) problems: Vec<String>,
}

/// Logs the findings about a file: all of them in detailed logs, otherwise their digest.
pub(super) fn log_diagnostics(diagnostics: &[Diagnostic], is_strict: bool) -> Logged {
    let told: Vec<Diagnostic> = diagnostics.iter().map(|finding| as_in_a_run(finding, is_strict)).collect();
    let shown = if log::log_enabled!(log::Level::Debug) { told.clone() } else { sdf::digest(&told) };
    for finding in &shown {
        match finding.severity {
            Severity::Note => log::info!("{finding}"),
            Severity::Warning => log::warn!("{finding}"),
            Severity::Error => log::error!("{finding}"),
        }
    }
    let once = sdf::collapsed(&told);
    let texts = |is_kept: fn(&Diagnostic) -> bool| -> Vec<String> {
        once.iter().filter(|finding| is_kept(finding)).map(ToString::to_string).collect()
    };
    Logged {
        lost: texts(|finding| finding.judged().severity == Severity::Error),
        problems: texts(|finding| finding.severity > Severity::Note),
    }
}

/// Returns a finding with its severity in a run, in which `--strict` makes warnings errors.
pub(super) fn as_in_a_run(finding: &Diagnostic, is_strict: bool) -> Diagnostic {
    let judged = finding.judged();
    match judged.severity {
        Severity::Warning if is_strict => judged.with_severity(Severity::Error),
        Severity::Note | Severity::Warning | Severity::Error => judged,
    }
}

/// Logs a problem of a world, with its severity; `--strict` makes it an error.
pub(super) fn log_problem(problem: &str, is_strict: bool) {
    if is_strict || is_loss(problem) { log::error!("{problem}") } else { log::warn!("{problem}") }
}

/// Returns true if a part of the world is missing because of a problem.
pub(super) fn is_loss(problem: &str) -> bool {
    severity::of(problem) == Severity::Error
}

/// Returns the problems to log: all of them in detailed logs, otherwise at most some of each code.
pub(super) fn shortened(problems: &[String]) -> Vec<String> {
    let code = |problem: &String| split_code(problem).map(|(code, _)| code.to_owned()).unwrap_or_default();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut shown = Vec::new();
    for problem in problems {
        let count = counts.entry(code(problem)).or_default();
        *count += 1;
        if *count <= MAX_OF_A_CODE || log::log_enabled!(log::Level::Debug) {
            shown.push(problem.clone());
        }
    }
    if shown.len() < problems.len() {
        for (code, count) in counts.iter().filter(|(_, count)| **count > MAX_OF_A_CODE) {
            let (more, code) =
                (count - MAX_OF_A_CODE, if code.is_empty() { String::new() } else { format!("[{code}] ") });
            shown.push(format!("{code}{more} more findings of this kind; `-v` shows all"));
        }
    }
    shown
}

/// Problems of one code that the log shows.
pub(super) const MAX_OF_A_CODE: usize = 4;

/// Logs a request of the configuration for a vehicle that a later world does not have.
pub(super) fn log_skipped(problem: &dyn std::fmt::Display) {
    log::info!("not for this world: {problem}");
}
