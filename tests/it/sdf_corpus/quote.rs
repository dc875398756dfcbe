//! Quotations of libsdformat and of the specification, which is part of its repository.

/// A sentence, and its source.
pub(super) struct Quote {
    pub(super) text: &'static str,
    /// The file in the repository of libsdformat.
    pub(super) file: &'static str,
    /// The release of libsdformat, or the version of SDF, to which the sentence applies.
    pub(super) version: &'static str,
}

impl Quote {
    /// An entry of the changelog; `version` is the heading above it.
    pub(super) const fn of_changelog(text: &'static str, version: &'static str) -> Self {
        Self { text, file: "Changelog.md", version }
    }

    /// The quotation and its source, as two cells of a table.
    pub(super) fn cells(&self) -> String {
        let text = self.text.replace("__", "\\_\\_").replace('<', "\\<");
        format!("\"{text}\" | `{}`, {}", self.file, self.version)
    }

    /// True if there is a sentence with a file and a known version.
    pub(super) fn is_complete(&self) -> bool {
        !self.text.is_empty() && !self.file.is_empty() && self.number().is_some()
    }

    /// True if the version is later than those that libsdformat 12.3 knows: it reads SDF up to 1.9.
    pub(super) fn is_later_than_the_readings(&self) -> bool {
        let newest: &[u32] = if self.version.starts_with("SDF ") { &[1, 9] } else { &[12, 3, 0] };
        self.number().is_some_and(|number| number.as_slice() > newest)
    }

    fn number(&self) -> Option<Vec<u32>> {
        let (program, number) = self.version.split_once(' ')?;
        let number: Option<Vec<u32>> = number.split('.').map(|part| part.parse().ok()).collect();
        number.filter(|number| number.len() == if program == "SDF" { 2 } else { 3 })
    }
}

#[test]
fn a_quotation_knows_whether_it_is_later_than_the_readings() {
    let of = |version| Quote::of_changelog("x", version);
    for later in ["libsdformat 12.4.0", "libsdformat 13.0.0", "SDF 1.10"] {
        assert!(of(later).is_complete() && of(later).is_later_than_the_readings(), "{later}");
    }
    for earlier in ["libsdformat 12.3.0", "libsdformat 9.10.0", "SDF 1.9"] {
        assert!(of(earlier).is_complete() && !of(earlier).is_later_than_the_readings(), "{earlier}");
    }
    for unknown in ["", "SDF", "libsdformat 13", "SDF 1.x"] {
        assert!(!of(unknown).is_complete() && !of(unknown).is_later_than_the_readings(), "{unknown}");
    }
}
