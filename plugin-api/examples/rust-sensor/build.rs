//! Compiles `proto/` without external tools: Rust types, and the descriptor set that is registered with them.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use bridgehead_messages::ANNOTATIONS_PROTO;

const PACKAGE: &str = "org.example.v1";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=proto");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let annotations = out.join("include/bridgehead/annotations/v1");
    fs::create_dir_all(&annotations)?;
    fs::write(annotations.join("ros.proto"), ANNOTATIONS_PROTO)?;

    let mut compiler = protox::Compiler::new([PathBuf::from("proto"), out.join("include")])?;
    compiler.include_imports(true).open_file("pressure.proto")?;
    // The encoded set keeps the annotations; the decoded one, which prost reads, has lost them.
    fs::write(out.join("pressure.bin"), compiler.encode_file_descriptor_set())?;
    let mut types = compiler.file_descriptor_set();
    types.file.retain(|file| file.package() == PACKAGE);
    prost_build::Config::new().compile_fds(types)?;
    Ok(())
}
