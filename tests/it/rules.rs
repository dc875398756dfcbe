//! The test host of the SDK follows the rules of the real host: one fixture, run in both, records the same notes.
//!
//! Checks of arguments, threads and results cannot differ, because both hosts have them from `plugin-api/src/hosting` and
//! `plugin-api/src/objects`; `tests/it/misuse.rs` compares what they answer. What each host does then is its own, and is
//! compared here: names of topics, depths of queues, order of messages, what a reset empties, and texts of refusals.

use std::collections::BTreeMap;

use bridgehead_plugin_api::Request;
use bridgehead_plugin_api::bridge::Notice;
use bridgehead_plugin_api::host::{JointKind, Qos};
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::SetBool;
use bridgehead_plugin_api::messages::std_msgs::{Bool, Float64};
use bridgehead_plugin_api::messages::std_srvs::{SetBoolRequest, SetBoolResponse};
use bridgehead_plugin_api::model::ResetScope;
use bridgehead_plugin_api::testing::{Outcome, TestBridge, TestHost, TestModel};

use crate::support::{Setup, world};

#[path = "../fixtures/ruled.rs"]
mod ruled;

use ruled::{RuledBridge, RuledModel};

/// The notes of each instance, in order.
type Notes = BTreeMap<String, Vec<String>>;

fn sorted(notes: impl IntoIterator<Item = (String, String)>) -> Notes {
    let mut sorted = Notes::new();
    for (who, what) in notes {
        sorted.entry(who).or_default().push(what);
    }
    sorted
}

/// Runs the fixture in the real host, until it requests the end.
fn in_the_host() -> Notes {
    let car = "<model name='car1'>\
         <link name='base'><inertial><mass>1</mass></inertial></link>\
         <link name='arm'><inertial><mass>1</mass></inertial></link>\
         <joint name='slide' type='prismatic'><parent>base</parent><child>arm</child><axis><xyz>1 0 0</xyz></axis></joint>\
         <plugin filename='ruled_model' name='ruled'/></model>";
    let setup = Setup::new().fixtures(&["ruled_library"]).recording().world(&world(car));
    let finished = setup.bridge("car1=ruled_bridge:there").finish().expect_code(0);
    let mut lines = finished.recorded();
    // The visual markers are a topic of the real host only.
    lines.retain(|line| !line.text("what").contains("/visual_markers "));
    sorted(lines.iter().map(|line| (line.text("who").to_owned(), line.text("what").to_owned())))
}

/// Runs the model plugin in the test host. Returns the host, which knows the advertised topics.
fn model_in_the_test_host() -> TestHost {
    let host = TestHost::builder()
        .vehicle("car1")
        .element("ruled")
        .link("base")
        .link("arm")
        .joint("slide", JointKind::Prismatic)
        .build();
    let mut model = TestModel::<RuledModel>::started(host);
    for data in [true, false] {
        host.send("in", &Bool { data });
    }
    let call = host.call_service("enable", &SetBoolRequest { data: true });
    loop {
        match model.step() {
            Outcome::Done => {}
            Outcome::Asked(Request::Reset, _) => model.reset(ResetScope::ALL).expect_done(),
            Outcome::Asked(Request::Succeed, _) => break,
            other => panic!("the step {other}"),
        }
    }
    let answer = host.answer::<SetBoolResponse>(call).expect("answered").expect("a response");
    assert!(answer.success);
    model.stop().expect_done();
    drop(model);
    host
}

/// Makes the endpoints of one topic, as the host does: a subscribed topic gets an incoming endpoint; a published topic,
/// or one without an incoming endpoint, gets an outgoing endpoint.
fn make_endpoints<T: Message>(
    bridge: &mut TestBridge<RuledBridge>,
    name: &str,
    qos: Qos,
    is_subscribed: bool,
    is_published: bool,
) -> Option<bridgehead_plugin_api::testing::TestPublisher> {
    let comes_in = is_subscribed && bridge.subscribe::<T>(name, qos).is_ok();
    if is_published || !comes_in { bridge.advertise::<T>(name, qos).ok() } else { None }
}

/// Runs the bridge in the test host, with the topics and services of the model plugin.
fn bridge_in_the_test_host(model: TestHost) {
    assert!(TestBridge::<RuledBridge>::validate("there").is_done());
    let mut bridge = TestBridge::<RuledBridge>::create(TestHost::builder().vehicle("car1").build());
    let published: BTreeMap<_, _> =
        model.topics().into_iter().map(|topic| (topic.name.clone(), topic)).rev().collect();
    let subscribed = model.subscribed_topics();
    let mut names: Vec<_> = published.keys().chain(&subscribed).cloned().collect();
    names.sort();
    names.dedup();
    let mut out = None;
    for name in names {
        let is_subscribed = subscribed.contains(&name);
        let (qos, is_number) = published
            .get(&name)
            .map_or((Qos::default(), false), |topic| (topic.qos, topic.type_name == Float64::FULL_NAME));
        let is_published = published.contains_key(&name);
        let made = if is_number {
            make_endpoints::<Float64>(&mut bridge, &name, qos, is_subscribed, is_published)
        } else {
            make_endpoints::<Bool>(&mut bridge, &name, qos, is_subscribed, is_published)
        };
        out = out.or(made);
    }
    let mut services = model.services();
    services.sort();
    for name in services {
        let answer = |request: SetBoolRequest| {
            Ok(SetBoolResponse { success: request.data, message: "done".to_owned() })
        };
        bridge.offer::<SetBool>(&name, answer).expect("offered");
    }
    bridge.connect("there").expect_done();
    let out = out.expect("the bridge carries `out`");
    let publish = |bridge: &TestBridge<RuledBridge>| {
        (0..3).for_each(|_| bridge.publish(&out, &Bool { data: true }));
    };
    bridge.notice(&Notice::Started).expect_done();
    publish(&bridge);
    let reset = Notice::Reset { scope: ResetScope::ALL, epoch: 1, ticket: 7 };
    assert_eq!(bridge.notice(&reset), Outcome::Pending);
    publish(&bridge);
    bridge.notice(&Notice::Stopped).expect_done();
    bridge.disconnect().expect_done();
}

#[test]
fn the_test_host_follows_the_rules_of_the_host() {
    drop(ruled::take_notes());
    bridge_in_the_test_host(model_in_the_test_host());
    let test = sorted(ruled::take_notes());
    let host = in_the_host();
    let who: Vec<_> = host.keys().collect();
    assert_eq!(who, test.keys().collect::<Vec<_>>());
    assert!(host["model"].len() > 100 && host["tx"].len() > 10, "too few notes: {host:?}");
    let mut differences = Vec::new();
    for who in who {
        for place in 0..host[who].len().max(test[who].len()) {
            let [host, test] =
                [&host[who], &test[who]].map(|notes| notes.get(place).map_or("nothing", String::as_str));
            if host != test {
                differences.push(format!("{who} in the host: {host}\n{who} in the test host: {test}"));
            }
        }
    }
    assert!(differences.is_empty(), "the two hosts differ:\n{}", differences.join("\n"));
}
