//! Sound under water: a Doppler velocity log over a plane, and messages between modems.

use super::{command, inertial, run, world};
use crate::support::{Finished, assert_near};

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

/// A modem of a model.
fn modem(name: &str) -> String {
    format!(
        "<plugin filename='gz-sim-comms-endpoint-system' name='gz::sim::systems::CommsEndpoint'>
         <address>{name}</address><topic>{name}/rx</topic></plugin>"
    )
}

/// A sender at the origin, and receivers at 71 m, at 211 m, at 600 m and on a boat that leaves from 70 m with 100 m/s.
fn bay(parameters: &str) -> String {
    let buoy = |x: u32, name: &str| {
        format!("<pose>{x} 0 0 0 0 0</pose><static>true</static><link name='l'/>{}", modem(name))
    };
    let (base, near, far, lost) = (buoy(0, "base"), buoy(71, "near"), buoy(211, "far"), buoy(600, "lost"));
    let boat = format!(
        "<pose>70 0 0 0 0 0</pose><link name='l'><gravity>false</gravity></link>{}
         <plugin filename='gz-sim-velocity-control-system' name='gz::sim::systems::VelocityControl'>
         <initial_linear>100 0 0</initial_linear></plugin>",
        modem("boat")
    );
    let broker = format!(
        "<plugin filename='gz-sim-acoustic-comms-system' name='gz::sim::systems::AcousticComms'>
         <speed_of_sound>1400</speed_of_sound>{parameters}</plugin>"
    );
    world(&broker, &[("m0", &base), ("m1", &near), ("m2", &far), ("m3", &lost), ("m4", &boat)])
}

/// A message with this number of bytes.
fn sent(to: &str, step: u64, bytes: usize) -> String {
    // Three zeros are four letters of base64.
    assert!(bytes.is_multiple_of(3));
    let data = "A".repeat(bytes / 3 * 4);
    let message = format!("{{\"src_address\":\"base\",\"dst_address\":\"{to}\",\"data\":\"{data}\"}}");
    command("/broker/msgs", step, &message)
}

/// When the messages of a modem arrived, in seconds.
fn arrivals(finished: &Finished, modem: &str) -> Vec<f64> {
    let lines = finished.log("out/run.jsonl");
    let of_modem = lines.iter().filter(|line| line.is_topic(&format!("/{modem}/rx")));
    let seconds =
        |part: &str, line: &crate::support::Line| line.number(&format!("/message/header/stamp/{part}"));
    of_modem.map(|line| seconds("sec", line) + seconds("nanosec", line) * 1e-9).collect()
}

/// Sound that leaves at t reaches a receiver, which was d away at the beginning and leaves with v, after
/// (d + v t) / (c - v).
#[test]
fn a_message_arrives_with_the_sound_at_receivers_in_range() {
    let finished =
        run(&["comms", "velocity_control"], &bay("<max_range>500</max_range>"), &sent("broadcast", 10, 3), 1);
    for (modem, delay) in [("near", 71.0 / 1400.0), ("far", 211.0 / 1400.0), ("boat", 71.0 / 1300.0)] {
        let found = arrivals(&finished, modem);
        let [time] = found.as_slice() else { panic!("{modem}: {found:?}\n{finished}") };
        // It arrives in the first step after the sound.
        assert_near(time - 0.010, delay + 0.0005, 0.0005 + 1e-9);
    }
    assert_eq!([arrivals(&finished, "base").len(), arrivals(&finished, "lost").len()], [0, 0]);
}

/// Twelve bytes keep a receiver busy for 120 ms: what arrives within them is lost.
#[test]
fn a_busy_receiver_loses_messages() {
    let commands: String = [10, 70, 140, 250, 261].map(|step| sent("near", step, 12)).concat();
    let finished = run(
        &["comms", "velocity_control"],
        &bay("<collision_time_per_byte>0.01</collision_time_per_byte>"),
        &commands,
        1,
    );
    let sent: Vec<f64> = arrivals(&finished, "near").iter().map(|time| time - 71.0 / 1400.0).collect();
    assert_eq!(sent.len(), 3, "{sent:?}");
    for (found, expected) in sent.into_iter().zip([0.010, 0.140, 0.261]) {
        assert_near(found, expected + 0.0005, 0.0005 + 1e-9);
    }
}

/// At 71 m a source of 1 W has 170.8 - 20 lg 71 dB. With a noise of 3 dB below that, and 2 bit/s/Hz, E / N is 1, a bit is
/// wrong with erfc(1) / 2 = 0.0786496, and all 24 bits of three bytes are right with 0.9213504²⁴ = 0.14003.
#[test]
fn noise_makes_as_many_messages_fail_as_the_sonar_equation_says() {
    let noise = 170.8 - 20.0 * 71.0_f64.log10() - 10.0 * 2.0_f64.log10();
    let model = format!(
        "<propagation_model><source_power>1</source_power><noise_level>{noise}</noise_level>
         <spectral_efficiency>2</spectral_efficiency><seed>7</seed></propagation_model>"
    );
    const COUNT: u32 = 800;
    let commands: String = (0..COUNT).map(|index| sent("near", 10 + u64::from(index), 3)).collect();
    let finished = run(&["comms", "velocity_control"], &bay(&model), &commands, 1);
    let (share, count) = (0.921_350_4_f64.powi(24), f64::from(COUNT));
    // Four standard deviations of a binomial distribution.
    let deviation = (share * (1.0 - share) / count).sqrt();
    let found = arrivals(&finished, "near").len();
    assert_near(f64::from(u32::try_from(found).expect("a count")) / count, share, 4.0 * deviation);
}
