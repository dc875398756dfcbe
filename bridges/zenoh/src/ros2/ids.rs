//! The numbers of endpoints, which are a part of their tokens.
//!
//! Zenoh keeps some 4 KB of each token that a session has ever declared, and so do all sessions that have seen it. So an
//! endpoint that comes back, with its vehicle for example, gets the number that it had. Then it also has the identity that
//! it had, by which subscribers count lost messages, and goes on counting.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use bridgehead_ros2_node::lock::lock;

/// The numbers of one node.
#[derive(Default)]
pub(crate) struct Ids(Mutex<State>);

#[derive(Default)]
struct State {
    /// The last number; that of the node itself is 0.
    last: u32,
    /// Numbers of endpoints that are gone, with their last messages, by what their tokens say beside the number.
    free: HashMap<String, Vec<(u32, i64)>>,
}

/// The number of an endpoint, until this is dropped.
pub(crate) struct Id {
    ids: Arc<Ids>,
    description: String,
    pub(crate) number: u32,
    /// The number of the last message of the endpoint; 0 before the first.
    pub(crate) last_message: Mutex<i64>,
}

impl Ids {
    /// Returns a number that no other endpoint has. `description` is what the token says beside it.
    pub(crate) fn take(self: &Arc<Self>, description: String) -> Id {
        let mut state = lock(&self.0);
        let known = state.free.get_mut(&description).and_then(Vec::pop);
        let (number, last_message) = known.unwrap_or_else(|| {
            state.last += 1;
            (state.last, 0)
        });
        drop(state);
        Id { ids: Arc::clone(self), description, number, last_message: Mutex::new(last_message) }
    }
}

impl Drop for Id {
    fn drop(&mut self) {
        let (description, last) = (std::mem::take(&mut self.description), *lock(&self.last_message));
        lock(&self.ids.0).free.entry(description).or_default().push((self.number, last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_that_comes_back_has_its_number_and_goes_on_counting() {
        let ids = Arc::new(Ids::default());
        let take = |description: &str| ids.take(description.to_owned());
        let (scan, odom, other_scan) = (take("scan"), take("odom"), take("scan"));
        assert_eq!([&scan, &odom, &other_scan].map(|id| id.number), [1, 2, 3]);
        *lock(&scan.last_message) = 7;
        drop(scan);
        assert_eq!(take("imu").number, 4, "the number of another endpoint is not taken");
        let scan = take("scan");
        assert_eq!((scan.number, *lock(&scan.last_message)), (1, 7));
        assert_eq!(take("scan").number, 5);
    }
}
