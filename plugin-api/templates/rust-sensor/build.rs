//! Compiles the messages in `proto/` for `include_messages!`.

fn main() -> Result<(), bridgehead_build::Error> {
    bridgehead_build::compile("proto")
}
