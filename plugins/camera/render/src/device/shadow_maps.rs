//! The textures of shadow maps.

use wgpu::{Device, TextureView};

use super::pipelines::BUFFER;

/// One layer for each light with shadows.
pub(crate) struct ShadowMaps {
    pub(crate) all: TextureView,
    pub(crate) layers: Vec<TextureView>,
    pub(crate) sampler: wgpu::Sampler,
}

impl ShadowMaps {
    pub(crate) fn new(device: &Device, size: u32, layers: usize) -> Self {
        let layers = u32::try_from(layers.max(1)).unwrap_or(1);
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shadows"),
            size: wgpu::Extent3d { width: size, height: size, depth_or_array_layers: layers },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: BUFFER,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let layer = |layer| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2),
                base_array_layer: layer,
                array_layer_count: Some(1),
                ..wgpu::TextureViewDescriptor::default()
            })
        };
        ShadowMaps {
            layers: if size > 1 { (0..layers).map(layer).collect() } else { Vec::new() },
            all: texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                ..wgpu::TextureViewDescriptor::default()
            }),
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                compare: Some(wgpu::CompareFunction::LessEqual),
                ..wgpu::SamplerDescriptor::default()
            }),
        }
    }

    /// False for the placeholder before the first shadow.
    pub(crate) fn is_real(&self) -> bool {
        !self.layers.is_empty()
    }
}
