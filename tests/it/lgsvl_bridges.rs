//! The bridges of LGSVL, written outside the workspace as third parties write them: the clients of ros2-lgsvl-bridge and
//! of the bridge of CyberRT.
//!
//! The peer is a socket in the test. It checks every byte of announcements and messages, sends messages that must come
//! back, breaks the protocol, and goes away.

mod cyberrt;
mod peer;
mod ros2_lgsvl;

use crate::support::{Outside, Running, Setup, world};
use peer::{Link, MAX_OTHERS, Peer};

/// A protocol of LGSVL.
struct Dialect {
    /// Name of the bridge.
    bridge: &'static str,
    /// Folder of its crate in `plugin-api/examples`.
    example: &'static str,
    /// The operation of descriptors, if there are any.
    register: Option<u8>,
    /// The operation of messages.
    publish: u8,
    /// The operation that announces what the run publishes.
    add_writer: u8,
    /// What is announced: operation, topic, type.
    topics: &'static [(u8, &'static str, &'static str)],
    /// The message of a pressure.
    pressure: fn(f64) -> Vec<u8>,
}

impl Dialect {
    fn start(&self) -> (Peer, Running) {
        let setup = Setup::new().plugins(&["imu", "ackermann"]).fixtures(&["own_type"]);
        Outside::example(self.example, &format!("lib{}.so", self.bridge), &setup.plugin_folder());
        let peer = Peer::new(self.register);
        let setup = setup.in_real_time().world(&car());
        let running = setup.bridge(format!("car1={}:{}", self.bridge, peer.address())).start();
        (peer, running)
    }

    /// Waits until all topics are announced, each before its messages. `check` sees each announcement.
    fn expect_topics(&self, link: &mut Link, check: impl Fn(&Link, &str)) {
        let mut missing = self.topics.to_vec();
        for _ in 0..MAX_OTHERS {
            let (operation, topic, second) = link.frame();
            if operation == self.publish {
                let is_announced = |known: &(u8, &str, &str)| known.0 != self.add_writer || known.1 != topic;
                assert!(missing.iter().all(is_announced), "a message before the announcement of {topic}");
                continue;
            }
            let type_name = String::from_utf8(second).expect("types are UTF-8");
            if operation == self.add_writer {
                check(link, &type_name);
            }
            missing.retain(|known| *known != (operation, topic.as_str(), type_name.as_str()));
            if missing.is_empty() {
                return;
            }
        }
        panic!("these are not announced: {missing:?}");
    }

    /// Sends a pressure, and waits until the same bytes come back.
    fn expect_echo(&self, link: &mut Link, pressure: f64) {
        let bytes = (self.pressure)(pressure);
        link.send(self.publish, "/car1/pressure_in", &bytes);
        link.message_that(self.publish, "/car1/echo", |echo| echo == bytes);
    }

    /// Sends what has no meaning, breaks the protocol and goes away; then the bridge works as before.
    fn expect_survival(&self, peer: &Peer, mut link: Link, mut running: Running) {
        let mut seed = 1;
        for round in 0..10_000 {
            let topic = ["/car1/pressure_in", "/car1/vehicle_control", "/car1/imu", "\u{1}"][round % 4];
            // Less than the eight bytes of a number.
            let bytes: Vec<u8> = (0..noise(&mut seed) % 8).map(|_| noise(&mut seed)).collect();
            link.send(self.publish, topic, &bytes);
        }
        self.expect_echo(&mut link, 1.5);

        link.send_bytes(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        running.wait_for("the peer sent operation 72");
        link = peer.accept();
        self.expect_topics(&mut link, |_, _| {});
        link.send_bytes(&[&[self.publish, 1, 0, 0, 0, b'a'][..], &u32::MAX.to_le_bytes()].concat());
        running.wait_for("the peer announced a message of 4294967295 bytes");
        drop(peer.accept());
        link = peer.accept();
        self.expect_topics(&mut link, |_, _| {});
        self.expect_echo(&mut link, 2.5);

        running.signal(libc::SIGINT);
        let finished = running.finish().expect_code(0);
        assert_eq!(finished.reported("bridges", &format!("car1/{}", self.bridge))["connections"], 4);
    }
}

/// Numbers that look random and are the same in every run.
fn noise(seed: &mut u64) -> u8 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    seed.to_le_bytes()[7]
}

/// A car with pedals, an IMU at rest on a mast, and a plugin that sends pressures back.
fn car() -> String {
    let wheel = |name: &str, pose: &str, axis: &str| {
        format!(
            "<link name=\"{name}\"><pose>{pose}</pose></link>\
             <joint name=\"{name}_joint\" type=\"revolute\"><parent>body</parent><child>{name}</child>\
             <axis><xyz>{axis}</xyz></axis></joint>"
        )
    };
    let wheels = [
        wheel("rl", "-1 0.5 0 0 0 0", "0 1 0"),
        wheel("rr", "-1 -0.5 0 0 0 0", "0 1 0"),
        wheel("sl", "1 0.5 0 0 0 0", "0 0 1"),
        wheel("sr", "1 -0.5 0 0 0 0", "0 0 1"),
    ];
    world(&format!(
        "<model name=\"car1\"><link name=\"body\"/>{}\
         <link name=\"mast\"><sensor name=\"imu\" type=\"imu\"><topic>imu</topic><update_rate>10</update_rate></sensor></link>\
         <joint name=\"fixed\" type=\"fixed\"><parent>world</parent><child>mast</child></joint>\
         <plugin filename=\"own_type\" name=\"pressure\"/>\
         <plugin filename=\"ackermann\" name=\"drive\">\
         <left_joint>rl_joint</left_joint><right_joint>rr_joint</right_joint>\
         <left_steering_joint>sl_joint</left_steering_joint><right_steering_joint>sr_joint</right_steering_joint>\
         <command_timeout>0</command_timeout></plugin></model>",
        wheels.concat()
    ))
}
