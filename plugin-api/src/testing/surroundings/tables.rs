//! The C functions of the test's world: each checks thread and handle and answers from what the test set.

use bridgehead_abi as abi;
use bridgehead_abi::surroundings as raw;
use bridgehead_abi::{Host, Status, Str, status};

use super::super::calls::Class;
use super::super::host::{Shared, lock};
use super::{FIRST_BOND, FIRST_COLLISION, FIRST_SPAWNED, SurroundingsState, TestEdit};
use crate::host::{Bond, Contact, Entity, EntityId, JointId, JointWrench, LinkId, Pose};

/// Runs `answer` for a call that belongs on the simulation thread.
///
/// # Safety
/// `host` must come from a [`TestHost`].
pub(super) unsafe fn on_sim(
    host: *const Host,
    call: &'static str,
    answer: impl FnOnce(&mut SurroundingsState) -> Option<()>,
) -> Status {
    // SAFETY: the caller vouches for it.
    let shared = unsafe { Shared::of(host) };
    if let Err(code) = shared.calls.require(call, Class::Sim) {
        return code;
    }
    let found = answer(&mut lock(&shared.surroundings));
    if found.is_some() { status::OK } else { status::NOT_FOUND }
}

/// Notes a change of the world, or refuses it as the test asked.
///
/// # Safety
/// As [`on_sim`].
unsafe fn edit(
    host: *const Host,
    call: &'static str,
    change: impl FnOnce(&mut SurroundingsState) -> TestEdit,
) -> Status {
    // SAFETY: the caller vouches for it.
    let shared = unsafe { Shared::of(host) };
    if let Err(code) = shared.calls.require(call, Class::Sim) {
        return code;
    }
    let mut state = lock(&shared.surroundings);
    if let Some(text) = state.refusal.take() {
        drop(state);
        shared.calls.explain(text);
        return status::INVALID_ARG;
    }
    let change = change(&mut state);
    state.edits.push(change);
    status::OK
}

static ENVIRONMENT: raw::HostEnvironment =
    raw::HostEnvironment { struct_size: raw::HostEnvironment::SIZE, reserved: 0, read };

unsafe extern "C" fn read(host: *const Host, out: *mut raw::Environment) -> Status {
    // SAFETY: plugins pass back the pointer they were given; `out` is writable.
    unsafe { out.write(lock(&Shared::of(host).surroundings).environment.to_abi()) };
    status::OK
}

static ENTITIES: raw::HostEntities =
    raw::HostEntities { struct_size: raw::HostEntities::SIZE, reserved: 0, at, find, find_link };

unsafe extern "C" fn at(host: *const Host, index: u32, out: *mut raw::Entity) -> Status {
    // SAFETY: as in `read`.
    unsafe {
        on_sim(host, "entities.at", |state| {
            state.entities.get(index as usize).map(|entity| out.write(raw_entity(entity)))
        })
    }
}

unsafe extern "C" fn find(host: *const Host, name: Str, out: *mut raw::Entity) -> Status {
    // SAFETY: as in `read`; the name lives for the call.
    unsafe {
        on_sim(host, "entities.find", |state| {
            let name = name.as_str()?;
            let entity = state.entities.iter().find(|(entity, _)| entity.name == name)?;
            out.write(raw_entity(entity));
            Some(())
        })
    }
}

unsafe extern "C" fn find_link(host: *const Host, name: Str, out: *mut u32) -> Status {
    // SAFETY: as in `find`.
    unsafe {
        on_sim(host, "entities.find_link", |state| {
            state.links.get(name.as_str()?).map(|link| out.write(link.0))
        })
    }
}

fn raw_entity((entity, name): &(Entity, &'static str)) -> raw::Entity {
    let bit = |is_set, bit| if is_set { bit } else { 0 };
    raw::Entity {
        struct_size: raw::Entity::SIZE,
        flags: bit(entity.is_static, raw::ENTITY_STATIC) | bit(entity.is_spawned, raw::ENTITY_SPAWNED),
        id: entity.id.0,
        name: Str::new(name),
        pose: entity.pose.to_abi(),
        linear: entity.linear,
        angular: entity.angular,
        box_min: entity.box_min,
        box_max: entity.box_max,
    }
}

static CONTACTS: raw::HostContacts =
    raw::HostContacts { struct_size: raw::HostContacts::SIZE, reserved: 0, collision, contacts, name };

unsafe extern "C" fn collision(host: *const Host, index: u32, out: *mut raw::CollisionInfo) -> Status {
    // SAFETY: as in `read`.
    let mut state = lock(unsafe { &Shared::of(host).surroundings });
    let mut own =
        (FIRST_COLLISION..).zip(state.collisions.iter_mut()).filter(|(_, collision)| collision.is_own);
    let Some((id, collision)) = own.nth(index as usize) else {
        return status::NOT_FOUND;
    };
    let info = raw::CollisionInfo {
        struct_size: raw::CollisionInfo::SIZE,
        collision: id,
        link: collision.link.0,
        reserved: 0,
        name: Str::new(collision.name),
        scoped_name: Str::new(collision.scoped_name),
    };
    // SAFETY: as in `read`.
    unsafe { out.write(info) };
    status::OK
}

unsafe extern "C" fn contacts(
    host: *const Host,
    collision: u32,
    out: *mut Contact,
    capacity: u32,
    count: *mut u32,
) -> Status {
    // SAFETY: `out` holds `capacity` entries and `count` is writable.
    unsafe {
        on_sim(host, "contacts.contacts", |state| {
            let contacts = &state.collision_mut(collision)?.contacts;
            count.write(u32::try_from(contacts.len()).unwrap_or(u32::MAX));
            for (index, contact) in contacts.iter().take(capacity as usize).enumerate() {
                out.add(index).write(*contact);
            }
            Some(())
        })
    }
}

unsafe extern "C" fn name(host: *const Host, collision: u32, out: *mut Str) -> Status {
    // SAFETY: as in `read`.
    unsafe {
        on_sim(host, "contacts.name", |state| {
            state.collision_mut(collision).map(|collision| out.write(Str::new(collision.scoped_name)))
        })
    }
}

static JOINTS: raw::HostJoints =
    raw::HostJoints { struct_size: raw::HostJoints::SIZE, reserved: 0, attached, frame, watch, wrench };

unsafe extern "C" fn attached(host: *const Host, out: *mut u32) -> Status {
    // SAFETY: as in `read`.
    let Some(joint) = lock(unsafe { &Shared::of(host).surroundings }).attached else {
        return status::NOT_FOUND;
    };
    // SAFETY: as in `read`.
    unsafe { out.write(joint.0) };
    status::OK
}

unsafe extern "C" fn frame(host: *const Host, joint: u32, out: *mut raw::JointFrame) -> Status {
    // SAFETY: as in `read`.
    let shared = unsafe { Shared::of(host) };
    let Some(frame) = lock(&shared.surroundings).frames.get(&joint).copied() else {
        return status::NOT_FOUND;
    };
    let frame = raw::JointFrame {
        struct_size: raw::JointFrame::SIZE,
        parent_link: frame.parent.map_or(raw::WORLD_LINK, |link| link.0),
        child_link: frame.child.0,
        reserved: 0,
        pose: frame.pose.to_abi(),
        axis: frame.axis,
    };
    // SAFETY: as in `read`.
    unsafe { out.write(frame) };
    status::OK
}

unsafe extern "C" fn watch(host: *const Host, joint: u32) -> Status {
    // SAFETY: as in `read`.
    unsafe {
        on_sim(host, "joints.watch", |state| {
            state.watched.push(JointId(joint));
            Some(())
        })
    }
}

unsafe extern "C" fn wrench(host: *const Host, joint: u32, out: *mut raw::JointWrench) -> Status {
    // SAFETY: as in `read`.
    unsafe {
        on_sim(host, "joints.wrench", |state| {
            let JointWrench { force, torque } = *state.wrenches.get(&joint)?;
            out.write(raw::JointWrench { struct_size: raw::JointWrench::SIZE, reserved: 0, force, torque });
            Some(())
        })
    }
}

static WORLD_EDIT: raw::HostWorldEdit =
    raw::HostWorldEdit { struct_size: raw::HostWorldEdit::SIZE, reserved: 0, spawn, remove, attach, detach };

unsafe extern "C" fn spawn(host: *const Host, spec: *const raw::SpawnSpec, out: *mut u64) -> Status {
    // SAFETY: the specification and its texts live for the call; `out` is writable.
    unsafe {
        let spec = &*spec;
        let text = |text: Str| String::from_utf8_lossy(text.as_bytes()).into_owned();
        edit(host, "world_edit.spawn", |state| {
            let entity = FIRST_SPAWNED + state.edits.len() as u64;
            out.write(entity);
            TestEdit::Spawn {
                entity: EntityId(entity),
                sdf: text(spec.sdf),
                name: text(spec.name),
                may_rename: spec.flags & raw::SPAWN_RENAME != 0,
                pose: Pose::from_abi(spec.pose),
            }
        })
    }
}

unsafe extern "C" fn remove(host: *const Host, entity: u64) -> Status {
    // SAFETY: as in `read`.
    unsafe { edit(host, "world_edit.remove", |_| TestEdit::Remove(EntityId(entity))) }
}

unsafe extern "C" fn attach(host: *const Host, parent_link: u32, child_link: u32, out: *mut u64) -> Status {
    // SAFETY: as in `read`.
    unsafe {
        edit(host, "world_edit.attach", |state| {
            let bond = FIRST_BOND + state.edits.len() as u64;
            out.write(bond);
            TestEdit::Attach { bond: Bond(bond), parent: LinkId(parent_link), child: LinkId(child_link) }
        })
    }
}

unsafe extern "C" fn detach(host: *const Host, bond: u64) -> Status {
    // SAFETY: as in `read`.
    unsafe { edit(host, "world_edit.detach", |_| TestEdit::Detach(Bond(bond))) }
}

/// The table of an extension of this file.
pub(in crate::testing) fn table(id: &str) -> Option<*const std::ffi::c_void> {
    Some(match id {
        abi::extension::ENVIRONMENT => (&raw const ENVIRONMENT).cast(),
        abi::extension::ENTITIES => (&raw const ENTITIES).cast(),
        abi::extension::CONTACTS => (&raw const CONTACTS).cast(),
        abi::extension::JOINTS => (&raw const JOINTS).cast(),
        abi::extension::DYNAMICS | abi::extension::SURFACES => return super::dynamics::table(id),
        abi::extension::KINEMATICS => (&raw const super::kinematics::TABLE).cast(),
        abi::extension::WORLD_EDIT => (&raw const WORLD_EDIT).cast(),
        _ => return None,
    })
}
