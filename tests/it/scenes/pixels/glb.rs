//! Triangles of a binary glTF file, from the accessors of its primitives.

use serde_json::Value;

use super::super::list;
use super::Triangle;

/// The types of components in glTF 2.0, section 3.6.2.2.
const U16: u64 = 5123;
const U32: u64 = 5125;
const F32: u64 = 5126;

struct File {
    json: Value,
    bytes: Vec<u8>,
}

/// Returns the triangles of all primitives.
#[track_caller]
pub(super) fn triangles(file: &[u8]) -> Vec<Triangle> {
    let file = read(file);
    let primitives = list(&file.json, "meshes").flat_map(|mesh| list(mesh, "primitives"));
    primitives.flat_map(|primitive| file.triangles(primitive)).collect()
}

fn read(file: &[u8]) -> File {
    let length = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes")) as usize;
    assert_eq!(&file[..4], b"glTF");
    let end = 20 + length(12);
    let json = serde_json::from_slice(&file[20..end]).expect("JSON");
    File { json, bytes: file[end + 8..end + 8 + length(end)].to_vec() }
}

impl File {
    fn triangles(&self, primitive: &Value) -> Vec<Triangle> {
        let attributes = &primitive["attributes"];
        let positions = self.floats::<3>(&attributes["POSITION"]);
        let coordinates = self.floats::<2>(&attributes["TEXCOORD_0"]);
        let order = match &primitive["indices"] {
            Value::Null => (0..positions.len()).collect(),
            accessor => self.indices(accessor),
        };
        let triangle = |corners: &[usize]| Triangle {
            corners: std::array::from_fn(|corner| positions[corners[corner]]),
            coordinates: std::array::from_fn(|corner| coordinates[corners[corner]]),
        };
        order.chunks_exact(3).map(triangle).collect()
    }

    /// The bytes of an accessor and the type of its components.
    fn part(&self, accessor: &Value) -> (&[u8], u64) {
        let accessor = &self.json["accessors"][index(accessor)];
        let view = &self.json["bufferViews"][index(&accessor["bufferView"])];
        assert!(view["byteStride"].is_null(), "values are adjacent");
        let offset = |of: &Value| if of["byteOffset"].is_null() { 0 } else { index(&of["byteOffset"]) };
        let components = match accessor["type"].as_str() {
            Some("SCALAR") => 1,
            Some("VEC2") => 2,
            Some("VEC3") => 3,
            other => panic!("{other:?}"),
        };
        let kind = accessor["componentType"].as_u64().expect("a type");
        let width = if kind == U16 { 2 } else { 4 };
        let begin = offset(view) + offset(accessor);
        (&self.bytes[begin..begin + index(&accessor["count"]) * components * width], kind)
    }

    fn floats<const N: usize>(&self, accessor: &Value) -> Vec<[f64; N]> {
        let (bytes, kind) = self.part(accessor);
        assert_eq!(kind, F32);
        let number = |bytes: &[u8]| f64::from(f32::from_le_bytes(bytes.try_into().expect("four bytes")));
        let value = |bytes: &[u8]| std::array::from_fn(|part| number(&bytes[4 * part..4 * part + 4]));
        bytes.chunks_exact(4 * N).map(value).collect()
    }

    fn indices(&self, accessor: &Value) -> Vec<usize> {
        let (bytes, kind) = self.part(accessor);
        match kind {
            U16 => bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]]).into()).collect(),
            U32 => {
                let number = |four: &[u8]| u32::from_le_bytes(four.try_into().expect("four bytes")) as usize;
                bytes.chunks_exact(4).map(number).collect()
            }
            other => panic!("indices of type {other}"),
        }
    }
}

fn index(value: &Value) -> usize {
    value
        .as_u64()
        .and_then(|index| usize::try_from(index).ok())
        .unwrap_or_else(|| panic!("{value} is no index"))
}
