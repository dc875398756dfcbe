//! Files that are not plugins, are damaged, or contradict their metadata; and libraries that fail while they are
//! loaded.

use super::row::{Exit, Made, Row};
use super::zoo;

/// Offset of the low byte of `e_machine` in an ELF header, and its value for 64-bit Arm (System V ABI, chapter 4).
const ARM: (usize, u8) = (18, 183);

/// A text like that of a checkout without its large files.
fn text(_: Vec<u8>) -> Vec<u8> {
    b"version https://git-lfs.github.com/spec/v1\n".to_vec()
}

fn nothing(_: Vec<u8>) -> Vec<u8> {
    Vec::new()
}

/// The first four KiB: the headers, and a small part of their contents.
fn four_kib(good: Vec<u8>) -> Vec<u8> {
    good.into_iter().take(4096).collect()
}

fn half(good: Vec<u8>) -> Vec<u8> {
    let len = good.len() / 2;
    good.into_iter().take(len).collect()
}

/// All but the last thousand bytes, which the dynamic linker does not need.
fn most(good: Vec<u8>) -> Vec<u8> {
    let len = good.len() - 1000;
    good.into_iter().take(len).collect()
}

fn for_arm(mut good: Vec<u8>) -> Vec<u8> {
    good[ARM.0] = ARM.1;
    good
}

/// With another version of the plugin in the metadata than in the descriptor.
fn other_version(good: Vec<u8>) -> Vec<u8> {
    replaced(good, b"\"version\":\"1.0.0\"", b"\"version\":\"9.0.0\"")
}

/// With metadata for another plugin ABI.
fn other_abi(good: Vec<u8>) -> Vec<u8> {
    replaced(good, b"\"abi\":[1,", b"\"abi\":[7,")
}

/// Replaces the only occurrence of `from`.
fn replaced(mut bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    let places: Vec<usize> =
        (0..=bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
    let [at] = places[..] else { panic!("{} occurs {} times", from.escape_ascii(), places.len()) };
    bytes[at..at + to.len()].copy_from_slice(to);
    bytes
}

zoo! {
    a_text_instead_of_a_library: Row::run("is a text", Made::Bytes(text)).logs(&["libzoo.so", "BH-PLG-020", "git-lfs"]);
    an_empty_file: Row::run("is an empty file", Made::Bytes(nothing)).logs(&["libzoo.so", "BH-PLG-020", "empty"]);
    cut_after_four_kib: Row::run("was cut off after 4 KiB", Made::Bytes(four_kib)).logs(&["libzoo.so", "BH-PLG-024"]);
    cut_in_the_middle: Row::run("was cut off in the middle", Made::Bytes(half)).logs(&["libzoo.so", "BH-PLG-024"]);
    cut_at_its_end: Row::run("lacks its last 1000 bytes", Made::Bytes(most)).logs(&["libzoo.so", "BH-PLG-024"]);
    another_architecture: Row::run("is for another processor", Made::Bytes(for_arm)).logs(&["libzoo.so", "BH-PLG-022"]);
    a_library_without_a_plugin: Row::run("is a library, but not a plugin", Made::C(&["NO_PLUGIN"], &[]))
        .logs(&["libzoo.so", "BH-PLG-030"])
        .note("None of its code runs.");
    another_abi: Row::run("is for another plugin ABI", Made::Bytes(other_abi)).logs(&["libzoo.so", "BH-PLG-033", "built for plugin ABI 7.", "this host supports 1."]);
    two_different_versions: Row::run("has different versions of the plugin in its metadata and its descriptor", Made::Bytes(other_version))
        .logs(&["libzoo.so", "BH-PLG-056", "9.0.0"]);
    a_missing_symbol: Row::run("needs a symbol that no library defines", Made::C(&["MISSING", "AWAKE=return bh_example_missing()"], &[]))
        .logs(&["libzoo.so", "BH-PLG-051", "bh_example_missing"]);
    a_missing_function: Row::run("lacks a required function", Made::C(&["NO_RESET"], &[]))
        .logs(&["BH-PLG-094", "reset"]).incomplete();
    one_id_twice: Row::run("is in the folder twice", Made::Twins)
        .logs(&["libzoo_copy.so", "BH-PLG-070", "libzoo.so"])
        .note("The first in search order is used.");
    exit_while_loading: Row::run("exits while it is loaded", Made::C(&["CONSTRUCTOR=exit(3)"], &[]))
        .logs(&["BH-PLG-109", "libzoo.so", "constructor"])
        .cut(16);
    crash_while_loading: Row::run("crashes while it is loaded", Made::C(&["CONSTRUCTOR=*(volatile int *volatile)8 = 1"], &[]))
        .logs(&["BH-PLG-108", "libzoo.so", "constructor"])
        .crashed(Exit::Signal(libc::SIGSEGV, "SIGSEGV"));
    probe_of_a_text: Row::probe("is a text", Made::Bytes(text)).logs(&["BH-PLG-020"]).refused(1);
    probe_of_an_exit: Row::probe("exits while it is loaded", Made::C(&["CONSTRUCTOR=exit(3)"], &[]))
        .logs(&["BH-PLG-080"])
        .refused(2);
    hang_while_loading: Row::run("never finishes loading", Made::C(&["CONSTRUCTOR=for(;;)pause()"], &[]))
        .configured("[run]\ncall_timeout = \"500ms\"\n")
        .logs(&["BH-PLG-081", "libzoo.so", "`constructor`"])
        .cut(16)
        .note("The thread is in the dynamic linker, which no other library can use any more.");
    probe_of_a_crash: Row::probe("crashes while it is loaded", Made::C(&["CONSTRUCTOR=*(volatile int *volatile)8 = 1"], &[]))
        .logs(&["BH-PLG-080", "SIGSEGV"])
        .refused(2);
    probe_of_an_abort: Row::probe("aborts while it is loaded", Made::C(&["CONSTRUCTOR=abort()"], &[]))
        .logs(&["BH-PLG-080", "SIGABRT"])
        .refused(2);
    probe_of_a_hang: Row::probe("never finishes loading", Made::C(&["CONSTRUCTOR=for(;;)pause()"], &[]))
        .with(&["--timeout", "500ms"])
        .logs(&["BH-PLG-081"])
        .refused(3);
}
