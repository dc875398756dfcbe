//! The way of an answer back to its caller.

use std::sync::Weak;

/// Who has called, as its request says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    /// Where it takes answers.
    pub(crate) address: String,
    /// Identity of that socket.
    pub(crate) socket: Vec<u8>,
    pub(crate) node: Vec<u8>,
    pub(crate) request: Vec<u8>,
}

/// An answer on its way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) caller: Caller,
    /// Fully qualified.
    pub(super) service: String,
    pub(super) response: Vec<u8>,
    pub(super) is_success: bool,
}

impl Reply {
    /// Returns the six frames.
    pub(super) fn frames(&self) -> [&[u8]; 6] {
        let Caller { socket, node, request, .. } = &self.caller;
        let result: &[u8] = if self.is_success { b"1" } else { b"0" };
        [socket, self.service.as_bytes(), node, request, &self.response, result]
    }
}

/// Sends answers out.
pub(super) trait TakesReplies: Send + Sync {
    fn take_reply(&self, reply: Reply);
}

/// Answers one request, on any thread. A request whose answer is dropped has failed.
pub(crate) struct Answer {
    way_out: Weak<dyn TakesReplies>,
    reply: Option<Reply>,
}

impl Answer {
    pub(super) fn new(way_out: Weak<dyn TakesReplies>, caller: Caller, service: &str) -> Self {
        let reply = Reply { caller, service: service.to_owned(), response: Vec::new(), is_success: false };
        Answer { way_out, reply: Some(reply) }
    }

    /// Sends the response.
    pub(crate) fn send(mut self, response: Vec<u8>) {
        if let Some(reply) = &mut self.reply {
            reply.response = response;
            reply.is_success = true;
        }
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        if let (Some(way_out), Some(reply)) = (self.way_out.upgrade(), self.reply.take()) {
            way_out.take_reply(reply);
        }
    }
}
