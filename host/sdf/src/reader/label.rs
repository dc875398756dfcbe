//! Labels for segmentation cameras: the Label system of Gazebo, or `<bridgehead:label>`.

use super::Reader;
use crate::Element;
use crate::diagnostic::Code;
use crate::element::Model;

/// Largest label: an image of labels has 8 bits for each pixel, as in Gazebo.
const MOST: u32 = 255;

/// Returns true if an element is a `<plugin>` with Gazebo's Label system: `gz-sim-label-system`,
/// `libignition-gazebo6-label-system.so`, `static://gz::sim::systems::Label`, or the class `gz::sim::systems::Label`.
pub(super) fn is_label_system(element: Element<'_>) -> bool {
    let attribute = |name| element.attribute(name).unwrap_or_default();
    element.name() == "plugin" && (is_label_file(attribute("filename")) || is_label_class(attribute("name")))
}

fn is_label_file(filename: &str) -> bool {
    if let Some(class) = filename.strip_prefix("static://") {
        return is_label_class(class);
    }
    let base = filename.rsplit('/').next().unwrap_or(filename);
    let base = base.strip_prefix("lib").unwrap_or(base);
    let base = base.strip_suffix(".so").unwrap_or(base);
    let version = ["gz-sim", "ignition-gazebo"].iter().find_map(|prefix| base.strip_prefix(prefix));
    let system = version.map(|version| version.trim_start_matches(|letter: char| letter.is_ascii_digit()));
    system.is_some_and(|system| system.strip_suffix("-system").unwrap_or(system) == "-label")
}

fn is_label_class(name: &str) -> bool {
    let inside = ["gz::sim::", "ignition::gazebo::"].iter().find_map(|space| name.strip_prefix(space));
    inside.is_some_and(|inside| inside == "systems::Label" || inside.ends_with("::systems::Label"))
}

impl Reader<'_> {
    /// The label that an element itself has. Of several Label systems the last one counts, as in Gazebo.
    pub(super) fn label(&mut self, element: Element<'_>) -> Option<u32> {
        let own = self.single(element, "bridgehead:label").and_then(|own| self.label_of(own));
        let systems = element.children_named("plugin").filter(|plugin| is_label_system(*plugin));
        let of_systems = systems.filter_map(|system| self.label_of_system(system)).last();
        own.or(of_systems)
    }

    fn label_of_system(&mut self, system: Element<'_>) -> Option<u32> {
        let Some(label) = system.child("label") else {
            let found = "a Label system without `<label>`";
            self.warning(Code::ElementMissing, system, found, "`<label>` with a whole number from 0 to 255");
            return None;
        };
        self.label_of(label)
    }

    /// An invalid label is a warning: the standard does not define the content of plugins.
    fn label_of(&mut self, element: Element<'_>) -> Option<u32> {
        let text = element.text();
        let label = text.parse().ok().filter(|label| *label <= MOST);
        if label.is_none() {
            let found = format!("`{text}` as a label");
            self.warning(Code::ValueInvalid, element, found, "a whole number from 0 to 255");
        }
        label
    }
}

/// Gives the label of a model to its visuals and to the models nested in it, if they have none, before they are merged
/// into another model.
pub(super) fn hand_down(model: &mut Model) {
    let Some(label) = model.label.take() else { return };
    for visual in model.links.iter_mut().flat_map(|link| &mut link.visuals) {
        visual.label.get_or_insert(label);
    }
    for nested in &mut model.models {
        nested.label.get_or_insert(label);
    }
}
