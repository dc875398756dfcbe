//! What a client may refuse a world for, beside text that cannot be read: missing and unusable files, and elements
//! without effect.

use bridgehead_sdf::{Code, Diagnostic, Severity};

use super::ResourceError;

/// How many findings a message names.
const MOST_NAMED: usize = 8;

/// What a client does not put up with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strictness {
    /// Elements without effect are refused.
    pub refuses_elements: bool,
    /// Missing and unusable files are refused.
    pub refuses_assets: bool,
}

impl Strictness {
    /// As a run from the command line: everything is said in the log, and what loads is loaded.
    pub const LENIENT: Self = Self { refuses_elements: false, refuses_assets: false };
}

/// Refuses what the reader found: files that are not there, and elements without effect.
///
/// # Errors
/// Where something was found that is not put up with.
pub fn check_findings(
    shown: &str,
    findings: &[Diagnostic],
    strictness: Strictness,
) -> Result<(), ResourceError> {
    let shown = shown.to_owned();
    let missing = named(findings.iter().filter(|finding| is_missing(finding)));
    if strictness.refuses_assets && !missing.is_empty() {
        return Err(ResourceError::MissingAssets { shown, findings: missing });
    }
    let without_effect = named(findings.iter().filter(|finding| has_no_effect(finding)));
    if strictness.refuses_elements && !without_effect.is_empty() {
        return Err(ResourceError::UnsupportedElements { shown, findings: without_effect });
    }
    Ok(())
}

/// Refuses files that were found and cannot be used, as building the world says.
///
/// # Errors
/// Where there is one and it is not put up with.
pub fn check_assets(shown: &str, problems: &[String], strictness: Strictness) -> Result<(), ResourceError> {
    // Everything that is wrong with a mesh or a heightmap has a code of this area.
    let unusable: Vec<String> =
        problems.iter().filter(|problem| problem.contains("[BH-MSH-")).take(MOST_NAMED).cloned().collect();
    if !strictness.refuses_assets || unusable.is_empty() {
        return Ok(());
    }
    Err(ResourceError::UnsupportedAssets { shown: shown.to_owned(), findings: unusable })
}

fn is_missing(finding: &Diagnostic) -> bool {
    let is_of_files = matches!(
        finding.code,
        Code::UriNotFound | Code::UriNotLocal | Code::Unreadable | Code::ModelConfigInvalid
    );
    is_of_files && finding.severity >= Severity::Warning
}

fn has_no_effect(finding: &Diagnostic) -> bool {
    let is_kind = matches!(finding.code, Code::NotSimulated | Code::UnknownElement | Code::UrdfNotConverted);
    // A prefix marks somebody's own extension, which is not for us.
    let last = finding.location.as_ref().and_then(|place| place.path.rsplit('/').next()).unwrap_or_default();
    let name = last.split('[').next().unwrap_or_default();
    is_kind && !name.contains(':')
}

fn named<'a>(findings: impl Iterator<Item = &'a Diagnostic>) -> Vec<String> {
    let line = |finding: &Diagnostic| {
        let place = finding.location.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        format!("[{}] {place}{}", finding.code, finding.found)
    };
    let mut lines: Vec<String> = findings.map(line).collect();
    let more = lines.len().saturating_sub(MOST_NAMED);
    lines.truncate(MOST_NAMED);
    if more > 0 {
        lines.push(format!("{more} more"));
    }
    lines
}
