//! The digits of saved poses.

use super::*;
use proptest::prelude::*;
use std::f64::consts::{FRAC_PI_2, PI};

/// A model whose pose is in the frame `corner`, with a format of its rotation.
fn world(frame: &str, format: &str, placement: &str) -> String {
    format!(
        "<sdf version='1.9'><world name='w'>
           <frame name='corner'><pose>{frame}</pose></frame>
           <model name='m' {placement}><pose relative_to='corner' {format}/>
             <link name='l'><pose>0.5 1 -2 0.3 0.2 0.1</pose></link></model>
         </world></sdf>"
    )
}

const FRAMES: &[&str] = &["0 0 0 0 0 0", "10 -3 0.1 0.2 -0.3 1.1"];
const FORMATS: &[&str] = &["", "degrees='true'", "rotation_format='quat_xyzw'"];
const PLACEMENTS: &[&str] = &["", "placement_frame='l'"];

fn loaded_pose(text: &str) -> Pose {
    parse_str("w.sdf", text).unwrap().world.models[0].pose
}

fn saved_at(text: &str, wanted: Pose) -> String {
    let loaded = parse_str("w.sdf", text).unwrap();
    let saved = save(&loaded, &[place("m", wanted)], &InMemory::new(), &SearchPath::default()).unwrap();
    assert_eq!(saved.findings, []);
    saved.text
}

/// The numbers of the model's `<pose>`.
fn words(text: &str) -> Vec<String> {
    let document = parse_str("w.sdf", text).unwrap().document;
    let model = document.root().child("world").unwrap().child("model").unwrap();
    model.child("pose").unwrap().text().split(' ').map(str::to_owned).collect()
}

fn expect_plain(word: &str) {
    let (whole, fraction) = word.split_once('.').unwrap_or((word, "1"));
    assert!(whole.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit()), "{word}");
    assert!(!fraction.ends_with('0') && fraction.len() <= 12, "{word}");
    assert_ne!(word, "-0");
}

fn any_pose() -> impl Strategy<Value = Pose> {
    let length = || prop_oneof![-1e4..1e4, -1e-8..1e-8, Just(0.0)];
    let angle = || prop_oneof![-PI..PI, -1e-8..1e-8, Just(0.0)];
    let steep = (0..16).prop_map(|exponent: i32| FRAC_PI_2 - 10_f64.powi(-exponent));
    let pitch = prop_oneof![-FRAC_PI_2..FRAC_PI_2, steep.clone(), steep.prop_map(|pitch| -pitch)];
    (length(), length(), length(), angle(), pitch, angle())
        .prop_map(|(x, y, z, roll, pitch, yaw)| Pose::from_rpy(DVec3::new(x, y, z), roll, pitch, yaw))
}

proptest! {
    #[test]
    fn a_saved_pose_is_read_within_a_nanometre_and_a_second_save_changes_nothing(
        wanted in any_pose(),
        frame in prop::sample::select(FRAMES),
        format in prop::sample::select(FORMATS),
        placement in prop::sample::select(PLACEMENTS),
    ) {
        let first = saved_at(&world(frame, format, placement), wanted);
        words(&first).iter().for_each(|word| expect_plain(word));
        let found = loaded_pose(&first);
        prop_assert!(found.is_within(&wanted, 1e-9, 1e-9), "{found:?} instead of {wanted:?}\n{first}");
        prop_assert_eq!(&saved_at(&first, wanted), &first);
        prop_assert_eq!(&saved_at(&first, found), &first);
    }

    #[test]
    fn a_pose_within_a_nanometre_of_the_text_stays_as_it_is_written(
        written in any_pose(),
        offset in prop::array::uniform3(-0.5e-9..0.5e-9),
        turn in prop::array::uniform3(-0.5e-9..0.5e-9),
        frame in prop::sample::select(FRAMES),
        format in prop::sample::select(FORMATS),
    ) {
        let text = saved_at(&world(frame, format, ""), written);
        let found = loaded_pose(&text);
        let [roll, pitch, yaw] = turn;
        let near = found.compose(&Pose::from_rpy(DVec3::from(offset), roll, pitch, yaw));
        prop_assert_eq!(&saved_at(&text, near), &text);
        let far = Pose::new(found.position + DVec3::new(0.0, 0.0, 3e-9), found.rotation);
        prop_assert_ne!(&saved_at(&text, far), &text);
    }
}

#[test]
fn digits_that_physics_leaves_behind_are_not_written() {
    let text = "<sdf version='1.9'><world name='w'><model name='m'><pose>0 0 1 0 0 0</pose><link name='l'/></model>\
                </world></sdf>";
    let wanted = Pose::from_rpy(DVec3::new(1.574_177_875_642_244e-19, -2e-18, 0.5), -3e-20, 1e-17, -0.0);
    assert_eq!(saved_at(text, wanted), text.replace("0 0 1 0 0 0", "0 0 0.5 0 0 0"));
    let rest = Pose::from_rpy(DVec3::new(1e-18, 0.0, 1.0 + 1e-12), 1e-15, 0.0, -1e-10);
    assert_eq!(saved_at(text, rest), text, "this pose is the one in the text");
    let turned = Pose::from_rpy(DVec3::Z, 0.0, 0.0, 1e-7);
    assert_eq!(saved_at(text, turned), text.replace("0 0 1 0 0 0", "0 0 1 0 0 0.0000001"));
}

#[test]
fn a_road_and_a_camera_near_the_written_ones_stay_as_they_are_written() {
    let road = |point: DVec3| {
        let change = Change::SetRoad { road: "lane".into(), points: vec![DVec3::ZERO, DVec3::X, point] };
        garage(|_| vec![change.clone()], GARAGE).text
    };
    assert_eq!(road(DVec3::new(2.0, -1e-17, 1e-12)), GARAGE);
    assert_eq!(road(DVec3::new(2.0, -1e-17, 1.0 / 3.0)), GARAGE.replace(">2 0 0<", ">2 0 0.333333333<"));
    let gui = "<gui><camera name='c'><pose>1 2.50 3 0 0 0</pose></camera></gui>";
    let with = GARAGE.replace("    <road", &format!("    {gui}\n    <road"));
    let camera = |x: f64| {
        let pose = Pose::from_rpy(DVec3::new(x, 2.5, 3.0), 0.0, 1e-18, 0.0);
        garage(|_| vec![Change::PlaceCamera { pose }], &with).text
    };
    assert_eq!(camera(1.0 + 1e-13), with);
    assert_eq!(camera(1.1), with.replace("1 2.50 3 0 0 0", "1.1 2.5 3 0 0 0"));
}
