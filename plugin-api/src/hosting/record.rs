//! Kinds of arguments with several fields, which the C functions take by a pointer.

use bridgehead_abi::basic::Pose;
use bridgehead_abi::{self as abi, Status, Str};

use super::argument::{Argument, Encoded, Message, Posted, Text, Vector, Words, bytes_of, take_bytes};
use super::{At, Breach, Checked};
use crate::rules;

/// A model to add to the world.
#[derive(Clone, Copy)]
pub struct Spawn<'a> {
    /// Bits of the `SPAWN_` constants.
    pub flags: u32,
    /// SDF text.
    pub sdf: &'a str,
    /// Its name; empty for that in the text.
    pub name: &'a str,
    /// Pose of the model frame in the world.
    pub pose: Pose,
}

/// The argument for [`Spawn`].
#[derive(Debug)]
pub enum SpawnSpec {}

impl Argument for SpawnSpec {
    type Raw = *const abi::surroundings::SpawnSpec;
    type Given<'a> = Spawn<'a>;
    type Lent<'a> = abi::surroundings::SpawnSpec;

    unsafe fn read<'a, H: Checked>(raw: Self::Raw, at: At<'_, H>) -> Result<Self::Given<'a>, Status> {
        at.pointer(raw)?;
        // SAFETY: the caller vouches for it.
        let spec = unsafe { &*raw };
        // SAFETY: as above, also for the texts.
        let (sdf, name) = unsafe { (Text::read(spec.sdf, at)?, Text::read(spec.name, at)?) };
        Ok(Spawn { flags: spec.flags, sdf, name, pose: spec.pose })
    }

    fn lend(given: Self::Given<'_>) -> Self::Lent<'_> {
        abi::surroundings::SpawnSpec {
            struct_size: abi::surroundings::SpawnSpec::SIZE,
            flags: given.flags,
            sdf: Str::new(given.sdf),
            name: Str::new(given.name),
            pose: given.pose,
        }
    }

    fn raw(lent: &Self::Lent<'_>) -> Self::Raw {
        lent
    }
}

impl Posted for SpawnSpec {
    fn put(given: <Self as Argument>::Given<'_>, message: &mut Message) {
        u32::put(given.flags, message);
        Text::put(given.sdf, message);
        Text::put(given.name, message);
        Pose::put(given.pose, message);
    }

    fn take<'a>(rest: &mut &'a [u64]) -> Option<<Self as Argument>::Given<'a>> {
        let flags = u32::take(rest)?;
        let (sdf, name) = (Text::take(rest)?, Text::take(rest)?);
        Some(Spawn { flags, sdf, name, pose: Pose::take(rest)? })
    }
}

/// Rays to cast, all seen from one frame.
#[derive(Clone, Copy)]
pub struct Rays<'a> {
    /// Link whose own shapes are ignored, or [`NO_LINK`](abi::host::NO_LINK).
    pub ignore_link: u32,
    /// The frame of origins and directions, in the world.
    pub frame: Pose,
    /// Unit vectors in that frame.
    pub directions: &'a [Vector],
    /// As many origins in that frame, or none for its origin.
    pub origins: Option<&'a [Vector]>,
    /// Least and greatest distance of a hit, metres.
    pub range: [f64; 2],
}

/// The argument for [`Rays`].
#[derive(Debug)]
pub enum RayBatch {}

impl Argument for RayBatch {
    type Raw = *const abi::host::RayBatch;
    type Given<'a> = Rays<'a>;
    type Lent<'a> = abi::host::RayBatch;

    unsafe fn read<'a, H: Checked>(raw: Self::Raw, at: At<'_, H>) -> Result<Self::Given<'a>, Status> {
        at.pointer(raw)?;
        // SAFETY: the caller vouches for it.
        let batch = unsafe { &*raw };
        if batch.count > rules::MAX_RAYS {
            let text = format!("{} rays, of which at most {} are allowed,", batch.count, rules::MAX_RAYS);
            return at.refuse(Breach::Size, &text);
        }
        // SAFETY: as above, also for the vectors.
        let (directions, origins) = unsafe {
            let origins = (!batch.origins.is_null()).then(|| vectors(batch.origins, batch.count, at));
            (vectors(batch.directions, batch.count, at)?, origins.transpose()?)
        };
        let range = [batch.range_min, batch.range_max];
        Ok(Rays { ignore_link: batch.ignore_link, frame: batch.frame, directions, origins, range })
    }

    fn lend(given: Self::Given<'_>) -> Self::Lent<'_> {
        let none = std::ptr::null();
        let origins = given.origins.filter(|origins| origins.len() == given.directions.len());
        abi::host::RayBatch {
            struct_size: abi::host::RayBatch::SIZE,
            ignore_link: given.ignore_link,
            frame: given.frame,
            directions: given.directions.as_ptr(),
            origins: origins.map_or(none, <[Vector]>::as_ptr),
            count: given.directions.len(),
            range_min: given.range[0],
            range_max: given.range[1],
        }
    }

    fn raw(lent: &Self::Lent<'_>) -> Self::Raw {
        lent
    }
}

impl Posted for RayBatch {
    fn put(given: <Self as Argument>::Given<'_>, message: &mut Message) {
        u32::put(given.ignore_link, message);
        Pose::put(given.frame, message);
        given.range.iter().for_each(|range| f64::put(*range, message));
        u64::put(given.directions.len() as u64, message);
        u64::put(u64::from(given.origins.is_some()), message);
        message.put(bytes_of(given.directions));
        given.origins.iter().for_each(|origins| message.put(bytes_of(origins)));
    }

    fn take<'a>(rest: &mut &'a [u64]) -> Option<<Self as Argument>::Given<'a>> {
        let (ignore_link, frame) = (u32::take(rest)?, Pose::take(rest)?);
        let range = [f64::take(rest)?, f64::take(rest)?];
        let count = usize::try_from(u64::take(rest)?).ok().filter(|count| *count <= rules::MAX_RAYS)?;
        let has_origins = u64::take(rest)? != 0;
        let directions = take_vectors(rest, count)?;
        let origins = if has_origins { Some(take_vectors(rest, count)?) } else { None };
        Some(Rays { ignore_link, frame, directions, origins, range })
    }
}

/// # Safety
/// The pointer must be null, misaligned, or that of `count` vectors which are valid for `'a`.
unsafe fn vectors<'a, H: Checked>(
    first: *const Vector,
    count: usize,
    at: At<'_, H>,
) -> Result<&'a [Vector], Status> {
    if count == 0 {
        return Ok(&[]);
    }
    at.pointer(first)?;
    // SAFETY: the caller vouches for it.
    Ok(unsafe { std::slice::from_raw_parts(first, count) })
}

/// Takes vectors from a message, in place.
fn take_vectors<'a>(rest: &mut &'a [u64], count: usize) -> Option<&'a [Vector]> {
    let bytes = take_bytes(rest, count * size_of::<Vector>())?;
    // SAFETY: every pattern of bits is a vector; words of a message are aligned, so that all of them are in the middle.
    let (before, vectors, after) = unsafe { bytes.align_to::<Vector>() };
    (before.is_empty() && after.is_empty()).then_some(vectors)
}

/// How many values a call with this argument fills.
pub(super) trait Counted: Argument {
    /// Returns the number.
    fn count(given: &<Self as Argument>::Given<'_>) -> usize;
}

impl Counted for RayBatch {
    fn count(given: &Self::Given<'_>) -> usize {
        given.directions.len()
    }
}

/// A line for the log.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// One of the `LOG_` constants.
    pub level: u32,
    /// Module or component.
    pub target: &'a [u8],
    /// The text.
    pub text: &'a [u8],
    /// Source file.
    pub file: &'a [u8],
    /// Source line.
    pub line: u32,
}

/// The argument for [`Line`].
#[derive(Debug)]
pub enum LogRecord {}

impl Argument for LogRecord {
    type Raw = *const abi::host::LogRecord;
    type Given<'a> = Line<'a>;
    type Lent<'a> = abi::host::LogRecord;

    unsafe fn read<'a, H: Checked>(raw: Self::Raw, at: At<'_, H>) -> Result<Self::Given<'a>, Status> {
        at.pointer(raw)?;
        // SAFETY: the caller vouches for it.
        let record = unsafe { &*raw };
        // SAFETY: as above, also for the texts.
        let (target, text, file) = unsafe {
            (Words::read(record.target, at)?, Words::read(record.text, at)?, Words::read(record.file, at)?)
        };
        Ok(Line { level: record.level, target, text, file, line: record.line })
    }

    fn lend(given: Self::Given<'_>) -> Self::Lent<'_> {
        abi::host::LogRecord {
            struct_size: abi::host::LogRecord::SIZE,
            level: given.level,
            target: Words::raw(&given.target),
            text: Words::raw(&given.text),
            file: Words::raw(&given.file),
            line: given.line,
            reserved: 0,
        }
    }

    fn raw(lent: &Self::Lent<'_>) -> Self::Raw {
        lent
    }
}

impl Posted for LogRecord {
    fn put(given: <Self as Argument>::Given<'_>, message: &mut Message) {
        [given.level, given.line].into_iter().for_each(|number| u32::put(number, message));
        [given.target, given.text, given.file].into_iter().for_each(|text| Words::put(text, message));
    }

    fn take<'a>(rest: &mut &'a [u64]) -> Option<<Self as Argument>::Given<'a>> {
        let (level, line) = (u32::take(rest)?, u32::take(rest)?);
        let (target, text) = (Words::take(rest)?, Words::take(rest)?);
        Some(Line { level, target, text, file: Words::take(rest)?, line })
    }
}

/// A message type to register.
#[derive(Clone, Copy, Debug)]
pub struct NewType<'a> {
    /// Full protobuf name.
    pub name: &'a str,
    /// A serialized `FileDescriptorSet`.
    pub descriptor_set: &'a [u8],
}

/// The argument for [`NewType`].
#[derive(Debug)]
pub enum TypeRecord {}

impl Argument for TypeRecord {
    type Raw = *const abi::message::TypeDesc;
    type Given<'a> = NewType<'a>;
    type Lent<'a> = abi::message::TypeDesc;

    unsafe fn read<'a, H: Checked>(raw: Self::Raw, at: At<'_, H>) -> Result<Self::Given<'a>, Status> {
        at.pointer(raw)?;
        // SAFETY: the caller vouches for it.
        let desc = unsafe { &*raw };
        // SAFETY: as above, also for text and bytes.
        let (name, descriptor_set) =
            unsafe { (Text::read(desc.name, at)?, Encoded::read(desc.descriptor_set, at)?) };
        Ok(NewType { name, descriptor_set })
    }

    fn lend(given: Self::Given<'_>) -> Self::Lent<'_> {
        abi::message::TypeDesc {
            struct_size: abi::message::TypeDesc::SIZE,
            type_id: 0,
            name: Str::new(given.name),
            descriptor_set: abi::Bytes::new(given.descriptor_set),
            reserved: [0; 2],
        }
    }

    fn raw(lent: &Self::Lent<'_>) -> Self::Raw {
        lent
    }
}

impl Posted for TypeRecord {
    fn put(given: <Self as Argument>::Given<'_>, message: &mut Message) {
        Text::put(given.name, message);
        Words::put(given.descriptor_set, message);
    }

    fn take<'a>(rest: &mut &'a [u64]) -> Option<<Self as Argument>::Given<'a>> {
        Some(NewType { name: Text::take(rest)?, descriptor_set: Words::take(rest)? })
    }
}
