//! Cameras: colour, depth, points, labels, boxes and temperatures, drawn from the visuals of the world.
//!
//! An image has three stations. In the step of the exposure, the simulation thread takes the poses of all links
//! ([`SensorCamera::look`]). The thread of the camera draws them and makes the messages ([`render_thread`]), while the simulation
//! goes on. In the step in which the image is due, the simulation thread publishes the messages
//! ([`SensorCamera::deliver`]); only if they are not there by then, it waits. So the step in which an image arrives does not
//! depend on how fast the machine draws.
//!
//! [`SensorCamera`] is one camera of a sensor and [`element::Element`] its element in the file, [`studio`] the renderer that all
//! cameras share, [`kind::Kind`] the types of sensors, [`settings::Settings`] their elements, [`lens::Lens`] the projection,
//! and [`rays`] the images without a graphics adapter.

mod boxes;
mod classes;
mod compression;
mod element;
mod format;
mod kind;
mod lens;
mod messages;
mod noise;
mod planes;
mod rays;
mod render_thread;
mod sensor_camera;
mod settings;
#[cfg(test)]
#[path = "../../../tests/it/support/skip.rs"]
mod skip;
mod solids;
mod studio;
#[cfg(test)]
mod tests;
mod thermal;

use std::marker::PhantomData;
use std::time::Duration;

use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::schedule::{SampleTimes, Schedule};
use bridgehead_plugin_api::state::Remembers;
use bridgehead_plugin_api::{Flow, Result, export_plugin};

use crate::element::Element;
use crate::kind::Kind;
use crate::sensor_camera::SensorCamera;

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
    model Sensor<Thermal> {
        id: "org.bridgehead.sensor.thermal_camera", name: "thermal_camera", vendor: "Bridgehead"
    }
    model Sensor<Multi> { id: "org.bridgehead.sensor.multicamera", name: "multicamera", vendor: "Bridgehead" }
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
typed!(Color, Depth, Rgbd, Segmentation, Boxes, WideAngle, Thermal, Multi);

/// A sensor with one camera, or with several that see at the same time.
struct Sensor<T> {
    sensor_cameras: Vec<SensorCamera>,
    schedule: Schedule,
    /// Time between two images; 0 for one per step.
    period_ns: i64,
    kind: PhantomData<fn() -> T>,
}

impl<T: Typed> ModelPlugin for Sensor<T> {
    const PHASES: Phases = Phases::SAMPLE;
    // Images that are on their way are not in a snapshot.
    const REMEMBERS: Remembers = Remembers::Unsaved;

    fn awake(host: HostHandle) -> Result<Self> {
        let sensor = host.model()?.attachment()?;
        let params = host.params()?;
        let elements = match T::KIND {
            Kind::Multi => Element::several(params)?,
            Kind::Color
            | Kind::Depth
            | Kind::Rgbd
            | Kind::Segmentation
            | Kind::Boxes
            | Kind::WideAngle
            | Kind::Thermal => vec![Element::only(params)],
        };
        let sensor_cameras =
            elements.iter().map(|element| SensorCamera::open(host, &sensor, T::KIND, element));
        Ok(Sensor {
            sensor_cameras: sensor_cameras.collect::<Result<_>>()?,
            schedule: Schedule::with_period(sensor.update_period),
            period_ns: i64::try_from(sensor.update_period.as_nanos()).unwrap_or(i64::MAX),
            kind: PhantomData,
        })
    }

    /// Images that were exposed before it do not arrive after it.
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.sensor_cameras.iter_mut().for_each(SensorCamera::forget);
        Ok(Flow::Continue)
    }

    fn sample_times(&self) -> SampleTimes {
        let period = self.period_ns;
        // It is an option of the sensor, so the cameras have the same.
        let latency = self.sensor_cameras.first().map_or(period, SensorCamera::latency_ns);
        Schedule::with_period(Duration::from_nanos(common_divisor(period, latency))).into()
    }

    /// All cameras are exposed before the images of one are delivered, so that their threads draw at the same time.
    fn sample(&mut self, step: &Step) -> Result<Flow> {
        if let Some(sample) = self.schedule.due(step) {
            self.sensor_cameras.iter_mut().try_for_each(|sensor_camera| sensor_camera.look(step, sample))?;
        }
        self.sensor_cameras.iter_mut().try_for_each(|sensor_camera| sensor_camera.deliver(step))?;
        Ok(Flow::Continue)
    }

    fn stop(&mut self) -> Result<Flow> {
        self.sensor_cameras.iter_mut().for_each(SensorCamera::stop);
        Ok(Flow::Continue)
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
