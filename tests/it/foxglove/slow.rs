//! A client that stops reading: others are not delayed, the host is not slowed down, and the client learns what it lost.

use std::thread::sleep;
use std::time::Duration;

use serde_json::json;
use tungstenite::Message;

use super::client::Kind;
use super::hostile::Raw;
use super::stage::Stage;
use crate::support::{Setup, eventually, is_loaded, world};

/// How long the client does not read: shorter than the time after which the server ends the connection.
const PAUSE: Duration = Duration::from_secs(4);

/// A camera with 2 MB at 30 Hz, and a clock.
fn stage() -> Stage {
    let camera = "<model name='eye'><link name='body'><sensor name='camera' type='depth_camera'>\
        <update_rate>30</update_rate><camera><image><width>1000</width><height>500</height></image></camera></sensor>\
        </link></model><plugin filename='clock' name='clock'><update_rate>50</update_rate></plugin>";
    let setup = Setup::new().plugins(&["clock"]).fixtures(&["big_picture"]).in_real_time();
    Stage::with(setup.world(&world(camera)), "backlog=200;backlog_mb=16")
}

fn channel(client: &mut Raw, topic: &str) -> u64 {
    loop {
        let channels = client.next("advertise")["channels"].clone();
        let found = channels.as_array().expect("a list").iter().find(|one| one["topic"] == topic);
        if let Some(id) = found.and_then(|one| one["id"].as_u64()) {
            return id;
        }
    }
}

#[test]
fn a_stalled_client_loses_its_own_messages_and_is_told() {
    let stage = stage();
    let Some(witness) = stage.client(Kind::Python) else { return };
    let mut stalled = Raw::open(stage.port);
    let channel = channel(&mut stalled, "/eye/big/image_raw");
    let subscription = json!({"op": "subscribe", "subscriptions": [{"id": 1, "channelId": channel}]});
    stalled.send(Message::text(subscription.to_string()));
    // Wall time: the client does not read for some time.
    sleep(PAUSE);
    let collected = witness.collect(&["/clock", "/eye/big/image_raw"], 2.0);
    let count = |topic: &str| collected[topic]["count"].as_f64().expect("a number");
    let stamps = collected["/clock"]["stamps"].clone();
    let simulated = (stamps[1].as_f64().expect("a time") - stamps[0].as_f64().expect("a time")) / 1e9;
    let missing = simulated * 50.0 + 1.0 - count("/clock");
    assert!(missing.abs() < 1.5 || is_loaded(), "{missing} messages of {simulated} s are missing");
    assert!(simulated > 1.5 || is_loaded(), "the host is slowed down: {simulated} s of 2 s");
    assert!(count("/eye/big/image_raw") > 20.0 || is_loaded(), "{}", count("/eye/big/image_raw"));
    let statuses = witness.state()["statuses"].clone();
    assert!(statuses == json!([]) || is_loaded(), "the other client is not concerned: {statuses}");
    // Now it reads again, and the first thing after what was on the way is the report.
    let status = stalled.next("status");
    assert_eq!(status["level"], 1);
    let text = status["message"].as_str().expect("a text");
    let lost =
        text.strip_prefix("[BH-FOX-013] ").and_then(|rest| rest.split(' ').next()?.parse::<u64>().ok());
    assert!(lost.is_some_and(|lost| lost > 0), "{text}");
    stalled.expect_alive();
    stage.finish();
}

#[test]
fn a_client_that_is_gone_leaves_nothing_behind() {
    let stage = stage();
    let Some(witness) = stage.client(Kind::Python) else { return };
    witness.command("send", json!({"text": "{\"op\":\"subscribeConnectionGraph\"}"}));
    let subscribers = || {
        let graph = &witness.state()["graph"]["subscribed"]["/eye/big/image_raw"];
        graph.as_array().map_or(0, Vec::len)
    };
    for _ in 0..20 {
        let mut client = Raw::open(stage.port);
        let channel = channel(&mut client, "/eye/big/image_raw");
        let subscription = json!({"op": "subscribe", "subscriptions": [{"id": 1, "channelId": channel}]});
        client.send(Message::text(subscription.to_string()));
        eventually("it is in the graph", || subscribers() == 1);
        drop(client);
        eventually("it has left the graph", || subscribers() == 0);
    }
    stage.finish();
}
