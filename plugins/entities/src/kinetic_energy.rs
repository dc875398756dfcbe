//! Reports when a link loses more kinetic energy in a step than a threshold, such as in an impact.

use bridgehead_plugin_api::host::{Dynamics, HostHandle, LinkId, Publisher, Qos, World};
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::vector::dot;
use bridgehead_plugin_api::{Flow, Result};

/// One monitor.
pub(crate) struct KineticEnergy {
    world: World,
    dynamics: Dynamics,
    link: LinkId,
    /// Joules.
    threshold: f64,
    losses: Publisher<Float64>,
    /// Energy after the last step, joules.
    energy: Option<f64>,
}

impl ModelPlugin for KineticEnergy {
    const PHASES: Phases = Phases::SAMPLE;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let params = host.params()?;
        let topic = params.text("topic").unwrap_or_else(|| "kinetic_energy".to_owned());
        Ok(KineticEnergy {
            world: host.world()?,
            dynamics: host.dynamics()?,
            link: params.link(host.model()?, "link_name")?.id,
            threshold: params.not_negative_or("kinetic_energy_threshold", 7.0)?,
            losses: host.bus()?.advertise(&topic, Qos::default())?,
            energy: None,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.energy = None;
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.energy)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.energy = state.take()?;
        Ok(())
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        let Some(energy) = self.energy()? else { return Ok(Flow::Continue) };
        let loss = self.energy.replace(energy).map_or(0.0, |before| before - energy);
        if loss > self.threshold {
            self.losses.publish(step.time_ns, &Float64 { data: loss })?;
        }
        Ok(Flow::Continue)
    }
}

impl KineticEnergy {
    /// Returns the energy of translation and rotation: m v² / 2 + ω · I ω / 2.
    fn energy(&self) -> Result<Option<f64>> {
        let Some(body) = self.dynamics.body(self.link)? else { return Ok(None) };
        let state = self.world.link_state(self.link)?;
        let velocity = state.velocity_at(body.center);
        let spin = state.pose.rotate_inverse(state.angular);
        let momentum = body.tensor().map(|row| dot(row, spin));
        Ok(Some(0.5 * body.mass * dot(velocity, velocity) + 0.5 * dot(spin, momentum)))
    }
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::host::{LinkState, Pose};
    use bridgehead_plugin_api::testing::{TestHost, TestModel};

    use super::*;

    /// A link of 2 kg with 1 kg m² about each axis.
    #[test]
    fn a_loss_above_the_threshold_is_published_and_others_are_not() {
        let host = TestHost::builder().vehicle("ball").link_with("body", Pose::IDENTITY, 2.0);
        let host = host.params([("link_name", "body"), ("kinetic_energy_threshold", "10")]).build();
        let mut model = TestModel::<KineticEnergy>::started(host);
        let mut step = |linear: [f64; 3], angular: [f64; 3]| {
            host.set_link_state("body", LinkState { pose: Pose::IDENTITY, linear, angular });
            model.step().expect_done();
            host.decoded::<Float64>("kinetic_energy").iter().map(|loss| loss.data).collect::<Vec<_>>()
        };
        // 2 · 16 / 2 + 1 · 4 / 2 = 18 J, then 9 J, then 0 J, and up again.
        assert_eq!(step([4.0, 0.0, 0.0], [0.0, 0.0, 2.0]), [0.0; 0]);
        assert_eq!(step([0.0, 3.0, 0.0], [0.0; 3]), [0.0; 0], "9 J lost are too few");
        assert_eq!(step([0.0, 5.0, 0.0], [0.0; 3]), [0.0; 0], "a gain is no loss");
        assert_eq!(step([0.0; 3], [0.0; 3]), [25.0]);
    }
}
