//! A whole aircraft as one link: forces and moments from stability derivatives and the angles of control surfaces.

use bridgehead_plugin_api::host::{Command, Dynamics, HostHandle, JointId, LinkId, Params, World};
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::vector::{add, sub};
use bridgehead_plugin_api::{Flow, Result};

use crate::air::moving_body;
use crate::airframe::{Airframe, Six, Surface};

/// One aircraft.
pub(crate) struct AdvancedLiftDrag {
    params: Params,
    world: World,
    dynamics: Dynamics,
    command: Command,
    link: LinkId,
    airframe: Airframe,
    /// Reference point, link frame.
    center: [f64; 3],
    surfaces: Vec<(JointId, Surface)>,
    /// World frame, m/s.
    wind: [f64; 3],
    is_checked: bool,
}

impl ModelPlugin for AdvancedLiftDrag {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, model) = (host.params()?, host.model()?);
        let surface = |index: usize| {
            let path = format!("control_surface[{index}]");
            let joint = params.joint(model, &format!("{path}/name"))?;
            // Gazebo documents a number for each, which is its place here.
            let _ = params.text(&format!("{path}/index"));
            Ok((joint.id, Surface::read(params, &path)?))
        };
        Ok(AdvancedLiftDrag {
            params,
            world: host.world()?,
            dynamics: host.dynamics()?,
            command: host.command()?,
            link: params.link(model, "link_name")?.id,
            airframe: Airframe::read(params)?,
            center: params.get_or("cp", [0.0; 3])?,
            surfaces: (0..params.count("control_surface")).map(surface).collect::<Result<_>>()?,
            wind: host.environment()?.read()?.wind,
            is_checked: false,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.is_checked)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.is_checked = state.take()?;
        Ok(())
    }

    fn control(&mut self, _: &Step) -> Result<Flow> {
        if !std::mem::replace(&mut self.is_checked, true) {
            moving_body(self.dynamics, self.link, self.params, "link_name")?;
        }
        let state = self.world.link_state(self.link)?;
        let inward = |vector| state.pose.rotate_inverse(vector);
        let velocity = inward(sub(state.velocity_at(self.center), self.wind));
        let wrench = self.airframe.wrench(velocity, inward(state.angular), &self.deflections()?);
        if let Some((force, torque)) = wrench {
            let point = add(state.pose.position, state.pose.rotate(self.center));
            self.dynamics.force_at(self.link, state.pose.rotate(force), point)?;
            self.command.link_wrench(self.link, [0.0; 3], state.pose.rotate(torque))?;
        }
        Ok(Flow::Continue)
    }
}

impl AdvancedLiftDrag {
    /// What the control surfaces add to the coefficients.
    fn deflections(&self) -> Result<Six> {
        let mut sum = [0.0; 6];
        for (joint, surface) in &self.surfaces {
            let angle = self.world.joint_state(*joint)?.position.to_degrees();
            let angle = if angle.is_finite() { angle } else { 0.0 };
            for (total, effect) in sum.iter_mut().zip(surface.effect) {
                *total += angle * effect;
            }
        }
        Ok(sum)
    }
}

#[cfg(test)]
mod tests;
