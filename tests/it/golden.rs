//! Plugins that were built once and are stored as binaries: this host must run them as they are.
//!
//! `tests/golden/README.md` says how they were built, and what their SDK lacks.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

use crate::support::{Finished, Line, Setup, world};

/// The libraries of `tests/golden`.
const LIBRARIES: [&str; 4] = ["rust_debug.so", "rust_release.so", "c_model.so", "cpp_bridge.so"];
const METERS: [&str; 3] = ["meter_rust_debug", "meter_rust_release", "meter_c"];
const TAPES: [&str; 3] = ["tape_rust_debug", "tape_rust_release", "tape_cpp"];

/// Largest size of a stored file in bytes.
const MAX_SIZE: u64 = 500_000;

/// Standard deviation of the sensor's noise in pascals.
const NOISE: f64 = 9.0;
/// Parameter of the meters.
const FACTOR: f64 = 3.0;

/// The file in which a library is stored.
fn stored(library: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(format!("{library}.gz"))
}

/// The bytes of a library.
fn unpacked(library: &str) -> Vec<u8> {
    let file = fs::File::open(stored(library)).expect("the stored library");
    let mut bytes = Vec::new();
    GzDecoder::new(file).read_to_end(&mut bytes).expect("a whole gzip file");
    bytes
}

/// A vehicle with a sensor of today, whose messages the meters multiply.
fn vehicle() -> String {
    let meters = METERS
        .map(|name| format!("<plugin name='{name}' filename='{name}'><factor>{FACTOR}</factor></plugin>"));
    format!(
        "<model name='car1'><static>true</static><link name='base'><sensor name='air' type='air_pressure'>\
         <update_rate>10</update_rate><air_pressure><pressure><noise type='gaussian'><stddev>{NOISE}</stddev></noise>\
         </pressure></air_pressure></sensor></link>{}</model>",
        meters.concat()
    )
}

/// Runs all golden plugins for a second of simulated time.
fn run() -> Finished {
    let mut setup = Setup::new().plugins(&["environment", "logging"]);
    for library in LIBRARIES {
        fs::write(setup.plugin_folder().join(library), unpacked(library)).expect("the library is written");
    }
    setup = setup.world(&world(&vehicle())).args(["--duration", "1s", "--strict"]);
    for tape in TAPES {
        let file = setup.path(tape);
        setup = setup.bridge(format!("car1={tape}:{}", file.display()));
    }
    setup.bridge("car1=logging:out/log.jsonl").finish().expect_code(0)
}

/// Variances of the pressures of one topic, each once.
fn variances(lines: &[Line], topic: &str) -> Vec<f64> {
    let lines = lines.iter().filter(|line| line.is_topic(topic));
    let mut all: Vec<f64> = lines.map(|line| line.number("/message/variance")).collect();
    all.dedup();
    all
}

/// The pressures of one topic, with their steps.
fn pressures(lines: &[Line], topic: &str) -> Vec<(u64, f64)> {
    let lines = lines.iter().filter(|line| line.is_topic(topic));
    lines.map(|line| (line.count("step"), line.number("/message/fluid_pressure"))).collect()
}

#[test]
fn old_plugins_and_sensors_of_today_exchange_equal_messages() {
    let finished = run();
    let lines = finished.log("out/log.jsonl");
    let measured = pressures(&lines, "/car1/air_pressure");
    assert_eq!(measured.len(), 10, "one message for each tenth of a second");
    let expected: Vec<(u64, f64)> = measured.iter().map(|(step, value)| (*step, value * FACTOR)).collect();
    assert_eq!(
        variances(&lines, "/car1/air_pressure"),
        [NOISE * NOISE],
        "a field that the old plugins do not know"
    );
    for meter in METERS {
        assert_eq!(variances(&lines, &format!("/car1/{meter}")), [0.0], "{meter}");
        assert_eq!(pressures(&lines, &format!("/car1/{meter}")), expected, "{meter}");
    }
    let tapes = TAPES.map(|tape| fs::read_to_string(finished.path(tape)).expect("the tape"));
    let expected: String = lines
        .iter()
        .filter(|line| line.0.pointer("/message/fluid_pressure").is_some())
        .map(|line| {
            let (topic, step, stamp) = (line.text("topic"), line.count("step"), line.count("stamp"));
            format!("{topic} {step} {stamp} {:016x}\n", line.number("/message/fluid_pressure").to_bits())
        })
        .collect();
    for (name, tape) in TAPES.iter().zip(&tapes) {
        assert_eq!(tape.lines().count(), 40, "messages of the sensor and three meters");
        assert_eq!(tape, &expected, "{name}");
    }
}

#[test]
fn the_host_has_what_the_sdk_of_old_plugins_lacks() {
    for library in LIBRARIES {
        let bytes = unpacked(library);
        let contains = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        assert!(contains("\"abi\":[1,0]"), "{library} is of ABI 1.0");
        assert!(contains("HostBus.take") && !contains("HostReport."), "{library} lacks one extension");
        assert!(!contains("variance"), "{library} lacks one field of a message");
    }
    let header =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugin-api/include/bridgehead.h"));
    let header = header.expect("the header");
    for added in ["#define BH_KIND_MODEL 2", "HostReport.", "#define BH_EXT_REPORT "] {
        assert!(header.contains(added), "the SDK of today has `{added}`");
    }
    for library in &LIBRARIES[..2] {
        let bytes = unpacked(library);
        let sdk = b"bridgehead-plugin-api 0.0.9";
        assert!(
            bytes.windows(sdk.len()).any(|window| window == sdk),
            "{library}: other versions of the crates"
        );
    }
}

/// Moves a field of a struct in the layout table of a library.
fn with_moved_field(mut bytes: Vec<u8>, field: &str) -> Vec<u8> {
    let mut name = [0; 56];
    name[..field.len()].copy_from_slice(field.as_bytes());
    let row = bytes.windows(name.len()).position(|window| window == name).expect("a row of the layout table");
    // The offset of the field follows on its name and its type.
    let offset = row + 56 + 192;
    bytes[offset] += 8;
    bytes
}

#[test]
fn a_changed_struct_is_refused_and_named() {
    for library in LIBRARIES {
        let setup = Setup::new();
        let bytes = with_moved_field(unpacked(library), "Message.payload");
        let changed = setup.plugin_folder().join(library);
        fs::write(&changed, bytes).expect("the library is written");
        let checked = setup.args(["plugin", "probe"]).arg(&changed).finish().expect_code(1);
        drop(checked.expect_message(&["BH-PLG-042", "Message.payload"]));
    }
}

#[test]
fn the_stored_libraries_are_small_and_name_no_folder_of_their_machine() {
    for library in LIBRARIES {
        let size = fs::metadata(stored(library)).expect("the stored library").len();
        assert!(size <= MAX_SIZE, "{library} has {size} bytes");
        let bytes = unpacked(library);
        for folder in ["/home/", "/root/", "/tmp/"] {
            let is_named = bytes.windows(folder.len()).any(|window| window == folder.as_bytes());
            assert!(!is_named, "{library} contains `{folder}`");
        }
    }
}
