//! Buffers that every image fills again.

use wgpu::{Buffer, BufferUsages, Device};

use super::adapter::Gpu;
use crate::words::Words;

/// A buffer that grows with its content.
pub(crate) struct Grown {
    pub(crate) buffer: Buffer,
    usage: BufferUsages,
}

impl Grown {
    pub(crate) fn new(device: &Device, usage: BufferUsages) -> Self {
        let usage = usage | BufferUsages::COPY_DST;
        Grown { buffer: Grown::make(device, usage, 256), usage }
    }

    fn make(device: &Device, usage: BufferUsages, size: u64) -> Buffer {
        device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
    }

    pub(crate) fn fill(&mut self, gpu: &Gpu, words: &Words) {
        let bytes = words.bytes();
        let size = bytes.len() as u64;
        if size > self.buffer.size() {
            self.buffer = Grown::make(&gpu.device, self.usage, size.next_power_of_two());
        }
        if size > 0 {
            gpu.queue.write_buffer(&self.buffer, 0, bytes);
        }
    }
}
