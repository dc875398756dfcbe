//! The images of one camera on the device, and their way back.

use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use wgpu::{Buffer, Device, TextureFormat, TextureUsages, TextureView};

use super::adapter::Gpu;
use super::pipelines::{BUFFER, COLOR, DEPTH, VISUAL};
use crate::error::RenderError;
use crate::target::{Images, Wanted};

/// Textures and the buffer through which their pixels are read.
pub(crate) struct Target {
    pub(crate) size: [u32; 2],
    pub(crate) wanted: Wanted,
    pub(crate) color: Option<Plane>,
    /// With several samples, before they become one.
    pub(crate) samples: Option<TextureView>,
    pub(crate) depth: Option<Plane>,
    pub(crate) visual: Option<Plane>,
    pub(crate) buffer: TextureView,
    /// For colours, if they have several samples.
    pub(crate) sampled_buffer: Option<TextureView>,
    pub(crate) download: Buffer,
    pub(crate) device: Device,
    /// Name of the adapter.
    adapter: String,
    pub(crate) pending: Option<Pending>,
}

/// A texture that is read back.
pub(crate) struct Plane {
    pub(crate) texture: wgpu::Texture,
    pub(crate) view: TextureView,
    /// Where its pixels are in the buffer, bytes.
    pub(crate) offset: u64,
}

/// Work that the device does.
pub(crate) struct Pending {
    pub(crate) submission: wgpu::SubmissionIndex,
    pub(crate) mapped: Receiver<bool>,
}

/// An image that takes longer than this is not coming.
const PATIENCE: Duration = Duration::from_secs(60);
/// Pixels take four bytes in each image.
const PIXEL: u64 = 4;

impl Target {
    pub(crate) fn new(gpu: &Gpu, size: [u32; 2], wanted: Wanted) -> Result<Self, RenderError> {
        let device = &gpu.device;
        let longest = device.limits().max_texture_dimension_2d;
        let [width, height] = size;
        if width > longest || height > longest || width == 0 || height == 0 {
            return Err(RenderError::TooLarge { width, height, longest });
        }
        let area = row_bytes(width) * u64::from(height);
        let mut offset = 0;
        let mut plane = |format, is_wanted: bool| {
            let place = offset;
            is_wanted.then(|| {
                offset += area;
                let texture = texture(device, size, format, 1, TextureUsages::COPY_SRC);
                let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
                Plane { texture, view, offset: place }
            })
        };
        let color = plane(COLOR, wanted.color);
        let depth = plane(DEPTH, wanted.geometry);
        let visual = plane(VISUAL, wanted.geometry);
        let has_samples = wanted.color && wanted.samples > 1;
        let view = |format, samples| {
            let texture = texture(device, size, format, samples, TextureUsages::empty());
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let download = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("download"),
            size: offset.max(PIXEL),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        Ok(Target {
            size,
            wanted,
            color,
            depth,
            visual,
            samples: has_samples.then(|| view(COLOR, wanted.samples)),
            buffer: view(BUFFER, 1),
            sampled_buffer: has_samples.then(|| view(BUFFER, wanted.samples)),
            download,
            device: device.clone(),
            adapter: gpu.name.clone(),
            pending: None,
        })
    }

    /// Records the copies of the textures into the buffer.
    pub(crate) fn copy(&self, encoder: &mut wgpu::CommandEncoder) {
        let [width, height] = self.size;
        for plane in [&self.color, &self.depth, &self.visual].into_iter().flatten() {
            encoder.copy_texture_to_buffer(
                plane.texture.as_image_copy(),
                wgpu::TexelCopyBufferInfo {
                    buffer: &self.download,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: plane.offset,
                        bytes_per_row: u32::try_from(row_bytes(width)).ok(),
                        rows_per_image: None,
                    },
                },
                wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            );
        }
    }

    /// Asks for the buffer, after its work was submitted.
    pub(crate) fn request(&mut self, submission: wgpu::SubmissionIndex) {
        let (sender, mapped) = sync_channel(1);
        self.download.map_async(wgpu::MapMode::Read, .., move |result| {
            // An error is a target that was dropped.
            sender.try_send(result.is_ok()).ok();
        });
        self.pending = Some(Pending { submission, mapped });
    }

    /// Waits until the device has drawn what was submitted, and passes the images to `take`.
    ///
    /// # Errors
    /// Returns an error if the device failed, or nothing was submitted.
    pub(crate) fn read<T>(&mut self, take: impl FnOnce(Images<'_>) -> T) -> Result<T, RenderError> {
        let adapter = self.adapter.clone();
        let failed = |why: &str| RenderError::Device { adapter: adapter.clone(), why: why.to_owned() };
        let pending = self.pending.take().ok_or_else(|| failed("nothing was drawn"))?;
        let waited = self.device.poll(wgpu::PollType::Wait {
            submission_index: Some(pending.submission),
            timeout: Some(PATIENCE),
        });
        waited.map_err(|error| failed(&error.to_string()))?;
        // A thread that waits for another image may be the one that calls the function that sends this.
        if !pending.mapped.recv_timeout(PATIENCE).unwrap_or(false) {
            return Err(failed("the image cannot be read"));
        }
        let taken = {
            let bytes = self.download.get_mapped_range(..).map_err(|error| failed(&error.to_string()))?;
            let plane = |plane: &Option<Plane>| {
                let start = usize::try_from(plane.as_ref()?.offset).ok()?;
                bytes.get(start..)
            };
            take(Images {
                size: self.size,
                stride: usize::try_from(row_bytes(self.size[0])).unwrap_or(usize::MAX),
                color: plane(&self.color),
                depth: plane(&self.depth),
                visual: plane(&self.visual),
            })
        };
        self.download.unmap();
        Ok(taken)
    }
}

/// Rows of copies begin at multiples of 256 bytes.
fn row_bytes(width: u32) -> u64 {
    (u64::from(width) * PIXEL).next_multiple_of(u64::from(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT))
}

fn texture(
    device: &Device,
    [width, height]: [u32; 2],
    format: TextureFormat,
    sample_count: u32,
    usage: TextureUsages,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: TextureUsages::RENDER_ATTACHMENT | usage,
        view_formats: &[],
    })
}
