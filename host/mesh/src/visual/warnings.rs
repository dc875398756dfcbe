//! Warnings about what could not be read around a mesh.

/// The most warnings about one file. A file can repeat a mistake as often as it has lines.
const MAX: usize = 20;

/// Warnings, each once.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    all: Vec<String>,
    are_more: bool,
}

impl Warnings {
    /// Adds a clause.
    pub(super) fn add(&mut self, warning: String) {
        if self.all.contains(&warning) {
            return;
        }
        if self.all.len() < MAX {
            self.all.push(warning);
        } else {
            self.are_more = true;
        }
    }

    /// Returns all, and at the end whether some were left out.
    pub(super) fn into_vec(mut self) -> Vec<String> {
        if self.are_more {
            self.all.push(format!("the same file has more problems than these {MAX}"));
        }
        self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_listed_once_and_not_without_limit() {
        let mut warnings = Warnings::default();
        for number in 0..100 {
            warnings.add(format!("problem {number}"));
            warnings.add("problem 0".to_owned());
        }
        let all = warnings.into_vec();
        assert_eq!((all.len(), all[0].as_str(), all[19].as_str()), (21, "problem 0", "problem 19"));
        assert!(all[20].contains("more problems"), "{}", all[20]);
    }
}
