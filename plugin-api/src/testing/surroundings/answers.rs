//! What the test's world answers: from what the test has set.

use bridgehead_abi::surroundings as raw;
use bridgehead_abi::{Status, Str, status};

use super::super::host::{Shared, lock};
use super::{FIRST_BOND, FIRST_COLLISION, FIRST_SPAWNED, SurroundingsState, TestEdit};
use crate::host::{Bond, Contact, Entity, EntityId, JointId, JointWrench, LinkId, Pose};
use crate::hosting::{ContactsHost, EntitiesHost, EnvironmentHost, JointsHost, Spawn, WorldEditHost};

impl Shared {
    /// Looks up what the test has set.
    fn set<T>(&self, find: impl FnOnce(&SurroundingsState) -> Option<T>) -> Result<T, Status> {
        find(&lock(&self.surroundings)).ok_or(status::NOT_FOUND)
    }

    /// Takes note of a change of the world, which gets a number, or refuses it as the test has asked.
    fn edit(&self, change: impl FnOnce(u64) -> TestEdit) -> Result<u64, Status> {
        let mut state = lock(&self.surroundings);
        if let Some(text) = state.refusal.take() {
            drop(state);
            self.calls.explain(text);
            return Err(status::INVALID_ARG);
        }
        let number = state.edits.len() as u64;
        state.edits.push(change(number));
        Ok(number)
    }
}

impl EnvironmentHost for Shared {
    fn read(&self) -> Result<raw::Environment, Status> {
        Ok(lock(&self.surroundings).environment.to_abi())
    }
}

impl EntitiesHost for Shared {
    fn at(&self, index: u32) -> Result<raw::Entity, Status> {
        self.set(|state| state.entities.get(index as usize).map(raw_entity))
    }

    fn find(&self, name: &str) -> Result<raw::Entity, Status> {
        self.set(|state| state.entities.iter().find(|(entity, _)| entity.name == name).map(raw_entity))
    }

    fn find_link(&self, name: &str) -> Result<u32, Status> {
        self.set(|state| state.links.get(name).map(|link| link.0))
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

impl ContactsHost for Shared {
    fn collision(&self, index: u32) -> Result<raw::CollisionInfo, Status> {
        let info = |state: &SurroundingsState| {
            let numbered = (FIRST_COLLISION..).zip(&state.collisions);
            let (id, collision) = numbered.filter(|(_, collision)| collision.is_own).nth(index as usize)?;
            Some(raw::CollisionInfo {
                struct_size: raw::CollisionInfo::SIZE,
                collision: id,
                link: collision.link.0,
                reserved: 0,
                name: Str::new(collision.name),
                scoped_name: Str::new(collision.scoped_name),
            })
        };
        self.set(info)
    }

    fn contacts(&self, collision: u32, out: &mut [Contact]) -> Result<u32, Status> {
        self.set(|state| {
            let contacts = &state.collision(collision)?.contacts;
            out.iter_mut().zip(contacts).for_each(|(out, contact)| *out = *contact);
            Some(u32::try_from(contacts.len()).unwrap_or(u32::MAX))
        })
    }

    fn name(&self, collision: u32) -> Result<Str, Status> {
        self.set(|state| state.collision(collision).map(|collision| Str::new(collision.scoped_name)))
    }
}

impl JointsHost for Shared {
    fn attached(&self) -> Result<u32, Status> {
        self.set(|state| state.attached.map(|joint| joint.0))
    }

    fn frame(&self, joint: u32) -> Result<raw::JointFrame, Status> {
        let frame = self.set(|state| state.frames.get(&joint).copied())?;
        Ok(raw::JointFrame {
            struct_size: raw::JointFrame::SIZE,
            parent_link: frame.parent.map_or(raw::WORLD_LINK, |link| link.0),
            child_link: frame.child.0,
            reserved: 0,
            pose: frame.pose.to_abi(),
            axis: frame.axis,
        })
    }

    fn watch(&self, joint: u32) -> Result<(), Status> {
        lock(&self.surroundings).watched.push(JointId(joint));
        Ok(())
    }

    fn wrench(&self, joint: u32) -> Result<raw::JointWrench, Status> {
        let JointWrench { force, torque } = self.set(|state| state.wrenches.get(&joint).copied())?;
        Ok(raw::JointWrench { struct_size: raw::JointWrench::SIZE, reserved: 0, force, torque })
    }
}

impl WorldEditHost for Shared {
    fn spawn(&self, spawn: Spawn<'_>) -> Result<u64, Status> {
        let number = self.edit(|number| TestEdit::Spawn {
            entity: EntityId(FIRST_SPAWNED + number),
            sdf: spawn.sdf.to_owned(),
            name: spawn.name.to_owned(),
            may_rename: spawn.flags & raw::SPAWN_RENAME != 0,
            pose: Pose::from_abi(spawn.pose),
        })?;
        Ok(FIRST_SPAWNED + number)
    }

    fn remove(&self, entity: u64) -> Result<(), Status> {
        self.edit(|_| TestEdit::Remove(EntityId(entity))).map(|_| ())
    }

    fn attach(&self, parent_link: u32, child_link: u32) -> Result<u64, Status> {
        let (parent, child) = (LinkId(parent_link), LinkId(child_link));
        let number =
            self.edit(|number| TestEdit::Attach { bond: Bond(FIRST_BOND + number), parent, child })?;
        Ok(FIRST_BOND + number)
    }

    fn detach(&self, bond: u64) -> Result<(), Status> {
        self.edit(|_| TestEdit::Detach(Bond(bond))).map(|_| ())
    }
}
