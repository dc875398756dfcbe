//! The C function of a declared function: it checks host, thread and arguments, asks the host, and writes the result.

/// The C function.
macro_rules! shim {
    ($host:ident, $of:expr, $function:ident($($argument:ident: $kind:ident),*) => $bare:ty $(, $here:ident)?) => {
        unsafe extern "C" fn $function<H: Hosting + $host>(
            host: *const Host, $($argument: <$kind as Argument>::Raw),*
        ) -> $bare {
            // SAFETY: the plugin passes its host, and arguments that are valid for the call.
            unsafe {
                answer_bare::<H, $bare>(host, &$of, |host| {
                    $( let $argument = read!($kind, $argument, host, $of); )*
                    Ok($host::$function(host, $($argument),*))
                })
            }
        }
    };
    ($host:ident, $of:expr, $function:ident($($argument:ident: $kind:ident),*) ~> $void:ident) => {
        unsafe extern "C" fn $function<H: Hosting + $host>(
            host: *const Host, $($argument: <$kind as Argument>::Raw,)* out: *mut $void,
        ) {
            // SAFETY: as for other functions; `out` is memory for a result, which is checked.
            unsafe {
                answer_bare::<H, ()>(host, &$of, |host| {
                    <$void as Outcome>::check(out, At { host, what: "result", function: $of.name })?;
                    $( let $argument = read!($kind, $argument, host, $of); )*
                    out.write($host::$function(host, $($argument),*));
                    Ok(())
                })
            }
        }
    };
    ($host:ident, $of:expr, $function:ident($($argument:ident: $kind:ident),*)) => {
        unsafe extern "C" fn $function<H: Hosting + $host>(
            host: *const Host, $($argument: <$kind as Argument>::Raw),*
        ) -> Status {
            // SAFETY: the plugin passes its host, and arguments that are valid for the call.
            unsafe {
                answer::<H>(host, &$of, |host| {
                    $( let $argument = read!($kind, $argument, host, $of); )*
                    $host::$function(host, $($argument),*)
                })
            }
        }
    };
    ($host:ident, $of:expr, $function:ident($($argument:ident: $kind:ident),*) -> $result:ident) => {
        unsafe extern "C" fn $function<H: Hosting + $host>(
            host: *const Host, $($argument: <$kind as Argument>::Raw,)* out: *mut <$result as Outcome>::Raw,
        ) -> Status {
            // SAFETY: as for other functions; `out` is memory for a result, which is checked.
            unsafe {
                answer::<H>(host, &$of, |host| {
                    <$result as Outcome>::check(out, At { host, what: "result", function: $of.name })?;
                    $( let $argument = read!($kind, $argument, host, $of); )*
                    out.write(Outcome::give::<H>($host::$function(host, $($argument),*)?));
                    Ok(())
                })
            }
        }
    };
    ($host:ident, $of:expr, $function:ident($argument:ident: $kind:ident) -> [$value:ident]) => {
        unsafe extern "C" fn $function<H: Hosting + $host>(
            host: *const Host, $argument: <$kind as Argument>::Raw, out: *mut $value,
        ) -> Status {
            // SAFETY: as above, for as many values as the argument counts.
            unsafe {
                answer::<H>(host, &$of, |host| {
                    let $argument = read!($kind, $argument, host, $of);
                    let count = <$kind as Counted>::count(&$argument);
                    let out = memory(out, count, At { host, what: "result", function: $of.name })?;
                    $host::$function(host, $argument, out)
                })
            }
        }
    };
    ($host:ident, $of:expr, $function:ident($($argument:ident: $kind:ident),*) -> {$value:ident}) => {
        unsafe extern "C" fn $function<H: Hosting + $host>(
            host: *const Host, $($argument: <$kind as Argument>::Raw,)* out: *mut $value, capacity: u32, count: *mut u32,
        ) -> Status {
            // SAFETY: as above, for `capacity` values.
            unsafe {
                answer::<H>(host, &$of, |host| {
                    At { host, what: "number", function: $of.name }.pointer(count)?;
                    let out = memory(out, capacity as usize, At { host, what: "result", function: $of.name })?;
                    $( let $argument = read!($kind, $argument, host, $of); )*
                    count.write($host::$function(host, $($argument,)* out)?);
                    Ok(())
                })
            }
        }
    };
}

macro_rules! read {
    ($kind:ident, $argument:ident, $host:ident, $of:expr) => {
        <$kind as Argument>::read(
            $argument,
            At { host: $host, what: stringify!($argument), function: $of.name },
        )?
    };
}
