//! `[[pose]]` of the configuration file.

use std::collections::BTreeSet;

use bridgehead_sdf::element::PoseBounds;
use bridgehead_sdf::pose::DVec3;

use super::sensor::place;
use super::table::Table;
use crate::config::code::Code;
use crate::config::error::ConfigError;
use crate::config::pose::PoseRequest;

/// Keys of `[[pose]]`.
pub(super) const POSE_KEYS: &[&str] =
    &["name", "relative_to", "pose", "description", "tags", "box", "sphere"];

/// Returns the named poses of the file, each with a unique name.
pub(super) fn poses(root: &Table<'_, '_>) -> Vec<PoseRequest> {
    let mut names = BTreeSet::new();
    let mut poses = Vec::new();
    for table in root.tables("pose") {
        let Some(pose) = pose(&table) else { continue };
        if names.insert(pose.name.clone()) {
            poses.push(pose);
        } else {
            refuse(&table, "name", format!("there is another `[[pose]]` with the name `{}`", pose.name));
        }
    }
    poses
}

fn pose(table: &Table<'_, '_>) -> Option<PoseRequest> {
    table.allow(POSE_KEYS);
    let name = table.required_text("name");
    if name.is_some_and(|name| name.trim().is_empty()) {
        refuse(table, "name", String::from("the name of a pose is empty"));
    }
    let owned = |key: &str| table.text(key).unwrap_or_default().to_owned();
    Some(PoseRequest {
        relative_to: owned("relative_to"),
        pose: table.numbers("pose", "six numbers: x, y, z, roll, pitch, yaw").unwrap_or_default(),
        description: owned("description"),
        tags: table.texts("tags").into_iter().map(str::to_owned).collect(),
        bounds: bounds(table),
        place: place(table),
        name: name?.to_owned(),
    })
}

fn bounds(table: &Table<'_, '_>) -> Option<PoseBounds> {
    let size =
        table.numbers("box", "three numbers: the extent along each axis in metres").map(DVec3::from_array);
    let radius = table.number("sphere", 0.0);
    if size.is_some_and(|size| size.min_element() <= 0.0) {
        refuse(table, "box", String::from("the size of a box must be positive"));
    }
    if radius == Some(0.0) {
        refuse(table, "sphere", String::from("the radius of a sphere must be positive"));
    }
    match (size, radius) {
        (Some(_), Some(_)) => {
            refuse(table, "sphere", String::from("the bounds of a pose are a `box` or a `sphere`, not both"));
            None
        }
        (Some(size), None) => Some(PoseBounds::Box { size }),
        (None, Some(radius)) => Some(PoseBounds::Sphere { radius }),
        (None, None) => None,
    }
}

fn refuse(table: &Table<'_, '_>, key: &str, found: String) {
    table.refuse(key, ConfigError::new(Code::PoseInvalid, found));
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::parse;
    use super::*;

    #[test]
    fn a_pose_has_a_name_a_place_and_perhaps_room() {
        let text = "[[pose]]\nname = 'dock'\nrelative_to = 'wall'\npose = [1, 0, 0, 0, 0, 1.5]\ntags = ['parking']\n\
                    description = 'for charging'\nbox = [2, 1, 1]\n[[pose]]\nname = 'gate'\nsphere = 0.5\n[[pose]]\nname = 'sky'\n";
        let poses = parse(text, Path::new("conf/run.toml")).expect("right").poses;
        let [dock, gate, sky] = &poses[..] else { panic!("{poses:?}") };
        assert_eq!((&*dock.name, &*dock.relative_to, &*dock.description), ("dock", "wall", "for charging"));
        assert_eq!(
            (dock.pose, &dock.tags[..]),
            ([1.0, 0.0, 0.0, 0.0, 0.0, 1.5], &["parking".to_owned()][..])
        );
        assert_eq!(dock.bounds, Some(PoseBounds::Box { size: DVec3::new(2.0, 1.0, 1.0) }));
        assert_eq!(dock.place.to_string(), "conf/run.toml:1");
        assert_eq!(gate.bounds, Some(PoseBounds::Sphere { radius: 0.5 }));
        assert_eq!((sky.pose, sky.bounds, &*sky.relative_to), ([0.0; 6], None, ""));
    }

    #[test]
    fn slips_are_refused() {
        let refused = |text: &str| {
            let errors = parse(text, Path::new("run.toml")).expect_err(text);
            errors.0.iter().map(|error| error.code).collect::<Vec<Code>>()
        };
        assert_eq!(refused("[[pose]]\npose = [0, 0, 0, 0, 0, 0]\n"), [Code::MissingKey]);
        assert_eq!(refused("[[pose]]\nname = ' '\n"), [Code::PoseInvalid]);
        assert_eq!(refused("[[pose]]\nname = 'a'\n[[pose]]\nname = 'a'\n"), [Code::PoseInvalid]);
        assert_eq!(refused("[[pose]]\nname = 'a'\nbox = [1, 1, 0]\n"), [Code::PoseInvalid]);
        assert_eq!(refused("[[pose]]\nname = 'a'\nsphere = 0\n"), [Code::PoseInvalid]);
        assert_eq!(refused("[[pose]]\nname = 'a'\nbox = [1, 1, 1]\nsphere = 1\n"), [Code::PoseInvalid]);
        assert_eq!(refused("[[pose]]\nname = 'a'\npose = [1, 2, 3]\n"), [Code::NumberInvalid]);
        assert_eq!(refused("[[pose]]\nname = 'a'\nroom = 1\n"), [Code::UnknownKey]);
    }
}
