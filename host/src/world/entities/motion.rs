//! How entities stand and move, for whoever reads all of them often; and their accelerations, which are what a step
//! changed of their velocities.
//!
//! Velocities are kept only while somebody wants accelerations, so that a step costs nothing for those who do not.

use std::sync::Arc;

use bridgehead_physics::{LinkCursor, Velocity};
use bridgehead_sdf::pose::{DVec3, Pose};

use crate::world::{ModelEntity, World};

/// How the velocity of an entity changed in the last step, world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Acceleration {
    /// Of the origin of the model frame, m/s².
    pub linear: DVec3,
    /// rad/s².
    pub angular: DVec3,
}

/// How an entity stands and moves, world frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Motion {
    /// Pose of the model frame.
    pub pose: Pose,
    /// Velocity of its origin, m/s.
    pub linear: DVec3,
    /// rad/s.
    pub angular: DVec3,
    /// What the last step changed of that, by its length.
    pub acceleration: Acceleration,
}

/// An entity as whoever reads often finds it: nothing is looked up. It holds as long as the roster.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    model: usize,
    spot: LinkCursor,
    /// The model frame in the link that carries it, where the two are not the same.
    in_link: Option<Pose>,
}

/// That somebody wants accelerations.
#[derive(Debug, Default)]
pub(in crate::world) struct Watch {
    /// The roster of which velocities are kept; nothing before the next step.
    roster: Option<Arc<()>>,
}

impl World {
    /// Asks that accelerations be known from the next step on, or that they are not wanted any more. Restarting costs
    /// nothing and loses nothing.
    pub fn watch_accelerations(&mut self, wanted: bool) {
        match wanted {
            true => drop(self.watch.get_or_insert_default()),
            false => {
                self.watch = None;
                self.physics.drop_velocities();
            }
        }
    }

    /// The acceleration of an entity in the last step. Zero where nobody asked for accelerations before that step, and
    /// after a reset, a placement or a set velocity.
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

    /// Where [`Self::entities`] are found, in their order.
    pub fn standings(&self) -> impl Iterator<Item = Standing> {
        self.models.iter().filter_map(|(index, model)| self.standing(index, model))
    }

    fn standing(&self, index: usize, model: &ModelEntity) -> Option<Standing> {
        let (link, in_link) = model.canonical.filter(|_| model.is_present)?;
        let spot = self.physics.link_cursor(self.links.get(link)?.physics)?;
        Some(Standing { model: index, spot, in_link: (in_link != Pose::IDENTITY).then_some(in_link) })
    }

    /// How an entity stands and moves.
    #[must_use]
    pub fn motion(&self, standing: &Standing) -> Motion {
        match self.physics.motion(&standing.spot) {
            Some(link) => Motion {
                pose: standing.in_link.map_or(link.pose, |in_link| link.pose * in_link),
                linear: link.velocity[0],
                angular: link.velocity[1],
                acceleration: self.acceleration_by(link.change),
            },
            None => self.motion_now(standing.model),
        }
    }

    /// The same where velocities are not kept yet.
    fn motion_now(&self, model: usize) -> Motion {
        self.entity(model).map_or_else(Motion::default, |entity| Motion {
            pose: entity.pose,
            linear: entity.linear,
            angular: entity.angular,
            acceleration: Acceleration::default(),
        })
    }

    /// Lets velocities be kept from this step on, where somebody wants that and who is there has changed.
    pub(in crate::world) fn keep_motion(&mut self) {
        let Some(watch) = &mut self.watch else { return };
        if watch.roster.as_ref().is_some_and(|known| Arc::ptr_eq(known, &self.roster)) {
            return;
        }
        watch.roster = Some(Arc::clone(&self.roster));
        let carriers = self.models.values().filter_map(|model| model.canonical);
        let links = &self.links;
        let points =
            carriers.filter_map(|(link, in_link)| Some((links.get(link)?.physics, in_link.position)));
        self.physics.keep_velocities(points);
    }

    /// What is known of a model, or of all, is not of the step that led to what is now.
    pub(in crate::world) fn forget_motion(&mut self, model: Option<usize>) {
        match model {
            Some(model) => {
                if let Some(physics) = self.models.get(model).and_then(|model| model.physics) {
                    self.physics.forget_velocities(physics);
                }
            }
            None => {
                if let Some(watch) = &mut self.watch {
                    watch.roster = None;
                }
                self.physics.drop_velocities();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::build;
    use crate::world::entities::{StateChange, Twist};
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
    fn what_is_found_without_looking_is_what_the_entities_are() {
        let mut world = world();
        let twist = Twist { linear: DVec3::X, angular: DVec3::new(0.5, 1.0, -2.0) };
        let turn = StateChange { twist: Some(twist), ..StateChange::default() };
        let standings: Vec<Standing> = world.standings().collect();
        for round in 0..4 {
            if round == 2 {
                // Set after a step: what is kept of it follows.
                world.set_state("bar", &turn).expect("set");
            }
            let before: Vec<_> = world.entities().map(|entity| [entity.linear, entity.angular]).collect();
            let entities: Vec<_> = world.entities().collect();
            assert_eq!(entities.len(), standings.len());
            for (entity, standing) in entities.iter().zip(&standings) {
                let motion = world.motion(standing);
                assert!(motion.pose.position.abs_diff_eq(entity.pose.position, 1e-12), "{motion:?}");
                assert!(motion.pose.rotation.abs_diff_eq(entity.pose.rotation, 1e-12), "{motion:?}");
                assert!(motion.linear.abs_diff_eq(entity.linear, 1e-12), "{motion:?} {entity:?}");
                assert!(motion.angular.abs_diff_eq(entity.angular, 1e-12), "{motion:?}");
            }
            world.watch_accelerations(true);
            world.step().expect("a step");
            for (index, standing) in standings.iter().enumerate() {
                let now = world.entity(index).expect("there");
                let acceleration = world.motion(standing).acceleration;
                let expected = (now.linear - before[index][0]) / 0.001;
                assert!(acceleration.linear.abs_diff_eq(expected, 1e-6), "{acceleration:?} {expected}");
                assert_eq!(acceleration, world.acceleration(index));
            }
        }
        assert!(world.entity(0).expect("there").angular.length() > 2.0);
        assert_eq!(world.acceleration(1), Acceleration::default());
    }
}
