//! A Doppler velocity log over a plane, compared with the closed form.

use super::{inertial, run, world};
use crate::support::assert_near;

/// 8 m above the sea floor, with a known velocity along the axes of the world, and turned by 90°.
const WAY: &str = "<pose>0 0 8 0 0 1.5707963267948966</pose>";

#[test]
fn a_log_measures_velocity_and_slant_ranges_over_a_plane() {
    let beam = |rotation: i32| format!("<beam><rotation>{rotation}</rotation><tilt>30</tilt></beam>");
    let beams: String = [45, 135, -45, -135].map(beam).concat();
    let hull = format!(
        "{WAY}<link name='hull'><gravity>false</gravity>{}<sensor name='log' type='custom' gz:type='dvl'>
         <update_rate>10</update_rate><topic>dvl</topic><gz:dvl><arrangement degrees='true'>{beams}</arrangement>
         <maximum_range>50</maximum_range></gz:dvl></sensor></link>
         <plugin filename='velocity_control' name='v'><initial_linear>0.5 -0.25 0.1</initial_linear></plugin>",
        inertial(100.0, [1.0, 0.5, 0.5])
    );
    let floor = "<static>true</static><link name='l'><collision name='c'><geometry><plane><normal>0 0 1</normal></plane>
        </geometry></collision></link>";
    let text = world("", &[("auv", &hull), ("floor", floor)]);
    let finished = run(&["dvl", "velocity_control"], &text, "", 2);
    let lines = finished.log("out/run.jsonl");
    let found = lines.iter().rfind(|line| line.is_topic("/auv/dvl")).expect("a measurement");
    // The velocity is given in the frame of the model, which is that of the sensor.
    let velocity = found.vector("/message/velocity");
    for (found, expected) in velocity.into_iter().zip([0.5, -0.25, 0.1]) {
        assert_near(found, expected, 1e-6);
    }
    assert_eq!(found["message"]["is_locked"], true);
    let seconds =
        found.number("/message/header/stamp/sec") + found.number("/message/header/stamp/nanosec") * 1e-9;
    // The range is h / cos 30°, and the hull rises by 0.1 m/s.
    let slant = (8.0 + 0.1 * seconds) / (std::f64::consts::PI / 6.0).cos();
    for index in 0..4 {
        assert_near(found.number(&format!("/message/beams/{index}/range")), slant, 2e-3);
    }
}
