//! Turns the messages of scenes into prost types, and writes their descriptor set, which is the schema of their
//! channels. The compiler is protox, so no `protoc` is needed.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

/// The file, and the folder of its imports.
const FILES: [&str; 1] = ["proto/foxglove/scene.proto"];
const FOLDER: &str = "proto";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=proto");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut compiler = protox::Compiler::new([FOLDER])?;
    // Readers of a schema need the standard types for times too.
    compiler.include_imports(true).open_files(FILES)?;
    fs::write(out.join("scene.bin"), compiler.encode_file_descriptor_set())?;
    let mut config = prost_build::Config::new();
    // Entities with the same mesh share its bytes.
    config.out_dir(&out).bytes([".foxglove.ModelPrimitive.data"]);
    config.compile_fds(compiler.file_descriptor_set())?;
    Ok(())
}
