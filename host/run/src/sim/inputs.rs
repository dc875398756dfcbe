//! Everything that the result of a run depends on, besides its configuration: the files of its world and the libraries of
//! its plugins.
//!
//! The world is read and built as in a run, but no library is opened. Usable from any thread.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use bridgehead_mesh::{Image, MeshMaterial, VisualMesh};
use bridgehead_sdf::assign::{Assignment, ValuePath, value_at};
use bridgehead_sdf::{Budget, Disk, FileKind, Files, Origin, ReadError, SearchPath, Xacro, read_source};

use super::prepare::{choose_profile, step_width};
use super::sensors::{Carriers, change_slots, configured};
use super::worlds::values::{assignments, load_with_values};
use crate::config::RunConfig;
use crate::plugin::{Kind, PluginSet};
use crate::world::names::{Resolution, resolve};
use crate::world::reading_budget;
use crate::world::{Built, PluginSlot, SlotKind, build_within};

/// Endings of mesh files.
const MESHES: &[&str] = &["dae", "glb", "gltf", "obj", "stl"];

/// What the result of a run depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// The files of the world in the order of their first use: the world, included models, meshes, images.
    pub files: Vec<PathBuf>,
    /// The libraries of the plugins and bridges, each once, by path.
    pub libraries: Vec<PathBuf>,
}

/// Returns the inputs of a run.
///
/// # Errors
/// Returns an error with a code if the world cannot be read or built, or the configuration does not fit it.
pub fn inputs(config: &RunConfig, plugins: &PluginSet) -> Result<Inputs, String> {
    let world = config.world.as_deref().unwrap_or(Path::new(""));
    let (files, search, budget) =
        (ListingFiles::default(), config.world_search(), reading_budget().listing());
    let loaded = load_with_values(&files, world, &assignments(config), (&search, &budget));
    let mut loaded = loaded.map_err(|error| error.to_string())?;
    choose_profile(config, &mut loaded.world).map_err(|error| error.to_string())?;
    let width = step_width(config, &loaded.world).map_err(|error| error.to_string())?;
    let built = build_within(&loaded.world, config.build_options(width), &budget);
    let mut built = built.map_err(|error| error.to_string())?;
    let slots = slots(config, &mut built)?;
    let mut seen = HashSet::new();
    let mut all = files.found.into_inner();
    let of_meshes: Vec<PathBuf> = all.iter().flat_map(|file| beside_mesh(file)).collect();
    all.extend(budget.files_read().into_iter().filter(|file| file.is_file()));
    all.extend(of_meshes);
    all.retain(|file| seen.insert(file.clone()));
    Ok(Inputs { files: all, libraries: libraries(config, plugins, &slots) })
}

/// Returns the text that a value of a world has in its file.
///
/// # Errors
/// Returns an error with a code if the path matches no value or several, or a file cannot be read.
pub fn value_in_file(world: &Path, path: &ValuePath, search: &SearchPath) -> Result<String, String> {
    let most = Budget::default().most(bridgehead_sdf::limits::Limit::TextFile);
    let source = read_source(&Disk, world, search, most);
    let source = source.map_err(|error| format!("`{}`: {error}", world.display()))?;
    value_at(&Disk, source, search, &reading_budget(), path).map_err(|error| error.to_string())
}

/// Checks that a world can be used with these values.
///
/// # Errors
/// Returns an error with a code if it has a fault that it does not have without them.
pub fn check_values(world: &Path, values: &[Assignment], search: &SearchPath) -> Result<(), String> {
    let loaded = load_with_values(&Disk, world, values, (search, &reading_budget()));
    loaded.map(drop).map_err(|error| error.to_string())
}

/// Returns the plugin slots of a world as a run has them.
fn slots(config: &RunConfig, built: &mut Built) -> Result<Vec<PluginSlot>, String> {
    change_slots(&mut built.slots, &config.overrides).map_err(|error| error.to_string())?;
    let sensors = configured(&config.sensors, &Carriers::of(built)).map_err(|error| error.to_string())?;
    Ok(built.slots.drain(..).chain(sensors).collect())
}

/// Returns the files of the libraries that a run opens.
fn libraries(config: &RunConfig, plugins: &PluginSet, slots: &[PluginSlot]) -> Vec<PathBuf> {
    let file = |kind: Kind, name: &str| plugins.find(kind, name).map(|plugin| plugin.path.clone());
    let bridge = |name: &str| file(Kind::Bridge, name);
    let model = |name: &str| file(Kind::Model, name);
    let of_slot = |slot: &PluginSlot| match resolve(slot, |name| {
        bridge(name).or_else(|| model(name)).is_some()
    }) {
        Resolution::BuiltIn | Resolution::NoCounterpart(_) => None,
        Resolution::Plugin(name) if slot.kind == SlotKind::Plugin => bridge(&name).or_else(|| model(&name)),
        Resolution::Plugin(name) => model(&name),
    };
    // Libraries with message types of their own are opened by every run.
    let providers = plugins.plugins().iter().filter(|plugin| !plugin.metadata.provides.is_empty());
    let mut found: Vec<PathBuf> = providers.map(|plugin| plugin.path.clone()).collect();
    found.extend(slots.iter().filter_map(of_slot));
    found.extend(config.plugins.iter().filter_map(|request| model(&request.plugin)));
    found.extend(config.bridges.iter().filter_map(|request| bridge(&request.name)));
    found.sort();
    found.dedup();
    found
}

/// Returns the files that a mesh file refers to: buffers, materials and images. A mesh that cannot be read has none.
fn beside_mesh(file: &Path) -> Vec<PathBuf> {
    let ending = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if !MESHES.contains(&ending.as_str()) {
        return Vec::new();
    }
    let (budget, origin) = (reading_budget().listing(), Origin::default());
    let images = match VisualMesh::load(file, budget.of(&origin)) {
        Ok(mesh) => mesh.materials.iter().flat_map(images).collect(),
        Err(_) => Vec::new(),
    };
    budget.files_read().into_iter().chain(images).filter(|file| file.is_file()).collect()
}

fn images(material: &MeshMaterial) -> Vec<PathBuf> {
    let maps = [
        &material.color_map,
        &material.normal_map,
        &material.emissive_map,
        &material.metal_rough_map,
        &material.occlusion_map,
    ];
    let file = |image: &Image| match image {
        Image::File(path) => Some(path.clone()),
        Image::Embedded(_) => None,
    };
    maps.into_iter().flatten().filter_map(file).collect()
}

/// The file system of the machine, with a list of the files that were read or found.
#[derive(Default)]
struct ListingFiles {
    found: RefCell<Vec<PathBuf>>,
}

impl Files for ListingFiles {
    fn read(&self, path: &Path, most: u64) -> Result<String, ReadError> {
        let text = Disk.read(path, most)?;
        self.found.borrow_mut().push(path.to_owned());
        Ok(text)
    }

    fn expand(&self, xacro: Xacro<'_>, most: u64) -> Result<String, ReadError> {
        let text = Disk.expand(xacro, most)?;
        self.found.borrow_mut().extend(xacro.dependencies()?);
        Ok(text)
    }

    fn kind(&self, path: &Path) -> FileKind {
        let kind = Disk.kind(path);
        if kind == FileKind::File {
            self.found.borrow_mut().push(path.to_owned());
        }
        kind
    }
}
