//! Files of unknown origin do not decide which other files of the machine are read: a mesh names files of its package only.

use std::os::unix::fs::symlink;
use std::path::Path;

use crate::support::{Finished, Setup};

const SECRET: &str = "the-password-of-somebody-else-0123456789";

/// A glTF whose points are the bytes of a file.
fn gltf(uri: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"uri":"{uri}","byteLength":36}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],"nodes":[{{"mesh":0}}],
        "scenes":[{{"nodes":[0]}}],"scene":0}}"#
    )
}

/// A world with one mesh, as a visual or as a collision.
fn world(mesh: &str, element: &str) -> String {
    format!(
        "<sdf version='1.9'><world name='w'><model name='m'><static>true</static><link name='l'><{element} name='v'>
         <geometry><mesh><uri>{mesh}</uri></mesh></geometry></{element}></link></model></world></sdf>"
    )
}

/// Records a world of one mesh in a folder `robot/meshes`, beside which a file with a secret lies.
fn recorded(files: &[(&str, &str)], mesh: &str, element: &str) -> Finished {
    let setup = Setup::new().plugins(&["logging"]);
    setup.file("secret.txt", SECRET);
    for folder in ["robot/meshes", "robot/textures"] {
        std::fs::create_dir_all(setup.path(folder)).expect("a folder");
    }
    for (name, content) in files {
        setup.file(name, content);
    }
    symlink(setup.path("secret.txt"), setup.path("robot/meshes/link.bin")).expect("a link");
    let setup = setup.world(&world(mesh, element)).args(["--steps", "5", "--record", "out.mcap"]);
    setup.args(["--on-loss", "ignore"]).finish().expect_code(0)
}

fn contains(file: &Path, text: &str) -> bool {
    let bytes = std::fs::read(file).expect("a recording");
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn a_mesh_does_not_publish_files_outside_of_its_package() {
    for uri in [
        "../../secret.txt",
        "%2e%2e/%2e%2e/secret.txt",
        "/etc/passwd",
        "../../../../../../../../../../../../etc/passwd",
        "link.bin",
    ] {
        for element in ["visual", "collision"] {
            let files = [("robot/meshes/evil.gltf", gltf(uri))];
            let files: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
            let finished = recorded(&files, "robot/meshes/evil.gltf", element);
            let finished = finished.expect_message(&["BH-MSH-003", "is outside of the folder of the mesh"]);
            let recording = finished.path("out.mcap");
            assert!(
                !contains(&recording, &SECRET[..36]) && !contains(&recording, "root:"),
                "{uri}: {finished}"
            );
        }
    }
    // What belongs to it is read, and would be found there.
    let files = [
        ("robot/meshes/good.gltf", gltf("../textures/data.bin")),
        ("robot/textures/data.bin", SECRET.to_owned()),
    ];
    let files: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let finished = recorded(&files, "robot/meshes/good.gltf", "visual");
    assert!(contains(&finished.path("out.mcap"), &SECRET[..12]), "{finished}");
}

/// Of OBJ, the file of materials and the images in it.
#[test]
fn materials_and_images_outside_of_the_package_are_left_out() {
    let obj = |library: &str| format!("mtllib {library}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n");
    for (library, map) in
        [("../../secret.txt", "x.png"), ("look.mtl", "../../secret.png"), ("look.mtl", "/etc/passwd")]
    {
        let files = [
            ("robot/meshes/m.obj", obj(library)),
            ("robot/meshes/look.mtl", format!("newmtl a\nKd 1 0 0\nmap_Kd {map}\n")),
            ("secret.png", SECRET.to_owned()),
        ];
        let files: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let finished = recorded(&files, "robot/meshes/m.obj", "visual");
        let finished = finished.expect_message(&["is outside of the folder of the mesh and of its package"]);
        assert!(!contains(&finished.path("out.mcap"), SECRET), "{library} {map}: {finished}");
    }
}
