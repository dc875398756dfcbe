//! Accelerations of entities: what a step changed of their velocities.
//!
//! Kept only while somebody wants them, so that a step costs nothing for those who do not.

use std::sync::Arc;

use crate::physics::{LinkId, Physics};
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
    /// What moves, in order.
    movers: Vec<Mover>,
    /// The roster that the movers are of.
    roster: Option<Arc<()>>,
}

/// What a step needs to know of a model that may move.
#[derive(Debug)]
struct Mover {
    model: usize,
    /// Its canonical link, and where in that the origin of the model is.
    link: LinkId,
    origin: DVec3,
}

impl Mover {
    fn velocities(&self, physics: &Physics) -> Option<[DVec3; 2]> {
        if self.origin == DVec3::ZERO {
            return physics.link_velocity(self.link).map(<[DVec3; 2]>::from);
        }
        let (pose, linear, angular) = physics.link_motion(self.link)?;
        let arm = pose.rotation * self.origin;
        Some([linear + angular.cross(arm), angular])
    }
}

impl Motion {
    fn place_of(&self, model: usize) -> Option<usize> {
        self.before.binary_search_by_key(&model, |(noted, _)| *noted).ok()
    }

    fn at(&self, place: usize) -> Option<&(usize, [DVec3; 2])> {
        self.before.get(place)
    }
}

fn acceleration(entity: &EntityState<'_>, [linear, angular]: [DVec3; 2], width: f64) -> Acceleration {
    Acceleration { linear: (entity.linear - linear) / width, angular: (entity.angular - angular) / width }
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

    fn acceleration_of(&self, entity: &EntityState<'_>) -> Acceleration {
        let index = usize::try_from(entity.id).unwrap_or_default().wrapping_sub(1);
        let noted = self.motion.as_ref().and_then(|motion| motion.at(motion.place_of(index)?));
        noted.map(|(_, before)| acceleration(entity, *before, self.step_width())).unwrap_or_default()
    }

    /// [`Self::entities`] with their accelerations.
    pub fn accelerated(&self) -> impl Iterator<Item = (EntityState<'_>, Acceleration)> {
        // Both are in order: what was noted of the next entity is what comes next, or nothing was.
        let mut noted = self.motion.iter().flat_map(|motion| &motion.before).peekable();
        let width = self.step_width();
        self.entities().map(move |entity| {
            let index = usize::try_from(entity.id).unwrap_or_default().wrapping_sub(1);
            while noted.next_if(|(model, _)| *model < index).is_some() {}
            let before = noted.next_if(|(model, _)| *model == index);
            let acceleration = before.map(|(_, before)| acceleration(&entity, *before, width));
            (entity, acceleration.unwrap_or_default())
        })
    }

    /// Notes velocities before a step: done in every one, so that nothing is looked for.
    pub(in crate::world) fn note_motion(&mut self) {
        let Some(mut motion) = self.motion.take() else { return };
        if !motion.roster.as_ref().is_some_and(|known| Arc::ptr_eq(known, &self.roster)) {
            motion.movers =
                self.models.iter().filter_map(|(index, model)| self.mover(index, model)).collect();
            motion.roster = Some(Arc::clone(&self.roster));
        }
        motion.before.clear();
        let noted = |mover: &Mover| Some((mover.model, mover.velocities(&self.physics)?));
        motion.before.extend(motion.movers.iter().filter_map(noted));
        self.motion = Some(motion);
    }

    /// None of what never moves.
    fn mover(&self, index: usize, model: &ModelEntity) -> Option<Mover> {
        if model.is_static || !model.is_present {
            return None;
        }
        let (link, in_link) = model.canonical?;
        Some(Mover { model: index, link: self.links.get(link)?.physics, origin: in_link.position })
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
        let velocities = |model: usize| {
            let model_entity = &world.models()[model];
            world.mover(model, model_entity).and_then(|mover| mover.velocities(&world.physics))
        };
        assert_eq!(velocities(0), Some([bar.linear, bar.angular]));
        assert!(bar.angular.length() > 2.0 && bar.linear != DVec3::X, "{bar:?}");
        assert_eq!(velocities(1), None);
    }
}
