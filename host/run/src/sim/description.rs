//! Describes a world or an entity after its plugins were created.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bridgehead_sdf::resolved::{Model, World};

use super::instances::{InstanceBuilder, Provider, Selection};
use crate::description::{Elements, ModelPart, Server, WorldPart};
use crate::model_plugin::ModelSet;
use crate::world::{PluginSlot, actor_model};

impl InstanceBuilder<'_> {
    /// Describes a loaded world, or the models of it that were restored. The slots have the ranks of their plugins.
    pub(super) fn describe_loaded<'s>(
        &self,
        models: &ModelSet,
        source: &World,
        slots: impl Iterator<Item = (&'s PluginSlot, u64)>,
        selection: Selection<'_>,
    ) {
        let includes = selection.includes;
        let mut of_world = Elements::default();
        let mut of_models: BTreeMap<usize, Elements> = BTreeMap::new();
        for (slot, rank) in slots.filter(|(slot, _)| includes(slot.attachment.entity)) {
            let elements = match slot.attachment.entity {
                Some(index) => of_models.entry(index).or_default(),
                None => &mut of_world,
            };
            elements.push(slot, self.server_of(models, slot, rank));
        }
        let actors = source.actors.iter().map(|actor| Cow::Owned(actor_model(actor)));
        let described = source.models.iter().map(Cow::Borrowed).chain(actors).enumerate();
        let parts = described.filter(|(index, _)| includes(Some(*index))).map(|(index, model)| {
            let elements = of_models.remove(&index).unwrap_or_default();
            let look = bridgehead_scene::ModelPart::new(&model);
            (index, (ModelPart::new(&model, false, elements), look))
        });
        if includes(None) {
            let (parts, looks): (Vec<_>, Vec<_>) =
                parts.map(|(index, (part, look))| ((index, part), (index, look))).unzip();
            self.shared.description.load(WorldPart::new(source, of_world), parts);
            self.shared.scene.load(bridgehead_scene::WorldPart::new(source), looks);
        } else {
            for (index, (part, look)) in parts {
                self.shared.description.add(index, part);
                self.shared.scene.add(index, look);
            }
        }
    }

    /// Describes a spawned model, whose plugins have these ranks.
    pub(super) fn describe_spawned(
        &self,
        models: &ModelSet,
        (index, model): (usize, &Model),
        slots: &[PluginSlot],
        ranks: &[u64],
    ) {
        let mut elements = Elements::default();
        for (slot, rank) in slots.iter().zip(ranks) {
            elements.push(slot, self.server_of(models, slot, *rank));
        }
        self.shared.description.add(index, ModelPart::new(model, true, elements));
        self.shared.scene.add(index, bridgehead_scene::ModelPart::new(model));
    }

    /// Returns the instance of that rank, or the bridge, for the description.
    fn server_of(&self, models: &ModelSet, slot: &PluginSlot, rank: u64) -> Option<Server> {
        if let Some(server) = models.server_at(rank) {
            return Some(server);
        }
        match self.provider(slot) {
            Provider::Bridge(request) => Some(Server { plugin: request.name, ..Server::default() }),
            Provider::Host => Some(Server { is_built_in: true, ..Server::default() }),
            Provider::Unsupported(_) | Provider::Model(_) => None,
        }
    }
}
