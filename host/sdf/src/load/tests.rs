//! Whole files: invalid ones, includes, and real files if they are available.

mod field;
mod incomplete;
mod limits;

use super::{LoadError, Loaded, load, load_with, parse_str};
use crate::address::SearchPath;
use crate::diagnostic::{Code, Severity};
use crate::files::InMemory;
use crate::{Budget, Root, edit};
use glam::DVec3;
use std::path::{Path, PathBuf};

fn refuse(text: &str) -> LoadError {
    parse_str("w.sdf", text).unwrap_err()
}

fn codes(loaded: &Loaded) -> Vec<Code> {
    loaded.diagnostics.iter().map(|finding| finding.code).collect()
}

/// A world at `/w.sdf` with these elements, beside models for includes.
fn world_with(elements: &str) -> Loaded {
    let text = format!("<sdf version='1.9'><world name='w'>{elements}</world></sdf>");
    let config = "<model><sdf version='1.5'>old.sdf</sdf><sdf version='1.9'>model.sdf</sdf><sdf version='9'>x.sdf</sdf></model>";
    let car = "<sdf version='1.9'><model name='car'>
        <pose>9 9 9 0 0 0</pose>
        <frame name='hitch'><pose>-1 0 0 0 0 0</pose></frame>
        <link name='base'><visual name='v'><geometry><mesh><uri>body.dae</uri></mesh></geometry></visual></link>
        <plugin name='own' filename='own.so'/>
        </model></sdf>";
    let files = InMemory::new()
        .with("/w.sdf", text)
        .with("/models/car/model.config", config)
        .with("/models/car/model.sdf", car)
        .with("/models/car/body.dae", "mesh")
        .with("/models/sun/model.config", "<model><sdf version='1.9'>sun.sdf</sdf></model>")
        .with("/models/sun/sun.sdf", "<sdf version='1.9'><light name='sun' type='directional'/></sdf>")
        .with("/models/bare/model.sdf", "<sdf version='1.9'><model name='bare'><link name='l'/></model></sdf>")
        .with("/models/loop.sdf", "<sdf version='1.9'><model name='loop'><link name='l'/><include><uri>loop.sdf</uri></include></model></sdf>")
        .with("/models/broken.sdf", "<sdf version='1.9'><model name='b'>")
        .with("/models/old.sdf", "<sdf version='1.6'><model name='old'><link name='a::b'/></model></sdf>");
    load_with(&files, Path::new("/w.sdf"), &SearchPath::new(["/models"]), &Budget::default()).unwrap()
}

#[test]
fn a_file_without_anything_to_load_is_refused_with_its_reason() {
    assert_eq!(refuse("").cause.code, Code::Empty);
    assert_eq!(refuse("not xml at all").cause.code, Code::Empty);
    assert_eq!(refuse("<sdf version='1.9'><world name='w'>").cause.code, Code::NotXml);
    let error = refuse("\n<launch name='r'/>");
    assert_eq!(
        error.to_string(),
        "error[BH-SDF-004] w.sdf:2:1 /launch[@name=r]: `<launch>` as the root element; expected `<sdf>`\n  \
         try: give an SDF, URDF or MJCF file"
    );
    assert_eq!(refuse("<sdf version='1.9'/>").cause.found, "an empty `<sdf>`");
    assert_eq!(refuse("<sdf version='1.9'><gui/></sdf>").cause.found, "only `<gui>` inside `<sdf>`");
}

#[test]
fn versions_outside_those_read_are_one_error() {
    for version in ["1.3", "1.13", "2.0", "100", "", "1.x"] {
        let error = refuse(&format!("<sdf version='{version}'><world name='w'/></sdf>"));
        assert_eq!(error.cause.code, Code::Version);
        assert_eq!(error.cause.found, format!("SDF version `{version}`"));
        assert!(error.diagnostics.is_empty());
    }
    let loaded = parse_str("w.sdf", "<sdf><world name='w'/></sdf>").unwrap();
    assert_eq!(codes(&loaded), [Code::Version], "a missing version is reported, the rest loads");
}

#[test]
fn a_missing_file_says_which() {
    let error = load(Path::new("/nowhere/w.sdf"), &SearchPath::default(), &Budget::default()).unwrap_err();
    assert_eq!(error.cause.code, Code::Unreadable);
    assert!(error.to_string().contains("`/nowhere/w.sdf`: "), "{error}");
}

#[test]
fn a_lone_model_stands_in_a_world_of_defaults() {
    let loaded =
        parse_str("m.sdf", "<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>").unwrap();
    assert!(loaded.is_clean() && matches!(loaded.root, Root::Model(_)));
    assert_eq!(loaded.world.gravity, DVec3::new(0.0, 0.0, -9.8));
    assert_eq!(loaded.world.models[0].links[0].name, "l");
}

#[test]
fn an_include_lays_its_own_words_over_the_model() {
    let loaded = world_with(
        "<include><uri>model://car</uri><name>taxi</name><pose>1 2 3 0 0 0</pose><static>true</static>
         <plugin name='extra' filename='extra.so'><rate>5</rate></plugin></include>",
    );
    assert!(loaded.is_clean(), "{:?}", loaded.diagnostics);
    let taxi = &loaded.world.models[0];
    assert_eq!((taxi.name.as_str(), taxi.is_static), ("taxi", true));
    assert_eq!(taxi.pose.position, DVec3::new(1.0, 2.0, 3.0));
    let plugins: Vec<_> = taxi.plugins.iter().map(|plugin| plugin.filename.as_str()).collect();
    assert_eq!(plugins, ["own.so", "extra.so"]);
    assert_eq!(taxi.plugins[1].params.get("rate"), Some("5"));
    assert_eq!(taxi.uri.as_deref(), Some("model://car"));
    assert_eq!(&*taxi.origin.location().unwrap().file, "/models/car/model.sdf");
    let include = taxi.include.as_ref().unwrap();
    assert_eq!(&*include.location().unwrap().file, "/w.sdf");
    assert!(include.id_in(&loaded.document).is_some() && taxi.origin.id_in(&loaded.document).is_none());
}

#[test]
fn includes_that_choose_how_joints_are_modelled_are_noted_once() {
    let include = |name: &str| {
        format!(
            "<include><uri>model://car</uri><name>{name}</name><bridgehead:joints>impulse</bridgehead:joints></include>"
        )
    };
    let loaded = world_with(&format!("{}\n{}", include("one"), include("two")));
    assert_eq!(codes(&loaded), [Code::ModellingChosen]);
    let place = loaded.diagnostics[0].location.as_ref().unwrap();
    assert_eq!((&*place.file, place.line), ("/w.sdf", 1));
    assert_eq!(loaded.world.models.len(), 2);
}

#[test]
fn an_include_without_a_pose_keeps_that_of_the_model() {
    let loaded = world_with("<include><uri>model://car</uri></include>");
    assert_eq!(loaded.world.models[0].pose.position, DVec3::splat(9.0));
}

#[test]
fn an_include_places_the_placement_frame() {
    let loaded = world_with(
        "<include><uri>model://car</uri><placement_frame>hitch</placement_frame><pose>5 0 0 0 0 0</pose></include>",
    );
    assert_eq!(loaded.world.models[0].pose.position, DVec3::new(6.0, 0.0, 0.0));
}

#[test]
fn a_light_may_be_included_into_a_world() {
    let loaded = world_with("<include><uri>model://sun</uri></include>");
    assert_eq!(loaded.world.lights[0].element.name, "sun");
}

#[test]
fn an_include_that_cannot_be_followed_leaves_the_rest() {
    let loaded = world_with(
        "<include><uri>model://ghost</uri></include>
         <include><uri>https://fuel.gazebosim.org/1.0/o/models/tree</uri></include>
         <include><uri>broken.sdf</uri></include>
         <include/>
         <include><uri>model://car</uri></include>",
    );
    assert_eq!(codes(&loaded), [Code::UriNotFound, Code::UriNotLocal, Code::NotXml, Code::ElementMissing]);
    assert!(
        loaded.diagnostics[0].found.contains("looked for `/ghost`, `/models/ghost`"),
        "{}",
        loaded.diagnostics[0]
    );
    assert_eq!(&*loaded.diagnostics[2].location.as_ref().unwrap().file, "/models/broken.sdf");
    assert_eq!(loaded.world.models.len(), 1);
}

#[test]
fn a_file_that_includes_itself_is_read_once() {
    let loaded = world_with("<include><uri>loop.sdf</uri></include>");
    assert_eq!(codes(&loaded), [Code::IncludeCycle]);
    assert_eq!(loaded.world.models[0].links.len(), 1);
}

#[test]
fn a_model_folder_without_config_is_reported_and_loads_model_sdf() {
    let loaded = world_with("<include><uri>model://bare</uri></include>");
    assert_eq!(codes(&loaded), [Code::ModelConfigInvalid]);
    assert_eq!(loaded.world.models[0].name, "bare");
}

#[test]
fn two_includes_of_one_name_need_names_of_their_own() {
    let loaded =
        world_with("<include><uri>model://car</uri></include><include><uri>model://car</uri></include>");
    assert_eq!(codes(&loaded), [Code::DuplicateName]);
    assert_eq!(loaded.world.models.len(), 1);
}

#[test]
fn an_included_file_goes_by_its_own_version() {
    let loaded = world_with("<include><uri>old.sdf</uri></include>");
    assert!(loaded.is_clean(), "`::` was allowed in names of SDF 1.6: {:?}", loaded.diagnostics);
}

#[test]
fn a_missing_mesh_is_a_warning_that_says_where_it_looked() {
    let loaded = world_with(
        "<model name='m'><static>1</static><link name='l'><collision name='c'><geometry>
         <mesh><uri>gone.stl</uri></mesh></geometry></collision></link></model>",
    );
    let [finding] = loaded.diagnostics.as_slice() else { panic!("{:?}", loaded.diagnostics) };
    assert_eq!((finding.severity, finding.code), (Severity::Warning, Code::UriNotFound));
    assert_eq!(finding.found, "mesh `gone.stl` was not found; looked for `/gone.stl`, `/models/gone.stl`");
}

#[test]
fn every_truncation_and_every_lost_byte_is_refused_or_loads() {
    let text = "<?xml version='1.0'?><sdf version='1.9'><world name='w'><physics><max_step_size>0.01</max_step_size>\
        </physics><model name='m'><pose relative_to='n::l'>1 2 3 0 0 &#48;</pose><link name='l'><inertial auto='1'>\
        <mass>1</mass></inertial></link><joint name='j' type='ball'><parent>world</parent><child>l</child></joint>\
        </model><!-- ü --><model name='n'><link name='l'/></model></world></sdf>";
    assert!(parse_str("w.sdf", text).unwrap().is_clean());
    for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
        let error = refuse(&text[..at]);
        assert!(matches!(error.cause.code, Code::Empty | Code::NotXml), "{error}");
        let rest = text[at..].chars().skip(1).collect::<String>();
        match parse_str("w.sdf", &format!("{}{rest}", &text[..at])) {
            Ok(loaded) => assert!(loaded.world.models.iter().all(|model| model.pose.is_finite())),
            Err(error) => assert!(error.cause.location.is_some(), "{error}"),
        }
    }
}

/// A gripper with fingers on its palm, for merging.
fn gripper() -> InMemory {
    InMemory::new()
        .with("/models/gripper/model.config", "<model><sdf version='1.9'>model.sdf</sdf></model>")
        .with(
            "/models/gripper/model.sdf",
            "<sdf version='1.9'><model name='gripper'><link name='palm'><pose>0 0 1 0 0 0</pose></link>
             <link name='finger'><pose relative_to='palm'>0 1 0 0 0 0</pose></link>
             <frame name='tip'><pose>0 2 1 0 0 0</pose></frame>
             <joint name='knuckle' type='revolute'><parent>__model__</parent><child>finger</child>
               <axis><xyz expressed_in='__model__'>1 0 0</xyz></axis></joint>
             <plugin name='grip' filename='grip.so'/></model></sdf>",
        )
}

fn robot_with(include: &str) -> Loaded {
    let world = format!(
        "<sdf version='1.9'><world name='w'><model name='robot'><pose>10 0 0 0 0 0</pose><link name='arm'/>{include}
         <joint name='wrist' type='fixed'><parent>arm</parent><child>palm</child></joint></model></world></sdf>"
    );
    let search = SearchPath::new([PathBuf::from("/models")]);
    load_with(&gripper().with("/w.sdf", world), Path::new("/w.sdf"), &search, &Budget::default()).unwrap()
}

#[test]
fn a_merged_model_becomes_part_of_the_model_around_it() {
    let loaded = robot_with(
        "<include merge='true'><uri>model://gripper</uri><pose>1 0 0 0 0 1.5707963267948966</pose></include>",
    );
    assert_eq!(loaded.diagnostics, []);
    let robot = &loaded.world.models[0];
    let names: Vec<&str> = robot.links.iter().map(|link| link.name.as_str()).collect();
    assert_eq!((names, robot.submodels.len()), (vec!["arm", "palm", "finger"], 0));
    let at = |name: &str| robot.link(name).unwrap().pose.position;
    assert!(at("palm").abs_diff_eq(DVec3::new(1.0, 0.0, 1.0), 1e-12), "{}", at("palm"));
    // The gripper is turned: its y is the robot's -x.
    assert!(at("finger").abs_diff_eq(DVec3::new(0.0, 0.0, 1.0), 1e-12), "{}", at("finger"));
    let frame = |name: &str| robot.frames.iter().find(|frame| frame.name == name).unwrap();
    assert!(frame("tip").pose.position.abs_diff_eq(DVec3::new(-1.0, 0.0, 1.0), 1e-12));
    assert_eq!(frame("_merged__gripper__model__").link, Some(1));
    let knuckle = robot.joint("knuckle").unwrap();
    assert!(knuckle.axis.as_ref().unwrap().direction_in_model.abs_diff_eq(DVec3::Y, 1e-12));
    assert_eq!(robot.plugins.len(), 1);
}

#[test]
fn a_merged_model_is_placed_by_the_frame_that_the_include_names() {
    let loaded = robot_with(
        "<include merge='true'><uri>model://gripper</uri><placement_frame>finger</placement_frame>
         <pose relative_to='arm'>5 0 0 0 0 0</pose></include>",
    );
    assert_eq!(loaded.diagnostics, []);
    let robot = &loaded.world.models[0];
    assert!(robot.link("finger").unwrap().pose.position.abs_diff_eq(DVec3::X * 5.0, 1e-12));
    assert!(robot.link("palm").unwrap().pose.position.abs_diff_eq(DVec3::new(5.0, -1.0, 0.0), 1e-12));
}

#[test]
fn names_that_a_merged_model_brings_must_be_new() {
    let loaded =
        robot_with("<link name='finger'/><include merge='true'><uri>model://gripper</uri></include>");
    assert_eq!(codes(&loaded), [Code::DuplicateName]);
}

#[test]
fn models_of_a_merged_model_stand_in_the_world() {
    let fleet = "<sdf version='1.10'><model name='fleet'><model name='a'><pose>1 0 0 0 0 0</pose><link name='l'/></model>
        <model name='b'><link name='l'/></model><frame name='f' attached_to='b'><pose>0 1 0 0 0 0</pose></frame>
        <joint name='tow' type='fixed'><parent>a</parent><child>b</child></joint></model></sdf>";
    let world = "<sdf version='1.10'><world name='w'><include merge='true'><uri>fleet.sdf</uri><pose>100 0 0 0 0 0</pose>
        </include><include merge='true'><uri>model://gripper</uri></include></world></sdf>";
    let files = gripper().with("/fleet.sdf", fleet).with("/w.sdf", world);
    let search = SearchPath::new([PathBuf::from("/models")]);
    let loaded = load_with(&files, Path::new("/w.sdf"), &search, &Budget::default()).unwrap();
    let names: Vec<&str> = loaded.world.models.iter().map(|model| model.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "gripper"]);
    assert_eq!(loaded.world.models[0].pose.position, DVec3::new(101.0, 0.0, 0.0));
    assert_eq!(loaded.world.joints.len(), 1);
    let frame = loaded.world.frames.iter().find(|frame| frame.element.name == "f").unwrap();
    assert_eq!(frame.pose.position, DVec3::new(100.0, 1.0, 0.0));
    assert_eq!(codes(&loaded), [Code::MergeNotSupported], "links have no place in a world");
}

#[test]
fn an_include_from_fuel_is_found_in_its_cache() {
    let folder = "/home/me/.gz/fuel/fuel.gazebosim.org/openrobotics/models/big tree/3";
    let world = "<sdf version='1.9'><world name='w'><include><name>oak</name>
        <uri>https://fuel.gazebosim.org/1.0/OpenRobotics/models/Big%20Tree</uri></include></world></sdf>";
    let files = InMemory::new()
        .with(format!("{folder}/model.config"), "<model><sdf version='1.9'>tree.sdf</sdf></model>")
        .with(
            format!("{folder}/tree.sdf"),
            "<sdf version='1.9'><model name='tree'><static>true</static><link name='l'/></model></sdf>",
        )
        .with("/w.sdf", world);
    let home = |name: &str| (name == "HOME").then(|| "/home/me".into());
    let search = SearchPath::default().with_environment(home);
    let loaded = load_with(&files, Path::new("/w.sdf"), &search, &Budget::default()).unwrap();
    assert_eq!(loaded.diagnostics, []);
    assert_eq!(loaded.world.models[0].name, "oak");
    let given = |name: &str| (name == "GZ_FUEL_CACHE_PATH").then(|| "/home/me/.gz/fuel".into());
    let search = SearchPath::default().with_environment(given);
    assert!(load_with(&files, Path::new("/w.sdf"), &search, &Budget::default()).unwrap().is_clean());
}

const URDF: &str = "<robot name='arm'><link name='base'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>
    </inertial></link><link name='hand'><inertial><mass value='0.5'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>
    <joint name='wrist' type='revolute'><origin xyz='0 0 1'/><parent link='base'/><child link='hand'/><axis xyz='0 1 0'/>
    <limit lower='-1' upper='1' effort='5' velocity='2'/></joint><transmission name='t'/></robot>";

#[test]
fn a_urdf_is_read_where_sdf_may_stand() {
    let alone = parse_str("arm.urdf", URDF).unwrap();
    let expect = |model: &crate::resolved::Model| {
        assert_eq!(model.links.iter().map(|link| link.inertial.mass).sum::<f64>(), 2.5);
        assert_eq!(model.link("hand").unwrap().pose.position, DVec3::Z);
        assert_eq!(model.joint("wrist").unwrap().axis.as_ref().unwrap().direction, DVec3::Y);
    };
    expect(&alone.world.models[0]);
    let world = "<sdf version='1.9'><world name='w'><include><uri>arm.urdf</uri><name>left</name><pose>1 0 0 0 0 0</pose>
        </include></world></sdf>";
    let files = InMemory::new().with("/w/arm.urdf", URDF).with("/w/w.sdf", world);
    let loaded =
        load_with(&files, Path::new("/w/w.sdf"), &SearchPath::default(), &Budget::default()).unwrap();
    let model = &loaded.world.models[0];
    assert_eq!((model.name.as_str(), model.pose.position), ("left", DVec3::X));
    expect(model);
    for loaded in [&alone, &loaded] {
        let [finding] = &loaded.diagnostics[..] else { panic!("{:?}", loaded.diagnostics) };
        assert_eq!(finding.code, Code::UrdfNotConverted);
        assert!(finding.to_string().contains("arm.urdf:4:"), "{finding}");
    }
}

#[test]
fn a_urdf_of_which_nothing_can_be_made_says_why() {
    let error = parse_str("arm.urdf", "<robot name='x'/>").unwrap_err();
    assert!(error.to_string().contains("BH-SDF-101"), "{error}");
}
