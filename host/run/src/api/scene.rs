//! `bridgehead.scene/1`: what the world looks like.

use std::sync::mpsc::sync_channel;
use std::time::Duration;

use bridgehead_abi::{Status, status};
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::hosting::SceneHost;

use super::context::Context;
use super::scope;

impl SceneHost for Context {
    fn revision(&self) -> u64 {
        self.shared.scene.revision()
    }

    fn read(&self) -> Result<Payload, Status> {
        if scope::is_open() {
            self.refuse("`scene.read` waits for files: call it on a thread of your own".to_owned());
            return Err(status::WRONG_THREAD);
        }
        let (sender, receiver) = sync_channel(1);
        // An error is a caller that waits no longer.
        self.shared.scene.read(move |payload| drop(sender.send(payload)));
        receiver.recv().map_err(|_| status::INTERRUPTED)
    }

    fn asset(&self, hash: &str) -> Result<Payload, Status> {
        let asset = self.shared.scene.asset(hash).ok_or(status::NOT_FOUND)?;
        Ok(Payload::from_vec(asset.bytes.to_vec()))
    }

    fn poses(&self, timeout_ns: i64) -> Result<Payload, Status> {
        let shared = &self.shared;
        let here = scope::with(|world| shared.scene.block(Some(world), shared.clock.read().0).bytes);
        let payload = here.or_else(|| {
            let time = Duration::from_nanos(u64::try_from(timeout_ns).unwrap_or(0));
            let block = shared.scene.poses.wait(time, || shared.requests.wake())?;
            Some(block.bytes.clone())
        });
        payload.ok_or(status::TIMEOUT)
    }
}
