//! Names: required, unique among siblings, not reserved.

use super::report::Report;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Element;
use crate::element::{Actor, Collision, Frame, Joint, Link, MAX_NAME, Model, NamedPose, Sensor, Visual};
use crate::version::Version;
use std::collections::BTreeMap;

/// A kind of element whose names are unique in a scope.
pub(super) trait Named {
    /// What such an element is called in findings.
    const KIND: &'static str;

    fn name_mut(&mut self) -> &mut String;
}

macro_rules! named {
    ($($element:ty = $kind:literal),* $(,)?) => {
        $(impl Named for $element {
            const KIND: &'static str = $kind;

            fn name_mut(&mut self) -> &mut String {
                &mut self.name
            }
        })*
    };
}

named! {
    Actor = "actor",
    Collision = "collision",
    Frame = "frame",
    Joint = "joint",
    Link = "link",
    Model = "model",
    NamedPose = "pose",
    Sensor = "sensor",
    Visual = "visual",
}

/// The names used so far in one scope, and the kind of element that has them.
#[derive(Default)]
pub(super) struct Names(BTreeMap<String, &'static str>);

impl Names {
    /// Adds an element to its list if its name is new in the scope.
    pub(super) fn keep<T: Named>(
        &mut self,
        list: &mut Vec<T>,
        mut item: T,
        at: Element<'_>,
        report: &mut Report,
    ) {
        if self.claim(item.name_mut(), T::KIND, at, report) {
            list.push(item);
        }
    }

    /// Whether a name is new in its scope; if not, that is reported and the element should be left out.
    ///
    /// Before SDF 1.7 every kind had names of its own; a later namesake of another kind is renamed as libsdformat does.
    fn claim(
        &mut self,
        name: &mut String,
        kind: &'static str,
        element: Element<'_>,
        report: &mut Report,
    ) -> bool {
        match self.0.get(name).copied() {
            None => {
                self.0.insert(name.clone(), kind);
                true
            }
            Some(holder) if holder != kind && !Version::of(element).has_frame_semantics() => {
                let renamed = format!("{name}_{kind}");
                let found = format!("{kind} `{name}` beside {} of that name", a(holder));
                report.warning(
                    Code::DuplicateName,
                    element,
                    found,
                    format!("names of their own; read as `{renamed}`"),
                );
                *name = renamed;
                self.claim(name, kind, element, report)
            }
            Some(holder) => {
                let found = format!("a second `{name}`, {}; the first is {}", a(kind), a(holder));
                let error = Diagnostic::error(Code::DuplicateName, Some(element.location()), found);
                let error = error.expected("a name of its own; this one is left out");
                report.push(error.losing_part(true));
                false
            }
        }
    }
}

/// The name of an element; reports one that is missing, which gets one from its line, or not allowed.
pub(super) fn name(element: Element<'_>, report: &mut Report) -> String {
    match element.attribute("name") {
        Some(name) => checked_name(element, name, report),
        None => {
            let line = element.document().source().line(element.span().start);
            let made_up = format!("{}_{line}", element.name());
            let found = format!("`<{}>` without `name`", element.name());
            report.error(Code::AttributeMissing, element, found, format!("name=\"…\"; read as `{made_up}`"));
            made_up
        }
    }
}

/// Returns a name. Reports one that SDF does not allow, which is used all the same, and one that is too long, which is
/// cut.
pub(super) fn checked_name(element: Element<'_>, name: &str, report: &mut Report) -> String {
    let Some((cut, _)) = name.char_indices().find(|(at, letter)| at + letter.len_utf8() > MAX_NAME) else {
        check_name(element, name, report);
        return name.to_owned();
    };
    let found = format!("a name of {} bytes", name.len());
    report.error(Code::NameInvalid, element, found, format!("at most {MAX_NAME}; the rest is cut off"));
    name.get(..cut).unwrap_or_default().to_owned()
}

fn check_name(element: Element<'_>, name: &str, report: &mut Report) {
    if name.is_empty() {
        report.error(Code::NameInvalid, element, "an empty name", "a name");
    } else if is_reserved(name) {
        report.error(
            Code::ReservedName,
            element,
            format!("the name `{name}`"),
            "a name that is not reserved",
        );
    } else if name.contains("::") && Version::of(element).reserves_double_colon() {
        report.error(Code::NameInvalid, element, format!("the name `{name}`"), "a name without `::`");
    }
}

/// A kind with its article.
fn a(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {kind}")
}

/// `world`, and everything between double underscores (sdformat `src/Utils.cc`, isReservedName).
fn is_reserved(name: &str) -> bool {
    name == "world" || (name.len() >= 4 && name.starts_with("__") && name.ends_with("__"))
}
