//! Systems with parameters that they cannot use: each is off with one message that has the place, and the rest runs.

use super::{command, inertial, last, run, world};
use crate::support::{Finished, assert_near};

/// A system of Gazebo in a model, with one parameter on a line of its own.
struct Case {
    file: &'static str,
    /// Parameters before the wrong one.
    before: &'static str,
    wrong: &'static str,
    /// What the message contains besides the place.
    texts: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        file: "gz-sim-buoyancy-engine-system",
        before: "",
        wrong: "<link_name>ghost</link_name>",
        texts: &["buoyancy_engine", "`link_name`", "ghost"],
    },
    Case {
        file: "gz-sim-buoyancy-engine-system",
        before: "<link_name>l</link_name><max_volume>0.001</max_volume>",
        wrong: "<min_volume>0.002</min_volume>",
        texts: &["buoyancy_engine", "`min_volume` is `0.002`", "at most <max_volume>, 0.001"],
    },
    Case {
        file: "gz-sim-kinetic-energy-monitor-system",
        before: "",
        wrong: "<link_name>ghost</link_name>",
        texts: &["kinetic_energy", "`link_name`", "ghost"],
    },
    Case {
        file: "gz-sim-kinetic-energy-monitor-system",
        before: "<link_name>l</link_name>",
        wrong: "<kinetic_energy_threshold>nan</kinetic_energy_threshold>",
        texts: &["kinetic_energy", "`kinetic_energy_threshold` is `nan`", "a number"],
    },
    Case {
        file: "gz-sim-trajectory-follower-system",
        before: "<waypoints><waypoint>1 0</waypoint></waypoints>",
        wrong: "<link_name>ghost</link_name>",
        texts: &["trajectory_follower", "`link_name`", "ghost"],
    },
    Case {
        file: "gz-sim-trajectory-follower-system",
        before: "<link_name>l</link_name><waypoints>",
        wrong: "<waypoint>1 nan</waypoint></waypoints>",
        texts: &["trajectory_follower", "`waypoints/waypoint` is `1 nan`", "two finite numbers"],
    },
    Case {
        file: "gz-sim-advanced-lift-drag-system",
        before: "<AR>6</AR><eff>0.9</eff>",
        wrong: "<link_name>ghost</link_name>",
        texts: &["advanced_lift_drag", "`link_name`", "ghost"],
    },
    Case {
        file: "gz-sim-advanced-lift-drag-system",
        before: "<link_name>l</link_name><AR>6</AR><eff>0.9</eff><control_surface>",
        wrong: "<name>rudder</name></control_surface>",
        texts: &["advanced_lift_drag", "control_surface[0]/name", "rudder"],
    },
    Case {
        file: "gz-sim-advanced-lift-drag-system",
        before: "<link_name>l</link_name><eff>0.9</eff>",
        wrong: "<AR>-6</AR>",
        texts: &["advanced_lift_drag", "`AR` is `-6`", "a number above 0"],
    },
];

/// A system with its wrong parameter.
fn system(case: &Case) -> String {
    format!("<plugin filename='{}' name='system'>{}\n{}</plugin>", case.file, case.before, case.wrong)
}

/// `file:line: ` of the first line that is this text.
fn place(world: &str, text: &str) -> String {
    let line = world.lines().position(|line| line.starts_with(text)).expect("a line") + 1;
    format!("world.sdf:{line}")
}

/// A model that falls beside the others.
fn falling() -> String {
    format!("<pose>0 0 50 0 0 0</pose><link name='l'>{}</link>", inertial(1.0, [1.0; 3]))
}

/// Fails unless a message has the place of `wrong` and these texts, and the falling model fell for a second.
#[track_caller]
fn assert_refused(finished: Finished, world: &str, wrong: &str, texts: &[&str]) {
    let place = place(world, wrong);
    let texts: Vec<&str> = std::iter::once(place.as_str()).chain(texts.iter().copied()).collect();
    let finished = finished.expect_message(&texts);
    // A step is a constant velocity: half a step at g · 1 s.
    assert_near(last(&finished, "falling")[2], 50.0 - 4.9, 9.8 * 0.0005 + 1e-9);
}

#[test]
fn wrong_parameters_of_systems_in_models_are_named_with_their_place() {
    let still = format!(
        "<pose>5 0 0 0 0 0</pose><link name='l'><gravity>false</gravity>{}</link>",
        inertial(1.0, [1.0; 3])
    );
    for case in CASES {
        let broken = format!("{still}{}", system(case));
        let text = world("", &[("broken", &broken), ("falling", &falling())]);
        let finished = run(&["aero", "external_force", "marine"], &text, "", 1);
        assert_near(last(&finished, "broken")[0], 5.0, 1e-9);
        assert_refused(finished, &text, case.wrong, case.texts);
    }
}

#[test]
fn an_aircraft_that_nothing_moves_is_off() {
    let wrong = "<link_name>l</link_name>";
    let plane = format!(
        "<static>true</static><link name='l'/><plugin filename='gz-sim-advanced-lift-drag-system' name='s'><AR>6</AR>
         <eff>0.9</eff>\n{wrong}</plugin>"
    );
    let text = world("", &[("plane", &plane), ("falling", &falling())]);
    let finished = run(&["aero"], &text, "", 1);
    assert_refused(
        finished,
        &text,
        wrong,
        &["advanced_lift_drag", "`link_name` is `l`", "static or scripted"],
    );
}

#[test]
fn a_wrong_broker_and_a_wrong_pitot_tube_are_named_with_their_place() {
    let (speed, sigma) = ("<speed_of_sound>-1500</speed_of_sound>", "<stddev>-1</stddev>");
    let broker = format!("<plugin filename='gz-sim-acoustic-comms-system' name='s'>\n{speed}</plugin>");
    let plane = format!(
        "<link name='l'><gravity>false</gravity><sensor name='tube' type='air_speed'><update_rate>10</update_rate>
         <topic>tube</topic><air_speed><pressure><noise type='gaussian'><mean>0</mean>\n{sigma}</noise></pressure></air_speed>
         </sensor></link>"
    );
    let text = world(&broker, &[("plane", &plane), ("falling", &falling())]);
    let finished = run(&["comms", "environment"], &text, "", 1);
    let finished = finished.expect_message(&[&place(&text, sigma), "stddev", "-1"]);
    assert_refused(
        finished,
        &text,
        speed,
        &["acoustic_comms", "`speed_of_sound` is `-1500`", "a number above 0"],
    );
}

#[test]
fn a_change_of_the_density_without_a_density_is_named_and_one_to_nothing() {
    let change = "<density_change><above_depth>0</above_depth></density_change>";
    let water = format!(
        "<plugin filename='gz-sim-buoyancy-system' name='gz::sim::systems::Buoyancy'><graded_buoyancy>\n{change}
         </graded_buoyancy><enable>raft</enable></plugin>"
    );
    // Half of it is in the water, which carries its weight.
    let raft = format!(
        "<link name='l'>{}<collision name='c'><geometry><box><size>2 1 0.5</size></box></geometry></collision></link>",
        inertial(500.0, [2.0, 1.0, 0.5])
    );
    let text = world(&water, &[("raft", &raft), ("falling", &falling())]);
    let finished = run(&["marine"], &text, "", 1);
    assert_near(last(&finished, "raft")[2], 0.0, 1e-3);
    assert_refused(finished, &text, change, &["<density_change> has no <density>; 0 is used"]);
}

#[test]
fn messages_from_unknown_modems_are_dropped_with_a_warning() {
    let broker = "<plugin filename='gz-sim-acoustic-comms-system' name='gz::sim::systems::AcousticComms'/>";
    let buoy =
        "<static>true</static><link name='l'/><plugin filename='gz-sim-comms-endpoint-system' name='e'>
        <address>buoy</address><topic>buoy/rx</topic></plugin>";
    let message = "{\"src_address\":\"ghost\",\"dst_address\":\"buoy\",\"data\":\"AAAA\"}";
    let commands = command("/broker/msgs", 10, message);
    let text = world(broker, &[("buoy", buoy), ("falling", &falling())]);
    let finished = run(&["comms"], &text, &commands, 1);
    assert!(!finished.log("out/run.jsonl").iter().any(|line| line.is_topic("/buoy/rx")));
    let finished =
        finished.expect_message(&["AcousticComms", "`ghost`", "no endpoint has the address of the sender"]);
    assert_near(last(&finished, "falling")[2], 50.0 - 4.9, 9.8 * 0.0005 + 1e-9);
}
