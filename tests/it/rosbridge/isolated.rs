//! The bridge in a worker process: what it reads from the host of services, actions and topics is the same.

use serde_json::json;

use super::socket::Socket;
use crate::support::{Served, free_port};

#[test]
fn a_bridge_in_a_worker_offers_the_action_and_carries_out_its_goals() {
    let port = free_port();
    let setup = super::stage::two_vehicles().plugins(&["rosbridge"]);
    let setup = setup.bridge(format!("world=rosbridge:127.0.0.1:{port}"));
    let host = Served::start(setup.args(["--isolate", "rosbridge", "--start", "paused"]));
    let mut socket = Socket::connect(port);
    let servers = socket.call("/rosapi/action_servers");
    assert_eq!(servers["values"]["action_servers"], json!(["/simulate_steps"]), "{servers}");
    let before = host.status("step");
    let goal =
        json!({"op": "send_action_goal", "id": "g", "action": "/simulate_steps", "args": {"steps": 5}});
    socket.send(&goal);
    let result = socket.receive("action_result");
    assert_eq!((&result["id"], &result["status"]), (&json!("g"), &json!(4)), "{result}");
    assert_eq!(host.status("step"), before + 5);
    host.signal(libc::SIGTERM);
    host.finish().expect_code(0).expect_silence("error");
}
