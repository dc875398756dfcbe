//! All extensions that are declared here.

use std::ffi::c_void;
use std::sync::OnceLock;

use bridgehead_abi::{Status, extension as id, status};

use super::argument::Message;
use super::call::Served;
use super::content::{self, ActionsHost, DescriptionHost, SceneHost, ServiceCallsHost, TypesHost};
use super::model::{self, BridgesHost, ModelHost, ParamsHost};
use super::run::{self, ClockHost, LifecycleHost, LockstepHost, LogHost, ReportHost, SteppingHost};
use super::surroundings::{self, ContactsHost, EntitiesHost, EnvironmentHost, JointsHost, WorldEditHost};
use super::world::{self, CommandHost, DynamicsHost, KinematicsHost, SurfacesHost, WorldHost};
use super::{Function, Hosting};
#[cfg(feature = "testing")]
use crate::host::HostHandle;
use crate::rules::{self, Caller};

/// Returns the function with this number.
#[must_use]
pub fn function(number: u16) -> Option<&'static Function> {
    let [extension, own] = number.to_be_bytes().map(usize::from);
    FUNCTIONS.get(extension)?.get(own)
}

/// Whether a host offers the extension of a function to this kind of caller.
#[must_use]
pub fn is_offered(caller: Caller, function: &Function) -> bool {
    const KINDS: [Caller; 3] = [Caller::Library, Caller::Bridge, Caller::Model];
    // A bit for each extension. To compare the ids at each call would take as long as the call.
    static OFFERED: OnceLock<[u64; 3]> = OnceLock::new();
    let offered = OFFERED.get_or_init(|| {
        KINDS.map(|kind| {
            (0..).zip(IDS).filter(|(_, id)| rules::is_offered(kind, id)).map(|(bit, _)| 1 << bit).sum()
        })
    });
    let kind = KINDS.iter().zip(offered).find(|(kind, _)| **kind == caller);
    kind.is_some_and(|(_, offered)| offered >> (function.number >> 8) & 1 == 1)
}

/// Returns the number of an extension.
#[allow(clippy::cast_possible_truncation, reason = "there are few")]
pub(super) const fn number_of(id: &str) -> u16 {
    let mut number = 0;
    while !is_same(IDS[number].as_bytes(), id.as_bytes()) {
        number += 1;
    }
    number as u16
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut index = 0;
    while index < one.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len()
}

/// Answers a call for the functions of one extension.
type Serve<H> = fn(&H, usize, &[u64]) -> Result<Served, Status>;

macro_rules! list {
    ($($id:path => $host:ident, $file:ident::$module:ident;)*) => {
        /// A host of all functions that are declared here.
        pub trait PluginHost: $($host +)* {}
        impl<H: $($host +)*> PluginHost for H {}

        /// The ids of the extensions, by their numbers.
        const IDS: &[&str] = &[$($id),*];

        /// All functions, by extensions.
        pub const FUNCTIONS: &[&[Function]] = &[$($file::$module::FUNCTIONS),*];

        /// Returns the table of an extension; `None` for one that is not declared here.
        #[must_use]
        pub fn table<H: Hosting + PluginHost>(id: &str) -> Option<*const c_void> {
            Some(match id {
                $($id => (&raw const *&$file::$module::Table::<H>::TABLE).cast(),)*
                _ => return None,
            })
        }

        /// Calls all functions wrongly.
        #[cfg(feature = "testing")]
        pub(super) fn misuse(host: HostHandle, is_step: bool) -> Vec<String> {
            let mut answers = Vec::new();
            $($file::$module::misuse(host, is_step, &mut answers);)*
            answers
        }

        /// Answers a call of a worker for this function.
        ///
        /// # Errors
        /// Returns the status for the plugin: that of the host, UNSUPPORTED for an unknown function, or INVALID_ARG if the
        /// arguments are not those of the function.
        pub fn serve<H: PluginHost>(host: &H, function: &Function, arguments: &[u8]) -> Result<Served, Status> {
            let serve = [$($file::$module::serve::<H> as Serve<H>),*];
            let [extension, own] = function.number.to_be_bytes().map(usize::from);
            let serve = serve.get(extension).ok_or(status::UNSUPPORTED)?;
            serve(host, own, Message::of(arguments).words())
        }
    };
}

list! {
    id::LOG => LogHost, run::log;
    id::CLOCK => ClockHost, run::clock;
    id::LIFECYCLE => LifecycleHost, run::lifecycle;
    id::LOCKSTEP => LockstepHost, run::lockstep;
    id::STEPPING => SteppingHost, run::stepping;
    id::REPORT => ReportHost, run::report;
    id::TYPES => TypesHost, content::types;
    id::DESCRIPTION => DescriptionHost, content::description;
    id::SCENE => SceneHost, content::scene;
    id::ACTIONS => ActionsHost, content::actions;
    id::SERVICE_CALLS => ServiceCallsHost, content::service_calls;
    id::PARAMS => ParamsHost, model::params;
    id::MODEL => ModelHost, model::model;
    id::BRIDGES => BridgesHost, model::bridges;
    id::WORLD => WorldHost, world::world;
    id::COMMAND => CommandHost, world::command;
    id::DYNAMICS => DynamicsHost, world::dynamics;
    id::SURFACES => SurfacesHost, world::surfaces;
    id::KINEMATICS => KinematicsHost, world::kinematics;
    id::ENVIRONMENT => EnvironmentHost, surroundings::environment;
    id::ENTITIES => EntitiesHost, surroundings::entities;
    id::CONTACTS => ContactsHost, surroundings::contacts;
    id::JOINTS => JointsHost, surroundings::joints;
    id::WORLD_EDIT => WorldEditHost, surroundings::world_edit;
}
