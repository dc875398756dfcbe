//! Worlds for tests, no larger than what is looked at.

/// A world around `body`, models and plugins, without gravity: what is put somewhere stays there.
pub(crate) fn world(body: &str) -> String {
    format!(
        "<sdf version=\"1.9\">\n<world name=\"test\">\n<gravity>0 0 0</gravity>\n{body}\n</world>\n</sdf>\n"
    )
}

/// A vehicle of one link, with plugins.
pub(crate) fn vehicle(name: &str, plugins: &str) -> String {
    format!("<model name=\"{name}\">\n<link name=\"body\"/>\n{plugins}\n</model>")
}
