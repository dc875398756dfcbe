//! What one client may ask for.

use super::*;
use crate::encode::image::to_image;

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

/// How a request is packed into another one.
#[derive(Clone, Copy, Debug)]
enum Packing {
    Fragment,
    TwoFragments,
    Image,
}

/// Returns the requests that carry a text, packed in this way.
fn packed(text: &str, packing: Packing, id: &str) -> Vec<String> {
    let part = |data: &str, number: usize, total: usize| {
        json!({"op": "fragment", "id": id, "num": number, "total": total, "data": data}).to_string()
    };
    match packing {
        Packing::Fragment => vec![part(text, 0, 1)],
        Packing::TwoFragments => {
            let (head, tail) = text.split_at(text.len() / 2);
            vec![part(tail, 1, 2), part(head, 0, 2)]
        }
        Packing::Image => {
            let data = to_image(text.as_bytes()).expect("an image");
            vec![json!({"op": "png", "data": data}).to_string()]
        }
    }
}

/// Each combination of up to four packings, with the same id at all levels and with different ones. The innermost request
/// is answered, and so is another client.
#[test]
fn requests_are_packed_into_each_other_in_every_combination() {
    const ALL: [Packing; 3] = [Packing::Fragment, Packing::TwoFragments, Packing::Image];
    let (_bridge, mut client, port) = stage();
    let mut other = TestClient::connect(port);
    let mut combinations: Vec<Vec<Packing>> = vec![Vec::new()];
    for _ in 0..4 {
        let longest = combinations.iter().map(Vec::len).max().unwrap_or(0);
        let longer = combinations.iter().filter(|packings| packings.len() == longest);
        let new: Vec<_> =
            longer.flat_map(|packings| ALL.map(|one| [&packings[..], &[one]].concat())).collect();
        combinations.extend(new);
    }
    for (number, packings) in combinations.iter().enumerate() {
        for is_one_id in [true, false] {
            let id = format!("{number} {is_one_id}");
            let call = json!({"op": "call_service", "service": "/rosapi/nodes", "id": id}).to_string();
            let packed = packings.iter().enumerate().fold(vec![call], |texts, (level, packing)| {
                let pack = |(index, text): (usize, String)| {
                    let id = if is_one_id { id.clone() } else { format!("{id} {level} {index}") };
                    packed(&text, *packing, &id)
                };
                texts.into_iter().enumerate().flat_map(pack).collect()
            });
            let has_halves = packings.iter().filter(|one| matches!(one, Packing::TwoFragments)).count();
            // Halves of halves with one id would be halves of the same whole.
            if is_one_id && has_halves > 1 {
                continue;
            }
            packed.iter().for_each(|text| client.send_text(text));
            assert_eq!(client.receive()["id"], id, "{packings:?}");
        }
    }
    other.settle();
}
