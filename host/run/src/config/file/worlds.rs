//! `[worlds]` and `[[world]]`: folders and descriptions of worlds.

use bridgehead_sdf::path_of_file_uri;
use toml::de::DeValue;

use super::table::Table;
use crate::config::code::Code;
use crate::config::error::ConfigError;
use crate::resources::{Described, Sources};

/// Keys of `[worlds]`.
const WORLDS_KEYS: &[&str] = &["sources"];
/// Keys of `[[world]]`.
const WORLD_KEYS: &[&str] = &["uri", "description", "tags"];

/// Returns the worlds of the file; `None` if it names none.
pub(super) fn sources(root: &Table<'_, '_>) -> Option<Sources> {
    let worlds = root.table("worlds");
    if let Some(DeValue::String(world)) = root.entries().get("world").map(toml::Spanned::get_ref) {
        let found = format!("`world` outside any table is the text {world:?}");
        let error = ConfigError::new(Code::WrongType, found).expected("tables, each under `[[world]]`");
        root.refuse("world", error.hint("set the world to load under `[run]`"));
        return None;
    }
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
    let path = path_of_file_uri(uri);
    Some(Described { path: world.source().resolve(path.as_deref().unwrap_or(uri)), description, tags })
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::super::parse;
    use super::*;

    fn read(text: &str) -> Option<Sources> {
        parse(text, Path::new("conf/run.toml")).expect("right").worlds
    }

    #[test]
    fn worlds_are_told_of_relative_to_the_file() {
        let text = "[worlds]\nsources = [\"worlds\", \"/abs/*.sdf\"]\n[[world]]\nuri = \"hall.sdf\"\ntags = [\"indoor\"]\n\
                    [[world]]\nuri = \"file:///abs/field.sdf\"\ndescription = \"A field\"\n";
        let sources = read(text).expect("said");
        assert_eq!(sources.places, ["conf/worlds", "/abs/*.sdf"].map(PathBuf::from));
        let hall =
            Described { path: "conf/hall.sdf".into(), tags: vec!["indoor".into()], ..Described::default() };
        let field = Described {
            path: "/abs/field.sdf".into(),
            description: "A field".into(),
            ..Described::default()
        };
        assert_eq!(sources.described, [hall, field]);
        assert_eq!(read("[run]\nseed = 1\n"), None);
    }

    #[test]
    fn slips_are_refused() {
        let text = "[worlds]\nsource = [\"w\"]\n[[world]]\ntags = [1]\n";
        let errors = parse(text, Path::new("run.toml")).expect_err("refused");
        let codes: Vec<Code> = errors.0.iter().map(|error| error.code).collect();
        assert_eq!(codes, [Code::UnknownKey, Code::MissingKey, Code::WrongType]);
        let errors = parse("world = \"w.sdf\"", Path::new("run.toml")).expect_err("refused").to_string();
        assert!(errors.contains("set the world to load under `[run]`"), "{errors}");
    }
}
