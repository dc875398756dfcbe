//! `bridgehead.world-edit/1`: changes of what the world consists of, made before physics of the next step.

use bridgehead_abi::surroundings::{HostWorldEdit, SPAWN_RENAME, SpawnSpec};
use bridgehead_abi::{Host, Status, status};
use bridgehead_sdf::pose::{DQuat, DVec3, Pose};

use super::context::read;
use super::{Context, scope};
use crate::guard::host_call;
use crate::world::{CommandError, Spawn, World};

pub(super) static TABLE: HostWorldEdit =
    HostWorldEdit { struct_size: HostWorldEdit::SIZE, reserved: 0, spawn, remove, attach, detach };

/// Makes a change; explains a refusal.
///
/// # Safety
/// `host` must be the caller's host pointer.
unsafe fn change<T>(
    host: *const Host,
    ask: impl FnOnce(&mut World) -> Result<T, CommandError>,
    take: impl FnOnce(T),
) -> Status {
    // SAFETY: the caller vouches for it.
    let context = unsafe { Context::of(host) };
    match scope::with(ask) {
        None => status::WRONG_THREAD,
        Some(Ok(value)) => {
            take(value);
            status::OK
        }
        Some(Err(error)) => {
            context.refuse(error.to_string());
            status::INVALID_ARG
        }
    }
}

unsafe extern "C" fn spawn(host: *const Host, spec: *const SpawnSpec, out: *mut u64) -> Status {
    host_call("world_edit.spawn", status::PANIC, || {
        // SAFETY: plugins pass a specification and texts valid for this call; `out` is writable.
        unsafe {
            let spec = &*spec;
            let (Some(sdf), Some(name)) = (read(spec.sdf), read(spec.name)) else {
                return status::INVALID_ARG;
            };
            let spawn = Spawn {
                sdf,
                name,
                may_rename: spec.flags & SPAWN_RENAME != 0,
                pose: Pose {
                    position: DVec3::from_array(spec.pose.position),
                    rotation: DQuat::from_array(spec.pose.orientation).normalize(),
                },
            };
            change(host, |world| world.spawn(&spawn), |entity| out.write(entity))
        }
    })
}

unsafe extern "C" fn remove(host: *const Host, entity: u64) -> Status {
    host_call("world_edit.remove", status::PANIC, || {
        // SAFETY: plugins pass back their host pointer.
        unsafe { change(host, |world| world.remove(entity), |()| ()) }
    })
}

unsafe extern "C" fn attach(host: *const Host, parent_link: u32, child_link: u32, out: *mut u64) -> Status {
    host_call("world_edit.attach", status::PANIC, || {
        // SAFETY: as in `remove`; `out` is writable.
        unsafe { change(host, |world| world.attach(parent_link, child_link), |bond| out.write(bond)) }
    })
}

unsafe extern "C" fn detach(host: *const Host, bond: u64) -> Status {
    host_call("world_edit.detach", status::PANIC, || {
        // SAFETY: as in `remove`.
        unsafe { change(host, |world| world.detach(bond), |()| ()) }
    })
}
