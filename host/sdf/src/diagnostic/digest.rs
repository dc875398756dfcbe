//! The findings of a file as people read them: repeats once with their number, advice once, and of each kind the first
//! ones. Plain functions, usable from any thread.

use super::{Code, Diagnostic, Severity};
use std::collections::{BTreeMap, BTreeSet};

/// Findings of one code that are shown: errors, and others.
const MAX_ERRORS: usize = 8;
const MAX_OTHERS: usize = 3;

/// Returns the findings to show, in order.
#[must_use]
pub fn digest(findings: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut shown: BTreeMap<(Severity, Code), usize> = BTreeMap::new();
    let mut left_out: BTreeMap<(Severity, Code), usize> = BTreeMap::new();
    let different = collapsed(findings);
    for finding in &different {
        *shown.entry((finding.severity, finding.code)).or_default() += 1;
    }
    let mut result = Vec::new();
    for finding in different {
        let kind = (finding.severity, finding.code);
        let most = if finding.severity == Severity::Error { MAX_ERRORS } else { MAX_OTHERS };
        let count = left_out.entry(kind).or_default();
        *count += 1;
        // A line that says that one more was left out is no shorter than that one.
        let total = shown.get(&kind).copied().unwrap_or_default();
        if *count <= most || total == most + 1 {
            result.push(finding);
        } else if *count == total {
            let more = format!("{} more findings of this kind; `-v` shows all", total - most);
            result.push(Diagnostic::new(finding.severity, finding.code, None, more).hint(""));
        }
    }
    without_repeated_advice(result)
}

/// Returns each finding once: equal ones at other places are counted in the first one.
#[must_use]
pub fn collapsed(findings: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut different: Vec<(Diagnostic, usize)> = Vec::new();
    let mut known: BTreeMap<(Severity, Code, &str, &str), usize> = BTreeMap::new();
    for finding in findings {
        let key = (finding.severity, finding.code, finding.found.as_str(), finding.expected.as_str());
        let at = *known.entry(key).or_insert(different.len());
        match different.get_mut(at) {
            Some((_, count)) => *count += 1,
            None => different.push((finding.clone(), 1)),
        }
    }
    let counted = |(finding, count): (Diagnostic, usize)| match count {
        1 => finding,
        _ => Diagnostic { found: format!("{} ({count} times, first here)", finding.found), ..finding },
    };
    different.into_iter().map(counted).collect()
}

fn without_repeated_advice(mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut given = BTreeSet::new();
    for finding in &mut findings {
        if !given.insert((finding.code, finding.hint.clone())) {
            finding.hint.clear();
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(severity: Severity, code: Code, found: &str) -> Diagnostic {
        Diagnostic::new(severity, code, None, found.to_owned())
    }

    fn shown(findings: &[Diagnostic]) -> Vec<String> {
        digest(findings).iter().map(|finding| finding.found.clone()).collect()
    }

    #[test]
    fn repeats_are_one_finding_with_their_number() {
        let again = |found| finding(Severity::Error, Code::UriNotFound, found);
        let findings = [again("a"), again("b"), again("a"), again("a")];
        assert_eq!(shown(&findings), ["a (3 times, first here)", "b"]);
    }

    #[test]
    fn advice_is_given_once() {
        let findings = ["a", "b"].map(|found| finding(Severity::Warning, Code::UriNotFound, found));
        let hints: Vec<bool> = digest(&findings).iter().map(|finding| finding.hint.is_empty()).collect();
        assert_eq!(hints, [false, true]);
    }

    #[test]
    fn of_many_findings_of_a_kind_the_first_are_shown_and_the_others_counted() {
        let many = |count: usize, severity| -> Vec<Diagnostic> {
            (0..count).map(|number| finding(severity, Code::UriNotLocal, &number.to_string())).collect()
        };
        let more = "7 more findings of this kind; `-v` shows all";
        assert_eq!(shown(&many(10, Severity::Warning)), ["0", "1", "2", more]);
        assert_eq!(shown(&many(4, Severity::Warning)).len(), 4, "none is left out for a line of its own");
        assert_eq!(shown(&many(8, Severity::Error)).len(), 8);
        assert_eq!(shown(&many(300, Severity::Error)).len(), 9);
    }
}
