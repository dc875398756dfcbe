//! Publishes the vehicle state on the CAN bus topic ten times a second. `[sim]`

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{Entities, HostHandle, Publisher, Qos};
use bridgehead_plugin_api::messages::geometry_msgs::{Quaternion, Vector3};
use bridgehead_plugin_api::messages::lgsvl_msgs::CanBusData;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::schedule::Schedule;

use crate::driver::Demand;

/// Messages per second, as in LGSVL's sensor.
const RATE: f64 = 10.0;

/// Publishes on `can_bus`.
pub(crate) struct Chassis {
    entities: Entities,
    vehicle: String,
    schedule: Schedule,
    publisher: Publisher<CanBusData>,
}

impl Chassis {
    pub(crate) fn new(host: HostHandle) -> Result<Self> {
        let topic = host.params()?.get_or("can_bus_topic", "can_bus".to_owned())?;
        Ok(Chassis {
            entities: host.entities()?,
            vehicle: host.model()?.attachment()?.vehicle,
            schedule: Schedule::with_rate(RATE)?,
            publisher: host.bus()?.advertise(&topic, Qos::sensor_data())?,
        })
    }

    /// Publishes if a message is due and the topic has subscribers. `steer` is -1 to 1 of the largest angle.
    pub(crate) fn publish(&self, step: &Step, demand: &Demand, speed: f64, steer: f64) -> Result {
        if self.schedule.due(step).is_none() || !self.publisher.has_listeners() {
            return Ok(());
        }
        let gear = if demand.is_reverse { CanBusData::GEAR_REVERSE } else { CanBusData::GEAR_DRIVE };
        let mut message = CanBusData {
            header: Some(Header::new(step.time_ns, self.vehicle.as_str())),
            speed_mps: single(speed),
            throttle_pct: single(demand.throttle),
            brake_pct: single(demand.brake),
            steer_pct: single(steer.clamp(-1.0, 1.0)),
            reverse_gear_active: demand.is_reverse,
            selected_gear: gear,
            engine_active: true,
            ..CanBusData::default()
        };
        if let Some(entity) = self.entities.find(&self.vehicle) {
            let ([x, y, z, w], [vx, vy, vz]) = (entity.pose.orientation, entity.linear);
            message.orientation = Some(Quaternion { x, y, z, w });
            message.linear_velocities = Some(Vector3::new(vx, vy, vz));
        }
        self.publisher.publish(step.time_ns, &message)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the message has single precision")]
fn single(value: f64) -> f32 {
    value as f32
}
