//! A host that is suspended and continued, as by a terminal, a debugger or a container that is paused: nobody is
//! disconnected, and nothing is reported.

use std::thread::sleep;
use std::time::Duration;

use serde_json::json;

use crate::floods::Scene;
use crate::ros2::Peer;

/// Long enough that every thread waits for its peer when the next suspension comes.
const BETWEEN: Duration = Duration::from_millis(20);

#[test]
fn a_suspended_host_goes_on_with_all_its_clients() {
    let scene = Scene::start();
    let mut clients = scene.ports.clients().expect("every server accepts a client");
    let peer = Peer::start(&scene.domain);
    let is_served = || {
        let request = "simulation_interfaces/srv/GetSimulationState";
        peer.as_ref()
            .is_none_or(|peer| peer.call("get_simulation_state", request, &json!({}))["state"]["state"] == 1)
    };
    assert!(is_served());
    for round in 0..20 {
        scene.host.suspend(BETWEEN);
        // Wall time: every thread waits for its peer again.
        sleep(BETWEEN);
        for (index, client) in clients.iter_mut().enumerate() {
            assert!(client.is_answered(), "client {index} after suspension {round}");
        }
        assert!(is_served(), "over DDS after suspension {round}");
    }
    drop(clients);
    assert!(scene.ports.all_answer(&scene.host));
    scene.host.ok("quit", json!({}));
    let finished = scene.host.finish().expect_code(0);
    for fault in ["warning", "error"] {
        finished.expect_silence(fault);
    }
}
