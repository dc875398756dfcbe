//! Textures of the materials of a scene.

use std::collections::HashMap;
use std::sync::Arc;

use bridgehead_mesh::image;
use bridgehead_messages::bridgehead_simulation_interfaces::{SceneMaterial, SceneTexture};

use crate::error::RenderError;
use crate::store::Store;

/// Memory that all textures may have, bytes: an image file of a few kilobytes can have millions of pixels.
const MAX_BYTES: u64 = 1536 << 20;

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

/// One texture.
pub(crate) struct Texture<S: Store> {
    kept: Arc<S::Texture>,
    /// True if some pixels are not opaque.
    is_translucent: bool,
    bytes: u64,
}

/// Hash, and whether its numbers are colours.
type Key = (String, bool);
/// The revision that used it last; `None` if it cannot be decoded.
type Used<S> = (u64, Option<Arc<Texture<S>>>);

/// The textures of all scenes.
pub(crate) struct Textures<S: Store> {
    /// In place of maps that a material does not have.
    white: Arc<Texture<S>>,
    loaded: HashMap<Key, Used<S>>,
}

/// The maps that the materials of a scene use.
pub(crate) struct Groups<S: Store>(Vec<([i32; MAPS], S::Maps, bool)>);

impl<S: Store> Default for Groups<S> {
    fn default() -> Self {
        Groups(Vec::new())
    }
}

impl<S: Store> Groups<S> {
    pub(crate) fn get(&self, index: usize) -> Option<&S::Maps> {
        self.0.get(index).map(|(_, maps, _)| maps)
    }
}

impl<S: Store> Textures<S> {
    pub(crate) fn new(store: &S) -> Self {
        let pixel = image::Pixels { width: 1, height: 1, rgba: vec![255; 4] };
        Textures { white: Arc::new(keep(store, pixel, false)), loaded: HashMap::new() }
    }

    /// Returns the index of the group with these maps, and whether its colours are translucent.
    pub(crate) fn group_of(
        &mut self,
        store: &S,
        (textures, revision): (&[SceneTexture], u64),
        groups: &mut Groups<S>,
        maps: [i32; MAPS],
        content: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> (usize, bool) {
        if let Some(index) = groups.0.iter().position(|(of, ..)| *of == maps) {
            return (index, groups.0.get(index).is_some_and(|(.., translucent)| *translucent));
        }
        let mut indices = (0..).zip(maps);
        let used: [Arc<Texture<S>>; MAPS] = std::array::from_fn(|_| {
            let found = indices.next().and_then(|(map, index)| {
                let texture = usize::try_from(index).ok().and_then(|index| textures.get(index))?;
                self.texture(store, (texture, revision), is_color(map), content)
            });
            found.unwrap_or_else(|| Arc::clone(&self.white))
        });
        let is_translucent = used[0].is_translucent;
        groups.0.push((maps, store.maps(&used.map(|texture| Arc::clone(&texture.kept))), is_translucent));
        (groups.0.len() - 1, is_translucent)
    }

    fn texture(
        &mut self,
        store: &S,
        (texture, revision): (&SceneTexture, u64),
        is_color: bool,
        content: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Option<Arc<Texture<S>>> {
        let key = (texture.hash.clone(), is_color);
        let used: u64 = self.loaded.values().flat_map(|(_, loaded)| loaded).map(|loaded| loaded.bytes).sum();
        let free = MAX_BYTES.saturating_sub(used);
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
                pixels.map(|pixels| Arc::new(keep(store, fitted(pixels, free, &texture.uri), is_color))),
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

fn keep<S: Store>(store: &S, mut pixels: image::Pixels, is_color: bool) -> Texture<S> {
    let is_translucent = pixels.rgba.chunks_exact(4).any(|pixel| pixel[3] < 255);
    let longest = store.longest_side();
    while pixels.width > longest || pixels.height > longest {
        pixels = halve(&pixels);
    }
    let bytes = bytes_of(&pixels);
    let mut levels = vec![pixels];
    while let Some(smaller) = levels.last().filter(|last| last.width.max(last.height) > 1).map(halve) {
        levels.push(smaller);
    }
    Texture { kept: Arc::new(store.texture(levels, is_color)), is_translucent, bytes }
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
