//! Controls of an autopilot as speeds of rotors and positions of servos.

use bridgehead_autopilot::commands::Servo;

use crate::message::HilActuatorControls;

/// The bit of `mode` of an armed vehicle (`MAV_MODE_FLAG_SAFETY_ARMED`).
const ARMED: u8 = 128;

/// Returns the speeds of the first rotors, rad/s: those of `ends` at 0 and at 1. Those of a vehicle that is not armed stand.
pub(crate) fn rotor_speeds(answer: &HilActuatorControls, rotors: usize, [min, max]: [f64; 2]) -> Vec<f64> {
    let is_armed = answer.mode & ARMED != 0;
    let speed = |control: &f32| {
        let control = f64::from(*control);
        // A control that is not a number is one without output.
        if is_armed && control.is_finite() { min + (max - min) * control.clamp(0.0, 1.0) } else { 0.0 }
    };
    answer.controls.iter().take(rotors).map(speed).collect()
}

/// Returns the positions of servos, whose controls are from -1 to 1. One without output stays.
pub(crate) fn positions<'a>(servos: &'a [Servo], answer: &HilActuatorControls) -> Vec<(&'a Servo, f64)> {
    let position = |servo: &'a Servo| {
        let control = answer.controls.get(servo.channel).copied().filter(|control| control.is_finite())?;
        Some((servo, servo.position((f64::from(control) + 1.0) / 2.0)))
    };
    servos.iter().filter_map(position).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(given: &[f32], mode: u8) -> HilActuatorControls {
        let mut controls = [0.0; 16];
        controls[..given.len()].copy_from_slice(given);
        HilActuatorControls { controls, mode, ..HilActuatorControls::default() }
    }

    #[test]
    fn rotors_turn_only_if_the_vehicle_is_armed() {
        let controls = [0.0, 0.5, 1.0, 2.0, -1.0, f32::NAN];
        let speeds = |mode: u8| rotor_speeds(&answer(&controls, mode), 6, [100.0, 1100.0]);
        assert_eq!(speeds(129), [100.0, 600.0, 1100.0, 1100.0, 100.0, 0.0]);
        assert_eq!(speeds(1), [0.0; 6]);
        assert!(rotor_speeds(&answer(&controls, 129), 0, [0.0, 1.0]).is_empty());
    }

    #[test]
    fn servos_have_controls_of_both_signs() {
        let servos = Servo::list("1:/plane/aileron:-0.5:0.5,3:/plane/flap:0:1").expect("servos");
        let found = |controls: &[f32]| {
            positions(&servos, &answer(controls, 1)).iter().map(|(_, at)| *at).collect::<Vec<_>>()
        };
        assert_eq!(found(&[-1.0, 0.0, 0.5]), [-0.5, 0.75]);
        assert_eq!(found(&[f32::NAN, 0.0, 0.0]), [0.5]);
    }
}
