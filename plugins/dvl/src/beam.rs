//! The beams of a Doppler velocity log.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::Params;

/// A beam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Beam {
    pub(crate) id: u32,
    /// Unit vector, frame of the sensor.
    pub(crate) direction: [f64; 3],
}

/// The tilt and the rotations of beams without parameters, rad: four in a cross, as usual.
const TILT: f64 = std::f64::consts::FRAC_PI_6;

/// Reads the `<beam>`s of an arrangement. A beam tilts from straight down towards its rotation about z.
///
/// # Errors
/// Returns an error with the place if there are fewer than three beams, or a number is not finite.
pub(crate) fn read(params: Params, path: &str) -> Result<Vec<Beam>> {
    let is_in_degrees = params.get_or(&format!("{path}/@degrees"), false)?;
    let unit = if is_in_degrees { std::f64::consts::PI / 180.0 } else { 1.0 };
    let count = params.count(&format!("{path}/beam"));
    if count == 0 {
        return Ok((0..4_u8).map(|index| beam(u32::from(index), cross(index), TILT)).collect());
    }
    if count < 3 {
        let expected = "three beams or more: a velocity has three components";
        return Err(params.refuse(&format!("{path}/beam"), &count.to_string(), expected));
    }
    // As in Gazebo, a beam without an id has the one behind that of the beam before it.
    let mut next = 0_u32;
    let mut each = |index: usize| {
        let path = format!("{path}/beam[{index}]");
        let number =
            |name: &str| -> Result<f64> { Ok(params.finite_or(&format!("{path}/{name}"), 0.0)? * unit) };
        let id = params.get_or(&format!("{path}/@id"), next)?;
        next = id.saturating_add(1);
        // A beam is its middle line.
        number("aperture")?;
        Ok(beam(id, number("rotation")?, number("tilt")?))
    };
    (0..count).map(&mut each).collect()
}

fn cross(index: u8) -> f64 {
    std::f64::consts::FRAC_PI_4 + f64::from(index) * std::f64::consts::FRAC_PI_2
}

fn beam(id: u32, rotation: f64, tilt: f64) -> Beam {
    let ((sin, cos), (away, down)) = (libm::sincos(rotation), libm::sincos(tilt));
    Beam { id, direction: [away * cos, away * sin, -down] }
}
