//! Calls of a declared function with wrong arguments.

/// Calls with arguments that are wrong.
#[cfg(feature = "testing")]
macro_rules! misuse {
    ($table:ident, $on:ident, $is_step:ident, $answers:ident, $of:expr, $function:ident($($argument:ident: $kind:ident),*)
        $(=> $bare:ty $(, $here:ident)?)?) => {
        misuse::of(&$of, $is_step, $answers, |chooser| {
            let host = chooser.host($on);
            $( let $argument = chooser.argument::<$kind>(stringify!($argument)); )*
            // SAFETY: what is wrong is recognised before it is used.
            chooser.is_made().then(|| unsafe { ($table.$function)(host, $($argument),*) })
        });
    };
    ($table:ident, $on:ident, $is_step:ident, $answers:ident, $of:expr, $function:ident($($argument:ident: $kind:ident),*)
        -> $result:ident) => {
        misuse!(@out $table, $on, $is_step, $answers, $of, $function($($argument: $kind),*), $result);
    };
    ($table:ident, $on:ident, $is_step:ident, $answers:ident, $of:expr, $function:ident($($argument:ident: $kind:ident),*)
        ~> $result:ident) => {
        misuse!(@out $table, $on, $is_step, $answers, $of, $function($($argument: $kind),*), $result);
    };
    (@out $table:ident, $on:ident, $is_step:ident, $answers:ident, $of:expr, $function:ident($($argument:ident: $kind:ident),*), $result:ident) => {
        misuse::of(&$of, $is_step, $answers, |chooser| {
            let host = chooser.host($on);
            $( let $argument = chooser.argument::<$kind>(stringify!($argument)); )*
            let out = chooser.out::<$result>();
            // SAFETY: as above.
            chooser.is_made().then(|| unsafe { ($table.$function)(host, $($argument,)* out) })
        });
    };
    ($table:ident, $on:ident, $is_step:ident, $answers:ident, $of:expr, $function:ident($argument:ident: $kind:ident)
        -> [$value:ident]) => {
        misuse::of(&$of, $is_step, $answers, |chooser| {
            let host = chooser.host($on);
            let $argument = chooser.argument::<$kind>(stringify!($argument));
            let out = chooser.memory::<$value>("result");
            // SAFETY: as above.
            chooser.is_made().then(|| unsafe { ($table.$function)(host, $argument, out) })
        });
    };
    ($table:ident, $on:ident, $is_step:ident, $answers:ident, $of:expr, $function:ident($($argument:ident: $kind:ident),*)
        -> {$value:ident}) => {
        misuse::of(&$of, $is_step, $answers, |chooser| {
            let host = chooser.host($on);
            $( let $argument = chooser.argument::<$kind>(stringify!($argument)); )*
            let (out, count) = (chooser.memory::<$value>("result"), chooser.memory("number"));
            // SAFETY: as above.
            chooser.is_made().then(|| unsafe { ($table.$function)(host, $($argument,)* out, 1, count) })
        });
    };
}
