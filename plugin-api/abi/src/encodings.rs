//! Payloads as other programs read them, and single fields of them, for plugins without a protobuf library.

use crate::{Buffer, Bytes, Host, Status, Str};

/// `bridgehead.encodings/1`: JSON text in UTF-8, with the field names of ROS.
pub const ENCODING_JSON: u32 = 3;
/// `bridgehead.encodings/1`: CDR as ROS 2 sends it, version 1, little endian, with its four bytes of encapsulation.
pub const ENCODING_CDR: u32 = 4;

abi_struct! {
    /// Extension `bridgehead.encodings/1`: conversions of payloads, and their fields, by the descriptor of their type.
    /// `payload` is that of a message in `ENCODING_PROTOBUF`, and `type_id` the type of the message.
    ///
    /// A path is a chain of field names: `pose.position.x`, `markers[2].id`, `ranges.length`. A field that is absent has
    /// its default, as in every protobuf reader. All functions return NOT_FOUND for an unknown type, and SCHEMA if the
    /// payload is not of the type.
    pub struct HostEncodings {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Converts a payload to one of the `ENCODING_` constants of this extension; UNSUPPORTED for others. SCHEMA also
        /// if the encoding cannot represent a value. The caller has a reference of its own, and calls `release` of the
        /// buffer once.
        /// `[thread: any] [state: any]`
        pub encode: unsafe extern "C" fn(
            host: *const Host, type_id: u32, encoding: u32, payload: Bytes, out: *mut *const Buffer,
        ) -> Status,
        /// Makes a payload of bytes in such an encoding; SCHEMA if they are none of the type. The buffer can be published
        /// and delivered. The caller has a reference of its own, and calls `release` of the buffer once.
        /// `[thread: any] [state: any]`
        pub decode: unsafe extern "C" fn(
            host: *const Host, type_id: u32, encoding: u32, bytes: Bytes, out: *mut *const Buffer,
        ) -> Status,
        /// Reads one number; 0 or 1 for a `bool`. INVALID_ARG if the path does not lead to one, NOT_FOUND if an array is
        /// too short.
        /// `[thread: any] [state: any]`
        pub number: unsafe extern "C" fn(
            host: *const Host, type_id: u32, payload: Bytes, path: Str, out: *mut f64,
        ) -> Status,
        /// Writes at most `capacity` numbers of an array into `out`, and into `count` how many it has. INVALID_ARG if the
        /// path does not lead to an array of numbers.
        /// `[thread: any] [state: any]`
        pub numbers: unsafe extern "C" fn(
            host: *const Host, type_id: u32, payload: Bytes, path: Str, out: *mut f64, capacity: usize,
            count: *mut usize,
        ) -> Status,
        /// Gives a text, which lies in `payload`. INVALID_ARG if the path does not lead to one, NOT_FOUND if an array is
        /// too short.
        /// `[thread: any] [state: any]`
        pub text: unsafe extern "C" fn(
            host: *const Host, type_id: u32, payload: Bytes, path: Str, out: *mut Str,
        ) -> Status,
    }
}
