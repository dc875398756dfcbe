//! Cameras: colour, depth, points, labels and boxes, drawn from the visuals of the world.
//!
//! An image has three stations. In the step of the exposure, the simulation thread takes the poses of all links
//! ([`Sensor::expose`]). The thread of the camera draws them and makes the messages ([`darkroom`]), while the simulation
//! goes on. In the step in which the image is due, the simulation thread publishes the messages
//! ([`Sensor::deliver`]); only if they are not there by then, it waits. So the step in which an image arrives does not
//! depend on how fast the machine draws.
//!
//! [`studio`] is the renderer that all cameras share, [`kind::Kind`] the types of sensors, [`settings::Settings`] their
//! elements, [`lens::Lens`] the projection, and [`rays`] the images without a graphics adapter.

mod boxes;
mod classes;
mod darkroom;
mod format;
mod kind;
mod lens;
mod messages;
mod noise;
mod planes;
mod rays;
mod settings;
mod studio;

use std::collections::VecDeque;
use std::marker::PhantomData;

use bridgehead_plugin_api::host::{HostHandle, LinkId, Pose, Qos, RawPublisher, Subscription, World};
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::lgsvl_msgs::Detection2DArray;
use bridgehead_plugin_api::messages::sensor_msgs::{CameraInfo, CompressedImage, Image, PointCloud2};
use bridgehead_plugin_api::messages::std_msgs::Bool;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::random::RandomKey;
use bridgehead_plugin_api::schedule::{SampleTimes, Schedule};
use bridgehead_plugin_api::state::Remembers;
use bridgehead_plugin_api::{Error, Flow, Result, export_plugin};
use bridgehead_render::Placement;
use glam::{DQuat, DVec3};

use crate::darkroom::{Camera, Darkroom, Exposure, Job, Messages, Reply};
use crate::kind::{Kind, Stream};
use crate::rays::Caster;
use crate::settings::{Adapter, Settings};

export_plugin! {
    model Sensor<Color> { id: "org.bridgehead.sensor.camera", name: "camera", vendor: "Bridgehead" }
    model Sensor<Rgbd> { id: "org.bridgehead.sensor.rgbd_camera", name: "rgbd_camera", vendor: "Bridgehead" }
    model Sensor<Segmentation> {
        id: "org.bridgehead.sensor.segmentation_camera", name: "segmentation_camera", vendor: "Bridgehead"
    }
    model Sensor<Boxes> {
        id: "org.bridgehead.sensor.boundingbox_camera", name: "boundingbox_camera", vendor: "Bridgehead"
    }
    model Sensor<WideAngle> {
        id: "org.bridgehead.sensor.wide_angle_camera", name: "wide_angle_camera", vendor: "Bridgehead"
    }
    model Sensor<Depth> { id: "org.bridgehead.sensor.depth_camera", name: "depth_camera", vendor: "Bridgehead" }
}

/// A kind of sensor as a type, because each plugin is a type.
trait Typed: Send + 'static {
    const KIND: Kind;
}

macro_rules! typed {
    ($($name:ident),+) => { $(
        struct $name;
        impl Typed for $name {
            const KIND: Kind = Kind::$name;
        }
    )+ };
}
typed!(Color, Depth, Rgbd, Segmentation, Boxes, WideAngle);

/// One camera.
struct Sensor<T> {
    camera: Camera,
    world: World,
    link: LinkId,
    /// Pose of the sensor in its link: x forward, y left, z up.
    mount: Pose,
    schedule: Schedule,
    /// Time between two images; 0 for one per step.
    period_ns: i64,
    publishers: Vec<RawPublisher>,
    /// For a camera that waits for a message before each image.
    trigger: Option<Trigger>,
    /// From the first image that somebody receives to the stop.
    drawing: Option<Drawing>,
    /// Images that are due later.
    pending: VecDeque<Pending>,
    kind: PhantomData<fn() -> T>,
}

/// Messages that ask for an image.
struct Trigger {
    requests: Subscription<Bool>,
    is_asked: bool,
}

impl Trigger {
    /// Reads `<triggered>` and `<trigger_topic>`.
    fn read(host: HostHandle, topic: &str) -> Result<Option<Self>> {
        let params = host.params()?;
        let chosen = params.text("camera/trigger_topic");
        if !params.get_or("camera/triggered", false)? {
            return Ok(None);
        }
        let topic = chosen.unwrap_or_else(|| format!("{topic}/trigger"));
        let requests = host.bus()?.subscribe(&topic, Qos::default())?;
        Ok(Some(Trigger { requests, is_asked: false }))
    }

    /// True if an image was asked for since the last one that was due.
    fn take(&mut self) -> bool {
        while let Some(request) = self.requests.take() {
            self.is_asked |= request.message.data;
        }
        std::mem::take(&mut self.is_asked)
    }
}

/// What a camera has while it is received.
struct Drawing {
    darkroom: Darkroom,
    /// Revision of the scene that its thread has.
    revision: u64,
    /// Without an adapter.
    caster: Option<Caster>,
    /// Messages that came before they were due, by their sample.
    early: VecDeque<(u64, Result<Messages>)>,
}

struct Pending {
    sample: u64,
    exposed_ns: i64,
    due_ns: i64,
}

impl<T: Typed> ModelPlugin for Sensor<T> {
    const PHASES: Phases = Phases::SAMPLE;
    // Images that are on their way are not in a snapshot.
    const REMEMBERS: Remembers = Remembers::Unsaved;

    fn awake(host: HostHandle) -> Result<Self> {
        let attachment = host.model()?.attachment()?;
        let link = attachment.parent_link.ok_or_else(|| {
            Error::invalid("a camera must be on a link; put its <sensor> element into a <link>")
        })?;
        let random = RandomKey::new(attachment.seed, &attachment.path);
        let params = host.params()?;
        let settings = Settings::read(params, T::KIND, random)?;
        let frame_id = params
            .text("camera/optical_frame_id")
            .unwrap_or_else(|| format!("{}_optical_frame", attachment.frame_id));
        let info_topic = params.text("camera/camera_info_topic");
        let topic = attachment.topic.as_deref().unwrap_or(T::KIND.topic());
        let streams = T::KIND.streams();
        let mut publishers = Vec::with_capacity(streams.len());
        for (suffix, stream) in streams {
            let name = match (stream, &info_topic) {
                (Stream::Info, Some(chosen)) if T::KIND != Kind::Rgbd => chosen.clone(),
                _ => format!("{topic}/{suffix}"),
            };
            publishers.push(advertise(host, &name, *stream)?);
        }
        let trigger = Trigger::read(host, topic)?;
        let streams = streams.iter().map(|(_, stream)| *stream).collect();
        Ok(Sensor {
            camera: Camera { host, settings, streams, frame_id, random },
            world: host.world()?,
            link,
            mount: attachment.pose,
            schedule: Schedule::with_period(attachment.update_period),
            period_ns: i64::try_from(attachment.update_period.as_nanos()).unwrap_or(i64::MAX),
            publishers,
            trigger,
            drawing: None,
            pending: VecDeque::new(),
            kind: PhantomData,
        })
    }

    /// Images that were exposed before it do not arrive after it.
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        if let Some(trigger) = self.trigger.as_mut() {
            trigger.is_asked = false;
        }
        while let Some(pending) = self.pending.pop_front() {
            drop(self.collect(pending.sample));
        }
        Ok(Flow::Continue)
    }

    fn sample_times(&self) -> SampleTimes {
        let period = self.period_ns;
        let latency = self.camera.settings.latency_ns.unwrap_or(period);
        Schedule::with_period(std::time::Duration::from_nanos(common_divisor(period, latency))).into()
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        if let Some(sample) = self.schedule.due(step) {
            let heard: Vec<bool> = self.publishers.iter().map(RawPublisher::has_listeners).collect();
            let is_asked = self.trigger.as_mut().is_none_or(Trigger::take);
            if is_asked && heard.contains(&true) {
                self.expose(step, sample, heard)?;
            }
        }
        self.deliver(step)?;
        Ok(Flow::Continue)
    }

    fn stop(&mut self) -> Result<Flow> {
        self.pending.clear();
        self.drawing = None;
        Ok(Flow::Continue)
    }
}

fn advertise(host: HostHandle, topic: &str, stream: Stream) -> Result<RawPublisher> {
    fn typed<M: Message>(host: HostHandle, topic: &str) -> Result<RawPublisher> {
        host.register::<M>()?;
        host.bus()?.advertise_raw(topic, M::FULL_NAME, Qos::sensor_data())
    }
    match stream {
        Stream::Info => typed::<CameraInfo>(host, topic),
        Stream::Jpeg => typed::<CompressedImage>(host, topic),
        Stream::Points => typed::<PointCloud2>(host, topic),
        Stream::Boxes => typed::<Detection2DArray>(host, topic),
        Stream::Color | Stream::Depth | Stream::Labels | Stream::Colored => typed::<Image>(host, topic),
    }
}

/// Of two times in nanoseconds; 0 if one of them is not a multiple of anything.
fn common_divisor(period: i64, latency: i64) -> u64 {
    let (mut one, mut other) = (period.unsigned_abs(), latency.unsigned_abs());
    while other > 0 {
        (one, other) = (other, one % other);
    }
    if period == 0 { 0 } else { one }
}

impl<T: Typed> Sensor<T> {
    /// Takes the poses of this step for an image.
    fn expose(&mut self, step: &Step, sample: u64, heard: Vec<bool>) -> Result {
        self.follow_scene()?;
        let pose = self.world.link_state(self.link)?.pose.compose(self.mount);
        let Some(drawing) = self.drawing.as_mut() else { return Ok(()) };
        // In this phase it is there at once.
        let poses = self.camera.host.scene()?.poses(std::time::Duration::ZERO)?;
        let poses = poses.ok_or_else(|| Error::new("the host has no poses in a step"))?;
        let settings = &self.camera.settings;
        let hits = match drawing.caster.as_mut() {
            Some(caster) => Some(caster.cast(pose, (0.0, settings.clip.1.max(settings.depths.1)))?),
            None => None,
        };
        let camera = Placement {
            position: DVec3::from_array(pose.position),
            orientation: DQuat::from_array(pose.orientation),
        };
        let exposed_ns = step.time_ns;
        drawing.darkroom.ask(Job::Expose(Exposure {
            sample,
            time_ns: exposed_ns,
            camera,
            poses,
            heard,
            hits,
        }))?;
        // Both times are multiples of the period, to which steps are late by less than their width: so the delays do not
        // add up.
        let nominal_ns = match self.period_ns {
            0 => exposed_ns,
            period => i64::try_from(sample).unwrap_or(i64::MAX).saturating_mul(period),
        };
        let latency = settings.latency_ns.unwrap_or(self.period_ns.max(step.width_ns));
        self.pending.push_back(Pending { sample, exposed_ns, due_ns: nominal_ns.saturating_add(latency) });
        Ok(())
    }

    /// Lets the thread of the camera read the scene, if it has changed. The step waits for it: otherwise it would depend on
    /// the machine which image is the first one that shows a new model.
    fn follow_scene(&mut self) -> Result {
        let revision = self.camera.host.scene()?.revision();
        if self.drawing.as_ref().is_some_and(|drawing| drawing.revision == revision) {
            return Ok(());
        }
        let is_first = self.drawing.is_none();
        let mut drawing = match self.drawing.take() {
            Some(drawing) => drawing,
            None => Drawing {
                darkroom: Darkroom::start(self.camera.clone())?,
                revision,
                caster: None,
                early: VecDeque::new(),
            },
        };
        drawing.revision = revision;
        drawing.darkroom.ask(Job::Scene)?;
        let adapter = loop {
            match drawing.darkroom.answer()? {
                Reply::Scene(adapter) => break adapter,
                Reply::Messages { sample, messages } => drawing.early.push_back((sample, messages)),
            }
        };
        match adapter {
            Ok(name) if is_first => log::info!("draws with {name}"),
            Ok(_) => {}
            Err(error) => self.use_rays(&mut drawing, error.text())?,
        }
        self.drawing = Some(drawing);
        Ok(())
    }

    /// Goes on without an adapter.
    fn use_rays(&self, drawing: &mut Drawing, why: &str) -> Result {
        if drawing.caster.is_some() {
            return Ok(());
        }
        if self.camera.settings.adapter != Adapter::Rays {
            log::warn!(
                "{why}; images are made of rays instead, which meet collision shapes and have plain colours \
                 (BRIDGEHEAD_ADAPTER=rays chooses that)"
            );
        }
        let directions = self.camera.settings.lens.directions();
        drawing.caster = Some(Caster::new(self.camera.host, self.link, &directions)?);
        Ok(())
    }

    /// Publishes the images that are due, in the order of their exposure.
    fn deliver(&mut self, step: &Step) -> Result {
        while self.pending.front().is_some_and(|pending| pending.due_ns <= step.time_ns) {
            let Some(pending) = self.pending.pop_front() else { break };
            match self.collect(pending.sample) {
                Ok(messages) => {
                    for (index, payload) in messages {
                        if let Some(publisher) = self.publishers.get(index) {
                            publisher.publish(pending.exposed_ns, &payload)?;
                        }
                    }
                }
                Err(error) => {
                    let Some(mut drawing) = self.drawing.take() else { continue };
                    self.use_rays(&mut drawing, error.text())?;
                    self.drawing = Some(drawing);
                }
            }
        }
        Ok(())
    }

    /// Returns the messages of an image; waits until they are made.
    fn collect(&mut self, sample: u64) -> Result<Messages> {
        let Some(drawing) = self.drawing.as_mut() else { return Ok(Vec::new()) };
        if drawing.early.front().is_some_and(|(of, _)| *of == sample) {
            return drawing.early.pop_front().map_or_else(|| Ok(Vec::new()), |(_, messages)| messages);
        }
        loop {
            match drawing.darkroom.answer()? {
                Reply::Messages { sample: of, messages } if of == sample => return messages,
                Reply::Messages { .. } | Reply::Scene(_) => {}
            }
        }
    }
}
