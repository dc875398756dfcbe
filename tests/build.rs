//! Compiles the message type of the `own_type` fixture into an encoded descriptor set, as a plugin's author does.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

/// Where `bridgehead/annotations/v1/ros.proto` is found.
const ANNOTATIONS: &str = "../plugin-api/messages/proto";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=fixtures/own_type.proto");
    println!("cargo::rerun-if-changed={ANNOTATIONS}");
    let mut compiler = protox::Compiler::new(["fixtures", ANNOTATIONS])?;
    compiler.include_imports(true).open_file("own_type.proto")?;
    let target = Path::new(&env::var("OUT_DIR")?).join("own_type.bin");
    fs::write(target, compiler.encode_file_descriptor_set())?;
    Ok(())
}
