//! Publishes position, velocity and effort of a model's joints.
//!
//! Every sample is read from the world. The joints are selected in `awake`; samples are taken on the simulation thread.
//! The first effort after somebody begins to listen is an estimate.

#[cfg(test)]
mod tests;

use bridgehead_plugin_api::host::{
    HostHandle, Joint, JointId, JointKind, Joints, Model, Params, Publisher, Qos, World,
};
use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::sensor_msgs;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::schedule::{SampleTimes, Schedule};
use bridgehead_plugin_api::state::Remembers;
use bridgehead_plugin_api::{Flow, Result, export_plugin};

export_plugin! {
    model JointState { id: "org.bridgehead.sensor.joint_state", name: "joint_state", vendor: "Bridgehead" }
}

/// Default topic, to which robot_state_publisher subscribes.
const TOPIC: &str = "joint_states";

/// Default rate in Hz.
const UPDATE_RATE: f64 = 50.0;

/// The joints of one model.
struct JointState {
    world: World,
    /// Asks for efforts, which cost time in each step, once anybody listens.
    loads: Joints,
    is_watching: bool,
    joints: Vec<JointId>,
    schedule: Schedule,
    publisher: Publisher<sensor_msgs::JointState>,
    /// Reused for every sample; the names do not change.
    message: sensor_msgs::JointState,
}

impl ModelPlugin for JointState {
    const PHASES: Phases = Phases::SAMPLE;
    const REMEMBERS: Remembers = Remembers::Nothing;

    fn awake(host: HostHandle) -> Result<Self> {
        let params = host.params()?;
        let joints = choose_joints(params, host.model()?)?;
        let topic = params.get_or("topic", TOPIC.to_owned())?;
        let rate = params.get_or("update_rate", UPDATE_RATE)?;
        Ok(JointState {
            world: host.world()?,
            loads: host.joints()?,
            is_watching: false,
            schedule: Schedule::with_rate(rate).map_err(|error| error.context("parameter `update_rate`"))?,
            publisher: host.bus()?.advertise(&topic, Qos::default())?,
            message: message_for(&joints),
            joints: joints.into_iter().map(|joint| joint.id).collect(),
        })
    }

    /// The physics after a reset may have forgotten which joints it watches.
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.is_watching = false;
        Ok(Flow::Continue)
    }

    fn sample_times(&self) -> SampleTimes {
        self.schedule.into()
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        if self.schedule.due(step).is_some() && self.publisher.has_listeners() {
            self.measure(step)?;
            self.publisher.publish(step.time_ns, &self.message)?;
        }
        Ok(Flow::Continue)
    }
}

impl JointState {
    fn measure(&mut self, step: &Step) -> Result {
        if !self.is_watching {
            self.joints.iter().try_for_each(|joint| self.loads.watch(*joint))?;
            self.is_watching = true;
        }
        let message = &mut self.message;
        message.header.get_or_insert_default().stamp = Some(Time::from_nanos(step.time_ns));
        message.position.clear();
        message.velocity.clear();
        message.effort.clear();
        for joint in &self.joints {
            let state = self.world.joint_state(*joint)?;
            message.position.push(state.position);
            message.velocity.push(state.velocity);
            message.effort.push(state.effort);
        }
        Ok(())
    }
}

/// Returns the joints that `joint_name` parameters list, in their order, or all movable ones in document order.
fn choose_joints(params: Params, model: Model) -> Result<Vec<Joint>> {
    let count = params.count("joint_name");
    if count == 0 {
        return Ok(model.joints().into_iter().filter(has_one_axis).collect());
    }
    (0..count).map(|index| listed_joint(params, model, &format!("joint_name[{index}]"))).collect()
}

fn listed_joint(params: Params, model: Model, path: &str) -> Result<Joint> {
    let joint = model.joint(&params.require::<String>(path)?)?;
    if has_one_axis(&joint) {
        return Ok(joint);
    }
    Err(params.refuse(path, &joint.name, "a revolute, continuous or prismatic joint"))
}

fn has_one_axis(joint: &Joint) -> bool {
    match joint.kind {
        JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => true,
        JointKind::Fixed | JointKind::Other => false,
    }
}

fn message_for(joints: &[Joint]) -> sensor_msgs::JointState {
    sensor_msgs::JointState {
        name: joints.iter().map(|joint| joint.name.clone()).collect(),
        ..Default::default()
    }
}
