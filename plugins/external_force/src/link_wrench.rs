//! Applies wrenches to links of any model: once by a message, or in every step until they are cleared.
//!
//! Forces act at the centre of mass, in the world frame.

use bridgehead_plugin_api::drive::check_targets;
use bridgehead_plugin_api::host::{Command, Dynamics, Entities, HostHandle, LinkId, Qos, Subscription};
use bridgehead_plugin_api::messages::geometry_msgs::Vector3;
use bridgehead_plugin_api::messages::ros_gz_interfaces::{Entity, EntityWrench};
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Error, Flow, Result};

use crate::persistent::{Kind, Wrench};

/// Values of `Entity::type`.
const MODEL: u32 = 2;
const LINK: u32 = 3;

/// The wrenches of one world.
pub(crate) struct ApplyLinkWrench {
    entities: Entities,
    dynamics: Dynamics,
    command: Command,
    /// As the file gives them.
    initial: Vec<Wrench>,
    persistent: Vec<Wrench>,
    once: Subscription<EntityWrench>,
    adding: Subscription<EntityWrench>,
    clearing: Subscription<Entity>,
    /// Texts of warnings, each of which is given once.
    warned: Vec<String>,
}

impl ModelPlugin for ApplyLinkWrench {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus) = (host.params()?, host.bus()?);
        let initial = Wrench::read_all(params)?;
        Ok(ApplyLinkWrench {
            entities: host.entities()?,
            dynamics: host.dynamics()?,
            command: host.command()?,
            persistent: initial.clone(),
            initial,
            once: bus.subscribe("wrench", Qos::default())?,
            adding: bus.subscribe("wrench/persistent", Qos::default())?,
            clearing: bus.subscribe("wrench/clear", Qos::default())?,
            warned: Vec::new(),
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.persistent.clone_from(&self.initial);
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.persistent)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.persistent = state.take()?;
        Ok(())
    }

    fn control(&mut self, _: &Step) -> Result<Flow> {
        while let Some(received) = self.clearing.take() {
            let name = received.message.name;
            self.persistent.retain(|wrench| wrench.name != name);
        }
        while let Some(received) = self.adding.take() {
            if let Some(wrench) = self.accepted(&received.message) {
                self.persistent.push(wrench);
            }
        }
        let mut wrenches = self.persistent.clone();
        while let Some(received) = self.once.take() {
            wrenches.extend(self.accepted(&received.message));
        }
        for wrench in &wrenches {
            if let Err(error) = self.apply(wrench) {
                self.warn_once(error.to_string());
            }
        }
        Ok(Flow::Continue)
    }
}

impl ApplyLinkWrench {
    /// Returns the wrench of a message, if its numbers and its entity make sense.
    fn accepted(&mut self, message: &EntityWrench) -> Option<Wrench> {
        let wrench = wrench_of(message);
        if let Err(error) = &wrench {
            self.warn_once(format!("ignored a wrench: {error}"));
        }
        wrench.ok()
    }

    fn apply(&self, wrench: &Wrench) -> Result {
        let link = self.find(wrench)?;
        if !self.dynamics.body(link)?.is_some_and(|body| body.moves) {
            return Err(Error::invalid(format!(
                "`{}` is static or scripted, so that no wrench moves it",
                wrench.name
            )));
        }
        self.command.link_wrench(link, wrench.force, wrench.torque)
    }

    fn find(&self, wrench: &Wrench) -> Result<LinkId> {
        let missing =
            |what| Error::invalid(format!("there is no {what} `{}` to apply a wrench to", wrench.name));
        match wrench.kind {
            Kind::Link => self.entities.find_link(&wrench.name).map_err(|_| missing("link")),
            Kind::Model => {
                // The first link of the entity carries its frame unless told otherwise.
                let entity = self.entities.find(&wrench.name).ok_or_else(|| missing("model"))?;
                for link in (0..self.dynamics.links()?).map(LinkId) {
                    if self.dynamics.body(link)?.is_some_and(|body| body.entity == entity.id) {
                        return Ok(link);
                    }
                }
                Err(missing("link of"))
            }
        }
    }

    fn warn_once(&mut self, text: String) {
        if !self.warned.contains(&text) && self.warned.len() < 100 {
            log::warn!("{text}; further ones like it are ignored without a warning");
            self.warned.push(text);
        }
    }
}

fn wrench_of(message: &EntityWrench) -> Result<Wrench> {
    let entity = message.entity.as_ref().ok_or_else(|| Error::invalid("it names no entity"))?;
    let kind = match entity.r#type {
        MODEL => Kind::Model,
        LINK => Kind::Link,
        other => {
            let text = format!(
                "its entity `{}` has the type {other}; expected {MODEL} (MODEL) or {LINK} (LINK)",
                entity.name
            );
            return Err(Error::invalid(text));
        }
    };
    let vector = |vector: Option<&Vector3>| vector.map_or([0.0; 3], |v| [v.x, v.y, v.z]);
    let wrench = message.wrench.as_ref();
    let force = vector(wrench.and_then(|wrench| wrench.force.as_ref()));
    let torque = vector(wrench.and_then(|wrench| wrench.torque.as_ref()));
    check_targets("force", &force)?;
    check_targets("torque", &torque)?;
    Ok(Wrench { name: entity.name.clone(), kind, force, torque })
}

#[cfg(test)]
mod tests;
