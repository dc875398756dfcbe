//! The SDF version of a file, and the differences between versions. Plain values.

use crate::document::Element;

/// A version of SDF that is read: 1.`minor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version {
    minor: u16,
}

impl Version {
    /// The oldest version read.
    pub(crate) const OLDEST: Self = Self { minor: 4 };
    /// The newest version read.
    pub(crate) const LATEST: Self = Self { minor: 12 };

    /// A version that is read; `None` for any other text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let version = Self { minor: text.trim().strip_prefix("1.")?.parse().ok()? };
        (Self::OLDEST..=Self::LATEST).contains(&version).then_some(version)
    }

    /// The version of the file of an element. A file without a version is read as the newest one.
    pub(crate) fn of(element: Element<'_>) -> Self {
        let written = element.document().root().attribute("version");
        written.and_then(Self::parse).unwrap_or(Self::LATEST)
    }

    /// From 1.7 on frames go by `relative_to`; before, `pose` had a `frame`.
    pub(crate) const fn has_frame_semantics(self) -> bool {
        self.minor >= 7
    }

    /// Up to 1.4 every axis was given in the model frame; 1.5 added a flag, with the joint frame as the
    /// default.
    pub(crate) const fn has_axes_in_model_frame(self) -> bool {
        self.minor <= 4
    }

    /// From 1.8 on `::` separates scopes and must not occur in a name.
    pub(crate) const fn reserves_double_colon(self) -> bool {
        self.minor >= 8
    }
}
