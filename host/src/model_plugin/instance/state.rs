//! What an instance remembers, as bytes of a snapshot, and what it adds to a saved world.
//!
//! None of these calls ends an instance that fails in it: whoever takes the snapshot or saves the world is told, and the
//! run goes on.

use std::ffi::c_void;

use bridgehead_abi::extension::WORLD_SAVE;
use bridgehead_abi::model::{StateWriter, WorldSave};
use bridgehead_abi::{Bytes, Status, Str, status};
use serde::{Deserialize, Serialize};

use super::{ModelPlugin, Stage};
use crate::bus::{Kept, Moment};
use crate::guard::host_call;
use crate::plugin::Remembers;
use crate::watchdog::Call;

/// A function that writes.
type Writes = unsafe extern "C" fn(*mut c_void, *const StateWriter) -> Status;

/// One instance in a snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PluginState {
    /// Name of the instance.
    pub label: String,
    /// Name of its plugin.
    pub plugin: String,
    /// What it wrote; `None` where it remembers nothing, or cannot give it away.
    state: Option<Vec<u8>>,
    /// Messages it has not taken yet, by subscription.
    waiting: Vec<Waiting>,
}

/// What waits on one subscription.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Waiting {
    topic: String,
    type_name: String,
    messages: Vec<Kept>,
}

impl ModelPlugin {
    /// Everything about the instance that a restored run needs. A problem is told beside it, and its state is then
    /// missing.
    pub(in crate::model_plugin) fn save(&mut self) -> (PluginState, Option<String>) {
        let (state, problem) = match self.state() {
            Ok(state) => (state, None),
            Err(reason) => (None, Some(reason)),
        };
        let waiting = self.context.subscriptions_from(0).into_iter().map(|subscription| Waiting {
            topic: subscription.topic.name.clone(),
            type_name: subscription.topic.data_type.full_name().to_owned(),
            messages: subscription.waiting(Kept::of),
        });
        let waiting = waiting.filter(|waiting| !waiting.messages.is_empty()).collect();
        let (label, plugin) = (self.label.clone(), self.plugin.clone());
        (PluginState { label, plugin, state, waiting }, problem)
    }

    /// What the plugin itself writes; `None` where it remembers nothing.
    fn state(&self) -> Result<Option<Vec<u8>>, String> {
        match (&self.stage, self.raw.0.save, self.remembers) {
            (Stage::Failed(reason), ..) => Err(format!("it has failed: {reason}")),
            (Stage::Started, Some(save), _) => {
                self.written(Call::Save, save).map(|state| Some(state.unwrap_or_default()))
            }
            (Stage::Started, None, Remembers::Nothing) => Ok(None),
            (Stage::Started, None, Remembers::Saved | Remembers::Unsaved) => {
                Err("it has no `save`, and does not say that it remembers nothing".to_owned())
            }
            (Stage::Created | Stage::Starting | Stage::Pending | Stage::Stopped, ..) => {
                Err("it has not started".to_owned())
            }
        }
    }

    /// Takes back what [`ModelPlugin::save`] gave, right after a reset; where this fails another one has to follow.
    pub(in crate::model_plugin) fn load(&mut self, saved: &PluginState, now: Moment) -> Result<(), String> {
        if let Some(bytes) = &saved.state {
            let load = self.raw.0.load.ok_or("this version of the plugin has no `load`")?;
            // SAFETY: calls of one instance do not overlap; the bytes live for the call.
            let code = self.guarded(Call::Load, || unsafe { load(self.raw.0.ctx, Bytes::new(bytes)) });
            if code < 0 {
                return Err(self.reason(code));
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

    /// The elements it has for a saved world; `None` where it leaves the file as it is.
    pub(in crate::model_plugin) fn saved_elements(&mut self) -> Result<Option<String>, String> {
        if self.stage != Stage::Started {
            return Ok(None);
        }
        // SAFETY: may be called from any thread; the text lives for the call.
        let extension = unsafe { (self.raw.0.get_extension)(self.raw.0.ctx, Str::new(WORLD_SAVE)) };
        // SAFETY: the id is documented with this struct, which lives as long as the instance.
        let extension = unsafe { extension.cast::<WorldSave>().as_ref() };
        let Some(extension) = extension.filter(|extension| extension.struct_size >= WorldSave::SIZE) else {
            return Ok(None);
        };
        let text = self.written(Call::SavedElements, extension.elements)?;
        text.map(|text| String::from_utf8(text).map_err(|error| format!("it is no UTF-8: {error}")))
            .transpose()
    }

    /// What a call writes; `None` where it writes nothing, which is not the same as no bytes.
    fn written(&self, call: Call, function: Writes) -> Result<Option<Vec<u8>>, String> {
        let mut written: Option<Vec<u8>> = None;
        let writer = StateWriter {
            struct_size: StateWriter::SIZE,
            reserved: 0,
            ctx: (&raw mut written).cast(),
            write: append,
        };
        // SAFETY: calls of one instance do not overlap; the writer lives for the call.
        let code = self.guarded(call, || unsafe { function(self.raw.0.ctx, &raw const writer) });
        if code < 0 { Err(self.reason(code)) } else { Ok(written) }
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
