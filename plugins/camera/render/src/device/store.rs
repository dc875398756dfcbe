//! Triangles and textures on a device.

use std::sync::Arc;

use bridgehead_mesh::image::Pixels;
use wgpu::util::DeviceExt as _;
use wgpu::{
    BindGroup, BindGroupLayout, Buffer, BufferUsages, Device, Queue, Sampler, TextureFormat, TextureView,
};

use super::adapter::Gpu;
use crate::shapes::Triangles;
use crate::store::Store;
use crate::textures::MAPS;

/// Uploads triangles and textures.
pub(crate) struct Graphics {
    device: Device,
    queue: Queue,
    layout: BindGroupLayout,
    sampler: Sampler,
}

/// Triangles on a device.
pub(crate) struct Mesh {
    pub(crate) vertices: Buffer,
    pub(crate) indices: Buffer,
}

impl Graphics {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let (device, queue) = (gpu.device.clone(), gpu.queue.clone());
        let sampled = |binding: usize| wgpu::BindGroupLayoutEntry {
            binding: u32::try_from(binding).unwrap_or(0),
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: true },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
            count: None,
        };
        let mut entries = vec![wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
            count: None,
        }];
        entries.extend((1..=MAPS).map(sampled));
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("maps"),
            entries: &entries,
        });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..wgpu::SamplerDescriptor::default()
        });
        Graphics { device, queue, layout, sampler }
    }

    pub(crate) fn layout(&self) -> &BindGroupLayout {
        &self.layout
    }
}

impl Store for Graphics {
    type Mesh = Mesh;
    type Texture = TextureView;
    type Maps = BindGroup;

    fn most_bytes(&self) -> u64 {
        self.device.limits().max_buffer_size
    }

    fn longest_side(&self) -> u32 {
        self.device.limits().max_texture_dimension_2d
    }

    fn mesh(&self, triangles: Triangles) -> Mesh {
        let buffer = |contents: &[u8], usage| {
            let content = wgpu::util::BufferInitDescriptor { label: None, contents, usage };
            self.device.create_buffer_init(&content)
        };
        Mesh {
            vertices: buffer(bytemuck::cast_slice(&triangles.vertices), BufferUsages::VERTEX),
            indices: buffer(bytemuck::cast_slice(&triangles.indices), BufferUsages::INDEX),
        }
    }

    fn texture(&self, levels: Vec<Pixels>, is_color: bool) -> TextureView {
        let size = |pixels: &Pixels| wgpu::Extent3d {
            width: pixels.width,
            height: pixels.height,
            depth_or_array_layers: 1,
        };
        let texture = self.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("texture"),
            size: levels.first().map(size).unwrap_or_default(),
            mip_level_count: u32::try_from(levels.len()).unwrap_or(1),
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: if is_color { TextureFormat::Rgba8UnormSrgb } else { TextureFormat::Rgba8Unorm },
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        for (mip_level, pixels) in (0..).zip(&levels) {
            let place = wgpu::TexelCopyTextureInfo {
                texture: &texture,
                mip_level,
                origin: wgpu::Origin3d::ZERO,
                aspect: wgpu::TextureAspect::All,
            };
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * pixels.width),
                rows_per_image: None,
            };
            self.queue.write_texture(place, &pixels.rgba, layout, size(pixels));
        }
        texture.create_view(&wgpu::TextureViewDescriptor::default())
    }

    fn maps(&self, textures: &[Arc<TextureView>; MAPS]) -> BindGroup {
        let sampler = wgpu::BindingResource::Sampler(&self.sampler);
        let maps = textures.iter().map(|texture| wgpu::BindingResource::TextureView(texture));
        let entries: Vec<_> = (0..)
            .zip([sampler].into_iter().chain(maps))
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("maps"),
            layout: &self.layout,
            entries: &entries,
        })
    }
}
