//! The arithmetic of poses against figures worked out by hand.

use super::Pose;
use glam::{DQuat, DVec3};
use std::f64::consts::FRAC_PI_2;

fn assert_near(a: DVec3, b: DVec3) {
    assert!(a.distance(b) < 1e-12, "{a} is not {b}");
}

#[test]
fn rpy_turns_about_fixed_x_then_y_then_z() {
    let pose = Pose::from_rpy(DVec3::ZERO, FRAC_PI_2, 0.0, FRAC_PI_2);
    // x by roll: y goes to z; then z by yaw leaves it there.
    assert_near(pose.rotate(DVec3::Y), DVec3::Z);
    assert_near(pose.rotate(DVec3::X), DVec3::Y);
}

#[test]
fn compose_places_the_child_in_the_turned_parent() {
    let parent = Pose::from_rpy(DVec3::new(1.0, 0.0, 0.0), 0.0, 0.0, FRAC_PI_2);
    let child = Pose::from_position(DVec3::new(2.0, 0.0, 0.5));
    assert_near((parent * child).position, DVec3::new(1.0, 2.0, 0.5));
    assert_near(parent.transform_point(child.position), DVec3::new(1.0, 2.0, 0.5));
}

#[test]
fn inverse_undoes_and_relative_to_is_its_use() {
    let a = Pose::from_rpy(DVec3::new(1.0, -2.0, 3.0), 0.3, -0.8, 2.0);
    let b = Pose::from_rpy(DVec3::new(0.2, 5.0, -1.0), -1.1, 0.4, 0.9);
    let back = a.compose(&a.inverse());
    assert_near(back.position, DVec3::ZERO);
    assert!(back.rotation.angle_between(DQuat::IDENTITY) < 1e-12);
    let again = a.compose(&b.relative_to(&a));
    assert_near(again.position, b.position);
    assert!(again.rotation.angle_between(b.rotation) < 1e-7);
}

#[test]
fn rpy_comes_back_from_the_quaternion() {
    for [roll, pitch, yaw] in [[0.1, 0.2, 0.3], [-3.0, 1.5, -2.9], [0.0, 0.0, 3.1], [2.0, -1.2, 0.4]] {
        let found = Pose::from_rpy(DVec3::ZERO, roll, pitch, yaw).rpy();
        for (found, given) in found.into_iter().zip([roll, pitch, yaw]) {
            assert!((found - given).abs() < 1e-9, "{found} is not {given}");
        }
    }
}

#[test]
fn at_gimbal_lock_the_rotation_is_kept_with_yaw_zero() {
    for pitch in [FRAC_PI_2, -FRAC_PI_2] {
        let pose = Pose::from_rpy(DVec3::ZERO, 0.7, pitch, 0.2);
        let [roll, found, yaw] = pose.rpy();
        assert_eq!((found, yaw), (pitch, 0.0));
        let again = Pose::from_rpy(DVec3::ZERO, roll, found, yaw);
        assert!(again.rotate(DVec3::X).distance(pose.rotate(DVec3::X)) < 1e-6);
        assert!(again.rotate(DVec3::Y).distance(pose.rotate(DVec3::Y)) < 1e-6);
    }
}

#[test]
fn rpy_keeps_the_rotation_next_to_gimbal_lock() {
    for exponent in 1..16 {
        for side in [-1.0, 1.0] {
            let pitch = side * (FRAC_PI_2 - 10_f64.powi(-exponent));
            let pose = Pose::from_rpy(DVec3::ZERO, 0.7, pitch, -2.1);
            let [roll, pitch, yaw] = pose.rpy();
            let again = Pose::from_rpy(DVec3::ZERO, roll, pitch, yaw);
            assert!(
                again.is_within(&pose, 0.0, 1e-11),
                "1e-{exponent} from {side} · 90°: {again:?}, {pose:?}"
            );
        }
    }
}

#[test]
fn small_differences_of_poses_are_measured() {
    let pose = Pose::from_rpy(DVec3::new(1.0, 2.0, 3.0), 0.4, 0.5, 0.6);
    let turned = pose.compose(&Pose::from_rpy(DVec3::ZERO, 0.0, 2e-9, 0.0));
    assert!(turned.is_within(&pose, 1e-12, 2.1e-9) && !turned.is_within(&pose, 1.0, 1.9e-9));
    let moved = Pose::new(pose.position + DVec3::new(0.0, 3e-9, 4e-9), -pose.rotation);
    assert!(moved.is_within(&pose, 5.1e-9, 1e-12) && !moved.is_within(&pose, 4.9e-9, 1.0));
}

#[test]
fn a_pose_with_nan_is_not_finite() {
    assert!(Pose::IDENTITY.is_finite());
    assert!(!Pose::from_position(DVec3::new(f64::NAN, 0.0, 0.0)).is_finite());
}
