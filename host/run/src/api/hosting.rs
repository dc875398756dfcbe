//! What the functions that are declared in [`hosting`](bridgehead_plugin_api::hosting) need of this host.

use bridgehead_abi::{Buffer, Host, Status};
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::hosting::{Breach, Checked, Function, Hosting, Place};

use super::check::{rule_of, wrong_thread};
use super::context::Context;
use super::{caller, check, scope};
use crate::guard::host_call;
use crate::{bus, call};

impl Hosting for Context {
    #[inline]
    fn guarded<T>(function: &'static str, otherwise: T, body: impl FnOnce() -> T) -> T {
        host_call(function, otherwise, body)
    }

    #[inline]
    unsafe fn entered<'a>(host: *const Host, function: &'static Function) -> Result<&'a Self, Status> {
        // SAFETY: the caller vouches for it.
        let context = unsafe { caller::context(host, function.name) }?;
        match function.place {
            Place::Sim if !scope::is_open() => Err(wrong_thread(&context.label, function.name)),
            Place::Main => caller::check_main(context, function.name).map(|()| context),
            Place::Any | Place::Sim => Ok(context),
        }
    }

    fn give(payload: Payload) -> *const Buffer {
        bus::give(payload)
    }
}

impl Checked for Context {
    const IS_GUARDED: bool = call::IS_GUARDED;

    fn breach(&self, breach: Breach, text: &str) {
        check::breach(rule_of(breach), &self.label, text);
    }
}

/// An object of this host. `$owner` names the plugin that calls it, if that is known.
macro_rules! host_object {
    ($object:ty, $owner:expr) => {
        impl ::bridgehead_plugin_api::hosting::Checked for $object {
            const IS_GUARDED: bool = $crate::call::IS_GUARDED;

            fn breach(&self, breach: ::bridgehead_plugin_api::hosting::Breach, text: &str) {
                let owner: fn(&Self) -> Option<&str> = $owner;
                $crate::call::breach($crate::api::check::rule_of(breach), owner(self), text);
            }
        }

        impl ::bridgehead_plugin_api::objects::Object for $object {
            #[inline]
            fn guarded<R>(&self, function: &'static str, otherwise: R, body: impl FnOnce() -> R) -> R {
                $crate::guard::host_call(function, otherwise, body)
            }
        }
    };
}
pub(crate) use host_object;
