//! Attaches a link of another model until a message requests its release, and attaches it again on request.
//!
//! The other model need not exist at the start: it is attached as soon as it exists.

use bridgehead_plugin_api::host::{
    Bond, Entities, HostHandle, LinkId, Params, Publisher, Qos, Subscription, WorldEdit,
};
use bridgehead_plugin_api::messages::std_msgs;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Flow, Result};

/// Requested state of the joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TargetState {
    /// Attach the other link, or do so when it exists.
    Attached,
    /// Detach it.
    Detached,
}

/// One joint.
pub(crate) struct DetachableJoint {
    edit: WorldEdit,
    entities: Entities,
    parent: LinkId,
    /// Name in the world of the link to attach.
    child: String,
    is_quiet: bool,
    has_warned: bool,
    target: TargetState,
    bond: Option<Bond>,
    detach: Vec<Subscription<std_msgs::Empty>>,
    attach: Subscription<std_msgs::Empty>,
    state: Publisher<std_msgs::String>,
}

impl ModelPlugin for DetachableJoint {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus) = (host.params()?, host.bus()?);
        let topic = |name: &str, default: &str| params.text(name).unwrap_or_else(|| default.to_owned());
        let mut detach =
            vec![bus.subscribe(&topic("detach_topic", "detachable_joint/detach"), Qos::default())?];
        // The first name of this topic in Gazebo.
        if let Some(old) = params.text("topic") {
            detach.push(bus.subscribe(&old, Qos::default())?);
        }
        Ok(DetachableJoint {
            edit: host.world_edit()?,
            entities: host.entities()?,
            parent: host.model()?.link(&params.require::<String>("parent_link")?)?.id,
            child: child_link(params, &host.model()?.attachment()?.vehicle)?,
            is_quiet: params.get_or("suppress_child_warning", false)?,
            has_warned: false,
            target: TargetState::Attached,
            bond: None,
            detach,
            attach: bus.subscribe(&topic("attach_topic", "detachable_joint/attach"), Qos::default())?,
            state: bus.advertise(&topic("output_topic", "detachable_joint/state"), Qos::latched())?,
        })
    }

    /// The reset has detached the link; it is attached again in the next step.
    fn reset(&mut self, scope: ResetScope) -> Result<Flow> {
        if scope.covers_state() {
            self.bond = None;
            self.target = TargetState::Attached;
        }
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(self.target == TargetState::Attached, self.bond.map(|bond| bond.0)))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        let (holds, bond): (bool, Option<u64>) = state.take()?;
        self.target = if holds { TargetState::Attached } else { TargetState::Detached };
        self.bond = bond.map(Bond);
        Ok(())
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        if self.attach.take_latest().is_some() {
            self.target = TargetState::Attached;
        }
        if self.detach.iter_mut().filter_map(|topic| topic.take_latest()).count() > 0 {
            self.target = TargetState::Detached;
        }
        match (self.target, self.bond) {
            (TargetState::Attached, None) => self.attach(step)?,
            (TargetState::Detached, Some(bond)) => {
                self.edit.detach(bond)?;
                self.bond = None;
                self.publish_state(step, "detached")?;
            }
            (TargetState::Attached, Some(_)) | (TargetState::Detached, None) => {}
        }
        Ok(Flow::Continue)
    }
}

impl DetachableJoint {
    fn attach(&mut self, step: &Step) -> Result {
        let Ok(child) = self.entities.find_link(&self.child) else {
            if !(self.is_quiet || self.has_warned) {
                log::warn!("there is no link `{}` to attach; it is attached when it exists", self.child);
                self.has_warned = true;
            }
            return Ok(());
        };
        self.bond = Some(self.edit.attach(self.parent, child)?);
        self.publish_state(step, "attached")
    }

    fn publish_state(&self, step: &Step, state: &str) -> Result {
        self.state.publish(step.time_ns, &std_msgs::String { data: state.to_owned() })
    }
}

/// Returns the name in the world of the child link. `__model__` is the own model.
fn child_link(params: Params, vehicle: &str) -> Result<String> {
    let model: String = params.require("child_model")?;
    let model = if model == "__model__" { vehicle.to_owned() } else { model };
    let link: String = params.require("child_link")?;
    Ok(format!("{model}::{link}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::Level;
    use bridgehead_plugin_api::testing::{TestEdit, TestHost, TestModel};

    const CRATE: LinkId = LinkId(77);

    fn carrier() -> TestHost {
        TestHost::builder()
            .vehicle("truck")
            .link("bed")
            .params([("parent_link", "bed"), ("child_model", "crate"), ("child_link", "body")])
            .param("output_topic", "/crate/state")
            .build()
    }

    fn told(host: TestHost) -> Vec<String> {
        host.decoded::<std_msgs::String>("/crate/state").into_iter().map(|message| message.data).collect()
    }

    #[test]
    fn it_attaches_detaches_and_attaches_again() {
        let host = carrier();
        host.set_world_link("crate::body", CRATE);
        let mut model = TestModel::<DetachableJoint>::started(host);
        model.step().expect_done();
        let edits = host.take_edits();
        let [TestEdit::Attach { bond, parent, child }] = edits[..] else { panic!("one bond, not {edits:?}") };
        assert_eq!((parent, child), (host.link("bed").id, CRATE));
        model.step().expect_done();
        host.send("detachable_joint/detach", &std_msgs::Empty {});
        model.step().expect_done();
        assert_eq!(host.take_edits(), [TestEdit::Detach(bond)]);
        model.step().expect_done();
        host.send("detachable_joint/attach", &std_msgs::Empty {});
        model.step().expect_done();
        assert!(matches!(host.take_edits()[..], [TestEdit::Attach { .. }]));
        assert_eq!(told(host), ["attached", "detached", "attached"]);
        assert_eq!(host.unread_params(), Vec::<String>::new());
    }

    #[test]
    fn a_missing_link_is_attached_when_it_exists() {
        let host = carrier();
        let mut model = TestModel::<DetachableJoint>::started(host);
        model.run(3).expect_done();
        assert_eq!(host.take_edits(), []);
        assert!(host.has_logged(Level::Warn, "there is no link `crate::body` to attach"));
        host.set_world_link("crate::body", CRATE);
        model.step().expect_done();
        assert_eq!(host.take_edits().len(), 1);
    }

    #[test]
    fn a_reset_of_the_state_attaches_it_again() {
        let host = carrier();
        host.set_world_link("crate::body", CRATE);
        let mut model = TestModel::<DetachableJoint>::started(host);
        host.send("detachable_joint/detach", &std_msgs::Empty {});
        model.run(2).expect_done();
        assert_eq!(host.take_edits(), []);
        model.reset(ResetScope::ALL).expect_done();
        model.step().expect_done();
        assert!(matches!(host.take_edits()[..], [TestEdit::Attach { .. }]));
    }
}
