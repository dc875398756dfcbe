//! Payloads in memory of plugins, on their way to readers.

use std::sync::Arc;

use bridgehead_plugin_api::Payload;

use super::{Delivery, TopicEntry};
use crate::BufferPool;
use bridgehead_runtime::call;

/// The pools for the payloads of one topic that are in memory of plugins, by publisher: usually there is one.
#[derive(Debug, Default)]
pub(super) struct Kept(Vec<(String, Arc<BufferPool>)>);

impl Kept {
    /// Returns a payload with the same bytes that readers cannot change or release too often ([`BufferPool::keep`]).
    pub(super) fn keep(&mut self, publisher: &str, topic: &str, payload: Payload) -> Payload {
        if BufferPool::is_kept(&payload) {
            return payload;
        }
        if let Some((_, pool)) = self.0.iter().find(|(owner, _)| owner == publisher) {
            return pool.keep(payload);
        }
        let pool = Arc::new(BufferPool::new(publisher, topic));
        let kept = pool.keep(payload);
        self.0.push((publisher.to_owned(), pool));
        kept
    }
}

impl TopicEntry {
    /// Has a payload kept for its readers.
    pub(super) fn keep_for_readers(&mut self, publisher: &str, payload: Payload) -> Payload {
        if !call::IS_GUARDED {
            return payload;
        }
        self.kept.keep(publisher, &self.topic.name, payload)
    }

    /// Counts a message without an address as dropped, and reports the plugin that has published it.
    #[cold]
    pub(super) fn refuse(&mut self, publisher: &str, delivery: &Delivery) {
        self.refused += 1;
        let bytes = delivery.payload.stated_len();
        let text =
            format!("published {bytes} bytes at address 0 on `{}`, which were dropped", self.topic.name);
        call::breach_of(call::Rule::Size, publisher, &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn publishers_that_take_turns_keep_their_pools() {
        let mut pools = Kept::default();
        let mut address = |publisher: &str| {
            let kept = pools.keep(publisher, "/tf", Payload::from_vec(vec![1; 10]));
            assert!(BufferPool::is_kept(&kept) && *kept == [1; 10]);
            kept.as_raw()
        };
        let first = [address("car1/odometry"), address("car1/pose")];
        assert_eq!([address("car1/odometry"), address("car1/pose")], first, "the buffers are used again");
    }
}
