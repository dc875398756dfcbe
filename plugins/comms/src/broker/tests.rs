//! Brokers through their C functions, between models on a line.

use bridgehead_plugin_api::host::{Entity, EntityId, Level, Pose};
use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

use super::*;

fn yard(builder: TestHostBuilder) -> TestHost {
    let host = builder.build();
    for (id, name, x) in [(1, "car", 0.0), (2, "near", 10.0), (3, "far", 80.0)] {
        host.set_entity(Entity {
            id: EntityId(id),
            name: name.to_owned(),
            is_static: false,
            is_spawned: false,
            pose: Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY },
            linear: [0.0; 3],
            angular: [0.0; 3],
            box_min: [0.0; 3],
            box_max: [0.0; 3],
        });
    }
    host.listen(FORWARD);
    host
}

fn frame(to: &str, len: usize) -> Dataframe {
    Dataframe {
        src_address: "addr_car".to_owned(),
        dst_address: to.to_owned(),
        data: vec![7; len].into(),
        ..Dataframe::default()
    }
}

/// A broker that knows the radio of each model.
fn started<P: ModelPlugin>(host: TestHost) -> TestModel<P> {
    let model = TestModel::<P>::started(host);
    for name in ["car", "near", "far"] {
        host.send(BIND, &std_msgs::String { data: format!("addr_{name}\n{name}") });
    }
    model
}

/// Receivers and strengths of what was forwarded since the last call.
fn receivers<P: ModelPlugin>(
    host: TestHost,
    model: &mut TestModel<P>,
    frame: &Dataframe,
) -> Vec<(String, f64)> {
    let before = host.published(FORWARD).len();
    host.send(SENT, frame);
    model.step().expect_done();
    let of = |message: &Dataframe| {
        let header = message.header.as_ref().expect("a header");
        assert_eq!((message.data.len(), message.src_address.as_str()), (frame.data.len(), "addr_car"));
        (header.frame_id.clone(), message.rssi)
    };
    let messages: Vec<Dataframe> =
        host.published(FORWARD).iter().skip(before).map(|one| one.decode()).collect();
    messages.iter().map(of).collect()
}

fn names(list: &[(String, f64)]) -> Vec<&str> {
    list.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn every_message_arrives_at_its_address_or_at_everybody_else() {
    let host = yard(TestHost::builder());
    let mut model = started::<PerfectComms>(host);
    assert_eq!(names(&receivers(host, &mut model, &frame("addr_far", 10))), ["addr_far"]);
    assert_eq!(names(&receivers(host, &mut model, &frame("broadcast", 10))), ["addr_near", "addr_far"]);
    assert!(receivers(host, &mut model, &frame("addr_moon", 10)).is_empty());
    let unknown = Dataframe { src_address: "addr_moon".to_owned(), ..frame("addr_near", 10) };
    assert!(receivers(host, &mut model, &unknown).is_empty());
    assert!(host.has_logged(Level::Warn, "no endpoint has the address of the sender"));
}

const RANGE: [(&str, &str); 4] = [
    ("range_config/max_range", "50"),
    ("range_config/sigma", "0"),
    ("radio_config/tx_power", "20"),
    ("radio_config/noise_floor", "-75"),
];

#[test]
fn a_radio_reaches_models_in_its_range_with_the_strength_of_its_distance() {
    let host = yard(TestHost::builder().params(RANGE));
    let mut model = started::<RfComms>(host);
    let found = receivers(host, &mut model, &frame("broadcast", 10));
    // 20 dBm - 40 dB - 25 dB for ten metres.
    assert_eq!(found, [("addr_near".to_owned(), -45.0)]);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn a_radio_sends_no_more_than_its_capacity_in_any_second() {
    let host = yard(TestHost::builder().params(RANGE).param("radio_config/capacity", 2000));
    let mut model = started::<RfComms>(host);
    let arrived = |model: &mut TestModel<RfComms>| receivers(host, model, &frame("addr_near", 100)).len();
    model.run(899).expect_done();
    assert_eq!(arrived(&mut model), 1);
    model.run(199).expect_done();
    // 200 ms later a second message still fits, and a third one does not, nor one that leaves less than a second after both.
    assert_eq!([arrived(&mut model), arrived(&mut model)], [1, 0]);
    model.run(700).expect_done();
    assert_eq!(arrived(&mut model), 0);
    model.run(100).expect_done();
    assert_eq!([arrived(&mut model), arrived(&mut model)], [1, 0]);
}

#[test]
fn what_is_sent_out_of_range_counts_too() {
    let host = yard(TestHost::builder().params(RANGE).param("radio_config/capacity", 2000));
    let mut model = started::<RfComms>(host);
    let arrived = |model: &mut TestModel<RfComms>, to: &str| receivers(host, model, &frame(to, 100)).len();
    let count = ["addr_far", "addr_far", "addr_near"].map(|to| arrived(&mut model, to));
    assert_eq!(count, [0, 0, 0]);
}

#[test]
fn parameters_are_refused_with_their_place() {
    for (path, text, expected) in [
        ("radio_config/modulation", "AM", "`radio_config/modulation` is `AM`; expected `QPSK`"),
        ("range_config/max_range", "inf", "expected a finite number"),
        ("range_config/sigma", "-1", "expected 0 or more"),
    ] {
        let host = yard(TestHost::builder().param(path, text));
        let error = TestModel::<RfComms>::create(host).awake().expect_failed();
        assert!(error.text().contains(expected), "{error}");
    }
}
