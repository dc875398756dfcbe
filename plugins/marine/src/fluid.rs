//! The densities of the fluids of a world, in layers above each other. Plain values.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{Params, Volume};
use bridgehead_plugin_api::vector::{add, scale};

/// Density of water, kg/m³: the default of Gazebo's buoyancy system.
const WATER: f64 = 1000.0;

/// The fluids of a world.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fluids {
    /// Density below all changes, kg/m³.
    lowest: f64,
    /// Height in the world at which the density changes, and the density above it, upwards.
    changes: Vec<(f64, f64)>,
}

impl Fluids {
    /// Reads `<uniform_fluid_density>` or, without it, `<graded_buoyancy>`.
    pub(crate) fn read(params: Params) -> Result<Self> {
        if params.count("uniform_fluid_density") > 0 || params.count("graded_buoyancy") == 0 {
            let lowest = params.not_negative_or("uniform_fluid_density", WATER)?;
            return Ok(Fluids { lowest, changes: Vec::new() });
        }
        let lowest = params.not_negative_or("graded_buoyancy/default_density", WATER)?;
        let count = params.count("graded_buoyancy/density_change");
        let mut changes = (0..count).map(|index| change(params, index)).collect::<Result<Vec<_>>>()?;
        changes.sort_by(|one, other| one.0.total_cmp(&other.0));
        Ok(Fluids { lowest, changes })
    }

    /// The mass of the fluid that a body displaces, with its centre. `below` gives the part of the body below a height.
    pub(crate) fn displaced(&self, mut below: impl FnMut(f64) -> Result<Volume>) -> Result<Displaced> {
        let mut displaced = Displaced::default();
        let mut under = Volume::default();
        let mut density = self.lowest;
        for (height, above) in &self.changes {
            let part = below(*height)?;
            displaced.add(density, &part, &under);
            (under, density) = (part, *above);
        }
        let whole = if density > 0.0 || self.changes.is_empty() { below(f64::INFINITY)? } else { under };
        displaced.add(density, &whole, &under);
        Ok(displaced)
    }
}

/// A change of the density. Like Gazebo's `Buoyancy.cc`, it takes 0 for a missing number and warns.
fn change(params: Params, index: usize) -> Result<(f64, f64)> {
    let change = format!("graded_buoyancy/density_change[{index}]");
    let [height, density] = ["above_depth", "density"].map(|name| format!("{change}/{name}"));
    for (path, name) in [(&height, "above_depth"), (&density, "density")] {
        if params.count(path) == 0 {
            let place = params.place(&change).unwrap_or_default();
            log::warn!("{place}: <density_change> has no <{name}>; 0 is used");
        }
    }
    Ok((params.finite_or(&height, 0.0)?, params.not_negative_or(&density, 0.0)?))
}

/// Displaced fluid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Displaced {
    /// Kilograms.
    pub(crate) mass: f64,
    /// Mass times position, kg m.
    moment: [f64; 3],
}

impl Displaced {
    /// Adds what is in `upto` but not in `under`, at a density.
    fn add(&mut self, density: f64, upto: &Volume, under: &Volume) {
        let first = add(scale(upto.center, upto.volume), scale(under.center, -under.volume));
        self.mass += density * (upto.volume - under.volume);
        self.moment = add(self.moment, scale(first, density));
    }

    /// Its centre in the world; `None` if nothing is displaced.
    pub(crate) fn center(&self) -> Option<[f64; 3]> {
        (self.mass > 0.0).then(|| scale(self.moment, 1.0 / self.mass))
    }
}
