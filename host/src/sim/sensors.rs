//! What the configuration says of sensors: changes of those that the world has, and further ones.
//!
//! Both work on the list of slots before any plugin is made, so a sensor of the configuration is the same to its plugin
//! as one of the world file.

use std::collections::BTreeMap;
use std::sync::Arc;

use bridgehead_sdf::Origin;
use bridgehead_sdf::pose::{DVec3, Pose};
use globset::Glob;

use crate::bridge::targets;
use crate::config::{BridgeRequest, OverrideRequest, RequestOrigin, SensorRequest};
use crate::world::{Attachment, Built, ModelEntity, PluginSlot, SlotKind, period_ns};

/// Carries out the changes of the configuration on what the world has.
///
/// # Errors
/// Where a change is for nothing.
pub(super) fn change_slots(slots: &mut Vec<PluginSlot>, changes: &[OverrideRequest]) -> Result<(), String> {
    for change in changes {
        let glob = Glob::new(&change.path)
            .map_err(|error| {
                format!("[BH-SIM-210] {}: `{}` is no pattern: {}", change.place, change.path, error.kind())
            })?
            .compile_matcher();
        let is_meant = |slot: &PluginSlot| glob.is_match(slot.label());
        if !slots.iter().any(is_meant) {
            let known: Vec<&str> = slots.iter().map(PluginSlot::label).collect();
            return Err(format!(
                "[BH-SIM-211] {}: no sensor or plugin of the world has the path `{}`; there are: {}",
                change.place,
                change.path,
                list(&known)
            ));
        }
    }
    apply_changes(slots, changes);
    Ok(())
}

/// Carries out the changes that are for any of these slots.
pub(super) fn apply_changes(slots: &mut Vec<PluginSlot>, changes: &[OverrideRequest]) {
    for change in changes {
        // A pattern that is none was refused when the world was loaded.
        let Ok(glob) = Glob::new(&change.path) else { continue };
        let glob = glob.compile_matcher();
        let is_meant = |slot: &PluginSlot| glob.is_match(slot.label());
        if change.enabled {
            slots.iter_mut().filter(|slot| is_meant(slot)).for_each(|slot| apply(change, slot));
        } else {
            slots.retain(|slot| !is_meant(slot));
        }
    }
}

fn apply(change: &OverrideRequest, slot: &mut PluginSlot) {
    let at = &mut slot.attachment;
    if let Some(topic) = &change.topic {
        at.topic.clone_from(topic);
    }
    if let Some(frame_id) = &change.frame_id {
        at.frame_id.clone_from(frame_id);
    }
    if let Some(rate) = change.update_rate {
        at.update_period_ns = period_ns(rate);
    }
    if !change.params.is_empty() {
        Arc::make_mut(&mut slot.params).merge(&change.params);
    }
}

/// What sensors of the configuration are added to.
#[derive(Clone)]
pub(super) struct Carriers<'a> {
    /// What a plugin of each is attached to, by vehicle.
    pub(super) attachments: &'a BTreeMap<String, Attachment>,
    /// What they have already.
    pub(super) slots: &'a [PluginSlot],
    /// Which of them move.
    pub(super) models: Vec<&'a ModelEntity>,
}

impl<'a> Carriers<'a> {
    /// All of a world that was built.
    pub(super) fn of(built: &'a Built) -> Self {
        Carriers {
            attachments: &built.attachments,
            slots: &built.slots,
            models: built.world.models().values().collect(),
        }
    }
}

/// The slots of the configured sensors, in order.
///
/// # Errors
/// Where a vehicle, a link or a parent is not there, or a path is taken.
pub(super) fn configured(
    requests: &[SensorRequest],
    carriers: &Carriers<'_>,
) -> Result<Vec<PluginSlot>, String> {
    let mut done: Vec<(String, PluginSlot)> = Vec::new();
    let mut waiting: Vec<(String, &SensorRequest)> = Vec::new();
    for request in requests {
        for vehicle in vehicles(request, carriers)? {
            waiting.push((vehicle, request));
        }
    }
    // Parents may stand behind their children: those whose parent is placed are placed, until none is left.
    while !waiting.is_empty() {
        let before = waiting.len();
        let mut left = Vec::new();
        for (vehicle, request) in waiting {
            match place(&vehicle, request, carriers, &done)? {
                Some(slot) => {
                    check_free(request, &slot, carriers, &done)?;
                    done.push((vehicle, slot));
                }
                None => left.push((vehicle, request)),
            }
        }
        if left.len() == before {
            return Err(unplaced(&left));
        }
        waiting = left;
    }
    Ok(done.into_iter().map(|(_, slot)| slot).collect())
}

/// The slots of the configured sensors of a world: in the first one all must find their place, later only those that
/// are for it.
///
/// # Errors
/// As [`configured`].
pub(super) fn configured_at_load(
    requests: &[SensorRequest],
    built: &Built,
    is_first: bool,
) -> Result<Vec<PluginSlot>, String> {
    let carriers = Carriers::of(built);
    if is_first {
        return configured(requests, &carriers);
    }
    let is_meant = |request: &&SensorRequest| is_for(request, &carriers);
    let meant: Vec<SensorRequest> = requests.iter().filter(is_meant).cloned().collect();
    configured(&meant, &carriers)
}

/// Whether a sensor is for any of them.
pub(super) fn is_for(request: &SensorRequest, carriers: &Carriers<'_>) -> bool {
    vehicles(request, carriers).is_ok()
}

fn vehicles(request: &SensorRequest, carriers: &Carriers<'_>) -> Result<Vec<String>, String> {
    let mut pattern = BridgeRequest::new(&request.attach, &request.kind, "", RequestOrigin::Configuration);
    pattern.place = Some(request.place.to_string());
    let models: Vec<String> = carriers.attachments.keys().filter(|name| !name.is_empty()).cloned().collect();
    let found = targets(&pattern, &models).map_err(|error| error.to_string())?;
    let movable = |name: &String| {
        request.attach != "*"
            || carriers.models.iter().any(|model| model.name == *name && !model.is_static && !model.is_actor)
    };
    Ok(found.into_iter().filter(|name| !name.is_empty()).filter(movable).collect())
}

/// The slot of a sensor; `None` while its parent is not placed.
fn place(
    vehicle: &str,
    request: &SensorRequest,
    carriers: &Carriers<'_>,
    done: &[(String, PluginSlot)],
) -> Result<Option<PluginSlot>, String> {
    let Some(of_vehicle) = carriers.attachments.get(vehicle) else { return Ok(None) };
    let own = own_pose(request);
    let (link, pose) = match &request.parent {
        None => (link_of(request, vehicle, of_vehicle)?, own),
        Some(parent) => {
            let is_it = |(owner, slot): &&(String, PluginSlot)| {
                owner == vehicle && slot.attachment.element == *parent
            };
            let Some((_, parent)) = done.iter().find(is_it) else { return Ok(None) };
            let link =
                of_vehicle.links.iter().position(|link| Some(link.link) == parent.attachment.parent_link);
            (link.unwrap_or_default(), parent.attachment.pose * own)
        }
    };
    let Some(link) = of_vehicle.links.get(link) else { return Ok(None) };
    let path = format!("{vehicle}/{}/{}", link.name.replace("::", "/"), request.name);
    let attachment = Attachment {
        element: request.name.clone(),
        frame_id: request.frame_id.clone().unwrap_or_else(|| path.clone()),
        path,
        topic: request.topic.clone().unwrap_or_default(),
        parent_link: Some(link.link),
        pose,
        update_period_ns: period_ns(request.update_rate),
        ..of_vehicle.clone()
    };
    Ok(Some(PluginSlot {
        asked: request.kind.clone(),
        kind: SlotKind::Sensor,
        place: Some(request.place.clone()),
        element: Origin::default(),
        attachment,
        sensor: String::new(),
        companions: Vec::new(),
        params: Arc::new(request.params.clone()),
    }))
}

fn own_pose(request: &SensorRequest) -> Pose {
    let [x, y, z, roll, pitch, yaw] = request.pose;
    Pose::from_rpy(DVec3::new(x, y, z), roll, pitch, yaw)
}

/// Index of the link that a sensor without parent stands on: the first one where none is named, which carries the model
/// frame unless the file says otherwise.
fn link_of(request: &SensorRequest, vehicle: &str, at: &Attachment) -> Result<usize, String> {
    let Some(name) = &request.link else {
        if at.links.is_empty() {
            return Err(format!(
                "[BH-SIM-212] {}: `{vehicle}` has no links to carry a sensor",
                request.place
            ));
        }
        return Ok(0);
    };
    at.links.iter().position(|link| link.name == *name).ok_or_else(|| {
        let known: Vec<&str> = at.links.iter().map(|link| link.name.as_str()).collect();
        format!(
            "[BH-SIM-212] {}: `{vehicle}` has no link `{name}` for sensor `{}`; it has: {}",
            request.place,
            request.name,
            list(&known)
        )
    })
}

fn check_free(
    request: &SensorRequest,
    slot: &PluginSlot,
    carriers: &Carriers<'_>,
    done: &[(String, PluginSlot)],
) -> Result<(), String> {
    let mut taken = carriers.slots.iter().chain(done.iter().map(|(_, slot)| slot));
    match taken.find(|other| other.label() == slot.label()) {
        None => Ok(()),
        Some(other) => Err(format!(
            "[BH-SIM-213] {}: there is a sensor `{}` already ({}); give this one another name, or change that one with [[override]]",
            request.place,
            slot.label(),
            other.place.as_ref().map_or_else(String::new, ToString::to_string)
        )),
    }
}

fn unplaced(left: &[(String, &SensorRequest)]) -> String {
    let names: Vec<String> = left
        .iter()
        .map(|(vehicle, request)| {
            let parent = request.parent.as_deref().unwrap_or_default();
            format!("{}: `{vehicle}/{}` on `{parent}`", request.place, request.name)
        })
        .collect();
    format!(
        "[BH-SIM-214] the parents of these sensors are not there, or stand on each other in a circle: {}",
        names.join("; ")
    )
}

fn list(known: &[&str]) -> String {
    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
}
