//! The checked elements of a camera sensor. Read once in `awake`.

use std::f64::consts::{PI, TAU};

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{FromParam, Params};
use bridgehead_plugin_api::noise::Noise;
use bridgehead_plugin_api::random::RandomKey;
use bridgehead_render::Choice;

use crate::compression::Compression;
use crate::element::Element;
use crate::format::Format;
use crate::kind::Kind;
use crate::lens::{Distortion, Function, Lens, Wide};

/// More pixels than any camera has; a larger number is a mistake that would exhaust memory.
const MAX_PIXELS: u32 = 1 << 24;

/// SDF's default horizontal field of view, rad.
const HORIZONTAL_FOV: f64 = 1.047;

/// Where a camera option of the host, not of SDF, is read.
const LATENCY: &str = "bridgehead:latency";
const ADAPTER: &str = "bridgehead:adapter";
/// The adapter of cameras that name none.
const ADAPTER_VARIABLE: &str = "BRIDGEHEAD_ADAPTER";

/// The parameters.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) lens: Lens,
    /// Nothing is seen outside of these depths, m.
    pub(crate) clip: (f64, f64),
    /// Range of measured depths, m.
    pub(crate) depths: (f64, f64),
    pub(crate) format: Format,
    /// Noise of colours (of the range 0 to 1) or depths (m).
    pub(crate) noise: Noise,
    pub(crate) mask: u32,
    /// Samples of each pixel.
    pub(crate) samples: u32,
    /// Simulated time from exposure to delivery; `None` is the time between two images.
    pub(crate) latency_ns: Option<i64>,
    pub(crate) adapter: Adapter,
    /// Labels of a segmentation camera tell apart objects of one class.
    pub(crate) has_instances: bool,
    pub(crate) boxes: BoxType,
    pub(crate) compression: Compression,
}

/// What draws the images.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Adapter {
    /// Drawn by a graphics adapter or the processor.
    Drawn(Choice),
    /// Rays of the host.
    Rays,
}

/// What boxes surround.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoxType {
    /// What is seen, in the image.
    Visible,
    /// Also what is hidden, in the image.
    Full,
    /// The whole object, in space.
    Solid,
}

impl BoxType {
    fn read(camera: &Element) -> Result<Self> {
        const TYPES: [BoxType; 4] = [BoxType::Visible, BoxType::Visible, BoxType::Full, BoxType::Solid];
        Ok(TYPES[read_one_of(camera, "box_type", &["visible_2d", "2d", "full_2d", "3d"])?])
    }
}

impl Settings {
    pub(crate) fn read(camera: &Element, kind: Kind, random: RandomKey) -> Result<Self> {
        let clip = read_clip(camera, "clip", (0.1, 100.0))?;
        let samples = camera.get_or("image/anti_aliasing", 1_u32)?;
        // Read so that they are not reported as unknown; they have no effect.
        ["depth_camera/output", "depth_camera"].into_iter().for_each(|path| camera.touch(path));
        for path in ["always_on", "visualize", "camera"] {
            let _: Option<String> = camera.sensor.text(path);
        }
        let segmentation = read_one_of(camera, "segmentation_type", &["semantic", "instance", "panoptic"])?;
        Ok(Settings {
            lens: read_lens(camera, kind)?,
            clip,
            depths: read_clip(camera, "depth_camera/clip", clip)?,
            format: Format::read(camera)?,
            noise: camera.noise("noise", random)?,
            mask: read_mask(camera)?,
            samples: if samples > 1 { 4 } else { 1 },
            latency_ns: read_latency(camera.sensor)?,
            adapter: read_adapter(camera.sensor),
            has_instances: segmentation > 0,
            boxes: BoxType::read(camera)?,
            compression: Compression::read(camera.sensor)?,
        })
    }
}

/// Returns the index of a word in a list; 0 without the parameter.
fn read_one_of(camera: &Element, path: &str, words: &[&str]) -> Result<usize> {
    let Some(text) = camera.text(path) else { return Ok(0) };
    let found = words.iter().position(|word| *word == text.trim());
    found.ok_or_else(|| camera.refuse(path, &text, words.join(", ")))
}

/// Decimal, or hexadecimal as in Gazebo's worlds.
fn read_mask(camera: &Element) -> Result<u32> {
    const PATH: &str = "visibility_mask";
    let Some(text) = camera.text(PATH) else { return Ok(u32::MAX) };
    let trimmed = text.trim();
    let hexadecimal = trimmed.strip_prefix("0x").or_else(|| trimmed.strip_prefix("0X"));
    let mask = match hexadecimal {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => u32::from_param(trimmed),
    };
    mask.ok_or_else(|| camera.refuse(PATH, &text, "a whole number of at most 32 bits, such as 3 or 0x3"))
}

fn read_latency(params: Params) -> Result<Option<i64>> {
    let Some(seconds) = params.get::<f64>(LATENCY)? else { return Ok(None) };
    if !(0.0..=60.0).contains(&seconds) {
        return Err(params.refuse(LATENCY, &seconds.to_string(), "seconds from 0 to 60"));
    }
    #[expect(clippy::cast_possible_truncation, reason = "at most a minute")]
    let nanos = (seconds * 1e9).round() as i64;
    Ok(Some(nanos))
}

fn read_adapter(params: Params) -> Adapter {
    let named = params.text(ADAPTER).or_else(|| std::env::var(ADAPTER_VARIABLE).ok());
    match named.as_deref().map(str::trim) {
        Some("rays") => Adapter::Rays,
        named => Adapter::Drawn(Choice::parse(named.unwrap_or_default())),
    }
}

fn read_lens(camera: &Element, kind: Kind) -> Result<Lens> {
    const FOV: &str = "horizontal_fov";
    let width = read_pixels(camera, "image/width", 320)?;
    let height = read_pixels(camera, "image/height", 240)?;
    if u64::from(width) * u64::from(height) > u64::from(MAX_PIXELS) {
        let found = format!("{width} x {height} pixels");
        return Err(camera.refuse("image", &found, format!("at most {MAX_PIXELS} pixels in total")));
    }
    let is_wide = kind == Kind::WideAngle;
    let fov = camera.get_or(FOV, HORIZONTAL_FOV)?;
    let most = if is_wide { TAU } else { PI };
    if !(fov > 0.0 && (fov < most || (is_wide && fov <= most))) {
        let text = if is_wide { "radians above 0 and at most 2 pi" } else { "radians above 0 and below pi" };
        return Err(camera.refuse(FOV, &fov.to_string(), text));
    }
    if is_wide {
        return read_wide(camera, [width, height], fov);
    }
    let lens = Lens::with_angle([width, height], fov);
    let number = |name: &str, default: f64| camera.get_or(&format!("lens/intrinsics/{name}"), default);
    let focal = |name: &str, default: f64| {
        let value = number(name, default)?;
        let path = format!("lens/intrinsics/{name}");
        let is_right = value > 0.0 && value.is_finite();
        if is_right { Ok(value) } else { Err(camera.refuse(&path, &value.to_string(), "pixels above 0")) }
    };
    // Skew of the axes: pixels here have none.
    let _: Option<f64> = camera.get("lens/intrinsics/s")?;
    let ([fx, fy], [cx, cy]) = (lens.focal, lens.center);
    let (distortion, moved) = read_distortion(camera, [width, height])?;
    Ok(Lens {
        focal: [focal("fx", fx)?, focal("fy", fy)?],
        center: [
            number("cx", moved.map_or(cx, |moved| moved[0]))?,
            number("cy", moved.map_or(cy, |moved| moved[1]))?,
        ],
        distortion,
        ..lens
    })
}

/// Returns the distortion, and its centre in pixels if the file has one.
fn read_distortion(camera: &Element, size: [u32; 2]) -> Result<(Distortion, Option<[f64; 2]>)> {
    let number = |name: &str| {
        let path = format!("distortion/{name}");
        let value = camera.get_or(&path, 0.0)?;
        let is_right = (-1e3..=1e3).contains(&value);
        if is_right {
            Ok(value)
        } else {
            Err(camera.refuse(&path, &value.to_string(), "a number from -1000 to 1000"))
        }
    };
    let radial = [number("k1")?, number("k2")?, number("k3")?];
    let tangential = [number("p1")?, number("p2")?];
    let center = camera.text("distortion/center");
    if radial == [0.0; 3] && tangential == [0.0; 2] {
        return Ok((Distortion::None, None));
    }
    let center = match center {
        None => None,
        Some(text) => {
            let shares: Vec<f64> = text.split_whitespace().filter_map(|part| part.parse().ok()).collect();
            let [x, y] = shares[..] else {
                return Err(camera.refuse("distortion/center", &text, "two numbers from 0 to 1"));
            };
            Some([x * f64::from(size[0]) - 0.5, y * f64::from(size[1]) - 0.5])
        }
    };
    Ok((Distortion::Brown { radial, tangential }, center))
}

fn read_wide(camera: &Element, size: [u32; 2], fov: f64) -> Result<Lens> {
    const TYPE: &str = "lens/type";
    let custom = |name: &str, default: f64| camera.get_or(&format!("lens/custom_function/{name}"), default);
    let name = camera.text(TYPE).unwrap_or_else(|| "stereographic".to_owned());
    let (function, c1, c2, c3) = match name.trim() {
        "gnomonical" => (Function::Tangent, 1.0, 1.0, 0.0),
        "stereographic" => (Function::Tangent, 2.0, 2.0, 0.0),
        "equidistant" => (Function::Identity, 1.0, 1.0, 0.0),
        "equisolid_angle" => (Function::Sine, 2.0, 2.0, 0.0),
        "orthographic" => (Function::Sine, 1.0, 1.0, 0.0),
        "custom" => {
            const FUN: &str = "lens/custom_function/fun";
            let fun = camera.text(FUN).unwrap_or_else(|| "tan".to_owned());
            let function = match fun.trim() {
                "sin" => Function::Sine,
                "tan" => Function::Tangent,
                "id" => Function::Identity,
                _ => return Err(camera.refuse(FUN, &fun, "sin, tan or id")),
            };
            (function, custom("c1", 1.0)?, custom("c2", 1.0)?, custom("c3", 0.0)?)
        }
        _ => {
            let expected = "gnomonical, stereographic, equidistant, equisolid_angle, orthographic or custom";
            return Err(camera.refuse(TYPE, &name, expected));
        }
    };
    let f = custom("f", 1.0)?;
    let is_scaled = camera.get_or("lens/scale_to_hfov", true)?;
    let cutoff = camera.get_or("lens/cutoff_angle", fov / 2.0)?;
    let face = camera.get_or("lens/env_texture_size", 512_u32)?;
    if !(8..=4096).contains(&face) {
        return Err(camera.refuse("lens/env_texture_size", &face.to_string(), "8 to 4096 pixels"));
    }
    if !(cutoff > 0.0 && cutoff <= PI) {
        return Err(camera.refuse(
            "lens/cutoff_angle",
            &cutoff.to_string(),
            "radians above 0 and at most pi",
        ));
    }
    let mut wide = Wide { function, c1, c2, c3, f, cutoff, face };
    let half = f64::from(size[0]) / 2.0;
    if is_scaled {
        // The edge of the image is at half of the field of view.
        let radius = Wide { f: 1.0, ..wide.clone() }.radius(fov / 2.0);
        wide.f = half / radius;
    } else {
        wide.f *= half;
    }
    if !(wide.f * wide.c1 > 0.0 && wide.f.is_finite() && wide.c2 != 0.0) {
        let expected =
            "a lens that shows its field of view; orthographic and gnomonical ones show less than pi";
        return Err(camera.refuse("horizontal_fov", &fov.to_string(), expected));
    }
    let center = size.map(|pixels| (f64::from(pixels) - 1.0) / 2.0);
    Ok(Lens { size, focal: [1.0; 2], center, distortion: Distortion::Wide(wide) })
}

fn read_pixels(camera: &Element, path: &str, default: u32) -> Result<u32> {
    let pixels = camera.get_or(path, default)?;
    if pixels > 0 { Ok(pixels) } else { Err(camera.refuse(path, "0", "1 pixel or more")) }
}

fn read_clip(camera: &Element, path: &str, default: (f64, f64)) -> Result<(f64, f64)> {
    let (near_path, far_path) = (format!("{path}/near"), format!("{path}/far"));
    let near = camera.get_or(&near_path, default.0)?;
    let far = camera.get_or(&far_path, default.1)?;
    if !(near >= 0.0 && near.is_finite()) {
        return Err(camera.refuse(&near_path, &near.to_string(), "0 or more metres"));
    }
    if !(far > near && far.is_finite()) {
        let expected = format!("more metres than near, which is {near}");
        return Err(camera.refuse(&far_path, &far.to_string(), expected));
    }
    Ok((near, far))
}
