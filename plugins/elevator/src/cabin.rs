//! An elevator of a building in motion: where its cabin and its doors are. Pure.

use serde::{Deserialize, Serialize};

use crate::building::Elevator;
use crate::lift::{Doors, Lift, Order, Sensed};
use crate::settings::{Floor, Group};
use crate::travel::Travel;

/// A cabin this near to a floor stands at it, metres.
const LEVEL: f64 = 1e-6;

/// What moved in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moved {
    pub(crate) cabin: bool,
    pub(crate) doors: bool,
}

/// The state of an elevator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cabin {
    pub(crate) lift: Lift,
    /// Height in the frame of the building.
    pub(crate) height: Travel,
    /// How far the doors are open, metres.
    door: Travel,
}

impl Cabin {
    /// Returns a cabin that stands at a height. If no floor is there, it drives to the nearest one first.
    pub(crate) fn at(height: f64, nearest: usize, floors: &[Floor]) -> Self {
        let height = Travel { position: height, velocity: 0.0 };
        let mut cabin = Cabin { lift: Lift::at(nearest), height, door: Travel::default() };
        if cabin.floor(floors) != Some(nearest) {
            cabin.lift = Lift::bound_for(nearest);
        }
        cabin
    }

    fn floor(&self, floors: &[Floor]) -> Option<usize> {
        let is_level = |floor: &Floor| (floor.height - self.height.position).abs() < LEVEL;
        if self.height.velocity == 0.0 { floors.iter().position(is_level) } else { None }
    }

    /// Moves cabin and doors for `width` seconds.
    pub(crate) fn advance(&mut self, group: &Group, floors: &[Floor], width: f64) -> Moved {
        let before = (self.height.position, self.door.position);
        let most = group.inside.offset.max(group.outside.offset);
        let doors = match self.door.position {
            position if position >= most => Doors::Open,
            position if position > 0.0 => Doors::Between,
            _ => Doors::Closed,
        };
        // Without doors, they are open as soon as they are requested to be, and closed again.
        let doors = if most == 0.0 { self.lift.doors_as_ordered() } else { doors };
        let sensed = Sensed { floor: self.floor(floors), doors };
        match self.lift.advance(sensed, group.hold, width) {
            Order::Stand => {}
            Order::Drive(floor) => {
                let target = floors.get(floor).map_or(self.height.position, |floor| floor.height);
                self.height.advance(target, group.cabin, width);
            }
            Order::Open => self.door.advance(most, group.door, width),
            Order::Close => self.door.advance(0.0, group.door, width),
        }
        Moved { cabin: before.0 != self.height.position, doors: before.1 != self.door.position }
    }

    /// The share by which the doors are open.
    pub(crate) fn opening(&self, group: &Group) -> f64 {
        let most = group.inside.offset.max(group.outside.offset);
        if most > 0.0 { self.door.position / most } else { 0.0 }
    }

    /// How far the cabin is above its beginning, metres.
    pub(crate) fn up(&self, elevator: &Elevator) -> f64 {
        self.height.position - elevator.start
    }
}
