//! Cameras: what two large ones cost in the world of the demo, and what one costs that nobody receives.

use std::fs;
use std::path::Path;

use bridgehead_host::bus::{Limits, Overflow};
use bridgehead_host::config::{BridgeRequest, RequestOrigin};

use crate::driven::Driven;
use crate::report::{Row, Section};
use crate::rounds::Rounds;
use crate::{Outcome, locate};

/// Rounds and simulated milliseconds of the world with images.
const ROUNDS: u32 = 9;
const SECOND: u32 = 1000;
/// Rounds and steps without listeners.
const QUIET_ROUNDS: u32 = 1001;
const QUIET_STEPS: u32 = 500;

/// Two cameras that look ahead and to the left, ten times a second.
const LARGE: &str = r#"
<sensor name="front" type="camera"><pose>0.3 0 0.3 0 0 0</pose><topic>front</topic><update_rate>10</update_rate><camera>
<horizontal_fov>1.4</horizontal_fov><image><width>1280</width><height>720</height></image></camera></sensor>
<sensor name="left" type="camera"><pose>0 0.2 0.3 0 0 1.57</pose><topic>left</topic><update_rate>10</update_rate><camera>
<horizontal_fov>1.4</horizontal_fov><image><width>1280</width><height>720</height></image></camera></sensor>"#;

/// What the world of the demo uses.
const PLUGINS: [&str; 8] =
    ["clock", "diff_drive", "entities", "imu", "joint_state", "lidar", "camera", "consumer"];

/// Measures both.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    let [without, unheard] = without_listener(folder)?;
    let ratio = unheard.ratio_to(&without);
    let seconds = with_images(folder)?.map(|ns| ns / 1e9);
    let microseconds = |rounds: &Rounds| format!("{:.1} µs", rounds.map(|ns| ns / 1e3));
    Ok(Section {
        title: "Cameras",
        method: "The world of the demo with two cameras of 1280 × 720 pixels on a vehicle, at 10 Hz, and a bridge that \
                 accepts their images; processor time of all threads in a simulated second, drawn on the processor \
                 if there is no GPU. And the same world with the cameras and no listener, compared with the world without \
                 them. [Agreement](agreement.md#speed-of-images) compares images with those of other renderers.",
        rows: vec![
            Row::with_target(
                "a simulated second with two cameras",
                format!("{seconds:.2} s"),
                "at most 1.6 s",
                seconds.median() <= 1.6,
            ),
            Row::plain("step without cameras", microseconds(&without)),
            Row::plain("step with cameras that have no listener", microseconds(&unheard)),
            Row::with_target("ratio", format!("{ratio:.3}"), "at most 1.01", ratio.median() <= 1.01),
        ],
    })
}

/// Times of a step without cameras, and with cameras that have no listener, in alternating rounds.
fn without_listener(folder: &Path) -> Outcome<[Rounds; 2]> {
    let mut hosts =
        [start(&folder.join("without"), "", false)?, start(&folder.join("unheard"), LARGE, false)?];
    let mut times = [Rounds::default(), Rounds::default()];
    for _ in 0..QUIET_ROUNDS {
        for (host, times) in hosts.iter_mut().zip(&mut times) {
            times.push_each(host.steps(QUIET_STEPS)?, QUIET_STEPS);
        }
    }
    for host in hosts {
        host.finish()?;
    }
    Ok(times)
}

/// Processor time of a simulated second, nanoseconds.
fn with_images(folder: &Path) -> Outcome<Rounds> {
    let place = folder.join("images");
    let mut host = start(&place, LARGE, true)?;
    let mut times = Rounds::default();
    for _ in 0..ROUNDS {
        times.push_each(host.steps(SECOND)?, 1);
    }
    let result = host.finish()?;
    for name in ["/car1/front/image_raw", "/car1/left/image_raw"] {
        let delivered =
            result.topics.iter().find(|topic| topic.name == name).map_or(0, |topic| topic.delivered);
        if delivered < u64::from(ROUNDS) * 10 {
            return Err(format!("the bridge received only {delivered} images on {name}").into());
        }
    }
    Ok(times)
}

fn start(place: &Path, sensors: &str, has_listener: bool) -> Outcome<Driven> {
    fs::create_dir(place)?;
    let demo = fs::read_to_string(locate::root().join("worlds/two_vehicles.sdf"))?;
    let chassis = r#"<link name="chassis">"#;
    let (before, after) = demo.split_once(chassis).ok_or("the demo has no chassis")?;
    let world = place.join("world.sdf");
    fs::write(&world, format!("{before}{chassis}{sensors}{after}"))?;
    let mut host = Driven::start(world, &PLUGINS, |config| {
        // Its bridges are not there.
        config.strict = false;
        if has_listener {
            let connection = place.join("taken").display().to_string();
            let mut request = BridgeRequest::new("car1", "consumer", &connection, RequestOrigin::CommandLine);
            request.queue = Some(Limits { overflow: Overflow::Block, ..Limits::default() });
            config.bridges.push(request);
        }
    })?;
    host.steps(SECOND)?;
    Ok(host)
}
