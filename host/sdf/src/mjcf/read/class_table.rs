//! Classes of default attributes, each inside the one whose attributes it inherits.

use crate::document::Element;
use std::collections::BTreeMap;

/// The class of elements without another one.
pub(super) const MAIN: usize = 0;

/// An attribute and the element of `<default>` that has it.
pub(super) type Written<'d> = (&'d str, Element<'d>);

/// All classes.
pub(super) struct Classes<'d> {
    pub(super) all: Vec<Class<'d>>,
    pub(super) names: BTreeMap<&'d str, usize>,
}

/// One class.
#[derive(Default)]
pub(super) struct Class<'d> {
    pub(super) parent: Option<usize>,
    /// By the names of element and attribute.
    pub(super) attributes: BTreeMap<(&'d str, &'d str), Written<'d>>,
}

impl Default for Classes<'_> {
    fn default() -> Self {
        Self { all: vec![Class::default()], names: BTreeMap::from([("main", MAIN)]) }
    }
}

/// The names under which the defaults of an element are written: those of actuators are one set.
fn tags(element: &str) -> [&str; 2] {
    match element {
        "motor" | "position" | "velocity" | "general" => [element, "general"],
        _ => [element, element],
    }
}

impl<'d> Classes<'d> {
    /// The default of an attribute, of the class or of those that contain it.
    pub(super) fn attribute(&self, class: usize, element: &str, name: &str) -> Option<Written<'d>> {
        let chain = std::iter::successors(Some(class), |class| self.all.get(*class)?.parent);
        let mut classes = chain.filter_map(|class| self.all.get(class));
        classes.find_map(|class| {
            tags(element).into_iter().find_map(|tag| class.attributes.get(&(tag, name)).copied())
        })
    }
}
