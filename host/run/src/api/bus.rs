//! `bridgehead.bus/1`: topics of a model plugin.

use std::ffi::c_void;
use std::sync::Arc;

use bridgehead_abi::host::Loan;
use bridgehead_abi::message::{ENCODING_PROTOBUF, Message};
use bridgehead_abi::{Status, Str, status};
use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::hosting::{At, BusHost, PublisherHandle, SubscriptionHandle};
use bridgehead_plugin_api::objects::BorrowedPayload;
use bridgehead_plugin_api::{Payload, rules};

use super::budget::may_open;
use super::check::{breach, check_size, wrong_thread};
use super::context::Context;
use super::handle::Handle;
use crate::bus::{LoanedBuffer, Publisher, Role, Subscription, Topic, lent};
use crate::call::Rule;

impl Context {
    /// Opens a topic; on failure the reason is explained and the status given.
    fn open(&self, topic: &str, type_name: &str, qos: Qos, role: Role) -> Result<Arc<Topic>, Status> {
        may_open(self)?;
        let Some(data_type) = self.shared.types.find(type_name) else {
            self.explain(rules::type_unregistered(type_name, topic));
            return Err(status::NOT_FOUND);
        };
        let vehicle = &self.attachment.vehicle;
        let topic = self.attachment.public_name(topic);
        let shared = &self.shared;
        let open = || shared.bus.open(vehicle, &topic, &data_type, qos, role, &self.label);
        shared.description.open(&self.opened, role, open).map_err(|error| {
            self.refuse(error.to_string());
            status::INVALID_ARG
        })
    }
}

impl BusHost for Context {
    type Publisher = Handle<Publisher>;
    type Subscription = Handle<Subscription>;

    fn advertise(&self, topic: &str, type_name: &str, qos: Qos) -> Result<*mut c_void, Status> {
        let topic = self.open(topic, type_name, qos, Role::Publisher)?;
        Ok(self.keep_publisher(Arc::new(Publisher::new(topic, Arc::clone(&self.outbox)))))
    }

    fn subscribe(&self, topic: &str, type_name: &str, qos: Qos) -> Result<*mut c_void, Status> {
        let depth = qos.depth;
        let topic = self.open(topic, type_name, qos, Role::Subscriber)?;
        Ok(self.keep_subscription(Arc::new(Subscription::new(topic, depth))))
    }
}

impl PublisherHandle for Handle<Publisher> {
    fn listeners(&self) -> u32 {
        self.object.listeners()
    }

    #[inline]
    fn publish<const CHECKED: bool>(
        &self,
        stamp_ns: i64,
        payload: BorrowedPayload<'_>,
    ) -> Result<(), Status> {
        if CHECKED {
            payload.check(At { host: self, what: "payload", function: "bus.publish" })?;
            return self.publish_if_valid(stamp_ns, payload.retain());
        }
        // The outbox checks its size, and the router the address of its bytes.
        self.put(stamp_ns, payload.retain())
    }

    fn loan(&self, capacity: usize) -> Result<Loan, Status> {
        check_size(self.owner(), capacity, "bus.loan")?;
        let mut lent = self.object.pool.lend(capacity);
        let bytes = lent.bytes_mut();
        let (data, capacity) = (bytes.as_mut_ptr(), bytes.len());
        Ok(Loan { struct_size: Loan::SIZE, reserved: 0, data, capacity, ctx: lent.into_raw() })
    }

    fn commit<const CHECKED: bool>(&self, stamp_ns: i64, loan: &mut Loan, len: usize) -> Result<(), Status> {
        let mut lent = self.returned(loan, "bus.commit")?;
        let capacity = lent.bytes_mut().len();
        if len > capacity {
            breach(Rule::Size, self.owner(), &format!("committed {len} bytes of a loan of {capacity}"));
            return Err(status::INVALID_ARG);
        }
        let payload = lent.publish(len);
        if CHECKED { self.publish_if_valid(stamp_ns, payload) } else { self.put(stamp_ns, payload) }
    }

    fn abandon(&self, loan: &mut Loan) -> Result<(), Status> {
        self.returned(loan, "bus.abandon").map(drop)
    }
}

impl Handle<Publisher> {
    /// Publishes a payload if it is of the type of the topic.
    fn publish_if_valid(&self, stamp_ns: i64, payload: Payload) -> Result<(), Status> {
        let topic = &self.object.topic;
        if let Err(error) = topic.data_type.message.check(&payload) {
            let problem = rules::not_of_type(&topic.name, topic.data_type.ros_name(), &error);
            breach(Rule::Payload, self.owner(), &format!("published garbage: {problem}"));
            return Err(status::SCHEMA);
        }
        // Here and not when it is routed, so that changes from now on are found.
        self.put(stamp_ns, self.object.pool.keep(payload))
    }

    /// Puts a payload into the outbox.
    #[inline]
    fn put(&self, stamp_ns: i64, payload: Payload) -> Result<(), Status> {
        self.object.publish(stamp_ns, payload).map_err(|bytes| self.refuse_size(bytes))
    }

    #[cold]
    fn refuse_size(&self, bytes: usize) -> Status {
        check_size(self.owner(), bytes, "bus.publish").err().unwrap_or(status::INVALID_ARG)
    }

    /// Takes a loan back from a plugin.
    fn returned(&self, loan: &Loan, function: &'static str) -> Result<LoanedBuffer, Status> {
        // SAFETY: plugins pass back loans of publishers of living instances.
        let lent = unsafe { self.object.pool.take_back(loan.ctx) };
        if let Some(loan) = lent.as_ref().filter(|loan| !loan.is_within_bounds()) {
            self.report_bounds(loan);
        }
        lent.ok_or_else(|| {
            let topic = &self.object.topic.name;
            let text = format!(
                "passed a loan to `{function}` that `{topic}` has not given, or that was committed or abandoned before"
            );
            breach(Rule::Loan, self.owner(), &text);
            status::INVALID_ARG
        })
    }

    /// Reports bytes before or behind a loan that the plugin has written.
    #[cold]
    fn report_bounds(&self, loan: &LoanedBuffer) {
        let text = format!(
            "wrote before or behind the {} bytes of a loan for `{}`; messages of others may be damaged",
            loan.capacity(),
            self.object.topic.name
        );
        breach(Rule::Loan, self.owner(), &text);
    }
}

impl SubscriptionHandle for Handle<Subscription> {
    #[inline]
    fn take(&self) -> Result<Message, Status> {
        if !super::scope::is_open() {
            return Err(wrong_thread(self.owner(), "bus.take"));
        }
        let topic = &self.object.topic;
        let taken = self.object.take(|delivery| Message {
            struct_size: Message::SIZE,
            type_id: topic.data_type.id,
            encoding: ENCODING_PROTOBUF,
            reset_epoch: delivery.reset_epoch,
            stamp_ns: delivery.stamp_ns,
            sequence: delivery.sequence,
            step: delivery.step,
            vehicle: Str::new(&topic.vehicle),
            topic: Str::new(&topic.name),
            payload: lent(&delivery.payload),
            reserved: [0; 2],
        });
        taken.ok_or(status::NOT_FOUND)
    }
}
