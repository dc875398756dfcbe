//! Adds models to physics, the ray scene and the tables of handles.
//!
//! Used for loading a world and for spawning during the run. Simulation thread only.

use bridgehead_physics::{AddedModel, JointId};
use bridgehead_sdf::element::Geometry;
use bridgehead_sdf::resolved::Model;
use bridgehead_sdf::{Budget, Origin};

use super::attachment::{CollisionFacts, JointFacts};
use super::convert::{Solids, model_spec};
use super::entity::{JointEntity, LinkBody, LinkEntity, ModelEntity};
use super::joint_facts::{joint_facts, second_axis_facts, second_axis_name};
use super::origin::{has_plugins, place_of};
use super::solid::Meshes;
use super::world::World;
use super::{plausible, rigid};

/// Result of adding a model.
#[derive(Debug, Default)]
pub(super) struct Added {
    /// Handle of each link; empty if physics rejected the model.
    pub(super) links: Vec<u32>,
    /// Joints in physics, with their indices in the model; `None` for a second axis, which follows the first.
    pub(super) joints: Vec<(Option<usize>, JointFacts)>,
    /// Collisions in physics.
    pub(super) collisions: Vec<CollisionFacts>,
    /// One message for each part that could not be added.
    pub(super) problems: Vec<String>,
}

impl World {
    /// Reserves the index of a model that is added later.
    pub(super) fn reserve(&mut self, model: &Model) -> usize {
        self.models.push(ModelEntity {
            is_static: model.is_static,
            is_vehicle: has_plugins(model),
            namespace: model.entity.namespace.clone(),
            info: model.entity.info.clone(),
            ..ModelEntity::reserved(&model.name)
        })
    }

    /// Makes a model a vehicle, after the configuration attached a plugin to it.
    pub fn make_vehicle(&mut self, model: usize) {
        if let Some(model) = self.models.get_mut(model) {
            model.is_vehicle = true;
        }
    }

    /// Adds a model at its reserved index. A model that physics rejects is in the world without motion and contacts,
    /// and is a problem in the list.
    pub(super) fn populate(&mut self, index: usize, model: &Model, budget: &Budget) -> Added {
        let mut problems = Vec::new();
        let solids = self.solids(model, budget, &mut problems);
        self.put_in_place(index, model, &solids, problems)
    }

    /// Adds a model like [`World::populate`], with given solids.
    pub(super) fn put_in_place(
        &mut self,
        index: usize,
        model: &Model,
        solids: &Solids,
        problems: Vec<String>,
    ) -> Added {
        let mut result = Added { problems, ..Added::default() };
        let first = self.next_handles();
        let (spec, joint_indices) = model_spec(model, solids);
        let added = match self.physics.add_model(&spec) {
            Ok(added) => added,
            Err(error) => {
                let place = place_of(&model.origin).map(|place| format!("{place}: ")).unwrap_or_default();
                let text =
                    format!("[BH-PHY-066] {place}model `{}` is left out of physics: {error}", model.name);
                result.problems.push(text);
                return result;
            }
        };
        result.problems.extend(plausible::masses(model).into_iter().chain(plausible::directions(model)));
        result.links = self.add_links(model, index, &added, solids, &mut result.problems);
        result.joints = self.add_joints(model, &added, &joint_indices, &result.links);
        result.collisions = self.add_collisions(model, &added, solids, &result.links);
        let canonical = model.canonical_link.and_then(|canonical| {
            let link = model.links.get(canonical)?;
            Some((*result.links.get(canonical)?, link.pose.inverse()))
        });
        let bounds = super::bounds::of_model(model, solids);
        let now = self.next_handles();
        if let Some(entity) = self.models.get_mut(index) {
            entity.places = std::array::from_fn(|table| first[table]..now[table]);
            entity.physics = Some(added.model);
            entity.canonical = canonical;
            entity.bounds = bounds;
            entity.is_present = true;
            entity.is_removed = false;
        }
        self.mark_entities_changed();
        self.sight.expire();
        result
    }

    /// Returns the next handles of links, joints and collisions.
    pub(super) fn next_handles(&self) -> [u32; 3] {
        [self.links.next_id(), self.joints.next_id(), self.collisions.all().next_id()]
    }

    /// Returns the solids of a model. An unusable collision is reported and omitted.
    pub(super) fn solids(&mut self, model: &Model, budget: &Budget, problems: &mut Vec<String>) -> Solids {
        solids_of(&mut self.meshes, model, budget, problems)
    }

    /// Adds the links to the table and to the ray scene. Returns their handles.
    fn add_links(
        &mut self,
        model: &Model,
        index: usize,
        added: &AddedModel,
        solids: &Solids,
        problems: &mut Vec<String>,
    ) -> Vec<u32> {
        let mut handles: Vec<u32> = Vec::with_capacity(model.links.len());
        let first_links = rigid::first_links(model);
        for ((link, physics), (solids, first)) in
            model.links.iter().zip(&added.links).zip(solids.iter().zip(first_links))
        {
            let handle = self.links.next_id();
            let rigid = handles.get(first).copied().unwrap_or(handle);
            let pose = model.link_pose_world(link);
            let frame = self.sight.add_frame(pose, self.links.get(rigid).map(|body| body.frame));
            let name = format!("{}::{}", model.name, link.name);
            problems.extend(self.sight.add_shapes((handle, frame), (&name, rigid), pose, (link, solids)));
            let moves = !(model.is_static || link.is_static);
            let body = LinkBody::new(link, solids);
            self.links.push(LinkEntity {
                name,
                physics: *physics,
                model: index,
                frame,
                rigid,
                moves,
                is_led: false,
                body,
            });
            handles.push(handle);
        }
        handles
    }

    fn add_joints(
        &mut self,
        model: &Model,
        added: &AddedModel,
        indices: &[Option<usize>],
        links: &[u32],
    ) -> Vec<(Option<usize>, JointFacts)> {
        let mut facts = Vec::new();
        for (position, (joint, index)) in model.joints.iter().zip(indices).enumerate() {
            let Some(index) = *index else { continue };
            let Some(physics) = added.joints.get(index) else { continue };
            let handle = self.add_joint_entity(format!("{}::{}", model.name, joint.name), *physics);
            facts.extend(joint_facts(joint, handle, links).map(|facts| (Some(position), facts)));
            if let Some(physics) = added.second_axes.get(index).copied().flatten() {
                let name = second_axis_name(model, joint);
                let handle = self.add_joint_entity(format!("{}::{name}", model.name), physics);
                facts.extend(second_axis_facts(joint, name, handle, links).map(|facts| (None, facts)));
            }
        }
        facts
    }

    pub(super) fn add_joint_entity(&mut self, name: String, physics: JointId) -> u32 {
        self.joints.push(JointEntity { name, physics })
    }

    fn add_collisions(
        &mut self,
        model: &Model,
        added: &AddedModel,
        solids: &Solids,
        links: &[u32],
    ) -> Vec<CollisionFacts> {
        let mut facts = Vec::new();
        for (((link, handle), ids), solids) in
            model.links.iter().zip(links).zip(&added.collisions).zip(solids)
        {
            let solid = link
                .collisions
                .iter()
                .zip(solids)
                .filter_map(|(placed, solid)| solid.as_ref().map(|_| placed));
            for (placed, physics) in solid.zip(ids) {
                let name = placed.element.name.clone();
                let scoped_name = format!("{}::{}::{name}", model.name, link.name);
                let collision = self.collisions.add(scoped_name.clone(), *physics);
                facts.push(CollisionFacts { collision, link: *handle, name, scoped_name });
            }
        }
        facts
    }
}

/// Returns the solids of a model. An unusable collision is reported and omitted.
/// If the budget does not suffice, the caller discards the result.
pub(super) fn solids_of(
    meshes: &mut Meshes,
    model: &Model,
    budget: &Budget,
    problems: &mut Vec<String>,
) -> Solids {
    let mut solids = Vec::with_capacity(model.links.len());
    for link in &model.links {
        let moves = !(model.is_static || link.is_static);
        let mut of_link = Vec::with_capacity(link.collisions.len());
        for placed in &link.collisions {
            let collision = &placed.element;
            let link_name = format!("{}::{}", model.name, link.name);
            problems.extend(unseen(&link_name, &collision.geometry, &collision.origin));
            let found = meshes.solid(&collision.geometry, moves, budget.of(&collision.origin));
            of_link.push(found.unwrap_or_else(|error| {
                let place = place_of(&collision.origin).map(|place| format!("{place}: ")).unwrap_or_default();
                let name = format!("{link_name}::{}", collision.name);
                problems.push(format!(
                    "[BH-PHY-065] {place}collision `{name}` has no contacts and no ray hits: {error}"
                ));
                None
            }));
        }
        solids.push(of_link);
    }
    solids
}

/// Returns the message about a collision that is not simulated; `None` if it is.
fn unseen(name: &str, geometry: &Geometry, origin: &Origin) -> Option<String> {
    let Geometry::Unsupported { kind } = geometry else { return None };
    let place = place_of(origin).map(|place| format!("{place}: ")).unwrap_or_default();
    Some(format!(
        "[BH-PHY-062] {place}the collision of `{name}` is a <{kind}>, which is not simulated yet: it has no contacts \
         and no ray hits"
    ))
}
