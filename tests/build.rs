//! Compiles the message types of the fixtures `own_type` and `other_type` into encoded descriptor sets, as plugin
//! authors do.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

/// The import path of `bridgehead/annotations/v1/ros.proto`.
const ANNOTATIONS: &str = "../plugin-api/build/proto";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={ANNOTATIONS}");
    ["own_type", "other_type"].into_iter().try_for_each(compile)
}

fn compile(name: &str) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=fixtures/{name}.proto");
    // Each file needs its own compiler, because both define the same type in different ways.
    let mut compiler = protox::Compiler::new(["fixtures", ANNOTATIONS])?;
    compiler.include_imports(true).open_file(format!("{name}.proto"))?;
    let target = Path::new(&env::var("OUT_DIR")?).join(format!("{name}.bin"));
    fs::write(target, compiler.encode_file_descriptor_set())?;
    Ok(())
}
