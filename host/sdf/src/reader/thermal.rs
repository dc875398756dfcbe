//! Temperatures of visuals for thermal cameras: the Thermal system of Gazebo.

use super::report::Report;
use super::visual_system::THERMAL;
use crate::diagnostic::Code;
use crate::document::Element;

/// The temperature of a visual in kelvin; `None` leaves it to the air. Of several Thermal systems the last one counts,
/// as for labels.
pub(super) fn temperature(visual: Element<'_>, report: &mut Report) -> Option<f64> {
    let systems = visual.children_named("plugin").filter(|plugin| THERMAL.is(*plugin));
    systems.filter_map(|system| temperature_of_system(system, report)).last()
}

/// A heat signature precedes the one temperature, as in Gazebo.
fn temperature_of_system(system: Element<'_>, report: &mut Report) -> Option<f64> {
    if let Some(signature) = system.child("heat_signature") {
        return temperature_of_signature(system, signature, report);
    }
    if let Some(temperature) = system.child("temperature") {
        return kelvin(temperature, report);
    }
    let found = "a Thermal system without `<temperature>`";
    report.warning(Code::ElementMissing, system, found, "`<temperature>` in kelvin");
    None
}

/// Returns the middle of the range.
fn temperature_of_signature(system: Element<'_>, signature: Element<'_>, report: &mut Report) -> Option<f64> {
    report.note_limited_once(
        "thermal/heat_signature",
        signature,
        "the texture of `<heat_signature>` is not used (reported once)",
        "one temperature: the visual has the mean of `<min_temp>` and `<max_temp>`, or that of the air",
    );
    let mut end = |name| system.child(name).and_then(|element| kelvin(element, report));
    match (end("min_temp"), end("max_temp")) {
        (Some(low), Some(high)) => Some(f64::midpoint(low, high)),
        (one, other) => one.or(other),
    }
}

/// An invalid temperature is a warning: the standard does not define the content of plugins.
fn kelvin(element: Element<'_>, report: &mut Report) -> Option<f64> {
    let text = element.text();
    let kelvin = text.trim().parse().ok().filter(|kelvin: &f64| kelvin.is_finite() && *kelvin >= 0.0);
    if kelvin.is_none() {
        let found = format!("`{text}` as a temperature");
        report.warning(Code::ValueInvalid, element, found, "kelvin, a number not below 0");
    }
    kelvin
}
