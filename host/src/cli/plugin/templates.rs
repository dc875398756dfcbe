//! The files of new plugins, as `plugin-api/templates` contains them.
//!
//! Placeholders such as `@name@` stand for what differs between plugins, in texts and in names of files.

use crate::cli::args::{PluginKind, PluginLanguage};

/// A file: its path in the folder of the plugin, and its text.
pub(super) type File = (&'static str, &'static str);

/// Returns the text of a file of the templates.
macro_rules! template {
    ($path:literal) => {
        include_str!(concat!("../../../../plugin-api/templates/", $path))
    };
}

/// The rules for sensors and controllers, a part of their README.
pub(super) const MODEL_RULES: &str = template!("readme/model-rules.md");

const RUST: &[File] = &[
    ("Cargo.toml", template!("rust/Cargo.toml")),
    (".gitignore", template!("rust/gitignore")),
    (".github/workflows/ci.yml", template!("rust/ci.yml")),
];
const C: &[File] = &[
    (".gitignore", template!("c/gitignore")),
    (".github/workflows/ci.yml", template!("c/ci.yml")),
    ("include/bridgehead.h", include_str!("../../../../plugin-api/include/bridgehead.h")),
    ("CMakeLists.txt", template!("c/CMakeLists.txt")),
];
const CPP: &[File] = &[
    (".gitignore", template!("c/gitignore")),
    (".github/workflows/ci.yml", template!("c/ci.yml")),
    ("include/bridgehead.h", include_str!("../../../../plugin-api/include/bridgehead.h")),
    ("include/bridgehead.hpp", include_str!("../../../../plugin-api/include/bridgehead.hpp")),
    ("CMakeLists.txt", template!("c/CMakeLists.txt")),
];

const PYTHON: &[File] =
    &[(".gitignore", template!("python/gitignore")), ("@name@_test.py", template!("python/@name@_test.py"))];

/// Returns all files of a plugin except its README.
pub(super) fn files(kind: PluginKind, language: PluginLanguage) -> Vec<File> {
    let common = match language {
        PluginLanguage::Rust => RUST,
        PluginLanguage::C => C,
        PluginLanguage::Cpp => CPP,
        PluginLanguage::Python => PYTHON,
    };
    common.iter().chain(sources(kind, language)).chain(world(kind)).copied().collect()
}

/// Returns the world of a plugin, and the program at the other side of a bridge.
fn world(kind: PluginKind) -> &'static [File] {
    match kind {
        PluginKind::Bridge => {
            &[("world.sdf", template!("world/bridge.sdf")), ("peer.py", template!("world/peer.py"))]
        }
        PluginKind::Sensor => &[("world.sdf", template!("world/sensor.sdf"))],
        PluginKind::Controller => &[("world.sdf", template!("world/controller.sdf"))],
    }
}

/// Returns the sources of a plugin with their tests.
fn sources(kind: PluginKind, language: PluginLanguage) -> &'static [File] {
    match (language, kind) {
        (PluginLanguage::Rust, PluginKind::Bridge) => &[
            ("src/lib.rs", template!("rust-bridge/lib.rs")),
            ("src/tests.rs", template!("rust-bridge/tests.rs")),
        ],
        (PluginLanguage::Rust, PluginKind::Sensor) => &[
            ("build.rs", template!("rust-sensor/build.rs")),
            ("proto/@name@.proto", template!("rust-sensor/@name@.proto")),
            ("src/lib.rs", template!("rust-sensor/lib.rs")),
            ("src/tests.rs", template!("rust-sensor/tests.rs")),
        ],
        (PluginLanguage::Rust, PluginKind::Controller) => &[
            ("src/lib.rs", template!("rust-controller/lib.rs")),
            ("src/tests.rs", template!("rust-controller/tests.rs")),
        ],
        (PluginLanguage::C, PluginKind::Bridge) => &[
            ("src/@name@.c", template!("c/bridge.c")),
            ("tests/@name@_test.c", template!("c/bridge_test.c")),
        ],
        (PluginLanguage::Cpp, PluginKind::Bridge) => &[
            ("src/@name@.cpp", template!("cpp/bridge.cpp")),
            ("src/@name@.hpp", template!("cpp/bridge.hpp")),
            ("tests/@name@_test.cpp", template!("cpp/bridge_test.cpp")),
        ],
        (PluginLanguage::C, PluginKind::Sensor) => &[
            ("src/@name@.c", template!("c/sensor.c")),
            ("tests/@name@_test.c", template!("c/sensor_test.c")),
        ],
        (PluginLanguage::Cpp, PluginKind::Sensor) => &[
            ("src/@name@.cpp", template!("cpp/sensor.cpp")),
            ("src/@name@.hpp", template!("cpp/sensor.hpp")),
            ("tests/@name@_test.cpp", template!("cpp/sensor_test.cpp")),
        ],
        (PluginLanguage::C, PluginKind::Controller) => &[
            ("src/@name@.c", template!("c/controller.c")),
            ("tests/@name@_test.c", template!("c/controller_test.c")),
        ],
        (PluginLanguage::Cpp, PluginKind::Controller) => &[
            ("src/@name@.cpp", template!("cpp/controller.cpp")),
            ("src/@name@.hpp", template!("cpp/controller.hpp")),
            ("tests/@name@_test.cpp", template!("cpp/controller_test.cpp")),
        ],
        (PluginLanguage::Python, PluginKind::Bridge) => &[("@name@.py", template!("python/bridge.py"))],
        (PluginLanguage::Python, PluginKind::Sensor) => &[("@name@.py", template!("python/sensor.py"))],
        (PluginLanguage::Python, PluginKind::Controller) => {
            &[("@name@.py", template!("python/controller.py"))]
        }
    }
}

/// Returns the parts of the README, in their order.
pub(super) fn readme(kind: PluginKind, language: PluginLanguage) -> [&'static str; 2] {
    let build = match language {
        PluginLanguage::Rust => template!("readme/rust.md"),
        PluginLanguage::C | PluginLanguage::Cpp => template!("readme/cmake.md"),
        PluginLanguage::Python => template!("readme/python.md"),
    };
    let run = match kind {
        PluginKind::Bridge => template!("readme/bridge.md"),
        PluginKind::Sensor => template!("readme/sensor.md"),
        PluginKind::Controller => template!("readme/controller.md"),
    };
    [build, run]
}
