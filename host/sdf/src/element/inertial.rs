//! `<inertial>`: mass, centre of mass and moments of inertia of a link. `auto` is only recorded here;
//! computing inertia needs the shapes and is done where bodies are built. Plain values, usable from any
//! thread.

use bridgehead_pose::Pose;
use glam::{DMat3, DVec3};

/// An `<inertial>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Inertial {
    /// Mass, kg.
    pub mass: f64,
    /// True if `<mass>` was written: with `auto`, a written mass rescales the computed inertia.
    pub mass_given: bool,
    /// The inertia frame (origin: centre of mass) in the link frame.
    pub pose: Pose,
    /// Diagonal moments ixx, iyy, izz about the centre of mass in the inertia frame, kg·m².
    pub diagonal: DVec3,
    /// Products ixy, ixz, iyz in the inertia frame, kg·m².
    pub products: DVec3,
    /// `auto="true"`: mass, centre of mass and inertia follow from the collision shapes and their densities.
    pub auto: bool,
    /// `<density>` for `auto`, kg/m³; a collision's own density takes precedence.
    pub density: Option<f64>,
}

impl Inertial {
    /// The symmetric inertia matrix about the centre of mass, in the inertia frame, kg·m².
    #[must_use]
    pub fn matrix(&self) -> DMat3 {
        let (d, p) = (self.diagonal, self.products);
        DMat3::from_cols(DVec3::new(d.x, p.x, p.y), DVec3::new(p.x, d.y, p.z), DVec3::new(p.y, p.z, d.z))
    }

    /// Returns true if a real body can have this inertia: positive definite, and no principal moment above
    /// the sum of the other two.
    ///
    /// With J = ½·trace(I)·1 − I, the second condition means that J has no negative eigenvalue; both are
    /// tested by leading minors, with tolerance for rounding.
    #[must_use]
    pub fn is_physical(&self) -> bool {
        let inertia = self.matrix();
        let trace = self.diagonal.element_sum();
        let mass_distribution = DMat3::from_diagonal(DVec3::splat(trace / 2.0)) - inertia;
        let room = ROUNDING * trace;
        trace > 0.0 && minors_at_least(inertia, room) && minors_at_least(mass_distribution, room)
    }
}

impl Inertial {
    /// Returns moments in place of those that no body can have, and how they are found: without the products, as CLOiSim
    /// reads every inertia, if that is the inertia of a body; otherwise one that fits the size of the body better than
    /// SDF's default of 1 kg·m².
    #[must_use]
    pub fn repaired(&self) -> (DVec3, &'static str) {
        let without_products = Inertial { products: DVec3::ZERO, ..self.clone() };
        if without_products.is_physical() {
            return (self.diagonal, "without the products");
        }
        let mean = self.diagonal.element_sum() / 3.0;
        if mean.is_finite() && mean > 0.0 && self.diagonal.min_element() >= 0.0 {
            return (DVec3::splat(mean), "their mean about every axis");
        }
        let radius = libm::cbrt(3.0 * self.mass / (4.0 * std::f64::consts::PI * WATER));
        (DVec3::splat(0.4 * self.mass * radius * radius), "that of a ball of water of this mass")
    }
}

/// Density of water, kg/m³.
const WATER: f64 = 1000.0;

/// Relative error that is tolerated, for files with few digits.
const ROUNDING: f64 = 1e-6;

/// Returns true if every principal minor of a symmetric matrix, moved up by `room`, is not negative.
fn minors_at_least(matrix: DMat3, room: f64) -> bool {
    let m = matrix + DMat3::from_diagonal(DVec3::splat(room));
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    let pairs = [x.x * y.y - x.y * x.y, x.x * z.z - x.z * x.z, y.y * z.z - y.z * y.z];
    x.x >= 0.0
        && y.y >= 0.0
        && z.z >= 0.0
        && pairs.iter().all(|minor| *minor >= 0.0)
        && m.determinant() >= 0.0
}

impl Default for Inertial {
    fn default() -> Self {
        Self {
            mass: 1.0,
            mass_given: false,
            pose: Pose::IDENTITY,
            diagonal: DVec3::ONE,
            products: DVec3::ZERO,
            auto: false,
            density: None,
        }
    }
}
