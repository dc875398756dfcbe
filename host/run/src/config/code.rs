//! The table of configuration errors: number, meaning, advice.
//!
//! Messages, the page of error codes and the tests use it; a single error is a [`ConfigError`](super::ConfigError). Plain
//! values, usable from any thread.

use std::fmt;

/// Declares the enum and its table from one list.
macro_rules! codes {
    ($( $variant:ident = $number:literal, $meaning:literal => $advice:literal; )*) => {
        /// What is wrong with a configuration. Shown as `BH-CFG-nnn`; numbers are never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $( #[doc = $meaning] $variant, )*
        }

        impl Code {
            /// Every code, by rising number.
            pub const ALL: &'static [Self] = &[$( Self::$variant ),*];

            /// Returns the number in `BH-CFG-nnn`.
            #[must_use]
            pub const fn number(self) -> u16 {
                match self { $( Self::$variant => $number, )* }
            }

            /// Returns its meaning, as a sentence.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $( Self::$variant => $meaning, )* }
            }

            /// Returns what to try.
            #[must_use]
            pub const fn advice(self) -> &'static str {
                match self { $( Self::$variant => $advice, )* }
            }
        }
    };
}

codes! {
    Usage = 1, "The command line is wrong."
        => "see `bridgehead --help` and `bridgehead run --help`";
    FileUnreadable = 2, "The configuration file cannot be read."
        => "check the path and the permissions";
    NotToml = 3, "The configuration file is not valid TOML from this place on."
        => "look for a missing quote, bracket or `=` at or before this place";
    UnknownKey = 4, "The configuration file has an unknown key."
        => "check the spelling and the table that contains it";
    WrongType = 5, "A value of the configuration file does not have the type of its key."
        => "write the value as shown in docs/configuration.md";
    MissingKey = 6, "The configuration file lacks a required key."
        => "add the key";
    DurationInvalid = 10, "A duration is malformed, zero, or longer than 292 years, the limit of simulated time."
        => "write a number and a unit: `10s`, `500ms`, `2m`, `1.5s`";
    SpeedInvalid = 11, "A speed is not a number above zero."
        => "write the simulated seconds per second, such as `1` or `0.5`, or `unlimited`";
    ChoiceInvalid = 12, "A value is not one of the allowed words."
        => "use one of the listed words";
    SizeInvalid = 13, "A number of bytes is malformed or zero."
        => "write a whole number, with K, M or G for powers of 1024: `500000`, `64K`, `10M`, `2G`";
    NumberInvalid = 14, "A number is malformed or out of its range."
        => "write a whole number within the range";
    AddressInvalid = 15, "The address of a server is neither `host:port` nor `off`."
        => "write for example `127.0.0.1:8090`, `[::1]:8090`, or `off` for no server";
    KeyInvalid = 16, "A keyboard key is not one visible character, or is assigned to two actions."
        => "write one letter, digit or sign; `quit` needs a key of its own";
    ServiceNameInvalid = 17, "The new name of a service is malformed, or taken by another service."
        => "use letters, digits and `_`, with `/` between parts, or an empty text to disable the service";
    TokenInvalid = 18, "The token of a server is empty, is given twice, or cannot be read."
        => "give `token`, or give `token_file`, the path of a file that contains only the token; omit both for a server without a token";
    BridgeInvalid = 20, "The value of `--bridge` lacks the vehicle or `world`, the name of the bridge, or the connection string."
        => "write `--bridge WHERE=NAME:CONNECTION`, in quotes if the shell would change it, for example `--bridge 'car1=logging:out.mcap'`";
    AttachInvalid = 21, "The name or pattern of vehicles to attach to is malformed."
        => "write `world`, a vehicle's name, a pattern with `*`, `?`, `[abc]` or `{a,b}`, or `*` for the world and all vehicles";
    NotUtf8 = 22, "A connection string or an environment variable is not UTF-8."
        => "set a UTF-8 locale, or rename the file";
    VariableUnknown = 23, "The name of an environment variable does not correspond to a configuration key."
        => "check its spelling, or unset it";
    PoseInvalid = 24, "A `[[pose]]` has no name or a duplicate name, or its bounds are empty or contain both a box and a sphere."
        => "give each a unique name, and at most one of `box` and `sphere`, with positive numbers";
    ValueInvalid = 25, "The path of a value of the world is malformed."
        => "write `--set 'world.model[NAME].link[NAME].inertial.mass=2'`";
    ParameterInvalid = 30, "A parameter of a plugin has an unsupported form."
        => "use texts, numbers, booleans, tables, and lists of those; write a repeated element as a list";
    TargetInvalid = 40, "An output file of the run cannot be written at its path."
        => "create the folder first, or name another one";
    ResultUnwritten = 41, "The run ended, but its result could not be written."
        => "look at the reason: free some space, raise the limit, or name another file with `--result`";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BH-CFG-{:03}", self.number())
    }
}
