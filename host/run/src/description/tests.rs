//! The parts of a world and the message that is made of them.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElementDescription, ElementTopic, SceneVisual, ShapeDescription,
};
use bridgehead_plugin_api::messages::geometry_msgs::TransformStamped;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::{Message, std_msgs};
use bridgehead_sdf::{Loaded, parse_str};

use super::*;
use crate::bus::{Bus, BusError, Qos, Role, Topic, TypeRegistry};
use crate::world::build;

const ROBOT: &str = "<sdf version='1.9'><world name='yard'>
  <plugin filename='gz-sim-physics-system' name='physics'/>
  <model name='car1'><pose>1 0 0 0 0 0</pose>
    <link name='base'><pose>0 0 2 0 0 0</pose><inertial><mass>3</mass></inertial>
      <sensor name='laser' type='lidar'><pose>0 0 0.5 0 0 0</pose><update_rate>60</update_rate>
        <plugin name='LaserPlugin' filename='libLaserPlugin.so'><topic>scan</topic></plugin>
      </sensor></link>
    <model name='arm'><pose>0 1 0 0 0 0</pose><link name='hand'>
      <sensor name='eye' type='camera'><plugin name='own' filename='libSomething.so'/></sensor></link></model>
    <joint name='elbow' type='revolute'><parent>base</parent><child>arm::hand</child>
      <axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>2</upper></limit></axis></joint>
    <joint name='post' type='fixed'><parent>world</parent><child>base</child></joint>
    <plugin name='MicomPlugin' filename='libMicomPlugin.so'/>
  </model>
  <model name='car2'><static>true</static><link name='l'/></model>
  <joint name='tow' type='ball'><parent>car1::base</parent><child>car2::l</child></joint>
  </world></sdf>";

fn loaded(text: &str) -> Loaded {
    parse_str("test.sdf", text).expect("a world")
}

/// The description of a world in which nobody serves anything but `laser`.
fn described(loaded: &Loaded, opened: &Arc<Opened>) -> Description {
    let built = build(&loaded.world, 0.001, 1).expect("built");
    let mut of_world = Elements::default();
    let mut of_models: Vec<Elements> = loaded.world.models.iter().map(|_| Elements::default()).collect();
    for slot in &built.slots {
        let server = ["lidar", "diff_drive"].contains(&slot.asked.as_str()).then(|| Server {
            plugin: slot.asked.clone(),
            label: Some("car1/base/laser_2".to_owned()),
            opened: Some(Arc::clone(opened)),
            ..Server::default()
        });
        let elements = slot.attachment.entity.map_or(&mut of_world, |index| &mut of_models[index]);
        elements.push(slot, server);
    }
    let models = loaded.world.models.iter().zip(of_models).enumerate();
    let parts = models.map(|(index, (model, elements))| (index, ModelPart::new(model, false, elements)));
    let description = Description::default();
    description.load(WorldPart::new(&loaded.world, of_world), parts);
    description
}

#[test]
fn shapes_have_their_sizes_their_colours_and_the_addresses_of_their_files() {
    let text = "<sdf version='1.9'><world name='w'><model name='car'><link name='base'>
      <visual name='shell'><pose>0 0 1 0 0 0</pose><transparency>0.5</transparency>
        <geometry><box><size>1 2 3</size></box></geometry><material><diffuse>1 0 0 1</diffuse></material></visual>
      <visual name='logo'><geometry><mesh><uri>package://car/logo.dae</uri><scale>2 2 2</scale></mesh></geometry>
        </visual>
      <visual name='field'><geometry><polyline><point>0 0</point><point>1 0</point><point>0 1</point>
        <height>1</height></polyline></geometry></visual>
      <collision name='bumper'><geometry><cylinder><radius>0.5</radius><length>2</length></cylinder></geometry>
        </collision></link></model></world></sdf>";
    let message = described(&loaded(text), &Arc::default()).message();
    let [shell, logo, field] = message.links[0].visuals.as_slice() else { panic!("three visuals") };
    let size = |shape: &ShapeDescription| shape.size.map(|size| [size.x, size.y, size.z]);
    assert_eq!(
        (shell.name.as_str(), shell.r#type, size(shell)),
        ("car::base::shell", SceneVisual::BOX, Some([1.0, 2.0, 3.0]))
    );
    assert_eq!(shell.pose.and_then(|pose| pose.position).map(|at| at.z), Some(1.0));
    let color = shell.color.expect("a colour");
    assert_eq!([color.r, color.g, color.b, color.a], [1.0, 0.0, 0.0, 0.5]);
    assert_eq!((logo.r#type, logo.mesh.as_str()), (SceneVisual::MESH, "package://car/logo.dae"));
    assert_eq!((size(logo), logo.color), (Some([2.0; 3]), None));
    assert_eq!(field.r#type, SceneVisual::NONE);
    let [bumper] = message.links[0].collisions.as_slice() else { panic!("one collision") };
    assert_eq!((bumper.name.as_str(), bumper.r#type), ("car::base::bumper", SceneVisual::CYLINDER));
    assert_eq!(size(bumper), Some([1.0, 1.0, 2.0]), "the diameter twice and the length");
}

fn robot() -> Description {
    described(&loaded(ROBOT), &Arc::default())
}

fn named<'a>(elements: &'a [ElementDescription], name: &str) -> &'a ElementDescription {
    elements.iter().find(|element| element.name == name).expect("listed")
}

#[test]
fn nothing_is_described_before_the_first_world_and_nothing_but_a_revision_after_the_last() {
    let description = Description::default();
    assert_eq!((description.revision(), description.message()), (0, WorldDescription::default()));
    description.unload();
    assert_eq!(description.revision(), 0, "there was nothing to unload");
    let description = robot();
    assert_eq!(description.revision(), 1);
    description.unload();
    assert_eq!(description.message(), WorldDescription { revision: 2, ..WorldDescription::default() });
}

#[test]
fn models_links_and_joints_stand_in_document_order_under_scoped_names() {
    let message = robot().message();
    assert_eq!(message.world, "yard");
    let models: Vec<_> = message
        .models
        .iter()
        .map(|model| (model.name.as_str(), model.vehicle.as_str(), model.is_static))
        .collect();
    assert_eq!(models, [("car1", "car1", false), ("car1::arm", "car1", false), ("car2", "car2", true)]);
    let links: Vec<_> = message
        .links
        .iter()
        .map(|link| (link.name.as_str(), link.model.as_str(), link.frame_id.as_str()))
        .collect();
    assert_eq!(
        links,
        [
            ("car1::base", "car1", "car1/base"),
            ("car1::arm::hand", "car1::arm", "car1/arm/hand"),
            ("car2::l", "car2", "car2/l")
        ]
    );
    let position = message.links[0].pose.and_then(|pose| pose.position).expect("a pose");
    assert_eq!(
        (position.x, position.z, message.links[0].mass),
        (1.0, 2.0, 3.0),
        "the link frame in the world"
    );
    let joints: Vec<_> = message
        .joints
        .iter()
        .map(|joint| {
            [&joint.name, &joint.model, &joint.r#type, &joint.parent, &joint.child].map(String::as_str)
        })
        .collect();
    assert_eq!(
        joints,
        [
            ["tow", "", "ball", "car1::base", "car2::l"],
            ["car1::elbow", "car1", "revolute", "car1::base", "car1::arm::hand"],
            ["car1::post", "car1", "fixed", "world", "car1::base"],
        ]
    );
    let (elbow, post) = (&message.joints[1], &message.joints[2]);
    assert_eq!((elbow.lower, elbow.upper, elbow.axis.expect("an axis").y), (-1.0, 2.0, 1.0));
    assert_eq!((post.lower, post.upper, post.axis.expect("none").z), (f64::NEG_INFINITY, f64::INFINITY, 0.0));
}

#[test]
fn sensors_and_plugins_are_listed_as_written_whoever_serves_them() {
    let message = robot().message();
    let names: Vec<_> = message.elements.iter().map(|element| element.name.as_str()).collect();
    assert_eq!(names, ["physics", "laser", "LaserPlugin", "eye", "own", "MicomPlugin"]);
    let laser = named(&message.elements, "laser");
    assert_eq!([&laser.kind, &laser.asked, &laser.plugin], ["sensor", "lidar", "lidar"]);
    assert_eq!([&laser.path, &laser.link, &laser.model], ["car1/base/laser_2", "car1::base", "car1"]);
    assert_eq!(laser.pose.and_then(|pose| pose.position).expect("a pose").z, 0.5);
    assert_eq!(
        laser.update_rate.to_bits(),
        60.0_f64.to_bits(),
        "the rate as written, not that of a rounded period"
    );
    assert!(laser.xml.starts_with("<sensor name='laser'") && laser.xml.ends_with("</sensor>"));
    let micom = named(&message.elements, "MicomPlugin");
    assert_eq!([&micom.plugin, &micom.link, &micom.sensor], ["", "", ""]);
    assert_eq!(micom.xml, "<plugin name='MicomPlugin' filename='libMicomPlugin.so'/>");
    assert_eq!([&message.elements[0].vehicle, &message.elements[0].model], ["", ""]);
}

#[test]
fn a_plugin_inside_a_sensor_names_it_and_has_a_path_only_where_it_is_one_of_its_own() {
    let message = robot().message();
    let served = named(&message.elements, "LaserPlugin");
    assert_eq!([&served.kind, &served.asked, &served.path], ["plugin", "libLaserPlugin.so", ""]);
    assert_eq!([&served.sensor, &served.plugin, &served.link], ["car1/base/laser_2", "lidar", "car1::base"]);
    assert!(served.xml.contains("<topic>scan</topic>") && served.topics.is_empty());
    let own = named(&message.elements, "own");
    assert_eq!([&own.path, &own.sensor], ["car1/arm/hand/eye/own", "car1/arm/hand/eye"]);
    assert_eq!([&own.link, &own.model], ["car1::arm::hand", "car1::arm"]);
}

#[test]
fn spawns_and_removals_change_the_revision_and_their_joints() {
    let (description, source) = (robot(), loaded(ROBOT));
    description.remove(1);
    assert_eq!(description.revision(), 2);
    let message = description.message();
    assert!(message.models.iter().all(|model| model.vehicle == "car1"));
    assert!(message.joints.iter().all(|joint| joint.name != "tow"), "one of its models is gone");
    description.remove(1);
    assert_eq!(description.revision(), 2, "it was gone already");
    description.add(7, ModelPart::new(&source.world.models[1], true, Elements::default()));
    description.add(1, ModelPart::new(&source.world.models[1], false, Elements::default()));
    let message = description.message();
    let spawned: Vec<_> = message.models.iter().map(|model| model.is_spawned).collect();
    assert_eq!((message.revision, spawned), (4, vec![false, false, false, true]), "spawned ones stand last");
    assert!(message.joints.iter().any(|joint| joint.name == "tow"), "it is back with its model");
}

#[test]
fn a_model_of_a_urdf_has_its_text() {
    let urdf = "<robot name='r'><link name='base'><inertial><mass value='1'/>\
        <inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";
    let message = described(&loaded(urdf), &Arc::default()).message();
    assert_eq!((message.models[0].name.as_str(), message.models[0].urdf.as_str()), ("r", urdf));
    assert_eq!(robot().message().models[0].urdf, "");
}

fn open(bus: &Bus, types: &TypeRegistry, name: &str, role: Role) -> Result<Arc<Topic>, BusError> {
    let bools = types
        .register(std_msgs::Bool::FULL_NAME, std_msgs::Bool::DESCRIPTOR_SET, "test")
        .expect("registered");
    bus.open("car1", name, &bools, Qos::default(), role, "laser")
}

#[test]
fn topics_are_listed_once_with_their_direction_in_the_order_in_which_they_were_opened() {
    let (opened, bus, types) = (Arc::new(Opened::default()), Bus::default(), TypeRegistry::default());
    let description = described(&loaded(ROBOT), &opened);
    let say = |name: &str, role| description.open(&opened, role, || open(&bus, &types, name, role)).map(drop);
    let before = description.revision();
    assert_eq!((say("scan", Role::Publisher), say("cmd", Role::Subscriber)), (Ok(()), Ok(())));
    assert_eq!((say("scan", Role::Publisher), say("cmd", Role::Publisher)), (Ok(()), Ok(())));
    assert!(say("a//b", Role::Publisher).is_err());
    let topic = |name: &str, is_published| ElementTopic {
        topic: format!("/car1/{name}"),
        r#type: "std_msgs/msg/Bool".to_owned(),
        is_published,
    };
    let message = description.message();
    assert!(message.revision > before);
    assert_eq!(
        named(&message.elements, "laser").topics,
        [topic("scan", true), topic("cmd", false), topic("cmd", true)]
    );
}

#[test]
fn a_topic_known_to_the_bus_is_in_the_next_description() {
    let (opened, bus, types) = (Arc::new(Opened::default()), Bus::default(), TypeRegistry::default());
    let description = described(&loaded(ROBOT), &opened);
    let known = description.read();
    let (revision, generation) = (description.revision(), bus.generation());
    thread::scope(|scope| {
        scope.spawn(|| {
            description.open(&opened, Role::Publisher, || {
                let topic = open(&bus, &types, "scan", Role::Publisher);
                // Wall time: the topic stays unfinished while it is read.
                thread::sleep(Duration::from_millis(50));
                topic
            })
        });
        while bus.generation() == generation {
            thread::yield_now();
        }
        assert!(description.revision() > revision, "a cached description is known to be old");
        let message = WorldDescription::decode(&*description.read()).expect("decoded");
        assert_eq!(named(&message.elements, "laser").topics.len(), 1);
    });
    assert_ne!(&*known, &*description.read());
}

#[test]
fn one_revision_is_encoded_once_for_all_readers() {
    let description = robot();
    let (first, second) = (description.read(), description.read());
    assert_eq!(first.as_ptr(), second.as_ptr());
    assert_eq!(WorldDescription::decode(&*first).expect("decoded"), description.message());
    description.remove(0);
    let third = WorldDescription::decode(&*description.read()).expect("decoded");
    assert_eq!((third.revision, third.models.len()), (2, 1));
}

/// The static frames of the only model that has any, as parent, child and position.
fn frames_of(model: &str) -> Vec<(String, String, [f64; 3])> {
    let loaded = loaded(&format!(
        "<sdf version='1.9'><world name='yard'><model name='bot'>{model}</model></world></sdf>"
    ));
    let all = described(&loaded, &Arc::default()).static_frames();
    let transforms = all.iter().flat_map(|frames| frames.message().transforms);
    let row = |one: TransformStamped| {
        let at = one.transform.and_then(|transform| transform.translation).expect("a translation");
        (
            one.header.expect("a header").frame_id,
            one.child_frame_id,
            [at.x, at.y, at.z].map(|x| (x * 1e6).round() / 1e6),
        )
    };
    transforms.map(row).collect()
}

fn pairs_of(model: &str) -> Vec<String> {
    frames_of(model).into_iter().map(|(parent, child, _)| format!("{parent} > {child}")).collect()
}

#[test]
fn a_link_at_a_fixed_joint_has_one_parent_and_the_base_none() {
    let link = |name: &str| format!("<link name='{name}'/>");
    let joint = |name: &str, parent: &str, child: &str| {
        format!("<joint name='{name}' type='fixed'><parent>{parent}</parent><child>{child}</child></joint>")
    };
    let model = ["foot", "base_link", "mast", "head"].map(link).concat()
        + &joint("a", "foot", "base_link")
        + &joint("b", "base_link", "mast")
        + &joint("c", "mast", "head")
        + &joint("d", "head", "mast")
        + &joint("e", "foot", "head");
    let expected = ["bot/base_link > bot/foot", "bot/base_link > bot/mast", "bot/foot > bot/head"];
    assert_eq!(pairs_of(&model), expected);
    let reversed = ["base_link", "mast"].map(link).concat() + &joint("a", "mast", "base_link");
    assert_eq!(pairs_of(&reversed), ["bot/base_link > bot/mast"]);
    let ring = ["base", "a", "b"].map(link).concat() + &joint("ab", "a", "b") + &joint("ba", "b", "a");
    assert_eq!(pairs_of(&ring), ["bot/a > bot/b"]);
}

#[test]
fn the_base_is_where_the_file_has_it_in_the_frame_that_a_drive_names() {
    let robot = |name: &str| {
        format!(
            "<link name='base_footprint'/><link name='base_link'><pose>0 0 0.1 0 0 0</pose></link>
             <joint name='a' type='fixed'><parent>base_footprint</parent><child>base_link</child></joint>
             <plugin filename='diff_drive' name='drive'><child_frame_id>{name}</child_frame_id></plugin>"
        )
    };
    let base_of = |name: &str| frames_of(&robot(name)).into_iter().find(|frame| frame.1 == "bot/base_link");
    let expected = |name: &str, z: f64| Some((name.to_owned(), "bot/base_link".to_owned(), [0.0, 0.0, z]));
    assert_eq!(base_of("base_footprint"), expected("base_footprint", 0.1));
    assert_eq!(base_of("robot"), expected("robot", 0.0));
    assert_eq!(base_of("bot/base_link"), None);
}

#[test]
fn a_frame_is_given_in_its_parent_and_a_joint_that_moves_gives_none() {
    let model = "<pose>5 5 0 0 0 1</pose>
        <link name='base'><pose>1 0 0 0 0 1.5707963267948966</pose></link>
        <link name='lens'><pose>1 2 0 0 0 1.5707963267948966</pose>
          <sensor name='eye' type='camera'><pose>0 0 0.5 0 0 0</pose></sensor></link>
        <link name='wheel'/>
        <joint name='a' type='fixed'><parent>base</parent><child>lens</child></joint>
        <joint name='b' type='revolute'><parent>base</parent><child>wheel</child><axis><xyz>0 1 0</xyz></axis></joint>";
    let expected = [
        ("bot/base", "bot/lens", [2.0, 0.0, 0.0]),
        ("bot/lens", "bot/lens/eye", [0.0, 0.0, 0.5]),
        ("bot/lens/eye", "bot/lens/eye_optical_frame", [0.0; 3]),
    ];
    let expected = expected.map(|(parent, child, at)| (parent.to_owned(), child.to_owned(), at));
    assert_eq!(frames_of(model), expected);
}

#[test]
fn a_frame_that_the_file_names_is_left_to_whoever_publishes_it() {
    let sensors = "<link name='base'>
        <sensor name='scan' type='lidar'><gz_frame_id>laser</gz_frame_id></sensor>
        <sensor name='eye' type='camera'><gz_frame_id>lens</gz_frame_id></sensor>
        <sensor name='eyes' type='multicamera'/><sensor name='around' type='logical_camera'/></link>";
    let expected =
        ["bot/base/eye", "bot/base/eyes", "bot/base/around"].map(|child| format!("bot/base > {child}"));
    assert_eq!(pairs_of(sensors), expected);
}
