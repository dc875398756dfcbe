//! The dynamics of a tree of `pinocchio_tree.py` by `bridgehead_dynamics`, in the numbers of that file.
//!
//! There, the frame of a link is that of its joint; here, it is at the centre of mass along the principal axes. So the
//! velocities here are V = T v. From M' V̇ + b' = f' with f = Tᵀ f' follow M = Tᵀ M' T and b = Tᵀ (b' + M' Ṫ v), in which only
//! the free root has a part that changes.

use std::iter::zip;

use bridgehead_dynamics::{Equations, Joint, LinkSpec, Mass, Pose, TreeSpec, TreeState};
use bridgehead_sdf::pose::{DQuat, DVec3};
use serde::Deserialize;

use crate::Outcome;
use crate::trees::Dynamics;

#[derive(Deserialize)]
struct File {
    gravity: DVec3,
    links: Vec<Link>,
    states: Vec<State>,
}

#[derive(Deserialize)]
struct Link {
    parent: i64,
    joint: String,
    translation: DVec3,
    rotation: DQuat,
    axis: Option<DVec3>,
    mass: f64,
    center: DVec3,
    moments: DVec3,
    principal: DQuat,
}

#[derive(Deserialize)]
struct State {
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
}

impl Link {
    /// Its principal frame in its own.
    fn inner(&self) -> Pose {
        Pose::from_parts(self.center, self.principal.normalize())
    }

    fn mass(&self) -> Mass {
        Mass { mass: self.mass, moments: self.moments, heavy: self.mass, ..Mass::default() }
    }

    fn joint(&self) -> Outcome<Joint> {
        match self.joint.as_str() {
            "revolute" => Ok(Joint::Revolute),
            "prismatic" => Ok(Joint::Prismatic),
            "ball" => Ok(Joint::Ball),
            other => Err(format!("a joint of an unknown kind: {other}").into()),
        }
    }

    /// The numbers of `q` and of `v`.
    fn lengths(&self) -> [usize; 2] {
        match self.joint.as_str() {
            "free" => [7, 6],
            "ball" => [4, 3],
            _ => [1, 1],
        }
    }
}

/// Returns the dynamics of each state of a file of `pinocchio_tree.py`.
pub(crate) fn dynamics(text: &str) -> Outcome<Vec<Dynamics>> {
    let file: File = serde_json::from_str(text)?;
    let spec = tree(&file.links)?;
    file.states.iter().map(|state| of_state(&file, &spec, state)).collect()
}

/// The frames of links and joints are those of position zero.
fn tree(links: &[Link]) -> Outcome<TreeSpec> {
    let mut frames: Vec<Pose> = Vec::new();
    let mut spec = TreeSpec { root: Pose::IDENTITY, mass: None, links: Vec::new() };
    for link in links {
        let parent = usize::try_from(link.parent).ok();
        let place = Pose::from_parts(link.translation, link.rotation.normalize());
        let frame = parent.map_or(place, |parent| frames[parent] * place);
        frames.push(frame);
        let (pose, mass) = (frame * link.inner(), link.mass());
        let Some(parent) = parent else {
            (spec.root, spec.mass) = (pose, Some(mass));
            continue;
        };
        let (joint, anchor) = (link.joint()?, frame.translation);
        let axis = frame.rotation * link.axis.unwrap_or(DVec3::X);
        spec.links.push(LinkSpec { parent, joint, anchor, axis, pose, mass });
    }
    Ok(spec)
}

fn vector(numbers: &[f64]) -> DVec3 {
    DVec3::from_slice(numbers)
}

fn of_state(file: &File, spec: &TreeSpec, state: &State) -> Outcome<Dynamics> {
    let mut own =
        TreeState { root: spec.root, positions: Vec::new(), turns: Vec::new(), velocities: Vec::new() };
    let (mut q, mut root) = (&state.q[..], None);
    for link in &file.links {
        let [positions, freedoms] = link.lengths();
        let (mine, rest) = q.split_at(positions);
        q = rest;
        let inner = link.inner().rotation;
        let mut turn = DQuat::IDENTITY;
        if link.joint == "free" {
            let place = Pose::from_parts(link.translation, link.rotation.normalize());
            let frame = place * Pose::from_parts(vector(mine), DQuat::from_slice(&mine[3..]).normalize());
            own.root = frame * link.inner();
            root = Some(frame.rotation);
        } else if link.joint == "ball" {
            turn = inner.conjugate() * DQuat::from_slice(mine).normalize() * inner;
        }
        own.turns.push(turn);
        own.positions.extend((0..freedoms).map(|axis| if freedoms == 1 { mine[axis] } else { 0.0 }));
    }
    let change = Change { links: &file.links, root: root.ok_or("no free link")? };
    own.velocities = change.to_own(&state.v);
    let turning = change.turning(&state.v);
    let forces = change.force_to_own(&state.tau);
    let equations = Equations::of(spec, &own, &forces, file.gravity);
    Ok(change.back(&equations, &turning))
}

/// The matrix T of a state.
struct Change<'a> {
    links: &'a [Link],
    /// The rotation of the free link.
    root: DQuat,
}

impl Change<'_> {
    /// T v.
    fn to_own(&self, v: &[f64]) -> Vec<f64> {
        self.by_link(v, |link, part| match link.joint.as_str() {
            "free" => {
                let [linear, angular] = [vector(part), vector(&part[3..])];
                [self.root * (linear + angular.cross(link.center)), self.root * angular]
                    .map(|v| v.to_array())
                    .concat()
            }
            "ball" => (link.inner().rotation.conjugate() * vector(part)).to_array().to_vec(),
            _ => part.to_vec(),
        })
    }

    /// T⁻¹ V.
    fn back_from_own(&self, v: &[f64]) -> Vec<f64> {
        self.by_link(v, |link, part| match link.joint.as_str() {
            "free" => {
                let [linear, angular] = [part, &part[3..]].map(|part| self.root.conjugate() * vector(part));
                [linear - angular.cross(link.center), angular].map(|v| v.to_array()).concat()
            }
            "ball" => (link.inner().rotation * vector(part)).to_array().to_vec(),
            _ => part.to_vec(),
        })
    }

    /// T⁻ᵀ f.
    fn force_to_own(&self, forces: &[f64]) -> Vec<f64> {
        self.by_link(forces, |link, part| match link.joint.as_str() {
            "free" => {
                let [force, torque] = [vector(part), vector(&part[3..])];
                [self.root * force, self.root * (torque - link.center.cross(force))]
                    .map(|v| v.to_array())
                    .concat()
            }
            "ball" => (link.inner().rotation.conjugate() * vector(part)).to_array().to_vec(),
            _ => part.to_vec(),
        })
    }

    /// Tᵀ f'.
    fn force_back_from_own(&self, forces: &[f64]) -> Vec<f64> {
        self.by_link(forces, |link, part| match link.joint.as_str() {
            "free" => {
                let [force, torque] = [part, &part[3..]].map(|part| self.root.conjugate() * vector(part));
                [force, torque + link.center.cross(force)].map(|v| v.to_array()).concat()
            }
            "ball" => (link.inner().rotation * vector(part)).to_array().to_vec(),
            _ => part.to_vec(),
        })
    }

    /// Ṫ v: the free link turns.
    fn turning(&self, v: &[f64]) -> Vec<f64> {
        let (linear, angular) = (vector(v), vector(&v[3..]));
        let change = self.root * angular.cross(linear + angular.cross(self.links[0].center));
        let mut turning = vec![0.0; v.len()];
        turning[..3].copy_from_slice(&change.to_array());
        turning
    }

    fn by_link(&self, numbers: &[f64], of: impl Fn(&Link, &[f64]) -> Vec<f64>) -> Vec<f64> {
        let mut from = 0;
        let parts = self.links.iter().map(|link| {
            let part = from..from + link.lengths()[1];
            from = part.end;
            of(link, &numbers[part])
        });
        parts.collect::<Vec<_>>().concat()
    }

    fn back(&self, own: &Equations, turning: &[f64]) -> Dynamics {
        let freedoms = turning.len();
        let rows = own.mass.chunks_exact(freedoms);
        let times = |v: &[f64]| -> Vec<f64> {
            rows.clone().map(|row| zip(row, v).map(|(a, b)| a * b).sum()).collect()
        };
        let columns = (0..freedoms).map(|column| {
            let unit: Vec<f64> = (0..freedoms).map(|index| f64::from(u8::from(index == column))).collect();
            self.force_back_from_own(&times(&self.to_own(&unit)))
        });
        // It is symmetric, so that its columns are its rows.
        let mass = columns.collect::<Vec<_>>().concat();
        let bias: Vec<f64> = zip(&own.bias, times(turning)).map(|(bias, more)| bias + more).collect();
        let acceleration: Vec<f64> =
            zip(&own.acceleration, turning).map(|(all, turning)| all - turning).collect();
        Dynamics {
            mass,
            bias: self.force_back_from_own(&bias),
            acceleration: self.back_from_own(&acceleration),
        }
    }
}
