//! The client of the bridge of CyberRT: operations 1 descriptors, 2 read, 3 write, 4 message, and protobuf.

use super::Dialect;
use super::peer::Link;

const CYBERRT: Dialect = Dialect {
    bridge: "cyberrt",
    example: "cyberrt-bridge",
    register: Some(1),
    publish: 4,
    add_writer: 3,
    topics: &[
        (3, "/car1/imu", "apollo.drivers.gnss.Imu"),
        (3, "/car1/echo", "example.v1.Pressure"),
        (3, "/car1/can_bus", "apollo.canbus.Chassis"),
        (2, "/car1/pressure_in", "example.v1.Pressure"),
        (2, "/car1/vehicle_control", "apollo.control.ControlCommand"),
    ],
    pressure: |pascal| [&[0x09][..], &pascal.to_le_bytes()].concat(),
};

/// Checks that the descriptors that came before a type end with its own file, which has its name.
fn expect_descriptors(link: &Link, type_name: &str) {
    let last = link.descriptors.last().expect("descriptors before a writer");
    let short = type_name.rsplit('.').next().expect("a name").as_bytes();
    assert!(last.windows(short.len()).any(|window| window == short), "the file of {type_name}");
}

/// The message of an IMU at rest without gravity, at a time, as the sample of this number.
fn resting_imu(time: &[u8], number: u8, frame: &str) -> Vec<u8> {
    const GPS_EPOCH: f64 = 315_964_800.0 - 18.0;
    let seconds = f64::from_le_bytes(time.try_into().expect("eight bytes"));
    let delimited = |key: u8, bytes: &[u8]| {
        [&[key, u8::try_from(bytes.len()).expect("a short field")][..], bytes].concat()
    };
    let header = [
        &[0x09][..],
        time,
        &delimited(0x12, b"bridgehead"),
        &[0x18, number],
        &delimited(0x4a, frame.as_bytes()),
    ];
    let point: Vec<u8> = [0x09, 0x11, 0x19].iter().flat_map(|key| [*key, 0, 0, 0, 0, 0, 0, 0, 0]).collect();
    let measured = [&[0x11][..], &(seconds - GPS_EPOCH).to_le_bytes()].concat();
    [delimited(0x0a, &header.concat()), measured, delimited(0x22, &point), delimited(0x2a, &point)].concat()
}

fn expect_messages(link: &mut Link) {
    let publish = CYBERRT.publish;
    // The time of the header follows its key and length, the number follows the name of the module.
    let imu = link.message(publish, "/car1/imu");
    assert_eq!(imu, resting_imu(&imu[3..11], imu[24], "car1/mast/imu"), "{}", String::from_utf8_lossy(&imu));
    CYBERRT.expect_echo(link, 98_765.432_1);

    // Half of the throttle, and the gear for driving, of `ControlCommand`; the throttle of `Chassis` is its field 8.
    let control = [&[0x19][..], &50.0_f64.to_le_bytes(), &[0xa0, 0x01, 0x01]].concat();
    link.send(publish, "/car1/vehicle_control", &control);
    let throttle = [&[0x45][..], &50.0_f32.to_le_bytes()].concat();
    link.message_that(publish, "/car1/can_bus", |chassis| chassis.windows(5).any(|bytes| bytes == throttle));
}

#[test]
fn a_client_of_the_bridge_of_cyberrt_sends_receives_and_survives_its_peer() {
    let (peer, running) = CYBERRT.start();
    let mut link = peer.accept();
    CYBERRT.expect_topics(&mut link, expect_descriptors);
    expect_messages(&mut link);
    CYBERRT.expect_survival(&peer, link, running);
}
