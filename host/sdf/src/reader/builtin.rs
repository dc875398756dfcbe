//! The models with which nearly every world of Gazebo begins: its sun and its ground. They are parts of Gazebo itself, so
//! they exist here too, without a download. A model of that name on the search path comes first.

use crate::address::fuel_model;

/// Addresses of a model, as `model://NAME` and on Gazebo Fuel, with its text.
struct Builtin {
    name: &'static str,
    on_fuel: &'static str,
    text: &'static str,
}

const BUILTIN: &[Builtin] = &[
    Builtin {
        name: "ground_plane",
        on_fuel: "ground plane",
        // The friction is that of the model of Gazebo Classic: of two surfaces, the other one decides.
        text: "<sdf version='1.9'><model name='ground_plane'><static>true</static><link name='link'>
            <collision name='collision'><geometry><plane><normal>0 0 1</normal><size>100 100</size></plane></geometry>
            <surface><friction><ode><mu>100</mu><mu2>50</mu2></ode></friction></surface></collision>
            <visual name='visual'><cast_shadows>false</cast_shadows>
            <geometry><plane><normal>0 0 1</normal><size>100 100</size></plane></geometry>
            <material><ambient>0.8 0.8 0.8 1</ambient><diffuse>0.8 0.8 0.8 1</diffuse></material></visual>
            </link></model></sdf>",
    },
    Builtin {
        name: "sun",
        on_fuel: "sun",
        text: "<sdf version='1.9'><light name='sun' type='directional'><cast_shadows>true</cast_shadows>
            <pose>0 0 10 0 0 0</pose><diffuse>0.8 0.8 0.8 1</diffuse><specular>0.2 0.2 0.2 1</specular>
            <direction>-0.5 0.1 -0.9</direction></light></sdf>",
    },
];

/// The owner of the models on Gazebo Fuel.
const OWNER: &str = "openrobotics";

/// Returns the text of the model of an address.
pub(super) fn text_of(address: &str) -> Option<&'static str> {
    let (scheme, rest) = address.trim().split_once("://")?;
    let is_it = |builtin: &&Builtin| match scheme {
        "model" => rest.trim_end_matches('/') == builtin.name,
        "http" | "https" => {
            fuel_model(rest).is_some_and(|(owner, name)| owner == OWNER && name == builtin.on_fuel)
        }
        _ => false,
    };
    BUILTIN.iter().find(is_it).map(|builtin| builtin.text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::Geometry;
    use crate::{Budget, InMemory, SearchPath, Severity, load_with, parse_str};
    use std::path::Path;

    /// Every spelling of the addresses in worlds of Gazebo Classic and of Gazebo.
    #[test]
    fn sun_and_ground_exist_without_a_download() {
        let fuel = |host: &str, rest: &str| format!("https://{host}/1.0/{rest}");
        let hosts = ["fuel.gazebosim.org", "fuel.ignitionrobotics.org"];
        let on_fuel = |names: [&str; 3]| {
            let of_host =
                |host: &'static str| names.map(|name| fuel(host, &format!("OpenRobotics/models/{name}")));
            hosts.into_iter().flat_map(of_host).collect::<Vec<_>>()
        };
        let suns = on_fuel(["Sun", "sun", "Sun/2"]);
        let grounds = on_fuel(["Ground Plane", "Ground%20Plane", "ground%20plane/tip"]);
        let local = |name: &str| {
            vec![format!("model://{name}"), format!("model://{name}/"), format!(" model://{name} ")]
        };
        let include = |uri: &String| {
            format!("<sdf version='1.6'><world name='w'><include><uri>{uri}</uri></include></world></sdf>")
        };
        for uri in suns.iter().chain(&local("sun")) {
            let loaded = parse_str("w.sdf", &include(uri)).expect("a world");
            assert_eq!(loaded.diagnostics, [], "{uri}");
            assert!(loaded.world.lights[0].element.cast_shadows, "{uri}");
            assert_eq!(loaded.world.lights[0].element.name, "sun", "{uri}");
        }
        for uri in grounds.iter().chain(&local("ground_plane")) {
            let loaded = parse_str("w.sdf", &include(uri)).expect("a world");
            assert_eq!(loaded.diagnostics, [], "{uri}");
            let ground = &loaded.world.models[0];
            assert!(ground.is_static && ground.name == "ground_plane", "{uri}");
            assert!(
                matches!(ground.links[0].collisions[0].element.geometry, Geometry::Plane { .. }),
                "{uri}"
            );
        }
    }

    #[test]
    fn other_models_and_other_owners_are_not_built_in() {
        for uri in [
            "model://moon",
            "model://sun/meshes/sun.dae",
            "model://Ground Plane",
            "sun",
            "file://sun",
            "package://sun",
            "https://fuel.gazebosim.org/1.0/somebody/models/Sun",
            "https://fuel.gazebosim.org/1.0/OpenRobotics/worlds/Sun",
            "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Sun/1/files/model.sdf",
            "https://example.org/1.0/OpenRobotics/models/Sun",
        ] {
            assert_eq!(text_of(uri), None, "{uri}");
        }
    }

    /// A model of the same name on the search path, or beside the world, is the author's.
    #[test]
    fn a_model_on_the_search_path_comes_first() {
        let own =
            "<sdf version='1.6'><model name='slope'><static>true</static><link name='l'/></model></sdf>";
        let config = "<model><sdf version='1.6'>model.sdf</sdf></model>";
        let world = "<sdf version='1.6'><world name='w'><include><uri>model://ground_plane</uri></include></world></sdf>";
        for folder in
            ["/store/ground_plane", "/work/ground_plane", "/work/models/ground_plane", "/models/ground_plane"]
        {
            let files = InMemory::new()
                .with("/work/w.sdf", world)
                .with(format!("{folder}/model.config"), config)
                .with(format!("{folder}/model.sdf"), own);
            let search = SearchPath::new(["/store"]);
            let loaded =
                load_with(&files, Path::new("/work/w.sdf"), &search, &Budget::default()).expect("a world");
            assert_eq!(loaded.world.models[0].name, "slope", "{folder}");
        }
    }

    /// The words of an include are laid over a built-in model like over others.
    #[test]
    fn an_include_may_rename_and_move_the_ground() {
        let world = "<sdf version='1.6'><world name='w'><include><uri>model://ground_plane</uri><name>floor</name>\
                     <pose>0 0 -2 0 0 0</pose></include><include><uri>model://nowhere</uri></include></world></sdf>";
        let loaded = parse_str("w.sdf", world).expect("a world");
        let floor = &loaded.world.models[0];
        assert_eq!((floor.name.as_str(), floor.pose.position.z), ("floor", -2.0));
        assert_eq!(loaded.diagnostics.iter().filter(|found| found.severity == Severity::Error).count(), 1);
    }
}
