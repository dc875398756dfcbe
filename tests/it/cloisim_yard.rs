//! Tests of the yard of `worlds/`, whose elements have the names of CLOiSim's plugins: all of them are supported
//! without a warning, and their measurements agree with the content of the yard.

use crate::support::{CLOISIM_YARD, Finished, Line, Setup, assert_near, at, worlds};

/// Commands that let both robots drive straight on at half a metre per second and move the arm of the second one.
const COMMANDS: &str = r#"{"topic":"/robot1/cmd_vel","type":"geometry_msgs/msg/Twist","step":500,"message":{"linear":{"x":0.5}}}
{"topic":"/robot2/joint_command","type":"sensor_msgs/msg/JointState","step":500,"message":{"name":["turn","shoulder"],"position":[0.6,0.8],"velocity":["NaN",0.5]}}
"#;

fn drive() -> Finished {
    let setup = Setup::new().plugins(CLOISIM_YARD).plugins(&["logging", "replay"]);
    let commands = setup.file("commands.jsonl", COMMANDS);
    let setup = setup.run(&worlds().join("cloisim_yard.sdf")).args(["--strict", "--duration", "3s"]);
    let replay = commands.display();
    let setup = setup.bridge(format!("robot1=replay:{replay}")).bridge(format!("robot2=replay:{replay}"));
    let logs = ["robot1", "robot2", "world"].map(|name| format!("{name}=logging:out/{name}.jsonl"));
    let setup = logs.iter().fold(setup, |setup, bridge| setup.bridge(bridge));
    setup.finish().expect_code(0)
}

fn count(lines: &[Line], topic: &str) -> usize {
    lines.iter().filter(|line| line.is_topic(topic)).count()
}

#[test]
fn every_element_of_the_yard_is_supported_and_publishes() {
    let finished = drive();
    finished.expect_silence("warning");
    assert_eq!(finished.result()["unsupported"].as_array().map(Vec::len), Some(0));
    let [first, second, world] =
        ["robot1", "robot2", "world"].map(|name| finished.log(&format!("out/{name}.jsonl")));
    for (robot, lines) in [("robot1", &first), ("robot2", &second)] {
        let rates = [
            ("scan", 30),
            ("imu", 300),
            ("sonar", 30),
            ("bumper", 60),
            ("odom", 150),
            ("battery_state", 150),
        ];
        for (topic, expected) in rates {
            assert_eq!(count(lines, &format!("/{robot}/{topic}")), expected, "/{robot}/{topic}");
        }
    }
    assert_eq!([count(&first, "/robot1/navsatfix"), count(&first, "/robot1/seen")], [15, 15]);
    let of_camera =
        ["/robot2/depth/image_raw", "/robot2/depth/camera_info"].map(|topic| count(&second, topic));
    // The last image is on its way when the run ends.
    assert_eq!((of_camera, count(&second, "/robot2/joint_states")), ([14, 14], 150));
    assert_eq!(count(&world, "/ground_truth"), 3);
    assert_eq!([count(&first, "/tf_static"), count(&second, "/tf_static")], [1, 1]);
}

#[test]
fn measurements_in_the_yard_agree_with_its_content() {
    let finished = drive();
    let [first, second, world] =
        ["robot1", "robot2", "world"].map(|name| finished.log(&format!("out/{name}.jsonl")));
    // Two and a half seconds at half a metre per second.
    let odometry = at(&first, "/robot1/odom", 3000);
    assert_near(odometry.number("/message/pose/pose/position/x"), 1.25, 0.03);
    assert_near(odometry.number("/message/pose/pose/position/y"), 0.0, 0.02);
    assert_near(at(&first, "/robot1/battery_state", 3000).number("/message/voltage"), 24.0 - 0.03, 1e-3);
    // The wall is out of range of the sonar.
    assert_eq!(at(&first, "/robot1/sonar", 3000)["message"]["range"], "Infinity");
    let scan = at(&first, "/robot1/scan", 3000);
    assert_eq!([0, 179].map(|ray| &scan["message"]["ranges"][ray]), ["NaN"; 2]);
    // Straight on to the wall: the mast started at x = -2 m and has moved 1.25 m.
    assert_near(scan.number("/message/ranges/90"), 4.9 + 2.0 - 1.25, 0.1);

    let states = at(&second, "/robot2/joint_states", 3000);
    assert_near(states.number("/message/position/0"), 0.6, 0.01);
    assert_near(states.number("/message/position/1"), 0.8, 0.01);
    let truth = at(&world, "/ground_truth", 3000);
    // In the order of the world file.
    let ids = [0, 1, 2].map(|at| truth.number(&format!("/message/detections/{at}/id")));
    assert_eq!(ids, [3.0, 1.0, 2.0]);
}
