//! Rays that hit what is drawn.

use bridgehead_sdf::pose::{DVec3, Pose};

use crate::{Built, PluginSlot, RayQuery, World, build};

fn built(sensor: &str) -> Built {
    let text = format!("<sdf version='1.9'><world name='w'>{}</world></sdf>", source(sensor));
    build(&bridgehead_sdf::parse_str("test.sdf", &text).expect("loads").world, 0.001, 1).expect("builds")
}

/// A range sensor in a housing that fixed joints hold: every chain of one to four links, each with a shape around the
/// sensor, which is on one of them. Collisions and visuals alike.
#[test]
fn rays_do_not_see_the_rigid_body_that_carries_the_sensor() {
    let shape = "<geometry><box><size>0.4 0.4 0.4</size></box></geometry>";
    for links in 1..=4_usize {
        for carrier in 0..links {
            for moving in [None, Some(0), Some(carrier)] {
                let link = |at: usize| {
                    format!(
                        "<link name='l{at}'><collision name='c'>{shape}</collision><visual name='v'>{shape}</visual></link>"
                    )
                };
                let joint = |at: usize| {
                    let kind = if moving == Some(at) { "revolute" } else { "fixed" };
                    format!(
                        "<joint name='j{at}' type='{kind}'><parent>l{at}</parent><child>l{}</child>\
                         <axis><xyz>0 0 1</xyz></axis></joint>",
                        at + 1
                    )
                };
                let model: String = (0..links).map(link).chain((0..links - 1).map(joint)).collect();
                let text = format!(
                    "<sdf version='1.9'><world name='w'><model name='wall'><static>true</static><link name='l'>\
                     <pose>3 0 0 0 0 0</pose><collision name='c'>{shape}</collision><visual name='v'>{shape}</visual></link>\
                     </model><model name='m'>{model}</model></world></sdf>"
                );
                let loaded = bridgehead_sdf::parse_str("test.sdf", &text).expect("loads");
                let mut world = build(&loaded.world, 0.001, 1).expect("builds").world;
                // The wall is the first link.
                let own = u32::try_from(carrier + 1).expect("a link");
                let is_alone = moving.is_none_or(|at| at + 1 >= links);
                let expected = if is_alone { 2.8 } else { 0.2 };
                let found = seen(&mut world, DVec3::ZERO, DVec3::X, Some(own));
                assert_eq!(found, [expected; 2], "{links} links, sensor on {carrier}, {moving:?} moves");
            }
        }
    }
}

/// A wall that makes contact at x = 3 m and is drawn at x = 2 m, a floor that is drawn as a rectangle of 2 m, and a car
/// whose body is drawn around its sensor.
fn source(sensor: &str) -> String {
    let shape = |size: &str| format!("<geometry><box><size>{size}</size></box></geometry>");
    let plane = "<geometry><plane><normal>0 0 1</normal><size>2 2</size></plane></geometry>";
    format!(
        "<model name='wall'><static>true</static><link name='l'><collision name='c'><pose>3.5 0 0 0 0 0</pose>{wall}</collision>\
         <visual name='v'><pose>2.5 0 0 0 0 0</pose>{wall}</visual></link></model>\
         <model name='floor'><static>true</static><pose>0 0 -1 0 0 0</pose><link name='l'><collision name='c'>{plane}</collision>\
         <visual name='v'>{plane}</visual></link></model>\
         <model name='car'><link name='l'><collision name='c'>{body}</collision><visual name='v'>{body}</visual>\
         <sensor name='s' type='lidar'>{sensor}</sensor></link></model>",
        wall = shape("1 4 4"),
        body = shape("0.5 0.5 0.5"),
    )
}

/// Distances of what a ray hits, of what makes contact and of what is drawn; infinity for nothing.
fn seen(world: &mut World, origin: DVec3, direction: DVec3, ignore: Option<u32>) -> [f64; 2] {
    let directions = [direction.to_array()];
    let frame = Pose { position: origin, ..Pose::IDENTITY };
    let query = RayQuery { frame, directions: &directions, origins: None, range: [0.0, 100.0], ignore };
    let mut found = [0.0; 2];
    world.cast_rays(&query, |_, hit| found[0] = hit.distance);
    world.cast_rays_at_visuals(&query, |_, hit| found[1] = hit.distance);
    found.map(|distance| (distance * 1e6).round() / 1e6)
}

#[test]
fn rays_hit_visuals_only_if_they_are_asked_to() {
    for sensor in ["", "<bridgehead:rays> visuals </bridgehead:rays>"] {
        let mut built = built(sensor);
        assert_eq!(built.slots.iter().any(PluginSlot::sees_visuals), !sensor.is_empty());
        assert!(built.problems.is_empty(), "{:?}", built.problems);
        let world = &mut built.world;
        // The car is the third link.
        assert_eq!(seen(world, DVec3::ZERO, DVec3::X, Some(2)), [3.0, 2.0]);
        assert_eq!(seen(world, DVec3::new(1.5, 0.0, 0.0), -DVec3::Z, Some(2)), [1.0, f64::INFINITY]);
        assert_eq!(seen(world, DVec3::new(0.5, 0.0, 0.0), -DVec3::Z, Some(2)), [1.0, 1.0]);
        assert_eq!(seen(world, DVec3::new(0.0, 0.0, 2.0), -DVec3::Z, None), [1.75, 1.75]);
        world.place_model(2, Pose { position: DVec3::new(0.0, 5.0, 0.5), ..Pose::IDENTITY }).expect("placed");
        assert_eq!(seen(world, DVec3::new(0.0, 5.0, 2.0), -DVec3::Z, None), [1.25, 1.25]);
        world.take_out(0).expect("removed");
        assert_eq!(seen(world, DVec3::ZERO, DVec3::X, None), [f64::INFINITY; 2]);
    }
}
