//! Radios of the simulated world.

use super::{command, run, world};
use crate::support::{Finished, assert_near};

/// Radios at the origin, at 10 m, and at 80 m, of which one belongs to nobody that is in range.
fn yard(broker: &str) -> String {
    let radio = |x: u32, name: &str| {
        format!(
            "<pose>{x} 0 0 0 0 0</pose><static>true</static><link name='l'/>
             <plugin filename='gz-sim-comms-endpoint-system' name='gz::sim::systems::CommsEndpoint'>
             <address>{name}</address><topic>{name}/rx</topic></plugin>"
        )
    };
    let (base, near, far) = (radio(0, "base"), radio(10, "near"), radio(80, "far"));
    world(broker, &[("m0", &base), ("m1", &near), ("m2", &far)])
}

fn sent(to: &str, step: u64) -> String {
    command("/broker/msgs", step, &format!("{{\"src_address\":\"base\",\"dst_address\":\"{to}\"}}"))
}

/// How many messages a radio received, and the strength of the last one.
fn received(finished: &Finished, radio: &str) -> (usize, f64) {
    let lines = finished.log("out/run.jsonl");
    let of_radio: Vec<_> = lines.iter().filter(|line| line.is_topic(&format!("/{radio}/rx"))).collect();
    (of_radio.len(), of_radio.last().map_or(f64::NAN, |line| line.number("/message/rssi")))
}

#[test]
fn perfect_radios_reach_everybody() {
    let broker = "<plugin filename='gz-sim-perfect-comms-system' name='gz::sim::systems::PerfectComms'/>";
    let commands = sent("near", 10) + &sent("far", 20) + &sent("broadcast", 30) + &sent("nobody", 40);
    let finished = run(&["comms"], &yard(broker), &commands, 1);
    assert_eq!(
        [received(&finished, "base").0, received(&finished, "near").0, received(&finished, "far").0],
        [0, 2, 2]
    );
}

#[test]
fn radios_out_of_range_receive_nothing() {
    let broker = "<plugin filename='gz-sim-rf-comms-system' name='gz::sim::systems::RFComms'>
        <range_config><max_range>50</max_range><fading_exponent>2.5</fading_exponent><l0>40</l0><sigma>0</sigma></range_config>
        <radio_config><tx_power>20</tx_power><noise_floor>-90</noise_floor></radio_config></plugin>";
    let commands = sent("broadcast", 10) + &sent("far", 20);
    let finished = run(&["comms"], &yard(broker), &commands, 1);
    let (count, strength) = received(&finished, "near");
    assert_eq!((count, received(&finished, "far").0), (1, 0));
    assert_near(strength, 20.0 - 40.0 - 25.0, 1e-9);
}
