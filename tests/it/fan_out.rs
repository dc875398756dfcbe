//! A large message that several bridges get: none of them gets a copy.

use std::fs;

use crate::support::{Setup, vehicle, world};

/// Bridges on the one vehicle.
const BRIDGES: usize = 4;
/// Messages: three in each of a hundred steps.
const MESSAGES: u64 = 300;

/// Publishes messages of a megabyte to every bridge and gives what each of them counted.
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
        .map(|index| fs::read_to_string(finished.path(&format!("out/{index}"))).expect("what was counted"))
        .collect()
}

#[test]
fn no_bridge_gets_a_copy_of_what_a_plugin_owns() {
    assert_eq!(counts(false), vec![format!("taken={MESSAGES} copied=0\n"); BRIDGES]);
}

#[test]
fn no_bridge_gets_a_copy_of_what_a_plugin_wrote_into_memory_of_the_host() {
    assert_eq!(counts(true), vec![format!("taken={MESSAGES} copied=0\n"); BRIDGES]);
}
