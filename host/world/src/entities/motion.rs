//! Poses, velocities and accelerations of entities, for frequent reads of all entities. Simulation thread only.
//!
//! An acceleration is the change of velocity in a step. Velocities are kept only while accelerations are enabled, so
//! that other runs pay nothing for them.

use std::sync::Arc;

use bridgehead_physics::{LinkCursor, Velocity};
use bridgehead_sdf::pose::{DVec3, Pose};

use super::acceleration::Acceleration;
use crate::entity::ModelEntity;
use crate::world::World;

/// Pose, velocity and acceleration of an entity, world frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Motion {
    /// Pose of the model frame.
    pub pose: Pose,
    /// Velocity of its origin, m/s.
    pub linear: DVec3,
    /// rad/s.
    pub angular: DVec3,
    /// Acceleration in the last step.
    pub acceleration: Acceleration,
}

/// A cached reference to an entity, for reads without lookups. Valid while [`World::entity_revision`] stays the same.
#[derive(Clone, Copy, Debug)]
pub struct EntityCursor {
    model: usize,
    link: LinkCursor,
    /// Pose of the model frame in the link that carries it, if they differ.
    in_link: Option<Pose>,
}

impl World {
    /// Enables or disables accelerations from the next step on. Enabling them again changes nothing.
    pub fn watch_accelerations(&mut self, wanted: bool) {
        match wanted {
            true => drop(self.watch.get_or_insert_default()),
            false => {
                self.watch = None;
                self.physics.drop_velocities();
            }
        }
    }

    /// Returns the acceleration of an entity in the last step. It is zero if accelerations were not enabled before that
    /// step, and after a reset, a placement or a set velocity.
    #[must_use]
    pub fn acceleration(&self, model: usize) -> Acceleration {
        let link = self.models.get(model).and_then(|model| self.links.get(model.canonical?.0));
        let change = link.and_then(|link| self.physics.velocity_change(link.physics));
        change.map(|change| self.acceleration_by(change)).unwrap_or_default()
    }

    fn acceleration_by(&self, [linear, angular]: Velocity) -> Acceleration {
        let width = self.step_width();
        Acceleration { linear: linear / width, angular: angular / width }
    }

    /// Returns the cursors of [`Self::entities`], in the same order.
    pub fn entity_cursors(&self) -> impl Iterator<Item = EntityCursor> {
        self.models.iter().filter_map(|(index, model)| self.entity_cursor(index, model))
    }

    fn entity_cursor(&self, index: usize, model: &ModelEntity) -> Option<EntityCursor> {
        let (link, in_link) = model.canonical.filter(|_| model.is_present)?;
        let link = self.physics.link_cursor(self.links.get(link)?.physics)?;
        Some(EntityCursor { model: index, link, in_link: (in_link != Pose::IDENTITY).then_some(in_link) })
    }

    /// Returns the motion of an entity.
    #[must_use]
    pub fn motion(&self, cursor: &EntityCursor) -> Motion {
        match self.physics.motion(&cursor.link) {
            Some(link) => Motion {
                pose: cursor.in_link.map_or(link.pose, |in_link| link.pose * in_link),
                linear: link.velocity[0],
                angular: link.velocity[1],
                acceleration: self.acceleration_by(link.change),
            },
            None => self.motion_now(cursor.model),
        }
    }

    /// Returns the motion of an entity whose velocities are not kept yet.
    fn motion_now(&self, model: usize) -> Motion {
        self.entity(model).map_or_else(Motion::default, |entity| Motion {
            pose: entity.pose,
            linear: entity.linear,
            angular: entity.angular,
            acceleration: Acceleration::default(),
        })
    }

    /// Keeps velocities from this step on, if accelerations are enabled and the entities have changed.
    pub(crate) fn keep_motion(&mut self) {
        let Some(watch) = &mut self.watch else { return };
        if watch.entity_revision.as_ref().is_some_and(|known| Arc::ptr_eq(known, &self.entity_revision)) {
            return;
        }
        watch.entity_revision = Some(Arc::clone(&self.entity_revision));
        let carriers = self.models.values().filter_map(|model| model.canonical);
        let links = &self.links;
        let points =
            carriers.filter_map(|(link, in_link)| Some((links.get(link)?.physics, in_link.position)));
        self.physics.keep_velocities(points);
    }

    /// Drops the kept velocities of a model, or of all, after a change outside of a step.
    pub(crate) fn forget_motion(&mut self, model: Option<usize>) {
        match model {
            Some(model) => {
                if let Some(physics) = self.models.get(model).and_then(|model| model.physics) {
                    self.physics.forget_velocities(physics);
                }
            }
            None => {
                if let Some(watch) = &mut self.watch {
                    watch.entity_revision = None;
                }
                self.physics.drop_velocities();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;
    use crate::entities::motion::Acceleration;
    use crate::entities::{StateChange, Twist};
    use bridgehead_sdf::parse_str;

    fn world() -> World {
        let text =
            "<sdf version='1.9'><world name='w'><model name='bar'><pose>0 0 9 0.3 0 0</pose><link name='l'>
            <pose>1 0 0 0 0 0.5</pose><inertial><pose>0 0.5 0 0 0 0</pose></inertial></link></model>
            <model name='post'><static>true</static><pose>0 1 2 0 0 0</pose><link name='l'/></model>
            </world></sdf>";
        let loaded = parse_str("w.sdf", text).expect("loads");
        build(&loaded.world, 0.001, 1).expect("builds").world
    }

    #[test]
    fn motion_by_cursor_equals_motion_by_lookup() {
        let mut world = world();
        let twist = Twist { linear: DVec3::X, angular: DVec3::new(0.5, 1.0, -2.0) };
        let turn = StateChange { twist: Some(twist), ..StateChange::default() };
        let entity_cursors: Vec<EntityCursor> = world.entity_cursors().collect();
        for round in 0..4 {
            if round == 2 {
                // Set after a step, so the kept velocities follow.
                world.set_state("bar", &turn).expect("set");
            }
            let before: Vec<_> = world.entities().map(|entity| [entity.linear, entity.angular]).collect();
            let entities: Vec<_> = world.entities().collect();
            assert_eq!(entities.len(), entity_cursors.len());
            for (entity, cursor) in entities.iter().zip(&entity_cursors) {
                let motion = world.motion(cursor);
                assert!(motion.pose.position.abs_diff_eq(entity.pose.position, 1e-12), "{motion:?}");
                assert!(motion.pose.rotation.abs_diff_eq(entity.pose.rotation, 1e-12), "{motion:?}");
                assert!(motion.linear.abs_diff_eq(entity.linear, 1e-12), "{motion:?} {entity:?}");
                assert!(motion.angular.abs_diff_eq(entity.angular, 1e-12), "{motion:?}");
            }
            world.watch_accelerations(true);
            world.step().expect("a step");
            for (index, cursor) in entity_cursors.iter().enumerate() {
                let now = world.entity(index).expect("there");
                let acceleration = world.motion(cursor).acceleration;
                let expected = (now.linear - before[index][0]) / 0.001;
                assert!(acceleration.linear.abs_diff_eq(expected, 1e-6), "{acceleration:?} {expected}");
                assert_eq!(acceleration, world.acceleration(index));
            }
        }
        assert!(world.entity(0).expect("there").angular.length() > 2.0);
        assert_eq!(world.acceleration(1), Acceleration::default());
    }
}
