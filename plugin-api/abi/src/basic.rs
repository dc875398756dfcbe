//! Plain values that cross the boundary: borrowed text and bytes, poses.

abi_struct! {
    /// Borrowed UTF-8 text, not NUL-terminated. Valid for the call it is passed to, unless the field or
    /// function that carries it says otherwise. An empty text may have a null pointer.
    pub struct Str {
        /// First byte; may be null when `len` is 0.
        pub ptr: *const u8,
        /// Length in bytes.
        pub len: usize,
    }
}

abi_struct! {
    /// Borrowed bytes. Valid for the call they are passed to, unless stated otherwise.
    pub struct Bytes {
        /// First byte; may be null when `len` is 0.
        pub ptr: *const u8,
        /// Length in bytes.
        pub len: usize,
    }
}

abi_struct! {
    /// A rigid transform: the pose of a child frame in a parent frame that the context names.
    pub struct Pose {
        /// Position x, y, z in metres.
        pub position: [f64; 3],
        /// Unit quaternion x, y, z, w.
        pub orientation: [f64; 4],
    }
}

impl Str {
    /// The empty text.
    pub const EMPTY: Str = Str { ptr: core::ptr::null(), len: 0 };

    /// Borrows a Rust text.
    #[must_use]
    pub const fn new(text: &str) -> Self {
        Str { ptr: text.as_ptr(), len: text.len() }
    }

    /// The bytes behind this text.
    ///
    /// # Safety
    /// `ptr` must point at `len` readable bytes that live for `'a`, or `len` must be 0.
    #[must_use]
    pub const unsafe fn as_bytes<'a>(self) -> &'a [u8] {
        if self.len == 0 || self.ptr.is_null() {
            return &[];
        }
        // SAFETY: the caller vouches for pointer and length.
        unsafe { core::slice::from_raw_parts(self.ptr, self.len) }
    }

    /// The text, or `None` if the bytes are not UTF-8.
    ///
    /// # Safety
    /// As for [`Str::as_bytes`].
    #[must_use]
    pub const unsafe fn as_str<'a>(self) -> Option<&'a str> {
        // SAFETY: the caller vouches for pointer and length.
        match core::str::from_utf8(unsafe { self.as_bytes() }) {
            Ok(text) => Some(text),
            Err(_) => None,
        }
    }
}

impl Default for Str {
    fn default() -> Self {
        Str::EMPTY
    }
}

impl Default for Bytes {
    fn default() -> Self {
        Bytes::EMPTY
    }
}

impl Bytes {
    /// No bytes.
    pub const EMPTY: Bytes = Bytes { ptr: core::ptr::null(), len: 0 };

    /// Borrows a slice.
    #[must_use]
    pub const fn new(bytes: &[u8]) -> Self {
        Bytes { ptr: bytes.as_ptr(), len: bytes.len() }
    }

    /// The slice behind these bytes.
    ///
    /// # Safety
    /// `ptr` must point at `len` readable bytes that live for `'a`, or `len` must be 0.
    #[must_use]
    pub const unsafe fn as_slice<'a>(self) -> &'a [u8] {
        // SAFETY: the caller vouches for pointer and length.
        unsafe { Str { ptr: self.ptr, len: self.len }.as_bytes() }
    }
}

impl Pose {
    /// No translation, no rotation.
    pub const IDENTITY: Pose = Pose { position: [0.0; 3], orientation: [0.0, 0.0, 0.0, 1.0] };
}
