//! Which files are served, and which are not.

use std::fs;

use super::address::viewer_address;
use super::file::read;

#[test]
fn viewers_request_every_local_mesh_as_a_package() {
    for (mesh, address) in [
        ("package://arm/a.dae", "package://arm/a.dae"),
        ("model://car/meshes/a.dae", "package://car/meshes/a.dae"),
        ("file:///abs/a.stl", "package://bridgehead/abs/a.stl"),
        ("/abs/a.stl", "package://bridgehead/abs/a.stl"),
        ("meshes/a.obj", "package://bridgehead/meshes/a.obj"),
        ("https://a.example/a.glb", "https://a.example/a.glb"),
        ("", ""),
    ] {
        assert_eq!(viewer_address(mesh), address);
    }
}

#[test]
fn meshes_are_found_in_folders_and_by_absolute_addresses() {
    let folder = tempfile::tempdir().expect("a folder");
    let mesh = folder.path().join("car/mesh es");
    fs::create_dir_all(&mesh).expect("a folder");
    fs::write(mesh.join("a.STL"), b"solid").expect("a file");
    let folders = ["/missing".into(), folder.path().to_owned()];
    let absolute = mesh.join("a.STL").display().to_string();
    for address in [
        "model://car/mesh es/a.STL".to_owned(),
        "package://car/mesh es/a.STL".to_owned(),
        "car/mesh es/a.STL".to_owned(),
        format!("file://{}", absolute.replace(' ', "%20")),
        absolute,
    ] {
        assert_eq!(read(&address, &folders).as_deref(), Ok(&b"solid"[..]), "{address}");
    }
}

#[test]
fn a_file_is_served_only_if_its_content_is_a_mesh() {
    let folder = tempfile::tempdir().expect("a folder");
    let folders = [folder.path().to_owned()];
    let triangle = [vec![0; 80], 1_u32.to_le_bytes().to_vec(), vec![0; 50]].concat();
    let secret = b"root:x:0:0:root:/root:/bin/bash\n".to_vec();
    for (name, mesh) in [
        ("a.dae", b"<?xml version='1.0'?>\n<COLLADA version='1.4.1'/>".to_vec()),
        ("a.glb", b"glTF\x02\0\0\0".to_vec()),
        ("a.gltf", b"\xef\xbb\xbf {\"asset\": {}}".to_vec()),
        ("a.stl", b"solid a\nendsolid a".to_vec()),
        ("b.stl", triangle),
        ("a.obj", b"# made by hand\nmtllib a.mtl\nv 0 0 0\nf 1 2 3\n".to_vec()),
    ] {
        fs::write(folder.path().join(name), &mesh).expect("a file");
        assert_eq!(read(name, &folders).as_ref(), Ok(&mesh), "{name}");
        for other in [&secret, &Vec::new()] {
            fs::write(folder.path().join(name), other).expect("a file");
            let refused = read(name, &folders).expect_err(name);
            assert!(refused.contains("is not that of a mesh"), "{name}: {refused}");
        }
    }
}

#[test]
fn everything_else_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("folder.stl")).expect("a folder");
    fs::write(folder.path().join("secret"), b"secret").expect("a file");
    fs::File::create(folder.path().join("big.obj")).and_then(|file| file.set_len(33 << 20)).expect("a file");
    let folders = [folder.path().join("models"), folder.path().to_owned()];
    for (address, reason) in [
        ("file:///etc/passwd", "is not a mesh file"),
        ("secret", "is not a mesh file"),
        ("", "is not a mesh file"),
        ("model://../big.obj", "must not contain `..`"),
        ("file:///tmp/../a.stl", "must not contain `..`"),
        ("model://folder.stl", "is not found in"),
        ("package://ghost/a.dae", "BRIDGEHEAD_RESOURCE_PATH"),
        ("https://a.example/a.dae", "is not an address of a file"),
        ("big.obj", "is larger than 32 MiB"),
    ] {
        let refused = read(address, &folders).expect_err(address);
        assert!(refused.contains(reason), "{address}: {refused}");
    }
    assert!(read("a.dae", &[]).is_err_and(|reason| reason.contains("no folders")));
}
