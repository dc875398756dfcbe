//! Wind that rises, turns and fluctuates, and its force on the links that the world exposes to it.
//!
//! The force of Gazebo's wind effects: mass × factor × (wind - velocity), at the centre of mass.

mod gusts;

use bridgehead_plugin_api::drive::check_twist;
use bridgehead_plugin_api::host::{
    Command, Dynamics, Environment, HostHandle, LinkId, Params, Qos, Subscription, World,
};
use bridgehead_plugin_api::messages::geometry_msgs::Vector3;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::vector::{add, scale, sub};
use bridgehead_plugin_api::{Error, Flow, Result};
use serde::{Deserialize, Serialize};

use gusts::Gusts;

/// A link in the wind.
#[derive(Serialize, Deserialize)]
struct Exposed {
    link: u32,
    mass: f64,
    /// Centre of mass, link frame.
    center: [f64; 3],
}

/// The wind of one world.
pub(crate) struct WindEffects {
    world: World,
    dynamics: Dynamics,
    environment: Environment,
    command: Command,
    factor: Factor,
    gusts: Gusts,
    /// The wind of a topic instead of the world's, m/s.
    commanded: Option<[f64; 3]>,
    winds: Subscription<Vector3>,
    has_warned: bool,
    exposed: Vec<Exposed>,
    /// Number of the first link that was not looked at.
    next: u32,
}

impl ModelPlugin for WindEffects {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 4 };

    fn awake(host: HostHandle) -> Result<Self> {
        let params = host.params()?;
        Ok(WindEffects {
            world: host.world()?,
            dynamics: host.dynamics()?,
            environment: host.environment()?,
            command: host.command()?,
            factor: Factor::read(params)?,
            gusts: Gusts::read(host)?,
            commanded: None,
            winds: host
                .bus()?
                .subscribe(params.text("topic").as_deref().unwrap_or("/wind"), Qos::default())?,
            has_warned: false,
            exposed: Vec::new(),
            next: 0,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.commanded = None;
        self.gusts.reset();
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(self.commanded, &self.exposed, self.next))?;
        self.gusts.save(state)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.commanded, self.exposed, self.next) = state.take()?;
        self.gusts.load(state)
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        self.find_links()?;
        if let Some(received) = self.winds.take_latest() {
            self.accept(&received.message);
        }
        let wind = self.commanded.map_or_else(|| Ok(self.environment.read()?.wind), Ok::<_, Error>)?;
        let wind = self.gusts.advance(wind, step);
        for exposed in &self.exposed {
            let link = LinkId(exposed.link);
            // One that was removed is left alone.
            let Ok(state) = self.world.link_state(link) else { continue };
            let at = add(state.pose.position, state.pose.rotate(exposed.center));
            let relative = sub(wind, state.velocity_at(exposed.center));
            let force = scale(relative, exposed.mass * self.factor.at(at));
            self.command.link_wrench(link, force, [0.0; 3])?;
        }
        Ok(Flow::Continue)
    }
}

impl WindEffects {
    /// Keeps a wind. One with invalid numbers is ignored; the first one is logged.
    fn accept(&mut self, wind: &Vector3) {
        let wind = [wind.x, wind.y, wind.z];
        match check_twist(wind, [0.0; 3]) {
            Ok(()) => self.commanded = Some(wind),
            Err(error) if !std::mem::replace(&mut self.has_warned, true) => {
                log::warn!("ignored a wind: {error}; further ones are ignored without a warning");
            }
            Err(_) => {}
        }
    }

    /// Looks at the links that were added since the last step.
    fn find_links(&mut self) -> Result {
        let links = self.dynamics.links()?;
        if links == self.next {
            return Ok(());
        }
        for link in std::mem::replace(&mut self.next, links)..links {
            let Some(body) = self.dynamics.body(LinkId(link))? else { continue };
            if body.moves && body.is_in_wind {
                self.exposed.push(Exposed { link, mass: body.mass, center: body.center });
            }
        }
        Ok(())
    }
}

/// `<force_approximation_scaling_factor>`: one number, or one for each region.
struct Factor {
    otherwise: f64,
    regions: Vec<Region>,
}

/// A region and its factor.
struct Region {
    /// Axis, whether the coordinate must be greater, and the bound, metres.
    bounds: Vec<(usize, bool, f64)>,
    factor: f64,
}

impl Factor {
    fn read(params: Params) -> Result<Self> {
        const PATH: &str = "force_approximation_scaling_factor";
        let count = params.count(&format!("{PATH}/when"));
        if count == 0 {
            return Ok(Factor { otherwise: params.not_negative_or(PATH, 1.0)?, regions: Vec::new() });
        }
        let regions = (0..count).map(|index| Region::read(params, &format!("{PATH}/when[{index}]")));
        Ok(Factor { otherwise: 0.0, regions: regions.collect::<Result<_>>()? })
    }

    fn at(&self, point: [f64; 3]) -> f64 {
        self.regions
            .iter()
            .find(|region| region.contains(point))
            .map_or(self.otherwise, |region| region.factor)
    }
}

impl Region {
    fn read(params: Params, path: &str) -> Result<Self> {
        params.require::<f64>(path)?;
        let factor = params.not_negative_or(path, 1.0)?;
        let mut bounds = Vec::new();
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            for (word, is_greater) in [("lt", false), ("le", false), ("gt", true), ("ge", true)] {
                if let Some(bound) = params.get::<f64>(&format!("{path}/@{name}{word}"))? {
                    bounds.push((axis, is_greater, bound));
                }
            }
        }
        Ok(Region { bounds, factor })
    }

    fn contains(&self, point: [f64; 3]) -> bool {
        let holds = |(axis, is_greater, bound): &(usize, bool, f64)| {
            if *is_greater { point[*axis] >= *bound } else { point[*axis] <= *bound }
        };
        self.bounds.iter().all(holds)
    }
}

#[cfg(test)]
mod tests;
