//! `bridgehead.contacts/1`: what touches the instance's model.

use bridgehead_abi::surroundings::{CollisionInfo, Contact, HostContacts};
use bridgehead_abi::{Host, Status, Str, status};

use super::Context;
use super::context::lend;
use super::scope::{self, answer};
use crate::guard::host_call;

pub(super) static TABLE: HostContacts =
    HostContacts { struct_size: HostContacts::SIZE, reserved: 0, collision, contacts, name };

unsafe extern "C" fn collision(host: *const Host, index: u32, out: *mut CollisionInfo) -> Status {
    host_call("contacts.collision", status::PANIC, || {
        // SAFETY: plugins pass back their host pointer.
        let context = unsafe { Context::of(host) };
        let Some(collision) = context.attachment.collisions.get(index as usize) else {
            return status::NOT_FOUND;
        };
        let raw = CollisionInfo {
            struct_size: CollisionInfo::SIZE,
            collision: collision.collision,
            link: collision.link,
            reserved: 0,
            name: lend(&collision.name),
            scoped_name: lend(&collision.scoped_name),
        };
        // SAFETY: `out` is writable; the texts live as long as the context.
        unsafe { out.write(raw) };
        status::OK
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
        if out.is_null() && capacity > 0 {
            return status::INVALID_ARG;
        }
        let mut found = 0;
        let write = |world: &mut crate::world::World| {
            world.contacts(collision, |contact| {
                if found < capacity {
                    let raw = Contact {
                        other: contact.other,
                        reserved: 0,
                        position: contact.position.to_array(),
                        normal: contact.normal.to_array(),
                        depth: contact.depth,
                        force: contact.force.to_array(),
                    };
                    // SAFETY: the buffer holds `capacity` entries.
                    unsafe { out.add(found as usize).write(raw) };
                }
                found += 1;
            })
        };
        match scope::with(write) {
            None => status::WRONG_THREAD,
            Some(None) => status::NOT_FOUND,
            Some(Some(())) => {
                // SAFETY: `count` is writable.
                unsafe { count.write(found) };
                status::OK
            }
        }
    })
}

unsafe extern "C" fn name(_: *const Host, collision: u32, out: *mut Str) -> Status {
    host_call("contacts.name", status::PANIC, || {
        // SAFETY: `out` is writable; the name lives in the world's table, which only grows.
        unsafe { answer(out, |world| world.collision_name(collision).map(lend)) }
    })
}
