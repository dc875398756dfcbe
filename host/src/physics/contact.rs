//! The contacts of the last step, for contact sensors and collision reports.

use rapier3d_f64::geometry::{ColliderSet, ContactPair};

use super::filter::Tag;
use super::id::CollisionId;
use super::world::Physics;
use crate::pose::DVec3;

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
}

impl Physics {
    /// Every contact that pushed in the last substep, ordered by collisions and place.
    pub fn contacts(&self) -> Vec<Contact> {
        let substep = self.settings.substep();
        let pairs = self.rapier.narrow_phase.contact_pairs();
        let mut contacts: Vec<Contact> =
            pairs.flat_map(|pair| contacts_of(pair, &self.rapier.colliders, substep)).collect();
        contacts.sort_by(|a, b| {
            let place = || a.point.to_array().partial_cmp(&b.point.to_array());
            a.collisions.cmp(&b.collisions).then_with(|| place().unwrap_or(std::cmp::Ordering::Equal))
        });
        contacts
    }
}

fn contacts_of(pair: &ContactPair, colliders: &ColliderSet, substep: f64) -> Vec<Contact> {
    let (Some(first), Some(second)) = (colliders.get(pair.collider1), colliders.get(pair.collider2)) else {
        return Vec::new();
    };
    let ids = [Tag::of(first).collision, Tag::of(second).collision];
    let swap = ids[0] > ids[1];
    let collisions = if swap { [ids[1], ids[0]] } else { ids };
    let mut contacts = Vec::new();
    for manifold in pair.manifolds() {
        let normal = if swap { -manifold.data.normal } else { manifold.data.normal };
        for touch in manifold.points.iter().filter(|touch| touch.data.impulse > 0.0) {
            let local =
                manifold.subshape_pos1().map_or(touch.local_p1, |pose| pose.transform_point(touch.local_p1));
            contacts.push(Contact {
                collisions,
                point: first.position().transform_point(local),
                normal,
                depth: -touch.dist,
                force: touch.data.impulse / substep,
            });
        }
    }
    contacts
}
