//! Which files a mesh may name: those of the package that it is part of. A mesh of unknown origin must not decide which
//! other files of the machine are read, and published.

use std::path::{Path, PathBuf};

/// Files that are in the folder of a package: of Gazebo's models, and of ROS.
const MARKS: [&str; 3] = ["model.config", "package.xml", "manifest.xml"];
/// Names of the folder for meshes of a package, in small letters.
const FOLDERS: [&str; 2] = ["mesh", "meshes"];
/// How far above a mesh the folder of its package is looked for.
const MOST_ABOVE: usize = 5;

/// Returns true if a file that a mesh names is outside of the mesh's package. A file that does not exist is not: it is
/// reported when it is read.
///
/// Links are resolved. Where each file of a package is a link, as in a workspace of ROS, those that lead to the package
/// that the mesh itself is linked from are within.
pub(crate) fn is_outside(mesh: &Path, file: &Path) -> bool {
    let Ok(file) = file.canonicalize() else { return false };
    let mut meshes = vec![absolute(mesh)];
    meshes.extend(mesh.canonicalize());
    let packages = meshes.iter().filter_map(|mesh| package(mesh)?.canonicalize().ok());
    !packages.into_iter().any(|package| file.starts_with(package))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The folder of the package of a mesh: one with a mark, or the folder above the one for meshes, or that of the mesh.
fn package(mesh: &Path) -> Option<PathBuf> {
    let folder = mesh.parent()?;
    let above = || folder.ancestors().take(MOST_ABOVE);
    let is_for_meshes = |folder: &&Path| {
        let name = folder.file_name().map(|name| name.to_string_lossy().to_lowercase());
        name.is_some_and(|name| FOLDERS.contains(&name.as_str()))
    };
    let marked = above().find(|folder| MARKS.iter().any(|mark| folder.join(mark).is_file()));
    let of_meshes = || above().find(is_for_meshes).and_then(Path::parent);
    Some(marked.or_else(of_meshes).unwrap_or(folder).to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn file(folder: &Path, name: &str) -> PathBuf {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, "x").expect("written");
        path
    }

    /// The files that are named, as seen from the folder of the mesh, and whether they are outside.
    fn expect(mesh: &Path, cases: &[(&str, bool)]) {
        for (name, expected) in cases {
            let named = mesh.parent().expect("a folder").join(name);
            assert_eq!(is_outside(mesh, &named), *expected, "{} names {name}", mesh.display());
        }
    }

    #[test]
    fn a_mesh_alone_has_the_files_of_its_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let mesh = file(folder.path(), "a/b.gltf");
        file(folder.path(), "a/b.bin");
        file(folder.path(), "a/textures/t.png");
        file(folder.path(), "secret");
        file(folder.path(), "ab/secret");
        let cases = [
            ("b.bin", false),
            ("textures/t.png", false),
            ("none.bin", false),
            ("../a/b.bin", false),
            ("../secret", true),
            ("textures/../../secret", true),
            ("../ab/secret", true),
            ("/etc/passwd", true),
            ("../../../../../../../etc/passwd", true),
        ];
        expect(&mesh, &cases);
    }

    #[test]
    fn a_mesh_of_a_package_has_all_files_of_the_package() {
        for mark in ["model.config", "package.xml", "robot/meshes/x"] {
            let folder = tempfile::tempdir().expect("a folder");
            let root = folder.path().join("robot");
            file(&root, mark.trim_start_matches("robot/"));
            let mesh = file(&root, "meshes/visual/b.dae");
            file(&root, "materials/textures/t.png");
            file(folder.path(), "other/t.png");
            expect(&mesh, &[("../../materials/textures/t.png", false), ("../../../other/t.png", true)]);
        }
    }

    #[test]
    fn links_lead_only_to_where_the_mesh_comes_from() {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("src/robot");
        file(&source, "package.xml");
        let mesh = file(&source, "meshes/b.dae");
        let texture = file(&source, "textures/t.png");
        let secret = file(folder.path(), "secret");
        let installed = folder.path().join("install/share/robot");
        file(&installed, "package.xml");
        fs::create_dir_all(installed.join("meshes")).expect("made");
        fs::create_dir_all(installed.join("textures")).expect("made");
        symlink(&mesh, installed.join("meshes/b.dae")).expect("a link");
        symlink(&texture, installed.join("textures/t.png")).expect("a link");
        symlink(&secret, installed.join("textures/secret.png")).expect("a link");
        let cases = [("../textures/t.png", false), ("../textures/secret.png", true)];
        expect(&installed.join("meshes/b.dae"), &cases);
    }
}
