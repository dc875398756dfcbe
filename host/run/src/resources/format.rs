//! Supported formats, recognised by the file extension and by the outermost element of a text. Plain functions.

use bridgehead_sdf::OTHER_FORMATS;

use super::error::ResourceError;

/// Format of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// SDF, or a part of it.
    Sdf,
    /// URDF.
    Urdf,
    /// MJCF, the XML of MuJoCo.
    Mjcf,
}

impl Format {
    /// Its name for clients.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Sdf => "sdf",
            Format::Urdf => "urdf",
            Format::Mjcf => "mjcf",
        }
    }

    /// Its name in messages.
    pub(super) fn title(self) -> &'static str {
        match self {
            Format::Sdf => "SDF",
            Format::Urdf => "URDF",
            Format::Mjcf => "MJCF",
        }
    }
}

/// The supported formats, for messages.
pub(super) const EXPECTED: &str =
    "SDF in a file .sdf, .world or .xml, URDF in .urdf or .xml, MJCF in .xml, or xacro of SDF or URDF";

/// Supported file extensions. A file without one is recognised by its content.
pub(super) const EXTENSIONS: &[&str] = &["sdf", "world", "urdf", "xml", "xacro"];

/// Rejects an address whose file extension belongs to another format.
pub(super) fn check_name(uri: &str) -> Result<(), ResourceError> {
    let path = uri.split_once("://").map_or(uri, |(_, path)| path);
    let name = path.rsplit('/').next().unwrap_or_default();
    // `.hidden` has no extension, nor has a folder such as `v1.2`: an extension must be a word.
    let Some((stem, extension)) = name.rsplit_once('.') else { return Ok(()) };
    let is_word = extension.chars().next().is_some_and(char::is_alphabetic);
    if stem.is_empty() || !is_word || EXTENSIONS.contains(&extension.to_lowercase().as_str()) {
        return Ok(());
    }
    Err(unsupported(uri, format!("a file `.{extension}`")))
}

fn unsupported(shown: &str, found: String) -> ResourceError {
    ResourceError::UnsupportedFormat { shown: shown.to_owned(), found, expected: EXPECTED }
}

/// Recognises the format of a text by its outermost element.
///
/// A text that is malformed before that counts as SDF, so that the parser reports the position of the error.
pub(super) fn of_text(shown: &str, text: &str) -> Result<Format, ResourceError> {
    match outermost(text) {
        Outermost::Cut => Ok(Format::Sdf),
        Outermost::None => Err(unsupported(shown, "a text that does not begin like XML".to_owned())),
        Outermost::Empty => Err(unsupported(shown, "an empty text".to_owned())),
        Outermost::Element("robot") => Ok(Format::Urdf),
        Outermost::Element("mujoco") => Ok(Format::Mjcf),
        Outermost::Element("sdf" | "world" | "model" | "include" | "actor" | "light" | "gazebo" | "") => {
            Ok(Format::Sdf)
        }
        Outermost::Element(name) if OTHER_FORMATS.contains(&name) => {
            Err(unsupported(shown, format!("XML with `<{name}>` outermost")))
        }
        // A client may request any file that the host can read, so an error must not quote what is in it.
        Outermost::Element(_) => Err(unsupported(shown, "XML of another format".to_owned())),
    }
}

enum Outermost<'a> {
    Element(&'a str),
    /// The text ends or is malformed before an element begins.
    Cut,
    /// It does not begin like XML.
    None,
    /// There is nothing but blanks.
    Empty,
}

fn outermost(text: &str) -> Outermost<'_> {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    if !rest.starts_with('<') {
        return if rest.is_empty() { Outermost::Empty } else { Outermost::None };
    }
    while let Some(inside) = rest.strip_prefix('<') {
        let end = match inside.as_bytes().first() {
            Some(b'?') => "?>",
            Some(b'!') if inside.starts_with("!--") => "-->",
            Some(b'!') => ">",
            _ => {
                let is_name =
                    |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '-' | '.');
                let length = inside.find(|letter| !is_name(letter)).unwrap_or(inside.len());
                return Outermost::Element(inside.get(..length).unwrap_or_default());
            }
        };
        match inside.find(end) {
            Some(at) => rest = inside.get(at + end.len()..).unwrap_or_default().trim_start(),
            None => return Outermost::Cut,
        }
    }
    Outermost::Cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_refused_only_for_its_extension() {
        for good in
            ["w.sdf", "w.WORLD", "/a.b/w.urdf", "model://crate", "file:///x/v1.2", "name", ".sdf", "w.xml"]
        {
            assert_eq!(check_name(good), Ok(()), "{good}");
        }
        for bad in ["x.docx", "scene.usd", "m.dae"] {
            let error = check_name(bad).expect_err(bad).to_string();
            assert!(error.starts_with("[BH-RES-002]") && error.contains(bad), "{error}");
        }
    }

    #[test]
    fn a_text_is_known_by_its_outermost_element() {
        let format = |text: &str| of_text("t", text).ok();
        assert_eq!(
            format("\u{feff}<?xml version='1.0'?>\n<!-- <robot> -->\n<sdf version='1.9'/>"),
            Some(Format::Sdf)
        );
        assert_eq!(format("<!DOCTYPE robot>\n<robot name='r'/>"), Some(Format::Urdf));
        assert_eq!(format("<model name='m'/>"), Some(Format::Sdf));
        assert_eq!(format("<sdf"), Some(Format::Sdf), "broken, which whoever reads it says");
        assert_eq!(format("<!-- never closed"), Some(Format::Sdf));
        assert_eq!(format("<"), Some(Format::Sdf));
        for (secret, found) in [
            ("root:$y$j9T$abc:19000:", "does not begin like XML"),
            ("TOKEN=hunter2\0HOME=/", "does not begin like XML"),
            ("<hunter2/>", "XML of another format"),
            ("<?xml version='1.0'?><hunter2 key='abc'/>", "XML of another format"),
        ] {
            let text = of_text("/some/file", secret).expect_err("another format").to_string();
            assert!(text.contains(found) && text.contains("/some/file"), "{text}");
            assert!(!["hunter2", "root:", "abc"].iter().any(|part| text.contains(part)), "{text}");
        }
        assert_eq!(format("<mujoco model='m'/>"), Some(Format::Mjcf));
        for other in ["", "#usda 1.0", "<launch/>", "{}"] {
            assert_eq!(format(other), None, "{other}");
        }
    }
}
