//! A quadrotor, and the law by which stand-ins for autopilots hover it. Each stand-in speaks a protocol of its own.

/// Of the vehicle: kilograms, kg m² about x and y and about z, metres from its middle to a rotor in x and y, N s² and metres
/// of the rotors.
const MASS: f64 = 1.54;
const INERTIA: [f64; 2] = [0.03, 0.05];
const ARM: f64 = 0.2;
const THRUST: f64 = 8.548_58e-6;
const MOMENT: f64 = 0.016;
/// Greatest speed of a rotor, radians per second.
pub(crate) const MAX_SPEED: f64 = 1000.0;

/// What an autopilot knows of the vehicle: NED and FRD.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct State {
    pub(crate) gyro: [f64; 3],
    pub(crate) position: [f64; 3],
    pub(crate) velocity: [f64; 3],
    /// Roll, pitch, yaw.
    pub(crate) angles: [f64; 3],
}

/// Returns roll, pitch and yaw of a quaternion w, x, y, z.
pub(crate) fn angles([w, x, y, z]: [f64; 4]) -> [f64; 3] {
    [
        (2.0 * (w * x + y * z)).atan2(1.0 - 2.0 * (x * x + y * y)),
        (2.0 * (w * y - z * x)).clamp(-1.0, 1.0).asin(),
        (2.0 * (w * z + x * y)).atan2(1.0 - 2.0 * (y * y + z * z)),
    ]
}

impl State {
    /// Returns the speeds of the rotors, as shares of the greatest one, that hold a position with the nose to the east: front
    /// right, rear left, front left, rear right.
    pub(crate) fn speeds(&self, target: [f64; 3]) -> [f64; 4] {
        let [roll, pitch, yaw] = self.angles;
        let wanted: Vec<f64> =
            (0..3).map(|axis| target[axis] - self.position[axis] - 1.6 * self.velocity[axis]).collect();
        let (sin, cos) = yaw.sin_cos();
        let (forward, right) = (cos * wanted[0] + sin * wanted[1], -sin * wanted[0] + cos * wanted[1]);
        let tilt = |acceleration: f64| (acceleration / 9.81).clamp(-0.3, 0.3);
        let errors = [roll - tilt(right), pitch + tilt(forward), yaw - std::f64::consts::FRAC_PI_2];
        // Of the angles and of the rates; a rotor follows within 25 ms, so they are soft.
        let gains = [[30.0, 6.0], [30.0, 6.0], [2.0, 5.0]];
        let torque: Vec<f64> = (0..3)
            .map(|axis| {
                let [of_angle, of_rate] = gains[axis];
                INERTIA[usize::from(axis == 2)] * (-of_angle * errors[axis] - of_rate * self.gyro[axis])
            })
            .collect();
        let thrust = MASS * (9.81 - wanted[2]);
        // Signs of roll, pitch and yaw.
        let rotors = [[-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -1.0], [-1.0, -1.0, -1.0]];
        rotors.map(|signs| {
            let parts =
                signs[0] * torque[0] / ARM + signs[1] * torque[1] / ARM + signs[2] * torque[2] / MOMENT;
            (((thrust + parts).max(0.0) / 4.0 / THRUST).sqrt() / MAX_SPEED).min(1.0)
        })
    }
}

/// The model of the vehicle, at a place; `inside` is what its base has besides.
pub(crate) fn copter(name: &str, [y, z]: [f64; 2], inside: &str) -> String {
    let inertial = "<inertial><mass>1.5</mass><inertia><ixx>0.03</ixx><iyy>0.03</iyy><izz>0.05</izz></inertia></inertial>";
    let rotors = [(ARM, -ARM, "ccw"), (-ARM, ARM, "ccw"), (ARM, ARM, "cw"), (-ARM, -ARM, "cw")];
    let rotors: String = rotors
        .iter()
        .enumerate()
        .map(|(index, (x, y, turn))| {
            format!(
                "<link name='rotor_{index}'><pose>{x} {y} 0.05 0 0 0</pose><inertial><mass>0.01</mass><inertia>
                 <ixx>1e-5</ixx><iyy>1e-5</iyy><izz>2e-5</izz></inertia></inertial></link>
                 <joint name='rotor_{index}_joint' type='continuous'><parent>base</parent><child>rotor_{index}</child>
                 <axis><xyz>0 0 1</xyz></axis></joint>
                 <plugin filename='multicopter_motor' name='motor_{index}'><jointName>rotor_{index}_joint</jointName>
                 <linkName>rotor_{index}</linkName><turningDirection>{turn}</turningDirection>
                 <maxRotVelocity>{MAX_SPEED}</maxRotVelocity><motorConstant>{THRUST}</motorConstant>
                 <momentConstant>{MOMENT}</momentConstant><actuator_number>{index}</actuator_number>
                 <rotorDragCoefficient>0</rotorDragCoefficient><rollingMomentCoefficient>0</rollingMomentCoefficient>
                 </plugin>"
            )
        })
        .collect();
    format!(
        "<model name='{name}'><pose>0 {y} {z} 0 0 0</pose><link name='base'>{inertial}
         <sensor name='imu' type='imu'><update_rate>1000</update_rate></sensor>{inside}</link>{rotors}
         <plugin filename='odometry_publisher' name='odometry'><dimensions>3</dimensions>
         <odom_publish_frequency>0</odom_publish_frequency></plugin></model>"
    )
}
