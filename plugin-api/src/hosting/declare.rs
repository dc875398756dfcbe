//! The macro that declares an extension.
//!
//! A declaration names the trait, the struct of the ABI with its id, the name of the extension in messages, and the
//! functions in the order of the struct. Of `sim fn link_state(link: u32) -> LinkState;` in an extension `WorldHost` comes:
//!
//! ```text
//! pub trait WorldHost {                                          // what a host implements
//!     fn link_state(&self, link: u32) -> Result<LinkState, Status>;
//! }
//! unsafe extern "C" fn link_state<H: Hosting + WorldHost>(       // what a plugin calls
//!     host: *const Host, link: u32, out: *mut LinkState,
//! ) -> Status { … }                                              // checks host, thread, `out`; asks H; writes `out`
//! impl Extension<HostWorld> {                                    // how the SDK calls it
//!     pub(crate) fn link_state(self, link: u32) -> Result<LinkState, Refused> { … }
//! }
//! impl<A: Asking> WorldHost for A { … }                          // how a worker asks its host, and …
//! fn serve<H: WorldHost>(host: &H, function: usize, arguments: &[u64]) -> Result<Served, Status> { … }
//! ```
//!
//! A function has one of these results:
//!
//! - none but its status;
//! - a value (`-> LinkState`);
//! - as many values as its only argument counts (`-> [RayHit]`);
//! - some of the values that there are, and their number (`-> {Contact}`), for which the plugin gives memory and its
//!   capacity;
//! - a value instead of a status (`=> u64`), or nothing at all (`=> ()`). A name behind it (`=> i64, monotonic_ns`) is the
//!   function of [`Asking`](super::Asking) with which a worker answers by itself;
//! - a value, but no status (`~> ClockReading`).

#[macro_use]
mod shim;
#[macro_use]
mod client;
#[macro_use]
mod worker;
#[cfg(feature = "testing")]
#[macro_use]
mod misuse;

/// Declares an extension. See the module.
macro_rules! extension {
    (
        $(#[$meta:meta])*
        $host:ident, $module:ident: $table:ident = $id:expr;
        $(
            $(#[$doc:meta])*
            $place:ident fn $function:ident($($argument:ident: $kind:ident),*)
            $(-> $result:tt)? $(~> $void:ident)? $(=> $bare:ty $(, $here:ident)?)?;
        )*
    ) => {
        $(#[$meta])*
        pub trait $host {
            $( method! { $(#[$doc])* $function($($argument: $kind),*) $(-> $result)? $(~> $void)? $(=> $bare $(, $here)?)? } )*
        }

        /// The C functions, and calls of them.
        pub(super) mod $module {
            use super::*;

            /// The number of the extension.
            const EXTENSION: u16 = crate::hosting::list::number_of($id) << 8;

            /// The functions in the order of their declaration.
            pub(in crate::hosting) const FUNCTIONS: &[Function] = &[$( Function {
                number: EXTENSION | Index::$function as u16,
                extension: $id,
                name: concat!(stringify!($module), ".", stringify!($function)),
                place: place!($place),
                arguments: &[$((stringify!($argument), stringify!($kind))),*],
                result: concat!(
                    "" $(, "->", stringify!($result))? $(, "~>", stringify!($void))? $(, "=>", stringify!($bare))?
                ),
            } ),*];

            #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "the names of the functions")]
            enum Index { $($function),* }

            /// The table for plugins.
            pub(in crate::hosting) struct Table<H>(std::marker::PhantomData<H>);

            impl<H: Hosting + $host> Table<H> {
                pub(in crate::hosting) const TABLE: $table =
                    $table { struct_size: $table::SIZE, reserved: 0, $($function: $function::<H>),* };
            }

            $( shim! { $host, FUNCTIONS[Index::$function as usize], $function($($argument: $kind),*)
                    $(-> $result)? $(~> $void)? $(=> $bare $(, $here)?)?
                } )*

            #[allow(dead_code, reason = "the SDK does not call all of them")]
            impl Extension<$table> {
                $( client! { FUNCTIONS[Index::$function as usize], $function($($argument: $kind),*)
                    $(-> $result)? $(~> $void)? $(=> $bare $(, $here)?)?
                } )*
            }

            impl<A: Asking> $host for A {
                $( proxy! { FUNCTIONS[Index::$function as usize], $function($($argument: $kind),*)
                    $(-> $result)? $(~> $void)? $(=> $bare $(, $here)?)?
                } )*
            }

            /// Calls the functions wrongly.
            #[cfg(feature = "testing")]
            pub(in crate::hosting) fn misuse(host: crate::host::HostHandle, is_step: bool, answers: &mut Vec<String>) {
                // SAFETY: the id is that of this table.
                let Ok(extension) = (unsafe { Extension::<$table>::look_up(host, $id) }) else { return };
                let called = extension.with(|table, host| {
                    $( misuse! { table, host, is_step, answers, FUNCTIONS[Index::$function as usize], $function($($argument: $kind),*)
                        $(-> $result)? $(~> $void)? $(=> $bare $(, $here)?)?
                    } )*
                });
                drop(called);
            }

            /// Answers a call of a worker.
            pub(in crate::hosting) fn serve<H: $host>(
                host: &H,
                function: usize,
                mut rest: &[u64],
            ) -> Result<Served, Status> {
                #[allow(unused_variables, reason = "if no function has arguments")]
                let rest = &mut rest;
                $( if function == Index::$function as usize {
                    return serve!(host, rest, $host::$function($($argument: $kind),*) $(-> $result)? $(~> $void)? $(=> $bare $(, $here)?)?);
                } )*
                Err(status::UNSUPPORTED)
            }
        }
    };
}

macro_rules! place {
    (any) => {
        Place::Any
    };
    (main) => {
        Place::Main
    };
    (sim) => {
        Place::Sim
    };
}

/// What a host gets for a kind of argument: [`Argument::Given`](super::Argument::Given) in its short form.
macro_rules! given {
    (Text) => { &str };
    (Words) => { &[u8] };
    (Encoded) => { &[u8] };
    (SpawnSpec) => { Spawn<'_> };
    (RayBatch) => { Rays<'_> };
    (LogRecord) => { Line<'_> };
    (TypeRecord) => { NewType<'_> };
    (Buffer) => { $crate::objects::BorrowedPayload<'_> };
    (Incoming) => { $crate::objects::IncomingMessage<'_> };
    (Notice) => { &Notice };
    (StepInfo) => { &StepInfo };
    (RxContext) => { $crate::objects::RxRef<'_> };
    (ServiceReply) => { $crate::objects::Reply };
    (StateWriter) => { $crate::objects::WriterRef<'_> };
    (TxContext) => { $crate::objects::TxRef<'_> };
    (Converter) => { $crate::objects::Callback<Converter> };
    (PublisherCreator) => { $crate::objects::Callback<PublisherCreator> };
    (ServiceCreator) => { $crate::objects::Callback<ServiceCreator> };
    (SubscriberCreator) => { $crate::objects::Callback<SubscriberCreator> };
    ($kind:ident) => { $kind };
}

/// The method of the trait.
macro_rules! method {
    ($(#[$doc:meta])* $function:ident($($argument:ident: $kind:ident),*) => $bare:ty $(, $here:ident)?) => {
        $(#[$doc])*
        fn $function(&self, $($argument: given!($kind)),*) -> $bare;
    };
    ($(#[$doc:meta])* $function:ident($($argument:ident: $kind:ident),*) ~> $void:ident) => {
        $(#[$doc])*
        fn $function(&self, $($argument: given!($kind)),*) -> $void;
    };
    ($(#[$doc:meta])* $function:ident($($argument:ident: $kind:ident),*)) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// Returns the status for the plugin.
        fn $function(&self, $($argument: given!($kind)),*) -> Result<(), Status>;
    };
    ($(#[$doc:meta])* $function:ident($($argument:ident: $kind:ident),*) -> $result:ident) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// Returns the status for the plugin.
        fn $function(&self, $($argument: given!($kind)),*) -> Result<$result, Status>;
    };
    ($(#[$doc:meta])* $function:ident($argument:ident: $kind:ident) -> [$value:ident]) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// Returns the status for the plugin.
        fn $function(&self, $argument: given!($kind), out: &mut [$value]) -> Result<(), Status>;
    };
    ($(#[$doc:meta])* $function:ident($($argument:ident: $kind:ident),*) -> {$value:ident}) => {
        $(#[$doc])*
        ///
        /// Returns how many there are.
        ///
        /// # Errors
        /// Returns the status for the plugin.
        fn $function(&self, $($argument: given!($kind),)* out: &mut [$value]) -> Result<u32, Status>;
    };
}
