//! Turns the messages of Gazebo into prost types. The compiler is protox, so no `protoc` is needed.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=proto");
    let set = protox::compile(["gz.proto"], ["proto"])?;
    // Images and clouds are shared, not copied.
    prost_build::Config::new().bytes(["."]).compile_fds(set)?;
    Ok(())
}
