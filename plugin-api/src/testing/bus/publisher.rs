//! Publishers of the recording bus, with loans of memory.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::Mutex;

use bridgehead_abi::host::Loan;
use bridgehead_abi::{Status, status};

use super::subscription::request;
use super::{TestTopic, handle};
use crate::host::Qos;
use crate::hosting::{At, Breach, Checked, Handle, PublisherHandle};
use crate::objects::BorrowedPayload;
use crate::payload::Payload;
use crate::testing::host::{Shared, lock};

/// What a publisher's pointer points at; never given back.
pub(in crate::testing) struct PublisherEntry {
    shared: &'static Shared,
    topic: TestTopic,
    /// What is lent to the plugin, by numbers.
    loans: Mutex<BTreeMap<usize, Vec<u8>>>,
}

handle!(PublisherEntry);

impl PublisherEntry {
    pub(super) fn open(
        shared: &'static Shared,
        topic: &str,
        type_name: &str,
        qos: Qos,
    ) -> Result<&'static Self, Status> {
        let name = request(shared, topic, type_name, true)?;
        let topic = TestTopic { name, type_name: type_name.to_owned(), qos };
        lock(&shared.bus).topics.push(topic.clone());
        Ok(Box::leak(Box::new(PublisherEntry { shared, topic, loans: Mutex::default() })))
    }

    fn accept(&self, stamp_ns: i64, payload: Payload) -> Result<(), Status> {
        self.shared.calls.require_started("publish")?;
        self.shared.record(&self.topic.name, &self.topic.type_name, stamp_ns, payload);
        Ok(())
    }

    /// The memory of a loan that has not come back yet.
    fn returned(&self, loan: &Loan) -> Option<Vec<u8>> {
        lock(&self.loans).remove(&loan.ctx.addr())
    }
}

impl PublisherHandle for PublisherEntry {
    fn listeners(&self) -> u32 {
        self.shared.listeners(&self.topic.name, self.topic.qos)
    }

    fn publish<const CHECKED: bool>(
        &self,
        stamp_ns: i64,
        payload: BorrowedPayload<'_>,
    ) -> Result<(), Status> {
        payload.check(At { host: self, what: "payload", function: "bus.publish" })?;
        self.accept(stamp_ns, payload.retain())
    }

    fn loan(&self, capacity: usize) -> Result<Loan, Status> {
        self.shared.calls.require_started("publish")?;
        let mut memory = vec![0_u8; capacity];
        let data = memory.as_mut_ptr();
        let mut loans = lock(&self.loans);
        let number = loans.keys().last().map_or(1, |last| last + 1);
        loans.insert(number, memory);
        let ctx = std::ptr::without_provenance_mut(number);
        Ok(Loan { struct_size: Loan::SIZE, reserved: 0, data, capacity, ctx })
    }

    fn commit<const CHECKED: bool>(&self, stamp_ns: i64, loan: &mut Loan, len: usize) -> Result<(), Status> {
        match self.returned(loan) {
            Some(mut memory) if len <= memory.len() => {
                memory.truncate(len);
                self.accept(stamp_ns, Payload::from_vec(memory))
            }
            _ => {
                self.shared.calls.note(format!("a loan on `{}` was misused", self.topic.name));
                Err(status::INVALID_ARG)
            }
        }
    }

    fn abandon(&self, loan: &mut Loan) -> Result<(), Status> {
        drop(self.returned(loan));
        Ok(())
    }
}
