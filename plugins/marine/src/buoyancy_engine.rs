//! A bladder that is inflated or deflated on command, to rise or to sink.

use bridgehead_plugin_api::drive::check_targets;
use bridgehead_plugin_api::host::{Command, HostHandle, LinkId, Publisher, Qos, Subscription, World};
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::vector::scale;
use bridgehead_plugin_api::{Flow, Result};

/// Volumes of the bladder, m³, and how fast it changes, m³/s.
#[derive(Clone, Copy, Debug)]
struct Bladder {
    min: f64,
    max: f64,
    /// The volume without a force.
    neutral: f64,
    initial: f64,
    rate: f64,
}

/// One engine.
pub(crate) struct BuoyancyEngine {
    world: World,
    command: Command,
    link: LinkId,
    bladder: Bladder,
    /// kg/m³.
    density: f64,
    /// Height from which on there is no water, metres.
    surface: f64,
    targets: Subscription<Float64>,
    volumes: Publisher<Float64>,
    /// Commanded and present volume, m³.
    target: f64,
    volume: f64,
    has_warned: bool,
}

impl ModelPlugin for BuoyancyEngine {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus) = (host.params()?, host.bus()?);
        let bladder = bladder(params)?;
        let space = params.text("namespace").filter(|name| !name.is_empty());
        let topic = space.map_or_else(
            || "buoyancy_engine".to_owned(),
            |space| format!("/model/{}/buoyancy_engine", space.trim_matches('/')),
        );
        Ok(BuoyancyEngine {
            world: host.world()?,
            command: host.command()?,
            link: params.link(host.model()?, "link_name")?.id,
            density: params.not_negative_or("fluid_density", 1000.0)?,
            surface: if params.count("surface") > 0 {
                params.finite_or("surface", 0.0)?
            } else {
                f64::INFINITY
            },
            targets: bus.subscribe(&topic, Qos::default())?,
            volumes: bus.advertise(&format!("{topic}/current_volume"), Qos::default())?,
            target: bladder.initial,
            volume: bladder.initial,
            bladder,
            has_warned: false,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        (self.target, self.volume) = (self.bladder.initial, self.bladder.initial);
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(self.target, self.volume))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.target, self.volume) = state.take()?;
        Ok(())
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        if let Some(received) = self.targets.take_latest() {
            self.accept(received.message.data);
        }
        let most = self.bladder.rate * step.width();
        self.volume += (self.target - self.volume).clamp(-most, most);
        if self.volumes.has_listeners() {
            self.volumes.publish(step.time_ns, &Float64 { data: self.volume })?;
        }
        // Out of the water the bladder displaces nothing, and the oil in it still weighs.
        let is_wet = self.world.link_state(self.link)?.pose.position[2] < self.surface;
        let displaced = if is_wet { self.volume } else { 0.0 };
        let mass = self.density * (displaced - self.bladder.neutral);
        self.command.link_wrench(self.link, scale(self.world.gravity()?, -mass), [0.0; 3])?;
        Ok(Flow::Continue)
    }
}

impl BuoyancyEngine {
    /// Keeps a command within the volumes of the bladder.
    fn accept(&mut self, volume: f64) {
        match check_targets("volume", &[volume]) {
            Ok(()) => self.target = volume.clamp(self.bladder.min, self.bladder.max),
            Err(error) if !std::mem::replace(&mut self.has_warned, true) => {
                log::warn!(
                    "ignored a volume of {volume:e}: {error}; further ones are ignored without a warning"
                );
            }
            Err(_) => {}
        }
    }
}

fn bladder(params: bridgehead_plugin_api::host::Params) -> Result<Bladder> {
    let min = params.not_negative_or("min_volume", 0.000_03)?;
    let max = params.not_negative_or("max_volume", 0.000_99)?;
    if min > max {
        return Err(params.refuse("min_volume", &min.to_string(), format!("at most <max_volume>, {max}")));
    }
    let neutral = params.not_negative_or("neutral_volume", 0.000_3)?;
    Ok(Bladder {
        min,
        max,
        neutral,
        initial: params.not_negative_or("default_volume", min)?.clamp(min, max),
        rate: params.not_negative_or("max_inflation_rate", 0.000_003)?,
    })
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::host::{LinkState, Pose};
    use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestModel};

    use super::*;

    /// 1 litre above neutral displaces 1 kg of water: 9.8 N.
    #[test]
    fn it_inflates_at_its_rate_and_pushes_up_below_the_surface() {
        let host = TestHost::builder().vehicle("float").link("body").params([
            ("link_name", "body"),
            ("namespace", "float"),
            ("neutral_volume", "0.002"),
            ("default_volume", "0.002"),
            ("max_volume", "0.003"),
            ("max_inflation_rate", "0.1"),
            ("surface", "0"),
        ]);
        let host = host.build();
        host.set_gravity([0.0, 0.0, -9.8]);
        let mut model = TestModel::<BuoyancyEngine>::started(host);
        let at = |height| LinkState {
            pose: Pose { position: [0.0, 0.0, height], ..Pose::IDENTITY },
            linear: [0.0; 3],
            angular: [0.0; 3],
        };
        host.set_link_state("body", at(-1.0));
        host.listen("/model/float/buoyancy_engine/current_volume");
        host.send("/model/float/buoyancy_engine", &Float64 { data: 9.0 });
        model.run(5).expect_done();
        let force = |host: TestHost| match host.take_commands().last() {
            Some(TestCommand::LinkWrench { force, .. }) => Some(force[2]),
            _ => None,
        };
        assert!((force(host).expect("a force") - 4.9).abs() < 1e-9);
        model.run(10).expect_done();
        assert!((force(host).expect("a force") - 9.8).abs() < 1e-9, "at most the largest volume");
        let volume = host.last::<Float64>("/model/float/buoyancy_engine/current_volume").data;
        assert!((volume - 0.003).abs() < 1e-12, "{volume}");
        host.set_link_state("body", at(0.1));
        model.step().expect_done();
        // Above the surface the 2 litres of oil weigh 19.6 N.
        assert!((force(host).expect("a force") + 19.6).abs() < 1e-9);
        assert_eq!(host.unread_params(), Vec::<String>::new());
    }

    /// The defaults of Gazebo's `BuoyancyEngine.cc`.
    #[test]
    fn it_begins_with_the_smallest_volume() {
        let host = TestHost::builder().vehicle("float").link("body").param("link_name", "body").build();
        host.listen("buoyancy_engine/current_volume");
        TestModel::<BuoyancyEngine>::started(host).step().expect_done();
        assert_eq!(host.last::<Float64>("buoyancy_engine/current_volume").data, 0.000_03);
    }
}
