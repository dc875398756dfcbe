//! Contacts of single bodies with each other and with what does not move, four at a time.
//!
//! A group has one touch in each lane. No two touches of a group move the same body, so that all four are solved at once,
//! with the same formulas as in `contacts`. Groups are made anew in each step.

mod body;
mod group;
mod prepare;
mod vector;

use fearless_simd::{Level, Simd, dispatch};

use crate::body::Owner;
use crate::four::Four;
use crate::pair::Touch;
use crate::rows::Pass;
use crate::world::World;
use group::{Change, Direction, Group};
use prepare::Limits;

/// Groups that share a colour have no body in common; each body may be in one group of each.
const COLOURS: usize = 64;

/// What groups need of a body: the columns of its rotation with its position, and the inverse roots of mass and moments.
type Placed = [Four; 4];

/// The groups of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lanes {
    groups: Vec<Group>,
    directions: Vec<Direction>,
    /// How far the impulses go on before the next sweep, if they do.
    share: Option<Option<Four>>,
    /// The square of the change of the last sweep, in each lane.
    square: Four,
    /// The places of groups, colour by colour.
    colours: Vec<Vec<usize>>,
    /// The colours that each body is used in.
    used: Vec<u64>,
    /// Nothing, and then all bodies.
    bodies: Vec<Placed>,
    is_placed: Vec<bool>,
}

impl Lanes {
    /// Makes the groups, and applies the impulses of the last step. Returns true if any overlap is corrected.
    pub(crate) fn prepare(&mut self, world: &World, level: Level, velocities: &mut [Four]) -> bool {
        let limits = Limits::new(world.settings.step);
        dispatch!(level, simd => self.prepare_in(simd, velocities, limits))
    }

    #[inline(always)]
    fn prepare_in<S: Simd>(&mut self, simd: S, velocities: &mut [Four], limits: Limits) -> bool {
        let mut corrects = false;
        for group in self.colours.iter().flatten() {
            corrects |= self.groups[*group].prepare(simd, &self.bodies, velocities, limits);
        }
        corrects
    }

    /// Begins a step without touches.
    pub(crate) fn clear(&mut self, world: &World) {
        self.groups.clear();
        self.colours.iter_mut().for_each(Vec::clear);
        self.used.clear();
        self.used.resize(world.bodies.end(), 0);
        self.is_placed.clear();
        self.is_placed.resize(world.bodies.end(), false);
        self.bodies.resize(world.bodies.end() + 1, [Four::ZERO; 4]);
    }

    /// Takes the placement of a body.
    fn place(&mut self, world: &World, index: usize) {
        if std::mem::replace(&mut self.is_placed[index], true) {
            return;
        }
        let body = &world.bodies[index];
        let (axes, at) = (body.axes, body.pose.translation);
        let (root, roots) = if body.is_awake() { body.roots } else { Default::default() };
        self.bodies[index + 1] = [
            Four::new([axes.x_axis.x, axes.x_axis.y, axes.x_axis.z, at.x]),
            Four::new([axes.y_axis.x, axes.y_axis.y, axes.y_axis.z, at.y]),
            Four::new([axes.z_axis.x, axes.z_axis.y, axes.z_axis.z, at.z]),
            Four::new([root, roots.x, roots.y, roots.z]),
        ];
    }

    /// Takes a touch, unless it is of another kind: of a link of a tree, of a body that the caller moves, or with friction
    /// by direction.
    pub(crate) fn take(&mut self, world: &World, index: usize, place: usize, allowed: f64) -> bool {
        let pair = &world.pairs[index];
        let colliders = pair.colliders.map(|collider| &world.colliders[collider]);
        let bodies = colliders.map(|collider| collider.body);
        let mut used = 0;
        for body in bodies {
            let one = &world.bodies[body];
            match one.owner {
                Owner::Tree { .. } => return false,
                Owner::Caller if one.speed > 0.0 => return false,
                Owner::Caller => {}
                Owner::Forces => used |= self.used[body],
            }
        }
        if colliders.iter().any(|collider| collider.surface.directional.is_some()) || used == u64::MAX {
            return false;
        }
        let colour = (!used).trailing_zeros() as usize;
        for body in bodies.into_iter().filter(|&body| world.bodies[body].owner == Owner::Forces) {
            self.used[body] |= 1 << colour;
        }
        bodies.into_iter().for_each(|body| self.place(world, body));
        let (group, lane) = self.open_lane(colour);
        let surfaces = colliders.map(|collider| &collider.surface);
        self.groups[group].set(lane, [index, place], bodies, &pair.touches[place], surfaces, allowed);
        true
    }

    /// The next lane of a colour.
    fn open_lane(&mut self, colour: usize) -> (usize, usize) {
        if self.colours.len() <= colour {
            self.colours.resize(COLOURS.min(colour + 1), Vec::new());
        }
        let groups = &mut self.colours[colour];
        if let Some(&last) = groups.last()
            && self.groups[last].count < 4
        {
            return (last, self.groups[last].count);
        }
        groups.push(self.groups.len());
        self.groups.push(Group::default());
        (self.groups.len() - 1, 0)
    }

    /// The number of rows, as if all lanes were taken.
    pub(crate) fn rows(&self) -> usize {
        4 * group::ROWS * self.groups.len()
    }

    /// Solves all groups once; returns the largest change of a velocity.
    #[inline(always)]
    pub(crate) fn solve<S: Simd>(&mut self, simd: S, velocities: &mut [Four], pass: Pass) -> f64 {
        match pass {
            Pass::Correct => self.solve_in::<_, false>(simd, velocities),
            Pass::Relax => self.solve_in::<_, true>(simd, velocities),
        }
    }

    #[inline(always)]
    fn solve_in<S: Simd, const RELAX: bool>(&mut self, simd: S, velocities: &mut [Four]) -> f64 {
        let mut change = Change::none(simd);
        for index in self.colours.iter().flatten() {
            let group = &mut self.groups[*index];
            if let Some(share) = self.share {
                self.directions[*index].go_on(&mut group.impulses, share);
            }
            change = change.and(group.solve::<S, RELAX>(simd, velocities));
        }
        self.square = change.square.into();
        let [a, b, c, d] = change.largest.into();
        a.max(b).max(c.max(d)).sqrt()
    }

    /// Remembers the impulses before a sweep.
    pub(crate) fn start(&mut self) {
        self.share = None;
        self.directions.clear();
        self.directions.extend(self.groups.iter().map(Direction::of));
    }

    /// The square of the change of the last sweep, as an energy.
    pub(crate) fn square(&self) -> f64 {
        self.square.sum()
    }

    /// Lets the next sweep begin with impulses that go on in the direction of the sweeps before by a share of them; the
    /// velocities go on elsewhere.
    pub(crate) fn go_on(&mut self, share: Option<f64>) {
        self.share = Some(share.map(Four::splat));
    }

    /// Keeps the impulses of the touches.
    pub(crate) fn keep(&self, mut touch: impl FnMut([usize; 2], &dyn Fn(&mut Touch))) {
        for group in &self.groups {
            for lane in 0..group.count {
                touch(group.touches[lane], &|touch| group.keep(lane, touch));
            }
        }
    }
}
