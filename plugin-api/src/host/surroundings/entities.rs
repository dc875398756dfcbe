//! Every model of the world as it stands in the present phase of the step.

use bridgehead_abi::extension;
use bridgehead_abi::surroundings as abi;

use crate::error::{Error, Result};
use crate::host::{LinkId, Pose, extension_handle, text_of};

/// A model of the world; never used for another one in the same run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntityId(pub u64);

/// A top-level model.
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    /// Its id.
    pub id: EntityId,
    /// Name in the world.
    pub name: String,
    /// Whether nothing of it moves.
    pub is_static: bool,
    /// Whether it was spawned during the run.
    pub is_spawned: bool,
    /// Pose of the model frame in the world.
    pub pose: Pose,
    /// Velocity of the model frame's origin, world frame, m/s.
    pub linear: [f64; 3],
    /// Angular velocity, world frame, rad/s.
    pub angular: [f64; 3],
    /// Lowest corner of the box around its collisions, model frame, metres; both corners are equal where it has
    /// no collisions.
    pub box_min: [f64; 3],
    /// Highest corner of that box.
    pub box_max: [f64; 3],
}

extension_handle! {
    /// Looks at the models of the world. `[sim]`
    Entities, abi::HostEntities, extension::ENTITIES
}

impl Entities {
    /// Every entity: in document order, spawned ones last.
    pub fn iter(self) -> impl Iterator<Item = Entity> {
        (0..).map_while(move |index| {
            let _entered = self.host().enter().ok()?;
            self.extension.at(index).ok().map(|raw| from_abi(&raw))
        })
    }

    /// The entity of that name; `None` without one.
    #[must_use]
    pub fn find(self, name: &str) -> Option<Entity> {
        let _entered = self.host().enter().ok()?;
        self.extension.find(name).ok().map(|raw| from_abi(&raw))
    }

    /// The link of that scoped name in the world: `model::link`.
    ///
    /// # Errors
    /// Returns an error if there is none, or the call comes from another thread.
    pub fn find_link(self, name: &str) -> Result<LinkId> {
        let link = self.extension.find_link(name);
        Ok(LinkId(link.map_err(|refused| Error::from(refused).context(format_args!("link `{name}`")))?))
    }
}

fn from_abi(raw: &abi::Entity) -> Entity {
    Entity {
        id: EntityId(raw.id),
        name: text_of(raw.name),
        is_static: raw.flags & abi::ENTITY_STATIC != 0,
        is_spawned: raw.flags & abi::ENTITY_SPAWNED != 0,
        pose: Pose::from_abi(raw.pose),
        linear: raw.linear,
        angular: raw.angular,
        box_min: raw.box_min,
        box_max: raw.box_max,
    }
}
