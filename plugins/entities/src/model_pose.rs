//! Publishes the poses of a model: its own in the world as a message and as a transform, and those of its links as
//! transforms.
//!
//! Frames: `world` to `<vehicle>`, and `<vehicle>` to `<vehicle>/<link>`.

use bridgehead_plugin_api::host::{Entities, HostHandle, Link, Publisher, Qos, World};
use bridgehead_plugin_api::messages::geometry_msgs::{PoseStamped, TransformStamped};
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::schedule::{SampleTimes, Schedule};
use bridgehead_plugin_api::state::Remembers;
use bridgehead_plugin_api::{Error, Flow, Result};

use crate::pose::{pose_message, relative, transform};

/// One publisher of poses.
pub(crate) struct ModelPose {
    world: World,
    entities: Entities,
    vehicle: String,
    /// Links whose transforms are published.
    links: Vec<Link>,
    has_model: bool,
    schedule: Schedule,
    pose: Publisher<PoseStamped>,
    transforms: Publisher<TfMessage>,
}

impl ModelPlugin for ModelPose {
    const PHASES: Phases = Phases::SAMPLE;
    const REMEMBERS: Remembers = Remembers::Nothing;

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus, model) = (host.params()?, host.bus()?, host.model()?);
        let vehicle = model.attachment()?.vehicle;
        if vehicle.is_empty() {
            return Err(Error::invalid(
                "model_pose publishes the poses of a model; put its <plugin> into a <model>",
            ));
        }
        let rate: f64 = params.get_or("update_frequency", 0.0)?;
        let links = if params.get_or("publish_link_pose", true)? { model.links() } else { Vec::new() };
        Ok(ModelPose {
            world: host.world()?,
            entities: host.entities()?,
            links,
            has_model: params.get_or("publish_model_pose", true)?,
            // In Gazebo -1 means every step.
            schedule: Schedule::with_rate(rate.max(0.0))?,
            pose: bus
                .advertise(&params.text("topic").unwrap_or_else(|| "pose".to_owned()), Qos::sensor_data())?,
            transforms: bus.advertise("/tf", Qos::default())?,
            vehicle,
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
        let (pose, tf) = (self.pose.has_listeners(), self.transforms.has_listeners());
        if !(pose || tf) || self.schedule.due(step).is_none() {
            return Ok(Flow::Continue);
        }
        let Some(entity) = self.entities.find(&self.vehicle) else { return Ok(Flow::Continue) };
        let world = || Some(Header::new(step.time_ns, "world"));
        if pose {
            let message = PoseStamped { header: world(), pose: Some(pose_message(entity.pose)) };
            self.pose.publish(step.time_ns, &message)?;
        }
        if tf {
            let mut transforms = Vec::with_capacity(self.links.len() + 1);
            if self.has_model {
                transforms.push(TransformStamped {
                    header: world(),
                    child_frame_id: self.vehicle.clone(),
                    transform: Some(transform(entity.pose)),
                });
            }
            for link in &self.links {
                let in_model = relative(entity.pose, self.world.link_state(link.id)?.pose);
                transforms.push(TransformStamped {
                    header: Some(Header::new(step.time_ns, self.vehicle.as_str())),
                    child_frame_id: link.frame_id.clone(),
                    transform: Some(transform(in_model)),
                });
            }
            self.transforms.publish(step.time_ns, &TfMessage { transforms })?;
        }
        Ok(Flow::Continue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::{Entity, EntityId, LinkState, Pose};
    use bridgehead_plugin_api::testing::{TestHost, TestModel};

    #[test]
    fn transforms_lead_from_the_world_over_the_model_to_its_links() {
        let host = TestHost::builder().vehicle("car").link("base").param("update_frequency", 500).build();
        let at = |x: f64| Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY };
        host.set_link_state("base", LinkState { pose: at(5.5), linear: [0.0; 3], angular: [0.0; 3] });
        host.set_entity(Entity {
            id: EntityId(1),
            name: "car".to_owned(),
            is_static: false,
            is_spawned: false,
            pose: at(5.0),
            linear: [0.0; 3],
            angular: [0.0; 3],
            box_min: [0.0; 3],
            box_max: [0.0; 3],
        });
        host.listen("/tf");
        host.listen("pose");
        TestModel::<ModelPose>::started(host).run(10).expect_done();
        assert_eq!((host.published("/tf").len(), host.published("pose").len()), (5, 5));
        let transforms = host.last::<TfMessage>("/tf").transforms;
        let told: Vec<(String, String, f64)> = transforms
            .into_iter()
            .map(|one| {
                let x = one.transform.and_then(|transform| transform.translation).expect("a translation").x;
                (one.header.expect("a header").frame_id, one.child_frame_id, x)
            })
            .collect();
        let expected = [("world", "car", 5.0), ("car", "car/base", 0.5)];
        assert_eq!(told, expected.map(|(parent, child, x)| (parent.to_owned(), child.to_owned(), x)));
    }
}
