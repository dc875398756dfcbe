//! The files of a report.

use std::fs;
use std::path::Path;

use bridgehead_campaign::CampaignError;
use bridgehead_campaign::report::{Report, csv, html, junit};

use crate::atomic_file;

/// Name of the HTML page.
pub(super) const PAGE: &str = "report.html";

/// Writes the page, the JUnit file and the table.
pub(super) fn write(report: &Report<'_>, folder: &Path, program: &Path) -> Result<(), CampaignError> {
    let refused = |path: &Path, error: std::io::Error| CampaignError::Store {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    fs::create_dir_all(folder).map_err(|error| refused(folder, error))?;
    let files =
        [(PAGE, html(report, program)), ("junit.xml", junit(report, program)), ("runs.csv", csv(report))];
    files.iter().try_for_each(|(name, text)| {
        let path = folder.join(name);
        atomic_file::write(&path, text.as_bytes()).map_err(|error| refused(&path, error))
    })
}
