//! All extensions that are declared here.

use std::ffi::c_void;

use bridgehead_abi::{Status, extension as id, status};

use super::argument::Message;
use super::content::{self, ActionsHost, DescriptionHost, SceneHost, ServiceCallsHost, TypesHost};
use super::model::{self, BridgesHost, ModelHost, ParamsHost};
use super::run::{self, ClockHost, LifecycleHost, LockstepHost, LogHost, ReportHost};
use super::surroundings::{self, ContactsHost, EntitiesHost, EnvironmentHost, JointsHost, WorldEditHost};
use super::world::{self, CommandHost, DynamicsHost, KinematicsHost, SurfacesHost, WorldHost};
use super::{Function, Hosting};
use crate::Payload;
#[cfg(feature = "testing")]
use crate::host::HostHandle;

/// Returns the function of this name.
#[must_use]
pub fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().copied().flatten().find(|function| function.name == name)
}

macro_rules! list {
    ($($id:path => $host:ident, $file:ident::$module:ident;)*) => {
        /// A host of all functions that are declared here.
        pub trait PluginHost: $($host +)* {}
        impl<H: $($host +)*> PluginHost for H {}

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
        pub fn serve<H: PluginHost>(host: &H, function: &Function, arguments: &[u8]) -> Result<Payload, Status> {
            let message = Message::of(arguments);
            match function.extension {
                $($id => {
                    let known = $file::$module::FUNCTIONS.iter().position(|known| known.name == function.name);
                    $file::$module::serve(host, known.ok_or(status::UNSUPPORTED)?, message.words())
                })*
                _ => Err(status::UNSUPPORTED),
            }
        }
    };
}

list! {
    id::LOG => LogHost, run::log;
    id::CLOCK => ClockHost, run::clock;
    id::LIFECYCLE => LifecycleHost, run::lifecycle;
    id::LOCKSTEP => LockstepHost, run::lockstep;
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
