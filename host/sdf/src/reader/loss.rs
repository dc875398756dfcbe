//! Whether a part of the world is missing because of a finding, for codes whose cost depends on the place.

use crate::diagnostic::Code;
use crate::document::Element;

/// Returns true if a finding at an element means that a model, a light, an actor or the shape of a collision is missing.
pub(super) fn loses_part(code: Code, at: Element<'_>) -> bool {
    let name = at.name();
    match code {
        Code::UriNotFound | Code::UriNotLocal | Code::Unreadable => is_of_include(at) || is_in_collision(at),
        Code::GeometryInvalid => is_in_collision(at),
        Code::ElementMissing => {
            let has_no_shape = matches!(name, "collision" | "mesh" | "heightmap") && is_in_collision(at);
            name == "include" || has_no_shape
        }
        Code::ValueInvalid => name == "include",
        _ => false,
    }
}

fn is_of_include(at: Element<'_>) -> bool {
    at.name() == "include" || at.parent().is_some_and(|parent| parent.name() == "include")
}

fn is_in_collision(at: Element<'_>) -> bool {
    std::iter::successors(Some(at), |element| element.parent()).any(|element| element.name() == "collision")
}
