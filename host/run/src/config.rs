//! The configuration of a run: typed, complete, and independent of where each value was given.
//!
//! `file` reads the TOML form, `environment` the variables, and the command line gives the flags. Nothing here touches the
//! world, plugins or sockets. Each setting with a key is declared once, as a row under [`section!`](section). Plain values,
//! usable from any thread.

mod argument;
mod attach;
mod code;
mod control;
mod dump;
mod environment;
mod error;
pub mod file;
mod http;
mod key;
mod keys;
mod kind;
mod layers;
mod policy;
mod pose;
mod recording;
mod request;
mod run;
mod section;
mod sensor;
pub mod services;
mod settings;
pub mod value;
mod world_value;

pub use argument::{ArgumentRequest, xacro_argument};
pub use attach::{bridge_argument, check_attach};
pub use bridgehead_runtime::nearest::nearest;
pub use code::Code;
pub use control::{ControlConfig, HttpConfig, KeyboardConfig, NamesConfig, WatchdogConfig};
pub use environment::from_environment;
pub use error::{ConfigError, ConfigErrors};
pub use http::{DEFAULT_ADDRESS, HttpAddress, Secret};
pub use key::{Flag, Form};
pub use keys::{Key, SECTIONS, keys, keys_of};
pub use layers::{Layers, Source as ValueSource};
pub use policy::{FailurePolicy, LossPolicy, Reconnect, RecordedImages};
pub use pose::PoseRequest;
pub use request::{BridgeRequest, PluginRequest, RequestOrigin};
pub use run::RunConfig;
pub use sensor::{OverrideRequest, SensorRequest};
pub use services::ServiceNames;
pub use settings::Settings;
pub use world_value::{ValueRequest, set_argument};
