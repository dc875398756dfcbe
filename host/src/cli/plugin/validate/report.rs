//! What a validation found, as text, as JSON and as JUnit XML.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bridgehead_campaign::report::xml_text;
use serde_json::{Value, json};

use crate::plugin::probe::Outcome;
use crate::plugin::{Kind, PluginMetadata};

/// How a case ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict {
    Passed,
    Skipped(&'static str),
    Failed { outcome: Outcome, findings: Vec<String> },
}

/// One case.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CaseReport {
    pub(super) case: &'static str,
    pub(super) verdict: Verdict,
    pub(super) seconds: f64,
}

impl CaseReport {
    pub(super) fn failed(case: &'static str, outcome: Outcome, finding: String) -> Self {
        CaseReport { case, verdict: Verdict::Failed { outcome, findings: vec![finding] }, seconds: 0.0 }
    }
}

/// One plugin, or a file that is none.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PluginReport {
    file: PathBuf,
    /// Name and kind, if the file could be read.
    plugin: Option<(String, &'static str)>,
    cases: Vec<CaseReport>,
}

impl PluginReport {
    pub(super) fn of_file(file: &Path, cases: Vec<CaseReport>) -> Self {
        PluginReport { file: file.to_owned(), plugin: None, cases }
    }

    pub(super) fn of_plugin(file: &Path, plugin: &PluginMetadata, cases: Vec<CaseReport>) -> Self {
        PluginReport {
            plugin: Some((plugin.name.clone(), word(plugin))),
            ..PluginReport::of_file(file, cases)
        }
    }

    /// Returns one line per case, with what was found.
    pub(super) fn to_text(&self) -> String {
        let mut text = match &self.plugin {
            Some((name, kind)) => format!("{}: {kind} plugin `{name}`\n", self.file.display()),
            None => format!("{}:\n", self.file.display()),
        };
        for CaseReport { case, verdict, seconds } in &self.cases {
            match verdict {
                Verdict::Passed => _ = writeln!(text, "  ok       {case} ({seconds:.1} s)"),
                Verdict::Skipped(why) => _ = writeln!(text, "  skipped  {case}: {why}"),
                Verdict::Failed { findings, .. } => {
                    let _ = writeln!(text, "  FAILED   {case} ({seconds:.1} s)");
                    let lines = findings.iter().flat_map(|finding| finding.lines());
                    lines.for_each(|line| _ = writeln!(text, "           {line}"));
                }
            }
        }
        text
    }

    fn worst(&self) -> Outcome {
        let outcomes = self.cases.iter().map(|case| match &case.verdict {
            Verdict::Failed { outcome, .. } => *outcome,
            _ => Outcome::Ok,
        });
        outcomes.max().unwrap_or(Outcome::Ok)
    }
}

/// Returns the exit code, which is that of a probe of these files.
pub(super) fn exit_code(reports: &[PluginReport]) -> u8 {
    reports.iter().map(PluginReport::worst).max().unwrap_or(Outcome::Usage).exit_code()
}

/// Returns the last line: how many cases passed.
pub(super) fn summary(reports: &[PluginReport]) -> String {
    let count = |wanted: fn(&Verdict) -> bool| {
        reports.iter().flat_map(|report| &report.cases).filter(|case| wanted(&case.verdict)).count()
    };
    let (passed, failed) = (
        count(|verdict| *verdict == Verdict::Passed),
        count(|verdict| matches!(verdict, Verdict::Failed { .. })),
    );
    let skipped = count(|verdict| matches!(verdict, Verdict::Skipped(_)));
    format!("{passed} passed, {failed} failed, {skipped} skipped\n")
}

pub(super) fn json(reports: &[PluginReport]) -> String {
    let plugins: Vec<Value> = reports.iter().map(of_plugin).collect();
    let whole =
        json!({ "schema": "bridgehead-validation/1", "exit_code": exit_code(reports), "plugins": plugins });
    format!("{whole:#}\n")
}

fn of_plugin(report: &PluginReport) -> Value {
    let cases: Vec<Value> = report.cases.iter().map(of_case).collect();
    let (name, kind) = report.plugin.clone().unzip();
    json!({
        "file": report.file.display().to_string(), "name": name, "kind": kind,
        "outcome": report.worst().name(), "cases": cases,
    })
}

fn of_case(case: &CaseReport) -> Value {
    let (verdict, findings) = match &case.verdict {
        Verdict::Passed => ("passed", Vec::new()),
        Verdict::Skipped(why) => ("skipped", vec![(*why).to_owned()]),
        Verdict::Failed { findings, .. } => ("failed", findings.clone()),
    };
    json!({ "case": case.case, "verdict": verdict, "seconds": case.seconds, "findings": findings })
}

pub(super) fn junit(reports: &[PluginReport]) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for report in reports {
        let suite = match &report.plugin {
            Some((name, _)) => name.clone(),
            None => report.file.display().to_string(),
        };
        let count =
            |wanted: fn(&Verdict) -> bool| report.cases.iter().filter(|case| wanted(&case.verdict)).count();
        let _ = writeln!(
            text,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">",
            xml_text(&suite),
            report.cases.len(),
            count(|verdict| matches!(verdict, Verdict::Failed { .. })),
            count(|verdict| matches!(verdict, Verdict::Skipped(_))),
        );
        report.cases.iter().for_each(|case| junit_case(&mut text, &suite, case));
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn junit_case(text: &mut String, suite: &str, case: &CaseReport) {
    let _ = write!(
        text,
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\"",
        xml_text(suite),
        case.case,
        case.seconds
    );
    let _ = match &case.verdict {
        Verdict::Passed => writeln!(text, "/>"),
        Verdict::Skipped(why) => writeln!(text, "><skipped message=\"{}\"/></testcase>", xml_text(why)),
        Verdict::Failed { outcome, findings } => writeln!(
            text,
            "><failure message=\"{}\">{}</failure></testcase>",
            outcome.name(),
            xml_text(&findings.join("\n"))
        ),
    };
}

/// Returns the word for a kind of plugin.
pub(in crate::cli::plugin) fn word(plugin: &PluginMetadata) -> &'static str {
    match plugin.kind {
        Kind::Bridge => "bridge",
        Kind::Model => "model",
        Kind::Unknown => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reports() -> Vec<PluginReport> {
        let failed = Verdict::Failed {
            outcome: Outcome::Crashed,
            findings: vec!["[BH-PLG-108]: <died>\n  try: repair it".to_owned()],
        };
        let case = |case, verdict| CaseReport { case, verdict, seconds: 0.25 };
        let cases = vec![
            case("load", Verdict::Passed),
            case("run", failed),
            case("reset", Verdict::Skipped("no run")),
        ];
        vec![PluginReport { file: "libx.so".into(), plugin: Some(("x".to_owned(), "model")), cases }]
    }

    #[test]
    fn a_report_says_what_was_found_and_counts() {
        let reports = reports();
        assert_eq!(
            reports[0].to_text(),
            "libx.so: model plugin `x`\n  ok       load (0.2 s)\n  FAILED   run (0.2 s)\n           \
             [BH-PLG-108]: <died>\n             try: repair it\n  skipped  reset: no run\n"
        );
        assert_eq!(summary(&reports), "1 passed, 1 failed, 1 skipped\n");
        assert_eq!((exit_code(&reports), exit_code(&[])), (2, 4));
    }

    #[test]
    fn json_and_junit_contain_every_case() {
        let reports = reports();
        let read: Value = serde_json::from_str(&json(&reports)).expect("valid JSON");
        assert_eq!(read["plugins"][0]["cases"][1]["verdict"], "failed");
        assert_eq!((&read["exit_code"], &read["plugins"][0]["outcome"]), (&json!(2), &json!("crashed")));
        let xml = junit(&reports);
        assert!(xml.contains("tests=\"3\" failures=\"1\" skipped=\"1\""), "{xml}");
        assert!(xml.contains("&lt;died&gt;") && xml.matches("<testcase").count() == 3, "{xml}");
    }
}
