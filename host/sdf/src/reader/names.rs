//! Names: required, unique among siblings, not reserved.

use super::Reader;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Element;
use crate::element::MAX_NAME;
use std::collections::BTreeMap;

/// The names used so far in one scope, and the kind of element that has them.
#[derive(Default)]
pub(super) struct Names(BTreeMap<String, &'static str>);

impl Reader<'_> {
    /// The name of an element; reports one that is missing, which gets one from its line, or not allowed.
    pub(super) fn name(&mut self, element: Element<'_>) -> String {
        match element.attribute("name") {
            Some(name) => self.checked_name(element, name),
            None => {
                let line = element.document().source().line(element.span().start);
                let made_up = format!("{}_{line}", element.name());
                let found = format!("`<{}>` without `name`", element.name());
                self.error(
                    Code::AttributeMissing,
                    element,
                    found,
                    format!("name=\"…\"; read as `{made_up}`"),
                );
                made_up
            }
        }
    }

    /// Returns a name. Reports one that SDF does not allow, which is used all the same, and one that is too long, which is
    /// cut.
    pub(super) fn checked_name(&mut self, element: Element<'_>, name: &str) -> String {
        let Some((cut, _)) = name.char_indices().find(|(at, letter)| at + letter.len_utf8() > MAX_NAME)
        else {
            self.check_name(element, name);
            return name.to_owned();
        };
        let found = format!("a name of {} bytes", name.len());
        self.error(Code::NameInvalid, element, found, format!("at most {MAX_NAME}; the rest is cut off"));
        name.get(..cut).unwrap_or_default().to_owned()
    }

    fn check_name(&mut self, element: Element<'_>, name: &str) {
        if name.is_empty() {
            self.error(Code::NameInvalid, element, "an empty name", "a name");
        } else if is_reserved(name) {
            self.error(
                Code::ReservedName,
                element,
                format!("the name `{name}`"),
                "a name that is not reserved",
            );
        } else if self.version.reserves_double_colon() && name.contains("::") {
            self.error(Code::NameInvalid, element, format!("the name `{name}`"), "a name without `::`");
        }
    }

    /// Whether a name is new in its scope; if not, that is reported and the element should be left out.
    ///
    /// Before SDF 1.7 every kind had names of its own; a later namesake of another kind is renamed as libsdformat does.
    pub(super) fn claim(
        &mut self,
        names: &mut Names,
        name: &mut String,
        kind: &'static str,
        element: Element<'_>,
    ) -> bool {
        match names.0.get(name).copied() {
            None => {
                names.0.insert(name.clone(), kind);
                true
            }
            Some(holder) if holder != kind && !self.version.has_frame_semantics() => {
                let renamed = format!("{name}_{kind}");
                let found = format!("{kind} `{name}` beside {} of that name", a(holder));
                self.warning(
                    Code::DuplicateName,
                    element,
                    found,
                    format!("names of their own; read as `{renamed}`"),
                );
                *name = renamed;
                self.claim(names, name, kind, element)
            }
            Some(holder) => {
                let found = format!("a second `{name}`, {}; the first is {}", a(kind), a(holder));
                let error = Diagnostic::error(Code::DuplicateName, Some(element.location()), found);
                let error = error.expected("a name of its own; this one is left out");
                self.diagnostics.push(error.losing_part(true));
                false
            }
        }
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
