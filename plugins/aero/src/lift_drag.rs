//! Lift and drag of one wing, fin or blade of a link, at its centre of pressure.

use bridgehead_plugin_api::host::{Dynamics, HostHandle, JointId, LinkId, Params, World};
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::vector::{add, sub};
use bridgehead_plugin_api::{Flow, Result};

use crate::air::moving_body;
use crate::wing::Wing;

/// Lift coefficient per angle of the joint of a flap, 1/rad, without a parameter.
const FLAP: f64 = 4.0;

/// One wing.
pub(crate) struct LiftDrag {
    params: Params,
    world: World,
    dynamics: Dynamics,
    link: LinkId,
    wing: Wing,
    /// Centre of pressure, link frame.
    center: [f64; 3],
    /// The joint of a flap, and its lift coefficient, 1/rad.
    flap: Option<(JointId, f64)>,
    /// World frame, m/s.
    wind: [f64; 3],
    is_checked: bool,
}

impl ModelPlugin for LiftDrag {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, model) = (host.params()?, host.model()?);
        let link = params.link(model, "link_name")?;
        let factor = params.finite_or("control_joint_rad_to_cl", FLAP)?;
        const FLAP_JOINT: &str = "control_joint_name";
        let flap = params.text(FLAP_JOINT).map(|_| params.joint(model, FLAP_JOINT)).transpose()?;
        Ok(LiftDrag {
            params,
            world: host.world()?,
            dynamics: host.dynamics()?,
            link: link.id,
            wing: Wing::read(params)?,
            center: params.get_or("cp", [0.0; 3])?,
            flap: flap.map(|joint| (joint.id, factor)),
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
        let velocity = sub(state.velocity_at(self.center), self.wind);
        let force = self.wing.force(state.pose.rotate_inverse(velocity), self.flapped()?);
        if force != [0.0; 3] {
            let point = add(state.pose.position, state.pose.rotate(self.center));
            self.dynamics.force_at(self.link, state.pose.rotate(force), point)?;
        }
        Ok(Flow::Continue)
    }
}

impl LiftDrag {
    /// What the flap adds to the coefficient of lift.
    fn flapped(&self) -> Result<f64> {
        let Some((joint, factor)) = self.flap else { return Ok(0.0) };
        let angle = self.world.joint_state(joint)?.position;
        Ok(if angle.is_finite() { angle * factor } else { 0.0 })
    }
}

#[cfg(test)]
mod tests;
