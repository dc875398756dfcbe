//! As much as a peer can send, on every port of a host with all its bridges: the steps go on, the other clients are served,
//! and afterwards the host has no more threads and descriptors than before.

mod gz;
mod kinds;
mod ports;

use std::thread::scope;

use serde_json::json;

use self::kinds::FLOODS;
pub(crate) use self::kinds::flood;
pub(crate) use self::ports::Ports;
use crate::cloisim_peers::Place;
use crate::ros2::Domain;
use crate::support::{Served, Setup, eventually, world};

/// Peers that flood a port at the same time.
const PEERS: u64 = 4;
/// What each of them does, one after the other.
const BURSTS: u64 = 25;
/// Threads and descriptors that come and go: of connections that are just being closed, and of requests of the test.
const SPARE: usize = 4;
/// Growth of memory over all floods, KiB: queues and buffers of the allocator, which keeps what it once had.
const MAX_KIB: u32 = 64 << 10;

const CAR: &str = "<model name='core'><static>true</static><link name='base'>\
    <sensor name='imu' type='imu'><update_rate>20</update_rate></sensor></link>\
    <plugin filename='triggered_publisher' name='listener'><input type='gz.msgs.Twist' topic='/flood'/>\
    <output type='gz.msgs.Empty' topic='/flooded'/></plugin></model>";

/// What the host says of the peers that it has limited, however fast the machine is: each peer alone exceeds these limits.
const LIMITS: [&str; 6] =
    ["BH-CLO-013", "BH-CLO-018", "BH-GZT-003", "BH-GZT-006", "BH-RBR-102", "BH-ROS-010"];

/// A running host with all its bridges.
pub(crate) struct Scene {
    pub(crate) host: Served,
    pub(crate) ports: Ports,
    /// Locked until the host has ended.
    pub(crate) domain: Domain,
}

impl Scene {
    #[track_caller]
    pub(crate) fn start() -> Self {
        let (domain, place) = (Domain::free(), Place::new());
        let ports = Ports::free(&place, &domain);
        let plugins = [
            "clock",
            "imu",
            "cloisim",
            "ros2",
            "rosbridge",
            "foxglove",
            "gz",
            "triggered_publisher",
            "logging",
        ];
        let setup = Setup::new().plugins(&plugins).in_real_time().world(&world(CAR));
        let setup = ports.bridges().into_iter().fold(setup, Setup::bridge);
        let setup = setup.bridge(place.bridge("libzmq")).bridge("*=logging:out/floods.mcap");
        let setup = setup.bridge(format!("*=ros2:domain={};interface=lo", domain.number()));
        let host = Served::start(setup);
        let ports = ports.with_host(host.address());
        eventually("every port answers", || ports.all_answer(&host));
        Scene { host, ports, domain }
    }

    fn threads_and_descriptors(&self) -> [usize; 2] {
        ["task", "fd"].map(|folder| self.host.process_entries(folder))
    }

    /// Floods a port; meanwhile the steps go on, and HTTP answers.
    #[track_caller]
    fn endure(&self, row: usize) {
        let ports = &self.ports;
        scope(|threads| {
            let peers: Vec<_> = (0..PEERS)
                .map(|peer| {
                    threads.spawn(move || (0..BURSTS).for_each(|burst| flood(ports, row, peer << 32 | burst)))
                })
                .collect();
            let first = self.host.status("step");
            eventually("the steps go on", || self.host.status("step") > first + 100);
            for peer in peers {
                peer.join().expect("a peer");
            }
        });
    }
}

#[test]
fn every_port_endures_every_flood() {
    let scene = Scene::start();
    let [threads, descriptors] = scene.threads_and_descriptors();
    let memory = scene.host.anonymous_kib();
    for (row, what) in FLOODS.iter().map(|(what, _)| what).enumerate() {
        scene.endure(row);
        eventually(&format!("after {what}, every port answers"), || scene.ports.all_answer(&scene.host));
        eventually(&format!("after {what}, threads and descriptors are as before"), || {
            let [now, open] = scene.threads_and_descriptors();
            now <= threads + SPARE && open <= descriptors + SPARE
        });
    }
    let growth = scene.host.anonymous_kib().saturating_sub(memory);
    assert!(growth < MAX_KIB, "{growth} KiB more than before");
    scene.host.ok("quit", json!({}));
    let finished = scene.host.finish().expect_code(0);
    let finished = LIMITS.iter().fold(finished, |finished, code| finished.expect_message(&[code]));
    for fault in ["panicked", "watchdog", "BH-SIM-900"] {
        finished.expect_silence(fault);
    }
}
