//! Forces against their closed forms.

use super::*;

/// A wing of 4 m² and 8 m span.
const PLANE: Airframe = Airframe {
    density: 1.2,
    area: 4.0,
    aspect: 16.0,
    efficiency: 0.9,
    span: 8.0,
    chord: 0.5,
    stall: 0.3,
    at_rest: [0.02, 0.0, 0.25, 0.0, 0.05, 0.0],
    alpha: [0.0, 0.0, 5.0, 0.0, -1.0, 0.0],
    beta: [0.0, -0.3, 0.0, -0.1, 0.0, 0.2],
    rates: [
        [0.0, 0.0, 0.0, -0.5, 0.0, 0.0],
        [0.0, 0.0, 4.0, 0.0, -12.0, 0.0],
        [0.0, 0.1, 0.0, 0.0, 0.0, -0.2],
    ],
    pitch_beyond: -2.0,
    axes: [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]],
};

/// q A at 20 m/s.
const PRESSURE: f64 = 0.5 * 1.2 * 400.0 * 4.0;

#[track_caller]
fn assert_wrench(found: Option<([f64; 3], [f64; 3])>, force: [f64; 3], torque: [f64; 3]) {
    let found = found.expect("a wrench");
    let pairs = found.0.into_iter().zip(force).chain(found.1.into_iter().zip(torque));
    assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-3 * (1.0 + b.abs())), "{found:?}");
}

#[test]
fn level_flight_has_the_lift_and_the_induced_drag_of_its_wing() {
    let drag = 0.02 + 0.25 * 0.25 / (PI * 16.0 * 0.9);
    // A positive pitch coefficient lifts the nose: about -y of the link, which has y to the left.
    let torque = [0.0, -0.05 * PRESSURE * 0.5, 0.0];
    let plane = Airframe { stall: 1.5, ..PLANE };
    assert_wrench(
        plane.wrench([20.0, 0.0, 0.0], [0.0; 3], &[0.0; 6]),
        [-drag * PRESSURE, 0.0, 0.25 * PRESSURE],
        torque,
    );
    assert_eq!(PLANE.wrench([0.0, 3.0, 0.0], [0.0; 3], &[0.0; 6]), None, "air along the wing");
}

#[test]
fn lift_grows_with_the_angle_and_ends_in_a_stall() {
    let plane = Airframe { at_rest: [0.0; 6], stall: 0.5, ..PLANE };
    let lift = |alpha: f64| {
        let (sin, cos) = alpha.sin_cos();
        let (force, _) = plane.wrench([20.0 * cos, 0.0, -20.0 * sin], [0.0; 3], &[0.0; 6]).expect("a wrench");
        dot(force, [sin, 0.0, cos]) / PRESSURE
    };
    assert!((lift(0.02) - 5.0 * 0.02).abs() < 2e-3, "{}", lift(0.02));
    // A flat plate: 2 sin² α cos α.
    let plate = 2.0 * 1.2_f64.sin().powi(2) * 1.2_f64.cos();
    assert!((lift(1.2) - plate).abs() < 1e-3 && (lift(-1.2) + plate).abs() < 1e-3);
}

#[test]
fn angular_velocities_are_damped() {
    let still = PLANE.wrench([20.0, 0.0, 0.0], [0.0; 3], &[0.0; 6]).expect("a wrench");
    let turning = PLANE.wrench([20.0, 0.0, 0.0], [0.5, 0.25, 0.125], &[0.0; 6]).expect("a wrench");
    let half = 0.5 * 1.2 * 20.0 * 4.0;
    let expected = [
        -0.5 * 0.5 * 8.0 / 2.0 * half * 8.0,
        // Both the rate and the moment are about -y.
        -12.0 * 0.25 * 0.5 / 2.0 * half * 0.5,
        -0.2 * 0.125 * 8.0 / 2.0 * half * 8.0,
    ];
    for (axis, expected) in expected.into_iter().enumerate() {
        assert!((turning.1[axis] - still.1[axis] - expected).abs() < 1e-6, "{axis}: {turning:?}");
    }
    // Turning the nose up, about -y, lifts.
    let lifted = PLANE.wrench([20.0, 0.0, 0.0], [0.0, -0.25, 0.0], &[0.0; 6]).expect("a wrench");
    assert!((lifted.0[2] - still.0[2] - 4.0 * 0.25 * 0.5 / 2.0 * half).abs() < 1e-6);
}

#[test]
fn sideslip_and_surfaces_add_to_the_coefficients() {
    let still = PLANE.wrench([20.0, 0.0, 0.0], [0.0; 3], &[0.0; 6]).expect("a wrench");
    let rolled =
        PLANE.wrench([20.0, 0.0, 0.0], [0.0; 3], &[0.0, 0.0, 0.0, 0.01, 0.0, 0.0]).expect("a wrench");
    assert!((rolled.1[0] - still.1[0] - 0.01 * PRESSURE * 8.0).abs() < 1e-6);
    // Moving to the right, along -y: the side force is to the left, and the nose turns to the right, about -z.
    let beta = 0.1_f64;
    let slipping = PLANE.wrench([20.0, -20.0 * beta.tan(), 0.0], [0.0; 3], &[0.0; 6]).expect("a wrench");
    assert!((slipping.0[1] - 0.3 * beta * PRESSURE).abs() < 1e-6, "{slipping:?}");
    assert!((slipping.1[2] + 0.2 * beta * PRESSURE * 8.0).abs() < 1e-6, "{slipping:?}");
}

#[test]
fn the_slope_of_the_pitch_moment_changes_at_the_stall() {
    let pitch = |alpha: f64| PLANE.coefficients(alpha, 0.0, &[0.0; 6])[PITCH];
    assert!((pitch(0.2) - (0.05 - 0.2)).abs() < 1e-12);
    assert!((pitch(0.5) - (0.05 - 0.3 - 2.0 * 0.2)).abs() < 1e-12);
    assert!((pitch(-0.5) - (0.05 + 0.3 + 2.0 * 0.2)).abs() < 1e-12);
}
