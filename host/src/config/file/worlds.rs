//! `[worlds]` and `[[world]]`: where worlds are found, and what is said of them.

use super::table::Table;
use crate::resources::{Described, Sources};

/// Keys of `[worlds]`.
const WORLDS_KEYS: &[&str] = &["sources"];
/// Keys of `[[world]]`.
const WORLD_KEYS: &[&str] = &["uri", "description", "tags"];

/// What the file says of worlds; `None` where it says nothing.
pub(super) fn sources(root: &Table<'_, '_>) -> Option<Sources> {
    let worlds = root.table("worlds");
    let described: Vec<Described> = root.tables("world").iter().filter_map(described).collect();
    if worlds.is_none() && described.is_empty() {
        return None;
    }
    let places = worlds.map(|worlds| {
        worlds.allow(WORLDS_KEYS);
        let sources = worlds.texts("sources");
        sources.iter().map(|place| worlds.source().resolve(place)).collect()
    });
    Some(Sources { places: places.unwrap_or_default(), described })
}

fn described(world: &Table<'_, '_>) -> Option<Described> {
    world.allow(WORLD_KEYS);
    let uri = world.required_text("uri");
    let description = world.text("description").unwrap_or_default().to_owned();
    let tags = world.texts("tags").into_iter().map(Into::into).collect();
    let uri = uri?;
    let path = uri.strip_prefix("file://").unwrap_or(uri);
    Some(Described { path: world.source().resolve(path), description, tags })
}
