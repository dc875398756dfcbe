//! The SDK for plugins of the Bridgehead simulation host: bridges, sensors and controllers in safe Rust.
//!
//! A plugin is a `cdylib` crate with a type that implements [`bridge::Bridge`] or [`model::ModelPlugin`] and
//! one [`export_plugin!`]. Copy the resulting `.so` into a folder that the host searches. Plugin and host
//! communicate through a C ABI ([`abi`]), so they may be built by different compilers. From version 1 of the ABI
//! on, a plugin runs in every later host of the same major version; until then, rebuild it for each minor version.
//!
//! # The life of a model plugin
//!
//! 1. `register`: once per process; registers its own message types ([`model::ModelPlugin::register`]).
//! 2. `converters`: once for each bridge plugin that the run uses; registers converters of its own types for that bridge.
//! 3. `awake`: creates one value per `<sensor>` or `<plugin>` element; reads parameters, opens topics, finds links and
//!    joints.
//! 4. `start`: returns ready or pending; a pending plugin calls [`host::Lifecycle::started`] when it is ready.
//! 5. `reset`: restores the state that the plugin had after `start`. Called once before the first step, and at each
//!    reset of the run.
//! 6. `all_started`: called when every plugin of the world is ready.
//! 7. Each step: physics, then `sample` of every plugin, then the received commands take effect, then
//!    `control` of every plugin.
//! 8. `pause`, `resume`, `reset`: any number of times, between two steps. `save` is also called between two steps, if a
//!    snapshot of the run is taken; `load` follows the first `reset` of a run restored from a snapshot ([`state`]).
//! 9. `stop`: called after the threads of the plugin have been joined. Then `start` is called again, or the value is
//!    dropped.
//!
//! # The life of a bridge
//!
//! 1. `register`: once per process; registers the types that it carries, `*` for all.
//! 2. `validate`: checks a parsed connection string before anything starts.
//! 3. `create`: creates one value for each vehicle, or the world, that the bridge is attached to.
//! 4. `publisher`, `subscriber`, `service`: once per topic or service, at any time after `create`.
//! 5. `connect`: receives the parsed connection string.
//! 6. `transmit` and `receive`: loops on two threads of their own; they may block. Meanwhile the host calls
//!    `status` in every step, and `notice` at start, pause, resume, reset and stop.
//! 7. `interrupt`; after both loops have ended, `disconnect`. `connect` may be called again.
//! 8. The endpoints are dropped, then the value.
//!
//! # Threads
//!
//! The documentation of every method of the two traits states its thread and its state: `[thread: …] [state: …]`. The
//! states are those of the [ABI](abi#states).
//!
//! | tag | rules |
//! |---|---|
//! | `main` | lifecycle calls: one at a time per value; may block until the deadline of the host |
//! | `sim` | one at a time in the whole process; may read and command the world; must not block |
//! | `tx`, `rx` | a bridge's loops; may block; end soon after the interrupt |
//! | `any` | any thread, also several at once |
//!
//! Create further threads with [`host::Threads`]: the host joins them. Such threads may only call functions tagged
//! `any`.
//!
//! # Failures
//!
//! Methods return [`Result`]. The text of an [`Error`] is shown to the user of the simulation, so it should say
//! what was found and what was expected. A panic is caught at the boundary: it is logged with its location, the
//! value is marked as failed and not called again, and the simulation continues. A failure or panic in `reset` aborts
//! the run. Catching panics requires `panic = "unwind"`, which is cargo's default. Lines written with the `log` crate
//! appear in the log of the host, with the names of the plugin and its vehicle.
//!
//! # A sensor
//!
//! ```
//! use bridgehead_plugin_api::messages::std_msgs::Float64;
//! use bridgehead_plugin_api::prelude::*;
//!
//! /// Height of its parent link, in metres.
//! struct Altimeter {
//!     world: World,
//!     link: LinkId,
//!     offset: f64,
//!     height: Publisher<Float64>,
//! }
//!
//! impl ModelPlugin for Altimeter {
//!     const PHASES: Phases = Phases::SAMPLE;
//!     const REMEMBERS: Remembers = Remembers::Nothing;
//!
//!     fn awake(host: HostHandle) -> Result<Self> {
//!         let link = host.model()?.attachment()?.parent_link;
//!         Ok(Altimeter {
//!             world: host.world()?,
//!             link: link.ok_or_else(|| Error::invalid("an altimeter needs a parent link"))?,
//!             offset: host.params()?.get_or("offset", 0.0)?,
//!             height: host.bus()?.advertise("height", Qos::sensor_data())?,
//!         })
//!     }
//!
//!     fn reset(&mut self, _: ResetScope) -> Result<Flow> {
//!         Ok(Flow::Continue)
//!     }
//!
//!     fn sample(&mut self, step: &Step) -> Result<Flow> {
//!         if self.height.has_listeners() {
//!             let data = self.world.link_state(self.link)?.pose.position[2] + self.offset;
//!             self.height.publish(step.time_ns, &Float64 { data })?;
//!         }
//!         Ok(Flow::Continue)
//!     }
//! }
//!
//! bridgehead_plugin_api::export_plugin! {
//!     model Altimeter { id: "org.example.sensor.altimeter", name: "altimeter", vendor: "Example" }
//! }
//!
//! // The test needs the feature `testing`.
//! use bridgehead_plugin_api::testing::{TestHost, TestModel};
//! # fn main() {
//! let host = TestHost::builder().link("mast").parent_link("mast").param("offset", 1.5).build();
//! host.listen("height");
//! TestModel::<Altimeter>::started(host).step().expect_done();
//! assert_eq!(host.last::<Float64>("height").data, 1.5);
//! # }
//! ```
//!
//! # A bridge
//!
//! ```
//! use std::io::Write;
//! use std::sync::Mutex;
//!
//! use bridgehead_plugin_api::prelude::*;
//!
//! /// Appends `topic bytes` lines to the file that the connection string names.
//! struct Tally {
//!     file: Mutex<Option<std::fs::File>>,
//! }
//!
//! impl Bridge for Tally {
//!     type Connection = std::path::PathBuf;
//!     type Publisher = ();
//!     type Subscriber = ();
//!     const LOOPS: Loops = Loops::TRANSMIT;
//!
//!     fn register(registrar: &mut Registrar<'_, Self>) -> Result {
//!         registrar.add_publisher(ANY_TYPE)
//!     }
//!     fn create(_: HostHandle) -> Result<Self> {
//!         Ok(Tally { file: Mutex::new(None) })
//!     }
//!     fn connect(&self, path: std::path::PathBuf) -> Result {
//!         let file = std::fs::File::create(path)?;
//!         *self.file.lock().map_err(|_| Error::new("an earlier panic"))? = Some(file);
//!         Ok(())
//!     }
//!     fn disconnect(&self) -> Result {
//!         *self.file.lock().map_err(|_| Error::new("an earlier panic"))? = None;
//!         Ok(())
//!     }
//!     fn status(&self) -> BridgeStatus {
//!         match self.file.lock() {
//!             Ok(file) if file.is_some() => BridgeStatus::Connected,
//!             _ => BridgeStatus::Disconnected,
//!         }
//!     }
//!     fn publisher(&self, _: &Channel<'_>) -> Result {
//!         Ok(())
//!     }
//!     fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
//!         while let Wait::Ready(item) = tx.next(None) {
//!             let mut file = self.file.lock().map_err(|_| Error::new("an earlier panic"))?;
//!             if let Some(file) = file.as_mut() {
//!                 writeln!(file, "{} {}", item.topic(), item.bytes().len())?;
//!             }
//!         }
//!         Ok(())
//!     }
//! }
//!
//! bridgehead_plugin_api::export_plugin! {
//!     bridge Tally { id: "org.example.bridge.tally", name: "tally", vendor: "Example" }
//! }
//! # fn main() {}
//! ```
//!
//! # Messages of your own
//!
//! Write `.proto` files into the folder `proto` of your crate, add the build dependency `bridgehead-build`, and call
//! `bridgehead_build::compile("proto")` in `build.rs`. [`include_messages!`] includes the Rust types, which implement
//! [`Message`](messages::Message); register each that you publish in [`model::ModelPlugin::register`].
//!
//! `plugin-api/examples` has larger examples, each a separate crate with tests.

pub use bridgehead_abi as abi;
pub use bridgehead_messages as messages;

mod boundary;
pub mod bridge;
pub mod connection;
pub mod drive;
mod error;
pub mod export;
pub mod host;
#[doc(hidden)]
#[macro_use]
pub mod hosting;
mod lease;
pub mod model;
pub mod noise;
#[doc(hidden)]
pub mod objects;
mod payload;
pub mod prelude;
pub mod random;
#[doc(hidden)]
pub mod rules;
pub mod schedule;
pub mod sensor;
pub mod serving;
pub mod state;
#[cfg(feature = "testing")]
pub mod testing;
pub mod vector;

pub use bridge::Ack;
pub use error::{Error, Flow, Request, Result};
pub use model::Started;
pub use payload::Payload;

/// Includes the messages that `bridgehead_build::compile` compiled in the build script, as a module.
///
/// The module contains each message by its name, and the types of all packages below their names, for example
/// `messages::org::example::v1::Pressure` and `messages::Pressure`.
///
/// ```ignore
/// bridgehead_plugin_api::include_messages!(mod messages);
/// use messages::Pressure;
/// ```
#[macro_export]
macro_rules! include_messages {
    ($visibility:vis mod $name:ident) => {
        #[allow(missing_docs, unreachable_pub, unused_imports, clippy::all, clippy::pedantic)]
        $visibility mod $name {
            include!(concat!(env!("OUT_DIR"), "/messages.rs"));
        }
    };
}
