//! Links that a plugin moves along a path of its own.

use bridgehead_abi::extension;
use bridgehead_abi::kinematics as abi;

use crate::error::Result;
use crate::host::{LinkId, Pose, extension_handle};

extension_handle! {
    /// Links whose motion a plugin prescribes. `[sim]`
    Kinematics, abi::HostKinematics, extension::KINEMATICS
}

impl Kinematics {
    /// Moves a link of any model so that its frame reaches a pose of the world at the end of the next step. It carries
    /// and pushes what it touches. Forces no longer move it from the first call on; it rests in steps without a call.
    ///
    /// # Errors
    /// Returns an error if the link is gone or held by a joint, or a value is not a number.
    pub fn move_link(self, link: LinkId, pose: Pose) -> Result {
        Ok(self.extension.move_link(link.0, pose.to_abi())?)
    }
}
