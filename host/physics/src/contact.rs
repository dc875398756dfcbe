//! The contacts of the last step, for contact sensors and for what joints transmit.

use std::cmp::Ordering;

use bridgehead_dynamics::ContactPoint;
use bridgehead_pose::DVec3;

use super::id::CollisionId;
use super::world::Physics;

/// A point where two collisions touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// The two collisions, the one with the smaller id first.
    pub collisions: [CollisionId; 2],
    /// Where they touch, in the world.
    pub point: DVec3,
    /// The direction from the first to the second, in the world, of length one.
    pub normal: DVec3,
    /// How deep they overlap, metres; negative for a gap.
    pub depth: f64,
    /// The force along the normal, newtons.
    pub force: f64,
    /// The friction on the first, in the world, newtons. Friction acts on a surface as a whole; it is
    /// shared by its points in proportion to their normal forces.
    pub friction: DVec3,
}

impl Contact {
    /// Compares by collisions and position: an order that depends only on the history of the world.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let place = || self.point.to_array().partial_cmp(&other.point.to_array());
        self.collisions.cmp(&other.collisions).then_with(|| place().unwrap_or(Ordering::Equal))
    }

    /// Returns the force of the second on the first, in the world, newtons.
    #[must_use]
    pub fn force_on_first(&self) -> DVec3 {
        self.friction - self.normal * self.force
    }
}

impl Physics {
    /// Returns every contact that pushed or was sensed in the last substep, sorted by collisions and
    /// position.
    pub fn contacts(&self) -> Vec<Contact> {
        let (mut contacts, substep) = (Vec::new(), self.settings.substep());
        self.world.for_each_contact(|point| contacts.push(contact(&point, substep)));
        contacts.sort_by(Contact::order);
        contacts
    }

    /// Writes the contacts of one collision that pushed in the last substep into a reused buffer; returns
    /// false if the collision does not exist.
    pub fn contacts_of(&self, id: CollisionId, contacts: &mut Vec<Contact>) -> bool {
        contacts.clear();
        if !self.collisions.contains(id) {
            return false;
        }
        self.read_collision(id, |contact| contacts.push(contact));
        contacts.sort_by(Contact::order);
        true
    }

    /// Calls `take` with every contact of a collision.
    pub(super) fn read_collision(&self, id: CollisionId, mut take: impl FnMut(Contact)) {
        let substep = self.settings.substep();
        for &collider in self.collisions.get(id).into_iter().flat_map(|collision| &collision.colliders) {
            self.world.for_each_contact_of(collider, |point| take(contact(&point, substep)));
        }
    }
}

/// A contact of a substep in the terms of this crate.
fn contact(point: &ContactPoint, substep: f64) -> Contact {
    let ContactPoint { tags, point, normal, depth, impulse, drag } = *point;
    let [one, other] = tags.map(CollisionId);
    let is_swapped = one > other;
    let sign = if is_swapped { -1.0 } else { 1.0 };
    Contact {
        collisions: if is_swapped { [other, one] } else { [one, other] },
        point,
        normal: normal * sign,
        depth,
        force: impulse / substep,
        // Friction on the second is the opposite of that on the first.
        friction: drag * (-sign / substep),
    }
}
