//! Which geoms touch: MuJoCo's rules in the bits of SDF.
//!
//! MuJoCo filters by `contype` and `conaffinity`, by pairs of bodies (`<exclude>`), and leaves out bodies that are fixed
//! to each other, and parent and child. SDF has `<self_collide>` for a model and 16 bits for a shape: two shapes touch if
//! the mask of either has a bit of the category of the other. The engine leaves out links with a joint between them.

use crate::mjcf::placed::Placed;
use crate::mjcf::robot::{Geom, Robot, WORLD_BODY};
use std::collections::{BTreeMap, BTreeSet};

/// Bits for shapes of the model; the last one is for those of other models, whose masks have all bits.
const BITS: u16 = 15;
const OTHERS: u16 = 1 << BITS;

/// Groups of shapes that are compared with each other; more are not, because their pairs would be too many.
const MAX_GROUPS: usize = 512;

/// Category and mask of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    pub(crate) category: u16,
    pub(crate) mask: u16,
}

/// The contact filters of a model.
#[derive(Debug)]
pub(crate) struct Contacts {
    /// `<self_collide>` of the model.
    pub(crate) touches_itself: bool,
    /// False if not all rules fit into the bits; links of the model then do not touch each other.
    pub(crate) is_exact: bool,
    bits: BTreeMap<Group, Bits>,
}

/// Shapes of one body that touch the same others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    body: usize,
    contype: u32,
    conaffinity: u32,
}

impl Group {
    fn of(body: usize, geom: &Geom<'_>) -> Self {
        Self { body, contype: geom.contype, conaffinity: geom.conaffinity }
    }
}

/// What is wanted of two groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pair {
    Touch,
    Pass,
    /// They cannot touch, or the engine leaves them out.
    Any,
}

impl Contacts {
    /// Finds the bits of all shapes.
    pub(crate) fn new(robot: &Robot<'_>, placed: &Placed) -> Self {
        let geoms = robot.bodies.iter().enumerate();
        let colliding = geoms.flat_map(|(body, found)| {
            found.geoms.iter().filter(|geom| geom.collides()).map(move |geom| Group::of(body, geom))
        });
        let unique: BTreeMap<Group, ()> = colliding.map(|group| (group, ())).collect();
        let groups: Vec<Group> = unique.into_keys().collect();
        if groups.len() > MAX_GROUPS {
            return Self { touches_itself: false, is_exact: false, bits: BTreeMap::new() };
        }
        let rules = Rules::new(robot, placed);
        let within = rules.table(&groups);
        let touches_itself = rules.some_within(&groups, &within, Pair::Touch);
        if let Some(bits) = bits(&rules.without_own(&groups, within, touches_itself)) {
            return Self::with(touches_itself, true, &groups, &bits);
        }
        let table = rules.without_own(&groups, rules.table(&groups), false);
        let bits = bits(&table).unwrap_or_default();
        Self::with(false, false, &groups, &bits)
    }

    fn with(touches_itself: bool, is_exact: bool, groups: &[Group], bits: &[Bits]) -> Self {
        let bits = groups.iter().copied().zip(bits.iter().copied()).collect();
        Self { touches_itself, is_exact, bits }
    }

    /// The bits of a shape; `None` for those that SDF has without any.
    pub(crate) fn bits(&self, body: usize, geom: &Geom<'_>) -> Option<Bits> {
        self.bits.get(&Group::of(body, geom)).copied()
    }
}

/// What MuJoCo and the engine leave out.
struct Rules<'r> {
    robot: &'r Robot<'r>,
    placed: &'r Placed,
    /// The topmost body to which each body is fixed.
    rigid: Vec<usize>,
    /// The smaller index first.
    excludes: BTreeSet<[usize; 2]>,
}

impl<'r> Rules<'r> {
    fn new(robot: &'r Robot<'_>, placed: &'r Placed) -> Self {
        let mut rigid: Vec<usize> = (0..robot.bodies.len()).collect();
        for (index, body) in robot.bodies.iter().enumerate().skip(1) {
            if body.joints.is_empty() && !body.is_free {
                rigid[index] = rigid[body.parent];
            }
        }
        let excludes = robot.excludes.iter().map(|[a, b]| [*a.min(b), *a.max(b)]).collect();
        Self { robot, placed, rigid, excludes }
    }

    fn table(&self, groups: &[Group]) -> Vec<Vec<Pair>> {
        groups.iter().map(|one| groups.iter().map(|other| self.pair(*one, *other)).collect()).collect()
    }

    fn pair(&self, one: Group, other: Group) -> Pair {
        let (a, b) = (self.rigid[one.body], self.rigid[other.body]);
        if a == b {
            return Pair::Any;
        }
        let [above_a, above_b] = [a, b].map(|body| self.rigid[self.robot.bodies[body].parent]);
        let are_neighbours = a != WORLD_BODY && b != WORLD_BODY && (above_a == b || above_b == a);
        if self.are_joined(one.body, other.body) {
            return Pair::Any;
        }
        let bits = one.contype & other.conaffinity | other.contype & one.conaffinity;
        let is_excluded = self.excludes.contains(&[one.body.min(other.body), one.body.max(other.body)]);
        if bits == 0 || are_neighbours || is_excluded { Pair::Pass } else { Pair::Touch }
    }

    /// Returns true if there is one joint between the links of two bodies.
    fn are_joined(&self, one: usize, other: usize) -> bool {
        let host = |body: usize| self.placed.host[body];
        let is_below = |child: usize, parent: usize| {
            let body = &self.robot.bodies[host(child)];
            let is_below_world = host(body.parent) == WORLD_BODY;
            !body.is_free && !is_below_world && body.joints.len() < 2 && host(body.parent) == host(parent)
        };
        is_below(one, other) || is_below(other, one)
    }

    /// Returns true if both are links of the model, and not of the static model of the world.
    fn are_own(&self, one: Group, other: Group) -> bool {
        [one, other].into_iter().all(|group| self.placed.host[group.body] != WORLD_BODY)
    }

    fn some_within(&self, groups: &[Group], table: &[Vec<Pair>], wanted: Pair) -> bool {
        groups.iter().zip(table).any(|(one, row)| {
            groups.iter().zip(row).any(|(other, pair)| *pair == wanted && self.are_own(*one, *other))
        })
    }

    /// Forgets pairs within the model, if it does not touch itself anyway.
    fn without_own(
        &self,
        groups: &[Group],
        mut table: Vec<Vec<Pair>>,
        touches_itself: bool,
    ) -> Vec<Vec<Pair>> {
        for (one, row) in groups.iter().zip(&mut table) {
            for (other, pair) in groups.iter().zip(row) {
                if !touches_itself && self.are_own(*one, *other) {
                    *pair = Pair::Any;
                }
            }
        }
        table
    }
}

/// Bits for which exactly the wanted pairs touch; empty if none are needed, `None` if they do not suffice.
fn bits(table: &[Vec<Pair>]) -> Option<Vec<Bits>> {
    let count = table.len();
    if !table.iter().flatten().any(|pair| *pair == Pair::Pass) {
        return Some(Vec::new());
    }
    let mut open: Vec<Vec<bool>> =
        table.iter().map(|row| row.iter().map(|pair| *pair == Pair::Touch).collect()).collect();
    let mut bits = vec![Bits { category: OTHERS, mask: 0 }; count];
    for bit in 0..=BITS {
        let opens = |row: &Vec<bool>| row.iter().filter(|open| **open).count();
        let most = (0..count).max_by_key(|index| (opens(&open[*index]), count - index));
        let Some(most) = most.filter(|most| opens(&open[*most]) > 0) else { return Some(bits) };
        if bit == BITS {
            return None;
        }
        // Shapes that may touch all that this one still has to touch get the same bit.
        let touched: Vec<usize> = (0..count).filter(|other| open[most][*other]).collect();
        let may = |one: usize| touched.iter().all(|other| table[one][*other] != Pair::Pass);
        let touching: Vec<usize> = (0..count).filter(|one| may(*one)).collect();
        for one in touching {
            bits[one].category |= 1 << bit;
            for other in &touched {
                (open[one][*other], open[*other][one]) = (false, false);
            }
        }
        for other in touched {
            bits[other].mask |= 1 << bit;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(one: Bits, other: Bits) -> bool {
        one.mask & other.category | other.mask & one.category != 0
    }

    #[test]
    fn the_bits_of_a_chain_let_all_but_neighbours_touch() {
        let count = 15;
        let pair = |one: usize, other: usize| match one.abs_diff(other) {
            0 => Pair::Any,
            1 => Pair::Pass,
            _ => Pair::Touch,
        };
        let table: Vec<Vec<Pair>> =
            (0..count).map(|one| (0..count).map(|other| pair(one, other)).collect()).collect();
        let bits = bits(&table).expect("bits that suffice");
        for one in 0..count {
            for other in 0..count {
                if pair(one, other) != Pair::Any {
                    assert_eq!(
                        touch(bits[one], bits[other]),
                        pair(one, other) == Pair::Touch,
                        "{one} {other}"
                    );
                }
            }
        }
        let outside = Bits { category: u16::MAX, mask: u16::MAX };
        assert!(bits.iter().all(|own| touch(*own, outside)), "everything touches other models");
    }
}
