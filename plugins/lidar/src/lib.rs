//! Ray-cast lidar: one LaserScan and one PointCloud2 per scan.
//!
//! [`Settings`] is the `<lidar>` element, [`Fan`] the directions of its rays, [`Returns`] their measurements;
//! [`Scan`] and [`Cloud`] make messages of them. All rays of a scan are cast in one call into a reused buffer. Runs
//! on the simulation thread.

mod cloud;
mod fan;
mod returns;
mod scan;
mod settings;
#[cfg(test)]
mod tests;

use bridgehead_plugin_api::host::{HostHandle, LinkId, Pose, Publisher, Qos, RayBatch, World};
use bridgehead_plugin_api::messages::sensor_msgs::{LaserScan, PointCloud2};
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::random::RandomKey;
use bridgehead_plugin_api::schedule::{SampleTimes, Schedule};
use bridgehead_plugin_api::state::Remembers;
use bridgehead_plugin_api::{Error, Flow, Result, export_plugin};

use crate::cloud::Cloud;
use crate::fan::Fan;
use crate::returns::Returns;
use crate::scan::Scan;
use crate::settings::{Output, Settings};

export_plugin! {
    model Lidar { id: "org.bridgehead.sensor.lidar", name: "lidar", vendor: "Bridgehead" }
}

/// Default topic of the scan; the point cloud is one level below it.
const TOPIC: &str = "scan";

/// One lidar.
struct Lidar {
    world: World,
    link: LinkId,
    /// Pose of the sensor in its link.
    mount: Pose,
    settings: Settings,
    schedule: Schedule,
    random: RandomKey,
    fan: Fan,
    returns: Returns,
    scan: Scan,
    scan_publisher: Publisher<LaserScan>,
    cloud: Cloud,
    cloud_publisher: Publisher<PointCloud2>,
    /// The cloud on the sensor's own topic, if that carries no scan.
    own_cloud_publisher: Option<Publisher<PointCloud2>>,
}

impl ModelPlugin for Lidar {
    const PHASES: Phases = Phases::SAMPLE;
    const REMEMBERS: Remembers = Remembers::Nothing;

    fn awake(host: HostHandle) -> Result<Self> {
        let attachment = host.model()?.attachment()?;
        let link = attachment.parent_link.ok_or_else(|| {
            Error::invalid("a lidar must be on a link; put its <sensor> element into a <link>")
        })?;
        let random = RandomKey::new(attachment.seed, &attachment.path);
        let settings = Settings::read(host.params()?, random)?;
        let fan = Fan::new(&settings.horizontal, &settings.vertical);
        let topic = attachment.topic.as_deref().unwrap_or(TOPIC);
        let scan_topic = match settings.output {
            Output::Scan => topic.to_owned(),
            Output::Cloud => format!("{topic}/scan"),
        };
        let bus = host.bus()?;
        Ok(Lidar {
            world: host.world()?,
            link,
            mount: attachment.pose,
            schedule: Schedule::with_period(attachment.update_period),
            random,
            scan_publisher: bus.advertise(&scan_topic, Qos::sensor_data())?,
            own_cloud_publisher: match settings.output {
                Output::Scan => None,
                Output::Cloud => Some(bus.advertise(topic, Qos::sensor_data())?),
            },
            cloud_publisher: bus.advertise(&format!("{topic}/points"), Qos::sensor_data())?,
            scan: Scan::new(&settings, &attachment.frame_id),
            cloud: Cloud::new(&settings, &attachment.frame_id),
            returns: Returns::new(fan.directions().len(), &settings),
            fan,
            settings,
        })
    }

    /// There is no state between scans: schedule and noise depend on the step.
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        Ok(Flow::Continue)
    }

    fn sample_times(&self) -> SampleTimes {
        self.schedule.into()
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        let Some(sample) = self.schedule.due(step) else { return Ok(Flow::Continue) };
        let clouds = || std::iter::once(&self.cloud_publisher).chain(&self.own_cloud_publisher);
        let (scan, cloud) = (self.scan_publisher.has_listeners(), clouds().any(Publisher::has_listeners));
        if !scan && !cloud {
            return Ok(Flow::Continue);
        }
        self.sweep(step, sample)?;
        if scan {
            let message = self.scan.fill(step, self.schedule, &self.returns);
            self.scan_publisher.publish(step.time_ns, message)?;
        }
        if cloud {
            let message = self.cloud.fill(step, &self.fan, &self.returns);
            let publishers = std::iter::once(&self.cloud_publisher).chain(&self.own_cloud_publisher);
            for publisher in publishers.filter(|publisher| publisher.has_listeners()) {
                publisher.publish(step.time_ns, message)?;
            }
        }
        Ok(Flow::Continue)
    }
}

impl Lidar {
    /// Casts all rays from the present pose of the sensor.
    fn sweep(&mut self, step: &Step, sample: u64) -> Result {
        let frame = self.world.link_state(self.link)?.pose.compose(self.mount);
        let batch = RayBatch {
            frame,
            directions: self.fan.directions(),
            // Nearer hits are needed too, to be reported as too close.
            range_min: 0.0,
            range_max: self.settings.range.max,
            ignore: Some(self.link),
        };
        self.world.cast_rays(&batch, self.returns.hits_mut())?;
        self.returns.measure(frame, &self.fan, &self.settings, step.time_ns, &mut self.random.sample(sample));
        Ok(())
    }
}
