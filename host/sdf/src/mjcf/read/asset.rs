//! `<asset>`: meshes and the colours of materials.

use super::class_table::MAIN;
use super::value::Range;
use super::{At, Reader};
use crate::diagnostic::Code;
use crate::document::Element;
use crate::mjcf::robot::Mesh;
use crate::mjcf::rotation::from_wxyz;
use bridgehead_pose::{DVec3, Pose};
use std::path::Path;

/// Materials without a colour are white.
const WHITE: [f64; 4] = [1.0; 4];

impl<'d> Reader<'d> {
    pub(super) fn read_assets(&mut self, section: Element<'d>) {
        self.check_known(section);
        for element in self.children(section) {
            let class = self.class(element, "class", MAIN);
            let at = At { element, class };
            match element.name() {
                "mesh" => self.read_mesh(at),
                "material" => self.read_material(at),
                _ => {}
            }
        }
    }

    fn read_material(&mut self, at: At<'d>) {
        self.check_known(at.element);
        let color = self.color(at).unwrap_or(WHITE);
        if let Some(name) = self.word(at, "name") {
            self.assets.materials.insert(name, color);
        }
    }

    /// Four numbers from 0 to 1.
    pub(super) fn color(&mut self, at: At<'d>) -> Option<[f64; 4]> {
        let color: [f64; 4] = self.numbers(at, "rgba")?;
        Some(color.map(|part| part.clamp(0.0, 1.0)))
    }

    fn read_mesh(&mut self, at: At<'d>) {
        self.check_known(at.element);
        let Some(file) = self.word(at, "file") else {
            let found = "a `<mesh>` without `file`";
            self.warning(Code::AttributeMissing, at.element, found, "a mesh in a file; it is left out");
            return;
        };
        // Without a name, a mesh has that of its file.
        let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or(file);
        let name = self.word(at, "name").unwrap_or(stem);
        let scale = self.vector(at, "scale").unwrap_or(DVec3::ONE);
        let position = self.vector(at, "refpos").unwrap_or_default();
        let rotation = self.numbers(at, "refquat").and_then(from_wxyz).unwrap_or_default();
        let reference = Pose::new(position * scale, rotation);
        let index = self.assets.meshes.len();
        self.assets.meshes.push(Mesh { uri: self.address(file), scale, reference });
        self.assets.mesh_names.insert(name, index);
    }

    /// The address of a mesh, relative to the main file.
    fn address(&self, file: &str) -> String {
        let file = match Path::new(file).file_name().and_then(|name| name.to_str()) {
            Some(name) if self.compiler.strips_paths => name,
            _ => file,
        };
        if file.contains("://") || Path::new(file).is_absolute() {
            return file.to_owned();
        }
        Path::new(self.compiler.mesh_folder).join(file).display().to_string()
    }

    /// The number of a geom, or its default.
    pub(super) fn or(&mut self, at: At<'d>, name: &str, range: Range, default: f64) -> f64 {
        self.number(at, name, range).unwrap_or(default)
    }
}
