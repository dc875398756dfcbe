//! Signals that come together: they end a run as one of them does, with its result and complete logs.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::support::{CPlugin, Setup, eventually, is_long, vehicle, world, worlds};

const SIGNALS: [i32; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];
/// What an MCAP file begins and ends with.
const MAGIC: &[u8] = b"\x89MCAP0\r\n";

/// Ends a run by two signals. The delays are those between start of stepping and first signal, and between the two.
fn end_by(signals: [i32; 2], delays: [Duration; 2]) {
    let setup = Setup::new().plugins(&["diff_drive", "imu", "lidar", "logging"]).in_real_time();
    let setup = setup.run(&worlds().join("two_vehicles.sdf")).bridge("*=logging:out/run.jsonl");
    let setup = setup.bridge("*=logging:out/run.mcap").args(["--speed", "1"]);
    let mut running = setup.start();
    running.wait_for("connected to out/run.mcap");
    // Wall time: signals arrive at different times of a run.
    thread::sleep(delays[0]);
    running.signal(signals[0]);
    thread::sleep(delays[1]);
    running.signal(signals[1]);
    let finished = running.finish().expect_code(0);
    let what = format!("{signals:?} {delays:?}");
    let result = finished.result();
    assert_eq!(
        (&result["outcome"], &result["errors"]),
        (&json!("stopped"), &json!([])),
        "{what}: {finished}"
    );
    let bridges = result["bridges"].as_array().expect("bridges");
    let delivered = bridges.iter().filter(|bridge| bridge["connection"] == "out/run.jsonl");
    let delivered: u64 = delivered.filter_map(|bridge| bridge["delivered"].as_u64()).sum();
    assert_eq!(finished.log("out/run.jsonl").len() as u64, delivered, "{what}: {finished}");
    let recording = fs::read(finished.path("out/run.mcap")).expect("a recording");
    assert!(recording.starts_with(MAGIC) && recording.ends_with(MAGIC), "{what}: {finished}");
}

#[test]
fn two_signals_at_once_end_a_run_as_one_does() {
    let apart = |milliseconds: u64| Duration::from_millis(milliseconds);
    for first in SIGNALS {
        for second in SIGNALS {
            end_by([first, second], [apart(20), apart(0)]);
        }
    }
    if is_long() {
        // All pairs at 50 ms in small steps: a hundred runs.
        for number in 0..100 {
            let signals = [SIGNALS[number % 3], SIGNALS[number / 3 % 3]];
            end_by(signals, [apart(number as u64 * 3 % 97), apart(number as u64 / 2)]);
        }
    }
}

/// A plugin that leaves a process behind which ignores SIGTERM, so that the supervisor waits half a second for it.
const STUBBORN: &str = "AWAKE=if (fork() == 0) { signal(SIGTERM, SIG_IGN); for (;;) pause(); } return 0";

#[test]
fn a_signal_after_the_end_of_the_host_changes_nothing() {
    for signal in SIGNALS {
        let setup = Setup::new();
        CPlugin::plain(&setup.plugin_folder().join("libplain.so"), &[STUBBORN]).build();
        let setup = setup.world(&world(&vehicle("car1", "<plugin filename='plain' name='zoo'/>")));
        let setup = setup.plugins(&["logging"]).bridge("world=logging:out/run.jsonl").in_real_time();
        let mut running = setup.args(["--duration", "0.5s", "--speed", "1"]).start();
        running.wait_for("connected to");
        let host = format!("/proc/{}", running.id());
        eventually("the host has ended", || !Path::new(&host).exists());
        running.signal(signal);
        let finished = running.finish().expect_code(0);
        assert_eq!(finished.result()["outcome"], "stopped", "{finished}");
    }
}
