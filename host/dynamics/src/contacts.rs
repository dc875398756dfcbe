//! Contacts as rows: the normal at each point, and friction.
//!
//! Friction acts at the middle of a surface, along two tangents, and about the normal with the levers of the points. Without
//! a direction it has one cone for both tangents; by direction, each of them has a limit of its own. On a belt it acts at each
//! point of the surface, along the directions there, in a cone if both coefficients are equal.
//!
//! Normals of opposite points are solved in pairs, exactly: one alone would turn a face that falls flat.

mod surfaces;

use fearless_simd::Simd;
use glam::DVec3;

use crate::lanes::Lanes;
use crate::narrow::{POINTS, Placed};
use crate::pair::Touch;
use crate::rows::{Pass, Rows};
use crate::world::World;
use surfaces::Surfaces;

/// The share of an overlap that is corrected in a step.
pub(crate) const CORRECTED: f64 = 0.2;
/// Overlaps that are left, metres: without them contacts come and go.
pub(crate) const SLOP: f64 = 5e-6;
/// The greatest speed at which bodies are pushed apart that came to overlap, m/s.
pub(crate) const PUSH: f64 = 3.0;

/// The rows of a surface that is touched.
#[derive(Clone, Debug)]
pub(crate) struct ContactRows {
    pub(crate) pair: usize,
    pub(crate) touch: usize,
    count: usize,
    /// The rows of the normals.
    normals: [Option<usize>; POINTS],
    /// Opposite points, and the change of the velocity at one by an impulse at the other.
    opposite: [Option<(usize, usize, f64)>; 2],
    friction: FrictionRows,
    /// The directions of friction, world.
    tangents: [[DVec3; 2]; POINTS],
    placed: Placed,
}

#[derive(Clone, Debug)]
enum FrictionRows {
    None,
    /// At the middle: both tangents, and about the normal with the lever of each point.
    Middle {
        rows: [Option<usize>; 3],
        limit: FrictionLimit,
        levers: [f64; POINTS],
    },
    /// At each point: both directions with their coefficients.
    Points {
        rows: [[Option<usize>; 2]; POINTS],
        coefficients: [f64; 2],
    },
}

/// The greatest friction for each newton of the normal force.
#[derive(Clone, Copy, Debug)]
enum FrictionLimit {
    Cone(f64),
    ByDirection([f64; 2]),
}

impl ContactRows {
    /// Makes the rows of all surfaces that touch and that forces can move, except those that `lanes` take. Returns true if
    /// any overlap is corrected.
    pub(crate) fn make(
        world: &World,
        allowed: &[f64],
        rows: &mut Rows,
        lanes: &mut Lanes,
        out: &mut Vec<Self>,
    ) -> bool {
        out.clear();
        let mut corrects = false;
        for (index, pair) in world.pairs.iter() {
            if pair.touches.is_empty() {
                continue;
            }
            let colliders = pair.colliders.map(|collider| &world.colliders[collider]);
            let bodies = colliders.map(|collider| &world.bodies[collider.body]);
            let moves = bodies.map(|body| body.is_dynamic() && body.is_awake());
            if moves == [false; 2] || !colliders[0].pushes(colliders[1]) {
                continue;
            }
            for (place, touch) in pair.touches.iter().enumerate() {
                if lanes.take(world, index, place, allowed[index]) {
                    continue;
                }
                let placed = touch.manifold.at(&bodies[0].pose, &bodies[1].pose);
                let surfaces = Surfaces { colliders, pair, touch, placed, allowed: allowed[index] };
                let mut made = surfaces.rows(world, rows, &mut corrects);
                (made.pair, made.touch) = (index, place);
                out.push(made);
            }
        }
        corrects
    }

    /// Solves friction, and then the normals, which have the last word. Returns the largest change of a velocity.
    #[inline(always)]
    pub(crate) fn solve<S: Simd>(&self, simd: S, rows: &mut Rows, pass: Pass) -> f64 {
        let mut largest = self.solve_friction(simd, rows, pass);
        let mut is_paired = [false; POINTS];
        for &(i, j, coupling) in self.opposite.iter().flatten() {
            (is_paired[i], is_paired[j]) = (true, true);
            if let [Some(one), Some(other)] = [self.normals[i], self.normals[j]] {
                largest = largest.max(rows.solve_pair(simd, [one, other], coupling, pass));
            }
        }
        for (row, _) in self.normals.iter().zip(is_paired).filter(|(_, is_paired)| !is_paired) {
            if let Some(row) = row {
                largest = largest.max(rows.solve(simd, *row, pass).abs());
            }
        }
        largest
    }

    #[inline(always)]
    fn solve_friction<S: Simd>(&self, simd: S, rows: &mut Rows, pass: Pass) -> f64 {
        let mut largest: f64 = 0.0;
        match &self.friction {
            FrictionRows::None => {}
            FrictionRows::Middle { rows: own, limit, levers } => {
                let (mut force, mut lever) = (0.0, 0.0);
                for (normal, arm) in self.normals.iter().zip(levers) {
                    let impulse = impulse_of(rows, *normal);
                    force += impulse;
                    lever += impulse * arm;
                }
                match limit {
                    FrictionLimit::Cone(coefficient) => {
                        largest = largest.max(cone(simd, rows, [own[0], own[1]], coefficient * force, pass));
                    }
                    FrictionLimit::ByDirection(coefficients) => {
                        for (row, coefficient) in own.iter().zip(coefficients) {
                            largest = largest.max(within(simd, rows, *row, coefficient * force, pass));
                        }
                    }
                }
                largest = largest.max(within(simd, rows, own[2], lever, pass));
            }
            FrictionRows::Points { rows: own, coefficients } => {
                for (index, own) in own.iter().enumerate().take(self.count) {
                    let force = impulse_of(rows, self.normals[index]);
                    if coefficients[0] == coefficients[1] {
                        largest = largest.max(cone(simd, rows, *own, coefficients[0] * force, pass));
                        continue;
                    }
                    for (row, coefficient) in own.iter().zip(coefficients) {
                        largest = largest.max(within(simd, rows, *row, coefficient * force, pass));
                    }
                }
            }
        }
        largest
    }

    /// Keeps the impulses for the next step.
    pub(crate) fn keep(&self, rows: &Rows, touch: &mut Touch) {
        let impulse = |row| impulse_of(rows, row);
        touch.normal = self.normals.map(impulse);
        if self.count == POINTS && self.normals.iter().all(Option::is_some) {
            spread(self.placed.normal, &self.placed.at, &mut touch.normal);
        }
        touch.friction = [[0.0; 3]; POINTS];
        touch.drag = DVec3::ZERO;
        match &self.friction {
            FrictionRows::None => {}
            FrictionRows::Middle { rows: own, .. } => touch.friction[0] = own.map(impulse),
            FrictionRows::Points { rows: own, .. } => {
                touch.friction = own.map(|[one, other]| [impulse(one), impulse(other), 0.0]);
            }
        }
        for (impulses, [one, other]) in touch.friction.iter().zip(self.tangents) {
            touch.drag += one * impulses[0] + other * impulses[1];
        }
    }
}

/// Spreads the impulses of a face with four points as evenly as their sum and torque allow. Pairs give the first pair
/// everything.
pub(crate) fn spread(normal: DVec3, at: &[DVec3; POINTS], impulses: &mut [f64; POINTS]) {
    let area = |a: usize, b: usize, c: usize| normal.dot((at[b] - at[a]).cross(at[c] - at[a]));
    // Impulses in these proportions have neither sum nor torque.
    let idle = [area(1, 2, 3), -area(0, 2, 3), area(0, 1, 3), -area(0, 1, 2)];
    let square: f64 = idle.iter().map(|one| one * one).sum();
    if square == 0.0 {
        return;
    }
    let mut way = -impulses.iter().zip(&idle).map(|(one, other)| one * other).sum::<f64>() / square;
    for (impulse, idle) in impulses.iter().zip(&idle) {
        if way * idle < 0.0 {
            way = if way > 0.0 { way.min(impulse / -idle) } else { way.max(impulse / -idle) };
        }
    }
    for (impulse, idle) in impulses.iter_mut().zip(idle) {
        *impulse = (*impulse + way * idle).max(0.0);
    }
}

/// Solves both tangents within a cone.
#[inline(always)]
fn cone<S: Simd>(simd: S, rows: &mut Rows, own: [Option<usize>; 2], most: f64, pass: Pass) -> f64 {
    let (mut old, mut rest, mut inverse) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    for (tangent, row) in own.iter().enumerate() {
        if let Some(row) = *row {
            (old[tangent], rest[tangent]) = (rows.rows[row].impulse, rows.rest(simd, row, pass));
            inverse[tangent] = rows.inverse(row);
        }
    }
    let mut wanted = [old[0] - inverse[0] * rest[0], old[1] - inverse[1] * rest[1]];
    if wanted[0] * wanted[0] + wanted[1] * wanted[1] > most * most {
        // What slides is slowed down against its way: with the same step along both tangents.
        let step = match own {
            [Some(_), Some(_)] => inverse[0].min(inverse[1]),
            _ => inverse[0].max(inverse[1]),
        };
        wanted = [old[0] - step * rest[0], old[1] - step * rest[1]];
        let square = (wanted[0] * wanted[0] + wanted[1] * wanted[1]).max(most * most);
        let scale = most / (square + f64::MIN_POSITIVE).sqrt();
        wanted = [wanted[0] * scale, wanted[1] * scale];
    }
    let mut largest: f64 = 0.0;
    for (tangent, row) in own.iter().enumerate() {
        if let Some(row) = *row {
            largest = largest.max(rows.set_impulse(simd, row, wanted[tangent]).abs());
        }
    }
    largest
}

/// The impulse of a row, if there is one.
#[inline(always)]
fn impulse_of(rows: &Rows, row: Option<usize>) -> f64 {
    match row {
        Some(row) => rows.rows[row].impulse,
        None => 0.0,
    }
}

#[inline(always)]
fn within<S: Simd>(simd: S, rows: &mut Rows, row: Option<usize>, most: f64, pass: Pass) -> f64 {
    let Some(row) = row else { return 0.0 };
    rows.rows[row].range = [-most, most];
    rows.solve(simd, row, pass).abs()
}
