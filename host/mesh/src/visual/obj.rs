//! Wavefront OBJ, read by `tobj`, with its material files.
//!
//! Smoothing groups are ignored, as in Gazebo: programs that use them write normals too.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use bridgehead_sdf::{Account, Diagnostic, ReadError};

use super::warnings::Warnings;
use super::{MeshMaterial, VisualMesh, VisualPart, mtl};
use crate::ContentError;
use crate::package::is_outside;

pub(super) fn read(bytes: &[u8], path: &Path, account: Account<'_>) -> Result<VisualMesh, ContentError> {
    // Equal triples of indices are one corner.
    let options =
        tobj::LoadOptions { triangulate: true, single_index: true, ignore_points: true, ignore_lines: true };
    let library = RefCell::new(Library::new(path, account));
    let load = |name: &Path| Ok(library.borrow_mut().load(name));
    // Comments and names may have any encoding.
    let text = String::from_utf8_lossy(bytes);
    let read = tobj::load_obj_buf(&mut text.as_bytes(), &options, load);
    let Library { materials, warnings, stopped, .. } = library.into_inner();
    if let Some(finding) = stopped {
        return Err(ContentError::Stopped(finding));
    }
    let (models, _) = read.map_err(ContentError::reader)?;
    let parts = models.into_iter().map(|model| part(model, materials.len())).collect();
    Ok(VisualMesh { parts, materials, warnings: warnings.into_vec() })
}

/// The material files that an OBJ file names.
struct Library<'a> {
    path: &'a Path,
    account: Account<'a>,
    known: HashSet<PathBuf>,
    materials: Vec<MeshMaterial>,
    warnings: Warnings,
    stopped: Option<Box<Diagnostic>>,
}

/// The materials of a file as `tobj` takes them, which needs only their number and names, and the index of each name.
type Named = (Vec<tobj::Material>, HashMap<String, usize>);

impl<'a> Library<'a> {
    fn new(path: &'a Path, account: Account<'a>) -> Self {
        let (known, materials, warnings) = (HashSet::new(), Vec::new(), Warnings::default());
        Library { path, account, known, materials, warnings, stopped: None }
    }

    /// Adds the materials of a file, and returns their names.
    fn load(&mut self, name: &Path) -> Named {
        let name = name.to_string_lossy().replace('\\', "/");
        let file = self.path.parent().unwrap_or(Path::new("")).join(name);
        if self.stopped.is_some() || !self.known.insert(file.clone()) {
            return Named::default();
        }
        if is_outside(self.path, &file) {
            let file = file.display();
            self.warnings.add(format!(
                "material file `{file}` is outside of the folder of the mesh and of its package"
            ));
            return Named::default();
        }
        match self.account.read(&file) {
            Ok(bytes) => self.add(&String::from_utf8_lossy(&bytes), &file),
            Err(ReadError::Stopped(finding)) => {
                self.stopped = Some(finding);
                Named::default()
            }
            Err(error) => {
                self.warnings.add(format!("material file `{}` cannot be read: {error}", file.display()));
                Named::default()
            }
        }
    }

    fn add(&mut self, text: &str, file: &Path) -> Named {
        let materials = mtl::parse(text, self.path, &file.display().to_string(), &mut self.warnings);
        let names = materials.iter().enumerate().map(|(index, material)| (material.name.clone(), index));
        let names = names.collect();
        let named = |material: &MeshMaterial| tobj::Material {
            name: material.name.clone(),
            ..tobj::Material::default()
        };
        let places = materials.iter().map(named).collect();
        self.materials.extend(materials);
        (places, names)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "viewers draw in f32")]
fn part(model: tobj::Model, materials: usize) -> VisualPart {
    let mesh = model.mesh;
    let three = |at: &[f64]| [at[0] as f32, at[1] as f32, at[2] as f32];
    VisualPart {
        name: model.name,
        positions: mesh.positions.chunks_exact(3).map(three).collect(),
        normals: mesh.normals.chunks_exact(3).map(three).collect(),
        uvs: mesh.texcoords.chunks_exact(2).map(|at| [at[0] as f32, 1.0 - at[1] as f32]).collect(),
        indices: mesh.indices.chunks_exact(3).flatten().copied().collect(),
        material: mesh.material_id.filter(|id| *id < materials),
    }
}
