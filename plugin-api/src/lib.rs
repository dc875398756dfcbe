//! The SDK for plugins of the Bridgehead simulation host: bridges, sensors and controllers in safe Rust.
//!
//! A plugin is a `cdylib` crate with a type that implements [`bridge::Bridge`] or [`model::ModelPlugin`] and
//! one [`export_plugin!`]. The resulting `.so` is dropped into a folder; the host finds it there. Between the
//! two lies a C ABI ([`abi`]), so a plugin need not be rebuilt for a new host or with the host's compiler.
//!
//! # The life of a model plugin
//!
//! 1. `register`: once per process; message types of its own are made known ([`model::ModelPlugin::register`]).
//! 2. `converters`: once for each bridge plugin; forms of its own types for that bridge.
//! 3. `awake`: one value per `<sensor>` or `<plugin>` element; parameters, topics, links, joints.
//! 4. `start`: ready, or pending until [`host::Lifecycle::started`] is called.
//! 5. `reset`: back to the state after `start`. Also once before the first step, and never before `start`.
//! 6. `all_started`: every plugin of the world is ready.
//! 7. Each step: physics, then `sample` of every plugin, then the commands of this step are latched in, then
//!    `control` of every plugin.
//! 8. `pause`, `resume`, `reset`: any number of times, between two steps. So is `save`, when a snapshot of the run is
//!    taken; `load` follows the first `reset` of a run that is restored from one ([`state`]).
//! 9. `stop`: its threads are joined first. `start` may follow, or the value is dropped.
//!
//! # The life of a bridge
//!
//! 1. `register`: once per process; the types it carries, `*` for all.
//! 2. `validate`: a connection string is checked before anything starts.
//! 3. `create`: one value per vehicle (or world) the bridge is attached to.
//! 4. `publisher`, `subscriber`, `service`: once per topic, from here on at any time.
//! 5. `connect`: with the connection string, byte for byte as it was written.
//! 6. `transmit` and `receive`: loops on two threads of their own; they may block. Meanwhile `status` is asked
//!    every step and `notice` tells of start, pause, resume, reset and stop.
//! 7. `interrupt`, the end of both loops, then `disconnect`. `connect` may follow.
//! 8. The endpoints are dropped, then the value.
//!
//! # Threads
//!
//! Every method of the two traits ends its documentation with `[thread: …] [state: …]`.
//!
//! | tag | what may be done there |
//! |---|---|
//! | `main` | lifecycle calls: one at a time per value; may take its time up to the host's deadline |
//! | `sim` | one at a time in the whole process; the world may be read and commanded; must not wait |
//! | `tx`, `rx` | a bridge's loops; may block; end soon after the interrupt |
//! | `any` | any thread, also several at once |
//!
//! Further threads come from [`host::Threads`], which the host joins; they may use what is tagged `any`.
//!
//! # Failures
//!
//! Everything returns [`Result`]; the text of an [`Error`] is shown to the user of the simulation, so it says
//! what was found and what was expected. A panic is caught at the boundary: it is logged with its place, the
//! value is marked as failed and not called again, and the simulation goes on. This needs
//! `panic = "unwind"`, which is cargo's default. Lines of the `log` crate reach the host's log with the name of
//! the plugin and its vehicle.
//!
//! # A sensor
//!
//! ```
//! use bridgehead_plugin_api::messages::std_msgs::Float64;
//! use bridgehead_plugin_api::prelude::*;
//!
//! /// Height of the link that carries it, metres.
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
//!             link: link.ok_or_else(|| Error::invalid("an altimeter belongs into a link"))?,
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
//! // Its test needs the feature `testing`.
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
//!     type Publisher = ();
//!     type Subscriber = ();
//!     const LOOPS: Loops = Loops::TRANSMIT;
//!
//!     fn register(registrar: &mut Registrar<'_, Self>) -> Result {
//!         registrar.add_publisher(ANY_TYPE)
//!     }
//!     fn validate(connection: &str) -> Result {
//!         if connection.is_empty() { Err(Error::invalid("no file is named; write tally:FILE")) } else { Ok(()) }
//!     }
//!     fn create(_: HostHandle) -> Result<Self> {
//!         Ok(Tally { file: Mutex::new(None) })
//!     }
//!     fn connect(&self, connection: &str) -> Result {
//!         let file = std::fs::File::create(connection)?;
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
//! Larger samples stand in `plugin-api/examples`, each a crate of its own with tests.

pub use bridgehead_abi as abi;
pub use bridgehead_messages as messages;

mod boundary;
pub mod bridge;
pub mod drive;
mod error;
pub mod export;
pub mod host;
mod lease;
pub mod model;
pub mod noise;
mod payload;
pub mod prelude;
pub mod random;
#[doc(hidden)]
pub mod rules;
pub mod schedule;
pub mod sensor;
pub mod state;
#[cfg(feature = "testing")]
pub mod testing;

pub use bridge::Ack;
pub use error::{Error, Flow, Request, Result};
pub use model::Started;
pub use payload::Payload;
