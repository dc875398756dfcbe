//! The world beyond the links of an instance, and changes of what it consists of.

use bridgehead_abi::surroundings::{
    CollisionInfo, Contact, Entity, Environment, HostContacts, HostEntities, HostEnvironment, HostJoints,
    HostWorldEdit, JointFrame, JointWrench,
};
use bridgehead_abi::{Host, Status, Str, extension as id, status};

use super::argument::{Argument, Message, Plain, Posted, Text};
use super::call::{Asking, Call, MAX_VALUES, Refused, Served, answer, filled, memory, returned, sent, taken};
#[cfg(feature = "testing")]
use super::misuse;
use super::record::{Spawn, SpawnSpec};
use super::{At, Function, Hosting, Outcome, Place};
use crate::host::Extension;

extension! {
    /// `bridgehead.environment/1`: where the world stands and what fills it.
    EnvironmentHost, environment: HostEnvironment = id::ENVIRONMENT;

    /// Returns it.
    any fn read() -> Environment;
}

extension! {
    /// `bridgehead.entities/1`: every model of the world.
    EntitiesHost, entities: HostEntities = id::ENTITIES;

    /// Returns an entity by its number.
    sim fn at(index: u32) -> Entity;
    /// Returns an entity by its name.
    sim fn find(name: Text) -> Entity;
    /// Returns the handle of a link by its scoped name in the world.
    sim fn find_link(name: Text) -> u32;
}

extension! {
    /// `bridgehead.contacts/1`: what touches the model of the instance.
    ContactsHost, contacts: HostContacts = id::CONTACTS;

    /// Describes a collision of the model by its number.
    any fn collision(index: u32) -> CollisionInfo;
    /// Writes contacts of a collision.
    sim fn contacts(collision: u32) -> {Contact};
    /// Returns the name of any collision in the world.
    sim fn name(collision: u32) -> Str;
}

extension! {
    /// `bridgehead.joints/1`: frames of joints and the forces in them.
    JointsHost, joints: HostJoints = id::JOINTS;

    /// Returns the joint that carries the sensor.
    any fn attached() -> u32;
    /// Returns where a joint of the model sits.
    any fn frame(joint: u32) -> JointFrame;
    /// Asks for the wrench of a joint from the next step on.
    sim fn watch(joint: u32);
    /// Returns what a watched joint transmitted during the last step.
    sim fn wrench(joint: u32) -> JointWrench;
}

extension! {
    /// `bridgehead.world-edit/1`: changes of what the world consists of, made before physics of the next step.
    WorldEditHost, world_edit: HostWorldEdit = id::WORLD_EDIT;

    /// Adds a model and returns its entity id.
    sim fn spawn(specification: SpawnSpec) -> u64;
    /// Removes an entity.
    sim fn remove(entity: u64);
    /// Fixes two links to each other and returns the number of the bond.
    sim fn attach(parent_link: u32, child_link: u32) -> u64;
    /// Ends a bond.
    sim fn detach(bond: u64);
}
