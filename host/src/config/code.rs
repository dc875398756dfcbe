//! The one table of everything that can be wrong about what a run is asked to do: number, meaning, advice.
//!
//! Messages, the page of error codes and the tests are driven by it; what is wrong in particular is a
//! [`ConfigError`](super::ConfigError). Plain values, usable from any thread.

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

            /// The number in `BH-CFG-nnn`.
            #[must_use]
            pub const fn number(self) -> u16 {
                match self { $( Self::$variant => $number, )* }
            }

            /// What it means, as a sentence.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $( Self::$variant => $meaning, )* }
            }

            /// What to try.
            #[must_use]
            pub const fn advice(self) -> &'static str {
                match self { $( Self::$variant => $advice, )* }
            }
        }
    };
}

codes! {
    Usage = 1, "The command line cannot be understood."
        => "see `bridgehead --help` and `bridgehead run --help`";
    FileUnreadable = 2, "The configuration file cannot be read."
        => "check the path and the permissions";
    NotToml = 3, "The configuration file is not TOML from this place on."
        => "look for a missing quote, bracket or `=` at or before this place";
    UnknownKey = 4, "A key of the configuration file is not known here."
        => "check the spelling and the table it stands in";
    WrongType = 5, "A value of the configuration file is of another type than its key asks for."
        => "write the value as it is shown in docs/configuration.md";
    MissingKey = 6, "A key that has no default is missing in the configuration file."
        => "add the key";
    DurationInvalid = 10, "A span of time cannot be read, is zero, or is longer than simulated time can run."
        => "write a number and a unit: `10s`, `500ms`, `2m`, `1.5s`";
    SpeedInvalid = 11, "A speed is not above zero, or not a number."
        => "write how many simulated seconds shall pass in a second, such as `1` or `0.5`, or `unlimited`";
    ChoiceInvalid = 12, "A word is not one of those that are known here."
        => "use one of the words listed";
    SizeInvalid = 13, "A number of bytes cannot be read or is zero."
        => "write a whole number, with K, M or G for powers of 1024: `500000`, `64K`, `10M`, `2G`";
    NumberInvalid = 14, "A number cannot be read or is out of its range."
        => "write a whole number within the range";
    AddressInvalid = 15, "The address of a server is not `host:port`, and not `off`."
        => "write for example `127.0.0.1:8090`, `[::1]:8090`, or `off` for no server";
    KeyInvalid = 16, "A key of the keyboard is not one visible character, or has two meanings."
        => "write one letter, digit or sign for each";
    ServiceNameInvalid = 17, "The other name of a service is no name, or that of another service."
        => "use letters, digits and `_`, with `/` between parts, or an empty text to offer no such service";
    TokenInvalid = 18, "The token of a server is given twice, or cannot be read."
        => "give `token`, or the name of a file that holds nothing but the token as `token_file`";
    BridgeInvalid = 20, "A bridge is asked for without saying where, which one, or with what connection string."
        => "write `--bridge WHERE=NAME:CONNECTION`, in quotes where the shell would change it, for example `--bridge 'car1=logging:out.mcap'`";
    AttachInvalid = 21, "The name or pattern of the vehicles that something is attached to is malformed."
        => "write `world`, a vehicle's name, a pattern with `*`, `?`, `[abc]` or `{a,b}`, or `*` for the world and all vehicles";
    NotUtf8 = 22, "A text that is handed to a plugin is not UTF-8."
        => "set a UTF-8 locale, or name the file without such characters";
    VariableUnknown = 23, "A variable of the environment looks like a key of the configuration and is none."
        => "check its spelling, or unset it";
    PoseInvalid = 24, "A `[[pose]]` has no name or that of another one, or room without extent or of two kinds."
        => "give each a name of its own, and at most one of `box` and `sphere`, with numbers above 0";
    ParameterInvalid = 30, "A parameter of a plugin has a form that parameters cannot have."
        => "use texts, numbers, booleans, tables, and lists of those; a list stands for a repeated element";
    TargetInvalid = 40, "A file that the run is to write could not be written there."
        => "make the folder first, or name another one";
    ResultUnwritten = 41, "The run ended, but its result could not be written."
        => "free some space, or name another file with `--result`";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BH-CFG-{:03}", self.number())
    }
}
