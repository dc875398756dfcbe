//! The header under the standards it promises, and its C++ guard at work.

use std::process::Command;

use crate::compiler::{CompilerDir, Language, run};

/// A plugin library with every macro in use, in the common subset of C and C++.
pub(crate) const LIBRARY: &str = r#"
static bh_status register_nothing(const bh_host *host) BH_NOEXCEPT { (void)host; return BH_STATUS_OK; }
static bh_status create(const bh_host *host, bh_model_instance *out) BH_NOEXCEPT
{
    (void)host; (void)out;
    return BH_STATUS_UNSUPPORTED;
}
static const bh_model_factory factory = { BH_SIZE(bh_model_factory), 0, register_nothing, create };
BH_EXPORT_PLUGIN(MODEL, "org.example.model.nothing", "nothing", "1.2.3", "Example", "MIT",
                 BH_QUOTE(BH_EXT_BUS) "," BH_QUOTE(BH_EXT_CLOCK), &factory)
"#;

#[test]
fn compiles_as_c99_c11_and_cpp17() {
    for (language, standard) in
        [(Language::C, "-std=c99"), (Language::C, "-std=c11"), (Language::Cpp, "-std=c++17")]
    {
        CompilerDir::new().compile(language, "", &[standard, "-c"]);
        CompilerDir::new().compile(language, LIBRARY, &[standard, "-c", "-fPIC"]);
    }
    CompilerDir::new().compile(Language::Cpp, LIBRARY, &["-std=c++17", "-fno-exceptions", "-c", "-fPIC"]);
}

const GUARD: &str = r#"
#include <cstdio>
#include <stdexcept>
static void explain(const bh_host *, bh_str text) noexcept
{
    std::printf("%.*s\n", static_cast<int>(text.len), reinterpret_cast<const char *>(text.ptr));
}
static const void *nothing(const bh_host *, bh_str) noexcept { return nullptr; }
int main()
{
    const bh_host host = { BH_SIZE(bh_host), 0, nullptr, nothing, explain };
    auto throws = [](int what) -> bh_status {
        if (what == 0) { return BH_STATUS_PENDING; }
        if (what == 1) { throw std::runtime_error("no lidar on port 7"); }
        throw what;
    };
    for (int what = 0; what < 3; what++) {
        std::printf("%d\n", bh_guard(&host, [&] { return throws(what); }));
    }
}
"#;

#[test]
fn the_cpp_guard_turns_exceptions_into_a_status_with_their_text() {
    let folder = CompilerDir::new();
    let program = folder.compile(Language::Cpp, GUARD, &["-std=c++17"]);
    let said = String::from_utf8(run(&mut Command::new(program))).unwrap();
    assert_eq!(said, "1\nno lidar on port 7\n-100\nan exception that is not a std::exception\n-100\n");
}
