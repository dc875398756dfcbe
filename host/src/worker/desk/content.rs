//! Descriptions of the world and of actions, meshes, textures and poses: buffers of the host, whose bytes go to the worker.

use bridgehead_abi::actions::HostActions;
use bridgehead_abi::description::HostDescription;
use bridgehead_abi::message::Buffer;
use bridgehead_abi::scene::HostScene;
use bridgehead_abi::{Status, Str, extension, status};
use bridgehead_plugin_api::Payload;

use super::super::forward::HostObject;
use super::super::memory::SharedMemory;
use super::super::wire::{Answer, Lane, Request};
use super::Desk;

impl Desk {
    pub(super) fn content<'a>(
        &'a self,
        request: &Request<'_>,
        memory: &SharedMemory,
        lane: Lane,
    ) -> Answer<'a> {
        let mut buffer: *const Buffer = std::ptr::null();
        let code = ask(&self.reporter(), request, &mut buffer);
        if code != status::OK || buffer.is_null() {
            return Answer::Status(code);
        }
        // SAFETY: the reference is ours.
        let payload = unsafe { Payload::from_raw(buffer) };
        Answer::Payload(self.packed(self.model.borrow(payload, lane), memory))
    }
}

fn ask(object: &HostObject, request: &Request<'_>, out: &mut *const Buffer) -> Status {
    if let Request::Description = request {
        let table = object.table::<HostDescription>(extension::DESCRIPTION);
        // SAFETY: the object is valid, and `out` is memory for one pointer.
        return table.map_or(status::UNSUPPORTED, |table| unsafe { (table.read)(object.raw, out) });
    }
    if let Request::Actions = request {
        let table = object.table::<HostActions>(extension::ACTIONS);
        // SAFETY: as above.
        return table.map_or(status::UNSUPPORTED, |table| unsafe { (table.read)(object.raw, out) });
    }
    let Some(table) = object.table::<HostScene>(extension::SCENE) else { return status::UNSUPPORTED };
    // SAFETY: as above; the text lives for the call.
    unsafe {
        match request {
            Request::Scene => (table.read)(object.raw, out),
            Request::SceneAsset { hash } => (table.asset)(object.raw, Str::new(hash), out),
            Request::ScenePoses { timeout_ns } => (table.poses)(object.raw, *timeout_ns, out),
            _ => status::UNSUPPORTED,
        }
    }
}
