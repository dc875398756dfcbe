//! Ground truth: reports every model within range as a three-dimensional detection, without misses or errors.
//!
//! On a link it reports in the frame of the sensor, on a model in the model frame, on the world in world coordinates.
//! Detections have the ids of their entities, which do not change.

use bridgehead_plugin_api::host::{
    Attachment, Entities, Entity, HostHandle, Params, Pose, Publisher, Qos, World,
};
use bridgehead_plugin_api::messages::geometry_msgs::Twist;
use bridgehead_plugin_api::messages::lgsvl_msgs::{BoundingBox3D, Detection3D, Detection3DArray};
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::schedule::{SampleTimes, Schedule};
use bridgehead_plugin_api::state::Remembers;
use bridgehead_plugin_api::{Flow, Result};

use crate::pose::{pose_message, relative, vector};

/// Default topic.
const TOPIC: &str = "ground_truth";

/// Default rate in Hz, as in LGSVL's sensor.
const RATE: f64 = 10.0;

/// Default range in metres, as in LGSVL's sensor.
const MAX_DISTANCE: f64 = 100.0;

/// A model to report.
struct Target {
    name: String,
    /// Id of its detections; `None` for the entity's id.
    id: Option<u32>,
}

/// One observer.
pub(crate) struct GroundTruth {
    world: World,
    entities: Entities,
    at: Attachment,
    frame_id: String,
    max_distance: f64,
    /// Whether a detection is at the origin of its model, as in CLOiSim, instead of the centre of its box.
    is_at_origin: bool,
    /// Models to report; empty for all.
    targets: Vec<Target>,
    schedule: Schedule,
    publisher: Publisher<Detection3DArray>,
}

impl ModelPlugin for GroundTruth {
    const PHASES: Phases = Phases::SAMPLE;
    const REMEMBERS: Remembers = Remembers::Nothing;

    fn awake(host: HostHandle) -> Result<Self> {
        let params = host.params()?;
        let at = host.model()?.attachment()?;
        let topic = params.text("topic").or_else(|| at.topic.clone()).unwrap_or_else(|| TOPIC.to_owned());
        Ok(GroundTruth {
            world: host.world()?,
            entities: host.entities()?,
            frame_id: frame_of(&at),
            max_distance: max_distance(params)?,
            is_at_origin: is_at_origin(params)?,
            targets: (0..params.count("target"))
                .map(|index| Target::read(params, &format!("target[{index}]")))
                .collect::<Result<_>>()?,
            schedule: schedule(params, &at)?,
            publisher: host.bus()?.advertise(&topic, Qos::sensor_data())?,
            at,
        })
    }

    /// There is no state between samples.
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        Ok(Flow::Continue)
    }

    fn sample_times(&self) -> SampleTimes {
        self.schedule.into()
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        if self.schedule.due(step).filter(|_| self.publisher.has_listeners()).is_none() {
            return Ok(Flow::Continue);
        }
        let frame = self.frame()?;
        let detections: Vec<Detection3D> = self
            .entities
            .iter()
            .filter(|entity| self.is_wanted(entity))
            .filter_map(|entity| self.detection(step, frame, &entity))
            .collect();
        let header = Some(Header::new(step.time_ns, self.frame_id.as_str()));
        self.publisher.publish(step.time_ns, &Detection3DArray { header, detections })?;
        Ok(Flow::Continue)
    }
}

impl Target {
    fn read(params: Params, path: &str) -> Result<Self> {
        Ok(Target { name: params.require(path)?, id: params.get(&format!("{path}/@tracking_id"))? })
    }
}

impl GroundTruth {
    fn target(&self, entity: &Entity) -> Option<&Target> {
        self.targets.iter().find(|target| target.name == entity.name)
    }

    /// Returns the pose of the observer.
    fn frame(&self) -> Result<Pose> {
        if let Some(link) = self.at.parent_link {
            return Ok(self.world.link_state(link)?.pose.compose(self.at.pose));
        }
        Ok(self.entities.find(&self.at.vehicle).map_or(Pose::IDENTITY, |entity| entity.pose))
    }

    /// Excludes the observer itself and the ground.
    fn is_wanted(&self, entity: &Entity) -> bool {
        if !self.targets.is_empty() {
            return self.target(entity).is_some();
        }
        entity.name != self.at.vehicle && entity.box_min != entity.box_max
    }

    /// Returns a detection, or `None` if the model is out of range.
    fn detection(&self, step: &Step, frame: Pose, entity: &Entity) -> Option<Detection3D> {
        let middle: [f64; 3] =
            std::array::from_fn(|axis| f64::midpoint(entity.box_min[axis], entity.box_max[axis]));
        let center = entity.pose.compose(Pose { position: middle, ..Pose::IDENTITY });
        let seen = relative(frame, if self.is_at_origin { entity.pose } else { center });
        let distance = seen.position.iter().map(|way| way * way).sum::<f64>().sqrt();
        let size = std::array::from_fn(|axis| entity.box_max[axis] - entity.box_min[axis]);
        (distance <= self.max_distance).then(|| Detection3D {
            header: Some(Header::new(step.time_ns, self.frame_id.as_str())),
            id: self
                .target(entity)
                .and_then(|target| target.id)
                .unwrap_or_else(|| u32::try_from(entity.id.0).unwrap_or(u32::MAX)),
            label: entity.name.clone(),
            score: 1.0,
            bbox: Some(BoundingBox3D { position: Some(pose_message(seen)), size: Some(vector(size)) }),
            velocity: Some(Twist {
                linear: Some(vector(frame.rotate_inverse(entity.linear))),
                angular: Some(vector(frame.rotate_inverse(entity.angular))),
            }),
        })
    }
}

fn frame_of(at: &Attachment) -> String {
    match (at.parent_link, at.vehicle.is_empty()) {
        (Some(_), _) => at.frame_id.clone(),
        (None, false) => at.vehicle.clone(),
        (None, true) => "world".to_owned(),
    }
}

fn is_at_origin(params: Params) -> Result<bool> {
    match params.text("position").as_deref() {
        None | Some("box") => Ok(false),
        Some("model") => Ok(true),
        Some(other) => Err(params.refuse(
            "position",
            other,
            "`box`, the centre of the bounding box, or `model`, the model frame",
        )),
    }
}

fn max_distance(params: Params) -> Result<f64> {
    let value = params.get_or("max_distance", MAX_DISTANCE)?;
    if value > 0.0 {
        Ok(value)
    } else {
        Err(params.refuse("max_distance", &value.to_string(), "metres above 0"))
    }
}

/// Returns a sensor's own rate, or the `<update_rate>` of a plugin.
fn schedule(params: Params, at: &Attachment) -> Result<Schedule> {
    match params.get::<f64>("update_rate")? {
        Some(rate) => Schedule::with_rate(rate),
        None if !at.update_period.is_zero() => Ok(Schedule::with_period(at.update_period)),
        None => Schedule::with_rate(RATE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::EntityId;
    use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

    fn entity(name: &str, id: u64, x: f64) -> Entity {
        Entity {
            id: EntityId(id),
            name: name.to_owned(),
            is_static: false,
            is_spawned: false,
            pose: Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY },
            linear: [2.0, 0.0, 0.0],
            angular: [0.0; 3],
            box_min: [-1.0, -0.5, 0.0],
            box_max: [1.0, 0.5, 2.0],
        }
    }

    fn seen(builder: TestHostBuilder) -> Vec<Detection3D> {
        let host = builder.build();
        host.set_entity(entity("car", 1, 10.0));
        host.set_entity(entity("near", 2, 30.0));
        host.set_entity(entity("far", 3, 111.0));
        let ground = Entity { box_min: [0.0; 3], box_max: [0.0; 3], ..entity("ground", 4, 0.0) };
        host.set_entity(ground);
        host.listen("ground_truth");
        TestModel::<GroundTruth>::started(host).run(100).expect_done();
        assert_eq!(host.published("ground_truth").len(), 1);
        host.last::<Detection3DArray>("ground_truth").detections
    }

    #[test]
    fn a_vehicle_sees_boxes_around_others_in_its_own_frame() {
        let found = seen(TestHost::builder().vehicle("car"));
        let [near] = found.as_slice() else { panic!("one detection, not {found:?}") };
        assert_eq!((near.label.as_str(), near.id), ("near", 2));
        let bbox = near.bbox.as_ref().expect("a box");
        assert_eq!(bbox.size, Some(vector([2.0, 1.0, 2.0])));
        let center = bbox.position.as_ref().and_then(|pose| pose.position.as_ref()).expect("a center");
        assert_eq!((center.x, center.z), (20.0, 1.0));
        assert_eq!(near.velocity.as_ref().and_then(|twist| twist.linear.as_ref()).map(|v| v.x), Some(2.0));
        assert_eq!(near.header.as_ref().map(|header| header.frame_id.as_str()), Some("car"));
    }

    #[test]
    fn the_world_sees_all_and_targets_can_be_selected() {
        let names = |builder| seen(builder).into_iter().map(|one| one.label).collect::<Vec<_>>();
        assert_eq!(names(TestHost::builder().param("max_distance", 200)), ["car", "near", "far"]);
        assert_eq!(names(TestHost::builder().params([("max_distance", "200"), ("target", "far")])), ["far"]);
    }

    #[test]
    fn a_detection_may_be_at_the_origin_of_its_model() {
        let found = seen(TestHost::builder().vehicle("car").param("position", "model"));
        let bbox = found[0].bbox.as_ref().expect("a box");
        let place = bbox.position.as_ref().and_then(|pose| pose.position.as_ref()).expect("a position");
        assert_eq!((place.x, place.z), (20.0, 0.0));
        let host = TestHost::builder().param("position", "roof").build();
        let error = TestModel::<GroundTruth>::create(host).awake().expect_failed();
        assert!(error.text().contains("`position` is `roof`"), "{error}");
    }

    #[test]
    fn targets_may_have_their_own_ids() {
        let builder = TestHost::builder()
            .params([("max_distance", "200"), ("target[0]", "near"), ("target[0]/@tracking_id", "70")])
            .params([("target[1]", "far"), ("target[2]", "nobody"), ("target[2]/@tracking_id", "71")]);
        let ids: Vec<(String, u32)> = seen(builder).into_iter().map(|one| (one.label, one.id)).collect();
        assert_eq!(ids, [("near".to_owned(), 70), ("far".to_owned(), 3)]);
        let host = TestHost::builder().params([("target", "near"), ("target/@tracking_id", "-1")]).build();
        let error = TestModel::<GroundTruth>::create(host).awake().expect_failed();
        assert!(error.text().contains("`target[0]/@tracking_id` is `-1`"), "{error}");
    }
}
