//! A service that is offered.
//!
//! Requests arrive on a thread of Zenoh; [`Replies`] sends the responses.

use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::messages::CDR_ENCAPSULATION;
use bridgehead_plugin_api::serving::during;
use bridgehead_plugin_api::{Payload, Result};
use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::qos::Qos;
use bridgehead_ros2_node::service::callee::{Answer, Callee};
use bridgehead_ros2_node::service::codec::Codec;
use bridgehead_ros2_node::service::codes::{REPLY, REQUEST};
use bridgehead_ros2_node::service::responder::Responder;
use bridgehead_ros2_node::wall_clock::unix_nanos;
use zenoh::Wait as _;
use zenoh::query::{Query, Queryable};

use crate::replies::Replies;
use crate::ros2::graph::Sole;
use crate::ros2::shared_node::{Known, SharedNode};
use crate::ros2::wire::attachment::Attachment;
use crate::ros2::wire::key::{TypePart, key};
use crate::ros2::wire::token::Kind;
use crate::ros2::wire::{payload, qos};
use crate::session::not_declared;
use crate::waiting::{Counted, MAX_CALLS, Waiting};

/// A service that is offered. The order of its parts is that in which it ends.
pub(crate) struct Server {
    #[expect(dead_code, reason = "withdraws the endpoint when it is dropped")]
    known: Known,
    #[expect(dead_code, reason = "watched as long as it is offered")]
    sole: Sole,
    /// `None` once the service is withdrawn.
    callee: Arc<Mutex<Option<Box<dyn Callee>>>>,
    #[expect(dead_code, reason = "requests arrive as long as it lives")]
    queryable: Queryable<()>,
    #[expect(dead_code, reason = "the name is taken as long as it lives")]
    name: Arc<()>,
    #[expect(dead_code, reason = "the session outlasts the endpoint")]
    node: Arc<SharedNode>,
}

impl Server {
    /// # Errors
    /// Returns an error if the name is taken, or Zenoh does not declare the service.
    pub(crate) fn declare(
        node: &Arc<SharedNode>,
        replies: &Arc<Replies>,
        name: &str,
        part: &TypePart,
        codec: Codec,
        callee: Box<dyn Callee>,
    ) -> Result<Self> {
        let holder = node.take_name(name)?;
        let key = key(node.domain(), name, part);
        let callee = Arc::new(Mutex::new(Some(callee)));
        let requests = Requests {
            responder: Arc::new(Responder::new(name, codec)),
            callee: Arc::clone(&callee),
            replies: Arc::clone(replies),
            waiting: Waiting::default(),
        };
        let serve = move |query: Query| during("a request", None, || requests.serve(query));
        let queryable = node.session.declare_queryable(key.clone()).complete(true).callback(serve).wait();
        let queryable = queryable.map_err(|error| not_declared(name, &key, &error))?;
        let known = node.make_known(Kind::Server, name, part, &qos::text(Qos::DEFAULT))?;
        let sole = node.graph.expect_alone(Kind::Server, name, format!("offers the service {name}"));
        Ok(Server { known, sole, callee, queryable, name: holder, node: Arc::clone(node) })
    }
}

impl Drop for Server {
    /// Waits for a call in progress.
    fn drop(&mut self) {
        drop(lock(&self.callee).take());
    }
}

/// What serves requests.
struct Requests {
    responder: Arc<Responder>,
    callee: Arc<Mutex<Option<Box<dyn Callee>>>>,
    replies: Arc<Replies>,
    waiting: Waiting,
}

impl Requests {
    fn serve(&self, query: Query) {
        let attachment = query.attachment().map(|attachment| attachment.to_bytes());
        let attachment = match Attachment::decode(attachment.as_deref()) {
            Ok(attachment) => attachment,
            // Without it a client of ROS knows no request to which a reply belongs.
            Err(fault) => return self.log(&fault),
        };
        let payload = query.payload().map(|payload| payload.to_bytes()).unwrap_or_default();
        let read = payload::body(&payload).map_err(|error| error.to_string());
        let read = read.and_then(|body| self.responder.decode(body).map_err(|error| error.to_string()));
        let counted = self.waiting.add();
        let call = Call { responder: Arc::clone(&self.responder), query, request: attachment, counted };
        match read {
            Ok(_) if self.waiting.is_exceeded() => {
                let why = format!("{MAX_CALLS} calls of the service wait for their answers, and no more may");
                self.responder.log(REQUEST, &format!("a request is refused: {why}"));
                self.refuse(call, &why);
            }
            Ok(request) => self.call(call, &Payload::from_vec(request)),
            Err(problem) => {
                let problem = format!("it is not a request of {}: {problem}", self.responder.ros_type());
                self.log(&problem);
                self.refuse(call, &problem);
            }
        }
    }

    /// Answers with a response that reports a failure, if the type of the response can.
    fn refuse(&self, call: Call, why: &str) {
        if let Some(response) = self.responder.failure_response(why) {
            self.replies.push(|| call.reply(Ok(response)));
        }
    }

    fn call(&self, call: Call, request: &Payload) {
        // Held by whoever answers: the callee, or this function if it does not accept the call.
        let call = Arc::new(Mutex::new(Some(call)));
        let answer: Answer = {
            let (call, replies) = (Arc::clone(&call), Arc::clone(&self.replies));
            Box::new(move |outcome| {
                if let Some(call) = lock(&call).take() {
                    replies.push(|| call.reply(outcome));
                }
            })
        };
        let called = match lock(&self.callee).as_ref() {
            Some(callee) => callee.call(request, answer),
            None => Err(bridgehead_ros2_node::service::callee::withdrawn()),
        };
        if let Err(error) = called
            && let Some(call) = lock(&call).take()
        {
            self.replies.push(|| call.reply(Err(error)));
        }
    }

    fn log(&self, problem: &dyn std::fmt::Display) {
        self.responder.log(REQUEST, &format!("a request is malformed: {problem}"));
    }
}

/// A request that is to be answered.
struct Call {
    responder: Arc<Responder>,
    query: Query,
    request: Attachment,
    #[expect(dead_code, reason = "counted until it is answered")]
    counted: Counted,
}

impl Call {
    fn reply(self, outcome: Result<Payload>) {
        let Some(cdr) = self.responder.encode(&CDR_ENCAPSULATION, outcome) else { return };
        let attachment = Attachment { time_ns: unix_nanos(), ..self.request };
        let key = self.query.key_expr().clone();
        if let Err(error) = self.query.reply(key, cdr).attachment(attachment.encode()).wait() {
            self.responder.log(REPLY, &format!("a reply is lost: {error}"));
        }
    }
}
