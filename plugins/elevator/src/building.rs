//! Finds the links of elevators in a world: cabins, and doors inside and outside of them.
//!
//! Pure: it gets the names and poses of all links.

use bridgehead_plugin_api::host::Pose;
use bridgehead_plugin_api::vector::length;
use serde::{Deserialize, Serialize};

use crate::settings::{DoorSet, Group, Settings};

/// How far below its floor the origin of an outer door may be, metres.
const SILL: f64 = 0.5;

/// A link of the world with its pose at the beginning.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) link: u32,
    /// Name in the world, without the scope of the plugin.
    pub(crate) name: String,
    pub(crate) pose: Pose,
}

/// A link that moves, with its pose at the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) link: u32,
    position: [f64; 3],
    orientation: [f64; 4],
    /// How far it slides along its own y axis when the doors open, metres; 0 if it is no door.
    slide: f64,
}

/// The links of an elevator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Elevator {
    pub(crate) name: String,
    /// Index of its group in the settings.
    pub(crate) group: usize,
    /// What the cabin takes along, inner doors included.
    pub(crate) cabin: Vec<Part>,
    /// Outer doors with the index of their floor.
    pub(crate) outside: Vec<(usize, Part)>,
    /// Height of the cabin at the beginning, metres.
    pub(crate) start: f64,
}

impl Part {
    fn of(place: &Place, slide: f64) -> Self {
        let Pose { position, orientation } = place.pose;
        Part { link: place.link, position, orientation, slide }
    }

    /// Its pose if the cabin is `up` metres above the beginning and the doors are open by a share.
    pub(crate) fn pose(&self, up: f64, opening: f64) -> Pose {
        let start = Pose { position: self.position, orientation: self.orientation };
        let mut pose = start.compose(Pose { position: [0.0, self.slide * opening, 0.0], ..Pose::IDENTITY });
        pose.position[2] += up;
        pose
    }

    /// Returns true if it slides when doors open.
    pub(crate) fn is_door(&self) -> bool {
        self.slide != 0.0
    }
}

/// Finds the elevators of a building whose frame is `base` metres above the world's.
///
/// # Errors
/// Returns the index of the first group without a model.
pub(crate) fn elevators(settings: &Settings, places: &[Place], base: f64) -> Result<Vec<Elevator>, usize> {
    let mut found = Vec::new();
    for (index, group) in settings.groups.iter().enumerate() {
        let before = found.len();
        for model in models(group, places) {
            found.push(elevator(index, group, &model, places, base));
        }
        if found.len() == before {
            return Err(index);
        }
    }
    let owned: Vec<(usize, usize, Part)> = settings
        .groups
        .iter()
        .flat_map(|group| places.iter().filter_map(|place| outer_door(settings, group, place, &found, base)))
        .collect();
    for (elevator, floor, part) in owned {
        if let Some(elevator) = found.get_mut(elevator) {
            elevator.outside.push((floor, part));
        }
    }
    Ok(found)
}

/// Returns the scoped names of the models of a group, in the order of the world.
fn models(group: &Group, places: &[Place]) -> Vec<String> {
    let mut models: Vec<String> = Vec::new();
    for place in places {
        let Some(model) = model_with_prefix(&place.name, &group.prefix) else { continue };
        if !models.iter().any(|known| known == model) {
            models.push(model.to_owned());
        }
    }
    models
}

/// Returns the part of a link's name up to the first model with that prefix.
fn model_with_prefix<'a>(link: &'a str, prefix: &str) -> Option<&'a str> {
    let mut start = 0;
    while let Some(length) = link[start..].find("::") {
        if link[start..].starts_with(prefix) {
            return link.get(..start + length);
        }
        start += length + 2;
    }
    None
}

fn elevator(index: usize, group: &Group, model: &str, places: &[Place], base: f64) -> Elevator {
    let within = format!("{model}::");
    let own: Vec<&Place> = places.iter().filter(|place| place.name.starts_with(&within)).collect();
    let is_outer = |place: &Place| door_of(&group.outside, place).is_some();
    let carried: Vec<&Place> = own.into_iter().filter(|place| !is_outer(place)).collect();
    let floor = carried.iter().find(|place| is_named(&place.name, &group.floor)).or(carried.first());
    let middle = floor.map_or([0.0; 3], |place| place.pose.position);
    let part = |place: &&Place| Part::of(place, slide(&group.inside, place, middle));
    Elevator {
        name: model.rsplit("::").next().unwrap_or(model).to_owned(),
        group: index,
        cabin: carried.iter().map(part).collect(),
        outside: Vec::new(),
        start: middle[2] - base,
    }
}

/// Returns true if a link, or one of the models that contain it, has that name.
fn is_named(link: &str, name: &str) -> bool {
    !name.is_empty() && format!("::{link}::").contains(&format!("::{name}::"))
}

fn door_of<'a>(set: &'a DoorSet, place: &Place) -> Option<&'a (String, String)> {
    set.doors.iter().find(|(_, link)| is_named(&place.name, link))
}

/// Returns how far a link slides: a door that is named left along y, one that is named right against it, and others away
/// from the middle of the cabin.
fn slide(set: &DoorSet, place: &Place, middle: [f64; 3]) -> f64 {
    let Some((name, _)) = door_of(set, place) else { return 0.0 };
    let from_middle = std::array::from_fn(|axis| place.pose.position[axis] - middle[axis]);
    let is_left = match (name.contains("left"), name.contains("right")) {
        (true, false) => true,
        (false, true) => false,
        _ => place.pose.rotate_inverse(from_middle)[1] >= 0.0,
    };
    if is_left { set.offset } else { -set.offset }
}

/// Returns an outer door with its elevator, the nearest one in the plane, and its floor.
fn outer_door(
    settings: &Settings,
    group: &Group,
    place: &Place,
    elevators: &[Elevator],
    base: f64,
) -> Option<(usize, usize, Part)> {
    door_of(&group.outside, place)?;
    let of_group =
        elevators.iter().enumerate().filter(|(_, other)| settings.groups.get(other.group) == Some(group));
    let distance = |elevator: &Elevator| {
        elevator
            .cabin
            .iter()
            .map(|part| in_plane(part.position, place.pose.position))
            .fold(f64::MAX, f64::min)
    };
    let (elevator, nearest) = of_group.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)))?;
    let middle = nearest.cabin.first().map_or([0.0; 3], |part| part.position);
    let height = place.pose.position[2] - base;
    let floor = floor_at(settings, height);
    Some((elevator, floor, Part::of(place, slide(&group.outside, place, middle))))
}

fn in_plane(a: [f64; 3], b: [f64; 3]) -> f64 {
    length([a[0] - b[0], a[1] - b[1], 0.0])
}

/// Returns the highest floor that is not above a height, or the lowest one.
fn floor_at(settings: &Settings, height: f64) -> usize {
    let heights = || settings.floors.iter().enumerate().map(|(index, floor)| (index, floor.height));
    let below = heights().filter(|(_, floor)| *floor <= height + SILL);
    let highest = below.max_by(|(_, a), (_, b)| a.total_cmp(b));
    let lowest = || heights().min_by(|(_, a), (_, b)| a.total_cmp(b));
    highest.or_else(lowest).map_or(0, |(index, _)| index)
}

/// Returns the floor that is nearest to a height.
pub(crate) fn nearest_floor(settings: &Settings, height: f64) -> usize {
    let away =
        |index: &usize| settings.floors.get(*index).map_or(f64::MAX, |floor| (floor.height - height).abs());
    (0..settings.floors.len()).min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Floor;
    use crate::travel::Bounds;

    fn place(link: u32, name: &str, position: [f64; 3]) -> Place {
        Place { link, name: name.to_owned(), pose: Pose { position, ..Pose::IDENTITY } }
    }

    fn settings() -> Settings {
        let bounds = Bounds { speed: 1.0, acceleration: 1.0 };
        let door = |name: &str, link: &str| (name.to_owned(), link.to_owned());
        let floor = |name: &str, height: f64| Floor { name: name.to_owned(), height };
        Settings {
            system_name: String::new(),
            topic: String::new(),
            floors: vec![floor("1F", 0.0), floor("2F", 4.0)],
            groups: vec![Group {
                prefix: "EV".to_owned(),
                cabin: bounds,
                floor: "deck".to_owned(),
                door: bounds,
                hold: 1.0,
                inside: DoorSet { offset: 0.5, doors: vec![door("left", "in_l"), door("right", "in_r")] },
                outside: DoorSet { offset: 0.4, doors: vec![door("", "out")] },
            }],
        }
    }

    #[test]
    fn cabins_and_doors_are_found_by_their_names() {
        let places = [
            place(0, "wall", [0.0; 3]),
            place(1, "EV_1::deck", [0.0, 0.0, 10.0]),
            place(2, "EV_1::in_l", [1.0, 0.3, 11.0]),
            place(3, "EV_1::in_r", [1.0, -0.3, 11.0]),
            place(4, "EV_2::deck", [0.0, 5.0, 14.0]),
            place(5, "hall::out", [1.2, -0.2, 15.0]),
            place(6, "hall::upper::out", [1.2, 5.2, 11.0]),
        ];
        let found = elevators(&settings(), &places, 10.0).expect("elevators");
        let names: Vec<(&str, f64)> = found.iter().map(|one| (one.name.as_str(), one.start)).collect();
        assert_eq!(names, [("EV_1", 0.0), ("EV_2", 4.0)]);
        let slides: Vec<(u32, f64)> = found[0].cabin.iter().map(|part| (part.link, part.slide)).collect();
        assert_eq!(slides, [(1, 0.0), (2, 0.5), (3, -0.5)]);
        // The outer doors belong to the nearest cabin, and to the floor below them.
        let outer = |one: &Elevator| {
            one.outside.iter().map(|(floor, part)| (*floor, part.link, part.slide)).collect::<Vec<_>>()
        };
        assert_eq!(outer(&found[0]), [(1, 5, -0.4)]);
        assert_eq!(outer(&found[1]), [(0, 6, 0.4)]);
        let moved = found[0].cabin[1].pose(4.0, 0.5);
        assert_eq!(moved.position, [1.0, 0.55, 15.0]);
    }

    #[test]
    fn a_group_without_a_model_is_named() {
        assert_eq!(elevators(&settings(), &[place(0, "EV_link", [0.0; 3])], 0.0), Err(0));
        assert_eq!(nearest_floor(&settings(), 2.1), 1);
    }
}
