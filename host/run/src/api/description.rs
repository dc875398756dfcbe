//! `bridgehead.description/1`: what the world consists of.

use bridgehead_abi::Status;
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::hosting::DescriptionHost;

use super::context::Context;

impl DescriptionHost for Context {
    fn revision(&self) -> u64 {
        self.shared.description.revision()
    }

    fn read(&self) -> Result<Payload, Status> {
        Ok(self.shared.description.read())
    }
}
