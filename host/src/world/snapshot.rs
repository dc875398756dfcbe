//! The whole world as bytes and back, in this process or another: physics to the last bit, and who is who.
//!
//! Geometry is not in it: a snapshot is restored onto the world that it was taken of, as its file has it. What was
//! spawned since is made anew from the text it came from, and handles stay what they were.

use bridgehead_physics::table::{Id, Table};
use bridgehead_physics::{CollisionId, JointId, LinkId, Physics};
use bridgehead_sdf::SearchPath;
use bridgehead_sdf::resolved;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::edit::Bond;
use super::entities::parse_model;
use super::{BuildError, Built, ModelEntity, World, build};
use crate::checksum;

/// First bytes of a snapshot; the last two are the version of its form.
const MAGIC: &[u8; 8] = b"BHSNAP\0\x05";

/// Why a snapshot was not restored.
#[derive(Debug, Error)]
pub enum RestoreError {
    /// The bytes are no snapshot, or not all of one.
    #[error("[BH-SIM-220] the snapshot cannot be read: {0}")]
    Unreadable(String),
    /// It was taken of another world.
    #[error("[BH-SIM-221] the snapshot is of another world: {0}")]
    OtherWorld(String),
    /// The world itself cannot be built.
    #[error(transparent)]
    World(#[from] BuildError),
}

/// What a snapshot holds. `P` is the physics, borrowed or owned.
#[derive(Serialize, Deserialize)]
struct State<P> {
    world: String,
    models: Table<usize, ModelEntity>,
    links: Table<u32, (String, LinkId, bool)>,
    joints: Table<u32, (String, JointId)>,
    collisions: Table<u32, (String, CollisionId)>,
    bonds: Vec<Bond>,
    last_bond: u64,
    steps: u64,
    physics: P,
}

impl World {
    /// The world between two steps. Commands that wait for the next step are applied first, as they would be then.
    ///
    /// # Errors
    /// Never for a world of this program.
    pub fn snapshot(&mut self) -> Result<Vec<u8>, String> {
        self.apply_commands();
        let state = State {
            world: self.name.clone(),
            models: self.models.clone(),
            links: self.links.map(|link| (link.name.clone(), link.physics, link.moves)),
            joints: self.joints.map(|joint| (joint.name.clone(), joint.physics)),
            collisions: self.collisions.all().clone(),
            bonds: self.bonds.clone(),
            last_bond: self.last_bond,
            steps: self.steps,
            physics: &self.physics,
        };
        let body = postcard::to_stdvec(&state).map_err(|error| error.to_string())?;
        Ok(checksum::sealed(MAGIC, &body))
    }

    /// A world as it was when a snapshot was taken. `source` is the world as its file has it.
    ///
    /// # Errors
    /// Where the bytes are not a whole snapshot of this form, or one of another world.
    pub fn restored(
        source: &resolved::World,
        search: SearchPath,
        bytes: &[u8],
    ) -> Result<Self, RestoreError> {
        let state = decode(bytes)?;
        if state.world != source.name {
            let text = format!("it is of `{}`, and this is `{}`", state.world, source.name);
            return Err(RestoreError::OtherWorld(text));
        }
        let settings = state.physics.settings();
        let mut world = build(source, settings.step, settings.substeps)?.world;
        world.set_search(search);
        world.follow(&state)?;
        world.adopt(state)?;
        Ok(world)
    }

    /// Whether a model that the file has was taken out.
    #[must_use]
    pub fn lacks_models(&self) -> bool {
        self.models.values().any(|model| model.is_removed && !model.is_spawned)
    }

    /// The world before its first step, to the last bit.
    ///
    /// # Errors
    /// As when it was built first.
    pub fn begin_again(&mut self, source: &resolved::World) -> Result<(), BuildError> {
        if self.lacks_models() {
            return self.begin_anew(source);
        }
        self.commands.clear();
        self.remove_spawned()?;
        self.bonds.clear();
        if let Some(beginning) = &self.beginning {
            self.physics.return_to(beginning);
        }
        self.steps = 0;
        self.rays_are_fresh = false;
        self.forget_motion(None);
        self.forget_infos(source);
        Ok(())
    }

    /// The world as its file has it, built anew, with what else is known when a world is built.
    ///
    /// # Errors
    /// As when it was built first.
    pub fn built_anew(&self, source: &resolved::World) -> Result<Built, BuildError> {
        let settings = self.physics.settings();
        build(source, settings.step, settings.substeps)
    }

    /// Becomes the world that was built anew, for everybody who holds a handle of this one.
    ///
    /// Handles are given in the order of the file, so those of models that were never taken out stay what they were.
    pub fn become_anew(&mut self, mut fresh: World) {
        fresh.set_search(std::mem::take(&mut self.search));
        for (fresh, old) in fresh.models.values_mut().zip(self.models.values()) {
            fresh.is_vehicle |= old.is_vehicle && !old.is_spawned;
        }
        fresh.watch_accelerations(self.watch.is_some());
        fresh.models.skip_ids_of(&self.models);
        fresh.go_on_at(self.next_handles());
        // Those of the file, as it has them, and those that were added when it was loaded.
        fresh.poses = std::mem::take(&mut self.poses);
        *self = fresh;
    }

    fn begin_anew(&mut self, source: &resolved::World) -> Result<(), BuildError> {
        let fresh = self.built_anew(source)?.world;
        self.become_anew(fresh);
        Ok(())
    }

    /// Spawns and takes out what was spawned and taken out, so that everybody gets the handle they had. Handles of
    /// what was spawned and is gone are given to nobody.
    fn follow(&mut self, state: &State<Physics>) -> Result<(), RestoreError> {
        let known = self.models.next_id();
        let mut spawned = Vec::new();
        for (index, model) in state.models.iter().filter(|(index, _)| *index >= known) {
            self.models.set_next_id(index);
            let element = model.element.as_deref().unwrap_or_default();
            let parsed = parse_model(element, model.folder.as_deref(), &self.search);
            let mut source = parsed.map(|parsed| parsed.model).map_err(|error| {
                let (name, why) = (&model.name, error.into_text());
                RestoreError::OtherWorld(format!("`{name}` was spawned and cannot be again: {why}"))
            })?;
            source.name.clone_from(&model.name);
            source.entity.namespace.clone_from(&model.namespace);
            self.reserve(&source);
            spawned.push((model.places.clone().map(|places| places.start), index, source));
        }
        spawned.sort_by_key(|(first, index, _)| (*first, *index));
        for (first, index, source) in spawned {
            self.go_on_at(first);
            self.fill(index, &source);
        }
        self.models.set_next_id(state.models.next_id());
        self.go_on_at([state.links.next_id(), state.joints.next_id(), state.collisions.next_id()]);
        for (index, model) in state.models.iter().filter(|(index, _)| *index < known) {
            if model.is_removed && !model.is_present {
                let taken = self.take_out_by_command(index);
                taken.map_err(|error| RestoreError::OtherWorld(error.to_string()))?;
            }
        }
        Ok(())
    }

    /// Gives these handles next: those before were given to who is gone.
    fn go_on_at(&mut self, [link, joint, collision]: [u32; 3]) {
        self.links.set_next_id(link);
        self.joints.set_next_id(joint);
        self.collisions.all_mut().set_next_id(collision);
    }

    /// Takes over everything else, once it is sure that handles mean the same.
    fn adopt(&mut self, state: State<Physics>) -> Result<(), RestoreError> {
        let has = [
            names(&self.models, |model| &model.name),
            names(&self.links, |link| &link.name),
            names(&self.joints, |joint| &joint.name),
            names(self.collisions.all(), |collision| &collision.0),
        ];
        let wants = [
            names(&state.models, |model| &model.name),
            names(&state.links, |link| &link.0),
            names(&state.joints, |joint| &joint.0),
            names(&state.collisions, |collision| &collision.0),
        ];
        for (what, (has, wants)) in
            ["models", "links", "joints", "collisions"].iter().zip(has.iter().zip(&wants))
        {
            same_names(what, has, wants)?;
        }
        for (link, (_, physics, moves)) in self.links.values_mut().zip(state.links.values()) {
            (link.physics, link.moves) = (*physics, *moves);
        }
        for (joint, (_, physics)) in self.joints.values_mut().zip(state.joints.values()) {
            joint.physics = *physics;
        }
        self.collisions.rebind(state.collisions);
        self.models = state.models;
        self.change_roster();
        self.bonds = state.bonds;
        self.last_bond = state.last_bond;
        self.steps = state.steps;
        self.physics = state.physics;
        self.rays_are_fresh = false;
        Ok(())
    }
}

/// Handles with names.
fn names<I: Id, T>(table: &Table<I, T>, name: impl Fn(&T) -> &String) -> Vec<(u32, String)> {
    table.iter().map(|(id, part)| (id.number(), name(part).clone())).collect()
}

fn same_names(what: &str, has: &[(u32, String)], wants: &[(u32, String)]) -> Result<(), RestoreError> {
    if has == wants {
        return Ok(());
    }
    let first = has.iter().zip(wants).find(|(has, wants)| has != wants);
    Err(RestoreError::OtherWorld(match first {
        Some(((_, has), (_, wants))) => format!("among its {what} is `{wants}` where this one has `{has}`"),
        None => format!("it has {} {what}, and this one has {}", wants.len(), has.len()),
    }))
}

fn decode(bytes: &[u8]) -> Result<State<Physics>, RestoreError> {
    let body = checksum::unsealed(MAGIC, bytes).map_err(|what| RestoreError::Unreadable(what.to_owned()))?;
    postcard::from_bytes(body).map_err(|error| RestoreError::Unreadable(error.to_string()))
}

#[cfg(test)]
mod tests;
