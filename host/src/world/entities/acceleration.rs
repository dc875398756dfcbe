//! Accelerations of entities: what a step changed of their velocities.
//!
//! Kept only while somebody wants them, so that a step costs nothing for those who do not.

use crate::pose::DVec3;
use crate::world::{EntityState, ModelEntity, World};

/// How the velocity of an entity changed in the last step, world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Acceleration {
    /// Of the origin of the model frame, m/s².
    pub linear: DVec3,
    /// rad/s².
    pub angular: DVec3,
}

/// Velocities before the last step.
#[derive(Debug, Default)]
pub(in crate::world) struct Motion {
    /// Linear and angular, by model and in order; nothing where what lies between is no step.
    before: Vec<(usize, [DVec3; 2])>,
}

impl Motion {
    fn of(&self, model: usize) -> Option<[DVec3; 2]> {
        let place = self.before.binary_search_by_key(&model, |(noted, _)| *noted).ok()?;
        self.before.get(place).map(|(_, velocity)| *velocity)
    }
}

impl World {
    /// Asks that accelerations be known from the next step on, or that they are not wanted any more. Restarting costs
    /// nothing and loses nothing.
    pub fn watch_accelerations(&mut self, wanted: bool) {
        match wanted {
            true => drop(self.motion.get_or_insert_default()),
            false => self.motion = None,
        }
    }

    /// The acceleration of an entity in the last step. Zero where nobody asked for accelerations before that step, and
    /// after a reset, a placement or a set velocity.
    #[must_use]
    pub fn acceleration(&self, model: usize) -> Acceleration {
        self.entity(model).map(|entity| self.acceleration_of(&entity)).unwrap_or_default()
    }

    /// As [`Self::acceleration`], of an entity as it stands.
    #[must_use]
    pub fn acceleration_of(&self, entity: &EntityState<'_>) -> Acceleration {
        let index = usize::try_from(entity.id).unwrap_or_default().wrapping_sub(1);
        let before = self.motion.as_ref().and_then(|motion| motion.of(index));
        let Some([linear, angular]) = before else { return Acceleration::default() };
        let width = self.step_width();
        Acceleration { linear: (entity.linear - linear) / width, angular: (entity.angular - angular) / width }
    }

    /// Notes velocities before a step.
    pub(in crate::world) fn note_motion(&mut self) {
        let Some(mut motion) = self.motion.take() else { return };
        motion.before.clear();
        let noted = |(index, model): (usize, &ModelEntity)| Some((index, self.velocities(model)?));
        motion.before.extend(self.models.iter().filter_map(noted));
        self.motion = Some(motion);
    }

    /// The velocities of an entity, as [`Self::entity`] has them, and nothing else of it: this is done in every step.
    /// None for what never moves.
    fn velocities(&self, model: &ModelEntity) -> Option<[DVec3; 2]> {
        if model.is_static || !model.is_present {
            return None;
        }
        let (link, in_link) = model.canonical?;
        let link = self.links.get(link)?.physics;
        let (linear, angular) = self.physics.link_velocity(link)?;
        if in_link.position == DVec3::ZERO {
            return Some([linear, angular]);
        }
        let arm = self.physics.link_pose(link)?.rotation * in_link.position;
        Some([linear + angular.cross(arm), angular])
    }

    /// What was noted of a model, or of all, is not of the step that led to what is now.
    pub(in crate::world) fn forget_motion(&mut self, model: Option<usize>) {
        let Some(motion) = &mut self.motion else { return };
        match model {
            None => motion.before.clear(),
            Some(model) => motion.before.retain(|(noted, _)| *noted != model),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pose::DVec3;
    use crate::sdf::parse_str;
    use crate::world::build;
    use crate::world::entities::{StateChange, Twist};

    #[test]
    fn velocities_alone_are_those_of_the_entity() {
        let text = "<sdf version='1.9'><world name='w'><model name='bar'><pose>0 0 9 0.3 0 0</pose><link name='l'>
            <pose>1 0 0 0 0 0.5</pose></link></model><model name='post'><static>true</static><link name='l'/></model>
            </world></sdf>";
        let loaded = parse_str("w.sdf", text).expect("loads");
        let mut world = build(&loaded.world, 0.001, 1).expect("builds").world;
        let twist = Twist { linear: DVec3::X, angular: DVec3::new(0.5, 1.0, -2.0) };
        world.set_state("bar", &StateChange { twist: Some(twist), ..StateChange::default() }).expect("set");
        (0..3).for_each(|_| world.step().expect("a step"));
        let bar = world.entity(0).expect("there");
        assert_eq!(world.velocities(bar.model), Some([bar.linear, bar.angular]));
        assert!(bar.angular.length() > 2.0 && bar.linear != DVec3::X, "{bar:?}");
        assert_eq!(world.velocities(&world.models()[1]), None);
    }
}
