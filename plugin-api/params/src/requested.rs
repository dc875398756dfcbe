//! The paths that a plugin requested, and the parameters that it did not.

use std::collections::BTreeSet;

use super::Params;

/// The paths that a plugin requested, without indices.
///
/// A plugin that reads `wheel[0]/radius` supports the radius of every wheel, so indices do not count.
#[derive(Clone, Debug, Default)]
pub struct RequestedPaths(BTreeSet<String>);

impl RequestedPaths {
    /// Records a request. The path `branch/*` stands for everything below `branch`.
    pub fn record(&mut self, path: &str) {
        let plain = without_indices(path);
        if !self.0.contains(&plain) {
            self.0.insert(plain);
        }
    }

    /// Returns the parameters in `tree` that were not requested, with their places, sorted: misspelt, or not supported
    /// by the plugin.
    ///
    /// A branch of which nothing was requested is named once, without its content. Attributes are not listed.
    #[must_use]
    pub fn unread(&self, tree: &Params) -> Vec<String> {
        let mut unread = Vec::new();
        for child in tree.children() {
            self.collect_unread(child, child.name(), &mut unread);
        }
        unread.sort();
        unread.dedup();
        unread
    }

    fn collect_unread(&self, node: &Params, path: &str, unread: &mut Vec<String>) {
        if self.0.contains(&format!("{path}/*")) {
            return;
        }
        let below = format!("{path}/");
        let is_opened = self.0.range(below.clone()..).next().is_some_and(|next| next.starts_with(&below));
        if !is_opened {
            if !self.0.contains(path) {
                let place = node.place().map(|place| format!(" ({place})")).unwrap_or_default();
                unread.push(format!("{path}{place}"));
            }
            return;
        }
        for child in node.children() {
            self.collect_unread(child, &format!("{below}{}", child.name()), unread);
        }
    }
}

/// `wheel[1]/radius` becomes `wheel/radius`.
fn without_indices(path: &str) -> String {
    let mut plain = String::with_capacity(path.len());
    let mut is_index = false;
    for character in path.chars() {
        match character {
            '[' => is_index = true,
            ']' => is_index = false,
            other if !is_index => plain.push(other),
            _ => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unread(tree: &Params, requested: &[&str]) -> Vec<String> {
        let mut paths = RequestedPaths::default();
        requested.iter().for_each(|path| paths.record(path));
        paths.unread(tree)
    }

    #[test]
    fn parameters_that_were_not_requested_are_listed() {
        let tree = Params::new("plugin")
            .with_child(Params::new("radius").with_text("1"))
            .with_child(Params::new("raduis").with_text("2"))
            .with_child(
                Params::new("wheel").with_child(Params::new("joint")).with_child(Params::new("colour")),
            );
        assert_eq!(unread(&tree, &["radius", "wheel[1]/joint"]), ["raduis", "wheel/colour"]);
        assert_eq!(unread(&tree, &["radius", "raduis"]), ["wheel"]);
        assert_eq!(unread(&tree, &["radius", "raduis", "wheel/*"]), Vec::<String>::new());
    }

    #[test]
    fn a_parameter_is_listed_with_its_place() {
        let tree = Params::new("plugin").with_child(Params::new("gain").with_place("car.sdf".into(), 7));
        assert_eq!(unread(&tree, &[]), ["gain (car.sdf:7)"]);
    }
}
