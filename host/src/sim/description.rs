//! Keeps the description of the world up with what is loaded, spawned and deleted.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use bridgehead_sdf::resolved::{Model, World};

use super::Simulation;
use super::load::Wanted;
use crate::description::{Description, Elements, ModelPart, Server, WorldPart};
use crate::world::{PluginSlot, actor_model};

impl Simulation {
    /// What the world consists of, for all threads.
    #[must_use]
    pub fn description(&self) -> Arc<Description> {
        Arc::clone(&self.shared.description)
    }

    /// Describes what was loaded, once its plugins are made: all of it, or the models that came back. The slots have
    /// the ranks of their plugins.
    pub(super) fn describe_loaded<'a>(
        &self,
        source: &World,
        slots: impl Iterator<Item = (&'a PluginSlot, u64)>,
        is_meant: &dyn Fn(Option<usize>) -> bool,
    ) {
        let mut of_world = Elements::default();
        let mut of_models: BTreeMap<usize, Elements> = BTreeMap::new();
        for (slot, rank) in slots.filter(|(slot, _)| is_meant(slot.attachment.entity)) {
            let elements = match slot.attachment.entity {
                Some(index) => of_models.entry(index).or_default(),
                None => &mut of_world,
            };
            elements.push(slot, self.server_of(slot, rank));
        }
        let actors = source.actors.iter().map(|actor| Cow::Owned(actor_model(actor)));
        let models = source.models.iter().map(Cow::Borrowed).chain(actors).enumerate();
        let parts = models.filter(|(index, _)| is_meant(Some(*index))).map(|(index, model)| {
            let elements = of_models.remove(&index).unwrap_or_default();
            (index, ModelPart::new(&model, false, elements))
        });
        if is_meant(None) {
            self.shared.description.load(WorldPart::new(source, of_world), parts);
        } else {
            parts.for_each(|(index, part)| self.shared.description.add(index, part));
        }
    }

    /// Describes a model that was spawned, once its plugins are made, which have these ranks.
    pub(super) fn describe_spawned(&self, index: usize, model: &Model, slots: &[PluginSlot], ranks: &[u64]) {
        let mut elements = Elements::default();
        for (slot, rank) in slots.iter().zip(ranks) {
            elements.push(slot, self.server_of(slot, *rank));
        }
        self.shared.description.add(index, ModelPart::new(model, true, elements));
    }

    /// Who serves a slot: the instance of that rank, or a bridge.
    fn server_of(&self, slot: &PluginSlot, rank: u64) -> Option<Server> {
        if let Some(server) = self.models.server_at(rank) {
            return Some(server);
        }
        match self.resolve(slot) {
            Wanted::Bridge(request) => Some(Server { plugin: request.name, ..Server::default() }),
            Wanted::Nothing | Wanted::Unsupported(_) | Wanted::Model(_) => None,
        }
    }
}
