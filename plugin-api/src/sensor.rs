//! What sensors have in common: when they are due, their random numbers, their publisher, and for those on a link also where
//! they sit.
//!
//! A sensor plugin keeps one [`LinkSensor`] or [`SensorOutput`], implements [`Sensor`], and adds what it measures. Made in
//! `awake`, used on the simulation thread.

use std::ops::Deref;

use crate::bridge::{BridgeInfo, ConverterRegistrar};
use crate::error::{Error, Flow, Result};
use crate::host::{Attachment, HostHandle, LinkId, LinkState, Pose, Publisher, Qos, World};
use crate::messages::Message;
use crate::messages::std_msgs::Header;
use crate::model::{ModelPlugin, Phases, ResetScope, Step};
use crate::random::{Random, RandomKey};
use crate::schedule::{SampleTimes, Schedule};
use crate::state::{Remembers, StateReader, StateWriter};

/// A model plugin that measures at a rate.
///
/// It is a [`ModelPlugin`] that is called in the steps in which a sample is due, and measures if somebody listens.
pub trait Sensor: Send + Sized + 'static {
    /// What it publishes.
    type Message: Message;

    /// Whether a snapshot of a run needs its state.
    const REMEMBERS: Remembers = Remembers::Nothing;

    /// Steps before each sample in which [`Sensor::watch`] is called too: for differences between steps.
    const STEPS_BEFORE: u32 = 0;

    /// As [`ModelPlugin::register`].
    ///
    /// # Errors
    /// A failure disables the plugin.
    fn register(library: HostHandle) -> Result {
        let _ = library;
        Ok(())
    }

    /// As [`ModelPlugin::converters`].
    ///
    /// # Errors
    /// A failure is reported.
    fn converters(bridge: &BridgeInfo<'_>, registrar: &mut ConverterRegistrar<'_>) -> Result {
        let _ = (bridge, registrar);
        Ok(())
    }

    /// As [`ModelPlugin::awake`].
    ///
    /// # Errors
    /// A failure disables the sensor.
    fn awake(host: HostHandle) -> Result<Self>;

    /// Its rate, random numbers and publisher.
    fn output(&self) -> &SensorOutput<Self::Message>;

    /// Returns true if somebody listens: to its topic, or to one of its other ones if it has such.
    fn is_heard(&self) -> bool {
        self.output().is_heard()
    }

    /// Begins again after a reset. Does nothing if there is no state between samples.
    ///
    /// # Errors
    /// A failure disables the sensor.
    fn restart(&mut self) -> Result {
        Ok(())
    }

    /// Looks at the world in every step in which it is called, heard or not.
    ///
    /// # Errors
    /// A failure disables the sensor.
    fn watch(&mut self, step: &Step) -> Result {
        let _ = step;
        Ok(())
    }

    /// Measures, and publishes the sample of this number.
    ///
    /// # Errors
    /// A failure disables the sensor.
    fn measure(&mut self, step: &Step, sample: u64) -> Result;

    /// As [`ModelPlugin::save`].
    ///
    /// # Errors
    /// A failure is reported; the run continues.
    fn save(&mut self, state: &mut StateWriter) -> Result {
        let _ = state;
        Ok(())
    }

    /// As [`ModelPlugin::load`].
    ///
    /// # Errors
    /// A failure is reported, and the world is reset.
    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        let _ = state;
        Ok(())
    }
}

impl<S: Sensor> ModelPlugin for S {
    const PHASES: Phases = Phases::SAMPLE;
    const REMEMBERS: Remembers = <S as Sensor>::REMEMBERS;

    fn register(library: HostHandle) -> Result {
        <S as Sensor>::register(library)
    }

    fn converters(bridge: &BridgeInfo<'_>, registrar: &mut ConverterRegistrar<'_>) -> Result {
        <S as Sensor>::converters(bridge, registrar)
    }

    fn awake(host: HostHandle) -> Result<Self> {
        Sensor::awake(host)
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.restart()?;
        Ok(Flow::Continue)
    }

    fn sample_times(&self) -> SampleTimes {
        self.output().sample_times().with_steps_before(S::STEPS_BEFORE)
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        self.watch(step)?;
        if let Some(sample) = self.output().scheduled(step).filter(|_| self.is_heard()) {
            self.measure(step, sample)?;
        }
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        Sensor::save(self, state)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        Sensor::load(self, state)
    }
}

/// Rate, random numbers and publisher of a sensor that publishes messages of type `T`.
pub struct SensorOutput<T> {
    schedule: Schedule,
    random: RandomKey,
    frame_id: String,
    topic: String,
    publisher: Publisher<T>,
}

impl<T: Message> SensorOutput<T> {
    /// Advertises the sensor element's `<topic>`, or `topic` if it has none.
    ///
    /// # Errors
    /// Returns an error if the topic cannot be advertised.
    pub fn new(host: HostHandle, attachment: &Attachment, topic: &str) -> Result<Self> {
        Self::on_topic(host, attachment, attachment.topic.as_deref().unwrap_or(topic))
    }

    fn on_topic(host: HostHandle, attachment: &Attachment, topic: &str) -> Result<Self> {
        Ok(SensorOutput {
            schedule: Schedule::with_period(attachment.update_period),
            random: RandomKey::new(attachment.seed, &attachment.path),
            publisher: host.bus()?.advertise(topic, Qos::sensor_data())?,
            frame_id: attachment.frame_id.clone(),
            topic: topic.to_owned(),
        })
    }

    /// Names another frame in the headers than that of the sensor.
    #[must_use]
    pub fn with_frame_id(self, frame_id: String) -> Self {
        SensorOutput { frame_id, ..self }
    }

    /// The number of the sample that is due and heard; `None` if there is nothing to do.
    #[must_use]
    pub fn due(&self, step: &Step) -> Option<u64> {
        self.schedule.due(step).filter(|_| self.publisher.has_listeners())
    }

    /// The number of the sample that is due, heard or not.
    #[must_use]
    pub fn scheduled(&self, step: &Step) -> Option<u64> {
        self.schedule.due(step)
    }

    /// When samples are due.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        self.schedule
    }

    /// The steps in which a sample is due.
    #[must_use]
    pub fn sample_times(&self) -> SampleTimes {
        self.schedule.into()
    }

    /// Whether there is a listener.
    #[must_use]
    pub fn is_heard(&self) -> bool {
        self.publisher.has_listeners()
    }

    /// The topic it publishes on, as advertised.
    #[must_use]
    pub fn topic(&self) -> &str {
        &self.topic
    }

    /// Where its random numbers come from.
    #[must_use]
    pub fn key(&self) -> RandomKey {
        self.random
    }

    /// The random numbers of one sample.
    #[must_use]
    pub fn random(&self, sample: u64) -> Random {
        self.random.sample(sample)
    }

    /// The frame of its headers.
    #[must_use]
    pub fn frame_id(&self) -> &str {
        &self.frame_id
    }

    /// Time of the step and the sensor's frame.
    #[must_use]
    pub fn header(&self, step: &Step) -> Header {
        Header::new(step.time_ns, self.frame_id.as_str())
    }

    /// Publishes a sample.
    ///
    /// # Errors
    /// Returns an error if the host refuses it.
    pub fn publish(&self, step: &Step, message: &T) -> Result {
        self.publisher.publish(step.time_ns, message)
    }
}

/// A sensor on a link that publishes messages of type `T`.
pub struct LinkSensor<T> {
    world: World,
    link: LinkId,
    mount: Pose,
    output: SensorOutput<T>,
}

impl<T> Deref for LinkSensor<T> {
    type Target = SensorOutput<T>;

    fn deref(&self) -> &SensorOutput<T> {
        &self.output
    }
}

impl<T: Message> LinkSensor<T> {
    /// Reads the attachment and advertises the sensor element's `<topic>`, or `topic` if it has none.
    ///
    /// # Errors
    /// Returns an error if the element stands in no link, or the topic cannot be advertised.
    pub fn attach(host: HostHandle, topic: &str) -> Result<Self> {
        let attachment = host.model()?.attachment()?;
        Self::on_topic(host, &attachment, attachment.topic.as_deref().unwrap_or(topic))
    }

    /// Advertises this topic, whatever the element says.
    ///
    /// # Errors
    /// As [`LinkSensor::attach`].
    pub fn on_topic(host: HostHandle, attachment: &Attachment, topic: &str) -> Result<Self> {
        let link = attachment.parent_link.ok_or_else(|| {
            let element = &attachment.element;
            Error::invalid(format!(
                "sensor `{element}` measures at a link; put its <sensor> element into a <link>"
            ))
        })?;
        let output = SensorOutput::on_topic(host, attachment, topic)?;
        Ok(LinkSensor { world: host.world()?, link, mount: attachment.pose, output })
    }

    /// The link that carries it.
    #[must_use]
    pub fn link(&self) -> LinkId {
        self.link
    }

    /// Pose of the sensor in its link.
    #[must_use]
    pub fn mount(&self) -> Pose {
        self.mount
    }

    /// The world it looks at.
    #[must_use]
    pub fn world(&self) -> World {
        self.world
    }

    /// Motion of the sensor itself in the world frame.
    ///
    /// # Errors
    /// Returns an error if the link is gone or the call comes from another thread.
    pub fn state(&self) -> Result<LinkState> {
        let link = self.world.link_state(self.link)?;
        let linear = link.velocity_at(self.mount.position);
        Ok(LinkState { pose: link.pose.compose(self.mount), linear, angular: link.angular })
    }
}
