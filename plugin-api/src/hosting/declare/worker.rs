//! Both ends of a declared function between a worker and its host.

/// How a worker asks its host.
macro_rules! proxy {
    ($of:expr, $function:ident($($argument:ident: $kind:ident),*) => $bare:ty, $here:ident) => {
        fn $function(&self, $($argument: given!($kind)),*) -> $bare {
            Asking::$here(self, $($argument),*)
        }
    };
    ($of:expr, $function:ident($($argument:ident: $kind:ident),*) => $bare:ty) => {
        fn $function(&self, $($argument: given!($kind)),*) -> $bare {
            #[allow(unused_mut, reason = "without arguments")]
            let mut call = Call::new(&$of);
            $( <$kind as Posted>::put($argument, call.arguments()); )*
            call.value(self).unwrap_or(Bare::NOTHING)
        }
    };
    ($of:expr, $function:ident($($argument:ident: $kind:ident),*) ~> $void:ident) => {
        fn $function(&self, $($argument: given!($kind)),*) -> $void {
            #[allow(unused_mut, reason = "without arguments")]
            let mut call = Call::new(&$of);
            $( <$kind as Posted>::put($argument, call.arguments()); )*
            call.value(self).unwrap_or_else(|_| <$void as Outcome>::blank())
        }
    };
    ($of:expr, $function:ident($($argument:ident: $kind:ident),*) $(-> $result:ident)?) => {
        fn $function(
            &self, $($argument: given!($kind)),*
        ) -> Result<proxy!(@type $($result)?), Status> {
            #[allow(unused_mut, reason = "without arguments")]
            let mut call = Call::new(&$of);
            $( <$kind as Posted>::put($argument, call.arguments()); )*
            proxy!(@ask call, self $(, $result)?)
        }
    };
    ($of:expr, $function:ident($argument:ident: $kind:ident) -> [$value:ident]) => {
        fn $function(
            &self, $argument: given!($kind), out: &mut [$value],
        ) -> Result<(), Status> {
            let mut call = Call::new(&$of);
            <$kind as Posted>::put($argument, call.arguments());
            call.fill(self, out).map(|_| ())
        }
    };
    ($of:expr, $function:ident($($argument:ident: $kind:ident),*) -> {$value:ident}) => {
        fn $function(
            &self, $($argument: given!($kind),)* out: &mut [$value],
        ) -> Result<u32, Status> {
            let mut call = Call::new(&$of);
            $( <$kind as Posted>::put($argument, call.arguments()); )*
            <u64 as Posted>::put(out.len() as u64, call.arguments());
            call.fill(self, out)
        }
    };
    (@type) => { () };
    (@type $result:ident) => { $result };
    (@ask $call:ident, $host:expr) => { $call.status($host) };
    (@ask $call:ident, $host:expr, Payload) => { $call.payload($host) };
    (@ask $call:ident, $host:expr, $result:ident) => { $call.value($host) };
}

/// The answer for a worker.
macro_rules! serve {
    ($to:ident, $rest:ident, $host:ident :: $function:ident($($argument:ident: $kind:ident),*)) => {{
        $( let $argument = taken::<$kind>($rest)?; )*
        $host::$function($to, $($argument),*).map(|()| Served::Message(Message::default()))
    }};
    ($to:ident, $rest:ident, $host:ident :: $function:ident($($argument:ident: $kind:ident),*) => $bare:ty $(, $here:ident)?) => {{
        $( let $argument = taken::<$kind>($rest)?; )*
        Ok(sent(&$host::$function($to, $($argument),*)))
    }};
    ($to:ident, $rest:ident, $host:ident :: $function:ident($($argument:ident: $kind:ident),*) ~> $void:ident) => {{
        $( let $argument = taken::<$kind>($rest)?; )*
        Ok(sent(&$host::$function($to, $($argument),*)))
    }};
    ($to:ident, $rest:ident, $host:ident :: $function:ident($($argument:ident: $kind:ident),*) -> Payload) => {{
        $( let $argument = taken::<$kind>($rest)?; )*
        $host::$function($to, $($argument),*).map(Served::Payload)
    }};
    ($to:ident, $rest:ident, $host:ident :: $function:ident($($argument:ident: $kind:ident),*) -> $result:ident) => {{
        $( let $argument = taken::<$kind>($rest)?; )*
        $host::$function($to, $($argument),*).map(|value| sent(&value))
    }};
    ($to:ident, $rest:ident, $host:ident :: $function:ident($argument:ident: $kind:ident) -> [$value:ident]) => {{
        let $argument = taken::<$kind>($rest)?;
        let mut out = vec![<$value as Plain>::ZERO; <$kind as Counted>::count(&$argument)];
        $host::$function($to, $argument, &mut out)?;
        Ok(filled(0, &out))
    }};
    ($to:ident, $rest:ident, $host:ident :: $function:ident($($argument:ident: $kind:ident),*) -> {$value:ident}) => {{
        $( let $argument = taken::<$kind>($rest)?; )*
        let capacity = usize::try_from(taken::<u64>($rest)?).unwrap_or(0).min(MAX_VALUES);
        let mut out = vec![<$value as Plain>::ZERO; capacity];
        let of = $host::$function($to, $($argument,)* &mut out)?;
        out.truncate(of as usize);
        Ok(filled(of, &out))
    }};
}
