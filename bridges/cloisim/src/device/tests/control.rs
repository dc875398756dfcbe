//! Devices with a Control port.

use super::*;

#[test]
fn elevators_and_actors_are_devices_of_the_world_with_a_control_port() {
    const ELEVATORS: &[&str] = &[
        "<bridgehead_simulation_interfaces/msg/ElevatorCommand",
        "bridgehead_simulation_interfaces/msg/ElevatorSystemState",
    ];
    let mut scene = Scene::new();
    let xml = "<plugin><system_name>office</system_name></plugin>";
    scene.plugin("tower", "libElevatorSystem.so", "elevator_system", ELEVATORS, xml);
    scene.plugin("", "libActorControlPlugin.so", "", &[], "");
    scene.plugin("anna", "libActorPlugin.so", "actor", &["<geometry_msgs/msg/PoseStamped"], "");
    let found = devices(&scene.0);
    assert_eq!(found.unsupported, []);
    let [_, elevators, actors] = found.served.as_slice() else { panic!("{:?}", found.served) };
    assert_eq!(elevators.identity(), ("World".to_owned(), Kind::Elevator, "ElevatorSystem".to_owned()));
    assert_eq!((elevators.vehicle.as_str(), &*elevators.keys), ("tower", [Key::Control].as_slice()));
    assert_eq!(elevators.config, ConverterConfig::Elevators { system: "office".to_owned() });
    assert_eq!(elevators.command.as_deref(), Some("/tower/libElevatorSystem.so/elevatorcommand"));
    assert_eq!(actors.identity(), ("World".to_owned(), Kind::Actor, "ActorControlPlugin".to_owned()));
    let goals = vec![("anna".to_owned(), "/anna/libActorPlugin.so/posestamped".to_owned())];
    assert_eq!(actors.config, ConverterConfig::Actors { goals });
}
