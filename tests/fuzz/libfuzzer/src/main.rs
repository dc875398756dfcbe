//! All fuzz targets in one program: `BRIDGEHEAD_FUZZ=<target>` chooses one, and its arguments are those of libFuzzer.
//! `bash tests/fuzz/run.sh` builds and runs it.
#![no_main]

use std::panic::{AssertUnwindSafe, catch_unwind, take_hook};
use std::process::abort;
use std::sync::LazyLock;

use bridgehead_bridge_cloisim::fuzz as cloisim;
use bridgehead_bridge_foxglove::fuzz as foxglove;
use bridgehead_bridge_gz::fuzz as gz;
use bridgehead_bridge_mavlink::fuzz as mavlink;
use bridgehead_bridge_replay::fuzz as replay;
use bridgehead_bridge_ros2::fuzz as ros2;
use bridgehead_bridge_rosbridge::fuzz as rosbridge;
use bridgehead_bridge_zenoh::fuzz as zenoh;
use bridgehead_host::fuzz as host;
use bridgehead_mesh::fuzz as mesh;
use bridgehead_messages::fuzz as messages;
use bridgehead_sdf::fuzz as sdf;
use bridgehead_zeromq::fuzz as zeromq;
use libfuzzer_sys::fuzz_target;

/// Reads bytes; returns true if they are valid.
type Target = fn(&[u8]) -> bool;

/// Every target, by the name of its corpus.
const TARGETS: &[(&str, Target)] = &[
    ("cdr", messages::cdr),
    ("cloisim_bytes", cloisim::request_bytes),
    ("cloisim_parameters", cloisim::parameters),
    ("cloisim_text", cloisim::request_text),
    ("configuration", host::configuration),
    ("descriptor", messages::descriptor),
    ("foxglove_bytes", foxglove::binary_message),
    ("foxglove_text", foxglove::request_text),
    ("gz_datagram", gz::datagram),
    ("gz_message", gz::message),
    ("image", mesh::image),
    ("json", messages::json),
    ("lines", replay::lines),
    ("mavlink", mavlink::messages),
    ("mcap", replay::mcap),
    ("mesh_dae", |bytes| mesh::mesh("dae", bytes) | mesh::visual("dae", bytes)),
    ("mesh_gltf", |bytes| mesh::mesh("gltf", bytes) | mesh::visual("gltf", bytes)),
    ("mesh_mtl", mesh::materials),
    ("mesh_obj", |bytes| mesh::mesh("obj", bytes) | mesh::visual("obj", bytes)),
    ("mesh_stl", |bytes| mesh::mesh("stl", bytes) | mesh::visual("stl", bytes)),
    ("mjcf", sdf::world_text),
    ("payload", messages::payload),
    ("plugin_file", host::plugin_file),
    ("record_line", messages::record_line),
    ("rosbridge_fragments", rosbridge::fragments),
    ("rosbridge_image", rosbridge::image),
    ("rosbridge_message", rosbridge::message),
    ("rosbridge_payload", rosbridge::payload),
    ("rosbridge_text", rosbridge::requests),
    ("rtps", ros2::datagrams),
    ("sdf", sdf::world_text),
    ("step_channel", host::step_channel),
    ("texture", mesh::texture),
    ("urdf", sdf::world_text),
    ("world", host::world),
    ("zenoh", zenoh::beside_messages),
    ("zmtp", zeromq::subscriber),
];

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    // The hook of libfuzzer-sys ends the process at every panic. Panics of libraries that a reader catches are allowed.
    drop(take_hook());
    let name = std::env::var("BRIDGEHEAD_FUZZ").unwrap_or_default();
    let Some((_, target)) = TARGETS.iter().find(|(known, _)| *known == name) else {
        let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
        eprintln!("BRIDGEHEAD_FUZZ=`{name}` is no target; expected one of: {}", names.join(", "));
        abort();
    };
    *target
});

fuzz_target!(|bytes: &[u8]| {
    if catch_unwind(AssertUnwindSafe(|| TARGET(bytes))).is_err() {
        abort();
    }
});
