//! The macro that declares an object.
//!
//! A declaration names the struct of the ABI, what its functions get first, the trait for implementers, the type for
//! callers, and the functions in the order of the struct. Of
//!
//! ```text
//! object! {
//!     sink: Sink by this, SinkObject, SinkRef;
//!     required fn deliver(incoming: Incoming);
//! }
//! ```
//!
//! comes:
//!
//! ```text
//! pub trait SinkObject: Object {                                 // what a host implements
//!     fn deliver(&self, incoming: IncomingRef<'_>) -> Status;
//! }
//! unsafe extern "C" fn deliver<T: SinkObject>(                   // what a plugin calls
//!     at: *const Sink, incoming: *const Incoming,
//! ) -> Status { … }                                              // finds the object, checks arguments, catches panics
//! impl SinkRef<'_> {                                             // how the SDK calls it
//!     pub fn deliver(&self, incoming: IncomingRef<'_>) -> Status { … }
//! }
//! ```
//!
//! A function returns a status, writes a result (`-> TxMessage`), or returns something else (`=> u64, 0`, with what it
//! returns if it panics). An `optional` one may be a null pointer: [`has`](super::BridgeObject::has) says which an object
//! has, and the call of one that it has not does nothing.

/// Declares an object. See the module.
macro_rules! object {
    (
        $(#[$meta:meta])*
        $module:ident: $table:ident by $by:ident, $object:ident, $caller:ident $(, $has:ident)?;
        $(
            $(#[$doc:meta])*
            $need:ident fn $function:ident($($argument:ident: $kind:ident),*)
            $(-> $result:ident)? $(=> $bare:ty, $nothing:expr)?;
        )*
    ) => {
        $(#[$meta])*
        pub trait $object: Object {
            $( object_method! { $(#[$doc])* $function($($argument: $kind),*) $(-> $result)? $(=> $bare, $nothing)? } )*
            object_has! { @method $($has)? }
        }

        /// The C functions.
        mod $module {
            use super::*;

            object_has! { @destroy $object $($has)? }

            $( object_shim! {
                object_place!($by $table), $object, concat!(stringify!($module), ".", stringify!($function)),
                $function($($argument: $kind),*) $(-> $result)? $(=> $bare, $nothing)?
            } )*
        }

        object_has! { @bits [$($has)?] $($need $function),* }
        object_table! { $module: $table by $by, $object, $caller $(, $has)?; $( $need $function ),* }
        object_caller! { $table by $by, $caller }

        #[allow(dead_code, reason = "not all are called in every build")]
        impl object_caller!(@type $by, $caller) {
            $( object_call! {
                $need $(#[$doc])* $function($($argument: $kind),*) $(-> $result)? $(=> $bare, $nothing)?
            } )*
        }
    };
}

/// What its functions get first.
macro_rules! object_place {
    (this $table:ident) => { *const $table };
    (ctx $table:ident) => { *mut c_void };
}

/// The method of the trait.
macro_rules! object_method {
    ($(#[$doc:meta])* $function:ident($($argument:ident: $kind:ident),*)) => {
        $(#[$doc])*
        fn $function(&self, $($argument: given!($kind)),*) -> Status;
    };
    ($(#[$doc:meta])* $function:ident($($argument:ident: $kind:ident),*) -> $result:ident) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// Returns the status for the caller.
        fn $function(&self, $($argument: given!($kind)),*) -> Result<$result, Status>;
    };
    ($(#[$doc:meta])* $function:ident($($argument:ident: $kind:ident),*) => $bare:ty, $nothing:expr) => {
        $(#[$doc])*
        fn $function(&self, $($argument: given!($kind)),*) -> $bare;
    };
}

/// Which optional functions an object has.
macro_rules! object_has {
    (@method) => {};
    (@method $has:ident) => {
        /// Which of the optional functions it has: a sum of their bits.
        fn has(&self) -> u32;

        /// Ends the object: the last call.
        fn destroy(self: Arc<Self>);
    };
    (@destroy $object:ident) => {};
    (@destroy $object:ident $has:ident) => {
        pub(super) unsafe extern "C" fn destroy<T: $object>(ctx: *mut c_void) {
            // SAFETY: the other side ends the object once, with the reference that `table_of` gave away.
            unsafe { Arc::from_raw(ctx.cast_const().cast::<T>()) }.destroy();
        }
    };
    (@bits [] $($rest:tt)*) => {};
    (@bits [$has:ident] $($need:ident $function:ident),*) => {
        /// A bit for each function.
        #[allow(non_upper_case_globals, missing_docs, reason = "the names of the functions")]
        pub mod $has {
            #[allow(non_camel_case_types, reason = "the names of the functions")]
            enum Index { $($function),* }
            $( pub const $function: u32 = 1 << Index::$function as u32; )*
        }
    };
}

/// The C function.
macro_rules! object_shim {
    ($place:ty, $object:ident, $name:expr, $function:ident($($argument:ident: $kind:ident),*)) => {
        pub(super) unsafe extern "C" fn $function<T: $object>(
            at: $place, $($argument: <$kind as Argument>::Raw),*
        ) -> Status {
            // SAFETY: the other side passes the object back, and arguments that are valid for the call.
            unsafe {
                let Some(object) = Place::<T>::find(at) else { return status::INVALID_ARG };
                object.guarded($name, status::PANIC, || {
                    $( let $argument = object_read!($kind, $argument, object, $name, |code| code); )*
                    object.$function($($argument),*)
                })
            }
        }
    };
    ($place:ty, $object:ident, $name:expr, $function:ident($($argument:ident: $kind:ident),*) -> $result:ident) => {
        pub(super) unsafe extern "C" fn $function<T: $object>(
            at: $place, $($argument: <$kind as Argument>::Raw,)* out: *mut $result
        ) -> Status {
            // SAFETY: as above; `out` is memory for a result, which is checked.
            unsafe {
                let Some(object) = Place::<T>::find(at) else { return status::INVALID_ARG };
                object.guarded($name, status::PANIC, || {
                    if let Err(code) = <$result as Filled>::check(out, At { host: object, what: "result", function: $name }) {
                        return code;
                    }
                    $( let $argument = object_read!($kind, $argument, object, $name, |code| code); )*
                    match object.$function($($argument),*) {
                        Ok(result) => {
                            out.write(result);
                            status::OK
                        }
                        Err(code) => code,
                    }
                })
            }
        }
    };
    ($place:ty, $object:ident, $name:expr, $function:ident($($argument:ident: $kind:ident),*) => $bare:ty, $nothing:expr) => {
        pub(super) unsafe extern "C" fn $function<T: $object>(
            at: $place, $($argument: <$kind as Argument>::Raw),*
        ) -> $bare {
            // SAFETY: as above.
            unsafe {
                let Some(object) = Place::<T>::find(at) else { return $nothing };
                object.guarded($name, $nothing, || {
                    $( let $argument = object_read!($kind, $argument, object, $name, |_| $nothing); )*
                    object.$function($($argument),*)
                })
            }
        }
    };
}

/// Reads an argument.
macro_rules! object_read {
    ($kind:ident, $argument:ident, $object:ident, $name:expr, $otherwise:expr) => {
        match <$kind as Argument>::read(
            $argument,
            At { host: $object, what: stringify!($argument), function: $name },
        ) {
            Ok(value) => value,
            Err(code) => {
                let otherwise: fn(Status) -> _ = $otherwise;
                return otherwise(code);
            }
        }
    };
}

/// The table of functions.
macro_rules! object_table {
    ($module:ident: $table:ident by this, $object:ident, $caller:ident; $($need:ident $function:ident),*) => {
        impl<T: $object> Table<T> for $table {
            fn table() -> Self {
                $table {
                    struct_size: $table::SIZE,
                    reserved: 0,
                    ctx: std::ptr::null_mut(),
                    $($function: $module::$function::<T>),*
                }
            }
        }

        impl<T: $object> Offered<$table, T> {
            /// The object as the other side sees it.
            #[must_use]
            pub fn lend(&self) -> $caller<'_> {
                $caller(self.as_raw(), PhantomData)
            }
        }

        impl Argument for $table {
            type Raw = *const $table;
            type Given<'a> = $caller<'a>;
            type Lent<'a> = $caller<'a>;

            unsafe fn read<'a, H: Checked>(raw: Self::Raw, at: At<'_, H>) -> Result<Self::Given<'a>, Status> {
                at.pointer(raw)?;
                Ok($caller(raw, PhantomData))
            }

            fn lend(given: Self::Given<'_>) -> Self::Lent<'_> {
                given
            }

            fn raw(lent: &Self::Lent<'_>) -> Self::Raw {
                lent.0
            }
        }
    };
    ($module:ident: $table:ident by ctx, $object:ident, $caller:ident, $has:ident; $($need:ident $function:ident),*) => {
        impl $caller {
            /// Which of the optional functions it has: a sum of their bits.
            #[must_use]
            pub fn has(&self) -> u32 {
                [$( object_call!(@bit $need self.0.$function, $has::$function) ),*].iter().sum()
            }

            /// Fills in the functions of an object, which the function `destroy` takes back.
            #[must_use]
            pub fn table_of<T: $object>(object: Arc<T>) -> $table {
                #[allow(unused_variables, reason = "if no function is optional")]
                let has = object.has();
                $table {
                    struct_size: $table::SIZE,
                    reserved: 0,
                    ctx: Arc::into_raw(object).cast_mut().cast(),
                    $($function: object_call!(@entry $need has, $has::$function, $module::$function::<T>),)*
                    destroy: $module::destroy::<T>,
                }
            }

            /// Ends the object.
            ///
            /// # Safety
            /// This must be the last call of the object.
            pub unsafe fn destroy(&self) {
                // SAFETY: the caller vouches for it.
                unsafe { (self.0.destroy)(self.0.ctx) }
            }
        }
    };
}

/// The type with which the other side calls the functions.
macro_rules! object_caller {
    ($table:ident by this, $caller:ident) => {
        /// Calls the functions of an object.
        #[derive(Clone, Copy)]
        pub struct $caller<'a>(*const $table, PhantomData<&'a $table>);

        impl<'a> $caller<'a> {
            /// The object behind a pointer; `None` for a null pointer.
            ///
            /// # Safety
            /// The object must live for `'a`, and its functions must follow the ABI.
            #[must_use]
            pub unsafe fn of(raw: *const $table) -> Option<Self> {
                (!raw.is_null()).then_some($caller(raw, PhantomData))
            }

            /// The object, for passing on.
            #[must_use]
            pub fn as_raw(&self) -> *const $table {
                self.0
            }

            fn place(&self) -> *const $table {
                self.0
            }

            fn table(&self) -> &$table {
                // SAFETY: the object lives for `'a`.
                unsafe { &*self.0 }
            }
        }
    };
    ($table:ident by ctx, $caller:ident) => {
        /// Calls the functions of an object. Copies lead to the same object.
        #[derive(Clone, Copy)]
        pub struct $caller($table);

        // SAFETY: the ABI says which thread may call which function; `ctx` is only passed back.
        unsafe impl Send for $caller {}
        // SAFETY: as above.
        unsafe impl Sync for $caller {}

        impl $caller {
            /// The object with these functions.
            ///
            /// # Safety
            /// The functions must follow the ABI. They must be called on the threads that it names, and no more after
            /// `destroy`.
            #[must_use]
            pub unsafe fn new(raw: $table) -> Self {
                $caller(raw)
            }

            /// The functions.
            #[must_use]
            pub fn raw(&self) -> &$table {
                &self.0
            }

            fn place(&self) -> *mut c_void {
                self.0.ctx
            }

            fn table(&self) -> &$table {
                &self.0
            }
        }
    };
    (@type this, $caller:ident) => { $caller<'_> };
    (@type ctx, $caller:ident) => { $caller };
}

/// The call of a function.
macro_rules! object_call {
    (@bit required $function:expr, $bit:expr) => { 0 };
    (@bit optional $function:expr, $bit:expr) => { if $function.is_some() { $bit } else { 0 } };
    (@entry required $has:ident, $bit:expr, $function:expr) => { $function };
    (@entry optional $has:ident, $bit:expr, $function:expr) => { if $has & $bit == 0 { None } else { Some($function) } };
    (@function required $table:expr, $function:ident, $nothing:expr) => { $table.$function };
    (@function optional $table:expr, $function:ident, $nothing:expr) => {{
        let Some(function) = $table.$function else { return $nothing };
        function
    }};
    ($need:ident $(#[$doc:meta])* $function:ident($($argument:ident: $kind:ident),*)) => {
        $(#[$doc])*
        #[inline]
        pub fn $function(&self, $($argument: given!($kind)),*) -> Status {
            $( let $argument = <$kind as Argument>::lend($argument); )*
            let function = object_call!(@function $need self.table(), $function, status::OK);
            // SAFETY: the functions are those of the object; what the arguments point at lives for the call.
            unsafe { function(self.place(), $(<$kind as Argument>::raw(&$argument)),*) }
        }
    };
    ($need:ident $(#[$doc:meta])* $function:ident($($argument:ident: $kind:ident),*) -> $result:ident) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// Returns the status of the object.
        pub fn $function(&self, $($argument: given!($kind)),*) -> Result<$result, Status> {
            $( let $argument = <$kind as Argument>::lend($argument); )*
            let mut out = <$result as Filled>::blank();
            let function = object_call!(@function $need self.table(), $function, Err(status::UNSUPPORTED));
            // SAFETY: as above; `out` is memory for the result.
            let code = unsafe { function(self.place(), $(<$kind as Argument>::raw(&$argument),)* &raw mut out) };
            if code < status::OK { Err(code) } else { Ok(out) }
        }
    };
    ($need:ident $(#[$doc:meta])* $function:ident($($argument:ident: $kind:ident),*) => $bare:ty, $nothing:expr) => {
        $(#[$doc])*
        pub fn $function(&self, $($argument: given!($kind)),*) -> $bare {
            $( let $argument = <$kind as Argument>::lend($argument); )*
            let function = object_call!(@function $need self.table(), $function, $nothing);
            // SAFETY: as above.
            unsafe { function(self.place(), $(<$kind as Argument>::raw(&$argument)),*) }
        }
    };
}
