//! The ids of entities, by which programs of Gazebo name them. An id is never used twice, so that one of a deleted model is
//! not taken for another.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;

use crate::lock::lock;

/// What is between the names of a model and its part.
pub(crate) const SEPARATOR: &str = "::";

/// The id of the world. 0 is no entity.
pub(crate) const WORLD: u32 = 1;

/// Kinds of entities that have ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Model,
    Link,
    Visual,
    Light,
}

impl Kind {
    const fn noun(self) -> &'static str {
        match self {
            Kind::Model => "model",
            Kind::Link => "link",
            Kind::Visual => "visual",
            Kind::Light => "light",
        }
    }
}

/// An entity: its kind and its scoped name.
type Key = (Kind, String);

/// The ids of the entities that exist.
#[derive(Debug)]
pub(crate) struct IdTable {
    ids: BTreeMap<Key, u32>,
    names: BTreeMap<u32, Key>,
    next: u32,
}

impl Default for IdTable {
    fn default() -> Self {
        IdTable { ids: BTreeMap::new(), names: BTreeMap::new(), next: WORLD + 1 }
    }
}

/// What a description has changed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// Names of new top-level models.
    pub(super) added: Vec<String>,
    /// Ids of models and lights that are gone. What belongs to a model is gone with it.
    pub(super) removed: Vec<u32>,
}

impl IdTable {
    pub(super) fn get(&self, kind: Kind, name: &str) -> Option<u32> {
        self.ids.get(&(kind, name.to_owned())).copied()
    }

    /// Gives ids to what is new in a world, and takes those of what is gone.
    pub(super) fn update(&mut self, description: &own::WorldDescription) -> Changes {
        let models = description.models.iter().map(|model| (Kind::Model, model.name.clone()));
        let links = description.links.iter().map(|link| (Kind::Link, link.name.clone()));
        let visuals = description.links.iter().flat_map(|link| &link.visuals);
        let visuals = visuals.map(|visual| (Kind::Visual, visual.name.clone()));
        let described: Vec<Key> = models.chain(links).chain(visuals).collect();
        let present: BTreeSet<&Key> = described.iter().collect();
        let mut changes = Changes::default();
        let gone: Vec<(Key, u32)> = self
            .ids
            .iter()
            .filter(|(key, _)| !exists(key, &present))
            .map(|(key, id)| (key.clone(), *id))
            .collect();
        for (key, id) in gone {
            self.ids.remove(&key);
            self.names.remove(&id);
            if matches!(key.0, Kind::Model | Kind::Light) {
                changes.removed.push(id);
            }
        }
        changes.removed.sort_unstable();
        for key in described {
            let (kind, name) = (key.0, key.1.clone());
            if self.add(key) && kind == Kind::Model && !name.contains(SEPARATOR) {
                changes.added.push(name);
            }
        }
        changes
    }

    /// Gives ids to the lights of a scene, and takes those of lights that are gone: they went with their models or their
    /// world.
    pub(super) fn update_lights(&mut self, lights: &[own::SceneLight]) {
        let present: BTreeSet<&str> = lights.iter().map(|light| light.name.as_str()).collect();
        self.ids.retain(|(kind, name), _| *kind != Kind::Light || present.contains(name.as_str()));
        self.names.retain(|_, (kind, name)| *kind != Kind::Light || present.contains(name.as_str()));
        for light in lights {
            self.add((Kind::Light, light.name.clone()));
        }
    }

    /// Takes all ids, for another world.
    pub(super) fn clear(&mut self) {
        self.ids.clear();
        self.names.clear();
    }

    fn add(&mut self, key: Key) -> bool {
        if self.ids.contains_key(&key) {
            return false;
        }
        self.ids.insert(key.clone(), self.next);
        self.names.insert(self.next, key);
        self.next += 1;
        true
    }
}

/// Returns true if a world contains an entity. Descriptions have no lights: one exists as long as its link.
fn exists(key: &Key, present: &BTreeSet<&Key>) -> bool {
    match key.0 {
        Kind::Model | Kind::Link | Kind::Visual => present.contains(key),
        Kind::Light => match key.1.rsplit_once(SEPARATOR) {
            Some((link, _)) => present.contains(&(Kind::Link, link.to_owned())),
            None => true,
        },
    }
}

/// The ids, for services on any thread.
#[derive(Debug, Default)]
pub(crate) struct Ids(Mutex<IdTable>);

impl Ids {
    /// Calls a function with the table.
    pub(super) fn with<R>(&self, read: impl FnOnce(&mut IdTable) -> R) -> R {
        read(&mut lock(&self.0))
    }

    /// Gives ids to a world.
    #[cfg(test)]
    pub(crate) fn describe(&self, description: &own::WorldDescription) {
        self.with(|table| table.update(description));
    }

    /// Returns the name of the top-level model with an id.
    ///
    /// # Errors
    /// Returns a text for the log if there is none.
    pub(crate) fn model(&self, id: u64) -> Result<String, String> {
        let table = lock(&self.0);
        let found = u32::try_from(id).ok().and_then(|id| table.names.get(&id));
        match found {
            Some((Kind::Model, name)) if !name.contains(SEPARATOR) => Ok(name.clone()),
            Some((kind, name)) => {
                Err(format!("{id} is the id of the {} `{name}`, which is no top-level model", kind.noun()))
            }
            None => Err(format!("no entity has the id {id}; `scene/info` and `pose/info` have the ids")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(models: &[&str]) -> own::WorldDescription {
        let name = |text: &str| text.to_owned();
        own::WorldDescription {
            models: models
                .iter()
                .map(|model| own::ModelDescription { name: name(model), ..Default::default() })
                .collect(),
            links: models
                .iter()
                .map(|model| own::LinkDescription {
                    name: format!("{model}::l"),
                    visuals: vec![own::ShapeDescription {
                        name: format!("{model}::l::v"),
                        ..Default::default()
                    }],
                    ..Default::default()
                })
                .collect(),
            ..Default::default()
        }
    }

    fn light(name: &str) -> own::SceneLight {
        own::SceneLight { name: name.to_owned(), ..Default::default() }
    }

    #[test]
    fn ids_last_as_long_as_their_entities_and_are_never_used_again() {
        let mut table = IdTable::default();
        let changes = table.update(&world(&["car", "car::arm", "box"]));
        assert_eq!(changes, Changes { added: vec!["car".to_owned(), "box".to_owned()], removed: vec![] });
        table.update_lights(&[light("sun"), light("box::l::lamp")]);
        let ids = |table: &IdTable| {
            [
                (Kind::Model, "car"),
                (Kind::Model, "car::arm"),
                (Kind::Link, "car::l"),
                (Kind::Visual, "car::l::v"),
                (Kind::Light, "sun"),
            ]
            .map(|(kind, name)| table.get(kind, name))
        };
        let before = ids(&table);
        assert!(before.iter().all(Option::is_some));
        let (gone, lamp) = (table.get(Kind::Model, "box"), table.get(Kind::Light, "box::l::lamp"));
        let changes = table.update(&world(&["car", "car::arm"]));
        assert_eq!(changes.added, Vec::<String>::new());
        assert_eq!(changes.removed, [gone, lamp].map(|id| id.expect("an id")));
        assert_eq!(ids(&table), before);
        let changes = table.update(&world(&["car", "car::arm", "box"]));
        assert_eq!(changes, Changes { added: vec!["box".to_owned()], removed: vec![] });
        assert_eq!(ids(&table), before);
        let again = table.get(Kind::Model, "box");
        assert!(again > lamp && table.get(Kind::Light, "box::l::lamp").is_none(), "{again:?}");
        let sun = table.get(Kind::Light, "sun");
        table.update_lights(&[light("moon")]);
        assert_eq!(table.get(Kind::Light, "sun"), None);
        table.update_lights(&[light("moon"), light("sun")]);
        assert!(table.get(Kind::Light, "sun") > sun);
        let last = table.get(Kind::Light, "sun");
        table.clear();
        assert_eq!(table.update(&world(&["car"])).removed, Vec::<u32>::new());
        assert!(table.get(Kind::Model, "car") > last);
    }

    #[test]
    fn an_id_names_a_top_level_model_or_the_error_says_what_it_names() {
        let ids = Ids::default();
        ids.with(|table| table.update(&world(&["car", "car::arm"])));
        let id = |kind, name| u64::from(ids.with(|table| table.get(kind, name)).expect("an id"));
        assert_eq!(ids.model(id(Kind::Model, "car")), Ok("car".to_owned()));
        for (kind, name, part) in [
            (Kind::Model, "car::arm", "the model `car::arm`, which is no top-level model"),
            (Kind::Link, "car::l", "the link `car::l`"),
            (Kind::Visual, "car::l::v", "the visual `car::l::v`"),
        ] {
            let error = ids.model(id(kind, name)).expect_err(name);
            assert!(error.contains(part), "{error}");
        }
        for id in [0, u64::from(WORLD), 999, u64::MAX] {
            assert!(ids.model(id).expect_err("no entity").contains(&format!("the id {id};")));
        }
    }
}
