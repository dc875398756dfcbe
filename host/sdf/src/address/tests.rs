//! The resolution of addresses.

use super::{NotFound, SearchPath, file_uri, locate, path_of_file_uri};
use crate::files::InMemory;
use std::path::{Path, PathBuf};

fn files() -> InMemory {
    InMemory::new()
        .with("/worlds/meshes/a.dae", "")
        .with("/models/car/model.config", "")
        .with("/models/car/model.sdf", "")
        .with("/models/wheel/model.config", "")
        .with("/abs/x.stl", "")
}

fn find(address: &str, folder: &str) -> Result<PathBuf, NotFound> {
    locate(address, Some(Path::new(folder)), &SearchPath::new(["/models"]), &files())
}

#[test]
fn relative_addresses_are_looked_up_beside_the_file_first() {
    assert_eq!(find("meshes/a.dae", "/worlds"), Ok("/worlds/meshes/a.dae".into()));
    assert_eq!(find("../worlds/meshes/a.dae", "/models"), Ok("/worlds/meshes/a.dae".into()));
    assert_eq!(find("car", "/worlds"), Ok("/models/car".into()), "then on the search path");
}

#[test]
fn a_model_address_finds_folders_on_the_path_and_siblings() {
    assert_eq!(find("model://car", "/worlds"), Ok("/models/car".into()));
    let beside = locate("model://wheel", Some(Path::new("/models/car")), &SearchPath::default(), &files());
    assert_eq!(beside, Ok("/models/wheel".into()));
}

#[test]
fn absolute_and_file_addresses_are_taken_as_they_are() {
    assert_eq!(find("/abs/x.stl", "/worlds"), Ok("/abs/x.stl".into()));
    assert_eq!(find("file:///abs/x.stl", "/worlds"), Ok("/abs/x.stl".into()));
    assert_eq!(find("file://meshes/a.dae", "/worlds"), Ok("/worlds/meshes/a.dae".into()));
}

#[test]
fn a_file_uri_is_decoded_and_encoded() {
    for (path, uri) in [
        ("/a b/ü#1.sdf", "file:///a%20b/%C3%BC%231.sdf"),
        ("/100%.sdf", "file:///100%25.sdf"),
        ("/plain-1.2_~/x+y.sdf", "file:///plain-1.2_~/x+y.sdf"),
    ] {
        assert_eq!(file_uri(Path::new(path)).as_deref(), Some(uri));
        assert_eq!(path_of_file_uri(uri).as_deref(), Some(path));
    }
    assert_eq!(path_of_file_uri("file:///100%.sdf").as_deref(), Some("/100%.sdf"), "no digits after the `%`");
    assert_eq!(path_of_file_uri("model://a%20b"), None);
}

#[test]
fn a_missing_file_lists_the_searched_places() {
    let places = ["/worlds/ghost", "/ghost", "/models/ghost", "/worlds/models/ghost"].map(PathBuf::from);
    let places = places.to_vec();
    assert_eq!(find("model://ghost", "/worlds"), Err(NotFound::Nowhere(places)));
    assert!(matches!(find("model://", "/worlds"), Err(NotFound::Nowhere(_))));
    assert!(matches!(find("", "/worlds"), Err(NotFound::Nowhere(_))));
    assert_eq!(find("https://fuel.gazebosim.org/1.0/x/models/car", "/worlds"), Err(NotFound::Network));
}

#[test]
fn environment_variables_are_split_and_come_after_given_folders() {
    let search = SearchPath::new(["/given"]).with_environment(|name| match name {
        "SDF_PATH" => Some("/a::/b".into()),
        "CLOISIM_MODEL_PATH" => Some("/c".into()),
        "GAZEBO_MODEL_PATH" => Some("/d:/e".into()),
        "AMENT_PREFIX_PATH" => Some("/opt/ros".into()),
        _ => None,
    });
    let expected = ["/given", "/a", "/b", "/c", "/d", "/e", "/opt/ros/share"].map(PathBuf::from);
    assert_eq!(search.folders(), expected);
}

#[test]
fn a_package_is_found_from_inside() {
    let files =
        InMemory::new().with("/ws/share/arm/meshes/x.stl", "").with("/ws/share/arm/urdf/arm.urdf", "");
    let find = |folder: &str| {
        locate("package://arm/meshes/x.stl", Some(Path::new(folder)), &SearchPath::default(), &files)
    };
    assert_eq!(find("/ws/share/arm/urdf"), Ok("/ws/share/arm/meshes/x.stl".into()));
    assert_eq!(find("/ws/share/arm"), Ok("/ws/share/arm/meshes/x.stl".into()));
    assert!(matches!(find("/elsewhere/urdf"), Err(NotFound::Nowhere(_))));
}

#[test]
fn a_package_is_found_from_where_the_program_was_started() {
    let here = std::env::current_dir().unwrap();
    let package = here.file_name().unwrap().to_str().unwrap();
    let files = InMemory::new().with(here.join("meshes/x.stl").to_str().unwrap(), "");
    let address = format!("package://{package}/meshes/x.stl");
    for folder in ["", "urdf"] {
        let found = locate(&address, Some(Path::new(folder)), &SearchPath::default(), &files);
        assert_eq!(found, Ok(here.join("meshes/x.stl")), "from `{folder}`");
    }
}
