//! Images of small scenes, compared with what their geometry says.

mod bad_input;
mod generated;

use bridgehead_messages::bridgehead_simulation_interfaces::{
    Scene, SceneLight, SceneMaterial, SceneSurroundings, SceneTexture, SceneVisual,
};
use bridgehead_messages::geometry_msgs::{Point, Pose, Quaternion, Vector3};
use bridgehead_messages::std_msgs::ColorRgba;
use glam::{DQuat, DVec3};

use crate::{Choice, Placement, Renderer, View, Wanted, skip};

fn color(r: f32, g: f32, b: f32, a: f32) -> Option<ColorRgba> {
    Some(ColorRgba { r, g, b, a })
}

fn pose(x: f64, y: f64, z: f64) -> Option<Pose> {
    Some(Pose {
        position: Some(Point { x, y, z }),
        orientation: Some(Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 }),
    })
}

fn visual(kind: u32, size: [f64; 3], at: [f64; 3], material: i32) -> SceneVisual {
    let [x, y, z] = size;
    SceneVisual {
        node: 0,
        pose: pose(at[0], at[1], at[2]),
        r#type: kind,
        size: Some(Vector3 { x, y, z }),
        mesh: -1,
        material,
        cast_shadows: true,
        visibility_flags: u32::MAX,
        label: -1,
        ..SceneVisual::default()
    }
}

fn matte(r: f32, g: f32, b: f32, a: f32) -> SceneMaterial {
    SceneMaterial {
        ambient: color(r, g, b, 1.0),
        diffuse: color(r, g, b, a),
        specular: color(0.0, 0.0, 0.0, 1.0),
        ..crate::material::plain()
    }
}

fn sun(x: f64, y: f64, z: f64) -> SceneLight {
    SceneLight {
        node: -1,
        pose: pose(0.0, 0.0, 10.0),
        r#type: 2,
        direction: Some(Vector3 { x, y, z }),
        diffuse: color(1.0, 1.0, 1.0, 1.0),
        specular: color(0.0, 0.0, 0.0, 1.0),
        intensity: 1.0,
        is_on: true,
        cast_shadows: true,
        attenuation_constant: 1.0,
        ..SceneLight::default()
    }
}

fn scene(visuals: Vec<SceneVisual>, materials: Vec<SceneMaterial>, lights: Vec<SceneLight>) -> Scene {
    Scene {
        revision: 1,
        surroundings: Some(SceneSurroundings { shadows: true, ..SceneSurroundings::default() }),
        visuals,
        materials,
        lights,
        ..Scene::default()
    }
}

fn view(position: [f64; 3], orientation: DQuat) -> View {
    View {
        placement: Placement { position: DVec3::from(position), orientation },
        size: [96, 64],
        focal: [60.0; 2],
        center: [47.5, 31.5],
        near: 0.05,
        far: 100.0,
        mask: u32::MAX,
    }
}

/// Images by rows: linear colours, depths, visuals.
struct Drawn {
    color: Vec<[f32; 3]>,
    depth: Vec<f32>,
    visual: Vec<u32>,
}

impl Drawn {
    fn at(&self, column: usize, row: usize) -> ([f32; 3], f32, u32) {
        let index = row * 96 + column;
        (self.color[index], self.depth[index], self.visual[index])
    }

    /// Compares the images of two renderers. Pixels at edges may belong to one or the other side, and those at the edges
    /// of shadows and of the pixels of textures may differ.
    #[track_caller]
    fn assert_like(&self, other: &Drawn) {
        let others = || self.visual.iter().zip(&other.visual).enumerate();
        let moved: Vec<usize> = others().filter(|(_, (a, b))| a != b).map(|(index, _)| index).collect();
        assert!(moved.len() <= 40, "{} pixels show something else: {:?}", moved.len(), &moved[..4]);
        let is_same = |index: usize| self.visual[index] == other.visual[index];
        let far = |(a, b): (&f32, &f32)| a != b && (a - b).abs() > 1e-3 * a.max(*b);
        let depths = self.depth.iter().zip(&other.depth).enumerate();
        let deeper: Vec<_> = depths.filter(|(index, pair)| is_same(*index) && far(*pair)).collect();
        assert!(deeper.len() <= 10, "{} depths differ: {:?}", deeper.len(), deeper[0]);
        // Drivers choose between the copies of a texture by approximations of their own.
        let differs = |(a, b): (&[f32; 3], &[f32; 3])| a.iter().zip(b).any(|(a, b)| (a - b).abs() > 0.06);
        let colors = || self.color.iter().zip(&other.color).enumerate().filter(|(index, _)| is_same(*index));
        let odd: Vec<_> = colors().filter(|(_, pair)| differs(*pair)).collect();
        assert!(odd.len() <= 120, "{} colours differ: {:?}", odd.len(), &odd[..4]);
        let sum: f32 = colors().flat_map(|(_, (a, b))| a.iter().zip(b).map(|(a, b)| (a - b).abs())).sum();
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let mean = sum / (3 * self.color.len()) as f32;
        assert!(mean < 0.004, "colours differ by {mean}");
    }
}

/// The adapter that the images of the processor are compared with: the software driver, or the one that
/// `BRIDGEHEAD_ADAPTER` names.
fn device() -> Choice {
    Choice::parse(&std::env::var("BRIDGEHEAD_ADAPTER").unwrap_or_else(|_| "software".to_owned()))
}

/// Draws on the processor. If there is a device, its images are compared.
fn draw(scene: Scene, view: &View, samples: u32) -> Option<Drawn> {
    draw_with(scene, view, samples, &mut |_| None)
}

/// As [`draw`], with the content of meshes and textures.
fn draw_with(
    scene: Scene,
    view: &View,
    samples: u32,
    content: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Option<Drawn> {
    let drawn = draw_by(&Choice::Processor, scene.clone(), view, samples, content)?;
    if let Some(on_device) = draw_by(&device(), scene, view, samples, content) {
        drawn.assert_like(&on_device);
    }
    Some(drawn)
}

fn draw_by(
    choice: &Choice,
    scene: Scene,
    view: &View,
    samples: u32,
    content: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Option<Drawn> {
    let mut renderer = match Renderer::new(choice) {
        Ok(renderer) => renderer,
        Err(error) => {
            skip::missing(&error.to_string());
            return None;
        }
    };
    let stage = renderer.load(scene, content).expect("the scene is uploaded");
    let wanted = Wanted { color: true, geometry: true, samples };
    let mut target = renderer.target(view.size, wanted).expect("a target");
    renderer.draw(&stage, &mut target, view, &[Placement::IDENTITY]).expect("drawn");
    let drawn = target.read(|images| Drawn {
        color: images
            .color()
            .expect("colours")
            .flatten()
            .map(|[r, g, b, _]| {
                [*r, *g, *b].map(|value| crate::material::linear_channel(f32::from(value) / 255.0))
            })
            .collect(),
        depth: images.depth().expect("depths").flatten().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
        visual: images.visual().expect("visuals").flatten().map(|bytes| u32::from_le_bytes(*bytes)).collect(),
    });
    Some(drawn.expect("read"))
}

const FORWARD: DQuat = DQuat::IDENTITY;

#[test]
fn a_box_is_where_it_is_and_has_its_depth_and_number() {
    let far = visual(1, [1.0, 40.0, 40.0], [20.0, 0.0, 0.0], 0);
    let near = visual(1, [1.0, 1.0, 1.0], [5.0, 0.0, 0.0], 0);
    let scene = scene(vec![far, near], vec![matte(1.0, 1.0, 1.0, 1.0)], vec![sun(1.0, 0.0, 0.0)]);
    let Some(drawn) = draw(scene, &view([0.0; 3], FORWARD), 1) else { return };
    let (_, depth, number) = drawn.at(47, 31);
    assert!((depth - 4.5).abs() < 1e-4 && number == 2, "{depth} {number}");
    let (_, depth, number) = drawn.at(2, 2);
    assert!((depth - 19.5).abs() < 1e-4 && number == 1, "{depth} {number}");
    // Half a metre at 4.5 m is 6.67 pixels on either side of the optical axis at 47.5.
    let row = 31 * 96;
    let columns: Vec<_> = (0..96).filter(|column| drawn.visual[row + column] == 2).collect();
    assert_eq!((columns.first(), columns.last()), (Some(&41), Some(&54)));
}

#[test]
fn a_white_surface_that_faces_a_light_is_white_and_one_at_an_angle_follows_the_cosine() {
    for angle in [0.0_f64, 0.6, 1.2] {
        let wall = visual(1, [1.0, 40.0, 40.0], [5.0, 0.0, 0.0], 0);
        let light = sun(angle.cos(), angle.sin(), 0.0);
        let scene = scene(vec![wall], vec![matte(1.0, 1.0, 1.0, 1.0)], vec![light]);
        let Some(drawn) = draw(scene, &view([0.0; 3], FORWARD), 1) else { return };
        let ([r, g, b], ..) = drawn.at(47, 31);
        #[expect(clippy::cast_possible_truncation, reason = "of the order of 1")]
        let expected = angle.cos() as f32;
        assert!([r, g, b].iter().all(|value| (value / expected - 1.0).abs() < 0.02), "{angle}: {r} {g} {b}");
    }
}

#[test]
fn what_is_behind_a_box_seen_from_the_light_is_dark() {
    let wall = visual(1, [1.0, 40.0, 40.0], [8.0, 0.0, 0.0], 0);
    let block = visual(1, [1.0, 1.0, 1.0], [4.0, 3.0, 0.0], 0);
    let light = sun(1.0, -1.0, 0.0);
    let mut scene = scene(vec![wall, block], vec![matte(1.0, 1.0, 1.0, 1.0)], vec![light]);
    // The middle of the block is thrown from y = 3 at x = 4 to y = -0.5 at x = 7.5.
    let at = |drawn: &Drawn| drawn.at(47 + 4, 31).0[0];
    let Some(drawn) = draw(scene.clone(), &view([0.0; 3], FORWARD), 1) else { return };
    assert!(at(&drawn) < 0.01, "{}", at(&drawn));
    let lit = drawn.at(47 + 30, 31).0[0];
    assert!((lit / std::f32::consts::FRAC_1_SQRT_2 - 1.0).abs() < 0.02, "{lit}");
    scene.surroundings = Some(SceneSurroundings { shadows: false, ..SceneSurroundings::default() });
    let Some(drawn) = draw(scene, &view([0.0; 3], FORWARD), 1) else { return };
    assert!(at(&drawn) > 0.69, "{}", at(&drawn));
}

#[test]
fn a_shadow_has_its_size_also_in_a_coarse_map() {
    let wall = visual(1, [1.0, 40.0, 40.0], [8.0, 0.0, 0.0], 0);
    let block = visual(1, [1.0, 1.0, 1.0], [4.0, 3.0, 0.0], 0);
    // Its own shadow is not in the image, but the map covers it.
    let beam = visual(1, [1.0, 40.0, 1.0], [4.0, 40.0, 0.0], 0);
    let visuals = vec![wall, block, beam];
    let scene = scene(visuals, vec![matte(1.0, 1.0, 1.0, 1.0)], vec![sun(1.0, -1.0, 0.0)]);
    let Some(drawn) = draw(scene, &view([0.0; 3], FORWARD), 1) else { return };
    // From y = 0.5 m to y = -1.5 m, at 8 pixels to the metre. The block itself is left of column 20.
    let dark: Vec<_> = (20..96).filter(|column| drawn.at(*column, 31).0[0] < 0.35).collect();
    let (first, last) = (dark[0], dark[dark.len() - 1]);
    assert!((43..=45).contains(&first) && (58..=60).contains(&last), "{dark:?}");
    assert_eq!(dark.len(), last - first + 1, "{dark:?}");
}

#[test]
fn a_huge_ground_does_not_make_the_shadows_on_it_coarse() {
    let ground = visual(1, [400.0, 400.0, 1.0], [0.0, 0.0, -0.5], 0);
    let cube = visual(1, [0.2, 0.2, 0.2], [0.0, 0.0, 0.1], 0);
    // Its foot is in the ground, and not seen.
    let post = visual(1, [0.1, 0.1, 1.0], [0.0, 0.5, -0.2], 0);
    let above = view([0.0, 0.0, 2.0], DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2));
    let white = vec![matte(1.0, 1.0, 1.0, 1.0)];
    let scene = scene(vec![ground, cube, post], white, vec![sun(1.0, 0.0, -1.0)]);
    let Some(drawn) = draw(scene, &above, 1) else { return };
    // Up in the image is along x. The shadow begins behind the cube and ends 0.3 m from the middle, at 30 pixels to the
    // metre; the edge of the cube is nearer to the camera.
    let is_dark = |row: &usize| drawn.at(47, *row).2 == 1 && drawn.at(47, *row).0[0] < 0.35;
    assert_eq!((0..32).filter(is_dark).collect::<Vec<_>>(), [23, 24, 25, 26, 27, 28]);
}

#[test]
fn a_large_box_shades_what_is_below_it() {
    let floor = visual(1, [40.0, 40.0, 0.2], [0.0, 0.0, -5.0], 0);
    let table = visual(1, [5.0, 1.0, 0.1], [0.0, 0.0, 0.05], 0);
    let scene = scene(vec![floor, table], vec![matte(1.0, 1.0, 1.0, 1.0)], vec![sun(0.0, -1.0, -1.0)]);
    let above = view([0.0, 0.0, 2.0], DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2));
    let Some(drawn) = draw(scene, &above, 1) else { return };
    // The shadow is 5 m beside the table, at 8.7 pixels to the metre, and as long as the table.
    let [shaded, lit] = [31, 4].map(|row| drawn.at(90, row));
    assert!(shaded.2 == 1 && shaded.0[0] < 0.01, "{shaded:?}");
    assert!(lit.2 == 1 && lit.0[0] > 0.69, "{lit:?}");
}

#[test]
fn each_light_has_a_shadow_of_its_own() {
    let wall = visual(1, [1.0, 40.0, 40.0], [8.0, 0.0, 0.0], 0);
    let blocks = [3.0, -3.0].map(|y| visual(1, [1.0, 1.0, 1.0], [4.0, y, 0.0], 0));
    let shining = |light: SceneLight, r, g, b| SceneLight { diffuse: color(r, g, b, 1.0), ..light };
    let plain = SceneLight { cast_shadows: false, ..sun(1.0, 0.0, 0.0) };
    let lights = vec![
        shining(plain, 0.0, 0.0, 1.0),
        shining(sun(1.0, -1.0, 0.0), 1.0, 0.0, 0.0),
        shining(sun(1.0, 1.0, 0.0), 0.0, 1.0, 0.0),
    ];
    let [one, other] = blocks;
    let scene = scene(vec![wall, one, other], vec![matte(1.0, 1.0, 1.0, 1.0)], lights);
    let Some(drawn) = draw(scene, &view([0.0; 3], FORWARD), 1) else { return };
    // The red light throws the block at y = 3 m to y = -1.5 m to 0.5 m, which is up to 12 columns to the right, and the
    // green one the other block to the left.
    let lit = std::f32::consts::FRAC_1_SQRT_2;
    for (column, expected) in [(55, [0.0, lit, 1.0]), (39, [lit, 0.0, 1.0]), (77, [lit, lit, 1.0])] {
        let (found, ..) = drawn.at(column, 31);
        for (found, expected) in found.into_iter().zip(expected) {
            assert!(
                (found - expected).abs() < 0.02 * expected + 0.005,
                "column {column}: {found}, not {expected}"
            );
        }
    }
}

#[test]
fn half_of_what_is_behind_shows_through_a_pane() {
    let wall = visual(1, [1.0, 40.0, 40.0], [8.0, 0.0, 0.0], 0);
    let pane = visual(1, [0.1, 2.0, 2.0], [4.0, 0.0, 0.0], 1);
    let materials = vec![matte(1.0, 0.0, 0.0, 1.0), matte(0.0, 1.0, 0.0, 0.5)];
    let mut light = sun(1.0, 0.0, 0.0);
    light.cast_shadows = false;
    for samples in [1, 4] {
        let scene = scene(vec![wall.clone(), pane.clone()], materials.clone(), vec![light.clone()]);
        let Some(drawn) = draw(scene, &view([0.0; 3], FORWARD), samples) else { return };
        let ([r, g, _], depth, number) = drawn.at(47, 31);
        assert!((r - 0.5).abs() < 0.01 && (g - 0.5).abs() < 0.01, "{samples}: {r} {g}");
        assert!((depth - 3.95).abs() < 1e-4 && number == 2, "{depth} {number}");
    }
}

#[test]
fn nothing_is_infinitely_far_and_has_the_colour_of_the_background() {
    let mut scene = scene(Vec::new(), Vec::new(), Vec::new());
    scene.surroundings =
        Some(SceneSurroundings { background: color(0.5, 0.25, 1.0, 1.0), ..SceneSurroundings::default() });
    let Some(drawn) = draw(scene, &view([0.0; 3], FORWARD), 1) else { return };
    let ([r, _, b], depth, number) = drawn.at(10, 10);
    assert!((r - 0.214).abs() < 0.005 && (b - 1.0).abs() < 0.005, "{r} {b}");
    assert!(depth == f32::INFINITY && number == 0);
}

/// Two by two pixels: red and green above blue and white.
fn four_colors() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 2, 2);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&[255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]).expect("pixels");
    writer.finish().expect("an end");
    bytes
}

#[test]
fn a_texture_lies_on_a_face_with_its_upper_left_corner_on_the_upper_left() {
    let wall = visual(1, [1.0, 4.0, 4.0], [4.5, 0.0, 0.0], 0);
    let material = SceneMaterial { color_map: 0, ..matte(1.0, 1.0, 1.0, 1.0) };
    let mut scene = scene(vec![wall], vec![material], vec![sun(1.0, 0.0, 0.0)]);
    scene.textures = vec![SceneTexture { hash: "four".to_owned(), ..SceneTexture::default() }];
    let mut content = |hash: &str| (hash == "four").then(four_colors);
    let Some(drawn) = draw_with(scene, &view([0.0; 3], FORWARD), 1, &mut content) else { return };
    // The face is 60 pixels wide; the middles of the pixels of the texture are at a quarter and three quarters of it.
    let corners = [(33, 17), (62, 17), (33, 46), (62, 46)].map(|(column, row)| drawn.at(column, row).0);
    let expected = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0; 3]];
    for (found, expected) in corners.iter().flatten().zip(expected.iter().flatten()) {
        assert!((found - expected).abs() < 0.06, "{corners:?}");
    }
}

#[test]
fn rough_surfaces_that_face_light_and_camera_have_the_brightness_of_the_formula() {
    // At right angles and with a roughness of 1 the distribution is 1 / pi and the visibility 1/4; the reflectance is 4 % or
    // the colour of the metal.
    for (metalness, expected) in [(0.0, [0.5 + 0.01, 0.01, 0.01]), (1.0, [0.5 * 0.25, 0.0, 0.0])] {
        let wall = visual(1, [1.0, 4.0, 4.0], [4.5, 0.0, 0.0], 0);
        // 0.7354 in sRGB is a half.
        let material = SceneMaterial { r#type: 1, metalness, roughness: 1.0, ..matte(0.7354, 0.0, 0.0, 1.0) };
        let mut light = sun(1.0, 0.0, 0.0);
        light.specular = color(1.0, 1.0, 1.0, 1.0);
        let scene = scene(vec![wall], vec![material], vec![light]);
        let Some(drawn) = draw(scene, &view([0.0; 3], FORWARD), 1) else { return };
        let (found, ..) = drawn.at(47, 31);
        for (found, expected) in found.into_iter().zip(expected) {
            assert!(
                (found - expected).abs() < 0.02 * expected + 0.002,
                "{metalness}: {found} for {expected}"
            );
        }
    }
}
