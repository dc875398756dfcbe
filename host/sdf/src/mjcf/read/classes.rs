//! `<default>`: classes of default attributes, each inside the one whose attributes it inherits.

use super::Reader;
use crate::diagnostic::{Code, Diagnostic, excerpt};
use crate::document::Element;
use crate::limits::Limit;
use std::collections::BTreeMap;

/// The class of elements without another one.
pub(super) const MAIN: usize = 0;

/// An attribute and the element of `<default>` that has it.
type Written<'d> = (&'d str, Element<'d>);

/// All classes.
pub(super) struct Classes<'d> {
    all: Vec<Class<'d>>,
    names: BTreeMap<&'d str, usize>,
}

#[derive(Default)]
struct Class<'d> {
    parent: Option<usize>,
    /// By the names of element and attribute.
    attributes: BTreeMap<(&'d str, &'d str), Written<'d>>,
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

impl<'d> Reader<'d> {
    /// Reads a class and those inside it; `parent` is `None` for the outermost.
    pub(super) fn read_classes(
        &mut self,
        section: Element<'d>,
        parent: Option<usize>,
        depth: u64,
    ) -> Result<(), Box<Diagnostic>> {
        self.budget.check(Limit::Depth, depth, || Some(section.location()))?;
        let class = self.class_of_default(section, parent);
        let children = self.children(section);
        for child in children.iter().filter(|child| child.name() != "default") {
            self.check_attributes(*child);
            if let Some(class) = self.classes.all.get_mut(class) {
                class
                    .attributes
                    .extend(child.attributes().map(|(name, text)| ((child.name(), name), (text, *child))));
            }
        }
        for child in children.into_iter().filter(|child| child.name() == "default") {
            self.read_classes(child, Some(class), depth + 1)?;
        }
        Ok(())
    }

    fn class_of_default(&mut self, section: Element<'d>, parent: Option<usize>) -> usize {
        let name = section.attribute("class").map(str::trim).filter(|name| !name.is_empty());
        let Some(parent) = parent else {
            self.classes.names.extend(name.map(|name| (name, MAIN)));
            return MAIN;
        };
        let Some(name) = name else {
            self.error(Code::AttributeMissing, section, "`<default>` without `class`", "class=\"…\"");
            return parent;
        };
        if let Some(known) = self.classes.names.get(name) {
            return *known;
        }
        let index = self.classes.all.len();
        self.classes.all.push(Class { parent: Some(parent), ..Class::default() });
        self.classes.names.insert(name, index);
        index
    }

    /// The class of an element: its own, or that of the body.
    pub(super) fn class(&mut self, element: Element<'d>, attribute: &str, of_body: usize) -> usize {
        let Some(name) = element.attribute(attribute).map(str::trim).filter(|name| !name.is_empty()) else {
            return of_body;
        };
        if let Some(class) = self.classes.names.get(name) {
            return *class;
        }
        let found = format!("{attribute}=\"{}\"", excerpt(name));
        self.warning(Code::MjcfReferenceUnknown, element, found, "the name of a `<default>`");
        of_body
    }
}
