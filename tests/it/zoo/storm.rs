//! A storm: a hundred thousand messages per second from a plugin's own thread to a bridge that needs a millisecond per
//! message, so that the oldest of the others are dropped.
//!
//! It lasts five seconds, or sixty if the environment variable `BRIDGEHEAD_LONG` is 1.

use crate::support::{Finished, Setup, is_loaded, is_long, vehicle, world};

/// Messages per second.
const RATE: f64 = 100_000.0;

/// Simulated seconds before the memory is first measured.
const WARM_UP_S: f64 = 2.0;

/// Allowed change of the process's memory after that, KiB.
const MEMORY_KIB: f64 = 10_000.0;

/// Largest part of the messages, and of the time, that may be lost. A busy machine stops any process now and then; if the
/// run waited for the bridge, it would take a hundred times as long.
fn tolerance() -> f64 {
    if is_loaded() { 0.5 } else { 0.02 }
}

/// Duration of the storm in seconds, in real time.
fn duration_s() -> u32 {
    if is_long() { 60 } else { 5 }
}

/// A number that the storm logged at its end.
#[track_caller]
fn logged(finished: &Finished, name: &str) -> f64 {
    let text = finished.to_string();
    let value = text.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    let number = value.and_then(|value| value.parse().ok());
    number.unwrap_or_else(|| panic!("no `{name}` was logged\n{finished}"))
}

/// A count of the result.
#[track_caller]
fn counted(finished: &Finished, list: &str, label: &str, name: &str) -> u64 {
    let entry = finished.reported(list, label);
    entry[name].as_u64().unwrap_or_else(|| panic!("no `{name}` in {entry}\n{finished}"))
}

#[test]
fn a_storm_of_messages_does_not_slow_the_run_or_grow_its_memory() {
    let (seconds, steps) = (duration_s(), (WARM_UP_S * 1000.0).round());
    let plugin = format!(
        "<plugin filename=\"storm\" name=\"storm\"><rate>{RATE}</rate><warm_up>{steps}</warm_up></plugin>"
    );
    let setup = Setup::new().fixtures(&["storm", "unreliable"]).in_real_time();
    let setup = setup.world(&world(&vehicle("car1", &plugin))).arg("--duration").arg(format!("{seconds}s"));
    let finished = setup.bridge("car1=unreliable:slow=1").finish().expect_code(0);

    let (expected, made) = (RATE * logged(&finished, "seconds"), logged(&finished, "published"));
    assert!(
        (made / expected - 1.0).abs() < tolerance(),
        "{made} of {expected} messages were published\n{finished}"
    );
    let published = counted(&finished, "topics", "/car1/storm", "published");
    // If the simulation is held up, messages are lost before they reach the bridge.
    let overflowed = counted(&finished, "topics", "/car1/storm", "overflowed");
    let (delivered, dropped) =
        ["delivered", "dropped"].map(|name| counted(&finished, "bridges", "car1/unreliable", name)).into();
    assert_eq!(delivered + dropped + overflowed, published, "{finished}");
    assert_eq!(counted(&finished, "topics", "/car1/storm", "dropped"), dropped + overflowed, "{finished}");
    assert!(
        (published as f64 / made - 1.0).abs() < tolerance(),
        "{published} of {made} were routed\n{finished}"
    );

    let wall = finished.result()["wall_s"].as_f64().expect("a number");
    let factor = f64::from(seconds) / wall;
    assert!(factor >= 1.0 - tolerance() / 2.0, "real-time factor {factor}\n{finished}");

    let [warm, least, most] = ["warm_kib", "least_kib", "most_kib"].map(|name| logged(&finished, name));
    assert!(
        most - warm < MEMORY_KIB && warm - least < MEMORY_KIB,
        "{warm} KiB became {least} to {most}\n{finished}"
    );
}
