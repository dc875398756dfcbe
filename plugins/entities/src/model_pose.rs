//! Publishes the poses of a model, of its links and of its sensors, as Gazebo's pose publisher does: each frame in its
//! parent.
//!
//! Frames: `world` to `<vehicle>`, `<vehicle>` to `<vehicle>/<link>`, and the link to the frame of each of its sensors.
//! [`Frames`] says which frames there are.

mod frames;
#[cfg(test)]
mod tests;

use bridgehead_plugin_api::host::{
    Description, Entities, HostHandle, Model, Params, Pose, Publisher, Qos, World,
};
use bridgehead_plugin_api::messages::geometry_msgs::{PoseStamped, TransformStamped};
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::schedule::{SampleTimes, Schedule};
use bridgehead_plugin_api::state::Remembers;
use bridgehead_plugin_api::{Error, Flow, Result};

use crate::pose::{pose_message, relative, transform};
use frames::{Frame, Frames, Place};

/// One publisher of poses.
pub(crate) struct ModelPose {
    world: World,
    entities: Entities,
    model: Model,
    description: Description,
    vehicle: String,
    wanted: Wanted,
    frames: Frames,
    /// Revision of the description that the frames were read from.
    revision: Option<u64>,
    schedule: Schedule,
    /// Of the frames that do not move in their parent, if they have messages of their own.
    static_schedule: Option<Schedule>,
    poses: Poses,
    static_poses: Option<Poses>,
    /// Whether poses that do not change were published since the last reset.
    has_published: bool,
    /// `None` if there are none on the topic that all models share.
    shared: Option<Publisher<TfMessage>>,
}

/// Which frames are published.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    model: bool,
    links: bool,
    sensors: bool,
}

/// A topic of poses.
enum Poses {
    /// That of the model in the world alone.
    Model(Publisher<PoseStamped>),
    /// One message for each frame.
    Single(Publisher<PoseStamped>),
    /// All in one message.
    Together(Publisher<TfMessage>),
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
        let topic = params.get_or("topic", "pose".to_owned())?;
        let static_topic = params.get_or("static_topic", format!("{topic}_static"))?;
        let form = Form::read(params)?;
        let is_split = params.get_or("static_publisher", false)?;
        let static_schedule = rate(params, "static_update_frequency")?;
        let static_poses = if is_split { Some(Poses::open(host, &static_topic, form)?) } else { None };
        Ok(ModelPose {
            world: host.world()?,
            entities: host.entities()?,
            description: host.description()?,
            model,
            vehicle,
            wanted: Wanted {
                model: params.get_or("publish_model_pose", true)?,
                links: params.get_or("publish_link_pose", true)?,
                sensors: params.get_or("publish_sensor_pose", true)?,
            },
            frames: Frames::default(),
            revision: None,
            schedule: rate(params, "update_frequency")?,
            static_schedule: is_split.then_some(static_schedule),
            poses: Poses::open(host, &topic, form)?,
            static_poses,
            has_published: false,
            shared: if params.get_or("publish_tf", true)? {
                Some(bus.advertise("/tf", Qos::default())?)
            } else {
                None
            },
        })
    }

    /// The model may have been built otherwise.
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.has_published = false;
        Ok(Flow::Continue)
    }

    fn sample_times(&self) -> SampleTimes {
        match self.static_schedule {
            // The steps of both.
            Some(_) => Schedule::with_period(std::time::Duration::ZERO).into(),
            None => self.schedule.into(),
        }
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        let is_due = self.schedule.due(step).is_some();
        // At once, and then at their own rate.
        let statics = self.static_schedule.is_some_and(|schedule| schedule.due(step).is_some())
            || self.static_schedule.is_some() && !self.has_published;
        let (is_heard, is_static_heard) =
            (self.poses.is_heard(), self.static_poses.as_ref().is_some_and(Poses::is_heard));
        let is_shared = self.shared.as_ref().is_some_and(Publisher::has_listeners);
        if !(is_due && (is_heard || is_shared) || statics && is_static_heard) {
            return Ok(Flow::Continue);
        }
        let Some(entity) = self.entities.find(&self.vehicle) else { return Ok(Flow::Continue) };
        self.read_frames();
        if is_due && is_heard {
            match &self.poses {
                Poses::Model(publisher) => {
                    let header = Some(Header::new(step.time_ns, frames::WORLD));
                    let pose = Some(pose_message(entity.pose));
                    publisher.publish(step.time_ns, &PoseStamped { header, pose })?;
                }
                Poses::Single(_) | Poses::Together(_) => {
                    let wanted = |frame: &Frame| self.static_poses.is_none() || !frame.is_static;
                    self.poses.publish(step, self.transforms(step, entity.pose, wanted)?)?;
                }
            }
        }
        if let Some(publisher) = self.static_poses.as_ref().filter(|_| statics && is_static_heard) {
            publisher.publish(step, self.transforms(step, entity.pose, |frame| frame.is_static)?)?;
            self.has_published = true;
        }
        if let Some(publisher) = self.shared.as_ref().filter(|_| is_due && is_shared) {
            let transforms = self.transforms(step, entity.pose, |_| true)?;
            publisher.publish(step.time_ns, &TfMessage { transforms })?;
        }
        Ok(Flow::Continue)
    }
}

impl ModelPose {
    /// Reads the frames again if the world has changed: sensors may come later.
    fn read_frames(&mut self) {
        let revision = self.description.revision();
        if self.revision == Some(revision) {
            return;
        }
        let description = self.description.read().unwrap_or_default();
        self.frames = Frames::of(&self.vehicle, &self.model.links(), &description);
        self.revision = Some(revision);
    }

    /// Returns the transforms of the frames that are published and pass the filter; the model is at `pose`.
    fn transforms(
        &self,
        step: &Step,
        pose: Pose,
        filter: impl Fn(&Frame) -> bool,
    ) -> Result<Vec<TransformStamped>> {
        let of = |frame: &Frame| {
            let in_parent = match frame.place {
                Place::Model => pose,
                Place::Link(link) => relative(pose, self.world.link_state(link)?.pose),
                Place::Sensor(mount) => mount,
            };
            Ok(TransformStamped {
                header: Some(Header::new(step.time_ns, frame.parent.as_str())),
                child_frame_id: frame.child.clone(),
                transform: Some(transform(in_parent)),
            })
        };
        let published = self.frames.0.iter().filter(|frame| self.wanted.includes(frame) && filter(frame));
        published.map(of).collect()
    }
}

impl Wanted {
    fn includes(self, frame: &Frame) -> bool {
        match frame.place {
            Place::Model => self.model,
            Place::Link(_) => self.links,
            Place::Sensor(_) => self.sensors,
        }
    }
}

/// The messages of a topic of poses.
#[derive(Clone, Copy, Debug)]
enum Form {
    Model,
    Single,
    Together,
}

impl Form {
    /// Gazebo publishes the pose of each entity; a topic of this project has the one of the model.
    fn read(params: Params) -> Result<Self> {
        let (each, together) =
            (params.get_or("publish_each_pose", false)?, params.get_or("use_pose_vector_msg", false)?);
        Ok(match (each, together) {
            (_, true) => Form::Together,
            (true, false) => Form::Single,
            (false, false) => Form::Model,
        })
    }
}

impl Poses {
    fn open(host: HostHandle, topic: &str, form: Form) -> Result<Self> {
        let bus = host.bus()?;
        Ok(match form {
            Form::Model => Poses::Model(bus.advertise(topic, Qos::sensor_data())?),
            Form::Single => Poses::Single(bus.advertise(topic, Qos::sensor_data())?),
            Form::Together => Poses::Together(bus.advertise(topic, Qos::sensor_data())?),
        })
    }

    fn is_heard(&self) -> bool {
        match self {
            Poses::Model(publisher) | Poses::Single(publisher) => publisher.has_listeners(),
            Poses::Together(publisher) => publisher.has_listeners(),
        }
    }

    fn publish(&self, step: &Step, transforms: Vec<TransformStamped>) -> Result {
        match self {
            Poses::Together(publisher) => publisher.publish(step.time_ns, &TfMessage { transforms }),
            Poses::Model(publisher) | Poses::Single(publisher) => {
                transforms.into_iter().try_for_each(|one| {
                    let pose = one.transform.map(|transform| pose_message(frames::pose_of(&transform)));
                    publisher.publish(step.time_ns, &PoseStamped { header: one.header, pose })
                })
            }
        }
    }
}

/// Returns the schedule of a frequency. In Gazebo -1 means every step.
fn rate(params: Params, path: &str) -> Result<Schedule> {
    let rate: f64 = params.get_or(path, 0.0)?;
    Schedule::with_rate(rate.max(0.0)).map_err(|_| {
        params.refuse(path, &rate.to_string(), "messages per second, or 0 for one in every step")
    })
}
