//! Numbers out of glTF buffers, with every offset checked.

use glam::DVec3;
use gltf::Accessor;
use gltf::accessor::{DataType, Dimensions};

use crate::part::{Fault, MOST_POINTS, MOST_TRIANGLES, at_most};

/// Corners of triangles, metres.
pub(super) fn positions(accessor: &Accessor<'_>, buffers: &[Vec<u8>]) -> Result<Vec<DVec3>, Fault> {
    if (accessor.data_type(), accessor.dimensions()) != (DataType::F32, Dimensions::Vec3) {
        return Err("its positions are not three floats each".into());
    }
    at_most(accessor.count(), "points", MOST_POINTS)?;
    let items = Items::of(accessor, buffers, 12)?;
    Ok(items.all().map(|at| DVec3::new(float(at, 0), float(at, 4), float(at, 8))).collect())
}

/// Which points the corners of triangles are.
pub(super) fn indices(accessor: &Accessor<'_>, buffers: &[Vec<u8>]) -> Result<Vec<u32>, Fault> {
    let size = match (accessor.data_type(), accessor.dimensions()) {
        (DataType::U8, Dimensions::Scalar) => 1,
        (DataType::U16, Dimensions::Scalar) => 2,
        (DataType::U32, Dimensions::Scalar) => 4,
        _ => return Err("its indices are not unsigned integers".into()),
    };
    at_most(accessor.count() / 3, "triangles", MOST_TRIANGLES)?;
    let items = Items::of(accessor, buffers, size)?;
    Ok(items.all().map(|at| at.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))).collect())
}

fn float(item: &[u8], at: usize) -> f64 {
    let bytes = item.get(at..at + 4).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
    bytes.map_or(f64::NAN, |bytes| f64::from(f32::from_le_bytes(bytes)))
}

/// Items of the same size, `stride` bytes apart.
struct Items<'b> {
    bytes: &'b [u8],
    stride: usize,
    size: usize,
    count: usize,
}

impl<'b> Items<'b> {
    fn of(accessor: &Accessor<'_>, buffers: &'b [Vec<u8>], size: usize) -> Result<Self, Fault> {
        if accessor.sparse().is_some() {
            return Err("it stores numbers as a sparse accessor, which is not read".into());
        }
        let view = accessor.view().ok_or("an accessor has no numbers")?;
        let count = accessor.count();
        let stride = view.stride().unwrap_or(size);
        let bytes = buffers
            .get(view.buffer().index())
            .and_then(|buffer| buffer.get(view.offset()..)?.get(..view.length())?.get(accessor.offset()..));
        let length = count.checked_sub(1).and_then(|steps| steps.checked_mul(stride)?.checked_add(size));
        let fits = count == 0 || length.zip(bytes).is_some_and(|(length, bytes)| length <= bytes.len());
        match bytes {
            Some(bytes) if fits && stride >= size => Ok(Items { bytes, stride, size, count }),
            _ => Err(format!("accessor {} reaches beyond its buffer", accessor.index()).into()),
        }
    }

    fn all(&self) -> impl Iterator<Item = &'b [u8]> {
        let (bytes, size) = (self.bytes, self.size);
        bytes.chunks(self.stride).take(self.count).filter_map(move |item| item.get(..size))
    }
}
