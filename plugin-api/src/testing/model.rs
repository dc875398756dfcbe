//! `bridgehead.model/1` of a test: what the setup says.

use bridgehead_abi as abi;
use bridgehead_abi::host::{Attachment, JointInfo, LinkInfo, NO_LINK};
use bridgehead_abi::{Status, Str, status};

use super::host::{Shared, TestHost};
use crate::host::{Joint, JointKind, Link};
use crate::hosting::ModelHost;

impl TestHost {
    /// The link of that name.
    ///
    /// # Panics
    /// Panics if the test gave none.
    #[must_use]
    #[track_caller]
    pub fn link(self, name: &str) -> Link {
        match self.shared.setup.links.iter().find(|link| link.name == name) {
            Some(link) => link.clone(),
            None => panic!("the test gave no link `{name}`: add `.link(\"{name}\")` to the builder"),
        }
    }

    /// The joint of that name.
    ///
    /// # Panics
    /// Panics if the test gave none.
    #[must_use]
    #[track_caller]
    pub fn joint(self, name: &str) -> Joint {
        match self.shared.setup.joints.iter().find(|joint| joint.name == name) {
            Some(joint) => joint.clone(),
            None => panic!("the test gave no joint `{name}`: add `.joint(\"{name}\", …)` to the builder"),
        }
    }
}

impl ModelHost for Shared {
    fn attachment(&self) -> Result<Attachment, Status> {
        let setup = &self.setup;
        Ok(Attachment {
            struct_size: Attachment::SIZE,
            parent_link: setup.parent_link.map_or(NO_LINK, |link| link.0),
            vehicle: Str::new(&setup.vehicle),
            model: Str::new(&setup.model),
            element: Str::new(&setup.element),
            path: Str::new(&setup.path),
            frame_id: Str::new(&setup.frame_id),
            topic: Str::new(&setup.topic),
            xml: Str::new(&setup.xml),
            pose: setup.pose.to_abi(),
            update_period_ns: i64::try_from(setup.update_period.as_nanos()).unwrap_or(i64::MAX),
            seed: setup.seed,
        })
    }

    fn link(&self, index: u32) -> Result<LinkInfo, Status> {
        let link = self.setup.links.get(index as usize).ok_or(status::NOT_FOUND)?;
        Ok(LinkInfo {
            struct_size: LinkInfo::SIZE,
            link: link.id.0,
            name: Str::new(&link.name),
            frame_id: Str::new(&link.frame_id),
            pose: link.pose.to_abi(),
            mass: link.mass,
        })
    }

    fn joint(&self, index: u32) -> Result<JointInfo, Status> {
        let joint = self.setup.joints.get(index as usize).ok_or(status::NOT_FOUND)?;
        Ok(JointInfo {
            struct_size: JointInfo::SIZE,
            joint: joint.id.0,
            kind: number_of(joint.kind),
            reserved: 0,
            name: Str::new(&joint.name),
            lower: joint.lower,
            upper: joint.upper,
            effort: joint.effort,
            velocity: joint.velocity,
        })
    }
}

fn number_of(kind: JointKind) -> u32 {
    match kind {
        JointKind::Fixed => abi::host::JOINT_FIXED,
        JointKind::Revolute => abi::host::JOINT_REVOLUTE,
        JointKind::Continuous => abi::host::JOINT_CONTINUOUS,
        JointKind::Prismatic => abi::host::JOINT_PRISMATIC,
        JointKind::Other => abi::host::JOINT_OTHER,
    }
}
