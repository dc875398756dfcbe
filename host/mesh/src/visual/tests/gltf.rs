//! Materials and images of glTF.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use super::*;

/// Two primitives with two materials: one with an image in the file and an image beside it, and one without light.
const FILE: &[u8] = include_bytes!("../../../../../tests/fuzz/corpus/mesh_gltf/materials");

fn read(bytes: &[u8], budget: &Budget) -> Result<VisualMesh, MeshError> {
    VisualMesh::of_bytes(Path::new("/m/a.glb"), bytes, budget.of(&Origin::default()))
}

#[test]
fn materials_and_images_are_read() {
    let mesh = read(FILE, &Budget::default()).unwrap();
    let [red, plain] = &mesh.materials[..] else { panic!("{:?}", mesh.materials) };
    assert_eq!((red.name.as_str(), red.metal_rough), ("red", Some([0.5, 0.75])));
    // The file has 1, 0.5 and 0.25 in linear light.
    let srgb = [1.0, 0.7354, 0.5371, 1.0];
    assert!(red.diffuse.iter().zip(srgb).all(|(part, srgb)| (part - srgb).abs() < 1e-3), "{:?}", red.diffuse);
    assert_eq!((red.double_sided, red.alpha_cutoff, red.unlit, plain.unlit), (true, 0.25, false, true));
    let Some(Image::Embedded(bytes)) = &red.color_map else { panic!("{:?}", red.color_map) };
    assert_eq!(crate::image::decode(bytes).unwrap().rgba, [255, 0, 0, 255]);
    assert_eq!(red.normal_map, Some(Image::File("/m/a wall.png".into())));
    assert!(mesh.warnings.len() == 1 && mesh.warnings[0].contains("set 0 is used"), "{:?}", mesh.warnings);
    let [first, second] = &mesh.parts[..] else { panic!("two parts") };
    assert_eq!((first.name.as_str(), first.material, second.material), ("part", Some(0), Some(1)));
    assert_eq!((first.uvs[1], first.normals[0]), ([1.0, 0.0], [0.0, 0.0, 1.0]));
    // The second one has no normals and no indices; its four corners are a triangle and a rest.
    assert_eq!((second.indices.len(), second.normals.len(), second.uvs.len()), (3, 3, 0));
}

#[test]
fn an_image_that_many_materials_use_is_in_memory_once() {
    let many = r#","materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}},"#.to_owned()
        + &r#"{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}},"#.repeat(1000);
    let length = u32::from_le_bytes(FILE[12..16].try_into().unwrap()) as usize;
    let json = String::from_utf8(FILE[20..20 + length].to_vec()).unwrap().replace(r#","materials":["#, &many);
    assert!(json.len() > length);
    let mut bytes = Vec::new();
    let padded = json.len().next_multiple_of(4);
    bytes.extend_from_slice(&FILE[..8]);
    bytes.extend_from_slice(&u32::try_from(20 + padded + FILE.len() - 20 - length).unwrap().to_le_bytes());
    bytes.extend_from_slice(&u32::try_from(padded).unwrap().to_le_bytes());
    bytes.extend_from_slice(&FILE[16..20]);
    bytes.extend_from_slice(format!("{json:padded$}").as_bytes());
    bytes.extend_from_slice(&FILE[20 + length..]);
    let budget = Budget::default();
    let mesh = read(&bytes, &budget).unwrap();
    let first = mesh.materials[0].color_map.clone();
    let Some(Image::Embedded(image)) = &first else { panic!("{first:?}") };
    assert!(mesh.materials[..1001].iter().all(|material| material.color_map == first));
    assert_eq!(budget.used(Limit::Meshes), image.len() as u64);
}

#[test]
fn buffers_beside_the_file_may_have_spaces_in_their_names() {
    let folder = folder(&[]);
    let numbers: Vec<u8> =
        [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|at| at.to_le_bytes()).collect();
    fs::write(folder.path().join("a plate.bin"), numbers).unwrap();
    let json = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":"a%20plate.bin"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}]}"#;
    let path = folder.path().join("a.gltf");
    fs::write(&path, json).unwrap();
    assert_eq!(load(&path).unwrap().parts[0].positions[1], [1.0, 0.0, 0.0]);
    assert_eq!(crate::Mesh::load(&path, Budget::default().of(&Origin::default())).unwrap().parts().len(), 1);
}
