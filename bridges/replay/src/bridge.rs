//! The plugin: translates calls of the host into calls of the other modules.
//!
//! `[main]` opens the recording and holds the simulation; the `[rx]` loop plays. Nothing is sent.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridgehead_plugin_api::bridge::{ANY_TYPE, Bridge, BridgeStatus, Channel, Loops, Registrar, Rx, Sink};
use bridgehead_plugin_api::host::{Clock, HostHandle, Lockstep};
use bridgehead_plugin_api::messages::{Schema, StepMark};
use bridgehead_plugin_api::{Error, Result};

use crate::connection::{Connection, Topics};
use crate::player::{Ending, Simulation, Summary, play};
use crate::recording::{self, Recording};
use crate::subscribers::{Subscribers, Subscription};

#[cfg(test)]
mod tests;

/// One instance.
pub(crate) struct ReplayBridge {
    host: HostHandle,
    subscribers: Subscribers,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    status: BridgeStatus,
    /// Exists from connect until the loop takes it.
    ready: Option<Session>,
}

/// What a connection plays.
struct Session {
    recording: Box<dyn Recording>,
    topics: Topics,
}

impl ReplayBridge {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the directory that must contain a recording named by a world file; `None` if the user named it. The
    /// host gives the origin of the connection in `@origin` and the directory of the world file in `world_dir`.
    fn world_dir(&self) -> Option<PathBuf> {
        let params = self.host.params().ok()?;
        match params.text("@origin").as_deref() {
            None | Some("command_line" | "configuration") => None,
            Some(_) => Some(params.text("world_dir").unwrap_or_else(|| ".".to_owned()).into()),
        }
    }

    fn play(&self, session: &mut Session, rx: &Rx<'_>) -> Result<Summary> {
        let simulation = HeldSimulation { clock: self.host.clock()?, lockstep: self.host.lockstep()?, rx };
        play(session.recording.as_mut(), &session.topics, &self.subscribers, &simulation)
    }

    /// Releases the simulation. It is not an error if nothing is held any more.
    fn release(&self) {
        if let Ok(lockstep) = self.host.lockstep() {
            let _ = lockstep.release();
        }
    }
}

impl Bridge for ReplayBridge {
    type Connection = Connection;
    type Publisher = ();
    type Subscriber = Subscription;

    const LOOPS: Loops = Loops::RECEIVE;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_subscriber(ANY_TYPE)
    }

    fn create(host: HostHandle) -> Result<Self> {
        Ok(ReplayBridge { host, subscribers: Subscribers::default(), state: Mutex::default() })
    }

    fn connect(&self, connection: Connection) -> Result {
        let path = connection.locate(self.world_dir().as_deref())?;
        let recording = recording::open(&path, connection.format)?;
        self.host.lockstep()?.hold()?;
        let ready = Some(Session { recording, topics: connection.topics });
        *self.state() = State { status: BridgeStatus::Connected, ready };
        Ok(())
    }

    fn disconnect(&self) -> Result {
        *self.state() = State::default();
        self.release();
        Ok(())
    }

    fn status(&self) -> BridgeStatus {
        self.state().status
    }

    fn publisher(&self, channel: &Channel<'_>) -> Result<()> {
        Err(Error::unsupported(format!("this bridge sends no topics (requested: `{}`)", channel.topic())))
    }

    fn subscriber(&self, channel: &Channel<'_>, sink: Sink) -> Result<Subscription> {
        let data = channel.data_type();
        if channel.is_converted() {
            return Err(Error::unsupported(format!(
                "`{}` has a converter for this bridge, which reads every type by its descriptor and supports \
                 no converters",
                data.name
            )));
        }
        let schema = Schema::new(data.descriptor_set.to_vec(), data.name.to_owned());
        self.subscribers.add(channel.topic(), &schema, Box::new(sink))
    }

    fn receive(&self, rx: &Rx<'_>) -> Result {
        let Some(mut session) = self.state().ready.take() else { return Ok(()) };
        let played = self.play(&mut session, rx);
        if !rx.is_interrupted() {
            self.release();
        }
        match played {
            Ok(summary) => {
                report(&summary);
                Ok(())
            }
            Err(error) => {
                // Before the status: the host may read it before this call returns the error.
                self.host.explain(error.text());
                self.state().status = BridgeStatus::UnexpectedlyDisconnected;
                Err(error)
            }
        }
    }
}

/// The simulation behind the host's handles.
struct HeldSimulation<'a> {
    clock: Clock,
    lockstep: Lockstep,
    rx: &'a Rx<'a>,
}

impl Simulation for HeldSimulation<'_> {
    fn now(&self) -> StepMark {
        let reading = self.clock.read();
        StepMark { epoch: reading.reset_epoch, step: reading.step }
    }

    fn release_through(&self, step: u64) {
        if let Err(error) = self.lockstep.release_through(step) {
            log::debug!("{error}");
        }
    }

    fn wait(&self, time: Duration) -> bool {
        self.rx.wait(Some(time))
    }
}

/// Logs how a replay ended.
fn report(summary: &Summary) {
    match summary.ending {
        Ending::Complete => log::info!("the recording has ended: {} messages delivered", summary.delivered),
        Ending::Interrupted => log::debug!("stopped after {} messages", summary.delivered),
        Ending::RecordedReset => log::warn!(
            "the recording continues after a reset, which is not replayed: stopped after {} messages",
            summary.delivered
        ),
        Ending::Reset => log::warn!(
            "the run was reset, and a recording is played once: stopped after {} messages",
            summary.delivered
        ),
    }
    if summary.late > 0 {
        log::warn!(
            "{} messages were skipped: their steps had passed before this bridge connected",
            summary.late
        );
    }
    if !summary.without_subscriber.is_empty() {
        let topics: Vec<&str> = summary.without_subscriber.iter().map(String::as_str).collect();
        log::info!("no plugin subscribes to {}", topics.join(", "));
    }
}
