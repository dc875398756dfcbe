//! `<surface>`: friction, restitution and contact of a collision. Values without effect are kept as
//! data. Plain values, usable from any thread.

use glam::DVec3;

/// A `<surface>`; its default is SDF's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Friction.
    pub friction: Friction,
    /// Bounce.
    pub bounce: Bounce,
    /// Contact filter and stiffness.
    pub contact: Contact,
}

/// `<friction>`: coefficients without a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Friction {
    /// `ode/mu`, along the first friction direction; 1 by default.
    pub mu: f64,
    /// `ode/mu2`, along the second friction direction; 1 by default.
    pub mu2: f64,
    /// True if the file has `ode/mu2`; without it, friction is the same in both directions.
    pub has_mu2: bool,
    /// `ode/fdir1`, the first friction direction; `None` lets the engine choose.
    pub fdir1: Option<DVec3>,
    /// The link in whose frame `fdir1` is written; `None` is the frame of the collision.
    pub fdir1_link: Option<String>,
    /// `ode/slip1`, force-dependent slip along the first direction.
    pub slip1: f64,
    /// `ode/slip2`, force-dependent slip along the second direction.
    pub slip2: f64,
    /// True if the file has `<ode>` friction.
    pub has_ode: bool,
    /// `bullet/friction`, if written: used if there is no `<ode>`.
    pub bullet: Option<f64>,
    /// `<torsional>`: friction about the normal.
    pub torsional: Option<Torsional>,
}

/// `<torsional>`: friction about the normal of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torsional {
    /// The coefficient; 1 by default.
    pub coefficient: f64,
    /// True if `patch_radius` counts, false for `surface_radius`.
    pub use_patch_radius: bool,
    /// Radius of the surface that touches, metres.
    pub patch_radius: f64,
    /// Radius of curvature of the surface, metres.
    pub surface_radius: f64,
}

impl Default for Torsional {
    /// The defaults of sdformat's `surface.sdf`.
    fn default() -> Self {
        Self { coefficient: 1.0, use_patch_radius: true, patch_radius: 0.0, surface_radius: 0.0 }
    }
}

impl Friction {
    /// Returns the isotropic coefficient: `ode/mu` if `<ode>` was written, otherwise Bullet's, otherwise
    /// SDF's 1.
    #[must_use]
    pub fn coefficient(&self) -> f64 {
        if self.has_ode { self.mu } else { self.bullet.unwrap_or(self.mu) }
    }

    /// Returns the coefficient along the second friction direction.
    #[must_use]
    pub fn second_coefficient(&self) -> f64 {
        if self.has_mu2 { self.mu2 } else { self.coefficient() }
    }
}

impl Default for Friction {
    fn default() -> Self {
        Self {
            mu: 1.0,
            mu2: 1.0,
            has_mu2: false,
            fdir1: None,
            fdir1_link: None,
            slip1: 0.0,
            slip2: 0.0,
            has_ode: false,
            bullet: None,
            torsional: None,
        }
    }
}

/// `<bounce>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounce {
    /// Restitution, 0 (none) to 1 (elastic).
    pub restitution: f64,
    /// Closing speed below which nothing bounces, m/s.
    pub threshold: f64,
}

impl Default for Bounce {
    fn default() -> Self {
        // sdformat `sdf/1.12/surface.sdf`: in effect no bounce at all unless a threshold is written.
        Self { restitution: 0.0, threshold: 100_000.0 }
    }
}

/// `<contact>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// `collide_bitmask`: two shapes collide when the mask of either shares a bit with the category of the other.
    pub collide_bitmask: u16,
    /// `category_bitmask`: the categories of the shape, for the `collide_bitmask` of others; defaults to the
    /// mask above.
    pub category_bitmask: u16,
    /// `collide_without_contact`: touching is reported but not resisted.
    pub collide_without_contact: bool,
    /// `ode/kp`, stiffness, N/m.
    pub kp: f64,
    /// `ode/kd`, damping, N·s/m.
    pub kd: f64,
}

impl Default for Contact {
    fn default() -> Self {
        Self {
            collide_bitmask: u16::MAX,
            category_bitmask: u16::MAX,
            collide_without_contact: false,
            kp: 1e12,
            kd: 1.0,
        }
    }
}
