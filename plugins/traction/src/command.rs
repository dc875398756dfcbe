//! What tracks and their vehicle have in common: numbers that a peer commands, checked and warned about once, and topics.

use bridgehead_plugin_api::drive::check_targets;
use bridgehead_plugin_api::host::{Params, Subscription};
use bridgehead_plugin_api::messages::std_msgs::Float64;

/// The topic of a track that has no other one: below `<link_topics>`, which Gazebo's names of topics set.
pub(crate) fn topic(params: Params, link: &str, word: &str) -> String {
    let prefix = params.text("link_topics").unwrap_or_else(|| "link".to_owned());
    format!("{prefix}/{}/{word}", link.replace("::", "/"))
}

/// The numbers of a topic.
pub(crate) struct Numbers {
    name: &'static str,
    topic: Subscription<Float64>,
    has_warned: bool,
}

impl Numbers {
    pub(crate) fn new(name: &'static str, topic: Subscription<Float64>) -> Self {
        Numbers { name, topic, has_warned: false }
    }

    /// The newest number, if there is one within reach.
    pub(crate) fn take(&mut self) -> Option<f64> {
        let value = self.topic.take_latest()?.message.data;
        match check_targets(self.name, &[value]) {
            Ok(()) => Some(value),
            Err(error) => {
                if !std::mem::replace(&mut self.has_warned, true) {
                    log::warn!(
                        "ignored a command of {value:e}: {error}; further ones are ignored without a warning"
                    );
                }
                None
            }
        }
    }
}
