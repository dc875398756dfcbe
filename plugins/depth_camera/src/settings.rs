//! The checked `<camera>` element of a sensor. Read once in `awake`.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::Params;
use bridgehead_plugin_api::noise::Noise;
use bridgehead_plugin_api::random::RandomKey;

use crate::lens::Lens;

/// More pixels than any depth camera has; a larger number is a mistake that would exhaust memory.
const MAX_PIXELS: u32 = 1 << 22;

/// SDF's default horizontal field of view, rad.
const HORIZONTAL_FOV: f64 = 1.047;

/// The parameters.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) lens: Lens,
    /// Smallest depth along the optical axis, m.
    pub(crate) near: f64,
    /// Largest depth along the optical axis, m.
    pub(crate) far: f64,
    /// Noise of the depth, m.
    pub(crate) noise: Noise,
}

impl Settings {
    pub(crate) fn read(params: Params, random: RandomKey) -> Result<Self> {
        let (near, far) = read_clip(params)?;
        // Read so that they are not reported as unknown: pixels are always floats, and points have no separate topic.
        for path in ["camera/image/format", "camera/depth_camera/output", "camera/depth_camera"] {
            let _: Option<String> = params.text(path);
        }
        Ok(Settings {
            lens: read_lens(params)?,
            near,
            far,
            noise: Noise::read(params, "camera/noise", random)?,
        })
    }
}

fn read_lens(params: Params) -> Result<Lens> {
    const FOV: &str = "camera/horizontal_fov";
    let width = read_pixels(params, "camera/image/width", 320)?;
    let height = read_pixels(params, "camera/image/height", 240)?;
    if u64::from(width) * u64::from(height) > u64::from(MAX_PIXELS) {
        let found = format!("{width} x {height} pixels");
        return Err(params.refuse("camera/image", &found, format!("at most {MAX_PIXELS} pixels in total")));
    }
    let fov = params.get_or(FOV, HORIZONTAL_FOV)?;
    if !(fov > 0.0 && fov < std::f64::consts::PI) {
        return Err(params.refuse(FOV, &fov.to_string(), "radians above 0 and below pi"));
    }
    let lens = Lens::with_angle(width, height, fov);
    let number = |name: &str, default: f64| params.get_or(&format!("camera/lens/intrinsics/{name}"), default);
    let focal = |name: &str, default: f64| {
        let value = number(name, default)?;
        let path = format!("camera/lens/intrinsics/{name}");
        let is_right = value > 0.0 && value.is_finite();
        if is_right { Ok(value) } else { Err(params.refuse(&path, &value.to_string(), "pixels above 0")) }
    };
    let ([fx, fy], [cx, cy]) = (lens.focal, lens.center);
    Ok(Lens {
        focal: [focal("fx", fx)?, focal("fy", fy)?],
        center: [number("cx", cx)?, number("cy", cy)?],
        ..lens
    })
}

fn read_pixels(params: Params, path: &str, default: u32) -> Result<u32> {
    let pixels = params.get_or(path, default)?;
    if pixels > 0 { Ok(pixels) } else { Err(params.refuse(path, "0", "1 pixel or more")) }
}

/// `<depth_camera><clip>` takes precedence over `<clip>`, as in SDF.
fn read_clip(params: Params) -> Result<(f64, f64)> {
    let pick = |name: &str| {
        let paths = ["camera/depth_camera/clip", "camera/clip"].map(|clip| format!("{clip}/{name}"));
        let [own, general] = paths;
        // Both are read, so that neither is reported as unknown.
        let is_own = params.text(&own).is_some();
        let _: Option<String> = params.text(&general);
        if is_own { own } else { general }
    };
    let (near_path, far_path) = (pick("near"), pick("far"));
    let near = params.get_or(&near_path, 0.1)?;
    let far = params.get_or(&far_path, 100.0)?;
    if !(near >= 0.0 && near.is_finite()) {
        return Err(params.refuse(&near_path, &near.to_string(), "0 or more metres"));
    }
    if !(far > near && far.is_finite()) {
        return Err(params.refuse(
            &far_path,
            &far.to_string(),
            format!("more metres than near, which is {near}"),
        ));
    }
    Ok((near, far))
}
