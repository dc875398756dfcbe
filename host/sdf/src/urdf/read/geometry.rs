//! Collisions, visuals, their shapes and materials.

use super::Reader;
use super::value::Range;
use crate::diagnostic::Code;
use crate::document::Element;
use crate::urdf::robot::{Geometry, Material, Shape, Visual};

/// Children of `<geometry>` that are read.
const SHAPES: &[&str] = &["box", "cylinder", "capsule", "sphere", "mesh"];

impl<'d> Reader<'d> {
    pub(super) fn collisions(&mut self, link: Element<'d>) -> Vec<Shape<'d>> {
        link.children_named("collision").filter_map(|element| self.shape(element)).collect()
    }

    pub(super) fn visuals(&mut self, link: Element<'d>) -> Vec<Visual<'d>> {
        let mut visuals = Vec::new();
        for element in link.children_named("visual") {
            let material = self.single(element, "material").map(|material| self.material_of(material));
            let material = material.unwrap_or_default();
            visuals.extend(self.shape(element).map(|shape| Visual { shape, material }));
        }
        visuals
    }

    fn shape(&mut self, element: Element<'d>) -> Option<Shape<'d>> {
        self.check_known(element);
        let origin = self.origin(element);
        let geometry = self.geometry(element)?;
        Some(Shape { name: element.attribute("name").unwrap_or_default().trim(), origin, geometry })
    }

    fn geometry(&mut self, parent: Element<'d>) -> Option<Geometry<'d>> {
        let Some(geometry) = self.single(parent, "geometry") else {
            let found = format!("`<{}>` without `<geometry>`", parent.name());
            self.error(Code::GeometryInvalid, parent, found, "`<geometry>` with one shape");
            return None;
        };
        self.check_known(geometry);
        let mut shapes = geometry.children().filter(|child| SHAPES.contains(&child.name()));
        let Some(shape) = shapes.next() else {
            self.error(Code::GeometryInvalid, geometry, "a `<geometry>` without a shape", "one shape");
            return None;
        };
        if let Some(second) = shapes.next() {
            self.warning(
                Code::ElementRepeated,
                second,
                "a second shape in `<geometry>`",
                "one; the first counts",
            );
        }
        self.check_known(shape);
        let read = self.sized(shape);
        if read.is_none() {
            let found = format!("a `<{}>` that cannot be used", shape.name());
            self.error(Code::GeometryInvalid, shape, found, "one shape with positive sizes");
        }
        read
    }

    fn sized(&mut self, shape: Element<'d>) -> Option<Geometry<'d>> {
        let mut length = |name| self.required_number(shape, name, Range::Positive);
        match shape.name() {
            "box" => self.box_size(shape).map(|size| Geometry::Box { size }),
            "cylinder" => Some(Geometry::Cylinder { radius: length("radius")?, length: length("length")? }),
            "capsule" => Some(Geometry::Capsule { radius: length("radius")?, length: length("length")? }),
            "sphere" => Some(Geometry::Sphere { radius: length("radius")? }),
            _ => self.mesh(shape),
        }
    }

    fn box_size(&mut self, shape: Element<'d>) -> Option<[f64; 3]> {
        if shape.attribute("size").is_none() {
            self.missing_attribute(shape, "size");
        }
        self.numbers(shape, "size").filter(|size: &[f64; 3]| size.iter().all(|side| *side > 0.0))
    }

    fn mesh(&mut self, shape: Element<'d>) -> Option<Geometry<'d>> {
        let uri = filename(shape);
        if uri.is_none() {
            self.missing_attribute(shape, "filename");
        }
        let scale = self.numbers(shape, "scale");
        Some(Geometry::Mesh { uri: uri?, scale })
    }

    /// Remembers the materials that the robot defines, and those that a visual defines under a name.
    pub(super) fn read_materials(&mut self, root: Element<'d>) {
        for material in root.children_named("material") {
            self.check_known(material);
            let read = self.written_material(material);
            self.remember(material, read);
        }
        let of_visuals = root.children_named("link").flat_map(|link| link.children_named("visual"));
        for material in of_visuals.flat_map(|visual| visual.children_named("material")) {
            // Findings about a visual are reported when the visual is read.
            let (color, texture) = (material.child("color"), material.child("texture"));
            let texture = texture.and_then(filename);
            self.remember(material, Material { color: color.and_then(quiet_rgba), texture });
        }
    }

    fn remember(&mut self, element: Element<'d>, material: Material<'d>) {
        if let Some(name) = element.attribute("name").filter(|name| !name.is_empty() && !material.is_empty())
        {
            self.materials.entry(name).or_insert(material);
        }
    }

    /// The material of a visual: its own, or that of the robot's material of the same name.
    fn material_of(&mut self, element: Element<'d>) -> Material<'d> {
        self.check_known(element);
        let own = self.written_material(element);
        if !own.is_empty() || element.child("color").is_some() {
            return own;
        }
        let name = element.attribute("name").unwrap_or_default();
        let known = self.materials.get(name).copied();
        // Exporters write `<texture filename=""/>` into materials without colour.
        if known.is_none() && element.child("texture").is_none() {
            let found = format!("material `{name}` without a colour");
            self.warning(Code::UrdfMaterialUnknown, element, found, "a colour or a texture");
        }
        known.unwrap_or_default()
    }

    fn written_material(&mut self, element: Element<'d>) -> Material<'d> {
        Material {
            color: element.child("color").and_then(|color| self.rgba(color)),
            texture: element.child("texture").and_then(|texture| self.texture(texture)),
        }
    }

    /// The address of a texture; an empty one stands for none.
    fn texture(&mut self, texture: Element<'d>) -> Option<&'d str> {
        self.check_known(texture);
        if texture.attribute("filename").is_none() {
            self.missing_attribute(texture, "filename");
        }
        filename(texture)
    }

    fn rgba(&mut self, color: Element<'d>) -> Option<[f64; 4]> {
        self.check_known(color);
        let rgba = quiet_rgba(color);
        if rgba.is_none() {
            let found = format!(
                "rgba=\"{}\"",
                crate::diagnostic::excerpt(color.attribute("rgba").unwrap_or_default())
            );
            self.error(Code::ValueInvalid, color, found, "four numbers from 0 to 1");
        }
        rgba
    }
}

/// The file that an element names; `None` if it is missing or empty.
fn filename(element: Element<'_>) -> Option<&str> {
    element.attribute("filename").map(str::trim).filter(|uri| !uri.is_empty())
}

/// Four numbers from 0 to 1; alpha may be left out.
fn quiet_rgba(color: Element<'_>) -> Option<[f64; 4]> {
    let numbers: Vec<f64> =
        color.attribute("rgba")?.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    let rgba = match *numbers.as_slice() {
        [red, green, blue] => [red, green, blue, 1.0],
        [red, green, blue, alpha] => [red, green, blue, alpha],
        _ => return None,
    };
    rgba.iter().all(|part| (0.0..=1.0).contains(part)).then_some(rgba)
}
