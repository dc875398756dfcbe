//! Charges a budget for an element of a document: for meshes and images, which are read after the document. Usable from
//! any thread.

use super::budget::Budget;
use super::diagnostic::Diagnostic;
use super::document::Origin;
use super::files::{ReadError, read_bytes};
use super::limits::Limit;
use std::path::Path;

/// A budget and the element for which it is charged.
#[derive(Clone, Copy, Debug)]
pub struct Account<'a> {
    budget: &'a Budget,
    origin: &'a Origin,
}

impl Account<'_> {
    /// Charges the budget.
    ///
    /// # Errors
    /// Returns an error like [`Budget::charge`].
    pub fn charge(self, limit: Limit, amount: u64) -> Result<(), Box<Diagnostic>> {
        self.budget.charge(limit, amount, || self.origin.location())
    }

    /// Reads a mesh or an image, of a regular file.
    ///
    /// # Errors
    /// Returns an error like [`read_bytes`], or if the budget does not suffice.
    pub fn read(self, path: &Path) -> Result<Vec<u8>, ReadError> {
        self.charge(Limit::Files, 1).map_err(ReadError::Stopped)?;
        self.budget.list(path);
        let bytes = read_bytes(path, self.budget.most(Limit::MeshFile))?;
        self.charge(Limit::Meshes, bytes.len() as u64).map_err(ReadError::Stopped)?;
        Ok(bytes)
    }
}

impl Budget {
    /// Returns an account that charges this budget for an element, such as the collision that names a mesh.
    #[must_use]
    pub fn of<'a>(&'a self, origin: &'a Origin) -> Account<'a> {
        Account { budget: self, origin }
    }
}
