//! One camera of a sensor: what it publishes, and its images from the exposure to their delivery. Used by the simulation
//! thread; the thread of the camera is [`render_thread`](crate::render_thread).

use std::collections::VecDeque;

use bridgehead_plugin_api::host::{
    Attachment, HostHandle, LinkId, Pose, Qos, RawPublisher, Subscription, World,
};
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::lgsvl_msgs::{Detection2DArray, Detection3DArray};
use bridgehead_plugin_api::messages::sensor_msgs::{CameraInfo, CompressedImage, Image, PointCloud2};
use bridgehead_plugin_api::messages::std_msgs::Bool;
use bridgehead_plugin_api::messages::vision_msgs::LabelInfo;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::random::RandomKey;
use bridgehead_plugin_api::{Error, Result};
use bridgehead_render::Placement;
use glam::{DQuat, DVec3};

use crate::element::Element;
use crate::kind::{Kind, Stream};
use crate::rays::Caster;
use crate::render_thread::{Camera, Exposure, Job, Messages, RenderThread, Reply};
use crate::settings::{Adapter, Settings};
use crate::thermal::Thermometer;

/// One camera.
pub(crate) struct SensorCamera {
    camera: Camera,
    world: World,
    link: LinkId,
    /// Pose of the camera in the link: x forward, y left, z up.
    mount: Pose,
    /// Time between two images; 0 for one per step.
    period_ns: i64,
    publishers: Vec<RawPublisher>,
    /// For a camera that waits for a message before each image.
    trigger: Option<Trigger>,
    /// From the first image that somebody receives to the stop.
    drawing: Option<Drawing>,
    /// Images that are due later.
    pending: VecDeque<Pending>,
}

/// Messages that ask for an image.
struct Trigger {
    requests: Subscription<Bool>,
    is_asked: bool,
}

impl Trigger {
    /// Reads `<triggered>` and `<trigger_topic>`.
    fn read(host: HostHandle, element: &Element, topic: &str) -> Result<Option<Self>> {
        let chosen = element.text("trigger_topic");
        if !element.get_or("triggered", false)? {
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
    render_thread: RenderThread,
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

impl SensorCamera {
    /// Reads the parameters of a camera and offers its topics.
    pub(crate) fn open(host: HostHandle, sensor: &Attachment, kind: Kind, element: &Element) -> Result<Self> {
        let link = sensor.parent_link.ok_or_else(|| {
            Error::invalid("a camera must be on a link; put its <sensor> element into a <link>")
        })?;
        let sensor_random = RandomKey::new(sensor.seed, &sensor.path);
        let sensor_topic = sensor.topic.as_deref().unwrap_or(kind.topic());
        let (random, frame_id, topic) = if element.name.is_empty() {
            (sensor_random, sensor.frame_id.clone(), sensor_topic.to_owned())
        } else {
            let name = &element.name;
            (
                sensor_random.child(name),
                format!("{}/{name}", sensor.frame_id),
                format!("{sensor_topic}/{name}"),
            )
        };
        let settings = Settings::read(element, kind, random)?;
        let thermometer = match kind {
            Kind::Thermal => Some(Thermometer::read(host, element.sensor, settings.format)?),
            Kind::Color
            | Kind::Depth
            | Kind::Rgbd
            | Kind::Segmentation
            | Kind::Boxes
            | Kind::WideAngle
            | Kind::Multi => None,
        };
        let frame_id =
            element.text("optical_frame_id").unwrap_or_else(|| format!("{frame_id}_optical_frame"));
        let streams = kind.streams(settings.boxes);
        let publishers = advertise_all(host, (kind, streams), &topic, element)?;
        Ok(SensorCamera {
            camera: Camera {
                host,
                settings,
                thermometer,
                streams: streams.iter().map(|(_, stream)| *stream).collect(),
                frame_id,
                random,
            },
            world: host.world()?,
            link,
            mount: sensor.pose.compose(element.pose()?),
            period_ns: i64::try_from(sensor.update_period.as_nanos()).unwrap_or(i64::MAX),
            publishers,
            trigger: Trigger::read(host, element, &topic)?,
            drawing: None,
            pending: VecDeque::new(),
        })
    }

    /// Simulated time from an exposure to its delivery.
    pub(crate) fn latency_ns(&self) -> i64 {
        self.camera.settings.latency_ns.unwrap_or(self.period_ns)
    }

    /// Takes an image in a step in which one is due, if it was asked for and somebody receives it.
    pub(crate) fn look(&mut self, step: &Step, sample: u64) -> Result {
        let heard: Vec<bool> = self.publishers.iter().map(RawPublisher::has_listeners).collect();
        let is_asked = self.trigger.as_mut().is_none_or(Trigger::take);
        if is_asked && heard.contains(&true) { self.expose(step, sample, heard) } else { Ok(()) }
    }

    /// Drops the images that have not arrived.
    pub(crate) fn forget(&mut self) {
        if let Some(trigger) = self.trigger.as_mut() {
            trigger.is_asked = false;
        }
        while let Some(pending) = self.pending.pop_front() {
            drop(self.collect(pending.sample));
        }
    }

    /// Ends the thread.
    pub(crate) fn stop(&mut self) {
        self.pending.clear();
        self.drawing = None;
    }

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
        drawing.render_thread.ask(Job::Expose(Exposure {
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
                render_thread: RenderThread::start(self.camera.clone())?,
                revision,
                caster: None,
                early: VecDeque::new(),
            },
        };
        drawing.revision = revision;
        drawing.render_thread.ask(Job::Scene)?;
        let adapter = loop {
            match drawing.render_thread.answer()? {
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
    pub(crate) fn deliver(&mut self, step: &Step) -> Result {
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
                    self.camera.host.report()?.lost(1);
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
            match drawing.render_thread.answer()? {
                Reply::Messages { sample: of, messages } if of == sample => return messages,
                Reply::Messages { .. } | Reply::Scene(_) => {}
            }
        }
    }
}

fn advertise_all(
    host: HostHandle,
    (kind, streams): (Kind, &[(&str, Stream)]),
    topic: &str,
    element: &Element,
) -> Result<Vec<RawPublisher>> {
    let info_topic = element.text("camera_info_topic");
    let given = given_topics(element);
    let offered = streams.iter().map(|(suffix, stream)| {
        let given = given.iter().find(|(name, _)| name == suffix).map(|(_, topic)| topic.clone());
        let name = match (given, stream, &info_topic) {
            (Some(given), _, _) => given,
            (None, Stream::Info, Some(chosen)) if kind != Kind::Rgbd => chosen.clone(),
            _ => format!("{topic}/{suffix}"),
        };
        advertise(host, &name, *stream)
    });
    offered.collect()
}

/// Returns the topics that the host gives in the style of another simulator, by the suffixes that they replace.
fn given_topics(element: &Element) -> Vec<(String, String)> {
    const PATH: &str = "bridgehead:topics/topic";
    let given = |index: usize| {
        let suffix = element.sensor.text(&format!("{PATH}[{index}]/@for"))?;
        Some((suffix, element.sensor.text(&format!("{PATH}[{index}]"))?))
    };
    (0..element.sensor.count(PATH)).filter_map(given).collect()
}

fn advertise(host: HostHandle, topic: &str, stream: Stream) -> Result<RawPublisher> {
    fn typed<M: Message>(host: HostHandle, topic: &str) -> Result<RawPublisher> {
        host.register::<M>()?;
        host.bus()?.advertise_raw(topic, M::FULL_NAME, Qos::sensor_data())
    }
    match stream {
        Stream::Info => typed::<CameraInfo>(host, topic),
        Stream::Compressed => typed::<CompressedImage>(host, topic),
        Stream::Points => typed::<PointCloud2>(host, topic),
        Stream::Boxes => typed::<Detection2DArray>(host, topic),
        Stream::Solids => typed::<Detection3DArray>(host, topic),
        Stream::ModelNames => typed::<LabelInfo>(host, topic),
        Stream::Color
        | Stream::Depth
        | Stream::Labels
        | Stream::Colored
        | Stream::Models
        | Stream::Thermal => typed::<Image>(host, topic),
    }
}
