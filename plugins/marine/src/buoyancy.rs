//! Buoyancy of every link of the world that forces move, by Archimedes' principle: each displaced fluid pushes against
//! gravity with its weight, at the centre of the displaced volume.

use bridgehead_plugin_api::host::{Dynamics, HostHandle, LinkId, World};
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::vector::scale;
use bridgehead_plugin_api::{Flow, Result};

use crate::fluid::Fluids;

/// The direction in which densities change: up.
const UP: [f64; 3] = [0.0, 0.0, 1.0];

/// The fluids of one world.
pub(crate) struct Buoyancy {
    world: World,
    dynamics: Dynamics,
    fluids: Fluids,
    /// Names of models and links (`model`, `model::link`) that float; empty for all.
    enabled: Vec<String>,
    /// Links with a volume. Their centres of volume are read in every step: computed once, from the pose of that step, they
    /// would have other last bits in a run that is restored from a later one.
    floating: Vec<u32>,
    /// Number of the first link that was not looked at.
    next: u32,
}

impl ModelPlugin for Buoyancy {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let params = host.params()?;
        let enabled = (0..params.count("enable"))
            .map(|index| params.require(&format!("enable[{index}]")))
            .collect::<Result<_>>()?;
        Ok(Buoyancy {
            world: host.world()?,
            dynamics: host.dynamics()?,
            fluids: Fluids::read(params)?,
            enabled,
            floating: Vec::new(),
            next: 0,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(&self.floating, self.next))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.floating, self.next) = state.take()?;
        Ok(())
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        self.find_links()?;
        if step.number == 1 {
            self.name_missing();
        }
        let gravity = self.world.gravity()?;
        for link in &self.floating {
            self.push(LinkId(*link), gravity)?;
        }
        Ok(Flow::Continue)
    }
}

impl Buoyancy {
    /// Looks at the links that were added since the last step.
    fn find_links(&mut self) -> Result {
        let links = self.dynamics.links()?;
        if links == self.next {
            return Ok(());
        }
        for link in std::mem::replace(&mut self.next, links)..links {
            let Some(body) = self.dynamics.body(LinkId(link))? else { continue };
            if !body.moves || !self.is_enabled(&body.name) {
                continue;
            }
            if self.dynamics.volume_below(body.link, UP, f64::INFINITY)?.volume > 0.0 {
                self.floating.push(link);
            }
        }
        Ok(())
    }

    /// Whether a link, or a model that contains it, is among the enabled names.
    fn is_enabled(&self, link: &str) -> bool {
        let is_it = |name: &String| {
            link.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        self.enabled.is_empty() || self.enabled.iter().any(is_it)
    }

    /// Pushes a link up. One that was removed is left alone.
    fn push(&self, link: LinkId, gravity: [f64; 3]) -> Result {
        if self.world.link_state(link).is_err() {
            return Ok(());
        }
        let displaced = self.fluids.displaced(|height| self.dynamics.volume_below(link, UP, height))?;
        let Some(center) = displaced.center() else { return Ok(()) };
        self.dynamics.force_at(link, scale(gravity, -displaced.mass), center)
    }

    /// Warns if no link of the enabled names floats at the start.
    fn name_missing(&self) {
        if !self.enabled.is_empty() && self.floating.is_empty() {
            let names = self.enabled.join("`, `");
            log::warn!(
                "nothing floats yet: no link with a volume that can move is in `{names}` of `<enable>`"
            );
        }
    }
}

#[cfg(test)]
mod tests;
