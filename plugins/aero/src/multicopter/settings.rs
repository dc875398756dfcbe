//! The parameters of the controller, with the names of Gazebo's.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{JointId, Model, Params};
use bridgehead_plugin_api::random::Random;
use bridgehead_plugin_api::vector::Vector;

/// A rotor, as the controller knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RotorSettings {
    pub(super) joint: JointId,
    pub(super) force: f64,
    pub(super) moment: f64,
    pub(super) direction: f64,
}

/// Noise of a measured velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct VectorNoise {
    mean: Vector,
    deviation: Vector,
}

impl VectorNoise {
    /// Adds noise to the numbers that have a deviation; in Gazebo's `Common.cc` the mean has no effect without one.
    pub(super) fn apply(&self, vector: Vector, random: &mut Random) -> Vector {
        std::array::from_fn(|axis| {
            let (mean, deviation) = (self.mean[axis], self.deviation[axis]);
            if deviation > 0.0 { random.gaussian(vector[axis] + mean, deviation) } else { vector[axis] }
        })
    }
}

/// All of them.
pub(super) struct Settings {
    pub(super) velocity_gain: Vector,
    pub(super) attitude_gain: Vector,
    pub(super) rate_gain: Vector,
    /// m/s².
    pub(super) most_acceleration: Vector,
    /// m/s.
    pub(super) most_linear: Vector,
    /// rad/s.
    pub(super) most_angular: Vector,
    /// Of the linear and the angular velocity.
    pub(super) noise: [VectorNoise; 2],
    pub(super) rotors: Vec<RotorSettings>,
}

impl Settings {
    pub(super) fn read(params: Params, model: Model) -> Result<Self> {
        let noise = |name: &str| -> Result<VectorNoise> {
            let mean = params.get_or(&format!("{name}NoiseMean"), [0.0; 3])?;
            Ok(VectorNoise {
                mean,
                deviation: amounts(params, &format!("{name}NoiseStdDev"), Some([0.0; 3]))?,
            })
        };
        let count = params.count("rotorConfiguration/rotor");
        let rotors = (0..count).map(|index| rotor(params, model, index)).collect::<Result<Vec<_>>>()?;
        Ok(Settings {
            velocity_gain: amounts(params, "velocityGain", None)?,
            attitude_gain: amounts(params, "attitudeGain", None)?,
            rate_gain: amounts(params, "angularRateGain", None)?,
            most_acceleration: amounts(params, "maximumLinearAcceleration", Some([f64::INFINITY; 3]))?,
            // Gazebo's `MulticopterVelocityControl.cc` takes the amounts of these.
            most_linear: params.get_or("maximumLinearVelocity", [f64::INFINITY; 3])?.map(f64::abs),
            most_angular: params.get_or("maximumAngularVelocity", [f64::INFINITY; 3])?.map(f64::abs),
            noise: [noise("linearVelocity")?, noise("angularVelocity")?],
            rotors,
        })
    }

    pub(super) fn has_noise(&self) -> bool {
        self.noise != [VectorNoise::default(); 2]
    }
}

/// Three numbers that are not negative.
fn amounts(params: Params, path: &str, default: Option<Vector>) -> Result<Vector> {
    let vector = match default {
        Some(default) => params.get_or(path, default)?,
        None => params.require(path)?,
    };
    if vector.iter().all(|value| *value >= 0.0) {
        return Ok(vector);
    }
    Err(params.refuse(path, &params.text(path).unwrap_or_default(), "three numbers of 0 or more"))
}

fn rotor(params: Params, model: Model, index: usize) -> Result<RotorSettings> {
    let path = |name: &str| format!("rotorConfiguration/rotor[{index}]/{name}");
    let joint = params.turning_joint(model, &path("jointName"))?;
    for name in ["forceConstant", "momentConstant"] {
        params.require::<f64>(&path(name))?;
    }
    let direction: f64 = params.require(&path("direction"))?;
    if direction.abs() != 1.0 {
        return Err(params.refuse(&path("direction"), &direction.to_string(), "1 or -1"));
    }
    Ok(RotorSettings {
        joint: joint.id,
        force: params.positive_or(&path("forceConstant"), 1.0)?,
        moment: params.not_negative_or(&path("momentConstant"), 0.0)?,
        direction,
    })
}
