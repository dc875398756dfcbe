//! The verdicts of a run as JUnit XML for continuous integration: the run itself, and each trigger with a label that
//! ends the run.

use std::fmt::Write as _;

use bridgehead_campaign::report::xml_text;
use bridgehead_lifecycle::Outcome;

use crate::report::RunResult;
use crate::trigger::{Check, CheckKind, seconds_text};

/// The outcome of one test, with its text.
enum Verdict {
    Passed,
    Failed(String),
    Error(String),
    Skipped(String),
}

/// Returns the whole file.
pub(super) fn document(result: &RunResult) -> String {
    let mut cases = vec![("run".to_owned(), result.simulated.as_secs_f64(), of_run(result))];
    cases.extend(result.triggers.checks.iter().map(|check| {
        let time_ns = check.fired_at_ns.unwrap_or_default();
        (
            check.label.clone(),
            std::time::Duration::from_nanos(time_ns.unsigned_abs()).as_secs_f64(),
            of_check(check, result),
        )
    }));
    let count = |is_one: fn(&Verdict) -> bool| cases.iter().filter(|(_, _, verdict)| is_one(verdict)).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3}\"",
        cases.len(),
        count(|verdict| matches!(verdict, Verdict::Failed(_))),
        count(|verdict| matches!(verdict, Verdict::Error(_))),
        count(|verdict| matches!(verdict, Verdict::Skipped(_))),
        result.simulated.as_secs_f64(),
    );
    let suite = if result.world.is_empty() { "bridgehead" } else { &result.world };
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n  <testsuite name=\"{}\" {counts}>\n",
        xml_text(suite)
    );
    cases.iter().for_each(|(name, time, verdict)| write_case(&mut text, suite, name, *time, verdict));
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// Returns the verdict of the run, by its exit code.
fn of_run(result: &RunResult) -> Verdict {
    let said = format!("{}: {}", result.outcome, result.cause);
    match result.outcome {
        _ if result.exit_code == 0 => Verdict::Passed,
        Outcome::Success | Outcome::Stopped | Outcome::Failure | Outcome::Probed => Verdict::Failed(said),
        Outcome::Aborted | Outcome::NotStarted | Outcome::ConfigurationError => Verdict::Error(said),
    }
}

/// A trigger that fails the run must not fire. A trigger that makes it a success must fire, unless another one did.
fn of_check(check: &Check, result: &RunResult) -> Verdict {
    let event = &check.event;
    match (check.kind, check.fired_at_ns) {
        (CheckKind::Fail, Some(at_ns)) => Verdict::Failed(format!("{event}, at {}", seconds_text(at_ns))),
        (CheckKind::Fail, None) | (CheckKind::Succeed | CheckKind::Stop, Some(_)) => Verdict::Passed,
        (CheckKind::Succeed, None) if result.outcome == Outcome::Success => {
            Verdict::Skipped(format!("the run was a success before {event}"))
        }
        (CheckKind::Succeed, None) => {
            Verdict::Failed(format!("the run ended before {event}: {}", result.cause))
        }
        (CheckKind::Stop, None) => Verdict::Skipped(format!("the run ended before {event}")),
    }
}

fn write_case(text: &mut String, suite: &str, name: &str, time: f64, verdict: &Verdict) {
    let (suite, name) = (xml_text(suite), xml_text(name));
    let head = format!("    <testcase classname=\"{suite}\" name=\"{name}\" time=\"{time:.3}\"");
    let (element, said) = match verdict {
        Verdict::Passed => {
            let _ = writeln!(text, "{head}/>");
            return;
        }
        Verdict::Failed(said) => ("failure", said),
        Verdict::Error(said) => ("error", said),
        Verdict::Skipped(said) => ("skipped", said),
    };
    let _ = writeln!(text, "{head}>\n      <{element} message=\"{}\"/>\n    </testcase>", xml_text(said));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::tests::finished_run;

    #[test]
    fn the_run_and_each_labelled_trigger_are_a_test_case() {
        let text = document(&finished_run());
        assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"), "{text}");
        assert!(text.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"0\""), "{text}");
        assert!(
            text.contains("<failure message=\"stopped: the simulated time of --duration is reached\"/>"),
            "{text}"
        );
        assert!(text.contains("name=\"arrived\" time=\"1.500\"/>"), "{text}");
        assert!(text.contains("name=\"a &lt;crash&gt;\" time=\"0.000\"/>"), "{text}");
    }

    fn verdicts(outcome: Outcome) -> String {
        let mut result = RunResult { outcome, exit_code: outcome.exit_code(false), ..finished_run() };
        let check = |label: &str, kind, fired_at_ns| Check {
            label: label.to_owned(),
            kind,
            event: "time=2s".to_owned(),
            fired_at_ns,
        };
        result.triggers.checks = vec![
            check("crash", CheckKind::Fail, Some(1_000_000_000)),
            check("goal", CheckKind::Succeed, None),
            check("end", CheckKind::Stop, None),
        ];
        document(&result)
    }

    #[test]
    fn a_success_that_did_not_come_is_a_failure_unless_there_was_another() {
        let failed = verdicts(Outcome::Failure);
        assert!(failed.contains("failures=\"3\" errors=\"0\" skipped=\"1\""), "{failed}");
        assert!(failed.contains("<failure message=\"time=2s, at 1s\"/>"), "{failed}");
        let passed = verdicts(Outcome::Success);
        assert!(passed.contains("failures=\"1\" errors=\"0\" skipped=\"2\""), "{passed}");
        assert!(verdicts(Outcome::Aborted).contains("<error message=\"aborted: "), "an error of the run");
    }

    #[test]
    fn what_xml_cannot_hold_is_not_written() {
        assert_eq!(xml_text("a\"b\u{0}\n\u{ffff}"), "a&quot;b?&#10;?");
    }
}
