//! Textured models of another project, as their files have them and as the scene serves them: the pixels of the textures,
//! and the colours at places of each triangle.
//!
//! The models are of the packages in `tests/robots.txt`; without them the test is skipped.

mod glb;
mod image;
mod obj;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::list;
use crate::robots::folder;
use crate::support::{Served, Setup, world};
use image::Image;

/// Models with one texture each: OBJ files with their libraries of materials.
const MODELS: [(&str, &str); 5] = [
    ("duck.obj", "duckCM.png"),
    ("table/table.obj", "table/table.png"),
    ("tray/tray_textured.obj", "tray/tray.jpg"),
    ("domino/domino.obj", "domino/domino.jpg"),
    ("laikago/chassis_zup.obj", "laikago/laikago_tex.jpg"),
];

/// A triangle with the texture coordinates of its corners, from the upper left of the image.
struct Triangle {
    corners: [[f64; 3]; 3],
    coordinates: [[f64; 2]; 3],
}

/// Where the colours of a triangle are compared: the shares of its corners.
const PLACES: [[f64; 3]; 4] = [[1.0 / 3.0; 3], [0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]];

impl Triangle {
    /// A place in it, in tenths of a millimetre, and the colour there. The same triangle gives the same text.
    fn sample(&self, shares: [f64; 3], image: &Image) -> String {
        let sum = |of: &dyn Fn(usize) -> f64| (0..3).map(|corner| shares[corner] * of(corner)).sum::<f64>();
        let at = [0, 1, 2].map(|part| (sum(&|corner| self.corners[corner][part]) * 1e4).round());
        let [u, v] = [0, 1].map(|part| sum(&|corner| self.coordinates[corner][part]));
        format!("{at:?} {:?}", image.nearest(u, v))
    }
}

#[test]
fn textured_models_have_the_pixels_of_their_files() {
    let Some(folder) = folder() else { return };
    let data = folder.join("pybullet_data");
    let model = |(index, (mesh, _)): (usize, &(&str, &str))| {
        let file = data.join(mesh);
        format!(
            "<model name='m{index}'><static>1</static><link name='l'><visual name='v'><geometry><mesh><uri>file://{}</uri>
             </mesh></geometry></visual></link></model>",
            file.display()
        )
    };
    let models: String = MODELS.iter().enumerate().map(model).collect();
    let host = Served::start(Setup::new().world(&world(&models)).args(["--start", "paused"]));
    let answer = host.ok("get_scene", json!({}));
    let visuals: Vec<&Value> = list(&answer["scene"], "visuals").collect();
    assert_eq!(visuals.len(), MODELS.len());
    for ((mesh, texture), visual) in MODELS.iter().zip(visuals) {
        let report = compare(&host, &answer["scene"], visual, &data.join(mesh), &data.join(texture));
        println!("{report}");
    }
    host.ok("quit", json!({}));
    host.finish().expect_code(0).expect_silence("texture");
}

/// Compares a model of the scene with its files. Returns what was compared.
#[track_caller]
fn compare(host: &Served, scene: &Value, visual: &Value, mesh: &Path, texture: &Path) -> String {
    let name = mesh.display();
    let found = &scene["meshes"][index(&visual["mesh"])];
    let materials: Vec<usize> = list(found, "materials").map(index).collect();
    let maps: Vec<&Value> = materials.iter().map(|at| &scene["materials"][*at]["color_map"]).collect();
    assert!(maps.iter().all(|map| *map == maps[0]), "{name} has one texture: {maps:?}");
    let served = asset(host, &scene["textures"][index(maps[0])]);
    let file = fs::read(texture).expect("the texture");
    let (ours, theirs) = (Image::read(&served), Image::read(&file));
    assert_eq!(hash(&ours.rgba), hash(&theirs.rgba), "the pixels of {}", texture.display());
    let as_served = samples(&glb::triangles(&asset(host, found)), &ours);
    let as_written = samples(&obj::triangles(&fs::read_to_string(mesh).expect("the mesh")), &theirs);
    let count: usize = as_written.values().sum();
    let colors = as_written.keys().filter_map(|key| Some(key.split_once("] ")?.1));
    let colors: BTreeSet<&str> = colors.collect();
    assert!(count > 40 && colors.len() > 3, "{name}: {count} samples in {} colours", colors.len());
    let missing = as_written.iter().find(|(key, count)| as_served.get(*key) != Some(*count));
    assert_eq!(missing, None, "{name}: not served, of {count} samples");
    format!("{name}: {count} samples in {} colours, pixels {}", colors.len(), hash(&ours.rgba))
}

fn index(value: &Value) -> usize {
    value
        .as_u64()
        .and_then(|index| usize::try_from(index).ok())
        .unwrap_or_else(|| panic!("{value} is no index"))
}

#[track_caller]
fn asset(host: &Served, of: &Value) -> Vec<u8> {
    let hash = of["hash"].as_str().expect("a hash");
    let bytes = host.bytes(&format!("/scene/assets/{hash}"));
    assert_eq!(self::hash(&bytes), hash, "the hash is that of the content");
    bytes
}

/// The samples of triangles, with the number of each.
fn samples(triangles: &[Triangle], image: &Image) -> BTreeMap<String, usize> {
    let mut all = BTreeMap::new();
    let samples = triangles.iter().flat_map(|triangle| PLACES.map(|place| triangle.sample(place, image)));
    samples.for_each(|sample| *all.entry(sample).or_default() += 1);
    all
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
