//! The state of an instance as bytes of a snapshot, and the elements it adds to a saved world.
//!
//! A failure of these calls does not disable the instance: the caller reports it, and the run continues. Runs on the
//! simulation thread.

use std::ffi::c_void;

use bridgehead_abi::extension::WORLD_SAVE;
use bridgehead_abi::model::{StateWriter, WorldSave};
use bridgehead_abi::{Bytes, Status, Str, status};
use serde::{Deserialize, Serialize};

use super::{ModelPlugin, Stage};
use crate::bus::{Moment, SavedMessage};
use crate::guard::host_call;
use crate::plugin::StateSupport;
use crate::watchdog::Call;

/// A function that writes bytes.
type WriteFunction = unsafe extern "C" fn(*mut c_void, *const StateWriter) -> Status;

/// One instance in a snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PluginState {
    /// Name of the instance.
    pub label: String,
    /// Name of its plugin.
    pub plugin: String,
    /// State written by the plugin; `None` if it has no state, or if saving failed.
    state: Option<Vec<u8>>,
    /// Messages not taken yet, by subscription.
    waiting: Vec<Waiting>,
}

/// Messages of one subscription.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Waiting {
    topic: String,
    type_name: String,
    messages: Vec<SavedMessage>,
}

impl ModelPlugin {
    /// Returns everything that a restored run needs. If saving failed, the state is missing and the reason is returned
    /// with it.
    pub(in crate::model_plugin) fn save(&mut self) -> (PluginState, Option<String>) {
        let (state, problem) = match self.state() {
            Ok(state) => (state, None),
            Err(reason) => (None, Some(reason)),
        };
        let waiting = self.context.subscriptions_from(0).into_iter().map(|subscription| Waiting {
            topic: subscription.topic.name.clone(),
            type_name: subscription.topic.data_type.full_name().to_owned(),
            messages: subscription.waiting(SavedMessage::of),
        });
        let waiting = waiting.filter(|waiting| !waiting.messages.is_empty()).collect();
        let (label, plugin) = (self.label().to_owned(), self.plugin.clone());
        (PluginState { label, plugin, state, waiting }, problem)
    }

    /// Returns the state written by the plugin; `None` if it has none.
    fn state(&mut self) -> Result<Option<Vec<u8>>, String> {
        match (&self.stage, self.raw.0.save, self.state_support) {
            (Stage::Failed(reason), ..) => Err(format!("it has failed: {reason}")),
            (Stage::Started, Some(save), _) => {
                self.written(Call::Save, save).map(|state| Some(state.unwrap_or_default()))
            }
            (Stage::Started, None, StateSupport::Nothing) => Ok(None),
            (Stage::Started, None, StateSupport::Saved | StateSupport::Unsaved) => {
                Err("it has no `save`, and its metadata does not declare that it has no state".to_owned())
            }
            (Stage::Created | Stage::Starting | Stage::Pending | Stage::Interrupted | Stage::Stopped, ..) => {
                Err("it has not started".to_owned())
            }
        }
    }

    /// Loads the result of [`ModelPlugin::save`], right after a reset. If this fails, another reset must follow.
    pub(in crate::model_plugin) fn load(&mut self, saved: &PluginState, now: Moment) -> Result<(), String> {
        if let Some(bytes) = &saved.state {
            let load = self.raw.0.load.ok_or("this version of the plugin has no `load`")?;
            // SAFETY: calls of one instance do not overlap; the bytes live for the call.
            let code = self.guarded(Call::Load, || unsafe { load(self.raw.0.ctx, Bytes::new(bytes)) });
            if code < 0 {
                return Err(self.failure(Call::Load, code));
            }
        }
        for subscription in self.context.subscriptions_from(0) {
            let topic = &subscription.topic;
            let is_of = |waiting: &&Waiting| {
                waiting.topic == topic.name && waiting.type_name == topic.data_type.full_name()
            };
            let messages = saved.waiting.iter().find(is_of).map(|waiting| waiting.messages.as_slice());
            messages.unwrap_or_default().iter().for_each(|message| subscription.push(message.delivery(now)));
        }
        Ok(())
    }

    /// Returns its elements for a saved world; `None` if it does not change the file.
    pub(in crate::model_plugin) fn saved_elements(&mut self) -> Result<Option<String>, String> {
        if self.stage != Stage::Started {
            return Ok(None);
        }
        // SAFETY: the ABI allows this call on any thread; the text lives for the call.
        let extension = unsafe { (self.raw.0.get_extension)(self.raw.0.ctx, Str::new(WORLD_SAVE)) };
        // SAFETY: the id is documented with this struct, which lives as long as the instance.
        let extension = unsafe { extension.cast::<WorldSave>().as_ref() };
        let Some(extension) = extension.filter(|extension| extension.struct_size >= WorldSave::SIZE) else {
            return Ok(None);
        };
        let text = self.written(Call::SavedElements, extension.elements)?;
        text.map(|text| {
            String::from_utf8(text).map_err(|error| format!("the text is not valid UTF-8: {error}"))
        })
        .transpose()
    }

    /// Returns the bytes that a call writes; `None` if it never calls the writer, which differs from zero bytes.
    fn written(&mut self, call: Call, function: WriteFunction) -> Result<Option<Vec<u8>>, String> {
        let mut written: Option<Vec<u8>> = None;
        let writer = StateWriter {
            struct_size: StateWriter::SIZE,
            reserved: 0,
            ctx: (&raw mut written).cast(),
            write: append,
        };
        // SAFETY: calls of one instance do not overlap; the writer lives for the call.
        let code = self.guarded(call, || unsafe { function(self.raw.0.ctx, &raw const writer) });
        if code < 0 { Err(self.failure(call, code)) } else { Ok(written) }
    }

    /// Returns the reason of a failure. After a panic, the plugin no longer works and is disabled here, so that a later
    /// call is not blamed.
    fn failure(&mut self, call: Call, code: Status) -> String {
        let reason = self.reason(code);
        if code == status::PANIC {
            self.stage = Stage::Failed(format!("`{}` failed: {reason}", call.name()));
        }
        reason
    }
}

/// Appends to the bytes behind the writer.
unsafe extern "C" fn append(writer: *const StateWriter, bytes: Bytes) -> Status {
    host_call("state_writer.write", status::PANIC, || {
        // SAFETY: `written` made the writer and waits for the call; nobody else uses the vector meanwhile.
        let written = unsafe { &mut *(*writer).ctx.cast::<Option<Vec<u8>>>() };
        // SAFETY: the plugin vouches for its bytes.
        written.get_or_insert_default().extend_from_slice(unsafe { bytes.as_slice() });
        status::OK
    })
}
