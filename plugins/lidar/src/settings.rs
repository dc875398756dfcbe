//! The checked `<lidar>` (or, in older files, `<ray>`) element of a sensor. Read once in `awake`.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::Params;
use bridgehead_plugin_api::noise::Noise;
use bridgehead_plugin_api::random::RandomKey;

/// More rays than any lidar has per scan; a larger number is a mistake that would exhaust memory.
const MAX_RAYS: u32 = 1 << 22;

/// SDF's default number of horizontal samples.
const HORIZONTAL_SAMPLES: u32 = 640;

/// The parameters.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Azimuths about the sensor's z axis, from its x axis to the left.
    pub(crate) horizontal: Angles,
    /// Elevations above the sensor's x-y plane.
    pub(crate) vertical: Angles,
    pub(crate) range: Range,
    /// Noise of the range, m.
    pub(crate) noise: Noise,
    pub(crate) filter: Filter,
    pub(crate) output: Output,
    /// Whether intensities are reported.
    pub(crate) has_intensity: bool,
}

/// The message on the sensor's topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// The LaserScan.
    Scan,
    /// The point cloud.
    Cloud,
}

/// Limits outside of which measurements are reported as NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Filter {
    /// Smallest and largest azimuth, rad.
    pub(crate) azimuth: [f64; 2],
    /// Smallest and largest range, m.
    pub(crate) range: [f64; 2],
}

impl Filter {
    /// Tolerance of azimuth bounds, rad: they are written with fewer digits than azimuths have.
    const TOLERANCE: f64 = 1e-6;

    pub(crate) fn passes_azimuth(&self, azimuth: f64) -> bool {
        let [min, max] = self.azimuth;
        (min - Self::TOLERANCE..=max + Self::TOLERANCE).contains(&azimuth)
    }

    /// A range bound also drops hits that are too close or out of range on its side.
    pub(crate) fn passes_range(&self, range: f64) -> bool {
        let [min, max] = self.range;
        (min..=max).contains(&range)
    }
}

/// Evenly spaced angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Angles {
    /// At least 1.
    pub(crate) count: u32,
    /// First angle, rad.
    pub(crate) min: f64,
    /// Last angle, rad.
    pub(crate) max: f64,
}

impl Angles {
    /// Angle between neighbours, rad: the first and the last angle are both measured, so a full circle measures one
    /// direction twice. 0 for a single angle.
    pub(crate) fn increment(&self) -> f64 {
        if self.count > 1 { (self.max - self.min) / f64::from(self.count - 1) } else { 0.0 }
    }

    /// Returns all angles, rad.
    pub(crate) fn iter(&self) -> impl Iterator<Item = f64> {
        let (min, increment) = (self.min, self.increment());
        (0..self.count).map(move |index| min + f64::from(index) * increment)
    }
}

/// Measurable range, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    /// At least 0.
    pub(crate) min: f64,
    /// Greater than `min`.
    pub(crate) max: f64,
}

impl Settings {
    pub(crate) fn read(params: Params, random: RandomKey) -> Result<Self> {
        check_rays(params)?;
        let root = if params.count("lidar") == 0 && params.count("ray") > 0 { "ray" } else { "lidar" };
        let horizontal = read_angles(params, &format!("{root}/scan/horizontal"), HORIZONTAL_SAMPLES)?;
        let vertical = read_angles(params, &format!("{root}/scan/vertical"), 1)?;
        let rays = u64::from(horizontal.count) * u64::from(vertical.count);
        if rays > u64::from(MAX_RAYS) {
            let expected = format!("at most {MAX_RAYS} rays in total, rings times samples");
            return Err(params.refuse(&format!("{root}/scan"), &format!("{rays} rays"), expected));
        }
        Ok(Settings {
            horizontal,
            vertical,
            range: read_range(params, &format!("{root}/range"))?,
            noise: Noise::read(params, &format!("{root}/noise"), random)?,
            filter: read_filter(params)?,
            output: read_output(params)?,
            has_intensity: params.get_or("intensity", true)?,
        })
    }
}

/// The host itself uses the parameter; here it is only checked.
fn check_rays(params: Params) -> Result {
    const PATH: &str = "bridgehead:rays";
    match params.text(PATH).as_deref().map(str::trim) {
        None | Some("collisions" | "visuals") => Ok(()),
        Some(other) => Err(params.refuse(PATH, other, "collisions or visuals")),
    }
}

fn read_filter(params: Params) -> Result<Filter> {
    let bounds = |name: &str| {
        let (min_path, max_path) = (format!("filter_{name}_min"), format!("filter_{name}_max"));
        let bounds = [params.get_or(&min_path, f64::NEG_INFINITY)?, params.get_or(&max_path, f64::INFINITY)?];
        if bounds[0] <= bounds[1] {
            return Ok(bounds);
        }
        let expected = format!("at least {min_path}, which is {}", bounds[0]);
        Err(params.refuse(&max_path, &bounds[1].to_string(), expected))
    };
    Ok(Filter { azimuth: bounds("angle")?, range: bounds("range")? })
}

/// CLOiSim's raw clouds are treated as clouds.
fn read_output(params: Params) -> Result<Output> {
    const PATH: &str = "output_type";
    match params.text(PATH).as_deref() {
        None | Some("LaserScan") => Ok(Output::Scan),
        Some("PointCloud2" | "PointCloud2Raw") => Ok(Output::Cloud),
        Some(other) => Err(params.refuse(PATH, other, "`LaserScan`, `PointCloud2` or `PointCloud2Raw`")),
    }
}

fn read_angles(params: Params, path: &str, default_samples: u32) -> Result<Angles> {
    let angles = Angles {
        count: read_count(params, path, default_samples)?,
        min: read_angle(params, &format!("{path}/min_angle"))?,
        max: read_angle(params, &format!("{path}/max_angle"))?,
    };
    if angles.max < angles.min {
        let expected = format!("at least min_angle, which is {}", angles.min);
        return Err(params.refuse(&format!("{path}/max_angle"), &angles.max.to_string(), expected));
    }
    Ok(angles)
}

/// Samples times resolution, rounded: SDF's number of values. All of them are cast, none is interpolated.
fn read_count(params: Params, path: &str, default_samples: u32) -> Result<u32> {
    let samples = params.get_or(&format!("{path}/samples"), default_samples)?;
    let resolution_path = format!("{path}/resolution");
    let resolution = params.get_or(&resolution_path, 1.0)?;
    if resolution <= 0.0 {
        return Err(params.refuse(&resolution_path, &resolution.to_string(), "a number above 0"));
    }
    // One row is one row: files of Gazebo give a flat lidar any vertical resolution.
    let least = if samples > 0 { 1.0 } else { 0.0 };
    let count = (f64::from(samples) * resolution).round().max(least);
    if !(1.0..=f64::from(MAX_RAYS)).contains(&count) {
        let expected = format!("a number that gives 1 to {MAX_RAYS} rays, times resolution ({resolution})");
        return Err(params.refuse(&format!("{path}/samples"), &samples.to_string(), expected));
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be 1 to MAX_RAYS"
    )]
    Ok(count as u32)
}

fn read_angle(params: Params, path: &str) -> Result<f64> {
    let angle = params.get_or(path, 0.0)?;
    if angle.is_finite() { Ok(angle) } else { Err(params.refuse(path, &angle.to_string(), "radians")) }
}

fn read_range(params: Params, path: &str) -> Result<Range> {
    let (min_path, max_path) = (format!("{path}/min"), format!("{path}/max"));
    let range = Range { min: params.get_or(&min_path, 0.0)?, max: params.require(&max_path)? };
    if range.min < 0.0 || range.min.is_infinite() {
        return Err(params.refuse(&min_path, &range.min.to_string(), "0 or more metres"));
    }
    if range.max <= range.min {
        let expected = format!("more metres than range/min, which is {}", range.min);
        return Err(params.refuse(&max_path, &range.max.to_string(), expected));
    }
    // Read so that it is not reported as unknown, and not applied: Gazebo does not round ranges either.
    params.get_or(&format!("{path}/resolution"), 0.0)?;
    Ok(range)
}
