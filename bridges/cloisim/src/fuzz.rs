//! Fuzz targets of this crate; see `tests/fuzz`.

use crate::convert::command;
use crate::discovery::command::{
    Control, ControlError, DeviceListing, EulerPose, RequestError, Target, respond,
};
use crate::discovery::markers::Markers;
use crate::info::Info;
use crate::xml;

/// A simulation in which every command succeeds.
struct Willing;

impl Control for Willing {
    fn devices(&self) -> Vec<DeviceListing> {
        let ports = vec![("Clock", 49152, "WorldClock".to_owned())];
        let parts = "SimulationWorld".to_owned();
        vec![DeviceListing { model: "World".to_owned(), kind: "WORLD", parts, ports }]
    }

    fn reset(&self) -> Result<bool, ControlError> {
        Ok(true)
    }

    fn teleport(&self, targets: &[Target]) -> Result<Vec<Result<(), ControlError>>, ControlError> {
        Ok(targets.iter().map(|_| Ok(())).collect())
    }

    fn pose_of(&self, _: &str) -> Result<EulerPose, ControlError> {
        Ok(EulerPose::default())
    }

    fn misunderstood(&self, _: &RequestError) {}
}

/// Any text on the addresses `/control` and `/markers`: each gets a reply in JSON.
///
/// # Panics
/// Panics if a reply is not JSON.
pub fn request_text(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let replies = [respond(text, &Willing), Markers::default().respond(text)];
    for reply in &replies {
        serde_json::from_str::<serde_json::Value>(reply).expect("a reply in JSON");
    }
    replies.iter().any(|reply| reply.contains("\"command\":\"device_list\"") && reply.contains("WORLD"))
}

/// Any bytes on the ports of a device: a request for information, or a command.
///
/// # Panics
/// Panics if a request gets an empty reply, which clients do not expect.
pub fn request_bytes(bytes: &[u8]) -> bool {
    let (reply, _) = Info::default().answer(bytes);
    assert!(!reply.is_empty(), "a reply is never empty");
    let is_joints = command::joints(bytes).is_ok();
    command::board(bytes).is_ok() || is_joints
}

/// Any text as the parameters of a plugin.
pub fn parameters(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let element = xml::Element::parse(text);
    let _ = (element.number_at("plugin/a"), element.texts_at("a/b"), element.attribute("name"));
    !element.name.is_empty()
}

#[cfg(test)]
mod tests {
    use bridgehead_fuzz::short_run;

    #[test]
    fn any_text_gets_a_reply() {
        short_run("cloisim_text", 20_000, super::request_text);
    }

    #[test]
    fn any_bytes_get_a_reply() {
        short_run("cloisim_bytes", 20_000, super::request_bytes);
    }

    #[test]
    fn any_text_is_read_as_parameters() {
        short_run("cloisim_parameters", 2000, super::parameters);
    }
}
