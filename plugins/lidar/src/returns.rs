//! What came back along the rays of one sweep: distance and strength of each, in memory that is kept.

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

/// What one ray measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Echo {
    /// Metres. As REP-117 says: infinity for nothing within reach, minus infinity for something too close. NaN where a
    /// filter dropped it.
    pub(crate) range: f64,
    /// 0 to 1: the cosine of the angle of incidence, as from a diffuse white surface; 0 without an echo.
    pub(crate) intensity: f64,
}

impl Returns {
    pub(crate) fn new(rays: usize, settings: &Settings) -> Self {
        let nothing = RayHit { distance: f64::INFINITY, normal: [0.0; 3], entity: 0 };
        let passes = settings.horizontal.iter().map(|azimuth| settings.filter.passes_azimuth(azimuth));
        Returns { hits: vec![nothing; rays], echoes: vec![Echo::default(); rays], passes: passes.collect() }
    }

    /// Where the ray cast writes to.
    pub(crate) fn hits_mut(&mut self) -> &mut [RayHit] {
        &mut self.hits
    }

    /// The last sweep, ray by ray.
    pub(crate) fn echoes(&self) -> &[Echo] {
        &self.echoes
    }

    /// Turns hits into measurements. `frame` is the sensor in the world, in which normals are given.
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
            // Measured before it is dropped, so that a filter changes nothing of what the other rays measure.
            let range = match reach(hit.distance, settings.range) {
                Reach::Within => {
                    let noisy = settings.noise.apply(hit.distance, time_ns, random);
                    noisy.clamp(settings.range.min, settings.range.max)
                }
                Reach::TooClose => f64::NEG_INFINITY,
                Reach::Nothing => f64::INFINITY,
            };
            let is_kept = *passes && settings.filter.passes_range(range);
            echo.range = if is_kept { range } else { f64::NAN };
            let is_strong = echo.range.is_finite() && settings.has_intensity;
            echo.intensity = if is_strong { incidence(frame.rotate(*direction), hit.normal) } else { 0.0 };
        }
    }
}

/// Where a hit lies in relation to what can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    TooClose,
    Within,
    Nothing,
}

fn reach(distance: f64, range: Range) -> Reach {
    if distance < range.min {
        Reach::TooClose
    } else if distance <= range.max && distance.is_finite() {
        Reach::Within
    } else {
        Reach::Nothing
    }
}

/// Cosine of the angle between a ray and the surface normal, both unit vectors of one frame.
fn incidence(ray: [f64; 3], normal: [f64; 3]) -> f64 {
    let cosine: f64 = ray.iter().zip(normal).map(|(ray, normal)| ray * normal).sum();
    cosine.abs().min(1.0)
}
