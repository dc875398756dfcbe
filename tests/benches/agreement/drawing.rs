//! Processor time of an image, beside MuJoCo and PyBullet.

use std::fs;
use std::path::Path;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    Scene, SceneLight, SceneMaterial, SceneSurroundings, SceneVisual,
};
use bridgehead_plugin_api::messages::geometry_msgs::{Point, Pose, Quaternion, Vector3};
use bridgehead_plugin_api::messages::std_msgs::ColorRgba;
use bridgehead_render::{Choice, Placement, Renderer, Target, View, Wanted};
use glam::{DQuat, DVec3};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::page::{Row, Section, figure};
use crate::peers::Peers;
use crate::{Outcome, cpu};

const ROUNDS: usize = 5;
const IMAGES: u32 = 12;
/// Images that are not timed.
const WARM_UP: u32 = 3;
const SIZE: [u32; 2] = [640, 480];
/// Horizontal field of view, rad.
const FIELD_OF_VIEW: f64 = 1.1;
const CLIP: [f64; 2] = [0.1, 100.0];
/// The camera: position, m, and pitch, rad.
const HEIGHT: f64 = 4.0;
const PITCH: f64 = 0.3;
/// The boxes stand on a square with this side, m, that begins so far in front of the camera, m.
const SIDE: f64 = 20.0;
const DISTANCE: f64 = 2.0;
/// Where the light shines to.
const LIGHT: [f64; 3] = [-0.5, 0.3, -1.0];
/// Pixels of a side of the shadow map: that of Bridgehead without a GPU.
const SHADOW_SIZE: u32 = 1024;

/// Types of a visual, from `SceneVisual`.
const BOX: u32 = 1;
const PLANE: u32 = 7;

/// An engine, the samples of a pixel, and the least wanted ratio.
type Peer = (&'static str, &'static str, u32, f64);

const PEERS: [Peer; 3] =
    [("mujoco", "MuJoCo", 1, 10.0), ("mujoco", "MuJoCo", 4, 10.0), ("pybullet", "PyBullet", 1, 3.0)];

/// A box: its place, side and colour.
struct Cube {
    place: [f64; 3],
    side: f64,
    color: [f64; 3],
}

/// Boxes on a square, on the ground.
fn cubes(count: u32) -> Vec<Cube> {
    let in_row = f64::from(count).sqrt().ceil();
    let cube = |number: u32| {
        let (row, column) = ((f64::from(number) / in_row).floor(), f64::from(number) % in_row);
        let share = |prime: u32| f64::from(number * prime % 101) / 101.0;
        let side = 0.4 + 0.2 * share(37);
        let place = [DISTANCE + column * SIDE / in_row, row * SIDE / in_row - SIDE / 2.0, side / 2.0];
        Cube { place, side, color: [31, 53, 71].map(|prime| 0.1 + 0.8 * share(prime)) }
    };
    (0..count).map(cube).collect()
}

fn json(cubes: &[Cube]) -> Value {
    let cubes: Vec<_> = cubes.iter().map(|cube| json!([cube.place, cube.side, cube.color])).collect();
    json!({
        "size": SIZE, "field_of_view": FIELD_OF_VIEW, "clip": CLIP, "camera": [0.0, 0.0, HEIGHT, 0.0, PITCH, 0.0],
        "boxes": cubes, "light": LIGHT, "shadow_size": SHADOW_SIZE,
        // The map is a square around the boxes.
        "shadow_reach": SIDE / 2.0 + 1.0, "middle": [DISTANCE + SIDE / 2.0, 0.0, 0.0], "light_distance": 20.0,
    })
}

fn scene(cubes: &[Cube]) -> Scene {
    let color = |[r, g, b]: [f64; 3]| {
        #[expect(clippy::cast_possible_truncation, reason = "colours are 32-bit floats")]
        let [r, g, b] = [r as f32, g as f32, b as f32];
        Some(ColorRgba { r, g, b, a: 1.0 })
    };
    let pose = |[x, y, z]: [f64; 3]| {
        let position = Some(Point { x, y, z });
        Some(Pose { position, orientation: Some(Quaternion { w: 1.0, ..Quaternion::default() }) })
    };
    let mut out = Scene {
        revision: 1,
        surroundings: Some(SceneSurroundings {
            shadows: true,
            ambient: color([0.0; 3]),
            background: color([0.0; 3]),
            ..SceneSurroundings::default()
        }),
        lights: vec![SceneLight {
            node: -1,
            pose: pose([0.0, 0.0, 10.0]),
            r#type: 2,
            direction: Some(Vector3 { x: LIGHT[0], y: LIGHT[1], z: LIGHT[2] }),
            diffuse: color([1.0; 3]),
            specular: color([0.0; 3]),
            intensity: 1.0,
            is_on: true,
            cast_shadows: true,
            attenuation_constant: 1.0,
            ..SceneLight::default()
        }],
        ..Scene::default()
    };
    // A plane has no thickness.
    let ground = Cube { place: [0.0; 3], side: 100.0, color: [0.7; 3] };
    for (material, cube) in (0..).zip([&ground].into_iter().chain(cubes)) {
        out.materials.push(SceneMaterial {
            diffuse: color(cube.color),
            specular: color([0.0; 3]),
            emissive: color([0.0; 3]),
            color_map: -1,
            normal_map: -1,
            roughness_map: -1,
            metalness_map: -1,
            emissive_map: -1,
            occlusion_map: -1,
            ..SceneMaterial::default()
        });
        out.visuals.push(SceneVisual {
            node: 0,
            pose: pose(cube.place),
            r#type: if material == 0 { PLANE } else { BOX },
            size: Some(Vector3 { x: cube.side, y: cube.side, z: cube.side }),
            mesh: -1,
            material,
            cast_shadows: true,
            visibility_flags: u32::MAX,
            label: -1,
            ..SceneVisual::default()
        });
    }
    out
}

fn view() -> View {
    let [width, height] = SIZE.map(f64::from);
    View {
        placement: Placement {
            position: DVec3::new(0.0, 0.0, HEIGHT),
            orientation: DQuat::from_rotation_y(PITCH),
        },
        size: SIZE,
        focal: [width / 2.0 / (FIELD_OF_VIEW / 2.0).tan(); 2],
        center: [(width - 1.0) / 2.0, (height - 1.0) / 2.0],
        near: CLIP[0],
        far: CLIP[1],
        mask: u32::MAX,
    }
}

/// What is compared with the other engines.
#[derive(Clone, Copy, Debug)]
struct Figures {
    /// Processor time of an image, s.
    seconds: f64,
    /// Share of pixels that light reaches.
    lit: f64,
    /// Mean depth, m, and number of boxes that are seen.
    geometry: Option<(f64, usize)>,
}

impl Figures {
    fn read(text: &str) -> Outcome<Self> {
        let found: Value = serde_json::from_str(text.lines().last().unwrap_or_default())?;
        let number = |name: &str| found[name].as_f64().ok_or_else(|| format!("no `{name}` in {found}"));
        let boxes = found["boxes"].as_u64().and_then(|boxes| usize::try_from(boxes).ok());
        Ok(Figures {
            seconds: number("seconds")?,
            lit: number("lit")?,
            geometry: found["depth"].as_f64().zip(boxes),
        })
    }

    /// Fails if the images show different things.
    fn verify(&self, theirs: &Figures, has_shadows: bool) -> Outcome {
        let mut is_same = !has_shadows || (self.lit - theirs.lit).abs() < 0.02;
        if let (Some((depth, boxes)), Some((their_depth, their_boxes))) = (self.geometry, theirs.geometry) {
            is_same &= (depth / their_depth - 1.0).abs() < 0.01 && boxes.abs_diff(their_boxes) <= boxes / 50;
        }
        if is_same { Ok(()) } else { Err(format!("{self:?} here, but {theirs:?} there").into()) }
    }
}

/// Draws `IMAGES` images and reads them.
fn ours(scene: &Scene, is_all: bool, samples: u32) -> Outcome<Figures> {
    let mut renderer = Renderer::new(&Choice::Processor)?;
    let stage = renderer.load(scene.clone(), &mut |_| None)?;
    let mut target = renderer.target(SIZE, Wanted { color: true, geometry: is_all, samples })?;
    let mut pixels = Pixels::default();
    let mut draw = |target: &mut Target| -> Outcome {
        renderer.draw(&stage, target, &view(), &[Placement::IDENTITY])?;
        target.read(|images| pixels.fill(images))?;
        Ok(())
    };
    (0..WARM_UP).try_for_each(|_| draw(&mut target))?;
    let before = cpu::process();
    (0..IMAGES).try_for_each(|_| draw(&mut target))?;
    let seconds = (cpu::process() - before).as_secs_f64() / f64::from(IMAGES);
    Ok(Figures { seconds, lit: pixels.lit(), geometry: is_all.then(|| pixels.geometry()) })
}

/// Copies of the images, as the other engines make them.
#[derive(Default)]
struct Pixels {
    color: Vec<[u8; 4]>,
    depth: Vec<[u8; 4]>,
    visual: Vec<[u8; 4]>,
}

impl Pixels {
    fn fill(&mut self, images: bridgehead_render::Images<'_>) {
        let planes = [
            (&mut self.color, images.color().map(Iterator::collect::<Vec<_>>)),
            (&mut self.depth, images.depth().map(Iterator::collect)),
            (&mut self.visual, images.visual().map(Iterator::collect)),
        ];
        for (copy, rows) in planes {
            copy.clear();
            rows.into_iter().flatten().for_each(|row| copy.extend_from_slice(row));
        }
    }

    fn lit(&self) -> f64 {
        let is_lit = |[r, g, b, _]: &&[u8; 4]| r.max(g).max(b) > &16;
        share(self.color.iter().filter(is_lit).count(), self.color.len())
    }

    fn geometry(&self) -> (f64, usize) {
        let depths = self.depth.iter().map(|bytes| f64::from(f32::from_le_bytes(*bytes)));
        let seen: Vec<(f64, u32)> = depths
            .zip(self.visual.iter().map(|bytes| u32::from_le_bytes(*bytes)))
            .filter(|(depth, _)| *depth < 0.99 * CLIP[1])
            .collect();
        let numbers: std::collections::BTreeSet<u32> = seen.iter().map(|(_, visual)| *visual).collect();
        let sum: f64 = seen.iter().map(|(depth, _)| depth).sum();
        (sum * share(1, seen.len()), numbers.len().saturating_sub(1))
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of pixels")]
fn share(part: usize, all: usize) -> f64 {
    part as f64 / all as f64
}

/// Measures in alternating rounds.
pub(crate) fn section(peers: &Peers) -> Outcome<Section> {
    let folder = TempDir::new()?;
    let mut rows = Vec::new();
    for count in [300, 1000] {
        let cubes = cubes(count);
        let file = folder.path().join(format!("{count}.json"));
        fs::write(&file, json(&cubes).to_string())?;
        for peer in PEERS {
            for what in ["color", "all"] {
                rows.push(row(peers, &file, &scene(&cubes), count, peer, what)?);
            }
        }
    }
    Ok(Section {
        title: "Speed of images",
        method: format!(
            "Processor time of all threads for an image of {} x {} pixels of boxes on a plane, with one directional light \
             that casts shadows, without a GPU. The images are colours, or colours, depths and the number of the \
             object of each pixel; they are copied into the memory of the program. MuJoCo draws with EGL on the software \
             driver of Mesa, has a shadow map of the same size for the same area, and as many samples of each pixel; Bridgehead \
             and PyBullet draw with renderers of their own. In each round the mean depth, the number of boxes that are seen and the share of \
             pixels in the light are compared. {ROUNDS} alternating rounds; figures are medians.",
            SIZE[0], SIZE[1]
        ),
        heads: vec!["", "Bridgehead, ms", "the other, ms", "ratio", "smallest ratio", "wanted"],
        rows,
        notes: vec![
            "[The camera plugin](../plugins/camera/README.md#speed) says where the time goes.".to_owned(),
        ],
    })
}

fn row(
    peers: &Peers,
    file: &Path,
    scene: &Scene,
    count: u32,
    (engine, name, samples, wanted): Peer,
    what: &str,
) -> Outcome<Row> {
    let (samples_text, images) = (samples.to_string(), IMAGES.to_string());
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let text = peers.camera(&["time", engine, &file.to_string_lossy(), what, &samples_text, &images])?;
        let theirs = Figures::read(&text)?;
        let ours = ours(scene, what == "all", samples)?;
        // PyBullet's shadows are parts of those that they should be.
        ours.verify(&theirs, engine == "mujoco")?;
        rounds.push([ours.seconds, theirs.seconds]);
    }
    let mut ratios: Vec<f64> = rounds.iter().map(|[ours, theirs]| theirs / ours).collect();
    ratios.sort_by(f64::total_cmp);
    let median = |which: usize| {
        let mut list: Vec<f64> = rounds.iter().map(|round| round[which]).collect();
        list.sort_by(f64::total_cmp);
        list[ROUNDS / 2]
    };
    let sampling = if samples == 1 { "one sample" } else { "four samples" };
    let images = if what == "all" { "all images" } else { "colour" };
    Ok(Row {
        cells: vec![
            format!("{count} boxes, {images}, {sampling}, {name}"),
            figure(median(0) * 1e3),
            figure(median(1) * 1e3),
            figure(ratios[ROUNDS / 2]),
            figure(ratios[0]),
            format!("at least {wanted}"),
        ],
        holds: Some(ratios[ROUNDS / 2] >= wanted),
    })
}
