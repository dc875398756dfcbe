//! Worlds for tests, no larger than what is looked at.

/// A world around `body`: models and plugins.
pub(crate) fn world(body: &str) -> String {
    format!("<sdf version=\"1.9\">\n<world name=\"test\">\n{body}\n</world>\n</sdf>\n")
}

/// A vehicle that stands still, with sensors and plugins.
pub(crate) fn vehicle(name: &str, plugins: &str) -> String {
    format!("<model name=\"{name}\">\n<static>true</static>\n<link name=\"body\"/>\n{plugins}\n</model>")
}
