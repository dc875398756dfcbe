//! The contacts of the last step, for contact sensors and for what joints transmit.

use std::cmp::Ordering;

use bridgehead_sdf::pose::DVec3;
use rapier3d_f64::geometry::{ColliderHandle, ColliderSet, ContactManifold, ContactPair};

use super::filter::Tag;
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
    /// The friction on the first, in the world, newtons. The engine does not know how friction is distributed
    /// over the points of one surface: it is shared in proportion to their normal forces.
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
        let mut contacts = Vec::new();
        for pair in self.rapier.narrow_phase.contact_pairs() {
            self.read_pair(pair, |contact| contacts.push(contact));
        }
        sort(&mut contacts);
        contacts
    }

    /// Writes the contacts of one collision that pushed in the last substep into a reused buffer; returns
    /// false if the collision does not exist.
    pub fn contacts_of(&self, id: CollisionId, contacts: &mut Vec<Contact>) -> bool {
        contacts.clear();
        let Some(collider) = self.collider(id) else { return false };
        self.read_collider(collider, |contact| contacts.push(contact));
        sort(contacts);
        true
    }

    /// Calls `take` with every contact of a collider.
    pub(super) fn read_collider(&self, collider: ColliderHandle, mut take: impl FnMut(Contact)) {
        for pair in self.rapier.narrow_phase.contact_pairs_with(collider) {
            self.read_pair(pair, &mut take);
        }
    }

    fn read_pair(&self, pair: &ContactPair, mut take: impl FnMut(Contact)) {
        let Some(side) = Side::of(pair, &self.rapier.colliders) else { return };
        let substep = self.settings.substep();
        let Some(directional) = self.directional.force_on_first(side.collisions) else {
            pair.manifolds().iter().for_each(|manifold| side.read(manifold, substep, &mut take));
            return;
        };
        // Shared like the friction that the engine knows.
        let points = || pair.manifolds().iter().flat_map(|manifold| &manifold.points);
        let total = points().map(|touch| touch.data.impulse).sum::<f64>() / substep;
        let mut take = |contact: Contact| {
            let share = if total > 0.0 { contact.force / total } else { 0.0 };
            take(Contact { friction: contact.friction + directional * share, ..contact });
        };
        pair.manifolds().iter().for_each(|manifold| side.read(manifold, substep, &mut take));
    }
}

fn sort(contacts: &mut [Contact]) {
    contacts.sort_by(Contact::order);
}

/// A pair as rapier stores it, and whether its first collider is the second here.
struct Side<'a> {
    first: &'a rapier3d_f64::geometry::Collider,
    collisions: [CollisionId; 2],
    is_swapped: bool,
    /// True if the contacts of the pair exert forces.
    pushes: bool,
}

impl<'a> Side<'a> {
    fn of(pair: &ContactPair, colliders: &'a ColliderSet) -> Option<Self> {
        let (first, second) = (colliders.get(pair.collider1)?, colliders.get(pair.collider2)?);
        let tags = [Tag::of(first), Tag::of(second)];
        let (ids, pushes) = (tags.map(|tag| tag.collision), !tags[0].only_feels(tags[1]));
        let is_swapped = ids[0] > ids[1];
        let collisions = if is_swapped { [ids[1], ids[0]] } else { ids };
        Some(Side { first, collisions, is_swapped, pushes })
    }

    /// Calls `take` with the points of a manifold that pushed during a substep of `substep` seconds, or that
    /// overlap if the pair exerts no forces.
    fn read(&self, manifold: &ContactManifold, substep: f64, take: &mut impl FnMut(Contact)) {
        let sign = if self.is_swapped { -1.0 } else { 1.0 };
        let touches = |impulse: f64, dist: f64| if self.pushes { impulse > 0.0 } else { dist <= 0.0 };
        let pushing = || manifold.points.iter().filter(|touch| touches(touch.data.impulse, touch.dist));
        // rapier stores friction as one impulse of the whole surface, over the last of its iterations.
        let last: f64 = pushing().map(|touch| touch.data.warmstart_impulse).sum();
        for touch in pushing() {
            let local =
                manifold.subshape_pos1().map_or(touch.local_p1, |pose| pose.transform_point(touch.local_p1));
            let share = if last > 0.0 { touch.data.impulse / last } else { 0.0 };
            take(Contact {
                collisions: self.collisions,
                point: self.first.position().transform_point(local),
                normal: manifold.data.normal * sign,
                depth: -touch.dist,
                force: touch.data.impulse / substep,
                friction: touch.data.warmstart_tangent_world * (sign * share / substep),
            });
        }
    }
}
