//! URDF wherever SDF may stand: turned into SDF before it is read, by the crate `bridgehead-urdf`.
//!
//! Findings about the URDF have places in it and codes of their own; those about what it became have places in that
//! text, which is named after the file. Pure functions, usable from any thread.

use super::diagnostic::{Code, Diagnostic, Severity};
use super::{Location, Source};
use bridgehead_urdf::{Finding, is_urdf, to_sdf};

/// The source itself, or what a URDF is as SDF, with what was found in it.
///
/// # Errors
/// A URDF of which nothing can be made.
pub(super) fn translated(source: Source) -> Result<(Source, Vec<Diagnostic>), Box<Diagnostic>> {
    if !is_urdf(source.text()) {
        return Ok((source, Vec::new()));
    }
    let converted = to_sdf(source.text(), source.name()).map_err(|error| Box::new(diagnostic(*error.0)))?;
    let findings = converted.findings.into_iter().map(diagnostic).collect();
    let name = format!("{} as SDF", source.name());
    let text = converted.sdf;
    Ok((
        source.path().map_or_else(
            || Source::from_text(&name, text.as_str()),
            |path| Source::of_file(&name, path, text.as_str()),
        ),
        findings,
    ))
}

fn diagnostic(finding: Finding) -> Diagnostic {
    let place = finding.location;
    Diagnostic {
        severity: match finding.severity {
            bridgehead_urdf::Severity::Note => Severity::Note,
            bridgehead_urdf::Severity::Warning => Severity::Warning,
            bridgehead_urdf::Severity::Error => Severity::Error,
        },
        code: Code::Urdf,
        location: Some(Location {
            file: place.file.into(),
            line: place.line,
            column: place.column,
            path: place.path,
        }),
        found: format!("[{}] {}", finding.code, finding.found),
        expected: finding.expected,
        hint: finding.hint,
    }
}
