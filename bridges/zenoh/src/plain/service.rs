//! A service of the run: a `get` at its key with a request is answered with the response.

use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::bridge::{Channel, ServiceSink};
use bridgehead_plugin_api::serving::during;
use bridgehead_plugin_api::{Error, Payload, Result};
use bridgehead_ros2_node::lock::lock;
use zenoh::Wait as _;
use zenoh::bytes;
use zenoh::query::{Query, Queryable};

use crate::codes::REFUSED;
use crate::plain::codec::{Codec, Encoding};
use crate::plain::key::Prefix;
use crate::replies::Replies;
use crate::session::not_declared;
use crate::waiting::{Counted, MAX_CALLS, Waiting};

/// A service, which outlasts connections.
pub(crate) struct Service {
    called: Arc<Called>,
    open: Mutex<Option<(String, Queryable<()>)>>,
}

/// What takes its calls, on a thread of Zenoh.
struct Called {
    name: String,
    request: Codec,
    response: Arc<Codec>,
    /// `None` once the host has withdrawn the service.
    sink: Mutex<Option<ServiceSink>>,
    waiting: Waiting,
}

impl Service {
    /// # Errors
    /// Returns an error if ROS cannot express its types.
    pub(crate) fn new(channel: &Channel<'_>, sink: ServiceSink) -> Result<Self> {
        let called = Called {
            name: channel.topic().to_owned(),
            request: Codec::of(channel.data_type())?,
            response: Arc::new(Codec::of(channel.response_type())?),
            sink: Mutex::new(Some(sink)),
            waiting: Waiting::default(),
        };
        Ok(Service { called: Arc::new(called), open: Mutex::default() })
    }

    /// Declares its queryable.
    ///
    /// # Errors
    /// Returns an error if Zenoh cannot express its name, or does not declare it.
    pub(crate) fn open(
        &self,
        session: &zenoh::Session,
        prefix: &Prefix,
        encoding: Encoding,
        replies: &Arc<Replies>,
    ) -> Result {
        let (called, replies) = (Arc::clone(&self.called), Arc::clone(replies));
        let key = prefix.topic_key(&called.name)?;
        // A service is called by its name only: whoever asks for everything must not call everything.
        let serve = move |query: Query| {
            if !query.key_expr().is_wild() {
                during("a call", None, || called.serve(query, encoding, &replies));
            }
        };
        let queryable = session.declare_queryable(key.clone()).complete(true).callback(serve).wait();
        let queryable = queryable.map_err(|error| not_declared(&self.called.name, &key, &error))?;
        *lock(&self.open) = Some((key, queryable));
        Ok(())
    }

    pub(crate) fn close(&self) {
        drop(lock(&self.open).take());
    }

    /// Takes no further calls. Waits for one that is being made.
    pub(crate) fn end(&self) {
        self.close();
        *lock(&self.called.sink) = None;
    }

    /// Returns its key, if the bridge is connected.
    pub(crate) fn key(&self) -> Option<String> {
        lock(&self.open).as_ref().map(|(key, _)| key.clone())
    }

    /// Returns the ROS types of its requests and responses.
    pub(crate) fn types(&self) -> [&str; 2] {
        [self.called.request.ros_name(), self.called.response.ros_name()]
    }
}

impl Called {
    fn serve(&self, query: Query, default: Encoding, replies: &Arc<Replies>) {
        let read = match query.payload() {
            Some(sent) => {
                let label = query.encoding().cloned().unwrap_or_default();
                self.request.decode(&label, sent, default)
            }
            // A request with all defaults.
            None => Ok((Vec::new(), default)),
        };
        let counted = self.waiting.add();
        match read {
            Err(error) => refuse(&query, &format!("the request is refused: {error}")),
            Ok(_) if self.waiting.is_exceeded() => {
                refuse(&query, &format!("{MAX_CALLS} calls of the service wait for their answers"));
            }
            Ok((request, encoding)) => {
                let encoding = asked(&query).unwrap_or(encoding);
                let call = Call { query, encoding, response: Arc::clone(&self.response), counted };
                self.call(call, &Payload::from_vec(request), replies);
            }
        }
    }

    fn call(&self, call: Call, request: &Payload, replies: &Arc<Replies>) {
        // Held by whoever answers: the host, or this function if the host does not accept the call.
        let call = Arc::new(Mutex::new(Some(call)));
        let answered = {
            let (call, replies) = (Arc::clone(&call), Arc::clone(replies));
            move |outcome| {
                if let Some(call) = lock(&call).take() {
                    replies.push(|| call.reply(outcome));
                }
            }
        };
        let accepted = match lock(&self.sink).as_ref() {
            Some(sink) => sink.call(request, answered),
            None => Err(Error::invalid("the service was withdrawn")),
        };
        if let Err(error) = accepted
            && let Some(call) = lock(&call).take()
        {
            call.reply(Err(error));
        }
    }
}

/// A call that is to be answered.
struct Call {
    query: Query,
    encoding: Encoding,
    response: Arc<Codec>,
    #[expect(dead_code, reason = "counted until it is answered")]
    counted: Counted,
}

impl Call {
    fn reply(self, outcome: Result<Payload>) {
        let encoded = outcome.and_then(|response| self.response.encode(self.encoding, &response));
        match encoded {
            Ok(response) => {
                let key = self.query.key_expr().clone();
                // A caller that has gone needs no answer.
                drop(self.query.reply(key, response).encoding(self.response.label(self.encoding)).wait());
            }
            Err(error) => refuse(&self.query, &error.to_string()),
        }
    }
}

/// Returns the encoding that a query asks for: `KEY?encoding=cdr`.
pub(crate) fn asked(query: &Query) -> Option<Encoding> {
    query.parameters().get("encoding").and_then(Encoding::parse)
}

/// Answers with an error, as text.
pub(crate) fn refuse(query: &Query, why: &str) {
    let text = if why.starts_with("[BH-") { why.to_owned() } else { format!("[{REFUSED}] {why}") };
    // A caller that has gone needs no answer.
    drop(query.reply_err(text).encoding(bytes::Encoding::TEXT_PLAIN).wait());
}
