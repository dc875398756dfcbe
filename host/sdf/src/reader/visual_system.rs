//! Systems of Gazebo that describe visuals. The reader takes them over, and no plugin has to.

use crate::document::Element;

/// A system by its file without prefix and suffix, and by its class.
pub(super) struct VisualSystem {
    file: &'static str,
    class: &'static str,
}

/// The class of a visual or a model for segmentation cameras.
pub(super) const LABEL: VisualSystem = VisualSystem { file: "label", class: "Label" };
/// The temperature of a visual for thermal cameras.
pub(super) const THERMAL: VisualSystem = VisualSystem { file: "thermal", class: "Thermal" };

/// Returns true if an element is a `<plugin>` that the reader takes over where it is.
pub(super) fn is_read(parent: Element<'_>, child: Element<'_>) -> bool {
    LABEL.is(child) || (parent.name() == "visual" && THERMAL.is(child))
}

/// Returns true if an element is a `<plugin>` that only describes what cameras see.
pub(crate) fn is_appearance(element: Element<'_>) -> bool {
    LABEL.is(element) || THERMAL.is(element)
}

impl VisualSystem {
    /// Returns true if an element is a `<plugin>` with this system. For labels: `gz-sim-label-system`,
    /// `libignition-gazebo6-label-system.so`, `static://gz::sim::systems::Label`, or the class `gz::sim::systems::Label`.
    pub(super) fn is(&self, element: Element<'_>) -> bool {
        let attribute = |name| element.attribute(name).unwrap_or_default();
        element.name() == "plugin"
            && (self.is_file(attribute("filename")) || self.is_class(attribute("name")))
    }

    fn is_file(&self, filename: &str) -> bool {
        if let Some(class) = filename.strip_prefix("static://") {
            return self.is_class(class);
        }
        let base = filename.rsplit('/').next().unwrap_or(filename);
        let base = base.strip_prefix("lib").unwrap_or(base);
        let base = base.strip_suffix(".so").unwrap_or(base);
        let version = ["gz-sim", "ignition-gazebo"].iter().find_map(|prefix| base.strip_prefix(prefix));
        let system =
            version.map(|version| version.trim_start_matches(|letter: char| letter.is_ascii_digit()));
        let system = system.map(|system| system.strip_suffix("-system").unwrap_or(system));
        system.and_then(|system| system.strip_prefix('-')) == Some(self.file)
    }

    fn is_class(&self, name: &str) -> bool {
        let inside = ["gz::sim::", "ignition::gazebo::"].iter().find_map(|space| name.strip_prefix(space));
        let parts = inside.and_then(|inside| inside.rsplit_once("::"));
        parts.is_some_and(|(space, class)| {
            class == self.class && (space == "systems" || space.ends_with("::systems"))
        })
    }
}
