//! Turns the messages of CLOiSim into prost types. The compiler is protox, so no `protoc` is needed.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=proto");
    let mut files = Vec::<PathBuf>::new();
    for entry in fs::read_dir("proto/cloisim/msgs")? {
        files.push(entry?.path());
    }
    files.sort();
    let set = protox::compile(files, ["proto"])?;
    prost_build::Config::new().compile_fds(set)?;
    Ok(())
}
