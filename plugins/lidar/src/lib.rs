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

use bridgehead_plugin_api::host::{HostHandle, Publisher, Qos, RayBatch};
use bridgehead_plugin_api::messages::sensor_msgs::{LaserScan, PointCloud2};
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::random::RandomKey;
use bridgehead_plugin_api::sensor::{LinkSensor, Sensor, SensorOutput};
use bridgehead_plugin_api::{Result, export_plugin};

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
    sensor: LinkSensor<LaserScan>,
    settings: Settings,
    fan: Fan,
    returns: Returns,
    scan: Scan,
    cloud: Cloud,
    cloud_publisher: Publisher<PointCloud2>,
    /// The cloud on the sensor's own topic, if that carries no scan.
    own_cloud_publisher: Option<Publisher<PointCloud2>>,
}

impl Sensor for Lidar {
    type Message = LaserScan;

    fn awake(host: HostHandle) -> Result<Self> {
        let attachment = host.model()?.attachment()?;
        let topic = attachment.topic.as_deref().unwrap_or(TOPIC);
        let random = RandomKey::new(attachment.seed, &attachment.path);
        let settings = Settings::read(host.params()?, random)?;
        let scan_topic = match settings.output {
            Output::Scan => topic.to_owned(),
            Output::Cloud => format!("{topic}/scan"),
        };
        let fan = Fan::new(&settings.horizontal, &settings.vertical);
        let bus = host.bus()?;
        Ok(Lidar {
            sensor: LinkSensor::on_topic(host, &attachment, &scan_topic)?,
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

    fn output(&self) -> &SensorOutput<LaserScan> {
        &self.sensor
    }

    fn is_heard(&self) -> bool {
        self.sensor.is_heard() || self.is_cloud_heard()
    }

    fn measure(&mut self, step: &Step, sample: u64) -> Result {
        self.sweep(step, sample)?;
        if self.sensor.is_heard() {
            let message = self.scan.fill(step, self.sensor.schedule(), &self.returns);
            self.sensor.publish(step, message)?;
        }
        if self.is_cloud_heard() {
            let message = self.cloud.fill(step, &self.fan, &self.returns);
            let publishers = std::iter::once(&self.cloud_publisher).chain(&self.own_cloud_publisher);
            for publisher in publishers.filter(|publisher| publisher.has_listeners()) {
                publisher.publish(step.time_ns, message)?;
            }
        }
        Ok(())
    }
}

impl Lidar {
    fn is_cloud_heard(&self) -> bool {
        std::iter::once(&self.cloud_publisher).chain(&self.own_cloud_publisher).any(Publisher::has_listeners)
    }

    /// Casts all rays from the present pose of the sensor.
    fn sweep(&mut self, step: &Step, sample: u64) -> Result {
        let frame = self.sensor.state()?.pose;
        let batch = RayBatch {
            frame,
            directions: self.fan.directions(),
            // Nearer hits are needed too, to be reported as too close.
            range_min: 0.0,
            range_max: self.settings.range.max,
            ignore: Some(self.sensor.link()),
        };
        self.sensor.world().cast_rays(&batch, self.returns.hits_mut())?;
        self.returns.measure(frame, &self.fan, &self.settings, step.time_ns, &mut self.sensor.random(sample));
        Ok(())
    }
}
