//! The macro that declares one table of keys, a row for each setting.
//!
//! A row declares the field of the configuration and its default, the field of the values that one place gives, the key in
//! files and the environment, and the flag.

/// Declares a table of keys.
///
/// A row is `/// meaning`, `field: type = default, kind, facts;`. The text before the row is the meaning in the guide and
/// the help text of the flag. Without a default the field of the configuration is an `Option`, and
/// [`without`](super::key::without) says what applies then. Fields under `also` have no key.
///
/// `$config` has the values that apply, `$given` those that one place gives, and `$section` is the field of
/// [`Settings`](super::Settings) that holds the latter and the name of the table in files.
macro_rules! section {
    (
        $( #[$about:meta] )*
        $config:ident, $given:ident, $section:ident {
            $(
                $( #[doc = $meaning:literal] )+
                $field:ident: $type:ty $( = $default:expr )?, $kind:expr $( , $facts:expr )?;
            )*
        }
        also {
            $( $( #[$also_about:meta] )* $also:ident: $also_type:ty = $also_default:expr; )*
        }
    ) => {
        $( #[$about] )*
        pub struct $config {
            $( $( #[doc = $meaning] )+ pub $field: held!($type $( = $default )?), )*
            $( $( #[$also_about] )* pub $also: $also_type, )*
        }

        impl Default for $config {
            fn default() -> Self {
                Self {
                    $( $field: initial!($( $default )?), )*
                    $( $also: $also_default, )*
                }
            }
        }

        #[doc = concat!("The values that one place gives for the keys of `[", stringify!($section), "]`.")]
        #[derive(Clone, Debug, Default)]
        pub struct $given {
            $( $( #[doc = $meaning] )+ pub $field: Option<$type>, )*
        }

        impl $given {
            /// Returns these values, and those of `below` for keys that these do not give.
            pub(in crate::config) fn over(self, below: Self) -> Self {
                Self { $( $field: self.$field.or(below.$field), )* }
            }

            /// Writes the given values into a configuration.
            pub(in crate::config) fn apply(self, config: &mut $config) {
                $( if let Some(value) = self.$field { config.$field = value.into(); } )*
            }

            /// Returns the values of a configuration.
            pub(in crate::config) fn of(config: $config) -> Self {
                Self { $( $field: config.$field.into(), )* }
            }
        }

        impl $given {
            /// Returns the rows of its table. `S` has the values that one place gives for all tables.
            pub(in crate::config) fn keys<S: AsRef<$given> + AsMut<$given>>() -> Vec<crate::config::key::Row<S>> {
                vec![$( {
                const KIND: crate::config::kind::ValueKind<$type> = $kind;
                crate::config::key::Row {
                    section: stringify!($section),
                    name: stringify!($field),
                    form: KIND.form,
                    meaning: concat!($( $meaning ),+).trim_ascii_start(),
                    without: "",
                    flag: None,
                    read: |table, name, settings: &mut S| settings.as_mut().$field = (KIND.read)(table, name),
                    parse: |text, settings: &mut S| {
                        settings.as_mut().$field = Some((KIND.parse)(text)?);
                        Ok(())
                    },
                    show: |settings: &S, _| settings.as_ref().$field.as_ref().map(KIND.show),
                }
                $( .with($facts) )?
            } ),*]
            }
        }
    };
}

/// The type of a field of the configuration: optional without a default.
macro_rules! held {
    ($type:ty) => { Option<$type> };
    ($type:ty = $default:expr) => { $type };
}

/// The initial value of a field of the configuration.
macro_rules! initial {
    () => {
        None
    };
    ($default:expr) => {
        $default
    };
}

pub(super) use {held, initial, section};
