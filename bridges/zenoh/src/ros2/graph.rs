//! The endpoints of other nodes, as far as this node looks at them: two runs in one domain answer every call twice, and the
//! time of their nodes jumps.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::Result;
use bridgehead_ros2_node::lock::lock;
use zenoh::pubsub::Subscriber;
use zenoh::sample::SampleKind;
use zenoh::{Session, Wait as _};

use crate::codes::NOT_ALONE;
use crate::ros2::wire::token::{self, Endpoint, Kind};
use crate::session::not_declared;

/// Endpoints of other nodes that are remembered: a flood of tokens must not take memory without limit.
const MAX_ENDPOINTS: usize = 16_384;

/// What is known of other nodes.
pub(crate) struct Graph {
    state: Arc<Mutex<State>>,
    #[expect(dead_code, reason = "tokens arrive as long as it lives")]
    tokens: Subscriber<()>,
}

#[derive(Default)]
struct State {
    domain: u16,
    /// The own session.
    own: String,
    /// The publishers and servers of others, by their tokens.
    endpoints: BTreeMap<String, Endpoint>,
    /// What only one node should do: the kind and the name of the endpoint, and what it does.
    sole: Vec<(Weak<()>, Kind, String, String)>,
    /// Sessions that were reported.
    reported: BTreeSet<String>,
}

/// Something that only one node of a domain should do; watched until it is dropped.
pub(crate) struct Sole(#[expect(dead_code, reason = "held by the endpoint")] Arc<()>);

impl Graph {
    /// Watches the nodes of a domain.
    ///
    /// # Errors
    /// Returns an error if Zenoh does not declare the subscription.
    pub(crate) fn watch(session: &Session, domain: u16, own: String) -> Result<Arc<Self>> {
        let state = Arc::new(Mutex::new(State { domain, own, ..State::default() }));
        let (key, seen) = (token::all(domain), Arc::clone(&state));
        let tokens = session.liveliness().declare_subscriber(&key).history(true).callback(move |sample| {
            let token = sample.key_expr().as_str();
            let warning = match sample.kind() {
                SampleKind::Put => lock(&seen).add(token),
                SampleKind::Delete => lock(&seen).remove(token),
            };
            if let Some(warning) = warning {
                log::warn!("{warning}");
            }
        });
        let tokens = tokens.wait().map_err(|error| not_declared("the graph", &key, &error))?;
        Ok(Arc::new(Graph { state, tokens }))
    }

    /// Logs a warning if another node has such an endpoint too, now or later. `what` says what the endpoint does:
    /// `publishes /clock`.
    pub(crate) fn expect_alone(&self, kind: Kind, name: &str, what: String) -> Sole {
        let holder = Arc::new(());
        let warning = lock(&self.state).expect_alone(Arc::downgrade(&holder), kind, name, what);
        if let Some(warning) = warning {
            log::warn!("{warning}");
        }
        Sole(holder)
    }
}

impl State {
    fn add(&mut self, token: &str) -> Option<String> {
        let endpoint = Endpoint::read(token).filter(|endpoint| {
            endpoint.session != self.own && matches!(endpoint.kind, Kind::Publisher | Kind::Server)
        })?;
        let warning = self.warning(&endpoint);
        if self.endpoints.len() < MAX_ENDPOINTS {
            self.endpoints.insert(token.to_owned(), endpoint);
        }
        warning
    }

    fn remove(&mut self, token: &str) -> Option<String> {
        self.endpoints.remove(token);
        None
    }

    fn expect_alone(&mut self, holder: Weak<()>, kind: Kind, name: &str, what: String) -> Option<String> {
        self.sole.retain(|(holder, ..)| holder.strong_count() > 0);
        self.sole.push((holder, kind, name.to_owned(), what));
        let others: Vec<Endpoint> = self.endpoints.values().cloned().collect();
        others.iter().find_map(|other| self.warning(other))
    }

    /// Returns a warning if another node does what only one should do; one for each session.
    fn warning(&mut self, other: &Endpoint) -> Option<String> {
        let does = |(holder, kind, name, _): &&(Weak<()>, Kind, String, String)| {
            holder.strong_count() > 0 && *kind == other.kind && *name == other.name
        };
        let (.., what) = self.sole.iter().find(does)?;
        let text = format!(
            "[{NOT_ALONE}] another node of domain {}, in the session {} of Zenoh, {what} too, as a second run does; give one of \
             them another `domain=`, or attach the bridge once",
            self.domain, other.session
        );
        let is_new = self.reported.len() < MAX_ENDPOINTS && self.reported.insert(other.session.clone());
        is_new.then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(session: &str, kind: &str, name: &str) -> String {
        format!("@ros2_lv/0/{session}/0/7/{kind}/%/%/node/%{name}/a::msg::dds_::B_/RIHS01_0/::,10:,:,:,,")
    }

    fn state() -> State {
        State { own: "me".to_owned(), ..State::default() }
    }

    #[test]
    fn another_publisher_of_the_clock_is_reported_once_whoever_was_first() {
        let holder = Arc::new(());
        for is_first in [true, false] {
            let mut state = state();
            let mut warnings = Vec::new();
            let expect = |state: &mut State| {
                state.expect_alone(
                    Arc::downgrade(&holder),
                    Kind::Publisher,
                    "/clock",
                    "publishes /clock".into(),
                )
            };
            if is_first {
                warnings.push(expect(&mut state));
            }
            for (session, kind, name) in
                [("me", "MP", "clock"), ("you", "MS", "clock"), ("you", "MP", "scan"), ("you", "MP", "clock")]
            {
                warnings.push(state.add(&token(session, kind, name)));
            }
            if !is_first {
                warnings.push(expect(&mut state));
            }
            warnings.push(state.add(&token("you", "MP", "clock")));
            let warnings: Vec<String> = warnings.into_iter().flatten().collect();
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            for part in [NOT_ALONE, "publishes /clock too", "session you"] {
                assert!(warnings[0].contains(part), "{warnings:?}");
            }
        }
    }

    #[test]
    fn what_has_ended_is_no_reason_for_a_report() {
        let (mut state, holder) = (state(), Arc::new(()));
        state.add(&token("you", "SS", "load_world"));
        state.remove(&token("you", "SS", "load_world"));
        let weak = Arc::downgrade(&holder);
        assert_eq!(state.expect_alone(weak, Kind::Server, "/load_world", "offers it".into()), None);
        drop(holder);
        assert_eq!(state.add(&token("you", "SS", "load_world")), None);
    }

    #[test]
    fn tokens_that_are_none_are_ignored_and_a_flood_is_limited() {
        let mut state = state();
        for text in ["", "@ros2_lv/0/a/0", "@ros2_lv/0/you/0/0/NN/%/%/node"] {
            assert_eq!(state.add(text), None);
        }
        assert!(state.endpoints.is_empty());
        for number in 0..MAX_ENDPOINTS + 10 {
            state.add(&token(&number.to_string(), "MP", "scan"));
        }
        assert_eq!(state.endpoints.len(), MAX_ENDPOINTS);
    }
}
