//! Images that materials and heightmaps name.

use super::lookup::{Lookup, not_found};
use super::report::Report;
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::Texture;
use std::path::PathBuf;

/// The image that a child names; `None` if it is missing or empty.
pub(super) fn texture(
    parent: Element<'_>,
    name: &str,
    lookup: Lookup<'_>,
    report: &mut Report,
) -> Option<Texture> {
    let child = parent.child(name).filter(|child| !child.text().is_empty())?;
    Some(Texture { uri: child.text().to_owned(), path: find_texture(child, lookup, report) })
}

/// Returns the file of a texture. A missing one is reported once for each file that names it, because many visuals
/// may share it.
fn find_texture(at: Element<'_>, lookup: Lookup<'_>, report: &mut Report) -> Option<PathBuf> {
    let (uri, source) = (at.text(), at.document().source());
    let key = format!("texture `{uri}` in `{}`", source.name());
    if report.has_reported(&key) {
        return None;
    }
    let found = match lookup.find(at, uri) {
        Ok(path) if lookup.is_file(&path) => return Some(path),
        Ok(path) => format!("texture `{uri}` is a folder, `{}`", path.display()),
        Err(reason) => not_found(at, uri, "texture", reason).found,
    };
    report.warning(Code::TextureNotFound, at, found, "an image file on this machine");
    report.mark_reported(&key);
    None
}
