//! The SDF version of a file, and the differences between versions.

use super::Reader;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Element;

/// A version of SDF that is read: 1.`minor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version {
    minor: u16,
}

impl Version {
    /// The oldest version read.
    pub(super) const OLDEST: Self = Self { minor: 4 };
    /// The newest version read.
    pub(super) const LATEST: Self = Self { minor: 12 };

    /// A version that is read; `None` for any other text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let version = Self { minor: text.trim().strip_prefix("1.")?.parse().ok()? };
        (Self::OLDEST..=Self::LATEST).contains(&version).then_some(version)
    }

    /// From 1.7 on frames go by `relative_to`; before, `pose` had a `frame`.
    pub(super) const fn has_frame_semantics(self) -> bool {
        self.minor >= 7
    }

    /// Up to 1.4 every axis was given in the model frame; 1.5 added a flag, with the joint frame as the
    /// default.
    pub(super) const fn has_axes_in_model_frame(self) -> bool {
        self.minor <= 4
    }

    /// From 1.8 on `::` separates scopes and must not occur in a name.
    pub(super) const fn reserves_double_colon(self) -> bool {
        self.minor >= 8
    }
}

impl Reader<'_> {
    /// The version of a file, which must be one that is read.
    pub(super) fn read_version(&mut self, root: Element<'_>) -> Result<Version, Box<Diagnostic>> {
        const EXPECTED: &str = "a version from 1.4 to 1.12";
        let Some(text) = root.attribute("version") else {
            self.error(Code::Version, root, "`<sdf>` without `version`, read as 1.12", EXPECTED);
            return Ok(Version::LATEST);
        };
        Version::parse(text).ok_or_else(|| {
            let found = format!("SDF version `{text}`");
            Box::new(Diagnostic::error(Code::Version, Some(root.location()), found).expected(EXPECTED))
        })
    }
}
