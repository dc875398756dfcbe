//! The script of an actor as a function of time: its pose, and the times at which it jumps.
//!
//! Times are whole nanoseconds, so that a loop neither drifts nor depends on the duration of the run. Plain values.

use bridgehead_sdf::element::{Actor, Trajectory};
use bridgehead_sdf::pose::Pose;

/// Tolerance for equal poses, metres and approximately radians.
const SAME_POSE: f64 = 1e-6;

/// An actor of the world.
#[derive(Debug)]
pub(crate) struct ScriptedActor {
    /// Its model.
    pub(super) model: usize,
    /// Handle of each link, with its pose in the frame of the actor.
    pub(super) links: Vec<(u32, Pose)>,
    pub(super) script: Script,
}

/// The pose of an actor at each time.
#[derive(Clone, Debug)]
pub(super) struct Script {
    /// Keyframes by time, never empty. Two with the same time are the end of a trajectory and the beginning of the
    /// next.
    keys: Vec<Key>,
    /// Times after which the actor continues at another place. They include the end if a loop is not closed.
    jumps: Vec<u64>,
    /// Nanoseconds before it begins.
    delay: u64,
    is_looped: bool,
}

/// A waypoint: nanoseconds since the script began, and the pose in the world.
#[derive(Clone, Copy, Debug)]
struct Key {
    at: u64,
    pose: Pose,
}

/// A time as repetition and offset in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Phase {
    round: u64,
    at: u64,
}

/// The motion of an actor between two times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) from: Pose,
    pub(super) to: Pose,
    /// True if the motion contains a jump.
    pub(super) jumps: bool,
}

impl Script {
    /// Creates the script of an actor at `pose` in the world; its waypoints are relative to that pose. An actor without
    /// waypoints, or without automatic start, stays there.
    pub(super) fn new(actor: &Actor, pose: &Pose) -> Self {
        let parts: &[Trajectory] = if actor.auto_start { &actor.trajectories } else { &[] };
        let mut keys = keys(parts, pose);
        if keys.is_empty() {
            keys.push(Key { at: 0, pose: *pose });
        }
        let jumps = jumps(&keys, actor.is_looped);
        Script { keys, jumps, delay: nanoseconds(actor.delay_start), is_looped: actor.is_looped }
    }

    /// Returns the pose at a time.
    pub(super) fn pose(&self, time: u64) -> Pose {
        self.pose_at(self.phase(time).at)
    }

    /// Returns the motion from one time to a later one.
    pub(super) fn segment(&self, from: u64, to: u64) -> Segment {
        let (first, last) = (self.phase(from), self.phase(to));
        Segment {
            from: self.pose_at(first.at),
            to: self.pose_at(last.at),
            jumps: self.jumps_between(first, last),
        }
    }

    /// Nanoseconds from the first waypoint to the last one.
    fn length(&self) -> u64 {
        self.keys.last().map_or(0, |key| key.at)
    }

    /// Splits a time. Times within the delay are the beginning. The end of a repetition belongs to it, not to the next
    /// one.
    fn phase(&self, time: u64) -> Phase {
        let (length, since) = (self.length(), time.saturating_sub(self.delay));
        if !self.is_looped || length == 0 {
            return Phase { round: 0, at: since.min(length) };
        }
        let round = since.saturating_sub(1) / length;
        Phase { round, at: since - round * length }
    }

    fn pose_at(&self, at: u64) -> Pose {
        let next = self.keys.partition_point(|key| key.at < at);
        let before = next.checked_sub(1).and_then(|before| self.keys.get(before));
        match (before, self.keys.get(next)) {
            (Some(before), Some(next)) if next.at > at => {
                before.pose.interpolate(&next.pose, share(before, next, at))
            }
            (_, Some(next)) => next.pose,
            (Some(before), None) => before.pose,
            (None, None) => Pose::IDENTITY,
        }
    }

    fn jumps_between(&self, first: Phase, last: Phase) -> bool {
        let within = |from: u64, to: u64| self.jumps.iter().any(|jump| (from..to).contains(jump));
        match last.round - first.round {
            0 => within(first.at, last.at),
            1 => within(first.at, u64::MAX) || within(0, last.at),
            _ => !self.jumps.is_empty(),
        }
    }
}

fn share(before: &Key, next: &Key, at: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a share needs no more than 53 bits")]
    let share = (at - before.at) as f64 / (next.at - before.at) as f64;
    share
}

/// Joins the trajectories, each from its first waypoint.
fn keys(trajectories: &[Trajectory], pose: &Pose) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut begin = 0_u64;
    for trajectory in trajectories {
        let Some(first) = trajectory.waypoints.first().map(|waypoint| nanoseconds(waypoint.time)) else {
            continue;
        };
        let of_trajectory = trajectory.waypoints.iter().map(|waypoint| Key {
            at: begin.saturating_add(nanoseconds(waypoint.time) - first),
            pose: *pose * waypoint.pose,
        });
        keys.extend(of_trajectory);
        begin = keys.last().map_or(begin, |key: &Key| key.at);
    }
    keys
}

/// Saturates after five centuries.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "times are not negative")]
fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}

fn jumps(keys: &[Key], is_looped: bool) -> Vec<u64> {
    let pairs =
        keys.windows(2).filter(|pair| pair[0].at == pair[1].at && !is_same(&pair[0].pose, &pair[1].pose));
    let mut jumps: Vec<u64> = pairs.map(|pair| pair[0].at).collect();
    let ends = keys.first().zip(keys.last());
    jumps.extend(
        ends.filter(|(first, last)| is_looped && !is_same(&first.pose, &last.pose)).map(|(_, last)| last.at),
    );
    jumps
}

/// Returns true if two poses are equal within the tolerance.
pub(super) fn is_same(one: &Pose, other: &Pose) -> bool {
    let turned = 2.0 * (1.0 - one.rotation.dot(other.rotation).abs()).max(0.0).sqrt();
    one.position.distance(other.position) <= SAME_POSE && turned <= SAME_POSE
}
