//! Compiles the messages of older generations into an encoded descriptor set with their ROS annotations.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

/// Location of `bridgehead/annotations/v1/ros.proto` and the current messages.
const MESSAGES: &str = "../../plugin-api/build/proto";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=proto");
    println!("cargo::rerun-if-changed={MESSAGES}");
    let mut compiler = protox::Compiler::new(["proto", MESSAGES])?;
    compiler.include_imports(true).open_file("older.proto")?;
    let target = Path::new(&env::var("OUT_DIR")?).join("older.bin");
    fs::write(target, compiler.encode_file_descriptor_set())?;
    Ok(())
}
