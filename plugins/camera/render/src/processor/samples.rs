//! Pixels in memory, with one sample or four each.

use wide::f32x4;

use super::facet::Facet;
use super::functions::Bounded as _;
use super::lanes::{LANES, STEPS, Vectors, first, load, store};
use super::raster::{CENTER, Plane, Runs};
use super::shade::{Any, Hidden, Look, Painter, Shaded, Shader, Spot};
use super::srgb::Srgb;
use super::sunlit::Sunlit;

/// Where the samples of a pixel are, from its upper left corner: the places that devices use.
const FOUR: [[f64; 2]; 4] = [[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]];

/// What a facet changes.
#[derive(Clone, Copy)]
pub(super) struct Changes {
    /// It hides what is behind it.
    pub(super) depth: bool,
    pub(super) color: Option<Cover>,
    /// The number of its visual.
    pub(super) visual: bool,
}

/// How a colour is put over the one behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cover {
    Opaque,
    /// By its opacity.
    Blended,
}

/// One sample of each pixel, by rows that are longer than the image, so that four pixels from any place on are there.
#[derive(Default)]
struct Sheet {
    /// One by the depth; 0 where nothing is.
    inverse: Vec<f32>,
    color: Vec<u32>,
}

/// The samples of an image.
pub(super) struct Samples {
    size: [usize; 2],
    stride: usize,
    places: &'static [[f64; 2]],
    sheets: Vec<Sheet>,
    visual: Vec<u32>,
    srgb: Srgb,
}

impl Samples {
    pub(super) fn new(size: [usize; 2], has_four: bool) -> Self {
        let places: &[[f64; 2]] = if has_four { &FOUR } else { &[CENTER] };
        Samples {
            size,
            stride: size[0] + LANES,
            places,
            sheets: places.iter().map(|_| Sheet::default()).collect(),
            visual: Vec::new(),
            srgb: Srgb::new(),
        }
    }

    /// Returns the number of pixels between the beginnings of two rows.
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// Empties the image: `background` is the colour of pixels, if there are colours.
    pub(super) fn clear(&mut self, background: Option<u32>, has_visuals: bool) {
        let count = self.stride * self.size[1];
        for sheet in &mut self.sheets {
            refill(&mut sheet.inverse, count, 0.0);
            refill(&mut sheet.color, if background.is_some() { count } else { 0 }, background.unwrap_or(0));
        }
        refill(&mut self.visual, if has_visuals { count } else { 0 }, 0);
    }

    /// Draws a facet.
    pub(super) fn fill(&mut self, painter: &Painter<'_>, look: &Look<'_>, facet: &Facet, changes: Changes) {
        if changes.color.is_none() {
            return self.fill_with(facet, look.number, changes, &Hidden { painter, look, facet });
        }
        match Sunlit::new(painter, look, facet) {
            Some(sunlit) => self.fill_with(facet, look.number, changes, &sunlit),
            None => self.fill_with(facet, look.number, changes, &Any { painter, look, facet }),
        }
    }

    fn fill_with<S: Shader>(&mut self, facet: &Facet, number: u32, changes: Changes, shader: &S) {
        match self.places {
            [_] => self.fill_one(facet, number, changes, shader),
            _ => self.fill_four(facet, changes, shader),
        }
    }

    fn fill_one<S: Shader>(&mut self, facet: &Facet, visual: u32, changes: Changes, shader: &S) {
        let Some(sheet) = self.sheets.first_mut() else { return };
        #[expect(clippy::cast_possible_truncation, reason = "pixels have 32 bits")]
        let step = f32x4::splat(facet.inverse.across as f32);
        for (row, run) in facet.edges.runs(CENTER, self.size) {
            if run.is_empty() {
                continue;
            }
            let y = number(row);
            let start = facet.inverses(number(run.start) + CENTER[0], y + CENTER[1]);
            let of_row = shader.row(row);
            let mut column = run.start;
            while column < run.end {
                let place = row * self.stride + column;
                let Some(buffer) = sheet.inverse.get_mut(place..) else { return };
                let inverse = start + step * small(column - run.start);
                let before = load(buffer);
                let mask = inverse.simd_ge(before) & first(run.end - column);
                if mask.any() {
                    let spot = Spot { column, row, depth: f32x4::ONE / inverse, mask };
                    let shaded = shader.shade(&of_row, &spot);
                    if let Some(pixels) = sheet.color.get_mut(place..) {
                        match changes.color {
                            Some(Cover::Opaque) => {
                                replace(pixels, shaded.mask, self.srgb.pixels(shaded.color))
                            }
                            Some(Cover::Blended) => blend(self.srgb, pixels, &shaded, shaded.mask),
                            None => {}
                        }
                    }
                    if changes.depth {
                        store(buffer, shaded.mask.bitselect(inverse, before));
                    }
                    if changes.visual
                        && let Some(visuals) = self.visual.get_mut(place..)
                    {
                        replace(visuals, shaded.mask, [visual; LANES]);
                    }
                }
                column += LANES;
            }
        }
    }

    /// A pixel has one colour of a facet, for the samples that are inside.
    fn fill_four<S: Shader>(&mut self, facet: &Facet, changes: Changes, shader: &S) {
        let mut walks = FOUR.map(|place| facet.edges.runs(place, self.size));
        let rows = walks.iter().map(Runs::rows).filter(|rows| !rows.is_empty());
        let rows = rows.reduce(|one, other| one.start.min(other.start)..one.end.max(other.end));
        let [low, high] = facet.range.map(f32x4::splat);
        let Plane { across, down, .. } = facet.inverse;
        #[expect(clippy::cast_possible_truncation, reason = "pixels have 32 bits")]
        let single = |value: f64| f32x4::splat(value as f32);
        let step = single(across);
        // From the centre of a pixel to its samples.
        let beside =
            FOUR.map(|[right, below]| single(across * (right - CENTER[0]) + down * (below - CENTER[1])));
        for row in rows.unwrap_or_default() {
            let y = number(row);
            let runs = walks.each_mut().map(|walk| match walk.rows().start == row {
                true => walk.next().map(|(_, run)| run).unwrap_or_default(),
                false => 0..0,
            });
            let filled = || runs.iter().filter(|run| !run.is_empty());
            let (Some(start), Some(end)) =
                (filled().map(|run| run.start).min(), filled().map(|run| run.end).max())
            else {
                continue;
            };
            let ends = runs.each_ref().map(|run| [small(run.start), small(run.end)]);
            let center = facet.inverses(number(start) + CENTER[0], y + CENTER[1]);
            let of_row = shader.row(row);
            let begin = row * self.stride;
            let mut column = start;
            while column < end {
                let pixels = begin + column..begin + column + LANES;
                let columns = small(column) + STEPS;
                let middle = center + step * small(column - start);
                let mut masks = [f32x4::ZERO; 4];
                let mut inverses = [f32x4::ZERO; 4];
                let mut mask = f32x4::ZERO;
                for (sample, sheet) in self.sheets.iter().enumerate().take(4) {
                    let Some(buffer) = sheet.inverse.get(pixels.clone()) else { return };
                    let [from, to] = ends[sample];
                    inverses[sample] = middle + beside[sample];
                    masks[sample] =
                        inverses[sample].simd_ge(load(buffer)) & columns.simd_ge(from) & columns.simd_lt(to);
                    mask |= masks[sample];
                }
                if mask.any() {
                    // The centre may be outside of the facet.
                    let depth = f32x4::ONE / middle.at_least(low).at_most(high);
                    let shaded = shader.shade(&of_row, &Spot { column, row, depth, mask });
                    let opaque = self.srgb.pixels(shaded.color);
                    for (sample, sheet) in self.sheets.iter_mut().enumerate().take(4) {
                        let mask = masks[sample] & shaded.mask;
                        if let Some(colors) = sheet.color.get_mut(pixels.clone()) {
                            match changes.color {
                                Some(Cover::Opaque) => replace(colors, mask, opaque),
                                Some(Cover::Blended) => blend(self.srgb, colors, &shaded, mask),
                                None => {}
                            }
                        }
                        if changes.depth
                            && let Some(buffer) = sheet.inverse.get_mut(pixels.clone())
                        {
                            store(buffer, mask.bitselect(inverses[sample], load(buffer)));
                        }
                    }
                }
                column += LANES;
            }
        }
    }

    /// Gives colours to the samples in which nothing is: `paint` returns those of four pixels from a column on.
    pub(super) fn fill_empty(&mut self, paint: impl Fn(f64, f64) -> Vectors) {
        let [width, height] = self.size;
        for row in 0..height {
            for column in (0..width).step_by(LANES) {
                let place = row * self.stride + column;
                let is_empty = |sheet: &Sheet| {
                    let buffer = sheet.inverse.get(place..).map_or(f32x4::ONE, load);
                    buffer.simd_eq(f32x4::ZERO) & first(width - column)
                };
                if !self.sheets.iter().any(|sheet| is_empty(sheet).any()) {
                    continue;
                }
                let pixels = self.srgb.pixels(paint(number(column), number(row)));
                for sheet in &mut self.sheets {
                    let mask = is_empty(sheet);
                    if let Some(colors) = sheet.color.get_mut(place..) {
                        replace(colors, mask, pixels);
                    }
                }
            }
        }
    }

    /// Makes the mean of the samples of each pixel.
    pub(super) fn resolve(&mut self) {
        let srgb = self.srgb;
        let [one, rest @ ..] = self.sheets.as_mut_slice() else { return };
        if rest.is_empty() {
            return;
        }
        for (place, pixels) in one.color.chunks_exact_mut(LANES).enumerate() {
            let others: [_; 3] = std::array::from_fn(|sample| {
                let sheet = rest.get(sample).map_or(&[][..], |sheet| sheet.color.as_slice());
                four(sheet.get(place * LANES..).unwrap_or_default())
            });
            let first = four(pixels);
            // Most pixels have one colour; compared as one number each.
            let bits = |pixels: [u32; LANES]| bytemuck::cast::<_, u128>(pixels);
            if others.iter().all(|other| bits(*other) == bits(first)) {
                continue;
            }
            let sum = others.into_iter().fold(srgb.colors(first), |sum, other| sum.plus(srgb.colors(other)));
            pixels.copy_from_slice(&srgb.pixels(sum.scale(f32x4::splat(0.25))));
        }
    }

    /// Returns the pixels, after [`Samples::resolve`].
    pub(super) fn color(&self) -> &[u32] {
        self.sheets.first().map_or(&[], |sheet| &sheet.color)
    }

    /// Returns the inverse depths of the first sample.
    pub(super) fn inverse(&self) -> &[f32] {
        self.sheets.first().map_or(&[], |sheet| &sheet.inverse)
    }

    pub(super) fn visual(&self) -> &[u32] {
        &self.visual
    }
}

fn refill<T: Copy>(list: &mut Vec<T>, count: usize, value: T) {
    list.clear();
    list.resize(count, value);
}

#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "sizes of images")]
fn small(number: usize) -> f32x4 {
    f32x4::splat(number as f32)
}

#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "sizes of images")]
fn number(index: usize) -> f64 {
    index as f64
}

#[inline(always)]
fn four(from: &[u32]) -> [u32; LANES] {
    from.first_chunk().copied().unwrap_or_default()
}

#[inline(always)]
fn replace(place: &mut [u32], mask: f32x4, new: [u32; LANES]) {
    if let Some(place) = place.first_chunk_mut::<LANES>() {
        // Numbers of another kind, whose bits are not touched.
        let [old, new]: [f32x4; 2] = [*place, new].map(bytemuck::cast);
        *place = bytemuck::cast(mask.bitselect(new, old));
    }
}

#[inline(always)]
fn blend(srgb: Srgb, pixels: &mut [u32], shaded: &Shaded, mask: f32x4) {
    let behind = srgb.colors(four(pixels));
    // As devices do: no colour is brighter than white before it is mixed.
    let color = behind.plus(shaded.color.limited().minus(behind).scale(shaded.opacity));
    replace(pixels, mask, srgb.pixels(color));
}
