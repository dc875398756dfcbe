//! Category, description and tags of entities. Simulation thread only.

use std::sync::Arc;

use bridgehead_sdf::element::EntityInfo;

use super::error::InfoError;
use crate::world::World;

impl World {
    /// Returns category, description and tags of an entity.
    ///
    /// # Errors
    /// Returns an error if there is no entity of that name.
    pub fn info(&self, name: &str) -> Result<&EntityInfo, InfoError> {
        let index = self.find_entity(name);
        let model = index.and_then(|index| self.models.get(index));
        model.map(|model| &model.info).ok_or_else(|| InfoError::NotFound(name.to_owned()))
    }

    /// Replaces category, description and tags of an entity.
    ///
    /// # Errors
    /// Returns an error if there is no entity of that name, or if a text is too long.
    pub fn set_info(&mut self, name: &str, info: EntityInfo) -> Result<(), InfoError> {
        if let Some(excess) = info.excess() {
            return Err(InfoError::TooLong(excess));
        }
        let index = self.find_entity(name);
        let model = index.and_then(|index| self.models.get_mut(index));
        let model = model.ok_or_else(|| InfoError::NotFound(name.to_owned()))?;
        model.is_info_new |= model.info != info;
        model.info = info;
        self.mark_entities_changed();
        Ok(())
    }

    /// Returns a marker that is replaced when entities, their infos or named poses change. While it is the same `Arc`,
    /// lists made of these are valid.
    #[must_use]
    pub fn entity_revision(&self) -> &Arc<()> {
        &self.entity_revision
    }

    /// Replaces the marker of [`Self::entity_revision`].
    pub(crate) fn mark_entities_changed(&mut self) {
        self.entity_revision = Arc::default();
    }

    /// Resets the infos of all entities to those of the file.
    pub(crate) fn reset_infos(&mut self, source: &bridgehead_sdf::resolved::World) {
        self.mark_entities_changed();
        for (model, source) in self.models.values_mut().zip(&source.models) {
            if std::mem::take(&mut model.is_info_new) {
                model.info.clone_from(&source.entity.info);
            }
        }
        for actor in self.models.values_mut().filter(|model| model.is_actor) {
            if std::mem::take(&mut actor.is_info_new) {
                actor.info = EntityInfo::default();
            }
        }
    }
}
