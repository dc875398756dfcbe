//! Damaged and excessive scenes, and a device that fails: an error or a part that is missing, never a panic.

use std::fmt::Write as _;

use bridgehead_messages::bridgehead_simulation_interfaces::SceneMesh;

use super::*;
use crate::RenderError;

/// A renderer of its own; `None` without an adapter.
fn renderer() -> Option<Renderer> {
    Renderer::new(&device()).inspect_err(|error| skip::missing(&error.to_string())).ok()
}

fn wall() -> SceneVisual {
    visual(1, [1.0, 40.0, 40.0], [8.0, 0.0, 0.0], 0)
}

const ALL: Wanted = Wanted { color: true, geometry: true, samples: 1 };

#[test]
fn visuals_lights_and_cameras_that_are_nowhere_are_not_drawn() {
    let nowhere = [f64::NAN, f64::INFINITY, 1e300].map(|x| visual(1, [1.0; 3], [x, 0.0, 0.0], 0));
    let endless = [f64::NAN, f64::INFINITY, 0.0, -1.0].map(|size| visual(1, [size; 3], [4.0, 0.0, 0.0], 0));
    let mut lost = sun(f64::NAN, 0.0, 0.0);
    lost.pose = pose(f64::NAN, 0.0, 0.0);
    let visuals = [vec![wall()], nowhere.to_vec(), endless[..3].to_vec()].concat();
    let all = scene(visuals, vec![matte(1.0, 1.0, 1.0, 1.0)], vec![lost, sun(1.0, 0.0, 0.0)]);
    let Some(drawn) = draw(all.clone(), &view([0.0; 3], FORWARD), 1) else { return };
    let (color, depth, number) = drawn.at(47, 31);
    assert!((depth - 7.5).abs() < 1e-4 && number == 1 && color[0] > 0.98, "{color:?} {depth} {number}");
    for (position, orientation) in [
        ([f64::NAN; 3], FORWARD),
        ([f64::INFINITY, 0.0, 0.0], FORWARD),
        ([0.0; 3], DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0)),
    ] {
        let Some(drawn) = draw(all.clone(), &view(position, orientation), 1) else { return };
        assert_eq!(drawn.color.len(), 96 * 64);
        assert!(drawn.visual.iter().all(|number| *number == 0), "{position:?} {orientation}");
    }
}

#[test]
fn damaged_textures_are_white_and_damaged_meshes_are_not_drawn() {
    let mesh = |mesh| SceneVisual { mesh, ..visual(8, [1.0; 3], [4.0, 0.0, 0.0], 0) };
    let material = SceneMaterial { color_map: 0, ..matte(1.0, 1.0, 1.0, 1.0) };
    let mut scene = scene(vec![wall(), mesh(0), mesh(7)], vec![material], vec![sun(1.0, 0.0, 0.0)]);
    scene.textures = vec![SceneTexture { hash: "texture".to_owned(), ..SceneTexture::default() }];
    scene.meshes = vec![SceneMesh { hash: "mesh".to_owned(), ..SceneMesh::default() }];
    // The header of a PNG file of 60,000 by 60,000 pixels.
    let mut bomb = four_colors();
    bomb[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    for content in [bomb, Vec::new(), b"glTF".to_vec(), triangles(3, &[0, 1, 9])] {
        let mut content = |_: &str| Some(content.clone());
        let Some(drawn) = draw_with(scene.clone(), &view([0.0; 3], FORWARD), 1, &mut content) else { return };
        let (color, depth, number) = drawn.at(47, 31);
        assert!((depth - 7.5).abs() < 1e-4 && number == 1 && color[0] > 0.98, "{color:?} {depth} {number}");
    }
}

/// Binary glTF of points in the plane x = 0, each at its number in a square of y and z, with these indices.
pub(super) fn triangles(points: u32, indices: &[u32]) -> Vec<u8> {
    let side = f64::from(points).sqrt().ceil();
    #[expect(clippy::cast_possible_truncation, reason = "small numbers")]
    let coordinate = |number: f64| (number / side - 0.5) as f32;
    let mut bin = Vec::new();
    for point in (0..points).map(f64::from) {
        let place = [0.0, coordinate(point % side), coordinate((point / side).floor())];
        place.iter().for_each(|number| bin.extend(number.to_le_bytes()));
    }
    let start = bin.len();
    indices.iter().for_each(|index| bin.extend(index.to_le_bytes()));
    let mut json = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"buffers\":[{{\"byteLength\":{all}}}],\"bufferViews\":[\
         {{\"buffer\":0,\"byteLength\":{start}}},{{\"buffer\":0,\"byteOffset\":{start},\"byteLength\":{rest}}}],\
         \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":{points},\"type\":\"VEC3\",\
         \"min\":[0,-0.5,-0.5],\"max\":[0,0.5,0.5]}},\
         {{\"bufferView\":1,\"componentType\":5125,\"count\":{count},\"type\":\"SCALAR\"}}],\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}},\"indices\":1}}]}}]}}",
        all = bin.len(),
        rest = bin.len() - start,
        count = indices.len(),
    );
    let missing = json.len().next_multiple_of(4) - json.len();
    write!(json, "{:missing$}", "").expect("spaces");
    let length = |bytes: usize| u32::try_from(bytes).expect("it fits").to_le_bytes();
    let mut out = b"glTF\x02\0\0\0".to_vec();
    out.extend(length(12 + 8 + json.len() + 8 + bin.len()));
    for (kind, chunk) in [(b"JSON", json.as_bytes()), (b"BIN\0", &bin)] {
        out.extend(length(chunk.len()));
        out.extend(kind);
        out.extend(chunk);
    }
    out
}

#[test]
fn a_million_triangles_are_drawn() {
    // Rows of 1001 points; two triangles for each square between them, seen from both sides.
    let squares = (0..500_u32).flat_map(|row| (0..1000_u32).map(move |column| row * 1001 + column));
    let indices: Vec<u32> =
        squares.flat_map(|at| [at, at + 1, at + 1001, at + 1001, at + 1, at + 1002]).collect();
    assert_eq!(indices.len(), 3_000_000);
    let bytes = triangles(1001 * 1001, &indices);
    let grid = SceneVisual { mesh: 0, ..visual(8, [1.0, 40.0, 40.0], [8.0, 0.0, 0.0], 0) };
    let material = SceneMaterial { double_sided: true, ..matte(1.0, 1.0, 1.0, 1.0) };
    let mut scene = scene(vec![grid], vec![material], vec![sun(1.0, 0.0, 0.0)]);
    scene.meshes = vec![SceneMesh { hash: "grid".to_owned(), ..SceneMesh::default() }];
    let mut content = |_: &str| Some(bytes.clone());
    let Some(drawn) = draw_with(scene, &view([0.0; 3], FORWARD), 1, &mut content) else { return };
    // The lower half of the square.
    let (_, depth, number) = drawn.at(47, 60);
    assert!((depth - 8.0).abs() < 1e-3 && number == 1, "{depth} {number}");
    assert_eq!(drawn.at(47, 4).2, 0);
}

#[test]
fn an_image_that_the_device_refuses_leaves_it_to_others() {
    let Some(mut renderer) = renderer() else { return };
    let white = vec![matte(1.0, 1.0, 1.0, 1.0)];
    let stage = renderer.load(scene(vec![wall()], white, Vec::new()), &mut |_| None).expect("uploaded");
    let error = |made: Result<_, RenderError>| made.map(|_: crate::Target| ()).expect_err("refused");
    let huge = error(renderer.target([1 << 20, 1], ALL));
    assert!(matches!(huge, RenderError::TooLarge { width: 1_048_576, .. }), "{huge}");
    assert!(matches!(error(renderer.target([0, 4], ALL)), RenderError::TooLarge { .. }));
    // No device has three samples for a pixel.
    let refused = error(renderer.target([4, 4], Wanted { samples: 3, ..ALL }));
    assert!(refused.to_string().starts_with("[BH-DRW-002]"), "{refused}");
    let view = view([0.0; 3], FORWARD);
    let mut target = renderer.target(view.size, ALL).expect("a target");
    renderer.draw(&stage, &mut target, &view, &[Placement::IDENTITY]).expect("drawn");
    target.read(|images| assert!(images.color().is_some())).expect("read");
}

#[test]
fn a_lost_device_is_an_error_of_each_call_and_a_new_one_draws() {
    let Some(mut renderer) = renderer() else { return };
    let scene = scene(vec![wall()], vec![matte(1.0, 1.0, 1.0, 1.0)], vec![sun(1.0, 0.0, 0.0)]);
    let stage = renderer.load(scene.clone(), &mut |_| None).expect("uploaded");
    let view = view([0.0; 3], FORWARD);
    let mut target = renderer.target(view.size, ALL).expect("a target");
    renderer.lose();
    let drawn = renderer.draw(&stage, &mut target, &view, &[Placement::IDENTITY]);
    let read = target.read(|_| ());
    let errors = [drawn.err(), read.err(), renderer.target(view.size, ALL).err()];
    assert!(errors.iter().flatten().count() >= 1, "{errors:?}");
    for error in errors.iter().flatten() {
        assert!(matches!(error, RenderError::Device { .. }), "{error}");
    }
    assert!(renderer.load(scene.clone(), &mut |_| None).is_err());
    assert!(draw(scene, &view, 1).is_some_and(|drawn| drawn.at(47, 31).2 == 1));
}
