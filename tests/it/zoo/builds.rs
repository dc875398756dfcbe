//! Plugins built by other compilers or with other settings than the host, and whether they work like all others.

use super::row::{Exit, Made, Row};
use super::zoo;

/// A Rust plugin whose panics are contained, despite its build settings.
macro_rules! rust {
    ($how:literal, $edition:literal, $flags:expr) => {
        Row::run(concat!($how, ", and panics in `sample`"), Made::Rust("sample=panics", $edition, $flags))
            .logs(&["BH-PLG-095", "car2/zoo", "fixture panics in sample"])
    };
}

zoo! {
    edition_2021: rust!("is written in Rust's edition 2021", "2021", &["-Copt-level=0"]);
    opt_level_3: rust!("is built with `opt-level = 3` and `strip = true`", "2024", &["-Copt-level=3", "-Cstrip=symbols"]);
    panic_abort: Row::run("is built with `panic = \"abort\"`", Made::Rust("", "2024", &["-Cpanic=abort"]))
        .logs(&["BH-PLG-036", "libzoo.so"])
        .note("A warning, because its panics cannot be contained.");
    panic_abort_in_a_strict_run: Row::run("is built with `panic = \"abort\"`", Made::Rust("", "2024", &["-Cpanic=abort"]))
        .with(&["--strict"])
        .logs(&["BH-PLG-036", "libzoo.so"])
        .refused(1);
    panic_abort_and_a_panic: Row::run("is built with `panic = \"abort\"`, and panics in `sample`", Made::Rust("sample=panics", "2024", &["-Cpanic=abort"]))
        .logs(&["BH-PLG-108", "`sample` of plugin `car2/zoo`", "SIGABRT"])
        .crashed(Exit::Signal(libc::SIGABRT, "SIGABRT"));
    another_allocator: Row::run("has its own allocator", Made::Fixture("own_allocator"));
    c_without_optimisation: Row::run("is written in C99, built with `-O0`", Made::C(&[], &["-O0"]));
    c_with_optimisation: Row::run("is written in C99, built with `-O3` and stripped", Made::C(&[], &["-O3", "-s"]));
    c_in_the_newest_dialect: Row::run("is written in C11", Made::C(&[], &["-std=c11"]));
    cpp: Row::run("is written in C++17", Made::Cpp(&[]));
    cpp_throws_in_a_guard: Row::run("throws in `sample`, inside `bh_guard`", Made::Cpp(&["GUARDED_SAMPLE=throw std::runtime_error(\"too hot\")"]))
        .logs(&["BH-PLG-095", "car2/zoo", "too hot"]);
    cpp_throws: Row::run("throws in `sample`, without `bh_guard`", Made::Cpp(&["SAMPLE=throw std::runtime_error(\"too hot\")"]))
        .logs(&["BH-PLG-108", "`sample` of plugin `car2/zoo`", "SIGABRT"])
        .crashed(Exit::Signal(libc::SIGABRT, "SIGABRT"));
}
