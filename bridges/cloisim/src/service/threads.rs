//! The threads of a service: one sends frames, one publishes the clock and polls for changes of the world, one
//! notifies the client of resets; and the WebSocket server. They belong to the service and not to an instance, since
//! instances come and go.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::{Error, Result};

use super::{CloisimService, system};
use crate::codes::{NO_PORT, SOCKET_FAILED};
use crate::convert::world::clock;
use crate::device::{Key, Kind};
use crate::device_server::DeviceServer;
use crate::discovery::command::respond;
use crate::discovery::server::{Path, Respond, WebSocketServer};
use crate::lock::lock;
use crate::publish_port::KEEP_ALIVE;
use crate::tag::tag;
use crate::wall_clock;

/// Clock period that clients expect.
const CLOCK: Duration = Duration::from_millis(20);
/// Clock ticks between two polls for changes of the world.
const TICKS_PER_REFRESH: u32 = 5;

/// Threads and the server.
#[derive(Default)]
pub(super) struct Threads {
    is_over: AtomicBool,
    handles: Mutex<Vec<JoinHandle<()>>>,
    server: Mutex<Option<WebSocketServer>>,
}

impl Threads {
    /// Stops them all. The server stops first, so that no client command arrives during the shutdown.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
        drop(lock(&self.server).take());
        let handles = std::mem::take(&mut *lock(&self.handles));
        for handle in handles {
            if handle.join().is_err() {
                log::error!("[{SOCKET_FAILED}] a thread of the service has panicked");
            }
        }
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }
}

impl CloisimService {
    pub(super) fn start_threads(self: &Arc<Self>) -> Result {
        let service = Arc::clone(self);
        self.spawn("cloisim-send", move || service.publish_loop.run())?;
        let service = Arc::clone(self);
        self.spawn("cloisim-clock", move || service.run_clock())?;
        self.start_control()?;
        self.start_server()
    }

    fn spawn(&self, name: &str, body: impl FnOnce() + Send + 'static) -> Result {
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(body);
        lock(&self.threads.handles).push(thread.map_err(|error| system("starting a thread", error))?);
        Ok(())
    }

    fn world(&self) -> Option<Arc<DeviceServer>> {
        self.device_servers().into_iter().find(|device_server| device_server.device().kind == Kind::World)
    }

    fn start_control(self: &Arc<Self>) -> Result {
        let Some(world) = self.world() else {
            let text = format!(
                "[{NO_PORT}] the ports of the world cannot be opened; see the errors before this one"
            );
            return Err(Error::with_status(status::IO, text));
        };
        let Some(mut request_port) = world.take_request_port() else { return Ok(()) };
        let tag = tag(&world.device().hash_key(Key::Control));
        let service = Arc::clone(self);
        self.spawn("cloisim-reset", move || service.reset_notifier.run(request_port.as_mut(), tag))
    }

    fn start_server(self: &Arc<Self>) -> Result {
        let service = Arc::downgrade(self);
        let answer: Respond = Arc::new(move |path, text| match (service.upgrade(), path) {
            (Some(service), Path::Control) => respond(text, &*service),
            (Some(service), Path::Markers) => lock(&service.markers).respond(text),
            (None, _) => String::new(),
        });
        let address = self.connection.service;
        let server = WebSocketServer::start(address, answer).map_err(|error| {
            system(
                &format!("[BH-CLO-002] cannot listen on the service address {address}; choose another one"),
                error,
            )
        })?;
        log::info!("clients find the devices at ws://{address}/control");
        *lock(&self.threads.server) = Some(server);
        Ok(())
    }

    /// Publishes the clock and polls for changes of the world until the service stops.
    fn run_clock(&self) {
        let Some(world) = self.world() else { return };
        let mut sent: Option<(i64, Instant)> = None;
        for round in (0..TICKS_PER_REFRESH).cycle() {
            if self.threads.is_over() {
                return;
            }
            if round == 0 {
                self.refresh();
                self.report_losses();
            }
            if let Some(reading) = self.members.clock() {
                let is_due =
                    sent.is_none_or(|(time, at)| time != reading.time_ns || at.elapsed() >= KEEP_ALIVE / 2);
                if is_due {
                    world.send(Key::Clock, &clock(&reading, self.started.elapsed()), &self.publish_loop);
                    sent = Some((reading.time_ns, wall_clock::now()));
                }
            }
            std::thread::sleep(CLOCK);
        }
    }
}
