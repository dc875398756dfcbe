//! A load that the lifecycle has begun: what was requested, and the world that is read.

use std::path::PathBuf;

use bridgehead_sdf as sdf;
use bridgehead_sdf::assign::Assignment;
use bridgehead_sdf::{Budget, Disk, Loaded, SearchPath};

use super::error::LoadError;
use super::values::{load_source_with_values, load_with_values};
use crate::resources::{Fetched, Resource, ResourceError, Strictness};

/// A world to load, and what the request refuses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorldLoad {
    /// The world.
    pub resource: Resource,
    /// Elements without effect are refused.
    pub fail_on_unsupported_element: bool,
    /// Files that are missing or unusable are only reported in the log.
    pub ignore_missing_or_unsupported_assets: bool,
}

impl WorldLoad {
    pub(super) fn strictness(&self) -> Strictness {
        Strictness {
            refuses_elements: self.fail_on_unsupported_element,
            refuses_assets: !self.ignore_missing_or_unsupported_assets,
        }
    }
}

/// A load that the lifecycle has begun.
pub(in crate::sim) struct Work {
    /// The request.
    pub(in crate::sim) load: WorldLoad,
    /// The text; `None` for the world of the command line, which is read when it is loaded.
    pub(in crate::sim) fetched: Option<Fetched>,
    pub(in crate::sim) strictness: Strictness,
    /// Whether it is the first load of the process. The configuration refers to that world.
    pub(in crate::sim) is_first: bool,
    /// Values that the configuration sets, if it is the world of the configuration.
    pub(in crate::sim) values: Vec<Assignment>,
}

impl Work {
    /// Returns the file that the world comes from, if any.
    pub(in crate::sim) fn file(&self) -> Option<PathBuf> {
        match &self.fetched {
            Some(fetched) => fetched.path.clone(),
            None => Some(PathBuf::from(&self.load.resource.uri)),
        }
    }

    /// Returns true if a client asked for the world although parts of it may be missing.
    pub(in crate::sim) fn accepts_losses(&self) -> bool {
        self.fetched.is_some() && self.load.ignore_missing_or_unsupported_assets
    }

    /// Returns the name of the world for messages: what the client gave, or the path of the command line.
    pub(in crate::sim) fn shown<'a>(&'a self, key: &'a str) -> &'a str {
        if self.fetched.is_some() { self.load.resource.shown() } else { key }
    }

    /// Reads the world.
    ///
    /// # Errors
    /// Returns an error if the file is missing, the text cannot be parsed, or the budget does not suffice.
    pub(in crate::sim) fn read(&self, search: &SearchPath, budget: &Budget) -> Result<Loaded, LoadError> {
        let Some(fetched) = &self.fetched else {
            let file = self.file().unwrap_or_default();
            return load_with_values(&Disk, &file, &self.values, (search, budget))
                .map_err(|error| LoadError::Failed(error.to_string()));
        };
        if !self.values.is_empty() {
            return load_source_with_values(&Disk, fetched.source(), &self.values, (search, budget))
                .map_err(|error| LoadError::Failed(error.to_string()));
        }
        sdf::load_source(&Disk, fetched.source(), search, budget).map_err(|error| {
            let (shown, finding) = (self.load.resource.shown().to_owned(), error.to_string());
            ResourceError::Parse { shown, finding }.into()
        })
    }
}
