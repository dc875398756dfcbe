//! Steps that wait for a live peer: an autopilot, a controller, another simulator.

use std::time::Duration;

use bridgehead_abi as abi;
use bridgehead_abi::{status, stepping as raw};

use super::extension_handle;
use crate::error::Result;
use crate::hosting::Refused;

/// A step that is complete. Everything that was published in it has been given to the transmit loop, where
/// [`Tx::next`](crate::bridge::Tx::next) returns it without waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tick {
    /// Number of resets so far.
    pub epoch: u32,
    /// Number of the step; 0 before the first one.
    pub step: u64,
    /// Simulated time at its end, nanoseconds.
    pub time_ns: i64,
    /// Simulated time of a step, nanoseconds.
    pub width_ns: i64,
}

/// What happens to a step that has waited longer than its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum Late {
    /// It goes on waiting.
    #[default]
    Wait = raw::LATE_WAIT,
    /// It runs without the peer's command, as do all further ones until the bridge releases a step again.
    Continue = raw::LATE_CONTINUE,
    /// The run ends with an error.
    End = raw::LATE_END,
}

extension_handle! {
    /// Holds the simulation until the peer has answered each step, or each n-th.
    ///
    /// ```no_run
    /// # use std::time::Duration;
    /// # use bridgehead_plugin_api::bridge::{Bridge, Sink, Tx, Wait};
    /// # use bridgehead_plugin_api::{Payload, Result, host::Stepping};
    /// # fn send(_: &[u8]) {}
    /// # fn answer() -> Payload { unimplemented!() }
    /// /// The transmit loop.
    /// fn exchange<B: Bridge>(stepping: Stepping, tx: &mut Tx<'_, B>, commands: &Sink) -> Result {
    ///     while !tx.is_interrupted() {
    ///         // The last released step is complete.
    ///         let Some(tick) = stepping.wait(Duration::from_millis(20))? else { continue };
    ///         // What was published until then, for the peer; and its command for the next step.
    ///         while let Wait::Ready(item) = tx.next(Some(Duration::ZERO)) {
    ///             send(item.bytes());
    ///         }
    ///         commands.deliver_at(tick.step + 1, tick.time_ns, &answer())?;
    ///         stepping.release(tick, 1)?;
    ///     }
    ///     Ok(())
    /// }
    /// ```
    Stepping, raw::HostStepping, abi::extension::STEPPING
}

impl Stepping {
    /// From now on no step runs that was not released. To be called in `connect`, each time: the hold ends with the
    /// connection. `[main]`
    ///
    /// `limit` is how long a step may wait for its release, in wall time; the configuration of the bridge may change it.
    ///
    /// # Errors
    /// Returns an error if the host does not hold for this instance.
    pub fn hold(self, limit: Option<Duration>, late: Late) -> Result {
        let limit = limit.map_or(0, |limit| u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX).max(1));
        Ok(self.extension.hold(limit, late as u32)?)
    }

    /// Waits until the last released step is complete, or until the run begins; at most `timeout` and at most a second.
    /// Returns `None` if it is not complete by then. `[any]`
    ///
    /// # Errors
    /// Returns an error if nothing is held, as after the end of the connection.
    pub fn wait(self, timeout: Duration) -> Result<Option<Tick>> {
        let timeout = u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX);
        match self.extension.wait(timeout) {
            Ok(raw) => Ok(Some(Tick {
                epoch: raw.reset_epoch,
                step: raw.step,
                time_ns: raw.time_ns,
                width_ns: raw.width_ns,
            })),
            Err(Refused::Status(_, status::TIMEOUT)) => Ok(None),
            Err(refused) => Err(refused.into()),
        }
    }

    /// Releases the next `steps` steps after `tick`, whose commands were delivered. Returns false if there was a reset
    /// since: nothing is released then, what was delivered is dropped, and the next tick is that of the new beginning.
    /// `[any]`
    ///
    /// # Errors
    /// Returns an error if nothing is held.
    pub fn release(self, tick: Tick, steps: u64) -> Result<bool> {
        match self.extension.release(tick.epoch, tick.step.saturating_add(steps)) {
            Ok(()) => Ok(true),
            Err(Refused::Status(_, status::NOT_FOUND)) => Ok(false),
            Err(refused) => Err(refused.into()),
        }
    }
}
