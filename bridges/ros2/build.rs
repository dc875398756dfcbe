//! Has the linker redirect the system calls that this library replaces.

/// System calls of this library that `src/dds/guard/socket.rs`, `src/dds/silent_pair.rs`, `src/dds/pace.rs` and
/// `src/dds/suspension.rs` replace.
const REPLACED: [&str; 10] =
    ["bind", "recvmsg", "close", "epoll_wait", "fcntl", "ioctl", "recv", "send", "sendto", "socketpair"];

fn main() {
    for call in REPLACED {
        println!("cargo::rustc-link-arg=-Wl,--wrap={call}");
    }
}
