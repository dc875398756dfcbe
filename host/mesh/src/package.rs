//! Which files a mesh may name: those of the package that it is part of. A mesh of unknown origin must not decide which
//! other files of the machine are read, and published.

use std::path::{Path, PathBuf};

/// Files that are in the folder of a package: of Gazebo's models, and of ROS.
const MARKS: [&str; 3] = ["model.config", "package.xml", "manifest.xml"];
/// Names of the folder for meshes of a package, in small letters.
const FOLDERS: [&str; 2] = ["mesh", "meshes"];
/// Names of the folders beside it.
const BESIDE: [&str; 3] = ["materials", "textures", "images"];
/// How far above a mesh the folder of its package is looked for.
const MAX_ABOVE: usize = 5;

/// Returns true if a file that a mesh names is outside of the mesh's package. A file that does not exist is not: it is
/// reported when it is read.
///
/// Links are resolved. If each file of a package is a link, as in a workspace of ROS, those that lead to the package that the
/// mesh itself leads to are within.
pub(crate) fn is_outside(mesh: &Path, file: &Path) -> bool {
    let Ok(file) = file.canonicalize() else { return false };
    let mut meshes = vec![absolute(mesh)];
    meshes.extend(mesh.canonicalize());
    let folders =
        meshes.iter().flat_map(|mesh| folders(mesh)).filter_map(|folder| folder.canonicalize().ok());
    !folders.into_iter().any(|folder| file.starts_with(folder))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The folders that belong to a mesh: that of its package, which has a mark. Without a mark nobody knows what else is
/// around, perhaps the home of the user; so it is the folder for meshes, or that of the mesh, with those for textures beside
/// it.
fn folders(mesh: &Path) -> Vec<PathBuf> {
    let Some(folder) = mesh.parent() else { return Vec::new() };
    let above = || folder.ancestors().take(MAX_ABOVE);
    if let Some(package) = above().find(|folder| MARKS.iter().any(|mark| folder.join(mark).is_file())) {
        return vec![package.to_owned()];
    }
    let is_for_meshes = |folder: &&Path| {
        let name = folder.file_name().map(|name| name.to_string_lossy().to_lowercase());
        name.is_some_and(|name| FOLDERS.contains(&name.as_str()))
    };
    let Some(meshes) = above().find(is_for_meshes) else { return vec![folder.to_owned()] };
    let beside = meshes.parent().into_iter().flat_map(|parent| BESIDE.map(|name| parent.join(name)));
    std::iter::once(meshes.to_owned()).chain(beside).collect()
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

    /// As in the home of a user.
    #[test]
    fn a_folder_for_meshes_alone_opens_only_the_folders_for_textures() {
        let folder = tempfile::tempdir().expect("a folder");
        let mesh = file(folder.path(), "meshes/b.gltf");
        file(folder.path(), "meshes/visual/b.bin");
        file(folder.path(), "textures/t.png");
        file(folder.path(), ".ssh/id");
        let cases = [("visual/b.bin", false), ("../textures/t.png", false), ("../.ssh/id", true)];
        expect(&mesh, &cases);
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
