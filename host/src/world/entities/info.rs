//! What is known about entities beside how they move.

use std::sync::Arc;

use bridgehead_sdf::element::EntityInfo;

use super::InfoError;
use crate::world::World;

impl World {
    /// Category, description and tags of an entity.
    ///
    /// # Errors
    /// Where there is none of that name.
    pub fn info(&self, name: &str) -> Result<&EntityInfo, InfoError> {
        let index = self.find_entity(name);
        let model = index.and_then(|index| self.models.get(index));
        model.map(|model| &model.info).ok_or_else(|| InfoError::NotFound(name.to_owned()))
    }

    /// Gives an entity another category, description and list of tags, in place of those it had.
    ///
    /// # Errors
    /// Where there is none of that name.
    pub fn set_info(&mut self, name: &str, info: EntityInfo) -> Result<(), InfoError> {
        let index = self.find_entity(name);
        let model = index.and_then(|index| self.models.get_mut(index));
        let model = model.ok_or_else(|| InfoError::NotFound(name.to_owned()))?;
        model.is_info_new |= model.info != info;
        model.info = info;
        self.change_roster();
        Ok(())
    }

    /// Stays the same one as long as the same entities are there, the same is said of them, and the same poses have a
    /// name: whoever has made a list of those need not look again.
    #[must_use]
    pub fn roster(&self) -> &Arc<()> {
        &self.roster
    }

    /// Who is there, or what is said of them, is no longer what it was.
    pub(in crate::world) fn change_roster(&mut self) {
        self.roster = Arc::default();
    }

    /// Gives every entity of the file what the file says of it.
    pub(in crate::world) fn forget_infos(&mut self, source: &bridgehead_sdf::resolved::World) {
        self.change_roster();
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
