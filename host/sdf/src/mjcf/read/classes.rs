//! `<default>` and the classes of elements.

use super::Reader;
use super::class_table::{Class, MAIN};
use crate::diagnostic::{Code, Diagnostic, excerpt};
use crate::document::Element;
use crate::limits::Limit;

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
