//! Tests of plugins that were built elsewhere and copied into a folder: one set in C with only the header, one set in
//! Rust in separate crates outside the workspace.
//!
//! The peer of both bridges is a socket in the test. It checks received messages, and sends messages that must return.

use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

use bridgehead_plugin_api::messages::std_msgs::{Float64, String as RosString};
use prost::Message as _;

use crate::support::{CPlugin, Finished, Outside, Running, Setup, receive_from, root, vehicle, world};

/// How long the host may send nothing at all.
const SILENCE: Duration = Duration::from_secs(30);

/// How many other messages may arrive before the expected one; there are some ten per second.
const MAX_OTHERS: usize = 600;

/// The peer of a bridge that sends and receives `topic NUL payload` over UDP.
struct Peer {
    socket: UdpSocket,
    /// The address of the host, known from its first datagram.
    host: Option<SocketAddr>,
}

impl Peer {
    fn new() -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a free port");
        socket.set_read_timeout(Some(SILENCE)).expect("a deadline");
        Peer { socket, host: None }
    }

    fn address(&self) -> SocketAddr {
        self.socket.local_addr().expect("an address")
    }

    /// Returns the topic and payload of the next datagram, both empty for the one that opens the connection.
    fn receive(&mut self) -> (String, Vec<u8>) {
        let mut datagram = vec![0; 65_536];
        let (len, from) = receive_from(&self.socket, &mut datagram).expect("a datagram before the deadline");
        self.host = Some(from);
        let text = &datagram[..len];
        let end = text.iter().position(|byte| *byte == 0).unwrap_or(len);
        let topic = String::from_utf8(text[..end].to_vec()).expect("topics are UTF-8");
        (topic, text.get(end + 1..).unwrap_or_default().to_vec())
    }

    /// Returns the payload of the next message of a topic.
    fn wait_for(&mut self, wanted: &str) -> Vec<u8> {
        let messages = (0..MAX_OTHERS).map(|_| self.receive());
        let found = messages.into_iter().find(|(topic, _)| topic == wanted);
        found.unwrap_or_else(|| panic!("no message on {wanted}")).1
    }

    fn send(&self, topic: &str, payload: &[u8]) {
        let host = self.host.expect("the host has sent a datagram before");
        self.socket.send_to(&[topic.as_bytes(), &[0], payload].concat(), host).expect("the datagram is sent");
    }

    /// Sends a pressure and waits until the plugin's echo of it comes back, byte for byte the same.
    fn assert_echo(&mut self) {
        let pressure = 98_765.432_1_f64;
        // `example.v1.Pressure`: field 1, 64 bit.
        let payload = [&[0x09][..], &pressure.to_le_bytes()].concat();
        self.send("/car1/pressure_in", &payload);
        assert_eq!(self.wait_for("/car1/echo"), payload);
    }
}

/// Ends a run without a duration.
fn stop(running: Running) -> Finished {
    running.signal(libc::SIGINT);
    running.finish().expect_code(0)
}

#[test]
fn a_bridge_and_a_plugin_in_c_publish_and_receive() {
    let setup = Setup::new().fixtures(&["own_type"]);
    for name in ["datagram", "heartbeat"] {
        let source = root().join(format!("plugin-api/examples/c/{name}.c"));
        CPlugin::new(&source, &setup.plugin_folder().join(format!("lib{name}.so"))).build();
    }
    let plugins =
        "<plugin filename=\"heartbeat\" name=\"heart\"/><plugin filename=\"own_type\" name=\"barometer\"/>";
    let mut peer = Peer::new();
    let setup = setup.in_real_time().world(&world(&vehicle("car1", plugins)));
    let mut running = setup.bridge(format!("car1=datagram:{}", peer.address())).start();

    let beats: Vec<f64> = (0..2).map(|_| decode_number(&peer.wait_for("/car1/heartbeat"))).collect();
    assert!((beats[1] - beats[0] - 1.0).abs() < 2e-3, "one beat per simulated second: {beats:?}");
    peer.assert_echo();

    let note = RosString { data: "hello from the peer \u{2713}".to_owned() };
    peer.send("/car1/note", &note.encode_to_vec());
    running.wait_for(&note.data);
    stop(running);
}

/// The nearest hits that the C plugin finds in the scans of a vehicle in front of a wall.
fn nearest_hits(arguments: &[&str]) -> Vec<String> {
    let setup = Setup::new().plugins(&["lidar", "logging"]);
    let source = root().join("plugin-api/examples/c/nearest.c");
    CPlugin::new(&source, &setup.plugin_folder().join("libnearest.so")).build();
    let lidar = "<sensor name='lidar' type='lidar'><topic>scan</topic><update_rate>10</update_rate><lidar><scan><horizontal>\
                 <samples>9</samples><min_angle>-0.4</min_angle><max_angle>0.4</max_angle></horizontal></scan>\
                 <range><min>0.1</min><max>20</max></range></lidar></sensor>";
    let wall = "<model name='wall'><static>true</static><pose>3 0 0 0 0 0</pose><link name='l'><collision name='c'>\
                <geometry><box><size>1 9 9</size></box></geometry></collision></link></model>";
    let sdf = world(&format!(
        "<model name='car1'><static>true</static><link name='mast'>{lidar}</link>\
         <plugin filename='nearest' name='nearest'/></model>{wall}"
    ));
    let setup = setup.world(&sdf).bridge("car1=logging:out/log.jsonl").args(["--duration", "1s"]);
    let setup = arguments.iter().fold(setup, |setup, argument| setup.arg(argument));
    let lines = setup.finish().expect_code(0).log("out/log.jsonl");
    let points = lines.iter().filter(|line| line.is_topic("/car1/nearest"));
    points.map(|line| line.0["message"].to_string()).collect()
}

#[test]
fn a_plugin_in_c_reads_fields_and_makes_messages_of_json() {
    let alone = nearest_hits(&[]);
    assert_eq!(alone.len(), 10, "one for each scan");
    for hit in &alone {
        let hit: serde_json::Value = serde_json::from_str(hit).expect("JSON");
        let number = |path: &str| hit.pointer(path).and_then(serde_json::Value::as_f64).expect("a number");
        assert!((number("/pose/position/x") - 2.5).abs() < 1e-6, "the face of the wall: {hit}");
        assert!(number("/pose/position/y").abs() < 1e-6 && number("/pose/position/z").abs() < 1e-9, "{hit}");
        assert_eq!(hit.pointer("/header/frame_id"), Some(&"car1/mast/lidar".into()));
    }
    assert_eq!(nearest_hits(&["--isolate", "nearest"]), alone, "in a process of its own too");
}

fn decode_number(payload: &[u8]) -> f64 {
    Float64::decode(payload).expect("a Float64").data
}

#[test]
fn a_bridge_and_a_sensor_in_rust_built_outside_the_workspace_publish_and_receive() {
    let setup = Setup::new().fixtures(&["own_type"]);
    Outside::example("rust-bridge", "libudp_bridge.so", &setup.plugin_folder());
    Outside::example("rust-sensor", "libbarometer.so", &setup.plugin_folder());
    let sdf = world(
        "<model name=\"car1\"><link name=\"mast\"><pose>0 0 100 0 0 0</pose>\
         <sensor name=\"barometer\" type=\"barometer\"><topic>height</topic><update_rate>10</update_rate></sensor></link>\
         <plugin filename=\"own_type\" name=\"pressure\"/></model>",
    );
    let source = root().join("plugin-api/examples/c/datagram.c");
    CPlugin::new(&source, &setup.plugin_folder().join("libdatagram.so")).build();
    let (mut peer, mut other) = (Peer::new(), Peer::new());
    let setup = setup.in_real_time().world(&sdf).bridge(format!("car1=datagram:{}", other.address()));
    let running = setup.bridge(format!("car1=udp:{}", peer.address())).start();

    for peer in [&mut peer, &mut other] {
        let text =
            String::from_utf8(peer.wait_for("/car1/height")).expect("text from the sensor's converter");
        assert_eq!(text, "1001.29 hPa", "the standard atmosphere at 100 m");
    }
    peer.assert_echo();
    for _ in 0..5 {
        running.suspend(Duration::from_millis(20));
        peer.assert_echo();
    }
    stop(running);
}

#[test]
fn a_listing_runs_no_code_of_plugins() {
    let setup = Setup::new();
    let folder = setup.plugin_folder();
    for (name, constructor) in [("hangs", "for(;;)pause()"), ("crashes", "abort()")] {
        let macros = [
            format!("CONSTRUCTOR={constructor}"),
            format!("PLAIN_NAME=\"{name}\""),
            format!("PLAIN_ID=\"org.example.{name}\""),
        ];
        let macros: Vec<&str> = macros.iter().map(String::as_str).collect();
        CPlugin::plain(&folder.join(format!("lib{name}.so")), &macros).build();
    }
    let listed = setup.args(["plugin", "list", "--plugin-path"]).arg(folder).finish().expect_code(0).stdout();
    assert!(listed.contains("hangs") && listed.contains("crashes"), "{listed}");
}
