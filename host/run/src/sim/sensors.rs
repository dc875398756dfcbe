//! Sensors of the configuration: changes to the sensors of the world, and additional ones.
//!
//! Both are applied to the list of slots before any plugin is created, so to a plugin a sensor of the configuration
//! looks the same as one of the world file.

use std::collections::BTreeMap;
use std::sync::Arc;

use bridgehead_sdf::Origin;
use bridgehead_sdf::params::Place;
use bridgehead_sdf::pose::{DVec3, Pose};
use globset::Glob;
use thiserror::Error;

use crate::bridge::{AttachError, targets};
use crate::config::{BridgeRequest, OverrideRequest, RequestOrigin, SensorRequest};
use crate::world::{Attachment, Built, ModelEntity, OPTICAL_FRAME, PluginSlot, SlotKind, period_ns};

/// Why a change or a sensor of the configuration does not fit the world.
#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum SensorError {
    #[error("[BH-SIM-210] {place}: `{path}` is not a pattern: {reason}")]
    Pattern { place: Place, path: String, reason: String },
    #[error(
        "[BH-SIM-211] {place}: the world has no sensor or plugin with the path `{path}`; it has: {known}"
    )]
    NoSlot { place: Place, path: String, known: String },
    #[error("[BH-SIM-212] {place}: `{vehicle}` has no link that could carry a sensor")]
    NoLinks { place: Place, vehicle: String },
    #[error(
        "[BH-SIM-212] {place}: `{vehicle}` has no link `{link}` for the sensor `{sensor}`; it has: {known}"
    )]
    NoLink { place: Place, vehicle: String, link: String, sensor: String, known: String },
    #[error(
        "[BH-SIM-213] {place}: the path `{path}` is taken by another sensor ({other}); try: another name, or change \
         the other sensor with [[override]]"
    )]
    Taken { place: Place, path: String, other: String },
    #[error("[BH-SIM-214] the parents of these sensors are missing, or form a cycle: {0}")]
    Parents(String),
    #[error(transparent)]
    Vehicle(#[from] AttachError),
}

/// Applies the changes of the configuration to the slots of the world.
///
/// # Errors
/// Returns an error if a change matches no slot.
pub(super) fn change_slots(
    slots: &mut Vec<PluginSlot>,
    changes: &[OverrideRequest],
) -> Result<(), SensorError> {
    for change in changes {
        let (place, path) = (change.place.clone(), change.path.clone());
        let glob = match Glob::new(&path) {
            Ok(glob) => glob.compile_matcher(),
            Err(error) => {
                return Err(SensorError::Pattern { place, path, reason: error.kind().to_string() });
            }
        };
        if !slots.iter().any(|slot| glob.is_match(slot.label())) {
            let known: Vec<&str> = slots.iter().map(PluginSlot::label).collect();
            return Err(SensorError::NoSlot { place, path, known: list(&known) });
        }
    }
    apply_changes(slots, changes);
    Ok(())
}

/// Applies the changes that match any of these slots.
pub(super) fn apply_changes(slots: &mut Vec<PluginSlot>, changes: &[OverrideRequest]) {
    for change in changes {
        // A malformed pattern was refused when the world was loaded.
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
        // A camera whose file names the frame of its messages.
        if slot.params.get(OPTICAL_FRAME).is_some() {
            // The path is well-formed.
            let _ = Arc::make_mut(&mut slot.params).set(OPTICAL_FRAME, frame_id);
        }
    }
    if let Some(rate) = change.update_rate {
        at.update_period_ns = period_ns(rate);
    }
    if !change.params.is_empty() {
        Arc::make_mut(&mut slot.params).merge(&change.params);
    }
}

/// The models that sensors of the configuration are added to.
#[derive(Clone)]
pub(super) struct Carriers<'a> {
    /// Attachments of their plugins, by vehicle.
    pub(super) attachments: &'a BTreeMap<String, Attachment>,
    /// Their current slots.
    pub(super) slots: &'a [PluginSlot],
    /// The models.
    pub(super) models: Vec<&'a ModelEntity>,
}

impl<'a> Carriers<'a> {
    /// Returns all models of a built world as carriers.
    pub(super) fn of(built: &'a Built) -> Self {
        Carriers {
            attachments: &built.attachments,
            slots: &built.slots,
            models: built.world.models().values().collect(),
        }
    }
}

/// Returns the slots of the configured sensors, in order.
///
/// # Errors
/// Returns an error if a vehicle, a link or a parent is missing, or a path is taken.
pub(super) fn configured(
    requests: &[SensorRequest],
    carriers: &Carriers<'_>,
) -> Result<Vec<PluginSlot>, SensorError> {
    let mut done: Vec<(String, PluginSlot)> = Vec::new();
    let mut waiting: Vec<(String, &SensorRequest)> = Vec::new();
    for request in requests {
        for vehicle in vehicles(request, carriers)? {
            waiting.push((vehicle, request));
        }
    }
    // A parent may follow its children: each round places the sensors whose parent is placed.
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
            return Err(SensorError::Parents(unplaced(&left)));
        }
        waiting = left;
    }
    Ok(done.into_iter().map(|(_, slot)| slot).collect())
}

/// Returns the slots of the configured sensors of a world. The first world must have the vehicles of all of them; a
/// later world gets those that are for one of its vehicles.
///
/// # Errors
/// Returns the errors of [`configured`].
pub(super) fn configured_at_load(
    requests: &[SensorRequest],
    built: &Built,
    is_first: bool,
) -> Result<Vec<PluginSlot>, SensorError> {
    let carriers = Carriers::of(built);
    if is_first {
        return configured(requests, &carriers);
    }
    let is_meant = |request: &&SensorRequest| is_for(request, &carriers);
    let meant: Vec<SensorRequest> = requests.iter().filter(is_meant).cloned().collect();
    configured(&meant, &carriers)
}

/// Returns true if a sensor is for any of these models.
pub(super) fn is_for(request: &SensorRequest, carriers: &Carriers<'_>) -> bool {
    vehicles(request, carriers).is_ok()
}

fn vehicles(request: &SensorRequest, carriers: &Carriers<'_>) -> Result<Vec<String>, SensorError> {
    let mut pattern = BridgeRequest::new(&request.attach, &request.kind, "", RequestOrigin::Configuration);
    pattern.place = Some(request.place.to_string());
    let models: Vec<String> = carriers.attachments.keys().filter(|name| !name.is_empty()).cloned().collect();
    let found = targets(&pattern, &models)?;
    let movable = |name: &String| {
        request.attach != "*"
            || carriers.models.iter().any(|model| model.name == *name && !model.is_static && !model.is_actor)
    };
    Ok(found.into_iter().filter(|name| !name.is_empty()).filter(movable).collect())
}

/// Returns the slot of a sensor; `None` while its parent is not placed.
fn place(
    vehicle: &str,
    request: &SensorRequest,
    carriers: &Carriers<'_>,
    done: &[(String, PluginSlot)],
) -> Result<Option<PluginSlot>, SensorError> {
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

/// Returns the index of the link that carries a sensor without parent. The default is the first link, which carries the
/// model frame unless the file names another one.
fn link_of(request: &SensorRequest, vehicle: &str, at: &Attachment) -> Result<usize, SensorError> {
    let (place, vehicle) = (request.place.clone(), vehicle.to_owned());
    let Some(name) = &request.link else {
        return if at.links.is_empty() { Err(SensorError::NoLinks { place, vehicle }) } else { Ok(0) };
    };
    at.links.iter().position(|link| link.name == *name).ok_or_else(|| {
        let known: Vec<&str> = at.links.iter().map(|link| link.name.as_str()).collect();
        let (link, sensor, known) = (name.clone(), request.name.clone(), list(&known));
        SensorError::NoLink { place, vehicle, link, sensor, known }
    })
}

fn check_free(
    request: &SensorRequest,
    slot: &PluginSlot,
    carriers: &Carriers<'_>,
    done: &[(String, PluginSlot)],
) -> Result<(), SensorError> {
    let mut taken = carriers.slots.iter().chain(done.iter().map(|(_, slot)| slot));
    let Some(other) = taken.find(|other| other.label() == slot.label()) else { return Ok(()) };
    let other = other.place.as_ref().map_or_else(String::new, ToString::to_string);
    Err(SensorError::Taken { place: request.place.clone(), path: slot.label().to_owned(), other })
}

fn unplaced(left: &[(String, &SensorRequest)]) -> String {
    let names: Vec<String> = left
        .iter()
        .map(|(vehicle, request)| {
            let parent = request.parent.as_deref().unwrap_or_default();
            format!("{}: `{vehicle}/{}` on `{parent}`", request.place, request.name)
        })
        .collect();
    names.join("; ")
}

fn list(known: &[&str]) -> String {
    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
}
