//! Compiles the messages of older generations into an encoded descriptor set with their ROS annotations, and has the
//! linker redirect the system calls that this library replaces.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

/// Location of `bridgehead/annotations/v1/ros.proto` and the current messages.
const MESSAGES: &str = "../../plugin-api/build/proto";

/// System calls of this library that `src/dds/guard/socket.rs`, `src/dds/silent_pair.rs`, `src/dds/pace.rs` and
/// `src/dds/suspension.rs` replace.
const REPLACED: [&str; 10] =
    ["bind", "recvmsg", "close", "epoll_wait", "fcntl", "ioctl", "recv", "send", "sendto", "socketpair"];

fn main() -> Result<(), Box<dyn Error>> {
    for call in REPLACED {
        println!("cargo::rustc-link-arg=-Wl,--wrap={call}");
    }
    println!("cargo::rerun-if-changed=proto");
    println!("cargo::rerun-if-changed={MESSAGES}");
    let mut compiler = protox::Compiler::new(["proto", MESSAGES])?;
    compiler.include_imports(true).open_file("older.proto")?;
    let target = Path::new(&env::var("OUT_DIR")?).join("older.bin");
    fs::write(target, compiler.encode_file_descriptor_set())?;
    Ok(())
}
