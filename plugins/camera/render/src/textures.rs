//! Textures on the device, with their smaller copies.

use std::collections::HashMap;
use std::sync::Arc;

use bridgehead_mesh::image;
use bridgehead_messages::bridgehead_simulation_interfaces::{SceneMaterial, SceneTexture};
use wgpu::{BindGroup, BindGroupLayout, Device, Queue, Sampler, TextureFormat, TextureView};

use crate::error::RenderError;

/// Memory of the device that all textures may have, bytes: an image file of a few kilobytes can have millions of pixels.
const MOST_BYTES: u64 = 1536 << 20;

/// Maps of a material, in the order of the shader: colour, normal, roughness, metalness, emissive, occlusion.
pub(crate) const MAPS: usize = 6;

/// Of a material without textures.
pub(crate) const NO_MAPS: [i32; MAPS] = [-1; MAPS];

/// Indices of the textures of a material; -1 is none.
pub(crate) fn maps_of(material: &SceneMaterial) -> [i32; MAPS] {
    [
        material.color_map,
        material.normal_map,
        material.roughness_map,
        material.metalness_map,
        material.emissive_map,
        material.occlusion_map,
    ]
}

/// True for maps whose numbers are colours in sRGB.
fn is_color(map: usize) -> bool {
    map == 0 || map == 4
}

/// One uploaded texture.
#[derive(Debug)]
pub(crate) struct Texture {
    view: TextureView,
    /// True if some pixels are not opaque.
    pub(crate) is_translucent: bool,
    /// On the device.
    bytes: u64,
}

/// Hash, and whether its numbers are colours.
type Key = (String, bool);
/// The revision that used it last; `None` if it cannot be decoded.
type Used = (u64, Option<Arc<Texture>>);

/// The textures on the device.
pub(crate) struct Textures {
    layout: BindGroupLayout,
    sampler: Sampler,
    /// In place of maps that a material does not have.
    white: Arc<Texture>,
    loaded: HashMap<Key, Used>,
}

/// The groups of maps that the materials of a scene use.
#[derive(Debug, Default)]
pub(crate) struct Groups(Vec<([i32; MAPS], BindGroup, bool)>);

impl Groups {
    pub(crate) fn get(&self, index: usize) -> Option<&BindGroup> {
        self.0.get(index).map(|(_, group, _)| group)
    }
}

impl Textures {
    pub(crate) fn new(device: &Device, queue: &Queue) -> Self {
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
        let pixel = image::Pixels { width: 1, height: 1, rgba: vec![255; 4] };
        let white = Arc::new(upload(device, queue, pixel, false));
        Textures { layout, sampler, white, loaded: HashMap::new() }
    }

    pub(crate) fn layout(&self) -> &BindGroupLayout {
        &self.layout
    }

    /// Returns the index of the group with these maps, and whether its colours are translucent.
    pub(crate) fn group_of(
        &mut self,
        (device, queue): (&Device, &Queue),
        (textures, revision): (&[SceneTexture], u64),
        groups: &mut Groups,
        maps: [i32; MAPS],
        content: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> (usize, bool) {
        if let Some(index) = groups.0.iter().position(|(of, ..)| *of == maps) {
            return (index, groups.0.get(index).is_some_and(|(.., translucent)| *translucent));
        }
        let mut used = Vec::with_capacity(MAPS);
        for (map, index) in maps.into_iter().enumerate() {
            let texture = usize::try_from(index).ok().and_then(|index| textures.get(index));
            let found = texture.and_then(|texture| {
                self.texture((device, queue), (texture, revision), is_color(map), content)
            });
            used.push(found.unwrap_or_else(|| Arc::clone(&self.white)));
        }
        let mut entries = vec![wgpu::BindGroupEntry {
            binding: 0,
            resource: wgpu::BindingResource::Sampler(&self.sampler),
        }];
        entries.extend((1..).zip(&used).map(|(binding, texture)| wgpu::BindGroupEntry {
            binding,
            resource: wgpu::BindingResource::TextureView(&texture.view),
        }));
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("maps"),
            layout: &self.layout,
            entries: &entries,
        });
        let is_translucent = used.first().is_some_and(|color| color.is_translucent);
        groups.0.push((maps, group, is_translucent));
        (groups.0.len() - 1, is_translucent)
    }

    fn texture(
        &mut self,
        (device, queue): (&Device, &Queue),
        (texture, revision): (&SceneTexture, u64),
        is_color: bool,
        content: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Option<Arc<Texture>> {
        let key = (texture.hash.clone(), is_color);
        let used: u64 = self.loaded.values().flat_map(|(_, loaded)| loaded).map(|loaded| loaded.bytes).sum();
        let free = MOST_BYTES.saturating_sub(used);
        let entry = self.loaded.entry(key).or_insert_with(|| {
            let decoded = content(&texture.hash).map(|bytes| image::decode(&bytes));
            let pixels = match decoded {
                Some(Ok(pixels)) => Some(pixels),
                Some(Err(error)) => {
                    log::warn!("{}: {error}; it is drawn white", texture.uri);
                    None
                }
                None => None,
            };
            (
                revision,
                pixels.map(|pixels| {
                    Arc::new(upload(device, queue, fitted(pixels, free, &texture.uri), is_color))
                }),
            )
        });
        entry.0 = revision;
        entry.1.clone()
    }

    /// Drops what only older scenes used.
    pub(crate) fn keep(&mut self, revision: u64) {
        self.loaded.retain(|_, (used, _)| *used == revision);
    }
}

/// Bytes of a texture with its smaller copies.
fn bytes_of(pixels: &image::Pixels) -> u64 {
    pixels.rgba.len() as u64 * 4 / 3
}

/// Makes an image smaller until it needs at most a quarter of the free memory, so that there is some for each that follows.
fn fitted(mut pixels: image::Pixels, free: u64, uri: &str) -> image::Pixels {
    let bytes = bytes_of(&pixels);
    while bytes_of(&pixels) > free / 4 && pixels.width.max(pixels.height) > 1 {
        pixels = halve(&pixels);
    }
    if bytes_of(&pixels) < bytes {
        let instead = "drawn with fewer pixels";
        let error = RenderError::TooHeavy { what: uri.to_owned(), megabytes: bytes >> 20, instead };
        log::warn!("{error}");
    }
    pixels
}

fn upload(device: &Device, queue: &Queue, mut pixels: image::Pixels, is_color: bool) -> Texture {
    let is_translucent = pixels.rgba.chunks_exact(4).any(|pixel| pixel[3] < 255);
    let longest = device.limits().max_texture_dimension_2d;
    while pixels.width > longest || pixels.height > longest {
        pixels = halve(&pixels);
    }
    let bytes = bytes_of(&pixels);
    let levels = pixels.width.max(pixels.height).max(1).ilog2() + 1;
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("texture"),
        size: wgpu::Extent3d { width: pixels.width, height: pixels.height, depth_or_array_layers: 1 },
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: if is_color { TextureFormat::Rgba8UnormSrgb } else { TextureFormat::Rgba8Unorm },
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for level in 0..levels {
        if level > 0 {
            pixels = halve(&pixels);
        }
        queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                texture: &texture,
                mip_level: level,
                origin: wgpu::Origin3d::ZERO,
                aspect: wgpu::TextureAspect::All,
            },
            &pixels.rgba,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * pixels.width),
                rows_per_image: None,
            },
            wgpu::Extent3d { width: pixels.width, height: pixels.height, depth_or_array_layers: 1 },
        );
    }
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    Texture { view, is_translucent, bytes }
}

/// Returns the image with half of its width and height; each pixel is the mean of four.
fn halve(pixels: &image::Pixels) -> image::Pixels {
    let (width, height) = ((pixels.width / 2).max(1), (pixels.height / 2).max(1));
    let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
    let at = |column: u32, row: u32| {
        let (column, row) = (column.min(pixels.width - 1), row.min(pixels.height - 1));
        (row as usize * pixels.width as usize + column as usize) * 4
    };
    for row in 0..height {
        for column in 0..width {
            let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| at(2 * column + x, 2 * row + y));
            for channel in 0..4 {
                let sum: u16 = corners.iter().map(|corner| u16::from(pixels.rgba[corner + channel])).sum();
                rgba.push(u8::try_from((sum + 2) / 4).unwrap_or(u8::MAX));
            }
        }
    }
    image::Pixels { width, height, rgba }
}
