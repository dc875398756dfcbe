//! Tests of a large message for several bridges: no bridge receives a copy.

use std::fs;

use crate::support::{Setup, vehicle, world};

/// Number of bridges of the vehicle.
const BRIDGES: usize = 4;
/// Number of messages: three in each of a hundred steps.
const MESSAGES: u64 = 300;

/// Publishes messages of a megabyte to every bridge and returns the counts of each bridge.
fn counts(lent: bool) -> Vec<String> {
    let plugin = format!(
        "<plugin filename='producer' name='producer'><count>3</count><bytes>1000000</bytes><lent>{lent}</lent></plugin>"
    );
    let setup = Setup::new().fixtures(&["producer", "consumer"]).world(&world(&vehicle("car1", &plugin)));
    let bridges: String = (0..BRIDGES)
        .map(|index| {
            format!(
                "[[bridge]]\nattach = 'car1'\nname = 'consumer'\nconnection = 'out/{index}'\nqueue = {{ policy = 'block' }}\n"
            )
        })
        .collect();
    let finished = setup.args(["--duration", "0.1s"]).config(&bridges).finish().expect_code(0);
    (0..BRIDGES)
        .map(|index| fs::read_to_string(finished.path(&format!("out/{index}"))).expect("the counts"))
        .collect()
}

#[test]
fn messages_in_memory_of_a_plugin_are_not_copied() {
    assert_eq!(counts(false), vec![format!("taken={MESSAGES} copied=0\n"); BRIDGES]);
}

#[test]
fn messages_in_memory_lent_by_the_host_are_not_copied() {
    assert_eq!(counts(true), vec![format!("taken={MESSAGES} copied=0\n"); BRIDGES]);
}
