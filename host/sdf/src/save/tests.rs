//! Texts with changes in them, read again; the worlds of the field among them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod appearance;
mod entity;
mod poses;
use super::*;
use crate::{Disk, InMemory, load, load_with, parse_str};
use glam::{DQuat, DVec3};
use quick_xml::events::Event;
use quick_xml::name::ResolveResult;
use quick_xml::reader::NsReader;
use std::fs;
use std::path::PathBuf;

const WORLD: &str = r#"<?xml version="1.0"?>
<!-- a yard -->
<sdf version="1.9">
  <world name="yard">
    <frame name="corner"><pose>10 0 0 0 0 1.5707963267948966</pose></frame>
    <model name='box'   >  <!-- odd blanks stay -->
      <pose relative_to="corner" degrees="true">  1 2 3   0 0 45 </pose>
      <link name="body"/>
    </model>
    <model name="on_box"><pose relative_to="box">0 0 1 0 0 0</pose><link name="body"/></model>
    <model name="bare"><link name="body"/></model>
    <model name="held" placement_frame="body"><pose rotation_format="quat_xyzw">0 0 0 0 0 0 1</pose>
      <link name="body"><pose>0 1 0 0 0 0.5</pose></link></model>
  </world>
</sdf>
"#;

fn pose(x: f64, y: f64, z: f64, yaw: f64) -> Pose {
    Pose::from_rpy(DVec3::new(x, y, z), 0.1, -0.2, yaw)
}

fn place(model: &str, pose: Pose) -> Change {
    Change::Place { model: model.to_owned(), pose }
}

fn saved(changes: &[Change]) -> Saved {
    let loaded = parse_str("yard.sdf", WORLD).unwrap();
    save(&loaded, changes, &InMemory::new(), &SearchPath::default()).unwrap()
}

fn is_at(model: &Model, wanted: &Pose) -> bool {
    is_near(&model.pose, wanted, NEAR)
}

/// Loads a text again and checks the pose of a model.
fn expect_at(text: &str, name: &str, wanted: &Pose) {
    let loaded = parse_str("yard.sdf", text).unwrap();
    assert_eq!(loaded.diagnostics, []);
    let model = loaded.world.models.iter().find(|model| model.name == name).unwrap();
    assert!(is_at(model, wanted), "{name} is at {:?} and not at {wanted:?}\n{text}", model.pose);
}

#[test]
fn a_world_without_changes_is_the_same_text() {
    assert_eq!(saved(&[]).text, WORLD);
    let loaded = parse_str("yard.sdf", WORLD).unwrap();
    let all: Vec<Change> = loaded.world.models.iter().map(|model| place(&model.name, model.pose)).collect();
    assert_eq!(saved(&all).text, WORLD);
}

#[test]
fn a_moved_model_changes_its_own_pose_alone() {
    let wanted = Pose::from_rpy(DVec3::new(7.0, 2.0, 3.0), 0.0, 0.0, std::f64::consts::FRAC_PI_2);
    let result = saved(&[place("box", wanted), place("on_box", wanted)]);
    // The frame turns x into y; the model on the box keeps its own place.
    let moved: Vec<&str> = result.text.lines().filter(|line| !WORLD.contains(line)).collect();
    assert_eq!(moved.len(), 2, "{moved:?}");
    assert!(moved[0].starts_with("      <pose relative_to=\"corner\" degrees=\"true\">  "), "{moved:?}");
    assert!(moved[0].ends_with(" </pose>"), "{moved:?}");
    expect_at(&result.text, "box", &wanted);
    expect_at(&result.text, "on_box", &wanted);
    assert!(result.findings.is_empty());
}

#[test]
fn poses_come_out_in_the_format_and_frame_of_the_author() {
    for (name, wanted) in [
        ("box", pose(1.0, -2.0, 0.5, 3.0)),
        ("on_box", pose(-4.0, 5.0, 6.0, -1.0)),
        ("bare", pose(0.1, 0.2, 0.3, 0.4)),
        ("held", pose(3.0, 3.0, 0.0, 2.0)),
    ] {
        let result = saved(&[place(name, wanted)]);
        expect_at(&result.text, name, &wanted);
        assert!(result.findings.is_empty(), "{:?}", result.findings);
    }
}

#[test]
fn models_come_go_and_become_static() {
    let spawned = pose(1.0, 2.0, 3.0, 0.0);
    let result = saved(&[
        Change::Remove { model: "on_box".into() },
        Change::SetStatic { model: "bare".into(), is_static: true },
        Change::Add {
            xml: "<model name='crate'><pose>9 9 9 0 0 0</pose><link name='body'/></model>".into(),
            name: "crate_1".into(),
            pose: spawned,
            entity: None,
        },
    ]);
    expect_at(&result.text, "crate_1", &spawned);
    let loaded = parse_str("yard.sdf", &result.text).unwrap();
    let names: Vec<&str> = loaded.world.models.iter().map(|model| model.name.as_str()).collect();
    assert_eq!(names, ["box", "bare", "held", "crate_1"]);
    assert!(loaded.world.models[1].is_static);
    assert!(result.text.contains("<!-- a yard -->") && result.text.contains("<!-- odd blanks stay -->"));
}

#[test]
fn an_included_model_is_placed_by_its_include() {
    let files = InMemory::new()
        .with("/w/crate/model.config", "<model><sdf version='1.9'>model.sdf</sdf></model>")
        .with(
            "/w/crate/model.sdf",
            "<sdf version='1.9'><model name='crate'><pose>5 5 5 0 0 0</pose><link name='l'/></model></sdf>",
        )
        .with(
            "/w/world.sdf",
            "<sdf version='1.9'><world name='w'>\n  <include><uri>crate</uri></include>\n</world></sdf>",
        );
    let search = SearchPath::default();
    let loaded = load_with(&files, Path::new("/w/world.sdf"), &search, &Budget::default()).unwrap();
    let wanted = pose(1.0, 1.0, 0.0, 0.0);
    let result = save(&loaded, &[place("crate", wanted)], &files, &search).unwrap();
    let files = files.with("/w/again.sdf", result.text.as_str());
    let again = load_with(&files, Path::new("/w/again.sdf"), &search, &Budget::default()).unwrap();
    assert!(is_at(&again.world.models[0], &wanted), "{}", result.text);
    assert!(means_the_same(&result, &loaded, Path::new("/w/again.sdf"), &files, &search).unwrap());
    assert!(!means_the_same(&result, &loaded, Path::new("/elsewhere/again.sdf"), &files, &search).unwrap());
}

#[test]
fn changes_without_an_own_element_are_reported() {
    let result = saved(&[place("nobody", Pose::IDENTITY)]);
    assert_eq!(result.text, WORLD);
    assert_eq!(result.findings.len(), 1);
    assert_eq!(result.findings[0].code, Code::SaveNotOwn);
}

#[test]
fn a_spawned_text_that_is_no_model_is_refused() {
    let loaded = parse_str("yard.sdf", WORLD).unwrap();
    for xml in ["<model", "<light name='x' type='point'/>", ""] {
        let add = Change::Add { xml: xml.into(), name: "x".into(), pose: Pose::IDENTITY, entity: None };
        save(&loaded, &[add], &InMemory::new(), &SearchPath::default()).unwrap_err();
    }
}

/// Real files beside the repository, if available.
fn field() -> Vec<PathBuf> {
    let Some(root) = crate::skip::shared("sdf") else { return Vec::new() };
    let folders = [root.join("gz-worlds"), root.join("sdformat")];
    let mut files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).into_iter().flatten())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sdf"))
        .collect();
    files.sort();
    files
}

#[test]
fn worlds_of_the_field_are_saved_without_a_scratch() {
    let files = field();
    let mut loaded = 0;
    for path in &files {
        let Ok(world) = load(path, &SearchPath::default(), &Budget::default()) else { continue };
        let same: Vec<Change> =
            world.world.models.iter().map(|model| place(&model.name, model.pose)).collect();
        let result = save(&world, &same, &Disk, &SearchPath::default()).unwrap();
        assert_eq!(result.text.as_bytes(), fs::read(path).unwrap(), "{}", path.display());
        loaded += 1;
    }
    assert!(files.is_empty() || loaded > 100, "{loaded} of {} files", files.len());
}

#[test]
fn each_model_of_the_field_can_be_moved_alone() {
    let mut moved = 0;
    for path in &field() {
        let Ok(world) = load(path, &SearchPath::default(), &Budget::default()) else { continue };
        let Some(model) = world.world.models.first().filter(|_| world.is_clean()) else { continue };
        let wanted = Pose::new(
            model.pose.position + DVec3::new(0.5, -0.25, 2.0),
            (model.pose.rotation * DQuat::from_rotation_z(0.3)).normalize(),
        );
        let result = save(&world, &[place(&model.name, wanted)], &Disk, &SearchPath::default()).unwrap();
        assert_eq!(result.findings, [], "{}", path.display());
        let before = fs::read_to_string(path).unwrap();
        expect_one_change(&before, &result.text, path);
        let again = reload(&world, &result.text, &Disk, &SearchPath::default()).unwrap();
        assert!(is_at(super::model(&again, &model.name).unwrap(), &wanted), "{}", path.display());
        moved += 1;
    }
    assert!(moved > 90 || field().is_empty(), "{moved} models moved");
}

/// One range of text differs, and it is a `<pose>` or part of one.
fn expect_one_change(before: &str, after: &str, path: &Path) {
    let head = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
    let tail = before.bytes().rev().zip(after.bytes().rev()).take_while(|(a, b)| a == b).count();
    let (head, tail) = (head.min(before.len() - tail.min(before.len())), tail);
    let new = &after[head..after.len() - tail.min(after.len() - head)];
    let is_inside = after[..head].rfind("<pose") > after[..head].rfind("</pose>");
    let is_whole = new.contains("<pose>") || after[..head].ends_with('<');
    assert!(is_inside || is_whole, "{}: `{new}`", path.display());
    assert!(new.len() < 200, "{}: `{new}`", path.display());
}

const GARAGE: &str = r#"<sdf version="1.9">
  <world name="garage">
    <road name="lane"><width>3</width>
      <point>0 0 0</point> <!-- the gate -->
      <point>1 0 0</point>
      <point>2 0 0</point>
    </road>
    <model name="cart"><link name="l"/>
      <plugin name="battery" filename="battery"/>
    </model>
  </world>
</sdf>
"#;

fn garage(changes: impl Fn(&Loaded) -> Vec<Change>, text: &str) -> Saved {
    let loaded = parse_str("garage.sdf", text).unwrap();
    save(&loaded, &changes(&loaded), &InMemory::new(), &SearchPath::default()).unwrap()
}

/// The elements that the cart's battery saves.
fn charge(loaded: &Loaded, xml: &str) -> Vec<Change> {
    let element = loaded.world.models[0].plugins[0].origin.clone();
    vec![Change::Contribute(Contribution { label: "cart/battery".into(), element, xml: xml.into() })]
}

#[test]
fn plugin_contributions_are_saved_in_its_element_and_replaced_by_the_next_save() {
    let first = garage(|loaded| charge(loaded, "<charge>0.5</charge>"), GARAGE).text;
    let saved = "<plugin name=\"battery\" filename=\"battery\">\n        \
                 <bridgehead:saved><charge>0.5</charge></bridgehead:saved>\n      </plugin>";
    assert!(first.contains(saved), "{first}");
    let diagnostics = |text| parse_str("garage.sdf", text).unwrap().diagnostics.len();
    assert_eq!(diagnostics(&first), diagnostics(GARAGE));
    assert_eq!(garage(|loaded| charge(loaded, "<charge>0.5</charge>"), &first).text, first);
    let second = garage(|loaded| charge(loaded, "<charge>0.25</charge>"), &first).text;
    assert_eq!(second, first.replace("0.5<", "0.25<"));
    let none = garage(|loaded| charge(loaded, ""), &second).text;
    assert!(!none.contains("saved"), "{none}");
    assert_eq!(garage(|loaded| charge(loaded, ""), GARAGE).text, GARAGE);
}

#[test]
fn plugin_contributions_must_be_xml_and_are_removed_with_the_model() {
    let gone = |loaded: &Loaded| {
        let mut changes = charge(loaded, "<charge>0.5</charge>");
        changes.push(Change::Remove { model: "cart".into() });
        changes
    };
    assert!(!garage(gone, GARAGE).text.contains("cart"));
    for xml in ["<charge>", "</bridgehead:saved><charge/>", "a & b"] {
        let broken = |loaded: &Loaded| {
            let mut changes = charge(loaded, xml);
            changes.push(place("cart", pose(1.0, 2.0, 3.0, 0.0)));
            changes
        };
        let result = garage(broken, GARAGE);
        assert!(result.text.contains("<pose>1 2 3 "), "{}", result.text);
        let codes: Vec<Code> = result.findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [Code::EditNotXml], "{xml}");
        assert!(result.findings[0].found.contains("cart/battery") && !result.text.contains("saved"));
    }
    let elsewhere =
        Contribution { label: "cart/radio".into(), element: Origin::default(), xml: "<x/>".into() };
    let result = garage(|_| vec![Change::Contribute(elsewhere.clone())], GARAGE);
    assert_eq!((result.text.as_str(), result.findings.len()), (GARAGE, 1));
    assert!(result.findings[0].found.contains("cart/radio"), "{:?}", result.findings);
}

/// Names of elements with an undeclared prefix.
fn unbound(text: &str) -> Vec<String> {
    let mut reader = NsReader::from_str(text);
    let mut names = Vec::new();
    loop {
        match reader.read_resolved_event().unwrap() {
            (ResolveResult::Unknown(_), Event::Start(start) | Event::Empty(start)) => {
                names.push(start.name().as_ref().to_owned());
            }
            (_, Event::Eof) => return names,
            _ => {}
        }
    }
}

#[test]
fn the_prefix_of_added_elements_is_declared_once() {
    let saved = |loaded: &Loaded| -> Vec<Change> {
        let plugin = |index: usize| loaded.world.models[0].plugins[index].origin.clone();
        let contribution = |index: usize| {
            let xml = format!("<charge>{index}</charge>");
            Change::Contribute(Contribution { label: "cart/battery".into(), element: plugin(index), xml })
        };
        vec![contribution(0), contribution(1)]
    };
    let plugin = "<plugin name=\"battery\" filename=\"battery\"/>";
    let two = GARAGE.replace(plugin, &format!("{plugin}<plugin name=\"spare\" filename=\"battery\"/>"));
    let text = garage(saved, &two).text;
    let declared = "<sdf version=\"1.9\" xmlns:bridgehead=\"urn:bridgehead:sdf\">";
    assert!(text.starts_with(declared) && text.matches("xmlns").count() == 1, "{text}");
    assert_eq!((unbound(&text), text.matches("<bridgehead:saved>").count()), (vec![], 2));
    assert_eq!(garage(saved, &text).text, text);

    // A file without declarations is unchanged outside of the replaced part.
    let undeclared = text.replace(declared, "<sdf version=\"1.9\">").replace(">0</charge>", ">7</charge>");
    assert_eq!(unbound(&undeclared), ["bridgehead:saved", "bridgehead:saved"]);
    assert_eq!(garage(saved, &undeclared).text, undeclared.replace(">7</charge>", ">0</charge>"));
    // If the author uses another namespace, it stays.
    let other = two.replace("<sdf ", "<sdf xmlns:bridgehead='urn:other' ");
    let text = garage(saved, &other).text;
    assert!(text.starts_with("<sdf xmlns:bridgehead='urn:other' version=\"1.9\">"), "{text}");
}

#[test]
fn a_spawned_model_adds_the_declaration_of_its_prefix() {
    let add = Change::Add {
        xml: "<model name='m'><bridgehead:joints>impulse</bridgehead:joints><link name='l'/></model>".into(),
        name: "m".into(),
        pose: Pose::IDENTITY,
        entity: None,
    };
    let text = garage(|_| vec![add.clone()], GARAGE).text;
    assert_eq!((unbound(&text), text.matches("xmlns").count()), (vec![], 1), "{text}");
    assert!(text.contains("<bridgehead:joints>impulse</bridgehead:joints>"), "{text}");
}

#[test]
fn worlds_that_come_with_the_host_declare_their_prefixes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let worlds: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "sdf")).collect();
    assert!(!worlds.is_empty());
    for world in worlds {
        assert_eq!(
            unbound(&fs::read_to_string(&world).unwrap()),
            Vec::<String>::new(),
            "{}",
            world.display()
        );
    }
}

#[test]
fn a_camera_needs_a_world() {
    let text = "<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>";
    let result = garage(|_| vec![Change::PlaceCamera { pose: Pose::IDENTITY }], text);
    assert_eq!((result.text.as_str(), result.findings.len()), (text, 1));
    assert_eq!(result.findings[0].code, Code::SaveNoSuch);
}

#[test]
fn a_road_keeps_the_points_that_stay() {
    let points = |list: &[[f64; 3]]| -> Vec<DVec3> { list.iter().copied().map(DVec3::from).collect() };
    let road = |list: &[[f64; 3]]| {
        let change = Change::SetRoad { road: "lane".into(), points: points(list) };
        garage(|_| vec![change.clone()], GARAGE).text
    };
    assert_eq!(road(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]), GARAGE);
    let moved = road(&[[0.0, 0.0, 0.0], [1.0, 0.5, 0.0], [2.0, 0.0, 0.0]]);
    assert_eq!(moved, GARAGE.replace(">1 0 0<", ">1 0.5 0<"));
    let shorter = road(&[[0.0, 0.0, 0.0]]);
    assert_eq!(shorter, GARAGE.replace("\n      <point>1 0 0</point>\n      <point>2 0 0</point>", ""));
    let longer = road(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]]);
    assert!(longer.contains("<point>2 0 0</point>\n      <point>3 0 0</point>\n"), "{longer}");
    let nowhere = Change::SetRoad { road: "path".into(), points: Vec::new() };
    assert_eq!(garage(|_| vec![nowhere.clone()], GARAGE).findings.len(), 1);
}

#[test]
fn the_camera_is_placed_whatever_there_was_of_it() {
    let camera = |text: &str| {
        let pose = Pose::from_rpy(DVec3::new(1.0, 2.0, 3.0), 0.0, 0.0, 0.0);
        garage(|_| vec![Change::PlaceCamera { pose }], text).text
    };
    let with = |gui: &str| GARAGE.replace("    <road", &format!("    {gui}\n    <road"));
    let pose = "<pose>1 2 3 0 0 0</pose>";
    let set = with(&format!("<gui><camera name='c'>{pose}</camera></gui>"));
    assert_eq!(camera(&with("<gui><camera name='c'><pose>0 0 9 0 0 0</pose></camera></gui>")), set);
    for gui in ["", "<gui/>", "<gui><camera name='c'/></gui>"] {
        let text = camera(&with(gui));
        let loaded = parse_str("garage.sdf", &text).unwrap();
        let gui = loaded.document.root().child("world").unwrap().child("gui").unwrap();
        assert_eq!(gui.child("camera").unwrap().child("pose").unwrap().xml(), pose, "{text}");
    }
}
