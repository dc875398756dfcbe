//! The client of a rosbridge server: announces what the run has with every connection, sends its topics, and carries out
//! calls of the server's clients. LGSVL's bridge was such a client.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use bridgehead_plugin_api::{Payload, Result};
use bridgehead_websocket::{Bytes, Frame, Link, Protocol};

use crate::codes::{LOST, MALFORMED, REMOTE, UNANSWERED, UNKNOWN};
use crate::connection::Generation;
use crate::encode::encoder::{Encoder, Publication, Shape, object};
use crate::encode::fragment::Fragments;
use crate::encode::json::quoted;
use crate::encode::walk::Form;
use crate::endpoint::{HostService, Incoming, Outgoing};
use crate::fault::Fault;
use crate::lock::lock;
use crate::names::{absolute, type_name};
use crate::request::{Request, Splitter};
use crate::wall_clock::{self, Limiter};

/// What the run offers to one server.
pub(crate) struct Remote {
    generation: Generation,
    limit: usize,
    outgoing: Mutex<Vec<Weak<Outgoing>>>,
    incoming: Mutex<Vec<Weak<Incoming>>>,
    services: Mutex<Vec<Weak<HostService>>>,
    link: Mutex<Option<Link>>,
    input: Mutex<(Splitter, Fragments)>,
    /// Responses of the run, which arrive on any thread.
    responses: Arc<Mutex<VecDeque<Response>>>,
    faults: Limiter,
    losses: Limiter,
}

impl Remote {
    pub(crate) fn new(generation: Generation, limit: usize) -> Self {
        Remote {
            generation,
            limit,
            outgoing: Mutex::default(),
            incoming: Mutex::default(),
            services: Mutex::default(),
            link: Mutex::default(),
            input: Mutex::default(),
            responses: Arc::default(),
            faults: Limiter::default(),
            losses: Limiter::default(),
        }
    }

    pub(crate) fn add_topic(&self, topic: &Arc<Outgoing>) {
        self.add(&self.outgoing, topic, |link| self.advertise(link, topic));
    }

    pub(crate) fn add_incoming(&self, topic: &Arc<Incoming>) {
        self.add(&self.incoming, topic, |link| self.subscribe(link, topic));
    }

    pub(crate) fn add_service(&self, service: &Arc<HostService>) {
        self.add(&self.services, service, |link| self.advertise_service(link, service));
    }

    /// Tells the server that a topic, subscription or service is gone.
    pub(crate) fn withdraw(&self, op: &str, member: &str, name: &str) {
        let (op, name) = (quoted(op), quoted(name));
        self.tell(|link| link.reply(Frame::text(object(&[("op", &op), (member, &name)]))));
    }

    fn tell(&self, tell: impl FnOnce(&Link)) {
        // Locked until the server is told: `opened` holds the lock while it announces the lists.
        if let Some(link) = &*lock(&self.link) {
            tell(link);
        }
    }

    /// Adds to a list that [`Protocol::opened`] announces, and announces it if that has happened already.
    fn add<T>(&self, list: &Mutex<Vec<Weak<T>>>, new: &Arc<T>, announce: impl FnOnce(&Link)) {
        let link = lock(&self.link);
        lock(list).push(Arc::downgrade(new));
        if let Some(link) = &*link {
            announce(link);
        }
    }

    fn kind(&self, full: &str) -> String {
        quoted(&type_name(full, self.generation))
    }

    fn advertise(&self, link: &Link, topic: &Outgoing) {
        let (name, kind) = (quoted(&topic.name), self.kind(&topic.ros_type().to_string()));
        let members = [("op", "\"advertise\""), ("topic", name.as_str()), ("type", kind.as_str())];
        link.reply(Frame::text(object(&members)));
    }

    fn subscribe(&self, link: &Link, topic: &Incoming) {
        let (name, kind) = (quoted(&topic.name), self.kind(&topic.ros_type().to_string()));
        let members = [("op", "\"subscribe\""), ("topic", name.as_str()), ("type", kind.as_str())];
        link.reply(Frame::text(object(&members)));
    }

    fn advertise_service(&self, link: &Link, service: &HostService) {
        let (name, kind) = (quoted(&service.name), self.kind(service.types.ros_type()));
        let members = [("op", "\"advertise_service\""), ("type", kind.as_str()), ("service", name.as_str())];
        link.reply(Frame::text(object(&members)));
    }

    /// Sends a message of the run and returns the number of messages that were dropped for it. `[tx]`
    pub(crate) fn publish(
        &self,
        topic: &Outgoing,
        bytes: &[u8],
        payload: impl FnOnce() -> Payload,
        stamp_ns: i64,
    ) -> u64 {
        let sequence = topic.note(payload, stamp_ns);
        let link = lock(&self.link).clone();
        let Some(link) = link else { return 0 };
        let mut publication =
            Publication::new(&topic.encoder, &topic.name, bytes, stamp_ns, sequence, self.generation);
        match publication.frames(Shape::default()) {
            Ok(frames) => frames.into_iter().map(|frame| link.data(frame)).sum(),
            Err(fault) => {
                topic.log(&fault);
                0
            }
        }
    }

    fn take(&self, link: &Link, text: &str) {
        lock(&self.input).0.add(text);
        loop {
            let object = lock(&self.input).0.next(self.limit);
            let Some(object) = object else { return };
            let done = Request::parse(object).and_then(|request| self.carry_out(link, &request));
            if let Err(fault) = done {
                self.faults.warn(&fault.to_string());
            }
        }
    }

    fn carry_out(&self, link: &Link, request: &Request) -> Result<(), Fault> {
        match request.required("op")?.as_str() {
            "publish" => self.receive(request),
            "call_service" => self.call_service(link, request),
            "fragment" => self.join(link, request),
            "status" => {
                let (level, text) = (request.text("level")?.unwrap_or_default(), request.text("msg")?);
                if level == "error" {
                    return Err(Fault::new(
                        REMOTE,
                        format!("the server reports: {}", text.unwrap_or_default()),
                    ));
                }
                Ok(())
            }
            // Responses to calls and the level of status messages concern clients with calls of their own.
            _ => Ok(()),
        }
    }

    fn receive(&self, request: &Request) -> Result<(), Fault> {
        let topic = absolute(&request.required("topic")?);
        let message = request.json("msg").unwrap_or("{}");
        let incoming: Vec<Arc<Incoming>> = lock(&self.incoming).iter().filter_map(Weak::upgrade).collect();
        let receivers = incoming.iter().filter(|incoming| incoming.name == topic);
        receivers.map(|incoming| incoming.deliver(message, None)).fold(Ok(()), Result::and)
    }

    fn join(&self, link: &Link, request: &Request) -> Result<(), Fault> {
        let malformed = || Fault::new(MALFORMED, "a fragment of the server is malformed");
        let id = request.id().ok_or_else(malformed)?;
        let number = request.number("num")?.ok_or_else(malformed)?;
        let total = request.number("total")?.ok_or_else(malformed)?;
        let data = request.text("data")?.ok_or_else(malformed)?;
        let joined = lock(&self.input).1.add(&id, number, total, data, self.limit, wall_clock::now());
        match joined.map_err(|text| Fault::new(MALFORMED, text))? {
            Some(text) => self.carry_out(link, &Request::parse(text)?),
            None => Ok(()),
        }
    }

    fn call_service(&self, link: &Link, request: &Request) -> Result<(), Fault> {
        let (id, written) = (request.id(), request.required("service")?);
        let reply = Reply { link: link.clone(), id, service: written.clone(), generation: self.generation };
        let name = absolute(&written);
        let services = lock(&self.services);
        let service = services.iter().filter_map(Weak::upgrade).find(|service| service.name == name);
        drop(services);
        let Some(service) = service else {
            reply.fail(&Fault::new(UNKNOWN, format!("there is no service `{name}`")));
            return Ok(());
        };
        let called = service.request.decode(request.json("args").unwrap_or("{}")).and_then(|payload| {
            let (encoder, reply) = (Arc::clone(&service.response), reply.clone());
            let responses = Arc::clone(&self.responses);
            service.call(payload, move |outcome| {
                let link = reply.link.clone();
                lock(&responses).push_back(Response { reply, encoder, outcome });
                link.wake();
            })
        });
        if let Err(fault) = called {
            reply.fail(&fault);
        }
        Ok(())
    }
}

/// A response that waits until it is encoded.
struct Response {
    reply: Reply,
    encoder: Arc<Encoder>,
    outcome: Result<Payload>,
}

/// Where the response of a call goes.
#[derive(Clone)]
struct Reply {
    link: Link,
    id: Option<String>,
    service: String,
    generation: Generation,
}

impl Reply {
    fn send(&self, response: &Encoder, outcome: Result<Payload>) {
        let encoded =
            outcome.map_err(|error| Fault::new(UNANSWERED, error.to_string())).and_then(|payload| {
                let mut json = Vec::new();
                let form = Form { generation: self.generation, sequence: 0 };
                response.json(&payload, form, &mut json)?;
                Ok(String::from_utf8(json).unwrap_or_default())
            });
        match encoded {
            Ok(values) => self.write(&values, "true"),
            Err(fault) => self.fail(&fault),
        }
    }

    fn fail(&self, fault: &Fault) {
        self.write(&quoted(&fault.to_string()), "false");
    }

    fn write(&self, values: &str, result: &str) {
        let (id, service) = (self.id.as_deref().map(quoted), quoted(&self.service));
        let mut members = vec![("op", "\"service_response\"")];
        members.extend(id.as_deref().map(|id| ("id", id)));
        members.extend([("service", service.as_str()), ("values", values), ("result", result)]);
        self.link.reply(Frame::text(object(&members)));
    }
}

impl Protocol for Remote {
    type Client = Link;

    fn opened(&self, link: &Link) -> Link {
        log::info!("connected to the rosbridge server at {}", link.peer());
        *lock(&self.input) = <(Splitter, Fragments)>::default();
        // Locked while the lists are announced: what is added meanwhile is announced after them.
        let mut place = lock(&self.link);
        let outgoing: Vec<Arc<Outgoing>> = lock(&self.outgoing).iter().filter_map(Weak::upgrade).collect();
        let incoming: Vec<Arc<Incoming>> = lock(&self.incoming).iter().filter_map(Weak::upgrade).collect();
        let services: Vec<Arc<HostService>> = lock(&self.services).iter().filter_map(Weak::upgrade).collect();
        outgoing.iter().for_each(|topic| self.advertise(link, topic));
        incoming.iter().for_each(|topic| self.subscribe(link, topic));
        services.iter().for_each(|service| self.advertise_service(link, service));
        // Only now, so that no message precedes the announcement of its topic.
        *place = Some(link.clone());
        drop(place);
        for topic in &outgoing {
            topic.repeat(self.generation, |publication| {
                for frame in publication.frames(Shape::default()).unwrap_or_default() {
                    link.data(frame);
                }
            });
        }
        link.clone()
    }

    fn text(&self, client: &Link, text: &str) {
        self.take(client, text);
    }

    fn binary(&self, client: &Link, bytes: Bytes) {
        if let Ok(text) = std::str::from_utf8(&bytes) {
            self.take(client, text);
        }
    }

    fn poll(&self, _: &Link) -> Option<Duration> {
        let responses = std::mem::take(&mut *lock(&self.responses));
        responses.into_iter().for_each(|response| response.reply.send(&response.encoder, response.outcome));
        None
    }

    fn lost(&self, _: &Link, count: u64) -> Option<Frame> {
        self.losses.warn(&format!("[{LOST}] the server reads too slowly and has lost {count} messages"));
        None
    }

    fn warn(&self, text: &str) {
        log::warn!("[{REMOTE}] {text}");
    }

    fn closed(&self, _: &Link) {
        *lock(&self.link) = None;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::*;
    use crate::endpoint::tests::latched;

    #[test]
    fn what_is_added_while_the_server_connects_is_announced_once() {
        for round in 0..200 {
            let (remote, link) = (Remote::new(Generation::Two, 1 << 16), Link::detached());
            let topics: Vec<_> = (0..200).map(|number| Arc::new(latched(&format!("/t{number}")))).collect();
            let (early, late) = topics.split_at(100);
            early.iter().for_each(|topic| remote.add_topic(topic));
            let both = Barrier::new(2);
            thread::scope(|scope| {
                scope.spawn(|| {
                    both.wait();
                    late.iter().for_each(|topic| remote.add_topic(topic));
                });
                both.wait();
                drop(remote.opened(&link));
            });
            let frames: Vec<String> =
                std::iter::from_fn(|| link.take_frame()).map(|frame| format!("{frame:?}")).collect();
            for topic in &topics {
                let announced = frames.iter().filter(|frame| frame.contains(&format!("{}\\\"", topic.name)));
                assert_eq!(announced.count(), 1, "round {round}, {}", topic.name);
            }
        }
    }
}
