//! Memory of compiled paths.

use super::*;
use crate::messages::Message as _;
use crate::messages::sensor_msgs::LaserScan;

fn scan_type() -> MessageType {
    LaserScan::schema().resolve().expect("a type")
}

#[test]
fn paths_that_a_plugin_makes_up_do_not_fill_the_memory() {
    let plans = TypePlans::new(scan_type());
    for index in 0..MAX_PATHS * 2 {
        drop(plans.number(&format!("ranges[{index}]"), &[]));
    }
    assert_eq!(plans.values.lock().expect("a lock").len(), MAX_PATHS);
}
