//! `<inertial>`, or the mass of the geoms of a body.

use super::class_table::MAIN;
use super::value::Range;
use super::{At, Reader};
use crate::diagnostic::Code;
use crate::document::Element;
use crate::mjcf::inertia::{Inertia, full};
use crate::mjcf::robot::{BodyMass, Geom};
use bridgehead_pose::{DMat3, DVec3};

impl<'d> Reader<'d> {
    /// The mass of a body, as `<compiler inertiafromgeom>` says.
    pub(super) fn mass(&mut self, body: Element<'d>, geoms: &[Geom<'d>]) -> BodyMass {
        let inertial = self.children(body).into_iter().find(|child| child.name() == "inertial");
        let written = inertial.filter(|_| self.compiler.inertia_from_geoms != Some(true));
        let mass = match written {
            Some(inertial) => self.inertial(inertial).map_or(BodyMass::None, BodyMass::Known),
            None if self.compiler.inertia_from_geoms == Some(false) => BodyMass::None,
            None => of_geoms(geoms),
        };
        match mass {
            BodyMass::Known(inertia) => BodyMass::Known(inertia.bounded(self.compiler.bounds)),
            other => other,
        }
    }

    fn inertial(&mut self, element: Element<'d>) -> Option<Inertia> {
        self.check_known(element);
        let at = At { element, class: MAIN };
        let mass = self.number(at, "mass", Range::NotNegative);
        if mass.is_none() && element.attribute("mass").is_none() {
            self.error(Code::AttributeMissing, element, "`<inertial>` without `mass`", "mass=\"…\"");
        }
        let mass = mass.filter(|mass| *mass > 0.0)?;
        let pose = self.pose(at);
        let moments = match self.numbers(at, "fullinertia") {
            Some(moments) => full(moments),
            None => {
                let diagonal: Option<[f64; 3]> = self.numbers(at, "diaginertia");
                if diagonal.is_none() && element.attribute("diaginertia").is_none() {
                    let found = "`<inertial>` without `diaginertia` and `fullinertia`";
                    self.error(Code::AttributeMissing, element, found, "one of them");
                }
                DMat3::from_diagonal(diagonal.map_or(DVec3::ZERO, DVec3::from_array))
            }
        };
        Some(Inertia::at(&pose, mass, moments))
    }
}

/// The mass of all geoms together.
fn of_geoms(geoms: &[Geom<'_>]) -> BodyMass {
    let mut parts = Vec::new();
    let mut of_meshes = Some(0.0);
    let mut has_meshes = false;
    for geom in geoms.iter().filter(|geom| geom.density > 0.0) {
        let Some(volume) = geom.shape.volume() else {
            has_meshes = true;
            of_meshes = of_meshes.zip(geom.mass).map(|(sum, mass)| sum + mass);
            continue;
        };
        let mass = geom.density * volume;
        if mass > 0.0 {
            parts.push(Inertia::at(&geom.pose, mass, geom.shape.moments(mass)));
        }
    }
    let sum = Inertia::sum(&parts);
    if has_meshes {
        let rest = sum.map_or(0.0, |sum| sum.mass);
        return BodyMass::OfMeshes { total: of_meshes.map(|mass| mass + rest) };
    }
    sum.map_or(BodyMass::None, BodyMass::Known)
}
