//! Saves the whole world as bytes and restores it, in this process or another: bit-exact physics, and all handles.
//!
//! A snapshot has no geometry: it is restored onto the same world, built from its file. Spawned models are created
//! again from their text, and all handles stay the same. Simulation thread only.

use std::collections::BTreeSet;

use bridgehead_physics::table::{Id, Table};
use bridgehead_physics::{CollisionId, JointId, LinkId, Physics, Settings};
use bridgehead_runtime::checksum;
use bridgehead_sdf::{Budget, SearchPath, resolved};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::bond::Bonds;
use super::build::{BuildError, BuildOptions, Built, build_within};
use super::entity::ModelEntity;
use super::world::World;
use crate::entities::text::parse_model;

/// First bytes of a snapshot; the last two are the format version.
const MAGIC: &[u8; 8] = b"BHSNAP\0\x0a";

/// Why a snapshot could not be restored.
#[derive(Debug, Error)]
pub enum RestoreError {
    /// The bytes are not a complete snapshot.
    #[error("[BH-SIM-220] the snapshot cannot be read: {0}")]
    Unreadable(String),
    /// It belongs to another world.
    #[error("[BH-SIM-221] the snapshot is of another world: {0}")]
    OtherWorld(String),
    /// The world cannot be built.
    #[error(transparent)]
    World(#[from] BuildError),
}

/// Content of a snapshot. `P` is the physics, borrowed or owned.
#[derive(Serialize, Deserialize)]
struct State<P> {
    world: String,
    models: Table<usize, ModelEntity>,
    /// Names, ids, and whether a plugin moves them.
    links: Table<u32, (String, LinkId, bool)>,
    joints: Table<u32, (String, JointId)>,
    collisions: Table<u32, (String, CollisionId)>,
    bonds: Bonds,
    steps: u64,
    led_models: Vec<usize>,
    finite_planes: bool,
    physics: P,
}

/// A decoded snapshot.
pub struct Snapshot(State<Physics>);

impl Snapshot {
    /// Decodes the bytes of a snapshot.
    ///
    /// # Errors
    /// Returns an error if they are not a complete snapshot of this format.
    pub fn decode(bytes: &[u8]) -> Result<Self, RestoreError> {
        decode(bytes).map(Snapshot)
    }
}

/// Returns how the world of a physics was built.
fn options_of(physics: &Physics, finite_planes: bool) -> BuildOptions {
    let Settings { step, substeps, overlap_speed, .. } = *physics.settings();
    BuildOptions { finite_planes, overlap_speed, ..BuildOptions::new(step, substeps) }
}

impl World {
    /// Encodes the world between two steps. Queued commands are applied first, as in the next step.
    ///
    /// # Errors
    /// Returns an error if the state cannot be encoded, which cannot happen for a world of this program.
    pub fn snapshot(&mut self) -> Result<Vec<u8>, String> {
        self.apply_commands();
        let state = State {
            world: self.name.clone(),
            models: self.models.clone(),
            links: self.links.map(|link| (link.name.clone(), link.physics, link.is_led)),
            joints: self.joints.map(|joint| (joint.name.clone(), joint.physics)),
            collisions: self.collisions.all().clone(),
            bonds: self.bonds.clone(),
            steps: self.steps,
            led_models: self.led_models.clone(),
            finite_planes: self.meshes.finite_planes,
            physics: &self.physics,
        };
        let body = postcard::to_stdvec(&state).map_err(|error| error.to_string())?;
        Ok(checksum::sealed(MAGIC, &body))
    }

    /// Restores the world of a snapshot. `source` is the world of the file.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a complete snapshot of this format, or if it belongs to another world.
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
        let options = options_of(&state.physics, state.finite_planes);
        let mut world = build_within(source, options, &Budget::default())?.world;
        world.set_search(search);
        world.replay_changes(&state)?;
        world.adopt_state(state)?;
        Ok(world)
    }

    /// Returns to a snapshot of this world with the same entities. Leaves everything unchanged if it is of another one.
    ///
    /// # Errors
    /// Returns an error if world, entities or step width differ.
    pub fn return_to(&mut self, snapshot: Snapshot) -> Result<(), RestoreError> {
        self.check_origin(&snapshot.0)?;
        self.commands.clear();
        self.adopt_state(snapshot.0)?;
        self.forget_motion(None);
        Ok(())
    }

    /// Checks that a snapshot is of this world and these entities.
    fn check_origin(&self, state: &State<Physics>) -> Result<(), RestoreError> {
        let other = |text: String| Err(RestoreError::OtherWorld(text));
        if state.world != self.name {
            return other(format!("it is of `{}`, and this is `{}`", state.world, self.name));
        }
        let (saved, own) = (state.physics.settings(), self.physics.settings());
        if (saved.step.to_bits(), saved.substeps) != (own.step.to_bits(), own.substeps) {
            return other(format!(
                "its steps are {} s long, and those of this run {} s",
                saved.step, own.step
            ));
        }
        let present = |models: &Table<usize, ModelEntity>| -> BTreeSet<(usize, String)> {
            let present = models.iter().filter(|(_, model)| model.is_present);
            present.map(|(index, model)| (index, model.name.clone())).collect()
        };
        let (saved, own) = (present(&state.models), present(&self.models));
        let try_this =
            "try: delete what was spawned since, or continue from it with `bridgehead run --restore`";
        if let Some((_, name)) = own.difference(&saved).next() {
            return other(format!("`{name}` was spawned after it was taken; {try_this}"));
        }
        match saved.difference(&own).next() {
            Some((_, name)) => other(format!("`{name}` was deleted after it was taken; {try_this}")),
            None => Ok(()),
        }
    }

    /// Returns true if a model of the file was removed.
    #[must_use]
    pub fn lacks_models(&self) -> bool {
        self.models.values().any(|model| model.is_removed && !model.is_spawned)
    }

    /// Restores the world before its first step, bit-exact, including deleted models.
    ///
    /// # Errors
    /// Returns the errors of building the world.
    pub fn restore_initial(&mut self, source: &resolved::World) -> Result<(), BuildError> {
        if self.lacks_models() {
            return self.rebuild_initial(source);
        }
        self.commands.clear();
        self.remove_spawned()?;
        // Physics returns to a state without their joints.
        drop(self.bonds.remove_all());
        if let Some(beginning) = &self.beginning {
            self.physics.return_to(beginning);
        }
        self.steps = 0;
        self.forget_led_links();
        self.forget_motion(None);
        self.reset_infos(source);
        Ok(())
    }

    /// Builds the world of the file again.
    ///
    /// # Errors
    /// Returns the errors of building the world.
    pub fn rebuild(&self, source: &resolved::World) -> Result<Built, BuildError> {
        let options =
            BuildOptions { names: self.names, ..options_of(&self.physics, self.meshes.finite_planes) };
        build_within(source, options, &Budget::default())
    }

    /// Replaces this world by one that was built again, with all handles still valid.
    ///
    /// Handles are assigned in the order of the file, so those of models that were never removed stay the same.
    pub fn replace_with(&mut self, mut fresh: World) {
        fresh.set_search(std::mem::take(&mut self.search));
        for (fresh, old) in fresh.models.values_mut().zip(self.models.values()) {
            fresh.is_vehicle |= old.is_vehicle && !old.is_spawned;
        }
        fresh.watch_accelerations(self.watch.is_some());
        fresh.models.skip_ids_of(&self.models);
        fresh.continue_handles_at(self.next_handles());
        // The poses of the file, and those that were added when it was loaded.
        fresh.poses = std::mem::take(&mut self.poses);
        *self = fresh;
    }

    fn rebuild_initial(&mut self, source: &resolved::World) -> Result<(), BuildError> {
        let fresh = self.rebuild(source)?.world;
        self.replace_with(fresh);
        Ok(())
    }

    /// Repeats all spawns and removals, so that every part gets its handle again. Handles of parts that were spawned
    /// and removed are skipped.
    fn replay_changes(&mut self, state: &State<Physics>) -> Result<(), RestoreError> {
        let known = self.models.next_id();
        let mut spawned = Vec::new();
        for (index, model) in state.models.iter().filter(|(index, _)| *index >= known) {
            self.models.set_next_id(index);
            let element = model.element.as_deref().unwrap_or_default();
            let parsed = parse_model(element, model.folder.as_deref(), &self.search, &Budget::default());
            let mut source = parsed.map(|parsed| parsed.model).map_err(|error| {
                let (name, why) = (&model.name, error.into_text());
                RestoreError::OtherWorld(format!("`{name}` was spawned and cannot be spawned again: {why}"))
            })?;
            source.name.clone_from(&model.name);
            source.entity.namespace.clone_from(&model.namespace);
            self.reserve(&source);
            spawned.push((model.places.clone().map(|places| places.start), index, source));
        }
        spawned.sort_by_key(|(first, index, _)| (*first, *index));
        for (first, index, source) in spawned {
            self.continue_handles_at(first);
            self.fill(index, &source);
        }
        self.models.set_next_id(state.models.next_id());
        self.continue_handles_at([state.links.next_id(), state.joints.next_id(), state.collisions.next_id()]);
        for (index, model) in state.models.iter().filter(|(index, _)| *index < known) {
            if model.is_removed && !model.is_present {
                let taken = self.take_out_by_command(index);
                taken.map_err(|error| RestoreError::OtherWorld(error.to_string()))?;
            }
        }
        Ok(())
    }

    /// Sets the next handles; earlier ones belong to removed parts.
    fn continue_handles_at(&mut self, [link, joint, collision]: [u32; 3]) {
        self.links.set_next_id(link);
        self.joints.set_next_id(joint);
        self.collisions.all_mut().set_next_id(collision);
    }

    /// Takes over the rest of the state, after checking that the handles have the same names.
    fn adopt_state(&mut self, state: State<Physics>) -> Result<(), RestoreError> {
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
        for (link, (_, physics, is_led)) in self.links.values_mut().zip(state.links.values()) {
            (link.physics, link.is_led) = (*physics, *is_led);
        }
        for (joint, (_, physics)) in self.joints.values_mut().zip(state.joints.values()) {
            joint.physics = *physics;
        }
        self.collisions.rebind(state.collisions);
        self.models = state.models;
        self.mark_entities_changed();
        self.bonds = state.bonds;
        self.steps = state.steps;
        self.led_models = state.led_models;
        self.physics = state.physics;
        self.sight.expire();
        Ok(())
    }
}

/// Returns the names by handle.
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
