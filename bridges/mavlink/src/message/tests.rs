//! Frames compared with those of pymavlink 2.4.50, as hexadecimal digits.

use super::*;

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[track_caller]
fn assert_frame(message: impl Into<Message>, component: u8, expected: &str) {
    let message = message.into();
    let mut bytes = Vec::new();
    frame(&mut bytes, Sender { system: 1, component }, 7, &message);
    assert_eq!(digits(&bytes), expected);
    let mut reader = mavlink_core::MavlinkReader::new(&bytes[..]);
    let (header, read) = reader.read_any_message_with_dialect(&Messages).expect("a message");
    assert_eq!((header.system_id, header.component_id, header.sequence), (1, component, 7));
    assert_eq!(read, message);
}

fn sensor() -> HilSensor {
    HilSensor {
        time_usec: 1_000_000,
        acceleration: [0.5, -0.25, -9.8125],
        gyro: [0.125, 0.0, 0.0],
        magnetic: [0.21, 0.0, 0.42],
        abs_pressure: 1013.25,
        temperature: 20.0,
        fields_updated: 0x1fff,
        ..HilSensor::default()
    }
}

#[test]
fn samples_have_the_bytes_of_another_implementation() {
    assert_frame(
        sensor(),
        200,
        "fd3e00000701c86b000040420f00000000000000003f000080be00001dc10000003e00000000000000003d0a573e\
         000000003d0ad73e00507d4400000000000000000000a041ff1fc87e",
    );
    let inertial = HilSensor {
        magnetic: [0.0; 3],
        abs_pressure: 0.0,
        temperature: 0.0,
        fields_updated: 0x3f,
        id: 1,
        ..sensor()
    };
    assert_frame(
        inertial,
        200,
        "fd4100000701c86b000040420f00000000000000003f000080be00001dc10000003e00000000000000000000000000\
         00000000000000000000000000000000000000000000003f000000011944",
    );
    let gps = HilGps {
        time_usec: 1_000_000,
        lat: 473_977_418,
        lon: 85_455_939,
        alt: 488_000,
        eph: 30,
        epv: 40,
        cog: u16::MAX,
        fix_type: 3,
        satellites_visible: 10,
        ..HilGps::default()
    };
    assert_frame(
        gps,
        200,
        "fd2400000701c871000040420f00000000004a52401c43f41705407207001e0028000000000000000000ffff030ac85c",
    );
}

#[test]
fn answers_and_commands_have_the_bytes_of_another_implementation() {
    let mut controls = [0.0; 16];
    controls[..4].fill(0.5);
    let answer = HilActuatorControls { time_usec: 1_000_000, flags: 1, controls, mode: 129 };
    assert_frame(
        answer,
        1,
        "fd5100000701015d000040420f000000000001000000000000000000003f0000003f0000003f0000003f0000000000\
         00000000000000000000000000000000000000000000000000000000000000000000000000000000000000812323",
    );
    let command = CommandLong {
        params: [115.0, 5000.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        command: 511,
        target_system: 1,
        ..CommandLong::default()
    };
    assert_frame(
        command,
        1,
        "fd1f00000701014c00000000e64200409c450000000000000000000000000000000000000000ff01015c89",
    );
}
