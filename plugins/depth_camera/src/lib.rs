//! Depth camera: casts a ray through the centre of each pixel and publishes the depths as an image.
//!
//! [`Settings`] is the `<camera>` element, [`lens::Lens`] the projection, [`Picture`] the depth image of one
//! exposure. All rays of an exposure are cast in one call into a reused buffer. Runs on the simulation thread.

mod lens;
mod picture;
mod settings;
#[cfg(test)]
mod tests;

use bridgehead_plugin_api::host::{HostHandle, LinkId, Pose, Publisher, Qos, RayBatch, RayHit, World};
use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::sensor_msgs::{CameraInfo, Image};
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::random::RandomKey;
use bridgehead_plugin_api::schedule::{SampleTimes, Schedule};
use bridgehead_plugin_api::state::Remembers;
use bridgehead_plugin_api::{Error, Flow, Result, export_plugin};

use crate::picture::Picture;
use crate::settings::Settings;

export_plugin! {
    model DepthCamera { id: "org.bridgehead.sensor.depth_camera", name: "depth_camera", vendor: "Bridgehead" }
}

/// Start of the topics of a sensor without `<topic>`.
const TOPIC: &str = "depth";

/// One depth camera.
struct DepthCamera {
    world: World,
    link: LinkId,
    /// Pose of the sensor in its link: x forward, y left, z up.
    mount: Pose,
    settings: Settings,
    schedule: Schedule,
    random: RandomKey,
    /// Unit vectors through the pixels, in the sensor frame.
    directions: Vec<[f64; 3]>,
    /// Reused for every exposure.
    hits: Vec<RayHit>,
    picture: Picture,
    image: Publisher<Image>,
    info: CameraInfo,
    infos: Publisher<CameraInfo>,
}

impl ModelPlugin for DepthCamera {
    const PHASES: Phases = Phases::SAMPLE;
    const REMEMBERS: Remembers = Remembers::Nothing;

    fn awake(host: HostHandle) -> Result<Self> {
        let attachment = host.model()?.attachment()?;
        let link = attachment.parent_link.ok_or_else(|| {
            Error::invalid("a depth camera must be on a link; put its <sensor> element into a <link>")
        })?;
        let random = RandomKey::new(attachment.seed, &attachment.path);
        let params = host.params()?;
        let settings = Settings::read(params, random)?;
        let frame_id = params
            .text("camera/optical_frame_id")
            .unwrap_or_else(|| format!("{}_optical_frame", attachment.frame_id));
        let topic = attachment.topic.as_deref().unwrap_or(TOPIC);
        let infos = params.text("camera/camera_info_topic").unwrap_or_else(|| format!("{topic}/camera_info"));
        let bus = host.bus()?;
        let directions = settings.lens.directions();
        let nothing = RayHit { distance: f64::INFINITY, normal: [0.0; 3], entity: 0 };
        Ok(DepthCamera {
            world: host.world()?,
            link,
            mount: attachment.pose,
            schedule: Schedule::with_period(attachment.update_period),
            random,
            image: bus.advertise(&format!("{topic}/image_raw"), Qos::sensor_data())?,
            infos: bus.advertise(&infos, Qos::sensor_data())?,
            info: settings.lens.info(&frame_id),
            picture: Picture::new(&settings.lens, &frame_id),
            hits: vec![nothing; directions.len()],
            directions,
            settings,
        })
    }

    /// There is no state between exposures: schedule and noise depend on the step.
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        Ok(Flow::Continue)
    }

    fn sample_times(&self) -> SampleTimes {
        self.schedule.into()
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        let Some(sample) = self.schedule.due(step) else { return Ok(Flow::Continue) };
        if self.infos.has_listeners() {
            self.info.header.get_or_insert_default().stamp = Some(Time::from_nanos(step.time_ns));
            self.infos.publish(step.time_ns, &self.info)?;
        }
        if self.image.has_listeners() {
            self.expose()?;
            let rays = self.hits.iter().zip(&self.directions);
            let depths = rays.map(|(hit, direction)| hit.distance * direction[0]);
            let mut random = self.random.sample(sample);
            let message = self.picture.fill(step, depths, &self.settings, &mut random);
            self.image.publish(step.time_ns, message)?;
        }
        Ok(Flow::Continue)
    }
}

impl DepthCamera {
    /// Casts all rays from the present pose of the camera.
    fn expose(&mut self) -> Result {
        let batch = RayBatch {
            frame: self.world.link_state(self.link)?.pose.compose(self.mount),
            directions: &self.directions,
            // Nearer hits are needed too, to be reported as too close.
            range_min: 0.0,
            range_max: self.settings.far * self.settings.lens.longest_ray(),
            ignore: Some(self.link),
        };
        self.world.cast_rays(&batch, &mut self.hits)
    }
}
