//! Named poses that the configuration adds to worlds.

use bridgehead_sdf::params::Place;
use bridgehead_sdf::pose::{DVec3, Pose};
use thiserror::Error;

use super::problems::log_skipped;
use crate::config::PoseRequest;
use crate::world::World;
use crate::world::entities::NamedPose;

/// Why a pose of the configuration does not fit the world.
#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum PoseError {
    #[error("[BH-CTL-070] {place}: the world already has a pose `{name}`; try: another name")]
    Taken { place: Place, name: String },
    #[error(
        "[BH-CTL-071] {place}: the pose `{name}` is relative to `{relative_to}`, but the world has no such entity; it \
         has: {known}"
    )]
    NoFrame { place: Place, name: String, relative_to: String, known: String },
}

/// Returns the configured poses in a world as it was loaded.
///
/// # Errors
/// Returns an error if a pose has the name of a pose of the world, or its frame is missing. In a world after the first
/// such a pose is skipped, because it is meant for another world.
pub(super) fn configured_poses(
    requests: &[PoseRequest],
    world: &World,
    is_first: bool,
) -> Result<Vec<NamedPose>, PoseError> {
    let mut poses = Vec::with_capacity(requests.len());
    for request in requests {
        match placed(request, world) {
            Ok(pose) => poses.push(pose),
            Err(problem) if is_first => return Err(problem),
            Err(problem) => log_skipped(&problem),
        }
    }
    Ok(poses)
}

fn placed(request: &PoseRequest, world: &World) -> Result<NamedPose, PoseError> {
    let (name, place) = (request.name.clone(), request.place.clone());
    if world.named_poses().iter().any(|pose| pose.name == name) {
        return Err(PoseError::Taken { place, name });
    }
    let relative_to = request.relative_to.clone();
    let Some(frame) = world.frame(&relative_to) else {
        let known: Vec<&str> = world.entities().map(|entity| entity.model.name.as_str()).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(PoseError::NoFrame { place, name, relative_to, known });
    };
    let [x, y, z, roll, pitch, yaw] = request.pose;
    Ok(NamedPose {
        name,
        description: request.description.clone(),
        tags: request.tags.clone(),
        pose: frame * Pose::from_rpy(DVec3::new(x, y, z), roll, pitch, yaw),
        bounds: request.bounds,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::file;
    use crate::world::build;
    use bridgehead_sdf::parse_str;

    const WORLD: &str = "<sdf version='1.12' xmlns:bridgehead='urn:bridgehead:sdf'><world name='yard'>
        <bridgehead:pose name='gate'/><model name='wall'><pose>3 0 0 0 0 1.5707963267948966</pose><static>true</static>
        <link name='l'/></model></world></sdf>";

    fn poses(text: &str, is_first: bool) -> Result<Vec<NamedPose>, PoseError> {
        let poses = file::parse(text, std::path::Path::new("run.toml")).expect("a file").poses;
        let loaded = parse_str("yard.sdf", WORLD).expect("a world");
        let built = build(&loaded.world, 0.001, 1).expect("built");
        configured_poses(&poses, &built.world, is_first)
    }

    #[test]
    fn a_pose_is_in_the_frame_of_an_entity_or_of_the_world() {
        let text = "[[pose]]\nname = 'dock'\nrelative_to = 'wall'\npose = [1, 0, 0, 0, 0, 0]\nsphere = 1\n\
                    [[pose]]\nname = 'sky'\npose = [0, 0, 9, 0, 0, 0]\nrelative_to = 'world'\n";
        let found = poses(text, true).expect("poses");
        let at: Vec<DVec3> = found.iter().map(|pose| pose.pose.position).collect();
        let expected = [DVec3::new(3.0, 1.0, 0.0), DVec3::new(0.0, 0.0, 9.0)];
        assert!(at.iter().zip(expected).all(|(at, expected)| at.abs_diff_eq(expected, 1e-9)), "{at:?}");
        assert!(found[0].bounds.is_some() && found[1].bounds.is_none());
    }

    #[test]
    fn a_pose_without_its_frame_or_with_a_taken_name_is_an_error_in_the_first_world_only() {
        let lost = "[[pose]]\nname = 'dock'\nrelative_to = 'boat'\n";
        let error = poses(lost, true).expect_err("refused").to_string();
        assert!(error.contains("BH-CTL-071] run.toml:1") && error.ends_with("it has: wall"), "{error}");
        let taken = "[[pose]]\nname = 'gate'\n";
        let error = poses(taken, true).expect_err("refused").to_string();
        assert!(error.starts_with("[BH-CTL-070] run.toml:1: ") && error.contains("`gate`"), "{error}");
        for text in [lost, taken] {
            let both = format!("{text}[[pose]]\nname = 'sky'\n");
            let names: Vec<String> =
                poses(&both, false).expect("the rest").into_iter().map(|pose| pose.name).collect();
            assert_eq!(names, ["sky"]);
        }
    }
}
