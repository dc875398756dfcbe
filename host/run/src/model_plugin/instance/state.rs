//! The state of an instance as bytes of a snapshot, and the elements it adds to a saved world.
//!
//! A failure of these calls does not disable the instance: the caller reports it, and the run continues. Runs on the
//! simulation thread.

use bridgehead_abi::{Status, status};
use bridgehead_plugin_api::objects::{Collector, ModelRef, WriterRef, model_has};

use super::ModelPlugin;
use super::saved_state::{PluginState, Waiting};
use crate::bus::{Moment, SavedMessage};
use crate::model_plugin::fault::Stage;
use crate::plugin::StateSupport;
use crate::watchdog::Call;

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
        match (&self.stage, self.raw.has() & model_has::save != 0, self.state_support) {
            (Stage::Failed(reason), ..) => Err(format!("it has failed: {reason}")),
            (Stage::Started, true, _) => {
                let written = self.written(Call::Save, |raw, writer| raw.save(writer));
                written.map(|state| Some(state.unwrap_or_default()))
            }
            (Stage::Started, false, StateSupport::Nothing) => Ok(None),
            (Stage::Started, false, StateSupport::Saved | StateSupport::Unsaved) => {
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
            if self.raw.has() & model_has::load == 0 {
                return Err("this version of the plugin has no `load`".to_owned());
            }
            let code = self.guarded(Call::Load, || self.raw.load(bytes));
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
        if !self.raw.has_elements() {
            return Ok(None);
        }
        let elements = |raw: &ModelRef, writer: WriterRef<'_>| raw.elements(writer).unwrap_or(status::OK);
        let text = self.written(Call::SavedElements, elements)?;
        text.map(|text| {
            String::from_utf8(text).map_err(|error| format!("the text is not valid UTF-8: {error}"))
        })
        .transpose()
    }

    /// Returns the bytes that a call writes; `None` if it never calls the writer, which differs from zero bytes.
    fn written(
        &mut self,
        call: Call,
        write: impl FnOnce(&ModelRef, WriterRef<'_>) -> Status,
    ) -> Result<Option<Vec<u8>>, String> {
        let writer = Collector::offer();
        let code = self.guarded(call, || write(&self.raw, writer.lend()));
        if code < 0 {
            return Err(self.failure(call, code));
        }
        writer.into_inner().finish()
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
