//! Names of generated SDF: unique in their scope, and without what SDF reserves.

use std::collections::{BTreeMap, BTreeSet};

/// The name that stands for the world.
pub(crate) const WORLD: &str = "world";

/// A scope in which each name is used once.
#[derive(Default)]
pub(crate) struct Scope {
    given: BTreeSet<String>,
    /// Names that will be needed.
    wanted: BTreeSet<String>,
    /// The next number to try for a name.
    counts: BTreeMap<String, usize>,
}

impl Scope {
    /// A scope in which these names will be needed.
    pub(crate) fn wanting(names: impl IntoIterator<Item = String>) -> Self {
        Self { wanted: names.into_iter().collect(), ..Self::default() }
    }

    /// The name itself, or with `_kind`, or with a number.
    pub(crate) fn take(&mut self, name: &str, kind: &str) -> String {
        let name = allowed(name, kind);
        if self.given.insert(name.clone()) {
            return name;
        }
        let with_kind = if name.ends_with(kind) { name } else { format!("{name}_{kind}") };
        if self.is_free(&with_kind) {
            self.given.insert(with_kind.clone());
            return with_kind;
        }
        loop {
            let count = self.counts.entry(with_kind.clone()).or_insert(0);
            *count += 1;
            let numbered = format!("{with_kind}_{count}");
            if self.is_free(&numbered) {
                self.given.insert(numbered.clone());
                return numbered;
            }
        }
    }

    fn is_free(&self, name: &str) -> bool {
        !self.given.contains(name) && !self.wanted.contains(name)
    }
}

/// A name without what SDF reserves: `::`, `world`, and everything between double underscores.
pub(crate) fn allowed(name: &str, kind: &str) -> String {
    let name = name.replace("::", "__");
    let is_reserved = name == WORLD || (name.len() >= 4 && name.starts_with("__") && name.ends_with("__"));
    if is_reserved { format!("{name}_{kind}") } else { name }
}
