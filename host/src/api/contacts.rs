//! `bridgehead.contacts/1`: what touches the instance's model.

use bridgehead_abi::surroundings::{CollisionInfo, Contact, HostContacts};
use bridgehead_abi::{Host, Status, Str, status};

use super::caller::{caller, check_out, check_pointer, checked, wrong_thread};
use super::context::lend;
use super::scope::{self, answer};
use crate::guard::host_call;

pub(super) static TABLE: HostContacts =
    HostContacts { struct_size: HostContacts::SIZE, reserved: 0, collision, contacts, name };

unsafe extern "C" fn collision(host: *const Host, index: u32, out: *mut CollisionInfo) -> Status {
    host_call("contacts.collision", status::PANIC, || {
        let context = caller!(host, "contacts.collision");
        // SAFETY: `out` is memory for a result.
        checked!(unsafe { check_out(&context.label, out, "contacts.collision") });
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
    host: *const Host,
    collision: u32,
    out: *mut Contact,
    capacity: u32,
    count: *mut u32,
) -> Status {
    host_call("contacts.contacts", status::PANIC, || {
        let context = caller!(host, "contacts.contacts");
        checked!(check_pointer(&context.label, count.cast_const(), "count", "contacts.contacts"));
        if capacity > 0 {
            checked!(check_pointer(&context.label, out.cast_const(), "result", "contacts.contacts"));
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
            None => wrong_thread(&context.label, "contacts.contacts"),
            Some(None) => status::NOT_FOUND,
            Some(Some(())) => {
                // SAFETY: `count` is writable.
                unsafe { count.write(found) };
                status::OK
            }
        }
    })
}

unsafe extern "C" fn name(host: *const Host, collision: u32, out: *mut Str) -> Status {
    host_call("contacts.name", status::PANIC, || {
        let context = caller!(host, "contacts.name");
        checked!(check_pointer(&context.label, out.cast_const(), "result", "contacts.name"));
        // SAFETY: `out` is writable; the name lives in the world's table, which only grows.
        unsafe {
            answer(&context.label, "contacts.name", out, |world| world.collision_name(collision).map(lend))
        }
    })
}
