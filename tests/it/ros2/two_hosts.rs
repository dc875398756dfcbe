//! Two hosts in one DDS domain, each of which offers every service of a host and the clock.

use serde_json::json;

use super::Domain;
use crate::support::{Served, Setup};

const NOT_ALONE: &str = "BH-ROS-012";

fn host_in(domain: &Domain) -> Served {
    let bridge = format!("*=ros2:domain={};interface=lo", domain.number());
    Served::start(Setup::new().plugins(&["ros2"]).without_world().bridge(bridge))
}

#[test]
fn two_hosts_in_one_domain_report_each_other() {
    let domain = Domain::free();
    let mut hosts = [host_in(&domain), host_in(&domain)];
    for host in &mut hosts {
        let line = host.wait_for(NOT_ALONE);
        assert!(line.starts_with("warning[BH-ROS-012]: "), "{line}");
        let domain = format!("another participant of domain {}, which uses RustDDS,", domain.number());
        assert!(line.contains(&domain) && line.contains("`domain=`"), "{line}");
    }
    for host in hosts {
        host.ok("quit", json!({}));
        let text = host.finish().expect_code(0).to_string();
        assert_eq!(text.matches(NOT_ALONE).count(), 1, "{text}");
    }
}
