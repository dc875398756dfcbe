//! `<geom>`: its shape, mass, colour and contacts.

use super::value::Range;
use super::{At, Reader};
use crate::diagnostic::{Code, excerpt};
use crate::mjcf::robot::Geom;
use crate::mjcf::rotation::to_direction;
use crate::mjcf::shape::Shape;
use bridgehead_pose::{DVec3, Pose};

/// Density without another one, kg/m³: that of water.
const DENSITY: f64 = 1000.0;

/// Half of the side of an infinite plane that is drawn, metres.
const DRAWN: f64 = 50.0;

/// The first group that MuJoCo does not draw unless asked to; files put shapes for contacts into it.
const FIRST_HIDDEN: f64 = 3.0;

/// Grey, the colour of geoms without another one.
const GREY: [f64; 4] = [0.5, 0.5, 0.5, 1.0];

impl<'d> Reader<'d> {
    /// Reads a geom in a frame of its body; `None` if it has no shape, which is reported.
    pub(super) fn geom(&mut self, at: At<'d>, frame: Pose) -> Option<Geom<'d>> {
        self.check_known(at.element);
        let (shape, own) = self.shape(at)?;
        let group = self.or(at, "group", Range::Finite, 0.0);
        let mass = self.number(at, "mass", Range::NotNegative);
        let density = self.density(at, &shape, mass, group);
        let sliding = self.list(at, "friction", 1).and_then(|friction| friction.first().copied());
        let contype = self.whole(at, "contype").unwrap_or(1);
        let conaffinity = self.whole(at, "conaffinity").unwrap_or(1);
        let own = match &shape {
            Shape::Mesh { mesh } => {
                let reference = self.assets.meshes.get(*mesh).map_or(Pose::IDENTITY, |mesh| mesh.reference);
                own.compose(&reference.inverse())
            }
            _ => own,
        };
        Some(Geom {
            name: at.element.attribute("name").map(str::trim).unwrap_or_default(),
            pose: frame.compose(&own),
            shape,
            density,
            mass,
            color: self.drawn(at, group),
            contype,
            conaffinity,
            friction: sliding.unwrap_or(1.0).max(0.0),
        })
    }

    fn density(&mut self, at: At<'d>, shape: &Shape, mass: Option<f64>, group: f64) -> f64 {
        let density = self.or(at, "density", Range::NotNegative, DENSITY);
        let [first, last] = self.compiler.groups_with_mass;
        if group < first || group > last {
            return 0.0;
        }
        match (mass, shape.volume()) {
            (Some(0.0), _) => 0.0,
            (Some(mass), Some(volume)) if volume > 0.0 => mass / volume,
            _ => density,
        }
    }

    /// The colour; `None` for a geom that MuJoCo does not draw.
    fn drawn(&mut self, at: At<'d>, group: f64) -> Option<[f64; 4]> {
        let material = self.word(at, "material");
        let known = material.and_then(|name| self.assets.materials.get(name).copied());
        if let (Some(name), None) = (material, known) {
            let found = format!("material=\"{}\"", excerpt(name));
            self.warning(Code::MjcfReferenceUnknown, at.element, found, "the name of a `<material>`");
        }
        // As in MuJoCo, the colour of the geom counts unless it is the default one.
        let own = self.color(at).filter(|color| *color != GREY);
        let color = own.or(known).unwrap_or(GREY);
        (group < FIRST_HIDDEN && color[3] > 0.0).then_some(color)
    }

    /// The shape and its pose.
    fn shape(&mut self, at: At<'d>) -> Option<(Shape, Pose)> {
        let kind = self.word(at, "type").unwrap_or("sphere");
        let mut pose = self.pose(at);
        let mut sizes = self.list(at, "size", 1).unwrap_or_default();
        if matches!(kind, "capsule" | "cylinder" | "box" | "ellipsoid")
            && let Some(length) = self.ends(at, &mut pose)
        {
            // The half length comes last; boxes and ellipsoids have two equal sizes across.
            let radius = sizes.first().copied().unwrap_or(0.0);
            sizes = match kind {
                "capsule" | "cylinder" => vec![radius, length / 2.0],
                _ => vec![radius, radius, length / 2.0],
            };
        }
        let shape = match kind {
            "mesh" => self.mesh_of(at)?,
            "sphere" | "capsule" | "cylinder" | "box" | "ellipsoid" | "plane" => {
                self.refuse_fitting(at)?;
                self.sized(at, kind, &sizes)?
            }
            "hfield" | "sdf" => {
                self.leave_out_thing(at.element, &format!("geoms of the type `{kind}`"));
                return None;
            }
            other => {
                let found = format!("type=\"{}\"", excerpt(other));
                self.error(Code::GeometryInvalid, at.element, found, "a type of geom; it is left out");
                return None;
            }
        };
        Some((shape, pose))
    }

    /// The distance of the two points of `fromto`, in whose middle the geom is, with its z axis towards the first.
    fn ends(&mut self, at: At<'d>, pose: &mut Pose) -> Option<f64> {
        let [a, b, c, d, e, f] = self.numbers(at, "fromto")?;
        let (from, to) = (DVec3::new(a, b, c), DVec3::new(d, e, f));
        *pose = Pose::new((from + to) / 2.0, to_direction(from - to).unwrap_or_default());
        Some((from - to).length())
    }

    fn sized(&mut self, at: At<'d>, kind: &str, sizes: &[f64]) -> Option<Shape> {
        let size = |index: usize| sizes.get(index).copied().unwrap_or(0.0);
        let all = DVec3::new(size(0), size(1), size(2));
        let needed = match kind {
            "plane" => 0,
            "sphere" => 1,
            "capsule" | "cylinder" => 2,
            _ => 3,
        };
        if (0..needed).any(|index| size(index) <= 0.0) {
            let found = format!("a `{kind}` with the sizes `{}`", excerpt(&crate::number::numbers(sizes)));
            let expected = format!("{needed} numbers above 0; it is left out");
            self.error(Code::GeometryInvalid, at.element, found, &expected);
            return None;
        }
        Some(match kind {
            "plane" => {
                Shape::Plane { half: [size(0), size(1)].map(|half| if half > 0.0 { half } else { DRAWN }) }
            }
            "sphere" => Shape::Sphere { radius: size(0) },
            "capsule" => Shape::Capsule { radius: size(0), half: size(1) },
            "cylinder" => Shape::Cylinder { radius: size(0), half: size(1) },
            "box" => Shape::Box { half: all },
            _ => Shape::Ellipsoid { radii: all },
        })
    }

    /// A primitive with a mesh is fitted to it by MuJoCo; meshes are not read here.
    fn refuse_fitting(&mut self, at: At<'d>) -> Option<()> {
        if at.element.attribute("mesh").is_none() {
            return Some(());
        }
        self.leave_out_thing(at.element, "shapes that are fitted to a mesh");
        None
    }

    fn mesh_of(&mut self, at: At<'d>) -> Option<Shape> {
        let name = self.word(at, "mesh").unwrap_or_default();
        if let Some(mesh) = self.assets.mesh_names.get(name) {
            return Some(Shape::Mesh { mesh: *mesh });
        }
        let found = format!("mesh=\"{}\"", excerpt(name));
        self.error(Code::MjcfReferenceUnknown, at.element, found, "the name of a `<mesh>` with a file");
        None
    }
}
