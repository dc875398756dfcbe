//! Minimal worlds for tests.

/// A world around `body`, models and plugins, without gravity, so that everything stays where it is put.
pub(crate) fn world(body: &str) -> String {
    format!(
        "<sdf version=\"1.9\">\n<world name=\"test\">\n<gravity>0 0 0</gravity>\n{body}\n</world>\n</sdf>\n"
    )
}

/// A vehicle with one link, and plugins.
pub(crate) fn vehicle(name: &str, plugins: &str) -> String {
    format!("<model name=\"{name}\">\n<link name=\"body\"/>\n{plugins}\n</model>")
}
