//! Plugins that compute something in their first step, or publish only what has changed: a restored run must not compute
//! or publish it again.

use super::expect_equal_runs;
use crate::support::Setup;
use crate::systems::{command, flight, ground, inertial, lifts, world};

const UNIFORM: &str =
    "<plugin filename='buoyancy' name='water'><uniform_fluid_density>1025</uniform_fluid_density></plugin>";

const LAYERS: &str = "<plugin filename='buoyancy' name='water'><graded_buoyancy><default_density>1025</default_density>
    <density_change><above_depth>0</above_depth><density>1.2</density></density_change></graded_buoyancy></plugin>";

/// Reports in steps of their own, so that enough messages are compared.
const POSES: &str = "<plugin filename='model_pose' name='all_poses'><update_frequency>200</update_frequency><topic>place</topic></plugin>";

/// A body whose centre of volume is beside its origin, and which turns.
fn swimmer(pose: &str) -> String {
    let body = inertial(160.0, [1.3, 0.7, 0.4]);
    format!(
        "<pose>{pose}</pose><link name='hull'>{body}
         <collision name='body'><pose>0.1 0.02 0.05 0.1 0.2 0.3</pose><geometry><box><size>1.1 0.5 0.2</size></box></geometry>
         </collision>
         <collision name='nose'><pose>0.6 0 0.1 0 0 0</pose><geometry><sphere><radius>0.2</radius></sphere></geometry>
         </collision>
         <collision name='tank'><pose>-0.4 0.1 0 0.3 0 0</pose><geometry><cylinder><radius>0.1</radius><length>0.5</length>
         </cylinder></geometry></collision></link>
         <plugin filename='hydrodynamics' name='drag'><link_name>hull</link_name><xU>-40</xU><yV>-60</yV><zW>-80</zW>
         <kP>-9</kP><mQ>-8</mQ><nR>-7</nR><xDotU>-20</xDotU></plugin>{POSES}"
    )
}

/// Compares the runs of a world in one part and in two.
fn compare(what: &str, plugins: &[&str], world: &str, commands: &str) {
    expect_equal_runs(what, |duration, prepare| {
        let setup = Setup::new().plugins(&["entities", "logging", "replay"]).plugins(plugins);
        let file = setup.file("commands.jsonl", commands);
        let setup = setup.world(world).args(["--duration", duration, "--hash-log", "hashes.txt"]);
        let setup = setup.bridge("*=logging:messages.jsonl");
        let setup =
            if commands.is_empty() { setup } else { setup.bridge(format!("*=replay:{}", file.display())) };
        prepare(setup).finish().expect_code(0)
    });
}

#[test]
fn what_swims_continues_from_a_snapshot() {
    let (fish, boat) = (swimmer("1 2 -3 0.3 0.2 0.1"), swimmer("-7 4 0.1 0.2 0.1 1.2"));
    for (what, fluids) in [("one fluid", UNIFORM), ("layers", LAYERS)] {
        compare(what, &["marine"], &world(fluids, &[("fish", &fish), ("boat", &boat)]), "");
    }
}

#[test]
fn what_flies_continues_from_a_snapshot() {
    let elements = "<wind><linear_velocity>3 1 0</linear_velocity></wind>
        <plugin filename='gz-sim-wind-effects-system' name='gz::sim::systems::WindEffects'/>";
    let body = inertial(2.0, [0.2, 0.3, 0.4]);
    let kite = format!(
        "<enable_wind>true</enable_wind><pose>3 5 8 0.1 0.2 0.3</pose><link name='l'>{body}</link>{POSES}"
    );
    let commands = command("/hexa/cmd_vel", 1, &flight::fly("{}", 0.3))
        + &command("/hexa/cmd_vel", 1500, &flight::fly("{\"x\":1.0,\"z\":0.5}", 0.5));
    let world = world(elements, &[("hexa", &flight::hexacopter()), ("kite", &kite)]);
    compare("a hexacopter and a kite", &["aero"], &world, &commands);
}

#[test]
fn an_elevator_continues_from_a_snapshot() {
    let world = world("", &[("shaft", &(lifts::shaft() + POSES))]);
    compare("an elevator", &["elevator"], &world, &command("/go", 500, "{\"data\":1}"));
}

#[test]
fn a_vehicle_on_tracks_and_its_static_transforms_continue_from_a_snapshot() {
    let frames = "<plugin filename='link_transforms' name='frames'>
        <static_link parent_frame_id='base'>left</static_link></plugin>";
    let commands = command("/tank/cmd_vel", 10, &ground::twist(0.5, 0.0, 0.3))
        + &command("/tank/cmd_vel", 4000, &ground::twist(0.5, 0.0, -0.3));
    let world = world(ground::GROUND, &[("tank", &(ground::tank() + frames + POSES))]);
    compare("a tank", &["traction"], &world, &commands);
}

/// The parcel is held back by a wall and comes to rest on the belt.
#[test]
fn a_belt_below_a_parcel_at_rest_continues_from_a_snapshot() {
    let elements = format!(
        "{}<model name='conveyor'><static>true</static><link name='belt'><pose>9 9 0.5 0 0 0</pose><collision name='c'>
         <geometry><box><size>4 1 1</size></box></geometry></collision></link>
         <plugin filename='gz-sim-track-controller-system' name='gz::sim::systems::TrackController'><link>belt</link></plugin>
         </model>
         <model name='wall'><static>true</static><link name='l'><pose>10.5 9 1.5 0 0 0</pose><collision name='c'>
         <geometry><box><size>0.1 1 1</size></box></geometry></collision></link></model>",
        ground::GROUND
    );
    let body = inertial(2.0, [0.2; 3]);
    let parcel = format!(
        "<pose>10.34 9 1.1 0 0 0</pose><link name='l'>{body}<collision name='c'><geometry><box><size>0.2 0.2 0.2</size></box>
         </geometry><surface><friction><ode><mu>0.01</mu><mu2>0.01</mu2></ode></friction></surface></collision></link>{POSES}"
    );
    let commands = command("/conveyor/link/belt/track_cmd_vel", 10, "{\"data\":0.01}");
    compare("a belt", &["traction"], &world(&elements, &[("parcel", &parcel)]), &commands);
}
