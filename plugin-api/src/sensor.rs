//! What sensors on a link have in common: where they sit, when they are due, their random numbers, their publisher.
//!
//! A sensor plugin keeps one [`LinkSensor`] and adds what it measures. Made in `awake`, used on the simulation
//! thread.

use crate::error::{Error, Result};
use crate::host::{HostHandle, LinkId, LinkState, Pose, Publisher, Qos, World};
use crate::messages::Message;
use crate::messages::std_msgs::Header;
use crate::model::Step;
use crate::random::{Random, RandomKey};
use crate::schedule::{SampleTimes, Schedule};

/// A sensor on a link that publishes messages of type `T`.
pub struct LinkSensor<T> {
    world: World,
    link: LinkId,
    mount: Pose,
    schedule: Schedule,
    random: RandomKey,
    frame_id: String,
    topic: String,
    publisher: Publisher<T>,
}

impl<T: Message> LinkSensor<T> {
    /// Reads the attachment and advertises the sensor element's `<topic>`, or `topic` if it has none.
    ///
    /// # Errors
    /// Returns an error if the element stands in no link, or the topic cannot be advertised.
    pub fn attach(host: HostHandle, topic: &str) -> Result<Self> {
        let attachment = host.model()?.attachment()?;
        let link = attachment.parent_link.ok_or_else(|| {
            let element = &attachment.element;
            Error::invalid(format!(
                "sensor `{element}` measures at a link; put its <sensor> element into a <link>"
            ))
        })?;
        let topic = attachment.topic.as_deref().unwrap_or(topic).to_owned();
        Ok(LinkSensor {
            world: host.world()?,
            link,
            mount: attachment.pose,
            schedule: Schedule::with_period(attachment.update_period),
            random: RandomKey::new(attachment.seed, &attachment.path),
            publisher: host.bus()?.advertise(&topic, Qos::sensor_data())?,
            frame_id: attachment.frame_id,
            topic,
        })
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

    /// The topic it publishes on, as advertised.
    #[must_use]
    pub fn topic(&self) -> &str {
        &self.topic
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
