//! A host that is suspended and continued, as by a terminal, a debugger or a container that is paused: nobody is
//! disconnected, and nothing is reported.

use std::thread::sleep;
use std::time::Duration;

use serde_json::json;

use crate::floods::Scene;

/// Long enough that every thread waits for its peer when the next suspension comes.
const BETWEEN: Duration = Duration::from_millis(20);

#[test]
fn a_suspended_host_goes_on_with_all_its_clients() {
    let scene = Scene::start();
    let mut clients = scene.ports.clients().expect("every server accepts a client");
    for round in 0..20 {
        scene.host.signal(libc::SIGSTOP);
        sleep(BETWEEN);
        scene.host.signal(libc::SIGCONT);
        sleep(BETWEEN);
        for (index, client) in clients.iter_mut().enumerate() {
            assert!(client.is_answered(), "client {index} after suspension {round}");
        }
    }
    drop(clients);
    assert!(scene.ports.all_answer(&scene.host));
    scene.host.ok("quit", json!({}));
    let finished = scene.host.finish().expect_code(0);
    for fault in ["warning", "error"] {
        finished.expect_silence(fault);
    }
}
