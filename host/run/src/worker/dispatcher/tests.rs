//! Requests that come on the wrong lane, and payloads without shared memory.

use std::ffi::c_void;
use std::sync::mpsc::channel;

use bridgehead_abi::{Host, Str};

use super::*;
use crate::worker::wire::{ModelRequest, Role};

unsafe extern "C" fn no_extension(_: *const Host, _: Str) -> *const c_void {
    std::ptr::null()
}

/// What was explained in all tests of this process.
static EXPLAINED: Mutex<Vec<String>> = Mutex::new(Vec::new());

unsafe extern "C" fn explain(_: *const Host, text: Str) {
    // SAFETY: the text is valid for the call.
    let text = unsafe { text.as_str() }.expect("UTF-8");
    lock(&EXPLAINED).push(text.to_owned());
}

/// What was explained with this text in it.
pub(in crate::worker) fn explained(part: &str) -> Vec<String> {
    lock(&EXPLAINED).iter().filter(|text| text.contains(part)).cloned().collect()
}

struct BareHost(Host);

// SAFETY: it is immutable.
unsafe impl Sync for BareHost {}

static HOST: BareHost = BareHost(Host {
    struct_size: Host::SIZE,
    reserved: 0,
    ctx: std::ptr::null_mut(),
    get_extension: no_extension,
    explain,
});

/// There are no endpoints in these tests.
struct NoNumbers;

impl Numbered for NoNumbers {
    unsafe fn number(_: *mut c_void) -> u32 {
        u32::MAX
    }
}

pub(in crate::worker) fn dispatcher() -> Arc<Dispatcher> {
    // SAFETY: the object is static.
    Dispatcher::new(unsafe { HostObject::of_library(&raw const HOST.0) }, None)
}

/// What a request on each lane is answered with, in the order of the lanes.
fn answers(request: &Request<'_>) -> [Status; 4] {
    let (dispatcher, memory) = (dispatcher(), SharedMemory::create().expect("memory"));
    let (outgoing, _sent) = channel();
    Lane::ALL.map(|lane| {
        match dispatcher.answer::<NoNumbers>(request, lane, (&memory, &outgoing, &LastConnection::default()))
        {
            Answer::Status(code) => code,
            other => panic!("{other:?}"),
        }
    })
}

#[test]
fn what_belongs_to_a_call_is_answered_on_the_lane_of_that_call_only() {
    const WRONG: Status = status::WRONG_THREAD;
    let main = |code| [code, WRONG, WRONG, WRONG];
    let announced = Request::AddCreator { role: Role::Publisher, data_type: "a", response: "", creator: 0 };
    assert_eq!(answers(&announced), main(status::WRONG_STATE), "no `register` is running");
    assert_eq!(answers(&Request::AddType { data_type: "a", bridge_type: "b" }), main(status::WRONG_STATE));
    let written = Request::Model(ModelRequest::Write { bytes: b"state" });
    assert_eq!(answers(&written), main(status::WRONG_STATE), "no `save` is running");
    let taken = Request::Next { timeout_ns: 0 };
    assert_eq!(answers(&taken), [WRONG, status::INTERRUPTED, WRONG, WRONG], "no loop is running");
    assert_eq!(answers(&Request::Reject), [WRONG, status::OK, WRONG, WRONG]);
    assert_eq!(answers(&Request::Wait { timeout_ns: 0 }), [WRONG, WRONG, status::INTERRUPTED, WRONG]);
}

#[test]
fn payloads_go_through_the_socket_if_there_is_no_memory_left() {
    let (dispatcher, memory) = (dispatcher(), SharedMemory::full());
    let bytes = vec![7; SMALLEST];
    assert_eq!(dispatcher.packed(&bytes, &memory), Bytes::Inline(&bytes));
    assert!(dispatcher.is_memory_reported.load(Ordering::Relaxed), "BH-PLG-144");
    let room = SharedMemory::create().expect("memory");
    assert!(matches!(dispatcher.packed(&bytes, &room), Bytes::Shared { slot: 0, .. }));
}
