//! Findings about elements that have no effect, occur too often or have less effect than expected.

use super::Reader;
use super::known::{KNOWN, Known, MODELLING};
use super::visual_system::is_read;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::Element;

impl Reader<'_> {
    /// Reports the children of an element that have no effect, each kind once.
    pub(super) fn check_children(&mut self, parent: Element<'_>) {
        let Some(known) = KNOWN.iter().find(|known| known.describes(parent)) else { return };
        for child in parent.children() {
            if known.read.contains(&child.name()) || is_read(parent, child) {
                continue;
            }
            match child.name() {
                MODELLING => self.note_modelling(child),
                _ => self.report_without_effect(known, child),
            }
        }
    }

    /// Reports an attribute that has no effect, each kind once.
    pub(super) fn report_attribute(&mut self, element: Element<'_>, name: &str, instead: &str) {
        if element.attribute(name).is_none() || !self.reported.insert(format!("{}@{name}", element.name())) {
            return;
        }
        let found =
            format!("`{name}` of `<{}>` is kept, not simulated: {instead} (reported once)", element.name());
        self.diagnostics.push(Diagnostic::note(Code::NotSimulated, Some(element.location()), found));
    }

    fn report_without_effect(&mut self, known: &Known, child: Element<'_>) {
        let name = format!("{}/{}", known.parent, child.name());
        if !self.reported.insert(name) {
            return;
        }
        // A prefix marks an extension, which is not a mistake.
        let is_extension = child.name().contains(':');
        let (code, severity, what) = if known.kept.contains(&child.name()) || is_extension {
            (Code::NotSimulated, Severity::Note, "is kept, not simulated")
        } else {
            (Code::UnknownElement, Severity::Warning, "is not known here; it is kept, not simulated")
        };
        let parent = known.name();
        let found = format!("`<{}>` in `<{parent}>` {what} (reported once)", child.name());
        let mut finding = Diagnostic::note(code, Some(child.location()), found);
        finding.severity = severity;
        self.diagnostics.push(finding);
    }

    /// Notes the element that chooses how joints are modelled, once for models and includes together.
    fn note_modelling(&mut self, element: Element<'_>) {
        if self.reported.insert(MODELLING.to_owned()) {
            let found = format!(
                "`<{MODELLING}>` is kept, not simulated (reported once): every tree of joints is exact"
            );
            self.diagnostics.push(Diagnostic::note(Code::ModellingChosen, Some(element.location()), found));
        }
    }

    /// Notes something without effect, once for each `kind`.
    pub(super) fn note_once(&mut self, kind: &str, at: Element<'_>, what: &str, instead: &str) {
        if self.reported.insert(kind.to_owned()) {
            let found = format!("{what} is kept, not simulated (reported once): {instead}");
            self.diagnostics.push(Diagnostic::note(Code::NotSimulated, Some(at.location()), found));
        }
    }

    /// Notes something with less effect than expected, once for each `kind`.
    pub(super) fn note_limited_once(&mut self, kind: &str, at: Element<'_>, found: &str, expected: &str) {
        if self.reported.insert(kind.to_owned()) {
            let note = Diagnostic::note(Code::NotSimulated, Some(at.location()), found);
            self.diagnostics.push(note.expected(expected));
        }
    }

    /// The one child of that name; reports further ones.
    pub(super) fn single<'e>(&mut self, parent: Element<'e>, name: &'e str) -> Option<Element<'e>> {
        let mut all = parent.children_named(name);
        let first = all.next();
        if let Some(second) = all.next() {
            self.warning(
                Code::ElementRepeated,
                second,
                format!("a second `<{name}>`"),
                "one; the first counts",
            );
        }
        first
    }
}
