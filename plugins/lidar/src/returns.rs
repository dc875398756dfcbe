//! The measurements of one scan: range and intensity of each ray, in a reused buffer.

use bridgehead_plugin_api::host::{Pose, RayHit};
use bridgehead_plugin_api::random::Random;

use crate::fan::Fan;
use crate::settings::{Range, Settings};

/// One entry per ray, in the order of the [`Fan`].
pub(crate) struct Returns {
    hits: Vec<RayHit>,
    echoes: Vec<Echo>,
    /// By azimuth: whether the filter passes it.
    passes: Vec<bool>,
}

/// The measurement of one ray.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Echo {
    /// Range, metres. According to REP-117: infinity if nothing is in range, minus infinity if it is too close. NaN
    /// if a filter dropped it.
    pub(crate) range: f64,
    /// Intensity, 0 to 1: the cosine of the angle of incidence, as of a diffuse white surface; 0 without a return.
    pub(crate) intensity: f64,
}

impl Returns {
    pub(crate) fn new(rays: usize, settings: &Settings) -> Self {
        let nothing = RayHit { distance: f64::INFINITY, normal: [0.0; 3], entity: 0 };
        let passes = settings.horizontal.iter().map(|azimuth| settings.filter.passes_azimuth(azimuth));
        Returns { hits: vec![nothing; rays], echoes: vec![Echo::default(); rays], passes: passes.collect() }
    }

    /// Returns the buffer for the ray cast.
    pub(crate) fn hits_mut(&mut self) -> &mut [RayHit] {
        &mut self.hits
    }

    /// Returns the last scan, ray by ray.
    pub(crate) fn echoes(&self) -> &[Echo] {
        &self.echoes
    }

    /// Converts hits to measurements. `frame` is the sensor in the world, in which normals are given.
    pub(crate) fn measure(
        &mut self,
        frame: Pose,
        fan: &Fan,
        settings: &Settings,
        time_ns: i64,
        random: &mut Random,
    ) {
        let rays = self.hits.iter().zip(fan.directions()).zip(self.passes.iter().cycle());
        for (echo, ((hit, direction), passes)) in self.echoes.iter_mut().zip(rays) {
            // Measured before it is dropped, so that a filter does not change the noise of other rays.
            let range = match hit_range(hit.distance, settings.range) {
                HitRange::Within => {
                    let noisy = settings.noise.apply(hit.distance, time_ns, random);
                    noisy.clamp(settings.range.min, settings.range.max)
                }
                HitRange::TooClose => f64::NEG_INFINITY,
                HitRange::OutOfRange => f64::INFINITY,
            };
            let is_kept = *passes && settings.filter.passes_range(range);
            echo.range = if is_kept { range } else { f64::NAN };
            let is_strong = echo.range.is_finite() && settings.has_intensity;
            echo.intensity = if is_strong { incidence(frame.rotate(*direction), hit.normal) } else { 0.0 };
        }
    }
}

/// Position of a hit relative to the measurable range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HitRange {
    TooClose,
    Within,
    OutOfRange,
}

fn hit_range(distance: f64, range: Range) -> HitRange {
    if distance < range.min {
        HitRange::TooClose
    } else if distance <= range.max && distance.is_finite() {
        HitRange::Within
    } else {
        HitRange::OutOfRange
    }
}

/// Returns the cosine of the angle between a ray and the surface normal, both unit vectors of one frame.
fn incidence(ray: [f64; 3], normal: [f64; 3]) -> f64 {
    let cosine: f64 = ray.iter().zip(normal).map(|(ray, normal)| ray * normal).sum();
    cosine.abs().min(1.0)
}
