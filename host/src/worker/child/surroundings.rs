//! The surroundings in a worker: `bridgehead.entities/1`, `contacts/1` and `world-edit/1`.

use bridgehead_abi::surroundings::{
    CollisionInfo, Contact, Entity, HostContacts, HostEntities, HostWorldEdit, SpawnSpec,
};
use bridgehead_abi::{Host, Status, Str, status};

use super::super::wire::{Answer, Command, ModelRequest, Request};
use super::host::kept;
use super::world::{act, ask_id, ask_named, copy_plain, pose_of, with_bytes};
use super::{link, place};
use crate::api::caller::check_pointer;
use crate::guard::host_call;

pub(super) static ENTITIES: HostEntities =
    HostEntities { struct_size: HostEntities::SIZE, reserved: 0, at, find, find_link };

pub(super) static CONTACTS: HostContacts =
    HostContacts { struct_size: HostContacts::SIZE, reserved: 0, collision, contacts, name };

pub(super) static WORLD_EDIT: HostWorldEdit =
    HostWorldEdit { struct_size: HostWorldEdit::SIZE, reserved: 0, spawn, remove, attach, detach };

fn name_entity(entity: &mut Entity, [name, _]: [Str; 2]) {
    entity.name = name;
}

unsafe extern "C" fn at(_: *const Host, index: u32, out: *mut Entity) -> Status {
    // SAFETY: plugins pass memory for a result.
    host_call("entities.at", status::PANIC, || unsafe {
        ask_named("entities.at", ModelRequest::Entity { index }, out, name_entity)
    })
}

unsafe extern "C" fn find(_: *const Host, name: Str, out: *mut Entity) -> Status {
    host_call("entities.find", status::PANIC, || {
        // SAFETY: plugins pass a text valid for this call, and memory for a result.
        unsafe {
            let Some(name) = name.as_str() else { return status::INVALID_ARG };
            ask_named("entities.find", ModelRequest::FindEntity { name }, out, name_entity)
        }
    })
}

unsafe extern "C" fn find_link(_: *const Host, name: Str, out: *mut u32) -> Status {
    host_call("entities.find_link", status::PANIC, || {
        // SAFETY: as above.
        unsafe {
            let Some(name) = name.as_str() else { return status::INVALID_ARG };
            ask_id("entities.find_link", ModelRequest::FindLink { name }, out)
        }
    })
}

unsafe extern "C" fn collision(_: *const Host, index: u32, out: *mut CollisionInfo) -> Status {
    host_call("contacts.collision", status::PANIC, || {
        let name = |info: &mut CollisionInfo, [name, scoped_name]: [Str; 2]| {
            (info.name, info.scoped_name) = (name, scoped_name);
        };
        // SAFETY: plugins pass memory for a result.
        unsafe { ask_named("contacts.collision", ModelRequest::Collision { index }, out, name) }
    })
}

unsafe extern "C" fn contacts(
    _: *const Host,
    collision: u32,
    out: *mut Contact,
    capacity: u32,
    count: *mut u32,
) -> Status {
    host_call("contacts.contacts", status::PANIC, || {
        if let Err(code) = check_pointer("", count.cast_const(), "number of contacts", "contacts.contacts") {
            return code;
        }
        let request = Request::Model(ModelRequest::Contacts { collision, capacity });
        link().ask(request, |answer| match answer {
            Answer::Some { values, of } => with_bytes(values, |bytes| {
                let values = bytes.len() / size_of::<Contact>();
                if values > capacity as usize {
                    return status::INVALID_ARG;
                }
                // SAFETY: plugins pass memory for `capacity` contacts, and for the number.
                unsafe {
                    count.write(of);
                    copy_plain(bytes, out, values)
                }
            }),
            other => other.status(),
        })
    })
}

unsafe extern "C" fn name(_: *const Host, collision: u32, out: *mut Str) -> Status {
    host_call("contacts.name", status::PANIC, || {
        // SAFETY: plugins pass memory for a text.
        if let Err(code) = unsafe { place::check(out, "contacts.name") } {
            return code;
        }
        link().ask(Request::Model(ModelRequest::CollisionName { collision }), |answer| match answer {
            Answer::Text(text) => {
                // SAFETY: plugins pass memory for a text.
                unsafe { out.write(kept(text)) };
                status::OK
            }
            other => other.status(),
        })
    })
}

unsafe extern "C" fn spawn(_: *const Host, spec: *const SpawnSpec, out: *mut u64) -> Status {
    host_call("world_edit.spawn", status::PANIC, || {
        // SAFETY: plugins pass values valid for this call, and memory for a result.
        unsafe {
            let Some(spec) = spec.as_ref() else { return status::INVALID_ARG };
            let (Some(sdf), Some(name)) = (spec.sdf.as_str(), spec.name.as_str()) else {
                return status::INVALID_ARG;
            };
            let (pose, flags) = (pose_of(&spec.pose), spec.flags);
            ask_id("world_edit.spawn", ModelRequest::Spawn { sdf, name, pose, flags }, out)
        }
    })
}

unsafe extern "C" fn attach(_: *const Host, parent_link: u32, child_link: u32, out: *mut u64) -> Status {
    // SAFETY: plugins pass memory for a result.
    host_call("world_edit.attach", status::PANIC, || unsafe {
        ask_id("world_edit.attach", ModelRequest::Attach { parent_link, child_link }, out)
    })
}

unsafe extern "C" fn remove(_: *const Host, entity: u64) -> Status {
    host_call("world_edit.remove", status::PANIC, || act(Command::Remove { entity }))
}

unsafe extern "C" fn detach(_: *const Host, bond: u64) -> Status {
    host_call("world_edit.detach", status::PANIC, || act(Command::Detach { bond }))
}
