//! Converts numbers on the command line to poses, motions and volumes as JSON messages. Pure.

use bridgehead_sdf::pose::Pose;
use serde_json::{Value, json};

use super::error::CtlError;
use crate::clock::Speed;

/// `TYPE_BOX` of `simulation_interfaces/msg/Bounds`.
const BOX: u8 = 1;
/// `TYPE_CONVEX_HULL`.
const HULL: u8 = 2;
/// `TYPE_SPHERE`.
const SPHERE: u8 = 3;

/// `x y z`, or `x y z roll pitch yaw`, as `geometry_msgs/msg/Pose`; metres and radians.
///
/// # Errors
/// Returns an error unless the text consists of three or six finite numbers.
pub(super) fn pose(text: &str) -> Result<Value, CtlError> {
    const EXPECTED: &str = "pose `x y z` or `x y z roll pitch yaw`, in metres and radians";
    let ([x, y, z], [roll, pitch, yaw]) = two_triples(text, EXPECTED)?;
    let pose = Pose::from_rpy([x, y, z].into(), roll, pitch, yaw);
    let [qx, qy, qz, qw] = pose.rotation.to_array();
    Ok(json!({"position": vector([x, y, z]), "orientation": {"x": qx, "y": qy, "z": qz, "w": qw}}))
}

/// Returns linear and angular values as `geometry_msgs/msg/Twist` or `Accel`; the angular values are optional.
///
/// # Errors
/// Returns an error unless the text consists of three or six finite numbers.
pub(super) fn motion(text: &str) -> Result<Value, CtlError> {
    const EXPECTED: &str = "motion `x y z` or `x y z wx wy wz`";
    let (linear, angular) = two_triples(text, EXPECTED)?;
    Ok(json!({"linear": vector(linear), "angular": vector(angular)}))
}

/// Returns a list of `geometry_msgs/msg/Point`; points are separated by commas or semicolons.
///
/// # Errors
/// Returns an error unless each point consists of three finite numbers.
pub(super) fn points(text: &str) -> Result<Vec<Value>, CtlError> {
    const EXPECTED: &str = "list of points `x y z, x y z, ...`";
    let parts = text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| match *numbers(part, EXPECTED)? {
            [x, y, z] => Ok(vector([x, y, z])),
            ref other => Err(wrong(part, EXPECTED, other.len())),
        })
        .collect()
}

/// Returns two opposite corners as `simulation_interfaces/msg/Bounds`.
///
/// # Errors
/// Returns an error unless the text consists of six finite numbers.
pub(super) fn cuboid(text: &str) -> Result<Value, CtlError> {
    const EXPECTED: &str = "box `x y z x y z` of two opposite corners";
    let [ax, ay, az, bx, by, bz] = *numbers(text, EXPECTED)? else {
        return Err(wrong(text, EXPECTED, numbers(text, EXPECTED)?.len()));
    };
    let highest = vector([ax.max(bx), ay.max(by), az.max(bz)]);
    let lowest = vector([ax.min(bx), ay.min(by), az.min(bz)]);
    Ok(json!({"type": BOX, "points": [highest, lowest]}))
}

/// Returns a centre and a radius as `simulation_interfaces/msg/Bounds`.
///
/// # Errors
/// Returns an error unless the text consists of four finite numbers with a radius above zero.
pub(super) fn sphere(text: &str) -> Result<Value, CtlError> {
    const EXPECTED: &str = "sphere `x y z radius`";
    match *numbers(text, EXPECTED)? {
        [x, y, z, radius] if radius > 0.0 => {
            Ok(json!({"type": SPHERE, "points": [vector([x, y, z]), vector([radius, 0.0, 0.0])]}))
        }
        [_, _, _, _] => Err(CtlError::Numbers {
            text: text.to_owned(),
            expected: EXPECTED,
            why: "the radius must be above zero".to_owned(),
        }),
        ref other => Err(wrong(text, EXPECTED, other.len())),
    }
}

/// Returns the points of a convex hull as `simulation_interfaces/msg/Bounds`.
///
/// # Errors
/// Returns an error unless there are three or more points of three finite numbers each.
pub(super) fn hull(text: &str) -> Result<Value, CtlError> {
    let points = points(text)?;
    if points.len() < 3 {
        let why = format!("it has {} points; at least three are needed", points.len());
        return Err(CtlError::Numbers { text: text.to_owned(), expected: "convex hull", why });
    }
    Ok(json!({"type": HULL, "points": points}))
}

/// Returns a speed for `set_real_time_factor`: negative is unlimited.
///
/// # Errors
/// Returns an error if the text is neither `unlimited` nor a speed that can be paced.
pub(super) fn factor(text: &str) -> Result<f64, CtlError> {
    if text == "unlimited" {
        return Ok(-1.0);
    }
    let number = text.parse().ok().filter(|number: &f64| Speed::of_factor(*number).is_ok());
    number.ok_or_else(|| CtlError::Word {
        text: text.to_owned(),
        expected: "real-time factor: write a number from 1e-6 to 1e6, or `unlimited`",
    })
}

fn vector([x, y, z]: [f64; 3]) -> Value {
    json!({"x": x, "y": y, "z": z})
}

fn two_triples(text: &str, expected: &'static str) -> Result<([f64; 3], [f64; 3]), CtlError> {
    match *numbers(text, expected)? {
        [x, y, z] => Ok(([x, y, z], [0.0; 3])),
        [x, y, z, a, b, c] => Ok(([x, y, z], [a, b, c])),
        ref other => Err(wrong(text, expected, other.len())),
    }
}

/// Returns finite numbers, separated by spaces or commas.
fn numbers(text: &str, expected: &'static str) -> Result<Box<[f64]>, CtlError> {
    let words = text.split(|letter: char| letter == ',' || letter.is_whitespace());
    let number = |word: &str| {
        word.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| CtlError::Numbers {
            text: text.to_owned(),
            expected,
            why: format!("`{word}` is not a number"),
        })
    };
    words.filter(|word| !word.is_empty()).map(number).collect()
}

fn wrong(text: &str, expected: &'static str, count: usize) -> CtlError {
    CtlError::Numbers { text: text.to_owned(), expected, why: format!("it has {count} numbers") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_without_angles_is_not_turned() {
        let found = pose("1, -2 .5").expect("a pose");
        assert_eq!(found["position"], json!({"x": 1.0, "y": -2.0, "z": 0.5}));
        assert_eq!(found["orientation"], json!({"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}));
    }

    #[test]
    fn yaw_turns_about_z() {
        let found = pose("0 0 0 0 0 3.141592653589793").expect("a pose");
        let z = found["orientation"]["z"].as_f64().expect("a number");
        assert!((z - 1.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn wrong_numbers_are_named() {
        let text = |result: Result<Value, CtlError>| result.expect_err("refused").to_string();
        assert!(text(pose("1 2")).contains("it has 2 numbers"));
        assert!(text(pose("1 2 x")).contains("`x` is not a number"));
        assert!(text(pose("1 2 inf")).contains("`inf` is not a number"));
        assert!(text(motion("")).contains("it has 0 numbers"));
        assert!(text(cuboid("1 2 3")).contains("box `x y z x y z`"));
        assert!(text(sphere("0 0 0 -1")).contains("the radius must be above zero"));
        assert!(text(hull("0 0 0, 1 1 1")).contains("2 points"));
        assert!(points("0 0 0, 1 1").is_err());
    }

    #[test]
    fn corners_of_a_box_come_in_any_order() {
        let found = cuboid("1 -2 3 -1 2 0").expect("a box");
        let corners = json!([{"x": 1.0, "y": 2.0, "z": 3.0}, {"x": -1.0, "y": -2.0, "z": 0.0}]);
        assert_eq!(found, json!({"type": 1, "points": corners}));
    }

    #[test]
    fn unlimited_is_negative_and_zero_is_none() {
        assert_eq!(factor("unlimited").ok(), Some(-1.0));
        assert_eq!(factor("0.5").ok(), Some(0.5));
        for text in ["0", "-1", "fast", "inf", "NaN"] {
            assert!(factor(text).is_err(), "{text}");
        }
    }
}
