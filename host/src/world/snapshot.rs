//! The whole world as bytes and back, in this process or another: physics to the last bit, and who is who.
//!
//! Geometry is not in it: a snapshot is restored onto the world that it was taken of, as its file has it. What was
//! spawned since is made anew from the text it came from, and handles stay what they were.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::edit::Bond;
use super::entities::parse_model;
use super::entity::{JointEntity, LinkEntity};
use super::{BuildError, Built, ModelEntity, World, build};
use crate::checksum;
use crate::physics::{CollisionId, JointId, LinkId, Physics};
use crate::pose::Pose;
use crate::sdf::SearchPath;
use crate::sdf::resolved;

/// First bytes of a snapshot; the last two are the version of its form.
const MAGIC: &[u8; 8] = b"BHSNAP\0\x04";

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
    models: Vec<ModelEntity>,
    links: Vec<(String, LinkId, bool)>,
    joints: Vec<(String, JointId)>,
    collisions: Vec<(String, CollisionId)>,
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
            links: self.links.iter().map(|link| (link.name.clone(), link.physics, link.moves)).collect(),
            joints: self.joints.iter().map(|joint| (joint.name.clone(), joint.physics)).collect(),
            collisions: self.collisions.all().to_vec(),
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
        self.models.iter().any(|model| model.is_removed && !model.is_spawned)
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
        for (fresh, old) in fresh.models.iter_mut().zip(&self.models) {
            fresh.is_vehicle |= old.is_vehicle && !old.is_spawned;
        }
        fresh.watch_accelerations(self.motion.is_some());
        *self = fresh;
    }

    fn begin_anew(&mut self, source: &resolved::World) -> Result<(), BuildError> {
        let fresh = self.built_anew(source)?.world;
        self.become_anew(fresh);
        Ok(())
    }

    /// Spawns and takes out what was spawned and taken out, so that everybody gets the handle they had. What was
    /// spawned and is gone leaves its places empty.
    fn follow(&mut self, state: &State<Physics>) -> Result<(), RestoreError> {
        let known = self.models.len();
        let mut spawned = Vec::new();
        for model in state.models.iter().skip(known) {
            let index = self.models.len();
            if model.is_removed || !model.is_present {
                self.models.push(ModelEntity { is_spawned: true, ..ModelEntity::reserved(&model.name) });
                continue;
            }
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
            self.leave_empty(first, state);
            self.fill(index, &source);
        }
        self.leave_empty([state.links.len(), state.joints.len(), state.collisions.len()], state);
        let loaded = state.models.iter().take(known).enumerate();
        for (index, _) in loaded.filter(|(_, model)| model.is_removed && !model.is_present) {
            self.take_out_by_command(index).map_err(|error| RestoreError::OtherWorld(error.to_string()))?;
        }
        Ok(())
    }

    /// Fills the tables with empty places up to these handles: whoever had them is gone.
    fn leave_empty(&mut self, [links, joints, collisions]: [usize; 3], state: &State<Physics>) {
        let gone = self.rays.add_frame(Pose::IDENTITY);
        self.rays.remove_frame(gone);
        let [has_links, has_joints, has_collisions] = self.table_sizes();
        for (_, physics, _) in state.links.get(has_links..links).into_iter().flatten() {
            let (name, model) = (String::new(), usize::MAX);
            self.links.push(LinkEntity { name, physics: *physics, model, frame: gone, moves: false });
        }
        for (_, physics) in state.joints.get(has_joints..joints).into_iter().flatten() {
            self.joints.push(JointEntity { name: String::new(), physics: *physics });
        }
        for (_, physics) in state.collisions.get(has_collisions..collisions).into_iter().flatten() {
            self.collisions.add(String::new(), *physics);
        }
    }

    /// Takes over everything else, once it is sure that handles mean the same.
    fn adopt(&mut self, state: State<Physics>) -> Result<(), RestoreError> {
        let names = |world: &World| -> [Vec<String>; 4] {
            [
                world.models.iter().map(|model| model.name.clone()).collect(),
                world.links.iter().map(|link| link.name.clone()).collect(),
                world.joints.iter().map(|joint| joint.name.clone()).collect(),
                world.collisions.all().iter().map(|collision| collision.0.clone()).collect(),
            ]
        };
        let saved: [Vec<String>; 4] = [
            state.models.iter().map(|model| model.name.clone()).collect(),
            state.links.iter().map(|link| link.0.clone()).collect(),
            state.joints.iter().map(|joint| joint.0.clone()).collect(),
            state.collisions.iter().map(|collision| collision.0.clone()).collect(),
        ];
        for (what, (has, wants)) in
            ["models", "links", "joints", "collisions"].iter().zip(names(self).iter().zip(&saved))
        {
            same_names(what, has, wants)?;
        }
        for (link, (_, physics, moves)) in self.links.iter_mut().zip(state.links) {
            (link.physics, link.moves) = (physics, moves);
        }
        for (joint, (_, physics)) in self.joints.iter_mut().zip(state.joints) {
            joint.physics = physics;
        }
        self.collisions.rebind(state.collisions);
        self.models = state.models;
        self.bonds = state.bonds;
        self.last_bond = state.last_bond;
        self.steps = state.steps;
        self.physics = state.physics;
        self.rays_are_fresh = false;
        Ok(())
    }
}

fn same_names(what: &str, has: &[String], wants: &[String]) -> Result<(), RestoreError> {
    if has == wants {
        return Ok(());
    }
    let first = has.iter().zip(wants).find(|(has, wants)| has != wants);
    Err(RestoreError::OtherWorld(match first {
        Some((has, wants)) => format!("among its {what} is `{wants}` where this one has `{has}`"),
        None => format!("it has {} {what}, and this one has {}", wants.len(), has.len()),
    }))
}

fn decode(bytes: &[u8]) -> Result<State<Physics>, RestoreError> {
    let body = checksum::unsealed(MAGIC, bytes).map_err(|what| RestoreError::Unreadable(what.to_owned()))?;
    postcard::from_bytes(body).map_err(|error| RestoreError::Unreadable(error.to_string()))
}

#[cfg(test)]
mod tests;
