//! Any text as a world: read, built and stepped, as `host/tests/mutilated.rs` does with files that were right once.
#![no_main]

use bridgehead_sdf as sdf;
use bridgehead_host::world::build;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(loaded) = sdf::parse_str("fuzzed.sdf", text) else { return };
    let Ok(mut built) = build(&loaded.world, 0.001, 1) else { return };
    for _ in 0..3 {
        if built.world.step().is_err() {
            return;
        }
    }
});
