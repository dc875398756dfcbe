//! The functions as a plugin calls them: right calls, and every wrong argument.

use std::cell::RefCell;

use bridgehead_abi::encodings::{ENCODING_CDR, ENCODING_JSON};

use super::*;
use crate::hosting::Breach;
use crate::messages::builtin_interfaces::Time;
use crate::messages::prost::Message as _;
use crate::messages::sensor_msgs::LaserScan;
use crate::messages::std_msgs::Header;
use crate::messages::{Message, MessageType};

thread_local! {
    static REASON: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A host that knows one type, number 1.
struct Stage;

impl Checked for Stage {
    fn breach(&self, _: Breach, _: &str) {}
}

impl Hosting for Stage {
    fn guarded<T>(_: &'static str, _: T, body: impl FnOnce() -> T) -> T {
        body()
    }

    unsafe fn entered<'a>(_: *const Host, _: &'static Function) -> Result<&'a Self, Status> {
        Ok(&Stage)
    }

    fn give(payload: Payload) -> *const Buffer {
        payload.into_raw()
    }
}

impl EncodingsHost for Stage {
    fn plans(&self, type_id: u32) -> Option<Arc<TypePlans>> {
        (type_id == 1).then(|| Arc::new(TypePlans::new(scan_type())))
    }

    fn explain(&self, reason: String) {
        REASON.set(reason);
    }
}

const TABLE: &HostEncodings = &Table::<Stage>::TABLE;
const NOBODY: *const Host = std::ptr::null();

fn scan_type() -> MessageType {
    LaserScan::schema().resolve().expect("a type")
}

fn scan() -> Vec<u8> {
    // Every encoding but protobuf says what is absent.
    let header = Some(Header { stamp: Some(Time::default()), frame_id: "car1/lidar".to_owned() });
    LaserScan { header, ranges: vec![1.5, f32::INFINITY, 0.25], range_max: 30.0, ..LaserScan::default() }
        .encode_to_vec()
}

/// Converts, and returns what came of it.
fn convert(
    function: unsafe extern "C" fn(*const Host, u32, u32, Bytes, *mut *const Buffer) -> Status,
    encoding: u32,
    bytes: &[u8],
) -> Result<Payload, Status> {
    let mut out = std::ptr::null();
    // SAFETY: the bytes live for the call, and `out` is writable.
    match unsafe { function(NOBODY, 1, encoding, Bytes::new(bytes), &raw mut out) } {
        // SAFETY: a reference of our own.
        status::OK => Ok(unsafe { Payload::from_raw(out) }),
        code => Err(code),
    }
}

fn number(payload: &[u8], path: &str) -> Result<f64, Status> {
    let mut out = f64::NAN;
    // SAFETY: all arguments live for the call.
    match unsafe { (TABLE.number)(NOBODY, 1, Bytes::new(payload), Str::new(path), &raw mut out) } {
        status::OK => Ok(out),
        code => Err(code),
    }
}

fn text<'a>(payload: &'a [u8], path: &str) -> Result<&'a str, Status> {
    let mut out = Str::EMPTY;
    // SAFETY: all arguments live for the call; the text lies in the payload.
    unsafe {
        match (TABLE.text)(NOBODY, 1, Bytes::new(payload), Str::new(path), &raw mut out) {
            status::OK => Ok(out.as_str().expect("UTF-8")),
            code => Err(code),
        }
    }
}

fn numbers(payload: &[u8], path: &str, capacity: usize) -> Result<(Vec<f64>, usize), Status> {
    let (mut out, mut count) = (vec![f64::NAN; capacity], usize::MAX);
    let (memory, path) = (out.as_mut_ptr(), Str::new(path));
    // SAFETY: `out` holds `capacity` numbers; all arguments live for the call.
    match unsafe { (TABLE.numbers)(NOBODY, 1, Bytes::new(payload), path, memory, capacity, &raw mut count) } {
        status::OK => Ok((out, count)),
        code => Err(code),
    }
}

#[test]
fn a_payload_goes_to_each_encoding_and_back() {
    let payload = scan();
    for encoding in [ENCODING_JSON, ENCODING_CDR] {
        let there = convert(TABLE.encode, encoding, &payload).expect("encoded");
        let back = convert(TABLE.decode, encoding, &there).expect("decoded");
        assert_eq!(LaserScan::decode(&*back), LaserScan::decode(&*payload), "{encoding}");
    }
    let json = convert(TABLE.encode, ENCODING_JSON, &payload).expect("encoded");
    assert!(String::from_utf8_lossy(&json).contains("\"frame_id\":\"car1/lidar\""));
}

#[test]
fn fields_are_read_by_their_path() {
    let payload = scan();
    assert_eq!(number(&payload, "ranges[2]"), Ok(0.25));
    assert_eq!(number(&payload, "ranges.length"), Ok(3.0));
    assert_eq!(text(&payload, "header.frame_id"), Ok("car1/lidar"));
    assert_eq!(numbers(&payload, "ranges", 3), Ok((vec![1.5, f64::INFINITY, 0.25], 3)));
    assert_eq!(numbers(&payload, "ranges", 1), Ok((vec![1.5], 3)), "no more than fits");
    assert_eq!(numbers(&payload, "ranges", 0), Ok((Vec::new(), 3)));
    assert_eq!(numbers(&[], "ranges", 1).map(|(_, count)| count), Ok(0));
}

#[test]
fn wrong_arguments_are_refused_with_a_reason() {
    let payload = scan();
    let because = |code: Option<Status>, expected: Status, words: &str| {
        let reason = REASON.take();
        assert_eq!(code, Some(expected), "{reason}");
        assert!(reason.contains(words), "`{reason}` does not say `{words}`");
    };
    let cut = &payload[..payload.len() - 1];
    because(convert(TABLE.encode, 9, &payload).err(), status::UNSUPPORTED, "encoding 9");
    because(convert(TABLE.decode, 1, &payload).err(), status::UNSUPPORTED, "encoding 1");
    because(convert(TABLE.encode, ENCODING_JSON, cut).err(), status::SCHEMA, "");
    because(convert(TABLE.decode, ENCODING_JSON, b"{\"x\":1}").err(), status::SCHEMA, "x");
    because(convert(TABLE.decode, ENCODING_JSON, b"\xff").err(), status::SCHEMA, "UTF-8");
    because(convert(TABLE.decode, ENCODING_CDR, b"\0\x01").err(), status::SCHEMA, "");
    because(number(&payload, "nothing").err(), status::INVALID_ARG, "no field `nothing`");
    because(number(&payload, "header.frame_id").err(), status::INVALID_ARG, "a text");
    because(number(&payload, "ranges[3]").err(), status::NOT_FOUND, "beyond the end");
    because(number(cut, "range_max").err(), status::SCHEMA, "");
    because(text(&payload, "range_max").err(), status::INVALID_ARG, "a number");
    because(numbers(&payload, "range_max", 1).err(), status::INVALID_ARG, "not an array");
}

#[test]
fn pointers_lengths_and_ids_of_nothing_are_refused() {
    let payload = Bytes::new(&[]);
    let endless = Bytes { ptr: std::ptr::dangling(), len: usize::MAX };
    let path = Str::new("range_max");
    let (mut buffer, mut value, mut count) = (std::ptr::null(), 0.0, 0);
    let none: *mut f64 = std::ptr::null_mut();
    // SAFETY: null pointers and lengths of no memory are refused before anything is read.
    let refused = unsafe {
        [
            (TABLE.encode)(NOBODY, 1, ENCODING_JSON, payload, std::ptr::null_mut()),
            (TABLE.decode)(NOBODY, 1, ENCODING_JSON, endless, &raw mut buffer),
            (TABLE.number)(NOBODY, 1, payload, path, none),
            (TABLE.number)(NOBODY, 1, endless, path, &raw mut value),
            (TABLE.text)(NOBODY, 1, payload, Str::new("header.frame_id"), std::ptr::null_mut()),
            (TABLE.numbers)(NOBODY, 1, payload, Str::new("ranges"), none, 1, &raw mut count),
            (TABLE.numbers)(NOBODY, 1, payload, Str::new("ranges"), none, 0, std::ptr::null_mut()),
        ]
    };
    assert_eq!(refused, [status::INVALID_ARG; 7]);
    // SAFETY: as above.
    let code = unsafe { (TABLE.number)(NOBODY, 2, payload, path, &raw mut value) };
    assert_eq!((code, REASON.take().as_str()), (status::NOT_FOUND, "no message type has the id 2"));
}
