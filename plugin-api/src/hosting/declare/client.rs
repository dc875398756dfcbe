//! The call of a declared function in the SDK.

/// The call in the SDK.
macro_rules! client {
    ($of:expr, $function:ident($($argument:ident: $kind:ident),*) => $bare:ty $(, $here:ident)?) => {
        pub(crate) fn $function(self, $($argument: given!($kind)),*) -> Result<$bare, Refused> {
            $( let $argument = <$kind as Argument>::lend($argument); )*
            // SAFETY: what the arguments point at is kept until the call returns.
            let returned = self.with(|table, host| unsafe {
                (table.$function)(host, $(<$kind as Argument>::raw(&$argument)),*)
            });
            returned.map_err(Refused::Gone)
        }
    };
    ($of:expr, $function:ident($($argument:ident: $kind:ident),*) ~> $void:ident) => {
        pub(crate) fn $function(self, $($argument: given!($kind)),*) -> Result<$void, Refused> {
            let mut out = <$void as Outcome>::blank();
            $( let $argument = <$kind as Argument>::lend($argument); )*
            // SAFETY: as for other functions, and `out` is memory for the result.
            let returned = self.with(|table, host| unsafe {
                (table.$function)(host, $(<$kind as Argument>::raw(&$argument),)* &raw mut out)
            });
            returned.map(|()| out).map_err(Refused::Gone)
        }
    };
    ($of:expr, $function:ident($($argument:ident: $kind:ident),*)) => {
        pub(crate) fn $function(self, $($argument: given!($kind)),*) -> Result<(), Refused> {
            $( let $argument = <$kind as Argument>::lend($argument); )*
            // SAFETY: what the arguments point at is kept until the call returns.
            let code = self.with(|table, host| unsafe {
                (table.$function)(host, $(<$kind as Argument>::raw(&$argument)),*)
            });
            returned(&$of, code)
        }
    };
    ($of:expr, $function:ident($($argument:ident: $kind:ident),*) -> $result:ident) => {
        pub(crate) fn $function(self, $($argument: given!($kind)),*) -> Result<$result, Refused> {
            let mut out = <$result as Outcome>::blank();
            $( let $argument = <$kind as Argument>::lend($argument); )*
            // SAFETY: as for other functions, and `out` is memory for the result.
            let code = self.with(|table, host| unsafe {
                (table.$function)(host, $(<$kind as Argument>::raw(&$argument),)* &raw mut out)
            });
            returned(&$of, code)?;
            // SAFETY: the host has returned OK.
            unsafe { Outcome::receive(out) }.ok_or(Refused::Nothing(&$of))
        }
    };
    ($of:expr, $function:ident($argument:ident: $kind:ident) -> [$value:ident]) => {
        pub(crate) fn $function(self, $argument: given!($kind), out: &mut [$value]) -> Result<(), Refused> {
            if out.len() < <$kind as Counted>::count(&$argument) {
                return Err(Refused::Status(&$of, status::INVALID_ARG));
            }
            let $argument = <$kind as Argument>::lend($argument);
            // SAFETY: as above; there is memory for as many values as the argument counts.
            let code = self.with(|table, host| unsafe {
                (table.$function)(host, <$kind as Argument>::raw(&$argument), out.as_mut_ptr())
            });
            returned(&$of, code)
        }
    };
    ($of:expr, $function:ident($($argument:ident: $kind:ident),*) -> {$value:ident}) => {
        pub(crate) fn $function(
            self, $($argument: given!($kind),)* out: &mut [$value],
        ) -> Result<u32, Refused> {
            let (mut count, capacity) = (0, u32::try_from(out.len()).unwrap_or(u32::MAX));
            $( let $argument = <$kind as Argument>::lend($argument); )*
            // SAFETY: as above, for `capacity` values.
            let code = self.with(|table, host| unsafe {
                (table.$function)(
                    host, $(<$kind as Argument>::raw(&$argument),)* out.as_mut_ptr(), capacity, &raw mut count,
                )
            });
            returned(&$of, code).map(|()| count)
        }
    };
}
