//! Typed elements from text: values, defaults, and findings about invalid ones.

mod joint;
mod label;
mod light;
mod material;
mod root_include;
mod scene;
mod surface;
mod texture;
mod thermal;

use crate::diagnostic::{Code, Severity};
use crate::element::{DEFAULT_MAGNETIC_FIELD, Geometry, Model, World};
use crate::{Diagnostic, Loaded, Root, parse_str};
use glam::{DVec2, DVec3};

fn load(version: &str, content: &str) -> Loaded {
    parse_str("t.sdf", &format!("<sdf version='{version}'>{content}</sdf>")).unwrap()
}

fn world(content: &str) -> (World, Vec<Diagnostic>) {
    let loaded = load("1.9", &format!("<world name='w'>{content}</world>"));
    let Root::World(world) = loaded.root else { panic!("no world") };
    (*world, loaded.diagnostics)
}

fn model_of(version: &str, content: &str) -> (Model, Vec<Diagnostic>) {
    let loaded = load(version, &format!("<model name='m'>{content}</model>"));
    let Root::Model(model) = loaded.root else { panic!("no model") };
    (*model, loaded.diagnostics)
}

fn model(content: &str) -> (Model, Vec<Diagnostic>) {
    model_of("1.9", content)
}

/// A link with this inside.
fn link(content: &str) -> (crate::element::Link, Vec<Diagnostic>) {
    let (mut model, diagnostics) = model(&format!("<link name='l'>{content}</link>"));
    (model.links.remove(0), diagnostics)
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<Code> {
    diagnostics.iter().map(|finding| finding.code).collect()
}

fn geometry(shape: &str) -> (Geometry, Vec<Diagnostic>) {
    let (mut link, diagnostics) =
        link(&format!("<collision name='c'><geometry>{shape}</geometry></collision>"));
    (link.collisions.remove(0).geometry, diagnostics)
}

#[test]
fn an_empty_world_has_the_defaults_of_sdf() {
    let (world, diagnostics) = world("");
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(world.gravity, DVec3::new(0.0, 0.0, -9.8));
    assert_eq!(world.magnetic_field, DEFAULT_MAGNETIC_FIELD);
    assert_eq!((world.physics.max_step_size, world.physics.real_time_factor), (0.001, 1.0));
}

#[test]
fn the_profile_marked_default_is_used() {
    let (world, _) = world(
        "<physics name='a' type='ode'><max_step_size>0.01</max_step_size></physics>
         <physics name='b' default='true'><max_step_size>0.002</max_step_size><real_time_factor>2</real_time_factor></physics>",
    );
    assert_eq!((world.physics.name.as_str(), world.physics.max_step_size), ("b", 0.002));
    assert_eq!(world.physics.real_time_factor, 2.0);
}

#[test]
fn bad_values_become_defaults_and_all_of_them_are_reported() {
    let (world, diagnostics) = world(
        "<gravity>0 0</gravity><magnetic_field>a b c</magnetic_field>
         <physics><max_step_size>0</max_step_size><real_time_factor>inf</real_time_factor></physics>",
    );
    assert_eq!(world.gravity.z, -9.8);
    assert_eq!(world.physics.max_step_size, 0.001);
    assert_eq!(codes(&diagnostics), [Code::ValueInvalid; 4]);
    assert_eq!(
        diagnostics[0].to_string(),
        "error[BH-SDF-010] t.sdf:1:36 /sdf/world[@name=w]/gravity: `0 0`; expected three finite numbers within 1e9\n  \
         try: correct the value or remove the element"
    );
}

#[test]
fn poses_read_in_every_format() {
    let half_turn = |pose: &str| link(pose).0.pose.pose;
    let radians = half_turn("<pose>1 2 3 0 0 3.141592653589793</pose>");
    let degrees = half_turn("<pose degrees='true'>1 2 3 0 0 180</pose>");
    let quaternion = half_turn("<pose rotation_format='quat_xyzw'>1 2 3 0 0 2 0</pose>");
    for pose in [radians, degrees, quaternion] {
        assert_eq!(pose.position, DVec3::new(1.0, 2.0, 3.0));
        assert!(pose.rotate(DVec3::X).distance(-DVec3::X) < 1e-12, "{pose:?}");
    }
    assert_eq!(half_turn("<pose/>"), crate::Pose::IDENTITY);
}

#[test]
fn bad_poses_are_identity_with_a_finding_each() {
    for pose in [
        "<pose>1 2 3</pose>",
        "<pose>1 2 3 0 0 0 1</pose>",
        "<pose>nan 0 0 0 0 0</pose>",
        "<pose>inf 0 0 0 0 0</pose>",
        "<pose rotation_format='quat_xyzw'>1 0 0 0 0 0 0</pose>",
        "<pose rotation_format='axis'>1 0 0 0 0 0</pose>",
    ] {
        let (link, diagnostics) = link(pose);
        assert_eq!(codes(&diagnostics), [Code::ValueInvalid], "{pose}");
        assert_eq!(link.pose.pose, crate::Pose::IDENTITY, "{pose}");
    }
}

#[test]
fn every_shape_reads_its_sizes() {
    let shapes = [
        ("<empty/>", Geometry::Empty),
        ("<box><size>1 2 3</size></box>", Geometry::Box { size: DVec3::new(1.0, 2.0, 3.0) }),
        ("<sphere><radius>0.5</radius></sphere>", Geometry::Sphere { radius: 0.5 }),
        (
            "<cylinder><radius>1</radius><length>2</length></cylinder>",
            Geometry::Cylinder { radius: 1.0, length: 2.0 },
        ),
        (
            "<capsule><radius>1</radius><length>2</length></capsule>",
            Geometry::Capsule { radius: 1.0, length: 2.0 },
        ),
        ("<cone><radius>1</radius><length>2</length></cone>", Geometry::Cone { radius: 1.0, length: 2.0 }),
        (
            "<ellipsoid><radii>1 2 3</radii></ellipsoid>",
            Geometry::Ellipsoid { radii: DVec3::new(1.0, 2.0, 3.0) },
        ),
        (
            "<plane><normal>0 3 0</normal><size>4 5</size></plane>",
            Geometry::Plane { normal: DVec3::Y, size: Some(DVec2::new(4.0, 5.0)) },
        ),
    ];
    for (text, expected) in shapes {
        let (found, diagnostics) = geometry(text);
        assert_eq!(found, expected);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
    }
}

#[test]
fn impossible_shapes_are_reported() {
    for (shape, code, severity) in [
        ("", Code::GeometryInvalid, Severity::Error),
        ("<sphere/>", Code::ElementMissing, Severity::Warning),
        ("<sphere><radius>-1</radius></sphere>", Code::ValueInvalid, Severity::Error),
        ("<box><size>1 0 1</size></box>", Code::ValueInvalid, Severity::Error),
        ("<plane><normal>0 0 0</normal></plane>", Code::ValueInvalid, Severity::Error),
        ("<mesh/>", Code::ElementMissing, Severity::Error),
        ("<heightmap/>", Code::ElementMissing, Severity::Error),
        ("<polyline/>", Code::ElementMissing, Severity::Warning),
        ("<image/>", Code::NotSimulated, Severity::Note),
        ("<bxo/>", Code::UnknownElement, Severity::Warning),
    ] {
        let (_, diagnostics) = geometry(shape);
        let found: Vec<_> = diagnostics.iter().map(|finding| (finding.code, finding.severity)).collect();
        assert_eq!(found, [(code, severity)], "{shape}");
    }
    assert_eq!(geometry("<image/>").0, Geometry::Unsupported { kind: "image".into() });
}

#[test]
fn inertia_is_read_and_impossible_inertia_replaced() {
    let (link_read, diagnostics) = link(
        "<inertial><mass>2</mass><pose>0 0 1 0 0 0</pose>
         <inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.25</izz><ixy>0.01</ixy></inertia></inertial>",
    );
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let inertial = link_read.inertial;
    assert_eq!((inertial.mass, inertial.pose.position.z), (2.0, 1.0));
    assert_eq!(
        (inertial.diagonal, inertial.products),
        (DVec3::new(0.1, 0.2, 0.25), DVec3::new(0.01, 0.0, 0.0))
    );
    // A ball of water of 1 kg has a radius of 62 mm.
    let ball = 0.4 * 0.062_035_f64.powi(2);
    for (bad, expected) in [
        ("<mass>0</mass>", DVec3::ONE),
        ("<mass>-1</mass>", DVec3::ONE),
        ("<inertia><ixx>1</ixx><iyy>1</iyy><izz>4</izz></inertia>", DVec3::splat(2.0)),
        ("<inertia><ixx>-1</ixx><iyy>1</iyy><izz>1</izz></inertia>", DVec3::splat(ball)),
        ("<inertia><ixx>1</ixx><iyy>1.5</iyy><izz>2</izz><ixy>2</ixy></inertia>", DVec3::new(1.0, 1.5, 2.0)),
    ] {
        let (link, diagnostics) = link(&format!("<inertial>{bad}</inertial>"));
        assert_eq!(codes(&diagnostics), [Code::InertiaInvalid], "{bad}");
        assert_eq!((link.inertial.mass, link.inertial.products), (1.0, DVec3::ZERO), "{bad}");
        assert!((link.inertial.diagonal - expected).abs().max_element() < 1e-6, "{bad}: {:?}", link.inertial);
    }
}

#[test]
fn automatic_inertia_is_kept_as_a_wish() {
    let (link, diagnostics) = link("<inertial auto='true'><density>500</density></inertial>");
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert!(link.inertial.auto && !link.inertial.mass_given);
    assert_eq!(link.inertial.density, Some(500.0));
}

#[test]
fn before_1_7_frames_and_axes_have_their_old_spelling() {
    let content = "<link name='a'/><link name='b'><pose frame='a'>1 0 0 0 0 0</pose></link>
         <joint name='j' type='revolute'><parent>a</parent><child>b</child>
         <axis><xyz>1 0 0</xyz><use_parent_model_frame>1</use_parent_model_frame></axis></joint>";
    let (old, _) = model_of("1.6", content);
    assert_eq!(old.links[1].pose.relative_to.as_deref(), Some("a"));
    assert_eq!(old.joints[0].axis.as_ref().unwrap().expressed_in.as_deref(), Some("__model__"));
    let (new, _) = model_of("1.7", content);
    assert_eq!(new.links[1].pose.relative_to, None);
    assert_eq!(new.joints[0].axis.as_ref().unwrap().expressed_in, None);
    // 1.5 made the joint frame the default, which 1.4 did not know.
    let without = content.replace("<use_parent_model_frame>1</use_parent_model_frame>", "");
    let axis_frame =
        |version| model_of(version, &without).0.joints[0].axis.as_ref().unwrap().expressed_in.clone();
    assert_eq!((axis_frame("1.4").as_deref(), axis_frame("1.5")), (Some("__model__"), None));
}

#[test]
fn sensors_and_plugins_keep_their_whole_content() {
    let (scanner, diagnostics) = link(
        "<sensor name='scan' type='gpu_lidar'><update_rate>10</update_rate><topic>scan</topic><always_on>1</always_on>
         <lidar><scan><horizontal><samples>640</samples></horizontal></scan></lidar>
         <gz:own a='1'/></sensor>",
    );
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let sensor = &scanner.sensors[0];
    assert_eq!((sensor.kind.as_str(), sensor.update_rate, sensor.always_on), ("gpu_lidar", 10.0, true));
    assert_eq!(sensor.topic.as_deref(), Some("scan"));
    assert_eq!(sensor.params.get("lidar/scan/horizontal/samples"), Some("640"));
    assert_eq!(sensor.params.get("gz:own/@a"), Some("1"));
    let (link, diagnostics) =
        link("<sensor name='d' type='custom' gz:type='dvl'/><sensor name='c' type='custom'/>");
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let kinds: Vec<&str> = link.sensors.iter().map(|sensor| sensor.kind.as_str()).collect();
    assert_eq!(kinds, ["dvl", "custom"]);
    let (model, diagnostics) = model(
        "<link name='l'/><plugin name='p' filename='libx.so'><!-- kept --> <a>1</a><a>2</a></plugin><plugin name='q'/>",
    );
    assert_eq!(codes(&diagnostics), [Code::AttributeMissing]);
    assert_eq!(model.plugins[0].params.get("a[1]"), Some("2"));
    let xml = "<plugin name='p' filename='libx.so'><!-- kept --> <a>1</a><a>2</a></plugin>";
    assert_eq!(model.plugins[0].origin.xml(), Some(xml));
}

#[test]
fn names_must_be_there_allowed_and_unique() {
    let (model_read, diagnostics) =
        model("<link/><link name='world'/><link name='__x__'/><link name='a::b'/><link name=''/>");
    let expected = [
        Code::AttributeMissing,
        Code::ReservedName,
        Code::ReservedName,
        Code::NameInvalid,
        Code::NameInvalid,
    ];
    assert_eq!(codes(&diagnostics), expected);
    assert_eq!((model_read.links.len(), model_read.links[0].name.as_str()), (5, "link_1"));
    let (model_read, diagnostics) = model("<link name='a'/><frame name='a'/><link name='a'/>");
    assert_eq!(codes(&diagnostics), [Code::DuplicateName; 2]);
    assert_eq!(diagnostics[0].found, "a second `a`, a frame; the first is a link");
    assert_eq!((model_read.links.len(), model_read.frames.len()), (1, 0));
}

#[test]
fn before_1_7_namesakes_of_another_kind_are_renamed() {
    let (model, diagnostics) = model_of("1.6", "<link name='a'/><frame name='a'/>");
    assert_eq!(model.frames[0].name, "a_frame");
    assert_eq!(
        (codes(&diagnostics), diagnostics[0].severity),
        (vec![Code::DuplicateName], Severity::Warning)
    );
}

#[test]
fn elements_without_effect_are_reported_once_per_name() {
    let (_, diagnostics) = world(
        "<gui/><audio/><gui/><gz:policy/><wordl/>
         <model name='m'><link name='l'><gravtiy>0</gravtiy></link><link name='k'><gravtiy>0</gravtiy></link></model>",
    );
    let said: Vec<_> = diagnostics.iter().map(|finding| (finding.severity, finding.found.as_str())).collect();
    assert_eq!(
        said,
        [
            (Severity::Note, "`<gui>` in `<world>` is kept, not simulated (reported once)"),
            (Severity::Note, "`<audio>` in `<world>` is kept, not simulated (reported once)"),
            (Severity::Note, "`<gz:policy>` in `<world>` is kept, not simulated (reported once)"),
            (
                Severity::Warning,
                "`<wordl>` in `<world>` is not known here; it is kept, not simulated (reported once)"
            ),
            (
                Severity::Warning,
                "`<gravtiy>` in `<link>` is not known here; it is kept, not simulated (reported once)"
            ),
        ]
    );
}

#[test]
fn a_moving_model_needs_a_link() {
    assert_eq!(codes(&model("").1), [Code::ModelWithoutLink]);
    assert!(model("<static>true</static>").1.is_empty());
}

#[test]
fn a_second_world_is_a_note_and_its_namesake_an_error() {
    let loaded = load("1.9", "<world name='a'/><world name='b'/><world name='a'/>");
    assert_eq!(codes(&loaded.diagnostics), [Code::NotSimulated, Code::DuplicateName]);
    assert_eq!(loaded.world.name, "a");
}

#[test]
fn a_repeated_element_counts_once() {
    let (link, diagnostics) = link("<inertial><mass>2</mass></inertial><inertial><mass>3</mass></inertial>");
    assert_eq!((link.inertial.mass, codes(&diagnostics)), (2.0, vec![Code::ElementRepeated]));
}

#[test]
fn a_name_that_is_taken_is_refused_in_good_english() {
    let twice = |first: &str, second: &str| {
        let (_, diagnostics) = world(&format!("{first}{second}"));
        let found = diagnostics.into_iter().find(|finding| finding.code == Code::DuplicateName);
        found.expect("a finding").found
    };
    let model = "<model name='a'><link name='l'/></model>";
    let actor = "<actor name='a'><script/></actor>";
    assert_eq!(twice(model, actor), "a second `a`, an actor; the first is a model");
    assert_eq!(twice(actor, model), "a second `a`, a model; the first is an actor");
}

#[test]
fn the_table_of_elements_lists_nothing_twice() {
    for known in super::KNOWN {
        let mut names: Vec<_> = known.read.iter().chain(known.kept).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{}", known.parent);
    }
}
