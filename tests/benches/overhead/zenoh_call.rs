//! The bridge to Zenoh: duration of a call, beside one over DDS and one between two bare sessions of Zenoh.

use std::net::TcpListener;
use std::path::Path;

use crate::Outcome;
use crate::report::{Row, Section};
use crate::ros2::{self, CALLS, Calls, Script};
use crate::rounds::Rounds;

const ROUNDS: u32 = 5;
/// The service of the run over Zenoh, and that of a bare session.
const KEYS: [&str; 2] = [
    "7/get_simulation_state/simulation_interfaces::srv::dds_::GetSimulationState_/\
     RIHS01_3362dcebee4b1afebbf9c4beee5c79c1455385aded62092a892d61fde8644f30",
    "7/other/simulation_interfaces::srv::dds_::GetSimulationState_/\
     RIHS01_3362dcebee4b1afebbf9c4beee5c79c1455385aded62092a892d61fde8644f30",
];

/// Measures calls of all in turn.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    let endpoint = format!("tcp/127.0.0.1:{}", TcpListener::bind("127.0.0.1:0")?.local_addr()?.port());
    let mut router = script(&["router", &endpoint])?;
    router.line()?;
    let mut server = script(&["answer", &endpoint, KEYS[1]])?;
    server.line()?;
    let (domain, bridge) =
        (ros2::domain(0), format!("*=zenoh:connect={endpoint};listen=tcp/127.0.0.1:0;domain=7"));
    let _host = ros2::start(folder, "", Some(domain), &["--start", "paused", "--bridge", &bridge])?;
    let [mut ours, mut bare, mut dds] = <[Rounds; 3]>::default();
    for _ in 0..ROUNDS {
        for (key, medians) in KEYS.into_iter().zip([&mut ours, &mut bare]) {
            let mut client = script(&["ask", &endpoint, key, &CALLS.to_string()])?;
            medians.push(Calls::read(&client.line()?, CALLS)?.quantile(0.5));
        }
        dds.push(ros2::ask(domain)?.quantile(0.5));
    }
    Ok(Section {
        title: "The bridge to Zenoh",
        method: "Programs under Python call `get_simulation_state` of a paused run over Zenoh and over DDS (Cyclone DDS 11), and \
                 the same service of a bare session of Zenoh under Python, in alternating rounds of 2000 calls, one after the \
                 other. Sessions are peers with the settings of `rmw_zenoh`. Figures are the medians of a round. Wall time, on \
                 loopback.",
        rows: vec![
            Row::plain("call of the run over Zenoh", format!("{ours:.0} µs")),
            Row::plain("call of a bare session of Zenoh", format!("{bare:.0} µs")),
            Row::plain("ratio of the medians", format!("{:.2}", ours.ratio_to(&bare))),
            Row::plain("call of the run over DDS", format!("{dds:.0} µs")),
            Row::plain("ratio of Zenoh to DDS", format!("{:.2}", ours.ratio_to(&dds))),
        ],
    })
}

fn script(arguments: &[&str]) -> Outcome<Script> {
    Script::start_of("tests/benches/overhead/zenoh_call.py", arguments)
}
