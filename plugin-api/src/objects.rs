//! Objects of the ABI: tables of functions that one side gives to the other, each declared once.
//!
//! This module is for hosts and for the SDK itself. It is no part of the interface of the SDK, and may change with every
//! version.
//!
//! Some objects are of plugins: instances of bridges and of model plugins. Others are of hosts: where a bridge registers,
//! where its messages come from and go to, and where a state is written. [`declare`] has the form of a declaration. Of each
//! come a trait for those who implement it, the C functions that call it, and a type with which the other side calls them.
//!
//! An instance in a worker process has two implementers on its way: the plugin's own, which the worker calls, and that of
//! the host, which sends each call to the worker.

#[macro_use]
mod declare;
mod callback;
mod channel;
mod flow;
mod instance;
mod registrar;

use std::ffi::c_void;
use std::ops::Deref;

use crate::hosting::Checked;

pub use callback::{Callback, EndpointOwner, EndpointRef, Maker, Reply};
pub use channel::{BorrowedPayload, IncomingMessage};
pub use flow::{
    Collector, RxObject, RxRef, ServiceSinkObject, ServiceSinkRef, SinkObject, SinkRef, TxObject, TxRef,
    WriterObject, WriterRef,
};
pub use instance::{BridgeObject, BridgeRef, ElementsObject, ModelObject, ModelRef, bridge_has, model_has};
pub use registrar::{ConverterRegistrarObject, ConverterRegistrarRef, RegistrarObject, RegistrarRef};

/// What a function without a result returns.
type Nothing = ();
const NOTHING: Nothing = ();

/// Who implements an object.
pub trait Object: Checked + Sized + 'static {
    /// Runs the body of a function. Returns `otherwise` if it panics: nothing may unwind into the caller.
    fn guarded<R>(&self, function: &'static str, otherwise: R, body: impl FnOnce() -> R) -> R;
}

/// A table of functions that get the table itself.
pub trait Table<T>: Sized {
    /// The functions of `T`.
    fn table() -> Self;
}

/// An object of a host, with the table of its functions. The table comes first, so that both have one address.
#[repr(C)]
pub struct Offered<A, T> {
    table: A,
    object: T,
}

// SAFETY: the `ctx` of the table is null.
unsafe impl<A, T: Send> Send for Offered<A, T> {}
// SAFETY: as above.
unsafe impl<A, T: Sync> Sync for Offered<A, T> {}

impl<A: Table<T>, T> Offered<A, T> {
    /// Offers an object.
    #[must_use]
    pub fn new(object: T) -> Self {
        Offered { table: A::table(), object }
    }
}

impl<A, T> Offered<A, T> {
    /// The table, for the other side. It may be used as long as this value.
    #[must_use]
    pub fn as_raw(&self) -> *const A {
        // Of the whole value: what is found through the pointer is the object behind the table.
        std::ptr::from_ref(self).cast()
    }

    /// Returns the object.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.object
    }
}

impl<A, T> Deref for Offered<A, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.object
    }
}

/// What the functions of an object get first.
trait Place<T> {
    /// The object there. `None` for a pointer that cannot be right.
    ///
    /// # Safety
    /// The pointer must be null, misaligned, or lead to a `T` that lives for `'a`.
    unsafe fn find<'a>(self) -> Option<&'a T>;
}

impl<A: 'static, T> Place<T> for *const A {
    #[inline]
    unsafe fn find<'a>(self) -> Option<&'a T> {
        let place = self.cast::<Offered<A, T>>();
        if !place.is_aligned() {
            return None;
        }
        // SAFETY: the caller vouches for it.
        unsafe { place.as_ref() }.map(|offered| &offered.object)
    }
}

impl<T> Place<T> for *mut c_void {
    #[inline]
    unsafe fn find<'a>(self) -> Option<&'a T> {
        // SAFETY: the caller vouches for it.
        unsafe { self.cast::<T>().as_ref() }
    }
}
