//! The keys below one prefix, shared by all instances: one session, which answers questions about the run.
//!
//! | key | answer |
//! |---|---|
//! | that of a topic, or a pattern | the latest message of each topic that it matches |
//! | `PREFIX/@topics` | the topics, in JSON |
//! | `PREFIX/@services` | the services, in JSON |

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::serving::during;
use bridgehead_ros2_node::lock::lock;
use serde_json::Value;
use zenoh::bytes;
use zenoh::liveliness::LivelinessToken;
use zenoh::pubsub::Subscriber;
use zenoh::query::{Query, Queryable};
use zenoh::sample::SampleKind;
use zenoh::{Session, Wait as _};

use crate::codes::SAME_PREFIX;
use crate::network::Network;
use crate::plain::connection::Connection;
use crate::plain::key::Prefix;
use crate::plain::registry::Registry;
use crate::plain::service::{asked, refuse};
use crate::replies::Replies;
use crate::session::{self, not_declared};
use crate::waiting::{MAX_CALLS, Waiting};

/// Other runs that are reported: a flood of tokens must not take memory without limit.
const MAX_REPORTED: usize = 64;

/// The session of a prefix, which exists as long as an instance is connected to it. The order of its parts is that in which
/// they end.
pub(crate) struct Space {
    network: Network,
    pub(crate) prefix: Prefix,
    pub(crate) registry: Arc<Registry>,
    pub(crate) replies: Arc<Replies>,
    #[expect(dead_code, reason = "questions are answered as long as they live")]
    questions: Vec<Queryable<()>>,
    #[expect(dead_code, reason = "other runs see it as long as it lives")]
    token: LivelinessToken,
    #[expect(dead_code, reason = "other runs are reported as long as it lives")]
    others: Subscriber<()>,
    pub(crate) session: Session,
}

static SPACES: Mutex<Vec<Weak<Space>>> = Mutex::new(Vec::new());

impl Space {
    /// Opens a session for a prefix, or returns the open one.
    ///
    /// # Errors
    /// Returns an error if the session cannot be opened.
    pub(crate) fn join(connection: &Connection) -> Result<Arc<Self>> {
        // Held while the session opens, so that instances that connect at the same time share it.
        let mut spaces = lock(&SPACES);
        spaces.retain(|space| space.strong_count() > 0);
        let is_same =
            |space: &Arc<Space>| space.network == connection.network && space.prefix == connection.prefix;
        if let Some(space) = spaces.iter().filter_map(Weak::upgrade).find(is_same) {
            return Ok(space);
        }
        let space = Arc::new(Space::open(connection)?);
        spaces.push(Arc::downgrade(&space));
        Ok(space)
    }

    fn open(connection: &Connection) -> Result<Self> {
        let Connection { network, prefix, .. } = connection.clone();
        let session = session::open(&network)?;
        let (registry, replies) = (Arc::new(Registry::default()), Replies::start()?);
        let questions = vec![
            answer_latest(&session, &prefix, &registry, &replies)?,
            answer_list(&session, &prefix.own("topics"), &registry, Registry::topics)?,
            answer_list(&session, &prefix.own("services"), &registry, Registry::services)?,
        ];
        let (token, others) = expect_alone(&session, &prefix)?;
        Ok(Space { network, prefix, registry, replies, questions, token, others, session })
    }
}

fn answer_latest(
    session: &Session,
    prefix: &Prefix,
    registry: &Arc<Registry>,
    replies: &Arc<Replies>,
) -> Result<Queryable<()>> {
    let (registry, replies, waiting) = (Arc::clone(registry), Arc::clone(replies), Waiting::default());
    let answer = move |query: Query| {
        let counted = waiting.add();
        if waiting.is_exceeded() {
            return refuse(&query, &format!("{MAX_CALLS} questions wait for their answers"));
        }
        let registry = Arc::clone(&registry);
        replies.push(move || {
            reply_latest(&registry, &query);
            drop(counted);
        });
    };
    let key = prefix.all();
    let queryable = session.declare_queryable(key.clone()).callback(answer).wait();
    queryable.map_err(|error| not_declared("`get`", &key, &error))
}

fn reply_latest(registry: &Registry, query: &Query) {
    for (topic, latest) in registry.latest(query.key_expr()) {
        let encoding = asked(query).unwrap_or(latest.encoding);
        match topic.codec().encode(encoding, &latest.payload) {
            // Who has asked may have gone.
            Ok(message) => {
                drop(query.reply(latest.key, message).encoding(topic.codec().label(encoding)).wait());
            }
            Err(error) => refuse(query, &format!("the latest message on {}: {error}", latest.key)),
        }
    }
}

fn answer_list(
    session: &Session,
    key: &str,
    registry: &Arc<Registry>,
    list: fn(&Registry) -> Value,
) -> Result<Queryable<()>> {
    let (registry, own) = (Arc::clone(registry), key.to_owned());
    let answer = move |query: Query| {
        during("a question", None, || {
            let reply = query.reply(own.clone(), list(&registry).to_string());
            // Who has asked may have gone.
            drop(reply.encoding(bytes::Encoding::APPLICATION_JSON).wait());
        });
    };
    let queryable = session.declare_queryable(key.to_owned()).complete(true).callback(answer).wait();
    queryable.map_err(|error| not_declared("a list", key, &error))
}

/// Makes the run known to others with the same prefix, and reports those.
fn expect_alone(session: &Session, prefix: &Prefix) -> Result<(LivelinessToken, Subscriber<()>)> {
    let zid = session.zid().to_string();
    let token = prefix.own(&format!("runs/{zid}"));
    let declared = session.liveliness().declare_token(&token).wait();
    let declared = declared.map_err(|error| not_declared("the run", &token, &error))?;
    let (key, named, reported) =
        (prefix.own("runs/*"), prefix.as_str().to_owned(), Mutex::new(BTreeSet::from([zid])));
    let report = move |sample: zenoh::sample::Sample| {
        let other = sample.key_expr().chunks().next_back().map(ToString::to_string).unwrap_or_default();
        let mut reported = lock(&reported);
        if sample.kind() == SampleKind::Put
            && reported.len() <= MAX_REPORTED
            && reported.insert(other.clone())
        {
            log::warn!(
                "[{SAME_PREFIX}] another run, in the session {other} of Zenoh, has the prefix `{named}` too, so that messages and \
                 answers of both come at the same keys; give one of them another `prefix=`"
            );
        }
    };
    let others = session.liveliness().declare_subscriber(&key).history(true).callback(report).wait();
    let others = others.map_err(|error| not_declared("other runs", &key, &error))?;
    Ok((declared, others))
}
