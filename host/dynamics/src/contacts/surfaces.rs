//! Makes the rows of a touch from the surfaces of its colliders.

use fearless_simd::{Level, dispatch};
use glam::DVec3;

use super::{CORRECTED, ContactRows, FrictionLimit, FrictionRows, PUSH, SLOP};
use crate::collider::{Belt, Collider, Directional, Surface, Torsion};
use crate::narrow::{POINTS, Placed};
use crate::pair::{Pair, Touch};
use crate::rows::{RowSpec, Rows};
use crate::world::World;

/// What a touch is about.
pub(super) struct Surfaces<'a> {
    pub(super) colliders: [&'a Collider; 2],
    pub(super) pair: &'a Pair,
    pub(super) touch: &'a Touch,
    pub(super) placed: Placed,
    /// How deep the two may overlap.
    pub(super) allowed: f64,
}

/// Friction by direction of a pair.
struct Combined {
    /// True if the surface with the directions is that of the second collider.
    is_second: bool,
    coefficients: [f64; 2],
    slips: [f64; 2],
    torsion: Option<Torsion>,
}

impl Surfaces<'_> {
    pub(super) fn rows(&self, world: &World, rows: &mut Rows, corrects: &mut bool) -> ContactRows {
        let count = self.touch.manifold.count;
        let mut normals = [None; POINTS];
        for (index, normal) in normals.iter_mut().enumerate().take(count) {
            *normal = Some(self.normal_row(world, rows, index, corrects));
        }
        let mut made = ContactRows {
            pair: 0,
            touch: 0,
            count,
            normals,
            opposite: [None; 2],
            friction: FrictionRows::None,
            tangents: [[DVec3::ZERO; 2]; POINTS],
            placed: self.placed,
        };
        match self.combined() {
            Some(combined) if self.is_belt(&combined) => {
                self.rows_by_point(world, rows, &combined, &mut made);
            }
            combined => self.rows_at_middle(world, rows, combined.as_ref(), &mut made),
        }
        rows.respond(world);
        let couple = |rows: &Rows, i: usize, j: usize| {
            let (one, other) = (normals[i]?, normals[j]?);
            Some((i, j, rows.coupling(one, other)))
        };
        made.opposite = match count {
            2 => [couple(rows, 0, 1), None],
            POINTS => [couple(rows, 0, 2), couple(rows, 1, 3)],
            _ => [None; 2],
        };
        made
    }

    fn relative(&self, world: &World, rows: &mut Rows, at: DVec3, wrench: [DVec3; 2]) -> f64 {
        rows.add_relative(world, self.colliders.map(|collider| collider.body), at, wrench, 1.0)
    }

    fn normal_row(&self, world: &World, rows: &mut Rows, index: usize, corrects: &mut bool) -> usize {
        let (normal, step) = (self.placed.normal, world.settings.step);
        let distance = self.placed.distances[index] + self.allowed;
        // Apart: no closer than touching at the end of the step. Overlapping: pushed out.
        let apart = distance.max(0.0) / step;
        let out = (CORRECTED * (distance + SLOP).min(0.0) / step).max(-PUSH);
        *corrects |= out < -1e-5;
        let prescribed = self.relative(world, rows, self.placed.at[index], [normal, DVec3::ZERO]);
        let row = rows.finish(RowSpec {
            bias: [prescribed + apart + out, prescribed + apart],
            softness: 0.0,
            range: [0.0, f64::INFINITY],
            impulse: self.touch.normal[index],
        });
        let [one, other] = self.colliders.map(|collider| &collider.surface);
        let restitution = one.restitution.min(other.restitution);
        if restitution > 0.0 {
            let speed = dispatch!(Level::baseline(), simd => rows.speed(simd, &rows.rows[row])) + prescribed;
            if speed + apart < 0.0 && -speed >= one.bounce_threshold.min(other.bounce_threshold) {
                let bounce = restitution * speed - apart;
                rows.add_bias(row, bounce);
            }
        }
        row
    }

    fn is_belt(&self, combined: &Combined) -> bool {
        let surface = &self.colliders[usize::from(combined.is_second)].surface;
        surface.directional.is_some_and(|friction| friction.belt.is_some())
    }

    fn rows_at_middle(
        &self,
        world: &World,
        rows: &mut Rows,
        combined: Option<&Combined>,
        made: &mut ContactRows,
    ) {
        let [one, other] = self.colliders.map(|collider| &collider.surface);
        let limit = match combined {
            None => FrictionLimit::Cone(one.friction.min(other.friction)),
            Some(combined) => FrictionLimit::ByDirection(combined.coefficients),
        };
        let coefficient = match limit {
            FrictionLimit::Cone(coefficient) => coefficient,
            FrictionLimit::ByDirection([one, other]) => one.max(other),
        };
        let torsion = combined.and_then(|combined| combined.torsion);
        if coefficient <= 0.0 && torsion.is_none() {
            return;
        }
        let points = &self.placed.at[..made.count];
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let middle = points.iter().sum::<DVec3>() / made.count as f64;
        let normal = self.placed.normal;
        let (tangents, speed) = match combined {
            Some(combined) => self.directions(world, combined, middle),
            None => {
                let first =
                    world.bodies[self.colliders[0].body].pose.rotation * self.touch.manifold.tangent();
                ([first, normal.cross(first)], 0.0)
            }
        };
        let along = if combined.is_some_and(|combined| combined.is_second) { -speed } else { speed };
        let mut levers = [0.0; POINTS];
        let mut square: f64 = 0.0;
        for (index, point) in points.iter().enumerate() {
            let arm = (*point - middle).length();
            square = square.max(arm * arm);
            let turning = torsion.map_or(0.0, |torsion| torsion.lever(-self.placed.distances[index]));
            levers[index] = coefficient * arm + turning;
        }
        let softness = self.softness(world, combined, square);
        let turns = made.count > 1 || torsion.is_some();
        let wrenches = [[tangents[0], DVec3::ZERO], [tangents[1], DVec3::ZERO], [DVec3::ZERO, normal]];
        let mut own = [None; 3];
        // About the normal, a single point does not hold.
        for (index, wrench) in wrenches.into_iter().enumerate().take(if turns { 3 } else { 2 }) {
            let prescribed = self.relative(world, rows, middle, wrench);
            let bias = prescribed - if index == 0 { along } else { 0.0 };
            let impulse = self.touch.friction[0][index];
            let spec = RowSpec { bias: [bias; 2], softness: softness[index], range: [0.0; 2], impulse };
            own[index] = Some(rows.finish(spec));
        }
        made.friction = FrictionRows::Middle { rows: own, limit, levers };
        made.tangents[0] = tangents;
    }

    /// How friction gives way along both directions and about the normal, given the square of the largest lever. The slip
    /// is that of the pair, so that each of its surfaces has a share.
    fn softness(&self, world: &World, combined: Option<&Combined>, square: f64) -> [f64; 3] {
        let Some(Combined { slips, .. }) = combined else { return [0.0; 3] };
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let share = self.pair.touches.len() as f64 / world.settings.step;
        let turning = if square > 0.0 { 0.5 * (slips[0] + slips[1]) / square } else { 0.0 };
        [slips[0] * share, slips[1] * share, turning * share]
    }

    /// Combines friction by direction: the smaller coefficients, the sums of the slips, and the directions of the surface
    /// that runs, or of the first one.
    fn combined(&self) -> Option<Combined> {
        let [one, other] = self.colliders.map(|collider| &collider.surface);
        let runs = |directional: Option<Directional>| directional.is_some_and(|one| one.belt.is_some());
        // Of two, the one with the smaller tag was there first.
        let in_order = self.colliders[0].tag <= self.colliders[1].tag;
        let is_second = match (one.directional.is_some(), other.directional.is_some()) {
            (false, false) => return None,
            (true, false) => false,
            (false, true) => true,
            (true, true) => match (runs(one.directional), runs(other.directional)) {
                (true, false) => false,
                (false, true) => true,
                _ => !in_order,
            },
        };
        let of = |surface: &Surface| match surface.directional {
            Some(Directional { coefficients, slips, torsion, .. }) => (coefficients, slips, torsion),
            None => ([surface.friction; 2], [0.0; 2], None),
        };
        let (a, b) = (of(one), of(other));
        let torsion = if is_second { b.2.or(a.2) } else { a.2.or(b.2) };
        Some(Combined {
            is_second,
            coefficients: [0, 1].map(|axis| a.0[axis].min(b.0[axis])),
            slips: [0, 1].map(|axis| a.1[axis] + b.1[axis]),
            torsion,
        })
    }

    fn rows_by_point(&self, world: &World, rows: &mut Rows, combined: &Combined, made: &mut ContactRows) {
        let mut own = [[None; 2]; POINTS];
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let points = self.pair.touches.iter().map(|touch| touch.manifold.count).sum::<usize>() as f64;
        for (index, own) in own.iter_mut().enumerate().take(made.count) {
            let at = self.placed.at[index];
            let (tangents, speed) = self.directions(world, combined, at);
            // The speed is that of the second body along the first direction.
            let along = if combined.is_second { -speed } else { speed };
            for axis in 0..2 {
                let prescribed = self.relative(world, rows, at, [tangents[axis], DVec3::ZERO]);
                let bias = prescribed - if axis == 0 { along } else { 0.0 };
                let softness = combined.slips[axis] * points / world.settings.step;
                let impulse = self.touch.friction[index][axis];
                let spec = RowSpec { bias: [bias; 2], softness, range: [0.0; 2], impulse };
                own[axis] = Some(rows.finish(spec));
            }
            made.tangents[index] = tangents;
        }
        made.friction = FrictionRows::Points { rows: own, coefficients: combined.coefficients };
    }

    /// The directions of friction at a point, and the velocity along the first one that friction works towards, of what
    /// touches the surface.
    fn directions(&self, world: &World, combined: &Combined, at: DVec3) -> ([DVec3; 2], f64) {
        let normal = self.placed.normal;
        let collider = self.colliders[usize::from(combined.is_second)];
        let directional = collider.surface.directional.unwrap_or_default();
        let out = if combined.is_second { -normal } else { normal };
        if let Some(belt) = &directional.belt
            && let Some(along) = driven(belt, world, collider, at, out)
        {
            return ([along, normal.cross(along)], -belt.speed);
        }
        let written = directional.first.map(|(body, direction)| world.bodies[body].pose.rotation * direction);
        let in_plane = |direction: DVec3| direction - normal * direction.dot(normal);
        // A direction along the normal says nothing about the plane.
        let usable = |direction: &DVec3| in_plane(*direction).length_squared() > 1e-12;
        let first = [written, Some(DVec3::X), Some(DVec3::Y)].into_iter().flatten().find(usable);
        let first = in_plane(first.unwrap_or(DVec3::X)).normalize_or(DVec3::X);
        ([first, normal.cross(first)], 0.0)
    }
}

/// The direction against which a belt moves at a contact with the outward normal `out`; `None` along its axis.
fn driven(belt: &Belt, world: &World, collider: &Collider, at: DVec3, out: DVec3) -> Option<DVec3> {
    let axis = world.bodies[collider.body].pose.rotation * belt.axis;
    let forward = out.cross(axis).try_normalize()?;
    let around = belt.center.and_then(|center| out.cross(at - center).try_normalize());
    Some(around.map_or(forward, |around| around * around.dot(forward).signum()))
}
