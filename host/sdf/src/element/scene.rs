//! `<scene>`: the light and the background of a world. Plain values, usable from any thread.

use super::material::Rgba;

/// A `<scene>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Light from all directions.
    pub ambient: Rgba,
    /// Colour where nothing is.
    pub background: Rgba,
    /// The sky, if it is shown.
    pub sky: Option<Sky>,
    /// True if things cast shadows.
    pub shadows: bool,
    /// True if viewers show a grid.
    pub grid: bool,
    /// Fog, if there is any.
    pub fog: Option<Fog>,
}

impl Default for Scene {
    fn default() -> Self {
        // sdformat `sdf/1.12/scene.sdf`.
        Self {
            ambient: [0.4, 0.4, 0.4, 1.0],
            background: [0.7, 0.7, 0.7, 1.0],
            sky: None,
            shadows: true,
            grid: true,
            fog: None,
        }
    }
}

/// A `<sky>`; clouds move with the wind.
#[derive(Clone, Debug, PartialEq)]
pub struct Sky {
    /// Time of day, hours.
    pub time: f64,
    /// Time of sunrise, hours.
    pub sunrise: f64,
    /// Time of sunset, hours.
    pub sunset: f64,
}

impl Default for Sky {
    fn default() -> Self {
        // sdformat `sdf/1.12/scene.sdf`.
        Self { time: 10.0, sunrise: 6.0, sunset: 20.0 }
    }
}

/// A `<fog>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Fog {
    /// Its colour.
    pub color: Rgba,
    /// How it grows with the distance: `constant`, `linear` or `quadratic`.
    pub kind: String,
    /// Distance at which it begins, metres.
    pub start: f64,
    /// Distance at which it hides everything, metres.
    pub end: f64,
    /// Its density, at least 0.
    pub density: f64,
}
