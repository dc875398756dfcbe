//! Reports once that an object whose name contains `<target>` has touched the model without interruption for `<time>`
//! seconds. A call of `enable` arms it again.

use bridgehead_plugin_api::host::{
    Collision, CollisionId, Contact, Contacts, HostHandle, Publisher, Qos, Service,
};
use bridgehead_plugin_api::messages::std_msgs;
use bridgehead_plugin_api::messages::std_srvs::{SetBoolRequest, SetBoolResponse};
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Error, Flow, Result};

/// One detector.
pub(crate) struct Touch {
    contacts: Contacts,
    collisions: Vec<Collision>,
    target: String,
    hold_ns: i64,
    starts_armed: bool,
    is_armed: bool,
    /// Start of the present contact.
    since_ns: Option<i64>,
    publisher: Publisher<std_msgs::Bool>,
    enable: Service<SetBoolRequest, SetBoolResponse>,
    /// Reused for every step.
    buffer: Vec<Contact>,
}

impl ModelPlugin for Touch {
    const PHASES: Phases = Phases::SAMPLE;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        if host.model()?.attachment()?.vehicle.is_empty() {
            return Err(Error::invalid("touch must be in a model; put its <plugin> into a <model>"));
        }
        let params = host.params()?;
        let contacts = host.contacts()?;
        let topic = |name: &str| match params.text("namespace") {
            Some(namespace) => format!("/{}/{name}", namespace.trim_matches('/')),
            None => name.to_owned(),
        };
        let hold: f64 = params.get_or("time", 0.0)?;
        if !(0.0..1e9).contains(&hold) {
            return Err(params.refuse("time", &hold.to_string(), "seconds, 0 or more"));
        }
        let starts_armed = params.get_or("enabled", false)?;
        Ok(Touch {
            collisions: contacts.collisions(),
            contacts,
            target: params.require("target")?,
            hold_ns: nanoseconds(hold),
            starts_armed,
            is_armed: starts_armed,
            since_ns: None,
            publisher: host.bus()?.advertise(&topic("touched"), Qos::default())?,
            enable: host.services()?.advertise(&topic("enable"))?,
            buffer: Vec::new(),
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.is_armed = self.starts_armed;
        self.since_ns = None;
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(self.is_armed, self.since_ns))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.is_armed, self.since_ns) = state.take()?;
        Ok(())
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        self.answer_calls();
        if !self.is_armed {
            return Ok(Flow::Continue);
        }
        if !self.is_touched()? {
            self.since_ns = None;
            return Ok(Flow::Continue);
        }
        let since = *self.since_ns.get_or_insert(step.time_ns);
        if step.time_ns - since >= self.hold_ns {
            self.is_armed = false;
            self.publisher.publish(step.time_ns, &std_msgs::Bool { data: true })?;
        }
        Ok(Flow::Continue)
    }
}

impl Touch {
    fn answer_calls(&mut self) {
        while let Some(call) = self.enable.take() {
            self.is_armed = call.request.data;
            self.since_ns = None;
            let message = if self.is_armed { "armed" } else { "disarmed" };
            self.enable.reply(&call, Ok(SetBoolResponse { success: true, message: message.to_owned() }));
        }
    }

    /// Returns true if the target touches the model now.
    fn is_touched(&mut self) -> Result<bool> {
        for collision in &self.collisions {
            self.contacts.read(collision.id, &mut self.buffer)?;
            for contact in &self.buffer {
                if self.contacts.name(CollisionId(contact.other))?.contains(&self.target) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// Converts a checked time to nanoseconds.
#[expect(clippy::cast_possible_truncation, reason = "below 1e18")]
fn nanoseconds(seconds: f64) -> i64 {
    (seconds * 1e9).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::testing::{TestHost, TestModel};

    fn contact(other: CollisionId) -> Contact {
        Contact {
            other: other.0,
            reserved: 0,
            position: [0.0; 3],
            normal: [0.0; 3],
            depth: 0.0,
            force: [0.0; 3],
        }
    }

    #[test]
    fn a_lasting_contact_is_reported_once() {
        let host = TestHost::builder()
            .vehicle("trigger")
            .link("body")
            .params([
                ("target", "vehicle_blue"),
                ("namespace", "trigger"),
                ("time", "0.003"),
                ("enabled", "true"),
            ])
            .build();
        let plate = host.add_collision("body", "plate");
        let (wheel, box1) =
            (host.add_other_collision("vehicle_blue::wheel::c"), host.add_other_collision("box1::link::c"));
        host.listen("/trigger/touched");
        let mut model = TestModel::<Touch>::started(host);
        let mut told_after = |touching: &[CollisionId], steps: u32| {
            host.set_contacts(plate, touching.iter().copied().map(contact).collect());
            model.run(steps.into()).expect_done();
            host.published("/trigger/touched").len()
        };
        assert_eq!(told_after(&[box1], 10), 0);
        assert_eq!(told_after(&[box1, wheel], 3), 0);
        assert_eq!(told_after(&[], 1), 0);
        assert_eq!(told_after(&[wheel], 3), 0);
        assert_eq!(told_after(&[wheel], 1), 1);
        assert_eq!(told_after(&[wheel], 10), 1);
    }
}
