//! Poses of links, for programs that show the world. Simulation thread only.

use bridgehead_sdf::pose::Pose;

use super::entity::LinkEntity;
use super::world::World;

impl World {
    /// The scoped names and poses of all links, in the order in which they were added.
    pub fn link_poses(&self) -> impl Iterator<Item = (&str, Pose)> {
        let stands = |link: &LinkEntity| self.models.get(link.model).is_some_and(|model| model.is_present);
        let present = self.links.iter().filter(move |(_, link)| stands(link));
        present.filter_map(|(_, link)| Some((link.name.as_str(), self.physics.link_pose(link.physics)?)))
    }

    /// Returns the handles of the links of a model, in the order of its file.
    pub fn links_of(&self, model: usize) -> impl Iterator<Item = u32> + use<> {
        let [links, ..] = self.models.get(model).map(|model| model.places.clone()).unwrap_or_default();
        links
    }

    /// Pose of a link in the world.
    #[must_use]
    pub fn link_pose(&self, link: u32) -> Option<Pose> {
        self.physics.link_pose(self.links.get(link)?.physics)
    }
}
