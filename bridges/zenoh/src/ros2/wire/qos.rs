//! The quality of service of an endpoint as a part of its token: numbers as in `rmw`, and nothing for a default.

use bridgehead_ros2_node::qos::{Durability, Qos, Reliability};

/// The depth that is not written: the default of `rmw_zenoh`, not that of ROS.
const DEFAULT_DEPTH: u32 = 42;

/// Returns the part: reliability, durability, history with depth, and the defaults of deadline, lifespan and liveliness.
pub(crate) fn text(qos: Qos) -> String {
    let reliability = match qos.reliability {
        Reliability::Reliable => "",
        Reliability::BestEffort => "2",
    };
    let durability = match qos.durability {
        Durability::Volatile => "",
        Durability::TransientLocal => "1",
    };
    let depth = if qos.depth == DEFAULT_DEPTH { String::new() } else { qos.depth.to_string() };
    format!("{reliability}:{durability}:,{depth}:,:,:,,")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_left_out() {
        assert_eq!(text(Qos::DEFAULT), "::,10:,:,:,,");
        assert_eq!(text(Qos { depth: 42, ..Qos::DEFAULT }), "::,:,:,:,,");
        assert_eq!(text(Qos { depth: 5, ..Qos::SENSOR }), "2::,5:,:,:,,");
        assert_eq!(text(Qos::LATCHED), ":1:,1:,:,:,,");
    }
}
