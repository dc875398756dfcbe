//! Instances of plugins.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::Arc;

use bridgehead_abi::bridge::{BridgeInstance, Notice, RxContext, TxContext};
use bridgehead_abi::extension::{SAMPLE_TIMES, WORLD_SAVE};
use bridgehead_abi::model::{ModelInstance, SampleTimes, StateWriter, StepInfo, WorldSave};
use bridgehead_abi::{Status, status};

use super::flow::WriterRef;
use super::{NOTHING, Nothing, Object, Place};
use crate::hosting::{Argument, At, Encoded, Words};

object! {
    /// One bridge of a vehicle or of the world.
    bridge: BridgeInstance by ctx, BridgeObject, BridgeRef, bridge_has;

    /// Starts to connect.
    required fn connect(connection: Words);
    /// Ends the connection.
    required fn disconnect();
    /// Returns one of the `STATUS_` constants.
    required fn status() => u32, bridgehead_abi::bridge::STATUS_UNEXPECTEDLY_DISCONNECTED;
    /// Sends messages until it is interrupted.
    optional fn tx_run(tx: TxContext);
    /// Receives messages until it is interrupted.
    optional fn rx_run(rx: RxContext);
    /// Wakes the loops.
    optional fn interrupt() => Nothing, NOTHING;
    /// Hears of the lifecycle.
    optional fn notice(notice: Notice);
    /// Looks up an extension; null for an unknown one.
    required fn get_extension(id: Words) => *const c_void, std::ptr::null();
}

object! {
    /// One sensor, actuator, controller or world plugin.
    model: ModelInstance by ctx, ModelObject, ModelRef, model_has;

    /// Reads the parameters.
    required fn awake();
    /// Starts.
    optional fn start();
    /// All plugins have started.
    optional fn all_started();
    /// Resets the state.
    required fn reset(scope: u32);
    /// Measures.
    optional fn sample(step: StepInfo);
    /// Acts.
    optional fn control(step: StepInfo);
    /// The simulation pauses.
    optional fn pause();
    /// The simulation goes on.
    optional fn resume();
    /// The run ends.
    optional fn stop();
    /// Writes the state.
    optional fn save(writer: StateWriter);
    /// Takes a state.
    optional fn load(bytes: Encoded);
    /// Looks up an extension; null for an unknown one.
    required fn get_extension(id: Words) => *const c_void, std::ptr::null();
}

/// A model plugin that adds elements to a saved world: the extension [`WORLD_SAVE`].
pub trait ElementsObject: Object {
    /// Writes the elements.
    fn elements(&self, writer: WriterRef<'_>) -> Status;

    /// The extension, for [`ModelObject::get_extension`].
    #[must_use]
    fn world_save() -> *const c_void {
        std::ptr::from_ref(&Extensions::<Self>::WORLD_SAVE).cast()
    }
}

mod world_save {
    use super::*;

    object_shim! { *mut c_void, ElementsObject, "model.elements", elements(writer: StateWriter) }
}

/// Extensions that are the same for all instances of one plugin.
struct Extensions<T>(PhantomData<T>);

impl<T: ElementsObject> Extensions<T> {
    const WORLD_SAVE: WorldSave =
        WorldSave { struct_size: WorldSave::SIZE, reserved: 0, elements: world_save::elements::<T> };
}

impl ModelRef {
    /// When the plugin samples, if it has said so. To be asked after `awake`.
    #[must_use]
    pub fn sample_times(&self) -> Option<&SampleTimes> {
        // SAFETY: the id is documented with this struct, which lives as long as the instance and does not change after
        // `awake`.
        let times = unsafe { self.get_extension(SAMPLE_TIMES.as_bytes()).cast::<SampleTimes>().as_ref() };
        times.filter(|times| times.struct_size >= SampleTimes::SIZE)
    }

    /// Whether the plugin may add elements to a saved world.
    #[must_use]
    pub fn has_elements(&self) -> bool {
        self.world_save().is_some()
    }

    /// Writes the elements for a saved world; `None` if the plugin never has any.
    #[must_use]
    pub fn elements(&self, writer: WriterRef<'_>) -> Option<Status> {
        // SAFETY: the function is that of the instance; the writer lives for the call.
        self.world_save().map(|table| unsafe { (table.elements)(self.0.ctx, writer.as_raw()) })
    }

    fn world_save(&self) -> Option<&WorldSave> {
        // SAFETY: the id is documented with this struct, which lives as long as the instance.
        let table = unsafe { self.get_extension(WORLD_SAVE.as_bytes()).cast::<WorldSave>().as_ref() };
        table.filter(|table| table.struct_size >= WorldSave::SIZE)
    }
}
