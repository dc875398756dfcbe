//! Children of elements: those that have no effect or occur too often are findings. The table is in `known`.

use super::known::{KNOWN, Known, MODELLING};
use super::report::Report;
use super::visual_system::is_read;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::Element;

/// Reports the children of an element that have no effect, each kind once.
pub(super) fn check_children(parent: Element<'_>, report: &mut Report) {
    let Some(known) = KNOWN.iter().find(|known| known.describes(parent)) else { return };
    for child in parent.children() {
        if known.read.contains(&child.name()) || is_read(parent, child) {
            continue;
        }
        match child.name() {
            MODELLING => note_modelling(child, report),
            _ => report_without_effect(known, child, report),
        }
    }
}

/// The one child of that name; reports further ones.
pub(super) fn single<'e>(parent: Element<'e>, name: &'e str, report: &mut Report) -> Option<Element<'e>> {
    let mut all = parent.children_named(name);
    let first = all.next();
    if let Some(second) = all.next() {
        report.warning(
            Code::ElementRepeated,
            second,
            format!("a second `<{name}>`"),
            "one; the first counts",
        );
    }
    first
}

/// Reports an attribute that has no effect, each kind once.
pub(super) fn report_attribute(element: Element<'_>, name: &str, instead: &str, report: &mut Report) {
    if element.attribute(name).is_none() || !report.mark_reported(&format!("{}@{name}", element.name())) {
        return;
    }
    let found =
        format!("`{name}` of `<{}>` is kept, not simulated: {instead} (reported once)", element.name());
    report.push(Diagnostic::note(Code::NotSimulated, Some(element.location()), found));
}

fn report_without_effect(known: &Known, child: Element<'_>, report: &mut Report) {
    let name = format!("{}/{}", known.parent, child.name());
    if !report.mark_reported(&name) {
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
    report.push(finding);
}

/// Notes the element that chooses how joints are modelled, once for models and includes together.
fn note_modelling(element: Element<'_>, report: &mut Report) {
    if report.mark_reported(MODELLING) {
        let found =
            format!("`<{MODELLING}>` is kept, not simulated (reported once): every tree of joints is exact");
        report.push(Diagnostic::note(Code::ModellingChosen, Some(element.location()), found));
    }
}
