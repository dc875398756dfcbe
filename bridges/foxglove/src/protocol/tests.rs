//! The wire format: what the public specification of the protocol says, and what is not of it.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::event::{self, Ends, GraphChanges, Level};
use super::frame::{self, Call, ClientFrame};
use super::request::{self, ClientChannel, Request, Subscription};
use super::*;

fn request(value: &Value) -> Request {
    request::parse(&value.to_string()).expect("a request")
}

#[test]
fn every_request_is_read() {
    let subscriptions = json!([{"id": 0, "channelId": 3}, {"id": 1, "channelId": 5}]);
    let expected = [Subscription { id: 0, channel: 3 }, Subscription { id: 1, channel: 5 }];
    assert_eq!(
        request(&json!({"op": "subscribe", "subscriptions": subscriptions})),
        Request::Subscribe(expected.to_vec())
    );
    assert_eq!(
        request(&json!({"op": "unsubscribe", "subscriptionIds": [0, 1]})),
        Request::Unsubscribe(vec![0, 1])
    );
    let channel = json!({"id": 1, "topic": "foo", "encoding": "json", "schemaName": "A", "schema": ""});
    let expected =
        ClientChannel { id: 1, topic: "foo".into(), encoding: "json".into(), schema_name: "A".into() };
    assert_eq!(
        request(&json!({"op": "advertise", "channels": [channel]})),
        Request::Advertise(vec![expected])
    );
    assert_eq!(request(&json!({"op": "unadvertise", "channelIds": [7]})), Request::Unadvertise(vec![7]));
    let names = vec!["/a".to_owned()];
    assert_eq!(
        request(&json!({"op": "getParameters", "parameterNames": ["/a"], "id": "request"})),
        Request::GetParameters { names: names.clone(), id: Some("request".into()) }
    );
    assert_eq!(
        request(&json!({"op": "setParameters", "parameters": [{"name": "/a", "value": 3}]})),
        Request::SetParameters { names: names.clone(), id: None }
    );
    assert_eq!(
        request(&json!({"op": "subscribeParameterUpdates", "parameterNames": ["/a"]})),
        Request::SubscribeParameterUpdates(names.clone())
    );
    assert_eq!(
        request(&json!({"op": "unsubscribeParameterUpdates", "parameterNames": ["/a"]})),
        Request::UnsubscribeParameterUpdates(names)
    );
    assert_eq!(request(&json!({"op": "subscribeConnectionGraph"})), Request::SubscribeConnectionGraph);
    assert_eq!(request(&json!({"op": "unsubscribeConnectionGraph"})), Request::UnsubscribeConnectionGraph);
    assert_eq!(
        request(&json!({"op": "fetchAsset", "uri": "package://a/b.dae", "requestId": 9})),
        Request::FetchAsset { uri: "package://a/b.dae".into(), request_id: 9 }
    );
}

#[test]
fn an_error_says_what_was_expected_and_found() {
    for (text, expected, found) in [
        ("nonsense", "a text must be a JSON object", "`nonsense`"),
        ("[1]", "a text must be a JSON object with `op`", "`[1]`"),
        ("{}", "`op` must be a text", "found nothing"),
        (r#"{"op": 5}"#, "`op` must be a text", "found `5`"),
        (r#"{"op": "dance"}"#, "`op` must be subscribe, unsubscribe", "found `dance`"),
        (r#"{"op": "subscribe"}"#, "`subscriptions` must be a list", "found nothing"),
        (
            r#"{"op": "subscribe", "subscriptions": [5]}"#,
            "in `subscriptions`, an element must be an object",
            "`5`",
        ),
        (
            r#"{"op": "subscribe", "subscriptions": [{"id": 1, "channelId": -1}]}"#,
            "`channelId` must be an integer from 0 to 4294967295",
            "found `-1`",
        ),
        (r#"{"op": "unsubscribe", "subscriptionIds": ["a"]}"#, "an id must be an integer", "found `\"a\"`"),
        (r#"{"op": "fetchAsset", "uri": 3, "requestId": 1}"#, "`uri` must be a text", "found `3`"),
        (r#"{"op": "fetchAsset", "uri": "a", "requestId": 4294967296}"#, "`requestId` must be", "4294967296"),
        (r#"{"op": "getParameters", "parameterNames": [], "id": 3}"#, "`id` must be a text", "found `3`"),
    ] {
        let error = request::parse(text).expect_err(text);
        assert!(error.contains(expected) && error.contains(found), "{text}: {error}");
    }
    let long = format!("{{\"op\": \"{}\"}}", "x".repeat(100_000));
    assert!(request::parse(&long).is_err_and(|error| error.len() < 600));
    let deep = "[".repeat(100_000);
    assert!(request::parse(&deep).is_err());
}

#[test]
fn binary_messages_of_clients_are_read() {
    let message = [1, 7, 0, 0, 0, 0xaa, 0xbb];
    assert_eq!(frame::parse(&message), Ok(ClientFrame::Message { channel: 7, data: &[0xaa, 0xbb] }));
    let call = [2, 1, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, b'j', b's', b'o', b'n', b'{', b'}'];
    let expected = Call { service: 1, call: 2, encoding: "json", data: b"{}" };
    assert_eq!(frame::parse(&call), Ok(ClientFrame::Call(expected)));
    for (bytes, reason) in [
        (&[][..], "found no bytes"),
        (&[9, 1], "must be 1 (message) or 2 (call), found 9"),
        (&[1, 7, 0], "ends early"),
        (&[2, 1, 0, 0, 0], "ends early"),
        (&[2, 1, 0, 0, 0, 2, 0, 0, 0, 255, 255, 255, 255, b'j'], "ends early"),
        (&[2, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0xff], "must be a text"),
    ] {
        assert!(frame::parse(bytes).is_err_and(|error| error.contains(reason)), "{bytes:?}");
    }
}

#[test]
fn binary_messages_of_the_server_have_their_fields_in_little_endian() {
    assert_eq!(frame::message_header(0x0102, 3), [1, 2, 1, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(&frame::time(258)[..], [2, 2, 1, 0, 0, 0, 0, 0, 0]);
    let call = Call { service: 1, call: 2, encoding: "cdr", data: &[] };
    assert_eq!(
        &frame::response(&call, &[9])[..],
        [3, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, b'c', b'd', b'r', 9]
    );
    assert_eq!(&frame::asset(1, Ok(&[5]))[..], [4, 1, 0, 0, 0, 0, 0, 0, 0, 0, 5]);
    assert_eq!(&frame::asset(1, Err("no"))[..], [4, 1, 0, 0, 0, 1, 2, 0, 0, 0, b'n', b'o']);
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn texts_of_the_server_have_the_members_of_the_specification() {
    let info = value(&event::server_info("session", &[("key", "value")]));
    assert_eq!((&info["op"], &info["sessionId"]), (&json!("serverInfo"), &json!("session")));
    assert_eq!(info["supportedEncodings"], json!(["json", "cdr", "protobuf"]));
    assert_eq!(info["metadata"], json!({"key": "value"}));
    assert_eq!(
        value(&event::status(Level::Error, "a\n\"b\"")),
        json!({"op": "status", "level": 2, "message": "a\n\"b\""})
    );
    let parameters = [("a".to_owned(), json!(1.0)), ("b".to_owned(), json!("x"))].into_iter().collect();
    assert_eq!(
        value(&event::parameter_values(&parameters, Some("id"))),
        json!({"op": "parameterValues", "id": "id", "parameters": [
            {"name": "a", "value": 1.0, "type": "float64"}, {"name": "b", "value": "x"}]})
    );
    let published: Ends = [("/a".to_owned(), ["x".to_owned()].into())].into();
    let changes = GraphChanges { published, removed_topics: vec!["/b".into()], ..GraphChanges::default() };
    let update = value(&event::connection_graph(&changes));
    assert_eq!(update["publishedTopics"], json!([{"name": "/a", "publisherIds": ["x"]}]));
    assert_eq!((&update["removedTopics"], &update["subscribedTopics"]), (&json!(["/b"]), &json!([])));
}

#[test]
fn quoted_texts_are_short_and_on_one_line() {
    assert_eq!(quoted("a\nb"), "a b");
    assert_eq!(quoted(&"é".repeat(81)), format!("{}…", "é".repeat(80)));
}

proptest! {
    #[test]
    fn garbage_is_an_error_or_a_request(text in ".*", bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        drop(request::parse(&text));
        let _ = frame::parse(&bytes);
    }

    #[test]
    fn garbled_requests_are_an_error_or_a_request(
        op in "subscribe|advertise|getParameters|fetchAsset|unadvertise",
        key in "subscriptions|channels|parameterNames|uri|channelIds|id",
        member in r#"\[\]|\[1\]|\{\}|"x"|null|-1|1e99|\[\{"id":1\}\]|true"#,
    ) {
        drop(request::parse(&format!("{{\"op\":\"{op}\",\"{key}\":{member}}}")));
    }
}

#[test]
fn a_long_text_is_refused_without_being_read() {
    let text = format!("{{\"op\":\"unsubscribe\",\"subscriptionIds\":[{}]}}", "1,".repeat(1 << 19));
    let reason = request::parse(&text).expect_err("too long");
    assert!(reason.contains("1048576 bytes") && reason.len() < 300, "{reason}");
}
