//! Compiles the schemas in `proto/`: Rust types, and the descriptors that the peer gets.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

const PROST: &str = "::bridgehead_plugin_api::messages::prost";
const FILES: [&str; 8] = [
    "apollo_subset/canbus.proto",
    "apollo_subset/common.proto",
    "apollo_subset/control.proto",
    "apollo_subset/cyber.proto",
    "apollo_subset/drivers.proto",
    "apollo_subset/gnss.proto",
    "apollo_subset/localization.proto",
    "apollo_subset/perception.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=proto");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let mut compiler = protox::Compiler::new(["proto"])?;
    compiler.include_imports(true).open_files(FILES)?;
    fs::write(out.join("apollo.bin"), compiler.encode_file_descriptor_set())?;
    let set = compiler.file_descriptor_set();
    prost_build::Config::new().prost_path(PROST).include_file("apollo.rs").compile_fds(set)?;
    Ok(())
}
