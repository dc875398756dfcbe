//! Solves the rows of a step by sweeps over all of them.

#[cfg(test)]
use fearless_simd::Level;
use fearless_simd::{Simd, dispatch};

use crate::body::Owner;
use crate::constraint::{AxisRows, ConstraintRows};
use crate::contacts::ContactRows;
use crate::four::Four;
#[cfg(test)]
use crate::four::Instructions;
use crate::lanes::Lanes;
use crate::rows::{Pass, Rows, stretch_of_body};
use crate::tree::NONE;
use crate::world::World;

/// What a pass needs: with corrections of positions, and without, whose result is only where the next step begins.
const PASSES: [Accuracy; 2] =
    [Accuracy { sweeps: 10, rough: 5e-3, exact: 2e-5 }, Accuracy { sweeps: 4, rough: 2e-2, exact: 1e-4 }];

/// The most sweeps in a pass.
const MAX_SWEEPS: usize = 60;

/// The rows that are solved in the sweeps of a small world: with fewer rows there are more sweeps, up to the most.
const SMALL: usize = 10_000;

/// A change below which nothing is left to do in a small world: what rests there has no velocity.
const VERY_EXACT: f64 = 1e-10;

/// How many sweeps a pass has.
struct Accuracy {
    /// This many, unless they are exact before, or still rough.
    sweeps: usize,
    /// A change of a velocity that is too large to leave it to the next step, m/s and rad/s.
    rough: f64,
    /// A change below which nothing is left to do.
    exact: f64,
}

/// What a step needs beside the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solver {
    pub(crate) rows: Rows,
    pub(crate) awake: Awake,
    axes: AxisRows,
    constraints: ConstraintRows,
    contacts: Vec<ContactRows>,
    lanes: Lanes,
    /// The allowed overlap of each pair.
    pub(crate) allowed: Vec<f64>,
    scratch: Vec<f64>,
    momentum: Momentum,
    /// True if positions are corrected in the step.
    pub(crate) corrects: bool,
}

#[cfg(test)]
impl Solver {
    /// Uses only what every processor of the architecture has.
    pub(crate) fn use_baseline(&mut self) {
        self.rows.instructions = Instructions(Level::baseline());
    }
}

/// What is simulated in a step, by index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Awake {
    pub(crate) trees: Vec<usize>,
    /// Single bodies that forces move.
    pub(crate) singles: Vec<usize>,
    /// Bodies that the caller moves, or that stay where they are. They never sleep.
    pub(crate) callers: Vec<usize>,
}

impl Awake {
    pub(crate) fn find(&mut self, world: &World) {
        self.trees.clear();
        self.trees.extend((0..world.trees.end()).filter(|&tree| world.is_tree_awake(tree)));
        self.singles.clear();
        self.callers.clear();
        for (index, body) in world.bodies.iter() {
            match body.owner {
                Owner::Caller => self.callers.push(index),
                Owner::Forces if body.is_awake() => self.singles.push(index),
                Owner::Forces | Owner::Tree { .. } => {}
            }
        }
    }
}

/// Lets sweeps converge faster: after each one, the impulses go on in the direction of the sweeps before, as in the method
/// of conjugate gradients. Sweeps alone need as many rounds as the ratio of the masses in a pile.
///
/// Silcowitz-Hansen, Niebe, Erleben: A nonsmooth nonlinear conjugate gradient method for interactive contact force
/// problems, 2010.
#[derive(Clone, Debug, Default)]
struct Momentum {
    /// The impulses and velocities before the sweep.
    impulses: Vec<f64>,
    velocities: Vec<Four>,
    /// The direction in which both go on.
    direction: Vec<f64>,
    motion: Vec<Four>,
    /// The square of the last change.
    square: f64,
}

impl Momentum {
    fn start(&mut self, rows: &Rows, lanes: &mut Lanes) {
        lanes.start();
        self.impulses.clear();
        self.impulses.extend(rows.rows.iter().map(|row| row.impulse));
        self.velocities.clear();
        self.velocities.extend_from_slice(&rows.velocities[rows.moving..]);
        self.direction.clear();
        self.direction.resize(self.impulses.len(), 0.0);
        self.motion.clear();
        self.motion.resize(self.velocities.len(), Four::ZERO);
        self.square = f64::INFINITY;
    }

    #[inline(always)]
    fn go_on(&mut self, rows: &mut Rows, lanes: &mut Lanes) {
        let mut square = lanes.square();
        for (index, before) in self.impulses.iter().enumerate() {
            let row = &rows.rows[index];
            let change = row.impulse - before;
            square += change * change * row.yields;
        }
        let share = square / self.square;
        self.square = square;
        let share = (share <= 1.0).then_some(share);
        lanes.go_on(share);
        for (index, before) in self.impulses.iter_mut().enumerate() {
            let row = &mut rows.rows[index];
            go_on(&mut row.impulse, before, &mut self.direction[index], share);
        }
        // Velocities are linear in impulses: they go on alike, without the rows.
        let share = share.map(Four::splat);
        let velocities = rows.velocities[rows.moving..].iter_mut().zip(&mut self.velocities);
        for ((velocity, before), motion) in velocities.zip(&mut self.motion) {
            go_on(velocity, before, motion, share);
        }
    }
}

/// Moves a value by a share of its direction, to which its last change is added; without a share, the direction ends.
#[inline(always)]
pub(crate) fn go_on<N>(value: &mut N, before: &mut N, direction: &mut N, share: Option<N>)
where
    N: Copy + Default + std::ops::Add<Output = N> + std::ops::Sub<Output = N> + std::ops::Mul<Output = N>,
{
    match share {
        Some(share) => {
            let way = *direction * share;
            *direction = way + (*value - *before);
            *value = *value + way;
        }
        None => *direction = N::default(),
    }
    *before = *value;
}

impl Solver {
    /// Makes the rows, and applies the impulses of the last step.
    pub(crate) fn prepare(&mut self, world: &World) {
        self.rows.clear();
        self.rows.load(world, &self.awake.singles);
        self.corrects = self.axes.make(world, &mut self.rows);
        self.corrects |= self.constraints.make(world, &mut self.rows);
        self.lanes.clear(world);
        let (rows, lanes) = (&mut self.rows, &mut self.lanes);
        self.corrects |= ContactRows::make(world, &self.allowed, rows, lanes, &mut self.contacts);
        self.corrects |= lanes.prepare(world, rows.instructions.0, &mut rows.velocities);
        dispatch!(rows.instructions.0, simd => rows.start(simd));
    }

    /// Sweeps over all rows until no velocity changes, each time going on in the direction of the sweeps before.
    pub(crate) fn sweep(&mut self, pass: Pass) {
        dispatch!(self.rows.instructions.0, simd => self.sweep_in(simd, pass));
    }

    #[inline(always)]
    fn sweep_in<S: Simd>(&mut self, simd: S, pass: Pass) {
        let accuracy = &PASSES[pass as usize];
        let affordable = SMALL / (self.rows.rows.len() + self.lanes.rows()).max(1);
        let sweeps = affordable.clamp(accuracy.sweeps, MAX_SWEEPS);
        let exact = if affordable >= MAX_SWEEPS { VERY_EXACT } else { accuracy.exact };
        self.momentum.start(&self.rows, &mut self.lanes);
        for count in 1..=MAX_SWEEPS {
            let change = self.sweep_once(simd, pass);
            let is_enough = count >= sweeps && change < accuracy.rough;
            if change < exact || is_enough || count == MAX_SWEEPS {
                return;
            }
            self.momentum.go_on(&mut self.rows, &mut self.lanes);
        }
    }

    /// Solves each row once; returns the largest change of a velocity.
    #[inline(always)]
    fn sweep_once<S: Simd>(&mut self, simd: S, pass: Pass) -> f64 {
        let mut largest: f64 = 0.0;
        for row in self.axes.indices() {
            largest = largest.max(self.rows.solve(simd, row, pass).abs());
        }
        for block in &self.constraints.blocks {
            largest = largest.max(block.solve(simd, &mut self.rows, pass, &mut self.scratch));
        }
        for contact in &self.contacts {
            largest = largest.max(contact.solve(simd, &mut self.rows, pass));
        }
        largest.max(self.lanes.solve(simd, &mut self.rows.velocities, pass))
    }

    /// Keeps the impulses of the step.
    pub(crate) fn keep(&mut self, world: &mut World) {
        for &index in &self.awake.trees {
            let tree = &mut world.trees[index];
            let first = tree.first_joint_freedom();
            for (freedom, velocity) in tree.freedoms.iter_mut().zip(&tree.velocities).skip(first) {
                freedom.keep_implicit(*velocity);
            }
        }
        for index in 0..world.constraints.end() {
            if world.constraints.get(index).is_some_and(|one| one.is_active(world)) {
                world.constraints[index].freedom.clear();
            }
        }
        self.axes.keep(&self.rows, world);
        for contact in &self.contacts {
            let touch = &mut world.pairs[contact.pair].touches[contact.touch];
            contact.keep(&self.rows, touch);
        }
        self.lanes.keep(|[pair, touch], keep| keep(&mut world.pairs[pair].touches[touch]));
    }
}

impl Rows {
    /// Takes the velocities of all single bodies.
    fn load(&mut self, world: &World, singles: &[usize]) {
        let zero = Four::ZERO;
        self.velocities.clear();
        self.velocities.resize(stretch_of_body(world.bodies.end()), zero);
        self.moving = stretch_of_body(singles.first().map_or(world.bodies.end(), |first| *first));
        for &index in singles {
            let body = &world.bodies[index];
            let (root, roots) = body.roots;
            let linear = body.velocity[0] / root;
            let angular = (body.axes.transpose() * body.velocity[1]) / roots;
            let from = stretch_of_body(index);
            self.velocities[from] = Four::new([linear.x, linear.y, linear.z, 0.0]);
            self.velocities[from + 1] = Four::new([angular.x, angular.y, angular.z, 0.0]);
        }
        self.trees.clear();
        self.trees.resize(world.trees.end(), NONE);
    }

    /// Applies the impulses of the last step.
    #[inline(always)]
    fn start<S: Simd>(&mut self, simd: S) {
        self.condense(simd);
        for index in 0..self.rows.len() {
            let impulse = self.rows[index].impulse;
            if impulse != 0.0 {
                self.apply(simd, index, impulse);
            }
        }
    }
}
