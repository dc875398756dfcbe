//! The parameters of a system of elevators, in the form of CLOiSim.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::Params;

use crate::travel::Bounds;

/// Acceleration of cabins and doors, m/s²: a robot does not lose contact with the floor.
const ACCELERATION: f64 = 1.0;

/// A floor of the building.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Floor {
    pub(crate) name: String,
    /// Of the floor of a cabin that stops there, in the frame of the plugin's model, metres.
    pub(crate) height: f64,
}

/// Doors that open together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DoorSet {
    /// How far each of them slides, metres.
    pub(crate) offset: f64,
    /// Name and link of each.
    pub(crate) doors: Vec<(String, String)>,
}

/// Elevators with the same parameters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    /// What the names of their models begin with.
    pub(crate) prefix: String,
    pub(crate) cabin: Bounds,
    /// Link whose height counts as that of the cabin; empty for the first link.
    pub(crate) floor: String,
    pub(crate) door: Bounds,
    /// Seconds that the doors stay open.
    pub(crate) hold: f64,
    pub(crate) inside: DoorSet,
    pub(crate) outside: DoorSet,
}

/// All parameters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    pub(crate) system_name: String,
    /// Topic below which state and commands are.
    pub(crate) topic: String,
    pub(crate) floors: Vec<Floor>,
    pub(crate) groups: Vec<Group>,
}

impl Settings {
    /// Reads the parameters.
    ///
    /// # Errors
    /// Returns an error with the place if one is missing or out of range.
    pub(crate) fn read(params: Params) -> Result<Self> {
        let floors = each(params, "floors/floor")
            .iter()
            .map(|path| floor(params, path))
            .collect::<Result<Vec<_>>>()?;
        if floors.is_empty() {
            return Err(params.refuse("floors", "", "one <floor> with <name> and <height>, or more"));
        }
        let groups =
            each(params, "elevator").iter().map(|path| group(params, path)).collect::<Result<Vec<_>>>()?;
        if groups.is_empty() {
            return Err(params.refuse("elevator", "", "one <elevator prefix_name=\"…\">, or more"));
        }
        Ok(Settings {
            system_name: params.text("system_name").unwrap_or_else(|| "elevator_system".to_owned()),
            topic: params.text("topic").unwrap_or_else(|| "elevators".to_owned()),
            floors,
            groups,
        })
    }
}

/// Returns the path of each element that `path` names.
fn each(params: Params, path: &str) -> Vec<String> {
    let count = params.count(path);
    (0..count).map(|index| if count > 1 { format!("{path}[{index}]") } else { path.to_owned() }).collect()
}

fn floor(params: Params, path: &str) -> Result<Floor> {
    let height = format!("{path}/height");
    params.require::<f64>(&height)?;
    Ok(Floor { name: params.require(&format!("{path}/name"))?, height: params.finite_or(&height, 0.0)? })
}

fn group(params: Params, path: &str) -> Result<Group> {
    let speed = |path: String| params.positive_or(&path, 1.0);
    let doors = format!("{path}/doors");
    Ok(Group {
        prefix: params.require(&format!("{path}/@prefix_name"))?,
        cabin: Bounds { speed: speed(format!("{path}/@speed"))?, acceleration: ACCELERATION },
        floor: params.text(&format!("{path}/floor")).unwrap_or_default(),
        door: Bounds { speed: speed(format!("{doors}/@speed"))?, acceleration: ACCELERATION },
        hold: params.not_negative_or(&format!("{doors}/@closing_timer"), 5.0)?,
        inside: door_set(params, &format!("{doors}/inside"))?,
        outside: door_set(params, &format!("{doors}/outside"))?,
    })
}

fn door_set(params: Params, path: &str) -> Result<DoorSet> {
    let doors = each(params, &format!("{path}/door")).into_iter().map(|path| {
        let name = params.text(&format!("{path}/@name")).unwrap_or_default();
        let link = params.text(&path).filter(|link| !link.is_empty()).unwrap_or_else(|| name.clone());
        (name, link)
    });
    let doors = doors.collect();
    Ok(DoorSet { offset: params.not_negative_or(&format!("{path}/@open_offset"), 0.0)?, doors })
}
