//! A broker of sound under water: messages arrive when the sound does, and not all of them.

use bridgehead_plugin_api::host::{Entities, HostHandle, Params};
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::ros_gz_interfaces::Dataframe;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::random::{Random, RandomKey};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::vector::{length, sub};
use bridgehead_plugin_api::{Flow, Result};
use serde::{Deserialize, Serialize};

use crate::broker::Broker;

/// Level of a source of one watt at one metre, dB re 1 µPa (Urick, Principles of Underwater Sound, 1983, 4.2).
const WATT: f64 = 170.8;
/// Messages on their way at the same time.
const MAX_ON_WAY: usize = 10_000;

/// How sound travels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Water {
    /// Metres.
    most_range: f64,
    /// m/s.
    speed: f64,
    /// Seconds that a receiver is busy after each byte, and after a message that it lost.
    byte_time: f64,
    drop_time: f64,
    /// `None` if every message in range is understood.
    channel: Option<Channel>,
}

/// Strength of source and noise.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Channel {
    /// Watts.
    power: f64,
    /// dB re 1 µPa.
    noise: f64,
    /// Bits per second and hertz.
    efficiency: f64,
}

impl Water {
    fn read(params: Params) -> Result<Self> {
        let channel = |name: &str| format!("propagation_model/{name}");
        let has_channel = params.count("propagation_model") > 0;
        // The seed of the run counts.
        drop(params.text(&channel("seed")));
        Ok(Water {
            most_range: params.positive_or("max_range", 1000.0)?,
            speed: params.positive_or("speed_of_sound", 343.0)?,
            byte_time: params.not_negative_or("collision_time_per_byte", 0.0)?,
            drop_time: params.not_negative_or("collision_time_packet_drop", 0.0)?,
            channel: if has_channel {
                Some(Channel {
                    power: params.positive_or(&channel("source_power"), 2000.0)?,
                    noise: params.finite_or(&channel("noise_level"), 1.0)?,
                    efficiency: params.positive_or(&channel("spectral_efficiency"), 7.0)?,
                })
            } else {
                None
            },
        })
    }
}

impl Channel {
    /// The chance that one of `bits` is wrong: spherical spreading of the sound, and binary phase shift keying.
    fn failure(&self, distance: f64, bits: f64) -> f64 {
        let loss = 20.0 * libm::log10(distance.max(1.0));
        let ratio = WATT + 10.0 * libm::log10(self.power) - loss - self.noise;
        let per_bit = libm::pow(10.0, ratio / 10.0) / self.efficiency;
        let wrong = 0.5 * libm::erfc(per_bit.sqrt());
        -libm::expm1(bits * libm::log1p(-wrong))
    }
}

/// A message on its way to one receiver.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct OnWay {
    /// Encoded.
    message: Vec<u8>,
    receiver: String,
    model: String,
    /// Where it was sent, and when, ns.
    origin: [f64; 3],
    sent_ns: i64,
}

/// What it remembers besides the endpoints.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    on_way: Vec<OnWay>,
    /// Receivers that are busy, until when, ns.
    busy: Vec<(String, i64)>,
}

/// A broker with sound between each pair of models.
pub(crate) struct AcousticComms {
    broker: Broker,
    entities: Entities,
    water: Water,
    key: RandomKey,
    state: State,
}

impl ModelPlugin for AcousticComms {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 2 };

    fn awake(host: HostHandle) -> Result<Self> {
        let attachment = host.model()?.attachment()?;
        Ok(AcousticComms {
            broker: Broker::new(host)?,
            entities: host.entities()?,
            water: Water::read(host.params()?)?,
            key: RandomKey::new(attachment.seed, &attachment.path),
            state: State::default(),
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.broker.bound.clear();
        self.state = State::default();
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(&self.broker.bound, &self.state))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.broker.bound, self.state) = state.take()?;
        Ok(())
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        self.send(step)?;
        self.arrive(step)?;
        Ok(Flow::Continue)
    }
}

impl AcousticComms {
    /// Lets the messages of this step leave.
    fn send(&mut self, step: &Step) -> Result {
        let (entities, state) = (self.entities, &mut self.state);
        self.broker.pass(step, |from, to, message| {
            let origin = entities.find(&from.model)?.pose.position;
            let on_way = OnWay {
                message: message.encode_to_vec(),
                receiver: to.address.clone(),
                model: to.model.clone(),
                origin,
                sent_ns: step.time_ns,
            };
            if state.on_way.len() < MAX_ON_WAY {
                state.on_way.push(on_way);
            }
            None
        })
    }

    /// Forwards what the sound has reached.
    fn arrive(&mut self, step: &Step) -> Result {
        let mut random = self.key.sample(step.number);
        let mut waiting = Vec::new();
        for on_way in std::mem::take(&mut self.state.on_way) {
            let Some(receiver) = self.entities.find(&on_way.model) else { continue };
            let distance = length(sub(receiver.pose.position, on_way.origin));
            if distance > self.water.most_range {
                continue;
            }
            #[expect(clippy::cast_precision_loss, reason = "runs are far shorter than 2^53 ns")]
            let elapsed = (step.time_ns - on_way.sent_ns) as f64 * 1e-9;
            if elapsed * self.water.speed < distance {
                waiting.push(on_way);
            } else if let Ok(message) = Dataframe::decode(on_way.message.as_slice())
                && self.is_understood(&on_way, &message, distance, step, &mut random)
            {
                let header = Some(Header::new(step.time_ns, on_way.receiver.as_str()));
                self.broker.forward.publish(step.time_ns, &Dataframe { header, ..message })?;
            }
        }
        self.state.on_way = waiting;
        Ok(())
    }

    /// Returns true if a receiver is free and understands a message. It is busy for a time afterwards.
    fn is_understood(
        &mut self,
        on_way: &OnWay,
        message: &Dataframe,
        distance: f64,
        step: &Step,
        random: &mut Random,
    ) -> bool {
        self.state.busy.retain(|(_, until)| *until > step.time_ns);
        if self.state.busy.iter().any(|(receiver, _)| *receiver == on_way.receiver) {
            return false;
        }
        #[expect(clippy::cast_precision_loss, reason = "messages are far shorter")]
        let bytes = message.data.len() as f64;
        let failure = self.water.channel.map_or(0.0, |channel| channel.failure(distance, bytes * 8.0));
        let is_lost = random.uniform() < failure;
        let time = if is_lost { self.water.drop_time } else { bytes * self.water.byte_time };
        #[expect(clippy::cast_possible_truncation, reason = "longer times saturate")]
        let until = step.time_ns.saturating_add((time * 1e9) as i64);
        if until > step.time_ns {
            self.state.busy.push((on_way.receiver.clone(), until));
        }
        !is_lost
    }
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::host::{Entity, EntityId, Pose};
    use bridgehead_plugin_api::messages::std_msgs;
    use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

    use super::*;
    use crate::{BIND, EVERYBODY, FORWARD, SENT};

    fn sea(builder: TestHostBuilder) -> (TestHost, TestModel<AcousticComms>) {
        let host = builder.build();
        for (id, name, x) in [(1, "ship", 0.0), (2, "near", 15.0), (3, "far", 150.0)] {
            host.set_entity(Entity {
                id: EntityId(id),
                name: name.to_owned(),
                is_static: false,
                is_spawned: false,
                pose: Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY },
                linear: [0.0; 3],
                angular: [0.0; 3],
                box_min: [0.0; 3],
                box_max: [0.0; 3],
            });
        }
        host.listen(FORWARD);
        let mut model = TestModel::<AcousticComms>::started(host);
        for name in ["ship", "near", "far"] {
            host.send(BIND, &std_msgs::String { data: format!("addr_{name}\n{name}") });
        }
        model.step().expect_done();
        (host, model)
    }

    fn send(host: TestHost, to: &str, bytes: usize) {
        let (src_address, dst_address) = ("addr_ship".to_owned(), to.to_owned());
        let data = vec![7; bytes].into();
        host.send(SENT, &Dataframe { src_address, dst_address, data, ..Dataframe::default() });
    }

    /// Fifteen metres at 1500 m/s take ten steps of a millisecond.
    #[test]
    fn a_message_arrives_when_the_sound_does_and_only_in_range() {
        let water = [("speed_of_sound", "1500"), ("max_range", "100")];
        let (host, mut model) = sea(TestHost::builder().params(water));
        send(host, EVERYBODY, 4);
        model.run(10).expect_done();
        assert_eq!(host.published(FORWARD).len(), 0);
        let saved = model.save();
        model.step().expect_done();
        let [message] = host.decoded::<Dataframe>(FORWARD).try_into().expect("one message");
        assert_eq!(message.header.expect("a header").frame_id, "addr_near");
        model.run(200).expect_done();
        assert_eq!(host.published(FORWARD).len(), 1, "the other one is out of range");
        let (other, mut restored) = sea(TestHost::builder().params(water));
        restored.run(10).expect_done();
        restored.load(&saved).expect_done();
        restored.step().expect_done();
        assert_eq!(other.published(FORWARD).len(), 1);
    }

    #[test]
    fn a_busy_receiver_loses_the_second_message() {
        let (host, mut model) =
            sea(TestHost::builder().params([("speed_of_sound", "1e6"), ("collision_time_per_byte", "0.01")]));
        send(host, "addr_near", 10);
        model.run(2).expect_done();
        send(host, "addr_near", 10);
        model.run(2).expect_done();
        assert_eq!(host.published(FORWARD).len(), 1);
        model.run(100).expect_done();
        send(host, "addr_near", 10);
        model.run(2).expect_done();
        assert_eq!(host.published(FORWARD).len(), 2);
    }

    /// At 15 m: 170.8 + 10 lg P - 20 lg 15 - N dB; a tenth of the energy per bit gives erfc(√0.1) / 2 = 0.3274.
    #[test]
    fn the_chance_of_a_wrong_bit_follows_the_sonar_equation() {
        let at_ratio = |decibels: f64| Channel {
            power: 1.0,
            noise: WATT - 20.0 * libm::log10(15.0) - decibels,
            efficiency: 1.0,
        };
        let failure = at_ratio(-10.0).failure(15.0, 1.0);
        assert!((failure - 0.327_36).abs() < 1e-4, "{failure}");
        assert!((at_ratio(-10.0).failure(15.0, 2.0) - (1.0 - (1.0 - failure).powi(2))).abs() < 1e-12);
        assert!(at_ratio(20.0).failure(15.0, 8000.0) < 1e-12);
    }
}
