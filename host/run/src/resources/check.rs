//! Optional checks that reject a world or model although its text is readable: missing files, unusable files, and
//! elements without effect.

use bridgehead_sdf::{Code, Diagnostic, Severity};

use super::error::ResourceError;

/// Maximum number of findings in a message.
const MAX_NAMED: usize = 8;

/// The findings for which a client rejects a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strictness {
    /// Rejects elements without effect.
    pub refuses_elements: bool,
    /// Rejects missing and unusable files.
    pub refuses_assets: bool,
}

impl Strictness {
    /// As in a run from the command line: findings are logged only.
    pub const LENIENT: Self = Self { refuses_elements: false, refuses_assets: false };
}

/// Checks the findings of the reader: missing files, and elements without effect.
///
/// # Errors
/// Returns an error if there is a finding that `strictness` rejects.
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

/// Checks the problems of building the world: files that exist but cannot be used.
///
/// # Errors
/// Returns an error if there is one and `strictness` rejects it.
pub fn check_assets(shown: &str, problems: &[String], strictness: Strictness) -> Result<(), ResourceError> {
    // All problems of meshes and heightmaps have codes of this area.
    let unusable: Vec<String> =
        problems.iter().filter(|problem| problem.contains("[BH-MSH-")).take(MAX_NAMED).cloned().collect();
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
    // A namespace prefix marks an extension of another program.
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
    let more = lines.len().saturating_sub(MAX_NAMED);
    lines.truncate(MAX_NAMED);
    if more > 0 {
        lines.push(format!("{more} more"));
    }
    lines
}
