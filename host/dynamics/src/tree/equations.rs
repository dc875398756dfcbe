//! The equations of motion of a tree as numbers, to compare them with those of others.

use glam::{DQuat, DVec3};
use rapier3d_f64::math::Pose;

use super::{NONE, Tree, TreeSpec};

/// The state of a tree.
#[derive(Clone, Debug)]
pub struct TreeState {
    /// The pose of the root.
    pub root: Pose,
    /// Radians or metres, one for each degree of freedom in the order of [`Equations`]; those of a free root and of ball
    /// joints are not used.
    pub positions: Vec<f64>,
    /// The rotation of the ball joint of each link relative to its pose in the [`TreeSpec`], the root first; that of other
    /// links is not used.
    pub turns: Vec<DQuat>,
    /// The velocity of each degree of freedom.
    pub velocities: Vec<f64>,
}

/// The equations M a + b = f of a tree in a state, as they are solved in a step.
///
/// The degrees of freedom are, in this order: of a free root, the velocity of its centre of mass (m/s) and its angular
/// velocity (rad/s), in world axes; then those of each link: m/s or rad/s, and of a ball joint the angular velocity relative
/// to the parent, in the axes of the link.
#[derive(Clone, Debug)]
pub struct Equations {
    /// The rows of the mass matrix M, one after the other.
    pub mass: Vec<f64>,
    /// The bias forces b, which contain gravity, N and N m.
    pub bias: Vec<f64>,
    /// The accelerations a by the given forces f.
    pub acceleration: Vec<f64>,
}

impl Equations {
    /// Returns the equations of a tree with a free root, or with one that does not move. `forces` are those along the
    /// degrees of freedom, N and N m; what acts along axes is not included.
    ///
    /// # Panics
    /// Panics if the lengths of the lists are not those of the tree.
    #[must_use]
    pub fn of(spec: &TreeSpec, state: &TreeState, forces: &[f64], gravity: DVec3) -> Self {
        let mut tree = Tree::new(spec);
        let freedoms = tree.skeleton.freedoms;
        tree.poses[0] = state.root;
        tree.positions.copy_from_slice(&state.positions);
        tree.turns.copy_from_slice(&state.turns);
        tree.velocities[..freedoms].copy_from_slice(&state.velocities);
        tree.update();
        // The length of the step matters for roots that are accelerated and for decaying velocities only.
        tree.equations(1.0, gravity);
        let bias: Vec<f64> = tree.work.pull[..freedoms].iter().map(|pull| -pull).collect();
        let mass = tree.mass_matrix();
        tree.factor();
        let mut acceleration = tree.work.pull.clone();
        acceleration[..freedoms].iter_mut().zip(forces).for_each(|(pull, force)| *pull += force);
        assert_eq!(forces.len(), freedoms, "one force for each degree of freedom");
        tree.solve(&mut acceleration);
        acceleration.truncate(freedoms);
        Self { mass, bias, acceleration }
    }
}

impl Tree {
    /// The whole matrix; its factors use the columns of the degrees of freedom above each row.
    pub(super) fn mass_matrix(&self) -> Vec<f64> {
        let (freedoms, stride) = (self.skeleton.freedoms, self.skeleton.stride());
        let mut whole = vec![0.0; freedoms * freedoms];
        for row in 0..freedoms {
            let mut column = row;
            while column != NONE {
                let value = self.work.matrix[row * stride + column];
                whole[row * freedoms + column] = value;
                whole[column * freedoms + row] = value;
                column = self.skeleton.up[column];
            }
        }
        whole
    }
}
