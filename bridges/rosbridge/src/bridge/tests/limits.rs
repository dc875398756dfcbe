//! What one client may ask for.

use super::*;

/// The text of the next status.
fn status(client: &mut TestClient) -> String {
    let status = client.receive();
    assert_eq!(status["op"], "status", "{status}");
    status["msg"].as_str().expect("a text").to_owned()
}

#[test]
fn names_are_short() {
    let (_bridge, mut client, _) = stage();
    let long = "x".repeat(2000);
    for request in [
        json!({"op": "subscribe", "topic": long, "type": "std_msgs/Float64"}),
        json!({"op": "subscribe", "topic": "/a", "type": "std_msgs/Float64", "id": long}),
        json!({"op": "advertise_service", "service": long, "type": "a/B"}),
        json!({"op": "set_level", "level": long}),
    ] {
        client.send(&request);
        let text = status(&mut client);
        assert!(text.starts_with("[BH-RBR-105] `") && text.contains("may have 1024 bytes"), "{text}");
    }
}

#[test]
fn an_error_does_not_repeat_a_long_text() {
    let (mut bridge, mut client, _) = stage();
    bridge.subscribe::<Text>("/text", Qos::default()).expect("a subscriber");
    let message = json!({"op": "publish", "topic": "/text", "msg": {"x".repeat(100_000): 1}});
    client.send(&message);
    let text = status(&mut client);
    assert!(text.starts_with("[BH-RBR-104] ") && text.ends_with('…') && text.len() < 1100, "{text}");
}

#[test]
fn subscriptions_and_announcements_are_counted_over_all_topics() {
    let (_bridge, mut client, _) = stage();
    for op in ["subscribe", "advertise"] {
        for number in 0..1001 {
            // Announcements of topics that nobody subscribes to, which are warned about.
            let topic = format!("/{op}{}", number / 20);
            let request =
                json!({"op": op, "topic": topic, "type": "std_msgs/Float64", "id": number.to_string()});
            client.send(&request);
        }
        let is_last = |text: &String| text.starts_with("[BH-RBR-105] this client has");
        let texts: Vec<String> =
            (0..1001).map(|_| status(&mut client)).take_while(|text| !is_last(text)).collect();
        let warnings = if op == "advertise" { 1000 } else { 0 };
        assert_eq!(texts.len(), warnings, "{op}");
    }
}

#[test]
fn calls_of_a_service_that_does_not_answer_are_counted_after_their_time_out() {
    let (_bridge, mut provider, port) = stage();
    provider.send(&json!({"op": "advertise_service", "service": "/mute", "type": "a/Mute"}));
    provider.receive();
    let mut caller = client(port);
    for _ in 0..256 {
        caller.send(&json!({"op": "call_service", "service": "/mute", "timeout": 0.000_001}));
        let response = caller.receive();
        assert!(response["values"].as_str().is_some_and(|text| text.contains("BH-RBR-106")), "{response}");
    }
    let response = caller.ask(&json!({"op": "call_service", "service": "/mute"}));
    assert!(response["values"].as_str().is_some_and(|text| text.contains("BH-RBR-105")), "{response}");
}
