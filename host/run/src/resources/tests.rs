//! Lists, lookups by name, and rejected resources.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bridgehead_sdf::pose::DVec3;
use bridgehead_sdf::{Budget, Disk, SearchPath, load_source};

use super::*;

/// A folder with worlds `one` [a, b], `two` [b], `three`, a model `crate` in a folder of its own, a single model
/// `pillar` and a robot `arm`.
struct Place(tempfile::TempDir);

fn world(name: &str, about: &str) -> String {
    format!(
        "<sdf version='1.9' xmlns:bridgehead='urn:bridgehead:sdf'><world name='{name}'>{about}<model name='m'>\
         <static>true</static><link name='l'/></model></world></sdf>"
    )
}

fn about(description: &str, tags: &[&str]) -> String {
    let tags: String = tags.iter().map(|tag| format!("<tag>{tag}</tag>")).collect();
    format!("<bridgehead:world><description>{description}</description>{tags}</bridgehead:world>")
}

fn model(name: &str) -> String {
    format!("<sdf version='1.9'><model name='{name}'><link name='l'/></model></sdf>")
}

impl Place {
    fn new() -> Self {
        let place = Place(tempfile::tempdir().expect("a folder"));
        place.write("worlds/1.sdf", &world("one", &about("The first.", &["a", "b"])));
        place.write("worlds/deep/2.world", &world("two", &about("", &["b"])));
        place.write("worlds/3.sdf", &world("three", ""));
        place.write("worlds/notes.txt", "<sdf version='1.9'><world name='text'/></sdf>");
        place.write("worlds/broken.sdf", "<sdf");
        let config = "<model><name>A crate</name><sdf version='1.9'>box.sdf</sdf><description>Of wood</description></model>";
        place.write("models/crate/model.config", config);
        place.write("models/crate/box.sdf", &model("crate"));
        place.write("models/crate/inner.sdf", &model("inner"));
        place.write("models/pillar.sdf", &model("pillar"));
        place.write("models/arm.urdf", "<robot name='arm'><link name='l'/></robot>");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    fn library(&self) -> Library {
        Library::new(SearchPath::new([self.path("worlds"), self.path("models")]), Sources::default())
    }

    fn library_of(&self, sources: Sources) -> Library {
        Library::new(SearchPath::default(), sources)
    }
}

fn names(list: &WorldList) -> Vec<&str> {
    list.worlds.iter().map(|world| world.name.as_str()).collect()
}

fn fetch(library: &Library, uri: &str) -> Result<Fetched, ResourceError> {
    library.fetch(&Resource::at(uri), ResourceKind::World)
}

#[test]
fn worlds_are_listed_with_descriptions_and_usable_addresses() {
    let place = Place::new();
    let library = place.library();
    let list = library.worlds(&WorldQuery::default());
    assert_eq!(names(&list), ["one", "three", "two"]);
    assert_eq!(list.worlds[0].description, "The first.");
    assert_eq!(list.worlds[0].tags, ["a", "b"]);
    assert!(list.failed.is_empty() && list.unrecognised.is_empty() && !list.is_cut);
    for world in &list.worlds {
        let fetched = library.fetch(&world.resource, ResourceKind::World).expect("found");
        let loaded =
            load_source(&Disk, fetched.source(), library.search(), &Budget::default()).expect("loaded");
        assert_eq!(loaded.world.name, world.name);
        let by_name = fetch(&library, &world.name).expect("found by its name");
        assert_eq!(by_name.path, fetched.path);
    }
}

#[test]
fn tags_choose_among_worlds() {
    let library = Place::new();
    let library = library.library();
    let with = |mode, tags: &[&str]| {
        let tags = tags.iter().map(ToString::to_string).collect();
        let query = WorldQuery { filter: TagFilter { tags, mode }, ..WorldQuery::default() };
        names(&library.worlds(&query)).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(with(TagMode::Any, &["a"]), ["one"]);
    assert_eq!(with(TagMode::Any, &["a", "b"]), ["one", "two"]);
    assert_eq!(with(TagMode::All, &["a", "b"]), ["one"]);
    assert!(with(TagMode::All, &["a", "c"]).is_empty());
}

#[test]
fn configured_sources_replace_the_default_ones_and_missing_ones_are_reported() {
    let place = Place::new();
    let path = place.path("worlds/3.sdf");
    let described = Described { path, description: "The last.".to_owned(), tags: vec!["c".to_owned()] };
    let places = vec![place.path("worlds/*.sdf"), place.path("nowhere"), place.path("worlds/deep/2.world")];
    let library = place.library_of(Sources { places, described: vec![described] });
    let list = library.worlds(&WorldQuery::default());
    assert_eq!(names(&list), ["one", "three", "two"]);
    assert_eq!(list.worlds[1].tags, ["c"]);
    assert_eq!(list.worlds[1].description, "The last.");
    assert_eq!(list.failed, [place.path("nowhere").display().to_string()]);
    assert!(library.worlds(&WorldQuery::default()).unrecognised.is_empty());
}

#[test]
fn additional_sources_add_up_and_bogus_ones_are_named() {
    let place = Place::new();
    let library = place.library_of(Sources { places: vec![place.path("worlds/deep")], ..Sources::default() });
    let additional =
        vec!["bogus".to_owned(), place.path("worlds/1.sdf").display().to_string(), "model://none".to_owned()];
    let list = library.worlds(&WorldQuery { additional, ..WorldQuery::default() });
    assert_eq!(names(&list), ["two", "one"]);
    assert_eq!(list.unrecognised, ["bogus", "model://none"]);
    // The folder of the loaded world is where relative sources are seen from.
    library.set_world(Some(&place.path("models/any.sdf")));
    let list = library.worlds(&WorldQuery { additional: vec!["../worlds".into()], ..WorldQuery::default() });
    assert_eq!(names(&list), ["two", "one", "three"]);
    let list = library.spawnables(&["bogus".to_owned()]);
    assert_eq!(list.unrecognised, ["bogus"]);
}

#[test]
fn models_are_listed_from_folders_files_and_robots() {
    let place = Place::new();
    let library = place.library();
    let list = library.spawnables(&[]);
    let names: Vec<_> = list.spawnables.iter().map(|model| (&*model.name, &*model.description)).collect();
    assert_eq!(names, [("arm", ""), ("crate", "Of wood"), ("pillar", "")]);
    for (model, format) in list.spawnables.iter().zip([Format::Urdf, Format::Sdf, Format::Sdf]) {
        let fetched = library.fetch(&model.resource, ResourceKind::Model).expect("found");
        assert_eq!(fetched.format, format);
        let by_name =
            library.fetch(&Resource::at(model.name.as_str()), ResourceKind::Model).expect("by its name");
        assert_eq!(by_name.path, fetched.path);
    }
    let folder = library.fetch(&Resource::at("model://crate"), ResourceKind::Model).expect("found");
    assert_eq!(folder.path, Some(place.path("models/crate/box.sdf")));
}

#[test]
fn models_are_measured_by_their_collisions_and_again_when_their_file_changes() {
    let place = Place::new();
    let cube = |size: &str| {
        let shape =
            format!("<collision name='c'><geometry><box><size>{size}</size></box></geometry></collision>");
        model("pillar")
            .replace("<link name='l'/>", &format!("<link name='l'><pose>0 0 1 0 0 0</pose>{shape}</link>"))
    };
    place.write("models/pillar.sdf", &cube("1 2 2"));
    let library = place.library();
    let rooms = |patience| {
        let mut list = library.spawnables(&[]);
        library.measure(&mut list, patience);
        (list.spawnables.iter().map(|model| model.room).collect::<Vec<_>>(), list.unmeasured)
    };
    let (second, none) = (Duration::from_secs(60), Duration::ZERO);
    assert_eq!(rooms(none), (vec![None, None, None], 3), "no time, and so none is measured");
    let room = Some([DVec3::new(-0.5, -1.0, 0.0), DVec3::new(0.5, 1.0, 2.0)]);
    assert_eq!(rooms(second), (vec![None, None, room], 0));
    assert_eq!(rooms(none), (vec![None, None, room], 0), "they are known by now");
    place.write("models/pillar.sdf", &cube("10 2 2"));
    assert_eq!(rooms(none).1, 1);
    assert_eq!(rooms(second).0[2].map(|[_, high]| high.x), Some(5.0));
}

#[test]
fn a_head_is_read_again_only_when_its_file_changes() {
    let place = Place::new();
    let library = place.library();
    let list = || names(&library.worlds(&WorldQuery::default())).join(" ");
    list();
    let before = library.reads();
    assert_eq!(list(), "one three two");
    assert_eq!(library.reads(), before);
    place.write("worlds/3.sdf", &world("three-and-a-half", ""));
    assert_eq!(list(), "one three-and-a-half two");
    assert_eq!(library.reads(), before + 1);
    fs::remove_file(place.path("worlds/1.sdf")).expect("removed");
    assert_eq!(list(), "three-and-a-half two");
}

#[cfg(unix)]
#[test]
fn symlink_cycles_are_not_followed_and_targets_are_listed_once() {
    let place = Place::new();
    std::os::unix::fs::symlink(place.path("worlds"), place.path("worlds/deep/up")).expect("linked");
    std::os::unix::fs::symlink(place.path("worlds/1.sdf"), place.path("worlds/z.sdf")).expect("linked");
    assert_eq!(names(&place.library().worlds(&WorldQuery::default())), ["one", "three", "two"]);
}

#[test]
fn listed_uris_of_files_with_any_name_can_be_fetched() {
    let place = Place::new();
    let strange = place.path("worlds/a b%20#1 ü.sdf");
    fs::copy(place.path("worlds/1.sdf"), &strange).expect("copied");
    let library = place.library();
    let listed = library.worlds(&WorldQuery::default()).worlds;
    let found: Vec<_> =
        listed.iter().filter_map(|world| fetch(&library, &world.resource.uri).ok()?.path).collect();
    assert!(found.contains(&strange), "{found:?}");
    assert_eq!(found.len(), listed.len());
}

#[test]
fn an_address_is_found_in_the_ways_that_are_promised() {
    let place = Place::new();
    let library = place.library();
    let file = place.path("worlds/1.sdf");
    let found = |uri: &str| fetch(&library, uri).ok().and_then(|fetched| fetched.path);
    assert_eq!(found(&file.display().to_string()), Some(file.clone()));
    assert_eq!(found(&format!("file://{}", file.display())), Some(file.clone()));
    assert_eq!(found("1.sdf"), Some(file.clone()), "on the search path");
    assert_eq!(found("model://1.sdf"), Some(file));
    library.set_world(Some(&place.path("models/crate/box.sdf")));
    assert_eq!(found("inner.sdf"), Some(place.path("models/crate/inner.sdf")), "beside the loaded world");
    assert_eq!(found("../pillar.sdf"), Some(place.path("models/pillar.sdf")));
    assert_eq!(found("package://crate/box.sdf"), Some(place.path("models/crate/box.sdf")));
}

#[test]
fn an_address_wins_over_a_text() {
    let place = Place::new();
    let both = Resource { uri: "three".to_owned(), text: "not even XML".to_owned() };
    let fetched = place.library().fetch(&both, ResourceKind::World).expect("found");
    assert_eq!(fetched.path, Some(place.path("worlds/3.sdf")));
}

#[test]
fn each_refusal_is_of_its_own_kind() {
    let place = Place::new();
    place.write("worlds/launch.xml", "<launch/>");
    fs::write(place.path("worlds/binary.sdf"), b"\xff\xfe\x00").expect("written");
    let library = place.library();
    let refused = |uri: &str| fetch(&library, uri).expect_err(uri);
    assert_eq!(refused(""), ResourceError::NoResource);
    assert!(matches!(refused("scene.docx"), ResourceError::UnsupportedFormat { .. }));
    assert!(matches!(refused("launch.xml"), ResourceError::UnsupportedFormat { .. }));
    assert!(matches!(refused("binary.sdf"), ResourceError::Unreadable { .. }));
    assert!(matches!(refused("missing.sdf"), ResourceError::NotFound { .. }));
    assert!(matches!(refused("/missing.sdf"), ResourceError::NotFound { .. }));
    assert!(matches!(refused("https://fuel.gazebosim.org/1.0/o/models/n"), ResourceError::NotFound { .. }));
    assert!(matches!(refused(&place.path("models").display().to_string()), ResourceError::NotFound { .. }));
    let text = library.fetch(&Resource::of_text("hello"), ResourceKind::World).expect_err("no format");
    assert!(text.to_string().contains("does not begin like XML"), "{text}");
    assert!(refused("missing.sdf").to_string().contains(&place.path("worlds").display().to_string()));
}

#[test]
fn rejected_findings_are_named_with_their_places() {
    let text = "<sdf version='1.9'>\n<world name='w'>\n<include><uri>model://none</uri></include>\n<tyop/>\n\
                <own:note/>\n</world></sdf>";
    let loaded = bridgehead_sdf::parse_str("w.sdf", text).expect("loaded");
    let check = |assets, elements| {
        let strictness = Strictness { refuses_assets: assets, refuses_elements: elements };
        check_findings("w", &loaded.diagnostics, strictness)
    };
    assert_eq!(check(false, false), Ok(()));
    let Err(ResourceError::MissingAssets { findings, .. }) = check(true, true) else { panic!("refused") };
    assert!(findings[0].contains("w.sdf:3:"), "{findings:?}");
    let Err(ResourceError::UnsupportedElements { findings, .. }) = check(false, true) else {
        panic!("refused")
    };
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0].contains("w.sdf:4:") && findings[0].contains("tyop"), "{findings:?}");
    let problems = ["mesh trouble: [BH-MSH-002] `a.blend`".to_owned(), "other".to_owned()];
    let refuses = Strictness { refuses_assets: true, refuses_elements: false };
    assert_eq!(check_assets("w", &problems, Strictness::LENIENT), Ok(()));
    let error = check_assets("w", &problems, refuses).expect_err("refused");
    assert!(matches!(&error, ResourceError::UnsupportedAssets { findings, .. } if findings.len() == 1));
}

#[test]
fn nothing_is_where_nothing_was_given() {
    let library = Library::new(SearchPath::default(), Sources::default());
    assert!(library.worlds(&WorldQuery::default()).worlds.is_empty());
    assert!(library.spawnables(&[String::new()]).spawnables.is_empty());
    assert!(!scan::Scan::new().add(Path::new("")));
}

#[test]
fn a_resource_says_which_field_was_read_and_how() {
    let both = |uri: &str, text: &str| Resource { uri: uri.to_owned(), text: text.to_owned() };
    for (resource, format, reading) in [
        (both("", ""), None, "`uri` and `resource_string` are empty"),
        (both("", "<sdf/>"), Some(Format::Sdf), "`resource_string` was read as SDF"),
        (both("", "<robot/>"), Some(Format::Urdf), "`resource_string` was read as URDF"),
        (
            both("", "box.sdf"),
            None,
            "`resource_string` was read as the text of a model; a path or name belongs in `uri`",
        ),
        (both("box.sdf", ""), None, "`uri` was read as a path or the name of a listed model"),
        (
            both("file:///a.urdf", ""),
            Some(Format::Urdf),
            "`uri` was read as the URI of a file, and its file as URDF",
        ),
        (
            both("model://a", ""),
            Some(Format::Sdf),
            "`uri` was read as a model in a folder of models, and its file as SDF",
        ),
        (both("package://a/b", ""), None, "`uri` was read as a file in a ROS package"),
        (both("https://a", ""), None, "`uri` was read as an address of Gazebo Fuel"),
        (
            both("<model/>", ""),
            None,
            "`uri` was read as a path or the name of a listed model; the text of a model belongs in `resource_string`",
        ),
        (
            both("a", "<sdf/>"),
            None,
            "`uri` was read as a path or the name of a listed model; `resource_string` was not used, because there is a \
             `uri`",
        ),
    ] {
        assert_eq!(resource.reading(format), reading);
    }
}
