//! The page over a recording, compared with the page over the recorded run.

use std::time::Duration;

use crate::http::Client;
use crate::page::browser::{self, Script};
use crate::page::has_page;
use crate::support::{Setup, missing, worlds};

/// Number of tests in `view.spec.mjs`: all of them must run.
const TESTS: usize = 6;

#[test]
fn the_page_shows_the_poses_and_the_plot_of_the_run() {
    let (Some(live), Some(spec)) = (Script::of("live.mjs"), Script::of("view.spec.mjs")) else { return };
    let setup = Setup::new()
        .plugins(&["clock", "diff_drive", "imu", "joint_state", "lidar", "logging"])
        .in_real_time()
        .longer(Duration::from_secs(300));
    let (recording, shown) = (setup.path("run.mcap"), setup.path("live.json"));
    let setup =
        setup.run(&worlds().join("two_vehicles.sdf")).args(["--http", "127.0.0.1:0", "--start", "paused"]);
    let mut running = setup.arg("--record").arg(&recording).start();
    let client = Client::of(&mut running);
    if !has_page(&client) {
        return missing("the host was built without the page; `bash tests/run.sh` builds it");
    }
    crate::http::wait_for_state(&client, "Pause");
    let url = |client: &Client| format!("http://{}", client.address);
    let live = live.args(&[&url(&client), &shown.display().to_string()]);
    let output = live.command().output().expect("node");
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    client.post("/api/quit", "").expect(200);
    let finished = running.finish().expect_code(0);

    let (running, client) = super::view_from_the_beginning(&recording);
    let pictures = browser::pictures("view");
    let spec = spec
        .env("BRIDGEHEAD_PAGE_URL", url(&client))
        .env("BRIDGEHEAD_PAGE_LIVE", &shown)
        .env("BRIDGEHEAD_PAGE_PICTURES", &pictures);
    let output = spec.command().output().expect("node");
    browser::expect_passed(&String::from_utf8_lossy(&output.stdout), TESTS);
    super::end(running);
    drop(finished);
}
