//! Wheels with rollers at 45° and the motion of their vehicle. Pure.

/// Front left, front right, back left, back right: radians or rad/s.
pub(crate) type Corners = [f64; 4];

/// A motion in the frame of the vehicle: metres and radians, or m/s and rad/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Motion {
    pub(crate) forward: f64,
    pub(crate) left: f64,
    pub(crate) turn: f64,
}

/// The measures of a vehicle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kinematics {
    radius: f64,
    /// Half of the wheel base and half of the separation together.
    arm: f64,
}

impl Kinematics {
    pub(crate) fn new(radius: f64, separation: f64, base: f64) -> Self {
        Kinematics { radius, arm: (separation + base) / 2.0 }
    }

    /// How fast the wheels run for a motion.
    pub(crate) fn rates(&self, motion: &Motion) -> Corners {
        let Motion { forward, left, turn } = *motion;
        let turn = turn * self.arm;
        [forward - left - turn, forward + left + turn, forward + left - turn, forward - left + turn]
            .map(|speed| speed / self.radius)
    }

    /// The motion that the wheels make: the inverse, in which wheels that slip against each other cancel.
    pub(crate) fn motion(&self, wheels: &Corners) -> Motion {
        let [front_left, front_right, back_left, back_right] = wheels.map(|angle| angle * self.radius / 4.0);
        Motion {
            forward: front_left + front_right + back_left + back_right,
            left: front_right + back_left - front_left - back_right,
            turn: (front_right + back_right - front_left - back_left) / self.arm,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wheels_and_motion_are_inverse() {
        let kinematics = Kinematics::new(0.1, 0.6, 0.4);
        for (forward, left, turn) in [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.3, -0.7, 0.2)] {
            let motion = Motion { forward, left, turn };
            let found = kinematics.motion(&kinematics.rates(&motion));
            let error =
                (found.forward - forward).abs() + (found.left - left).abs() + (found.turn - turn).abs();
            assert!(error < 1e-12, "{found:?}");
        }
        let sideways = kinematics.rates(&Motion { forward: 0.0, left: 0.1, turn: 0.0 });
        assert_eq!(sideways, [-1.0, 1.0, 1.0, -1.0]);
        let turning = kinematics.rates(&Motion { forward: 0.0, left: 0.0, turn: 0.2 });
        assert_eq!(turning, [-1.0, 1.0, -1.0, 1.0]);
    }
}
