//! Structs of the shader as 32-bit words.

use glam::{Mat4, Quat, Vec3};

/// Words in the order and with the alignment of the shader.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words(Vec<u32>);

impl Words {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }

    pub(crate) fn whole(&mut self, values: [u32; 4]) {
        self.0.extend_from_slice(&values);
    }

    pub(crate) fn vector(&mut self, vector: Vec3, last: f32) {
        self.numbers([vector.x, vector.y, vector.z, last]);
    }

    pub(crate) fn numbers(&mut self, values: [f32; 4]) {
        self.0.extend(values.map(f32::to_bits));
    }

    pub(crate) fn rotation(&mut self, rotation: Quat) {
        self.numbers(rotation.to_array());
    }

    pub(crate) fn matrix(&mut self, matrix: &Mat4) {
        self.0.extend(matrix.to_cols_array().map(f32::to_bits));
    }
}
