//! Shapes, orientations, masses, colours and contacts of geoms. Numbers are those of MuJoCo 4.0.0.

use super::{BALL, clean, found, included, near, read, world};
use crate::Code;
use crate::element::{Collision, Geometry};
use crate::resolved::Link;
use crate::{Loaded, Pose};
use bridgehead_pose::DVec3;
use std::f64::consts::FRAC_1_SQRT_2;

/// The link of the body `b`, which floats and has one geom with these attributes.
fn link(attributes: &str) -> Link {
    let loaded = world(&format!("<body name=\"b\"><freejoint/><geom {attributes}/></body>"));
    clean(&loaded);
    loaded.world.models[0].link("b").expect("a link").clone()
}

fn shape(attributes: &str) -> (Geometry, Pose) {
    let collision = link(attributes).collisions[0].clone();
    (collision.element.geometry, collision.pose)
}

#[test]
fn sizes_are_radii_and_halves_of_lengths() {
    assert_eq!(shape("size=\"0.1\"").0, Geometry::Sphere { radius: 0.1 });
    assert_eq!(shape("type=\"capsule\" size=\"0.1 0.2\"").0, Geometry::Capsule { radius: 0.1, length: 0.4 });
    assert_eq!(
        shape("type=\"cylinder\" size=\"0.1 0.2\"").0,
        Geometry::Cylinder { radius: 0.1, length: 0.4 }
    );
    let size = DVec3::new(0.2, 0.4, 0.8);
    assert_eq!(shape("type=\"box\" size=\"0.1 0.2 0.4\"").0, Geometry::Box { size });
    let radii = DVec3::new(0.1, 0.2, 0.4);
    assert_eq!(shape("type=\"ellipsoid\" size=\"0.1 0.2 0.4\"").0, Geometry::Ellipsoid { radii });
}

#[test]
fn a_shape_between_two_points_has_its_z_axis_towards_the_first() {
    let (geometry, pose) = shape("type=\"capsule\" size=\"0.1\" fromto=\"0 0 0 2 0 0\"");
    assert_eq!(geometry, Geometry::Capsule { radius: 0.1, length: 2.0 });
    assert_eq!(pose.position, DVec3::new(1.0, 0.0, 0.0));
    assert!((pose.rotate(DVec3::Z) + DVec3::X).length() < 1e-12);
    // A box has two equal sides, whatever its second size is.
    let (geometry, _) = shape("type=\"box\" size=\"0.1 0.3\" fromto=\"0 0 0 0 0 2\"");
    assert_eq!(geometry, Geometry::Box { size: DVec3::new(0.2, 0.2, 2.0) });
}

#[track_caller]
fn expect_rotation(compiler: &str, attribute: &str, [w, x, y, z]: [f64; 4]) {
    let geom = format!("<geom type=\"box\" size=\"1 1 1\" {attribute}/>");
    let loaded = read(&format!(
        "<compiler {compiler}/><worldbody><body name=\"b\"><freejoint/>{geom}</body></worldbody>"
    ));
    clean(&loaded);
    let link = loaded.world.models[0].link("b").expect("a link").clone();
    let rotation = link.collisions[0].pose.rotation;
    let dot = rotation.w * w + rotation.x * x + rotation.y * y + rotation.z * z;
    assert!((dot.abs() - 1.0).abs() < 1e-8, "{attribute} with {compiler}: {rotation}");
}

#[test]
fn orientations_have_five_forms() {
    let radian = "angle=\"radian\"";
    let euler = "euler=\"0.3 0.4 0.5\"";
    expect_rotation(radian, euler, [0.931_590_59, 0.190_505_91, 0.154_097_08, 0.268_515_47]);
    for (sequence, wanted) in [
        ("XYZ", [0.946_280_83, 0.093_306_59, 0.226_566_31, 0.210_983_83]),
        ("zyx", [0.946_280_83, 0.210_983_83, 0.226_566_31, 0.093_306_59]),
        ("xYz", [0.946_280_83, 0.190_505_91, 0.154_097_08, 0.210_983_83]),
    ] {
        expect_rotation(&format!("{radian} eulerseq=\"{sequence}\""), euler, wanted);
    }
    let degrees = "euler=\"17.188733853924695 22.918311805232929 28.647889756541161\"";
    expect_rotation("", degrees, [0.931_590_59, 0.190_505_91, 0.154_097_08, 0.268_515_47]);
    expect_rotation(radian, "zaxis=\"1 2 -3\"", [0.314_814_45, -0.848_948_46, 0.424_474_23, 0.0]);
    expect_rotation(radian, "zaxis=\"0 0 -1\"", [0.0, 1.0, 0.0, 0.0]);
    expect_rotation(radian, "xyaxes=\"1 2 0 0 1 1\"", [0.713_799, 0.462_707_01, 0.285_968_66, 0.441_152_05]);
    expect_rotation(radian, "axisangle=\"1 2 0 0.7\"", [0.939_372_71, 0.153_348_56, 0.306_697_12, 0.0]);
    expect_rotation(radian, "quat=\"2 0 0 2\"", [FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2]);
}

#[test]
fn masses_follow_from_shapes_of_water() {
    for (attributes, mass, moments) in [
        (
            "type=\"capsule\" size=\"0.1 0.2\"",
            16.755_160_819_145_57,
            [0.446_106_16, 0.446_106_16, 0.079_587_01],
        ),
        (
            "type=\"cylinder\" size=\"0.1 0.2\"",
            12.566_370_614_359_174,
            [0.198_967_53, 0.198_967_53, 0.062_831_85],
        ),
        (
            "type=\"ellipsoid\" size=\"0.1 0.2 0.3\"",
            25.132_741_228_718_345,
            [0.653_451_27, 0.502_654_82, 0.251_327_41],
        ),
        ("type=\"box\" size=\"0.1 0.2 0.3\"", 48.0, [2.08, 1.6, 0.8]),
        ("type=\"sphere\" size=\"0.1\"", 4.188_790_204_786_391, [0.016_755_16, 0.016_755_16, 0.016_755_16]),
    ] {
        let inertial = link(attributes).inertial;
        near(inertial.mass, mass);
        assert!(
            (inertial.diagonal - DVec3::from_array(moments)).length() < 1e-7,
            "{attributes}: {inertial:?}"
        );
        assert_eq!(inertial.products, DVec3::ZERO);
    }
    near(link("size=\"0.1\" mass=\"3\"").inertial.mass, 3.0);
    near(link("size=\"0.1\" density=\"500\"").inertial.mass, 4.188_790_204_786_391 / 2.0);
}

#[test]
fn geoms_of_a_body_are_one_mass() {
    let loaded = world(
        "<body name=\"b\"><freejoint/><geom size=\"0.1\" mass=\"1\" pos=\"1 0 0\"/>\
         <geom size=\"0.1\" mass=\"3\" pos=\"-1 0 0\"/></body>",
    );
    let inertial = loaded.world.models[0].link("b").expect("a link").inertial.clone();
    near(inertial.mass, 4.0);
    near(inertial.pose.position.x, -0.5);
    // 2/5 m r² for each ball, and m d² about y and z: 1·1.5² + 3·0.5².
    near(inertial.diagonal.x, 0.016);
    near(inertial.diagonal.y, 3.016);
    near(inertial.diagonal.z, 3.016);
}

#[test]
fn an_inertial_takes_the_place_of_geoms_unless_the_compiler_says_otherwise() {
    let body = |compiler: &str, inertial: &str| {
        let loaded = read(&format!(
            "<compiler {compiler}/><worldbody><body name=\"b\"><freejoint/>{inertial}<geom size=\"0.1\" mass=\"7\"/>\
             </body></worldbody>"
        ));
        loaded.world.models[0].link("b").expect("a link").inertial.clone()
    };
    let full = "<inertial pos=\"1 2 3\" mass=\"2\" fullinertia=\"1 1.1 1.2 0.1 0.05 0.02\"/>";
    let inertial = body("", full);
    assert_eq!((inertial.mass, inertial.pose.position), (2.0, DVec3::new(1.0, 2.0, 3.0)));
    assert_eq!(inertial.diagonal, DVec3::new(1.0, 1.1, 1.2));
    assert_eq!(inertial.products, DVec3::new(0.1, 0.05, 0.02));
    near(body("inertiafromgeom=\"true\"", full).mass, 7.0);
    // A quarter of a turn about x exchanges y and z.
    let turned = "<inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 2 2.5\" euler=\"90 0 0\"/>";
    let inertial = body("", turned);
    near(inertial.diagonal.y, 2.5);
    near(inertial.diagonal.z, 2.0);
    // Bounds, and moments that no body has.
    assert_eq!(body("boundmass=\"9\"", full).mass, 9.0);
    let thin = "<inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 9\"/>";
    assert_eq!(body("balanceinertia=\"true\"", thin).diagonal, DVec3::splat(11.0 / 3.0));
    near(body("settotalmass=\"5\"", full).mass, 5.0);
    near(body("boundinertia=\"1.15\"", full).diagonal.x, 1.15);
}

#[test]
fn groups_without_mass_and_hidden_groups() {
    let loaded = read(
        "<compiler inertiagrouprange=\"0 2\"/><worldbody><body name=\"b\"><freejoint/>\
         <geom size=\"0.1\" mass=\"1\"/><geom size=\"0.1\" mass=\"1\" group=\"3\"/></body></worldbody>",
    );
    let link = loaded.world.models[0].link("b").expect("a link");
    near(link.inertial.mass, 1.0);
    assert_eq!((link.collisions.len(), link.visuals.len()), (2, 1));
}

#[test]
fn geoms_without_contact_bits_are_visuals_only() {
    let link = link("size=\"0.1\" contype=\"0\" conaffinity=\"0\"");
    assert_eq!((link.collisions.len(), link.visuals.len()), (0, 1));
}

#[test]
fn colours_are_those_of_the_geom_or_its_material() {
    let loaded = read(
        "<asset><material name=\"red\" rgba=\"1 0 0 1\"/></asset><worldbody><geom size=\"1\" material=\"red\"/>\
         <geom size=\"1\" material=\"red\" rgba=\"0 1 0 0.5\"/><geom size=\"1\"/>\
         <geom size=\"1\" rgba=\"0 0 0 0\"/><geom size=\"1\" material=\"blue\"/></worldbody>",
    );
    let visuals = &loaded.world.models[0].links[0].visuals;
    assert_eq!(visuals.len(), 4);
    assert_eq!(visuals[1].element.transparency, 0.5);
    let written = loaded.document.source().text();
    for color in ["1 0 0 1", "0 1 0 0.5", "0.5 0.5 0.5 1"] {
        assert!(written.contains(&format!("<diffuse>{color}</diffuse>")), "{color} in {written}");
    }
    assert_eq!(found(&loaded, Code::MjcfReferenceUnknown).len(), 1);
}

#[test]
fn bad_shapes_are_reported_where_they_are() {
    let loaded =
        world("<geom size=\"1\"/><geom type=\"box\" size=\"1 2\"/>\n<geom type=\"cone\" size=\"1\"/>");
    let all = found(&loaded, Code::GeometryInvalid);
    assert_eq!(all.len(), 2, "{all:?}");
    assert!(all[0].starts_with("error[BH-SDF-051] m.xml:2:"), "{}", all[0]);
    assert!(all[0].contains("a `box` with the sizes `1 2`; expected 3 numbers above 0"), "{}", all[0]);
    assert!(all[1].contains("m.xml:3:1 ") && all[1].contains("type=\"cone\""), "{}", all[1]);
    assert_eq!(loaded.world.models[0].links[0].collisions.len(), 1);
}

fn touch(one: &Collision, other: &Collision) -> bool {
    let (one, other) = (&one.surface.contact, &other.surface.contact);
    one.collide_bitmask & other.category_bitmask | other.collide_bitmask & one.category_bitmask != 0
}

/// The collision of that name, with the index of its model.
fn collision<'w>(loaded: &'w Loaded, name: &str) -> (usize, &'w Collision) {
    let models = loaded.world.models.iter().enumerate();
    let mut all = models.flat_map(|(model, found)| {
        found.links.iter().flat_map(move |link| link.collisions.iter().map(move |one| (model, &one.element)))
    });
    all.find(|(_, one)| one.name == name).unwrap_or_else(|| panic!("no collision {name}"))
}

/// Returns true if two collisions touch by their bits and `<self_collide>`.
fn meets(loaded: &Loaded, one: &str, other: &str) -> bool {
    let ((a, one), (b, other)) = (collision(loaded, one), collision(loaded, other));
    touch(one, other) && (a != b || loaded.world.models[a].self_collide)
}

#[test]
fn contacts_are_those_of_mujoco() {
    // A floating chain a, b (welded: c), d; and e fixed to the world, with f.
    let loaded = world(
        "<geom name=\"w\" size=\"1\"/><body><freejoint/><geom name=\"a\" size=\"1\"/>\
         <body><joint/><joint axis=\"1 0 0\"/><geom name=\"b\" size=\"1\"/><body><geom name=\"c\" size=\"1\"/>\
         <body><joint/><joint axis=\"1 0 0\"/><geom name=\"d\" size=\"1\"/></body></body></body></body>\
         <body name=\"e\"><geom name=\"e\" size=\"1\"/></body>",
    );
    clean(&loaded);
    for pair in ["ad", "ae", "aw", "be", "bw", "ce", "cw", "de", "dw"] {
        assert!(meets(&loaded, &pair[..1], &pair[1..]), "{pair} touch");
    }
    for pair in ["ab", "ac", "bd", "cd"] {
        assert!(!meets(&loaded, &pair[..1], &pair[1..]), "{pair} pass");
    }
}

#[test]
fn contact_bits_and_excludes_choose_pairs() {
    let bodies = |bits: [&str; 3]| {
        let body = |name: &str, bits: &str| {
            format!(
                "<body name=\"{name}\" pos=\"3 0 0\"><freejoint/><geom name=\"{name}\" size=\"1\" {bits}/></body>"
            )
        };
        format!("<worldbody>{}{}{}</worldbody>", body("a", bits[0]), body("b", bits[1]), body("c", bits[2]))
    };
    let all = read(&bodies(["", "", ""]));
    assert!(meets(&all, "a", "b") && all.world.models[0].self_collide);
    assert!(!all.document.source().text().contains("bitmask"), "the defaults suffice");
    let none = read(&bodies(["conaffinity=\"0\"", "conaffinity=\"0\"", "conaffinity=\"0\""]));
    assert!(!none.world.models[0].self_collide);
    let some = read(&bodies(["contype=\"2\"", "conaffinity=\"2\"", "contype=\"4\" conaffinity=\"8\""]));
    assert!(meets(&some, "a", "b") && !meets(&some, "a", "c") && !meets(&some, "b", "c"));
    let excluded =
        read(&format!("{}<contact><exclude body1=\"c\" body2=\"a\"/></contact>", bodies(["", "", ""])));
    assert!(meets(&excluded, "a", "b") && meets(&excluded, "b", "c") && !meets(&excluded, "a", "c"));
    let unknown =
        read(&format!("{}<contact><exclude body1=\"x\" body2=\"a\"/></contact>", bodies(["", "", ""])));
    assert_eq!(found(&unknown, Code::MjcfReferenceUnknown).len(), 1);
}

#[test]
fn friction_is_that_of_sliding() {
    let link = link("size=\"0.1\" friction=\"0.3 0.1 0.1\"");
    let friction = &link.collisions[0].element.surface.friction;
    assert_eq!((friction.mu, friction.mu2), (0.3, 0.3));
}

#[test]
fn planes_of_the_world_belong_to_a_static_model_and_not_to_an_included_one() {
    let ground = "<geom type=\"plane\" size=\"0 3 1\"/><geom name=\"wall\" type=\"box\" size=\"1 1 1\"/>";
    let inside = format!("<worldbody>{ground}<body name=\"b\"><freejoint/>{BALL}</body></worldbody>");
    let loaded = read(&inside);
    clean(&loaded);
    let [ground, model] = &loaded.world.models[..] else { panic!("{:?}", loaded.world.models) };
    assert_eq!(
        (ground.name.as_str(), ground.is_static, ground.links[0].collisions.len()),
        ("m_world", true, 2)
    );
    assert_eq!((model.name.as_str(), model.is_static, model.links.len()), ("m", false, 1));
    let Geometry::Plane { size, .. } = ground.links[0].collisions[0].element.geometry else { panic!() };
    assert_eq!(size.map(|size| size.to_array()), Some([100.0, 6.0]));
    let part = included(&format!("<mujoco model=\"m\">{inside}</mujoco>"));
    clean(&part);
    let [model] = &part.world.models[..] else { panic!("{:?}", part.world.models) };
    let worldbody = model.link("worldbody").expect("a link for the wall");
    assert_eq!(worldbody.collisions.len(), 1);
    assert!(found(&part, Code::MjcfNotConverted)[0].contains("a plane of the world in an included model"));
}

#[test]
fn a_mesh_is_scaled_and_its_inertia_left_to_its_collisions() {
    let loaded = read(
        "<compiler meshdir=\"parts\"/><asset><mesh file=\"a/gear.stl\" scale=\"2 2 2\" refpos=\"1 0 0\"/></asset>\
         <worldbody><body name=\"b\"><freejoint/><geom type=\"mesh\" mesh=\"gear\" pos=\"5 0 0\" density=\"10\"/>\
         <geom type=\"mesh\" mesh=\"other\"/></body></worldbody>",
    );
    let link = loaded.world.models[0].link("b").expect("a link");
    assert!(link.inertial.auto);
    let collision = &link.collisions[0];
    assert_eq!(collision.element.density, Some(10.0));
    near(collision.pose.position.x, 3.0);
    let Geometry::Mesh(mesh) = &collision.element.geometry else { panic!() };
    assert_eq!((mesh.uri.as_str(), mesh.scale), ("parts/a/gear.stl", DVec3::splat(2.0)));
    assert!(found(&loaded, Code::MjcfReferenceUnknown)[0].contains("mesh=\"other\""));
}
