//! What a run with this bridge sends outside of the machine: nothing, as the system calls show.

use std::net::Ipv4Addr;
use std::process::Command;

use serde_json::json;

use super::tools::Tools;
use crate::support::{PLAYING, eventually, missing, skipped};

/// Returns true if the system calls of processes can be seen here.
#[track_caller]
fn can_trace() -> bool {
    match Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).status() {
        Ok(status) if status.success() => true,
        Ok(_) => {
            skipped("this machine lets nobody trace processes, as some containers do");
            false
        }
        Err(_) => {
            missing("strace is missing (Debian: apt-get install strace)");
            false
        }
    }
}

/// The addresses of a line of strace.
fn addresses(line: &str) -> impl Iterator<Item = &str> {
    let v4 = line.split("inet_addr(\"").skip(1);
    let v6 = line.split("inet_pton(AF_INET6, \"").skip(1);
    v4.chain(v6).filter_map(|rest| rest.split('"').next())
}

fn is_loopback(address: &str) -> bool {
    address.starts_with("127.") || address == "::1"
}

#[test]
fn nothing_leaves_the_loopback() {
    let Some(tools) = Tools::find() else { return };
    if !can_trace() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("calls");
    let strace = format!(
        "strace -f -qq -e trace=bind,connect,sendto,sendmsg,sendmmsg,setsockopt -o {}",
        file.display()
    );
    let host = tools.host("two_vehicles.sdf", |setup| setup.under(&strace));
    eventually("it plays", || host.state() == PLAYING);
    assert!(tools.echo("/car1/odom").contains("position"));
    assert_eq!(tools.call("/gazebo/worlds", ["Empty", "StringMsg_V"], ""), "data: \"two_vehicles\"");
    host.ok("quit", json!({}));
    host.finish().expect_code(0);

    // strace shows the address of this option as a number.
    let loopback = format!("[{}]", u32::from_ne_bytes(Ipv4Addr::LOCALHOST.octets()));
    let calls = std::fs::read_to_string(file).expect("the calls");
    let [mut sent, mut joined, mut interfaces] = [0; 3];
    for line in calls.lines() {
        let found: Vec<_> = addresses(line).collect();
        if line.contains("IP_ADD_MEMBERSHIP") {
            joined += 1;
            assert!(matches!(found[..], ["239.255.0.7" | "224.0.0.7", "127.0.0.1"]), "{line}");
        } else if line.contains("IP_MULTICAST_IF") {
            interfaces += 1;
            assert!(line.contains(&loopback), "{line}");
        } else if line.contains("bind(") {
            // The sockets of discovery receive from the group, which needs no address; who else sends is filtered.
            assert!(found.iter().all(|address| is_loopback(address) || *address == "0.0.0.0"), "{line}");
        } else {
            sent += found.len();
            let is_group = |address: &str| matches!(address, "239.255.0.7" | "224.0.0.7");
            assert!(found.iter().all(|address| is_loopback(address) || is_group(address)), "{line}");
        }
    }
    // Two sockets of discovery; each is in both groups.
    assert!((joined, interfaces) == (4, 2) && sent > 100, "{joined} {interfaces} {sent}");
}
