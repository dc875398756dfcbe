//! xacro sources, which are programs that generate a URDF or SDF: read as one, most of the robot would be missing.

use std::path::Path;
use std::sync::Arc;

use super::address::SearchPath;
use super::diagnostic::{Code, Diagnostic, excerpt};
use super::document::{Document, Element};
use super::files::{Files, ReadError, Xacro, XacroError};
use super::source::{Location, Source};

/// Reads a world or model of at most `most` bytes. What a xacro source generates takes its place.
///
/// # Errors
/// Returns an error if the file cannot be read, or is a xacro source that cannot be expanded.
pub fn read_source(
    files: &dyn Files,
    path: &Path,
    search: &SearchPath,
    most: u64,
) -> Result<Source, ReadError> {
    let text = files.read(path, most)?;
    if !is_source(path, &text) {
        return Ok(Source::from_file(path, text));
    }
    let xacro = Xacro { path, arguments: search.arguments(), folders: search.folders() };
    let text = files.expand(xacro, most)?;
    Ok(Source::of_file(&format!("{} (expanded)", path.display()), path, text))
}

/// Returns true for a file with the ending of xacro, for one that declares its prefix and uses it, and for a URDF with
/// expressions: launch files of ROS give every URDF to xacro. What cannot be parsed is left to the reader, which says why.
fn is_source(path: &Path, text: &str) -> bool {
    if path.extension().is_some_and(|ending| ending == "xacro") {
        return true;
    }
    ["xmlns:xacro", "$(", "${"].iter().any(|sign| text.contains(sign))
        && Document::parse(Source::from_text("", text)).is_ok_and(|document| {
            let has_expressions = declares(&document) || document.root().name() == "robot";
            refuse(&document, has_expressions, "").is_err()
        })
}

fn declares(document: &Arc<Document>) -> bool {
    document.root().attributes().any(|(name, _)| name == "xmlns:xacro")
}

/// Returns the finding for a file that cannot be expanded.
pub(super) fn not_expanded(at: Location, path: &Path, why: &XacroError) -> Diagnostic {
    let found = format!("`{}` is xacro: {why}", path.display());
    Diagnostic::error(Code::UrdfXacro, Some(at), found)
        .expected("a file that the program `xacro` can expand, with the arguments that it needs")
}

/// Refuses a xacro source of a URDF. The declaration of the prefix alone is allowed: xacro leaves it in its output.
pub(super) fn refuse_urdf(document: &Arc<Document>) -> Result<(), Box<Diagnostic>> {
    refuse(document, true, "a URDF without xacro")
}

/// Refuses a xacro source of an SDF. Without the declaration of the prefix, `${…}` is a text like others, which plugins
/// may read.
pub(super) fn refuse_sdf(document: &Arc<Document>) -> Result<(), Box<Diagnostic>> {
    refuse(document, declares(document), "an SDF without xacro")
}

fn refuse(document: &Arc<Document>, with_expressions: bool, expected: &str) -> Result<(), Box<Diagnostic>> {
    let found = document.elements().find_map(|element| {
        let text = if element.name().starts_with("xacro:") { Some(element.name()) } else { None };
        let text = text.or_else(|| expression(element).filter(|_| with_expressions));
        text.map(|text| (element, text))
    });
    let Some((element, text)) = found else { return Ok(()) };
    let found = format!("xacro, `{}`", excerpt(text));
    Err(Box::new(Diagnostic::error(Code::UrdfXacro, Some(element.location()), found).expected(expected)))
}

/// Returns a text or attribute of the element that has an expression of xacro.
fn expression(element: Element<'_>) -> Option<&str> {
    let mut values = element.attributes().map(|(_, value)| value).chain(std::iter::once(element.text()));
    values.find(|value| value.contains("${") || value.contains("$("))
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Code;
    use crate::parse_str;

    const DECLARED: &str = " xmlns:xacro='http://www.ros.org/wiki/xacro'";

    fn refusal(attribute: &str, inside: &str) -> Option<Code> {
        let text = format!("<sdf version='1.9'{attribute}>{inside}</sdf>");
        parse_str("w.sdf", &text).err().map(|error| error.cause.code)
    }

    /// Each construct of xacro, in the root, in the world, and inside a model.
    #[test]
    fn sdf_with_xacro_is_refused_wherever_it_is() {
        let directives = [
            "<xacro:property name='m' value='3'/>",
            "<xacro:if value='true'><light name='x' type='point'/></xacro:if>",
            "<xacro:include filename='a.xacro'/>",
            "<xacro:arg name='n' default='x'/>",
            "<xacro:robot_base/>",
        ];
        let expressions = [
            "<link name='${p}_l'/>",
            "<link name='l'><kinematic>${k}</kinematic></link>",
            "<link name='$(arg n)'/>",
        ];
        for part in directives.iter().chain(&expressions) {
            let model = format!("<world name='w'><model name='m'>{part}</model></world>");
            assert_eq!(refusal(DECLARED, &model), Some(Code::UrdfXacro), "{part}");
        }
        for part in directives {
            for text in [format!("{part}<world name='w'/>"), format!("<world name='w'>{part}</world>")] {
                assert_eq!(refusal("", &text), Some(Code::UrdfXacro), "{text}");
            }
        }
    }

    #[test]
    fn the_output_of_xacro_and_texts_of_plugins_load() {
        let world = "<!-- ${x} <xacro:if/> --><world name='w'/>";
        assert_eq!(refusal(DECLARED, world), None);
        let plugin =
            "<world name='w'><plugin filename='p' name='p'><run>$(date) ${HOME}</run></plugin></world>";
        assert_eq!(refusal("", plugin), None);
    }
}
