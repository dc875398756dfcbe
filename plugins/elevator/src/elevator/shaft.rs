//! The floors of an elevator with joints: heights of the cabin, and the travel of doors.

use bridgehead_plugin_api::host::{Joint, JointKind, JointState, Model, Params};
use bridgehead_plugin_api::{Error, Result};

use crate::lift::{Doors, Sensed};

/// A cabin this near to a floor, and this slow, has arrived: m and m/s.
const ARRIVED: [f64; 2] = [0.01, 0.05];
/// Doors this near to the end of their way are open or closed, as a share of it.
const AT_END: f64 = 0.02;

/// Floors, cabin and doors.
pub(crate) struct Shaft {
    /// Position of the cabin's joint at each floor, which is the height of its link in the model, metres.
    heights: Vec<f64>,
    pub(crate) cabin: Joint,
    /// The door of each floor.
    pub(crate) doors: Vec<Joint>,
    /// Positions of each door, closed and open.
    ways: Vec<[f64; 2]>,
}

impl Shaft {
    /// Finds the links of the floors and the joints by their names.
    ///
    /// # Errors
    /// Returns an error with the place of a name that names nothing.
    pub(crate) fn read(params: Params, model: Model) -> Result<Self> {
        let text = |path: &str, default: &str| params.text(path).unwrap_or_else(|| default.to_owned());
        let prefix = text("floor_link_prefix", "floor_");
        let mut levels = Vec::new();
        while let Ok(link) = model.link(&format!("{prefix}{}", levels.len())) {
            levels.push(link.pose.position[2]);
        }
        if levels.is_empty() {
            let expected = "what the names of the links of floors begin with; their numbers, from 0, follow";
            return Err(params.refuse("floor_link_prefix", &prefix, expected));
        }
        let cabin = sliding(model.joint(&text("cabin_joint", "lift"))?)?;
        let prefix = text("door_joint_prefix", "door_");
        let doors = (0..levels.len()).map(|floor| model.joint(&format!("{prefix}{floor}")));
        let doors = doors.collect::<Result<Vec<_>>>()?;
        let ways = doors.iter().map(way).collect::<Result<_>>()?;
        Ok(Shaft { heights: levels, cabin, doors, ways })
    }

    pub(crate) fn floors(&self) -> usize {
        self.heights.len()
    }

    pub(crate) fn height(&self, floor: usize) -> f64 {
        self.heights.get(floor).copied().unwrap_or_default()
    }

    /// Returns the floor that is nearest to a position of the cabin.
    pub(crate) fn nearest(&self, position: f64) -> usize {
        let away = |floor: &usize| (self.height(*floor) - position).abs();
        (0..self.floors()).min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(0)
    }

    pub(crate) fn door_target(&self, floor: usize, is_open: bool) -> f64 {
        self.ways.get(floor).map_or(0.0, |[closed, open]| if is_open { *open } else { *closed })
    }

    /// Returns what the elevator senses: at a floor, with the state of its door.
    pub(crate) fn sense(&self, floor: usize, cabin: JointState, door: Option<JointState>) -> Sensed {
        let [near, slow] = ARRIVED;
        let is_at = |floor: &usize| (self.height(*floor) - cabin.position).abs() < near;
        let stands = cabin.velocity.abs() < slow;
        Sensed {
            floor: (0..self.floors()).find(is_at).filter(|_| stands),
            doors: self
                .ways
                .get(floor)
                .zip(door)
                .map_or(Doors::Closed, |(way, door)| doors(*way, door.position)),
        }
    }
}

fn doors([closed, open]: [f64; 2], position: f64) -> Doors {
    match (position - closed) / (open - closed) {
        share if share <= AT_END => Doors::Closed,
        share if share >= 1.0 - AT_END => Doors::Open,
        _ => Doors::Between,
    }
}

/// Doors are closed at the end of their way that is nearer to 0, and open at the other one.
fn way(door: &Joint) -> Result<[f64; 2]> {
    let (lower, upper) = (door.lower, door.upper);
    if !(lower.is_finite() && upper.is_finite() && lower < upper) {
        return Err(Error::invalid(format!(
            "the joint `{}` of a door has no limits; give its <axis> a <limit>, with <lower> where it is closed",
            door.name
        )));
    }
    Ok(if lower.abs() <= upper.abs() { [lower, upper] } else { [upper, lower] })
}

fn sliding(joint: Joint) -> Result<Joint> {
    if joint.kind == JointKind::Prismatic {
        return Ok(joint);
    }
    Err(Error::invalid(format!("the joint `{}` of a cabin must be prismatic", joint.name)))
}
