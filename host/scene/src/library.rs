//! Meshes and textures that were read, by the hash of their content. Belongs to one thread.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bridgehead_mesh::image::{ImageError, ImageInfo, examine};
use bridgehead_mesh::{Image, MeshMaterial, VisualMesh};
use bridgehead_sdf::Account;
use sha2::{Digest as _, Sha256};

use crate::part::WorldPart;

/// The content of a mesh or texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// `model/gltf-binary`, `image/png` or `image/jpeg`.
    pub media_type: &'static str,
    /// The bytes.
    pub bytes: Arc<[u8]>,
}

/// A mesh with what a description says about it.
#[derive(Debug)]
pub(crate) struct MeshEntry {
    pub(crate) hash: String,
    pub(crate) bytes: u64,
    pub(crate) triangles: u64,
    /// Materials of the file.
    pub(crate) materials: Vec<MeshMaterial>,
    /// For each primitive an index into the materials.
    pub(crate) uses: Vec<Option<usize>>,
}

/// A texture with what a description says about it.
#[derive(Clone, Debug)]
pub(crate) struct TextureEntry {
    pub(crate) hash: String,
    pub(crate) bytes: u64,
    pub(crate) info: ImageInfo,
}

/// What a mesh is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MeshKey {
    /// A file, the part of it, and whether the part is centred.
    File(PathBuf, Option<String>, bool),
    /// Heights or outlines: their values as text, which contains the path of an image.
    Made(String),
}

/// What was read. It grows with what descriptions need, and [`Library::keep_used`] drops the rest.
#[derive(Debug, Default)]
pub struct Library {
    meshes: HashMap<MeshKey, Option<Arc<MeshEntry>>>,
    textures: HashMap<PathBuf, Option<TextureEntry>>,
    /// Images inside mesh files, by their hash.
    embedded: HashMap<String, Option<TextureEntry>>,
    content: HashMap<String, Asset>,
    /// Hashes of the newest description.
    used: HashSet<String>,
    warnings: Vec<String>,
    /// The world of the newest description.
    world: Arc<WorldPart>,
}

impl Library {
    /// Returns the content of the newest description by hash. The bytes are shared.
    #[must_use]
    pub fn assets(&self) -> HashMap<String, Asset> {
        self.content.clone()
    }

    /// Returns what could not be read since the last call, each file once.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// Begins a description: nothing is used yet. The files of another world, or of the same one loaded again, are read
    /// again, because they may have changed.
    pub(crate) fn begin(&mut self, world: &Arc<WorldPart>) {
        self.used.clear();
        if !Arc::ptr_eq(&self.world, world) {
            self.world = Arc::clone(world);
            self.meshes.clear();
            self.textures.clear();
            self.embedded.clear();
        }
    }

    /// Drops the content that the description did not use. Files that could not be read stay known, so that their
    /// warnings are not repeated.
    pub(crate) fn keep_used(&mut self) {
        let Library { meshes, textures, embedded, content, used, .. } = self;
        let is_used =
            |entry: &Option<TextureEntry>| entry.as_ref().is_none_or(|entry| used.contains(&entry.hash));
        meshes.retain(|_, entry| entry.as_ref().is_none_or(|entry| used.contains(&entry.hash)));
        textures.retain(|_, entry| is_used(entry));
        embedded.retain(|_, entry| is_used(entry));
        content.retain(|hash, _| used.contains(hash));
    }

    /// Returns the mesh of that key, which `read` reads if it is new; `None` if it cannot be read.
    pub(crate) fn mesh(
        &mut self,
        key: MeshKey,
        read: impl FnOnce() -> Result<VisualMesh, String>,
    ) -> Option<Arc<MeshEntry>> {
        if let Some(known) = self.meshes.get(&key) {
            self.used.extend(known.iter().map(|entry| entry.hash.clone()));
            return known.clone();
        }
        let entry = match read() {
            Ok(mesh) => Some(Arc::new(self.add_mesh(mesh))),
            Err(warning) => {
                self.warnings.push(warning);
                None
            }
        };
        self.meshes.insert(key, entry.clone());
        entry
    }

    fn add_mesh(&mut self, mesh: VisualMesh) -> MeshEntry {
        self.warnings.extend(mesh.warnings.iter().map(|warning| format!("[BH-MSH-014] {warning}")));
        let glb = mesh.to_glb();
        let (triangles, bytes) = (mesh.triangle_count(), glb.len() as u64);
        let uses = mesh.parts.iter().map(|part| part.material).collect();
        let hash = self.add(Asset { media_type: "model/gltf-binary", bytes: glb.into() });
        MeshEntry { hash, bytes, triangles, materials: mesh.materials, uses }
    }

    /// Returns the texture of an image of a mesh file; `None` if it cannot be read.
    pub(crate) fn image(&mut self, image: &Image, account: Account<'_>) -> Option<TextureEntry> {
        match image {
            Image::File(path) => self.texture(path, account),
            Image::Embedded(bytes) => self.embedded(bytes),
        }
    }

    fn embedded(&mut self, bytes: &Arc<[u8]>) -> Option<TextureEntry> {
        let hash = hash_of(bytes);
        if let Some(known) = self.embedded.get(&hash) {
            self.used.extend(known.iter().map(|entry| entry.hash.clone()));
            return known.clone();
        }
        let entry = self.add_texture(Arc::clone(bytes));
        let entry =
            entry.map_err(|why| self.warnings.push(format!("{why}: an image inside a mesh file"))).ok();
        self.embedded.insert(hash, entry.clone());
        entry
    }

    /// Returns the texture of a file; `None` if it cannot be read.
    pub(crate) fn texture(&mut self, path: &Path, account: Account<'_>) -> Option<TextureEntry> {
        if let Some(known) = self.textures.get(path) {
            self.used.extend(known.iter().map(|entry| entry.hash.clone()));
            return known.clone();
        }
        let read = account.read(path).map_err(|error| ImageError::Unreadable(error.to_string()).to_string());
        let entry = read.and_then(|bytes| self.add_texture(bytes.into()));
        let entry = entry.map_err(|why| self.warnings.push(format!("{why}: {}", path.display()))).ok();
        self.textures.insert(path.to_owned(), entry.clone());
        entry
    }

    fn add_texture(&mut self, bytes: Arc<[u8]>) -> Result<TextureEntry, String> {
        let info = examine(&bytes).map_err(|error| error.to_string())?;
        let (media_type, length) = (info.media_type, bytes.len() as u64);
        let hash = self.add(Asset { media_type, bytes });
        Ok(TextureEntry { hash, bytes: length, info })
    }

    fn add(&mut self, asset: Asset) -> String {
        let hash = hash_of(&asset.bytes);
        self.used.insert(hash.clone());
        self.content.entry(hash.clone()).or_insert(asset);
        hash
    }
}

/// Returns the SHA-256 of bytes as hexadecimal text.
fn hash_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
