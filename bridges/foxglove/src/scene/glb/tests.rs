//! A mesh of one triangle gets materials and textures.

use bridgehead_plugin_api::messages::std_msgs::ColorRgba;

use super::*;

const TEXTURE: &[u8] = b"\x89PNG texture";

/// A triangle with or without texture coordinates, as the host writes it.
fn mesh(has_uvs: bool) -> Vec<u8> {
    let mut attributes = json!({ "POSITION": 0, "NORMAL": 0 });
    if has_uvs {
        attributes["TEXCOORD_0"] = json!(0);
    }
    let root = json!({
        "asset": { "version": "2.0" },
        "meshes": [{ "primitives": [{ "attributes": attributes, "indices": 0 }] }],
        "bufferViews": [{ "buffer": 0, "byteOffset": 0, "byteLength": 36 }],
        "buffers": [{ "byteLength": 36 }],
    });
    assembled(root.to_string().into_bytes(), vec![1; 36])
}

fn material() -> SceneMaterial {
    SceneMaterial {
        name: "paint".to_owned(),
        r#type: SceneMaterial::METAL,
        diffuse: Some(ColorRgba { r: 1.0, g: 0.5, b: 0.0, a: 1.0 }),
        metalness: 0.25,
        roughness: 0.75,
        color_map: 0,
        roughness_map: 0,
        metalness_map: 1,
        normal_map: -1,
        emissive_map: -1,
        occlusion_map: 0,
        ..SceneMaterial::default()
    }
}

fn with_material(mesh: &[u8], material: Option<&SceneMaterial>, opacity: f64) -> Option<Vec<u8>> {
    let known =
        [SceneTexture { hash: "t".to_owned(), media_type: "image/png".to_owned(), ..Default::default() }];
    let read = |hash: &str| (hash == "t").then(|| Bytes::from_static(TEXTURE));
    with_looks(mesh, &[Look { material, opacity }], Textures { known: &known, read: &read })
}

fn index(value: &Value) -> usize {
    value.as_u64().and_then(|index| usize::try_from(index).ok()).expect("an index")
}

#[test]
fn textures_are_inside_once_and_the_triangles_stay() {
    let file = with_material(&mesh(true), Some(&material()), 1.0).expect("a file");
    let (root, bytes) = split(&file).expect("binary glTF");
    assert_eq!(&bytes[..36], [1; 36]);
    assert_eq!(root["images"].as_array().map(Vec::len), Some(1), "both maps are one image");
    let view = &root["bufferViews"][index(&root["images"][0]["bufferView"])];
    let [offset, length] = ["byteOffset", "byteLength"].map(|name| index(&view[name]));
    assert_eq!(&bytes[offset..offset + length], TEXTURE);
    assert_eq!(root["meshes"][0]["primitives"][0]["material"], 0);
    let material = &root["materials"][0];
    let metal = &material["pbrMetallicRoughness"];
    assert_eq!(metal["baseColorTexture"], json!({ "index": 0 }));
    assert_eq!(material["occlusionTexture"], json!({ "index": 0 }));
    assert!(metal.get("metallicRoughnessTexture").is_none(), "two images cannot be one");
    assert_eq!((&metal["metallicFactor"], &metal["roughnessFactor"]), (&json!(0.25), &json!(0.75)));
    let green = metal["baseColorFactor"][1].as_f64().expect("a number");
    assert!((green - 0.214).abs() < 1e-3, "half of sRGB is less than half of the light: {green}");
    assert!(material.get("alphaMode").is_none());
}

#[test]
fn a_mesh_without_texture_coordinates_has_colours_only() {
    let file = with_material(&mesh(false), Some(&material()), 0.5).expect("a file");
    let (root, _) = split(&file).expect("binary glTF");
    assert!(root.get("images").is_none());
    assert_eq!(root["materials"][0]["alphaMode"], "BLEND");
    assert_eq!(root["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"][3], 0.5);
    let (root, _) = split(&with_material(&mesh(false), None, 1.0).expect("a file")).expect("binary glTF");
    assert_eq!(root["materials"][0]["pbrMetallicRoughness"]["metallicFactor"], 0.0);
}

#[test]
fn bytes_that_are_not_binary_gltf_are_no_file() {
    let whole = mesh(true);
    for length in [0, 3, 12, 19, 30, whole.len() - 1] {
        assert!(with_material(&whole[..length], None, 1.0).is_none(), "{length}");
    }
    assert!(with_material(&assembled(b"{}".to_vec(), Vec::new()), None, 1.0).is_none());
}
