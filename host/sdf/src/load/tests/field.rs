//! Files of libsdformat's tests and of Gazebo's examples, which are not part of the workspace.

use super::*;

/// The folder of the files, and all of them.
fn field_files() -> Option<(PathBuf, Vec<PathBuf>)> {
    let folder = crate::skip::shared("sdf")?;
    let mut files = Vec::new();
    collect(&folder, &mut files);
    Some((folder, files))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "sdf" || extension == "world") {
            files.push(path);
        }
    }
}

#[test]
fn field_files_load_or_are_refused_and_save_byte_identical() {
    let Some((folder, files)) = field_files() else { return };
    let search = SearchPath::new([folder.join("models")]);
    let mut loaded_count = 0;
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        match load(file, &search, &Budget::default()) {
            Ok(loaded) => {
                loaded_count += 1;
                assert_eq!(edit::apply(&loaded.document, &[]).unwrap(), text, "{}", file.display());
            }
            Err(error) => assert!(error.cause.location.is_some(), "{}: {error}", file.display()),
        }
    }
    assert!(loaded_count * 10 >= files.len() * 9, "only {loaded_count} of {} load", files.len());
}

/// Elements of the appearance, whose children must all be known.
const APPEARANCE: &[&str] = &[
    "visual",
    "material",
    "script",
    "pbr",
    "metal",
    "specular",
    "light",
    "attenuation",
    "spot",
    "scene",
    "sky",
    "fog",
    "heightmap",
    "texture",
    "blend",
];

#[test]
fn every_element_of_the_appearance_in_field_files_is_known() {
    let Some((folder, files)) = field_files() else { return };
    let search = SearchPath::new([folder.join("models")]);
    let (mut materials, mut lights) = (0, 0);
    for file in &files {
        let Ok(loaded) = load(file, &search, &Budget::default()) else { continue };
        for finding in loaded.diagnostics.iter().filter(|finding| finding.code == Code::UnknownElement) {
            let is_of_appearance =
                APPEARANCE.iter().any(|parent| finding.found.contains(&format!("in `<{parent}>`")));
            assert!(!is_of_appearance, "{finding}");
        }
        let links = loaded.world.models.iter().flat_map(|model| &model.links);
        let visuals = links.flat_map(|link| &link.visuals);
        materials += visuals.filter(|visual| visual.element.material.is_some()).count();
        lights += loaded.world.lights.len();
    }
    assert!(materials > 400 && lights > 50, "{materials} materials and {lights} lights were read");
}
