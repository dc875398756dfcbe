//! Labels for segmentation cameras: the Label system of Gazebo, or `<bridgehead:label>`.

use super::children::single;
use super::report::Report;
use super::visual_system::LABEL;
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::Model;
use bridgehead_params::whole_number;

/// Largest label: an image of labels has 8 bits for each pixel, as in Gazebo.
const MAX: u32 = 255;

/// The label that an element itself has. Of several Label systems the last one counts, as in Gazebo.
pub(super) fn label(element: Element<'_>, report: &mut Report) -> Option<u32> {
    let own = single(element, "bridgehead:label", report).and_then(|own| label_of(own, report));
    let systems = element.children_named("plugin").filter(|plugin| LABEL.is(*plugin));
    let of_systems = systems.filter_map(|system| label_of_system(system, report)).last();
    own.or(of_systems)
}

fn label_of_system(system: Element<'_>, report: &mut Report) -> Option<u32> {
    let Some(label) = system.child("label") else {
        let found = "a Label system without `<label>`";
        report.warning(Code::ElementMissing, system, found, "`<label>` with a whole number from 0 to 255");
        return None;
    };
    label_of(label, report)
}

/// An invalid label is a warning: the standard does not define the content of plugins.
fn label_of(element: Element<'_>, report: &mut Report) -> Option<u32> {
    let text = element.text();
    let label = whole_number(text).filter(|label| *label <= MAX);
    if label.is_none() {
        let found = format!("`{text}` as a label");
        report.warning(Code::ValueInvalid, element, found, "a whole number from 0 to 255");
    }
    label
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
