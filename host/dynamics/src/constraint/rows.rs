//! The rows of constraints, of couplings, and of what acts along axes.

use glam::DVec3;

use super::{AxisId, Coupling, Free};
use crate::axis::{AxisRow, Freedom, Slot};
use crate::block::Block;
use crate::rest::Nodes;
use crate::rows::{RowSpec, Rows};
use crate::world::World;

/// The share of an error that is corrected in a step, and the greatest speed of the correction, m/s and rad/s.
const CORRECTED: f64 = 0.2;
const FASTEST: f64 = 3.0;

/// The rows of all constraints of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConstraintRows {
    /// The constraint of each locked row. Each step begins without impulses along these: if several rows hold the same,
    /// those of the last step may have been large, and what they pulled at may have let go.
    locked: Vec<(usize, usize)>,
    /// The coupling of each coupling row.
    coupled: Vec<(usize, usize)>,
    pub(crate) blocks: Vec<Block>,
    groups: Groups,
}

/// Which constraints and couplings depend on each other: the smallest node of each.
#[derive(Clone, Debug, Default)]
struct Groups {
    /// The state of the world's structure for which they were found.
    structure: Option<u64>,
    of_constraints: Vec<usize>,
    of_couplings: Vec<usize>,
}

impl Groups {
    fn update(&mut self, world: &World) {
        if self.structure == Some(world.structure) {
            return;
        }
        let mut nodes = Nodes::new(world);
        let ends = |axis: AxisId| match axis {
            AxisId::Tree { tree, .. } => vec![world.trees[tree].bodies[0]],
            AxisId::Constraint(index) => world.constraints[index].spec.bodies.to_vec(),
        };
        for (_, constraint) in world.constraints.iter() {
            nodes.join(world, &constraint.spec.bodies);
        }
        for (_, &Coupling { leader, follower, .. }) in world.couplings.iter() {
            nodes.join(world, &[ends(leader), ends(follower)].concat());
        }
        self.structure = Some(world.structure);
        let group = |nodes: &mut Nodes, bodies: &[usize]| {
            bodies.iter().filter_map(|&body| nodes.find(world, body)).min().unwrap_or(0)
        };
        self.of_constraints = (0..world.constraints.end())
            .map(|index| world.constraints.get(index).map_or(0, |one| group(&mut nodes, &one.spec.bodies)))
            .collect();
        self.of_couplings = (0..world.couplings.end())
            .map(|index| world.couplings.get(index).map_or(0, |one| group(&mut nodes, &ends(one.follower))))
            .collect();
    }
}

fn correction(error: f64, step: f64) -> f64 {
    (CORRECTED * error / step).clamp(-FASTEST, FASTEST)
}

impl ConstraintRows {
    /// Makes the rows. Returns true if any error is corrected.
    pub(crate) fn make(&mut self, world: &World, rows: &mut Rows) -> bool {
        self.locked.clear();
        self.coupled.clear();
        self.blocks.clear();
        let mut corrects = false;
        if world.constraints.len() == 0 && world.couplings.len() == 0 {
            return false;
        }
        for (index, constraint) in world.constraints.iter().filter(|(_, one)| one.is_active(world)) {
            let reading = constraint.read(world);
            for axis in (0..6).filter(|&axis| constraint.is_locked(axis)) {
                let direction = reading.axes.col(axis % 3);
                let (wrench, error) = if axis < 3 {
                    ([direction, DVec3::ZERO], reading.offset[axis])
                } else {
                    ([DVec3::ZERO, direction], reading.turn[axis - 3])
                };
                let prescribed = rows.add_relative(world, constraint.spec.bodies, reading.at, wrench, 1.0);
                let back = correction(error, world.settings.step);
                corrects |= back.abs() > 1e-9;
                let bias = [prescribed + back, prescribed];
                let range = [f64::NEG_INFINITY, f64::INFINITY];
                self.locked.push((index, rows.finish(RowSpec { bias, softness: 0.0, range, impulse: 0.0 })));
            }
        }
        for (index, coupling) in world.couplings.iter() {
            corrects |= self.make_coupling(world, rows, index, coupling);
        }
        rows.respond(world);
        self.make_blocks(world, rows);
        corrects
    }

    fn make_coupling(&mut self, world: &World, rows: &mut Rows, index: usize, coupling: &Coupling) -> bool {
        let &Coupling { leader, follower, ratio, offset } = coupling;
        if !world.is_axis_awake(leader) && !world.is_axis_awake(follower) {
            return false;
        }
        let mut prescribed = 0.0;
        for (axis, factor) in [(follower, 1.0), (leader, -ratio)] {
            prescribed += add_axis(world, rows, axis, factor);
        }
        let error = world.axis_position(follower) - ratio * world.axis_position(leader) - offset;
        let back = correction(error, world.settings.step);
        let bias = [prescribed + back, prescribed];
        let range = [f64::NEG_INFINITY, f64::INFINITY];
        let spec = RowSpec { bias, softness: 0.0, range, impulse: 0.0 };
        self.coupled.push((index, rows.finish(spec)));
        back.abs() > 1e-9
    }

    /// Puts the rows of constraints that share bodies or trees into one block.
    fn make_blocks(&mut self, world: &World, rows: &mut Rows) {
        self.groups.update(world);
        let groups = &self.groups;
        let members = self.locked.iter().map(|&(index, row)| (groups.of_constraints[index], row));
        let coupled = self.coupled.iter().map(|&(index, row)| (groups.of_couplings[index], row));
        let mut members: Vec<(usize, usize)> =
            members.chain(coupled).filter(|(_, row)| !rows.is_rigid(*row)).collect();
        members.sort_by_key(|(component, _)| *component);
        for block in members.chunk_by(|one, other| one.0 == other.0) {
            for part in block.chunks(MAX_ROWS) {
                self.blocks.push(Block::new(rows, part.iter().map(|(_, row)| *row).collect()));
            }
        }
    }
}

/// The most rows that are solved together; the time grows with their third power.
const MAX_ROWS: usize = 120;

/// Adds an axis to the row that is being made; returns the part of its velocity that the caller prescribes.
fn add_axis(world: &World, rows: &mut Rows, axis: AxisId, factor: f64) -> f64 {
    match axis {
        AxisId::Tree { tree, freedom } => {
            if world.is_axis_awake(axis) {
                rows.add_freedom(world, tree, freedom, factor);
            }
            0.0
        }
        AxisId::Constraint(index) => {
            let constraint = &world.constraints[index];
            let (at, wrench) = constraint.axis_wrench(world);
            rows.add_relative(world, constraint.spec.bodies, at, wrench, factor)
        }
    }
}

/// The rows of what acts along axes.
#[derive(Clone, Debug, Default)]
pub(crate) struct AxisRows {
    rows: Vec<(AxisId, AxisRow, usize)>,
}

impl AxisRows {
    /// Makes the rows.  Returns true if any position is corrected.
    pub(crate) fn make(&mut self, world: &World, rows: &mut Rows) -> bool {
        self.rows.clear();
        let mut corrects = false;
        for (tree, one) in world.trees.iter().filter(|(_, tree)| world.bodies[tree.bodies[0]].is_awake()) {
            for freedom in one.first_joint_freedom()..one.skeleton.freedoms {
                if one.freedoms[freedom].has_rows() {
                    let axis = AxisId::Tree { tree, freedom };
                    corrects |= self.add(world, rows, axis, &one.freedoms[freedom], false);
                }
            }
        }
        for (index, constraint) in world.constraints.iter().filter(|(_, one)| one.is_active(world)) {
            if matches!(constraint.spec.free, Free::Turning | Free::Sliding) {
                corrects |= self.add(world, rows, AxisId::Constraint(index), &constraint.freedom, true);
            }
        }
        rows.respond(world);
        corrects
    }

    fn add(&mut self, world: &World, rows: &mut Rows, axis: AxisId, freedom: &Freedom, all: bool) -> bool {
        let mut corrects = false;
        freedom.for_each_row(all, |made| {
            let prescribed = add_axis(world, rows, axis, 1.0);
            let AxisRow { slot, bias, softness, range, impulse } = made;
            corrects |= (bias[0] - bias[1]).abs() > 1e-9;
            let spec = RowSpec { bias: bias.map(|one| one + prescribed), softness, range, impulse };
            let row = rows.finish(spec);
            rows.rows[row].is_speed_limit = slot == Some(Slot::Speed);
            self.rows.push((axis, made, row));
        });
        corrects
    }

    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        self.rows.iter().map(|(_, _, row)| *row)
    }

    pub(crate) fn keep(&self, rows: &Rows, world: &mut World) {
        for (axis, made, row) in &self.rows {
            if let (Some(slot), Some(freedom)) = (made.slot, world.freedom_mut(*axis)) {
                freedom.keep(slot, rows.rows[*row].impulse);
            }
        }
    }
}
