//! The summary as it is printed.

use std::time::Duration;

use super::*;
use crate::cli::tests::finished_run;
use crate::statistics::Figures;

#[test]
fn the_summary_is_aligned() {
    let expected = "\
two_vehicles: stopped (exit code 8) after 10.000 s of simulated time
  cause       the simulated time of --duration is reached
  steps       10000 in 4.200 s, 2.38 x real time
  a step      0.12 ms, p99 0.40 ms, 8.00 x real time achievable
  resets      1; 10500 steps in total
  seed        42
  state hash  0123456789abcdef
  errors      1

TOPIC         TYPE                         COUNT     RATE  DROPPED      BYTES
/clock        rosgraph_msgs/msg/Clock      10000   952 Hz        0   78.1 KiB
/car1/points  sensor_msgs/msg/PointCloud2    100  9.52 Hz        3  200.0 MiB

BRIDGE         CONNECTION            DELIVERED  DROPPED  LOST  MISSED
world/logging  out.mcap                  10097        3     2       0
  dropped: 2 because the queue was full, 1 because the bridge rejected them
car1/zmq       tcp://127.0.0.1:5555          0        3     2       0
  never connected: connection refused\\nby 127.0.0.1
  dropped: 2 because the queue was full, 1 because the bridge rejected them

plugin car1/lidar (lidar) failed: panicked in `step`: x

not simulated: sensor type camera, 2 times, first at two_vehicles.sdf:12
";
    assert_eq!(summary(&finished_run(), false), expected);
}

#[test]
fn a_run_with_pauses_says_that_its_pace_is_without_them() {
    let result = RunResult { wall: Duration::from_secs(600), ..finished_run() };
    let text = summary(&result, false);
    assert!(text.contains("  steps       10000 in 600.000 s, 2.38 x real time while it ran\n"), "{text}");
}

#[test]
fn a_run_that_never_began_is_short() {
    let result = RunResult {
        outcome: Outcome::NotStarted,
        cause: String::from("error[BH-SDF-001]: no such file\n  try: check the path"),
        exit_code: 4,
        world: String::new(),
        steps: 0,
        total_steps: 0,
        resets: 0,
        real_time_factor: f64::NAN,
        state_hash: 0,
        bridges: Vec::new(),
        plugins: Vec::new(),
        unsupported: Vec::new(),
        errors: vec![String::new(); 2],
        ..finished_run()
    };
    let expected = "\
no world: no-start (exit code 4)
  cause       error[BH-SDF-001]: no such file
              try: check the path
  errors      2
";
    assert_eq!(summary(&result, false), expected);
}

#[test]
fn who_takes_most_of_the_time_is_named_with_the_call() {
    let slow = |busy_ms: u64, polling_ms: u64| {
        let mut result = finished_run();
        // Ten seconds in all: 100 steps of 100 ms.
        result.statistics.cycle_time = Figures { count: 100, mean: 0.1, ..Figures::default() };
        result.plugins[0].timing.calls = 100;
        result.plugins[0].timing.busy = Duration::from_millis(busy_ms);
        result.bridges[0].polling = Duration::from_millis(polling_ms);
        summary(&result, false)
    };
    let line = "  mostly      `sample` of car1/imu: 99 % of the time, 99.0 ms for each call\n";
    assert!(slow(9900, 0).contains(line), "{}", slow(9900, 0));
    let line = "  mostly      `status` of world/logging: 80 % of the time, 80.0 ms for each call\n";
    assert!(slow(1000, 8000).contains(line), "{}", slow(1000, 8000));
    assert!(!slow(4900, 4900).contains("mostly"));
}

#[test]
fn the_outcome_alone_is_coloured() {
    let text = summary(&finished_run(), true);
    assert!(text.starts_with("two_vehicles: \x1b[1;31mstopped\x1b[0m (exit code 8)"), "{text}");
    assert_eq!(text.replace("\x1b[1;31m", "").replace("\x1b[0m", ""), summary(&finished_run(), false));
}
