//! The battery, compared with charge calculated by hand.

use bridgehead_plugin_api::host::{JointKind, JointState};
use bridgehead_plugin_api::messages::sensor_msgs::BatteryState;
use bridgehead_plugin_api::messages::std_msgs;
use bridgehead_plugin_api::model::ResetScope;
use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

use super::Battery;

const STATE: &str = "battery/pack/state";

/// 10 V, 0.001 A h = 3.6 A s, 36 W: one second at full load.
fn pack() -> TestHostBuilder {
    TestHost::builder()
        .vehicle("car")
        .joint("wheel", JointKind::Continuous)
        .joint("mast", JointKind::Fixed)
        .params([
            ("battery_name", "pack"),
            ("voltage", "10"),
            ("capacity", "0.001"),
            ("power_load", "36"),
            ("smooth_current_tau", "0"),
            ("update_rate", "1000"),
        ])
}

fn started(builder: TestHostBuilder) -> (TestHost, TestModel<Battery>) {
    let host = builder.build();
    host.listen(STATE);
    (host, TestModel::started(host))
}

fn state(host: TestHost) -> BatteryState {
    host.last(STATE)
}

fn drive(host: TestHost) {
    host.set_joint_state("wheel", JointState { position: 0.0, velocity: 1.0, effort: 0.0 });
}

#[test]
fn a_standing_vehicle_keeps_its_charge_and_a_driving_one_does_not() {
    let (host, mut model) = started(pack());
    model.run(100).expect_done();
    assert_eq!(state(host).percentage.to_bits(), 1.0_f32.to_bits());
    drive(host);
    model.run(501).expect_done();
    let half = state(host);
    assert!((half.percentage - 0.5).abs() < 0.002, "{half:?}");
    assert!((half.current + 3.6).abs() < 1e-6, "{half:?}");
    assert_eq!(half.power_supply_status, BatteryState::POWER_SUPPLY_STATUS_DISCHARGING);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn an_empty_battery_cuts_the_power_of_the_joints_until_it_is_reset() {
    let (host, mut model) = started(pack().param("start_draining", true));
    model.run(990).expect_done();
    assert_eq!(host.take_commands(), []);
    model.run(20).expect_done();
    let wheel = host.joint("wheel").id;
    assert_eq!(host.take_commands().last(), Some(&TestCommand::JointEffort { joint: wheel, effort: 0.0 }));
    assert_eq!(state(host).charge.to_bits(), 0.0_f32.to_bits());
    model.reset(ResetScope::ALL).expect_done();
    model.step().expect_done();
    assert!(state(host).percentage > 0.99);
}

#[test]
fn voltage_falls_with_charge_and_current() {
    let (host, mut model) = started(pack().params([
        ("open_circuit_voltage_constant_coef", "12"),
        ("open_circuit_voltage_linear_coef", "-2"),
        ("initial_charge", "0.0005"),
    ]));
    model.run(2).expect_done();
    assert!((state(host).voltage - 11.0).abs() < 1e-6, "{:?}", state(host));
    let (host, mut model) = started(pack().params([
        ("open_circuit_voltage_constant_coef", "12"),
        ("resistance", "0.5"),
        ("start_draining", "true"),
    ]));
    model.run(2).expect_done();
    // The first step draws 36 W at 10 V.
    assert!((state(host).voltage - (12.0 - 0.5 * 3.6)).abs() < 1e-5, "{:?}", state(host));
}

#[test]
fn charging_by_topic_fills_it_in_the_given_time() {
    // Charging takes a thousandth of an hour, 3.6 s.
    let (host, mut model) = started(pack().params([
        ("initial_charge", "0.0005"),
        ("enable_recharge", "true"),
        ("charging_time", "0.001"),
        ("recharge_by_topic", "true"),
    ]));
    host.send("battery/pack/recharge/start", &std_msgs::Bool { data: true });
    model.run(901).expect_done();
    let charging = state(host);
    assert!((charging.percentage - 0.75).abs() < 0.001, "{charging:?}");
    assert_eq!(charging.power_supply_status, BatteryState::POWER_SUPPLY_STATUS_CHARGING);
    host.send("battery/pack/recharge/stop", &std_msgs::Bool { data: true });
    model.run(500).expect_done();
    assert!((state(host).percentage - 0.75).abs() < 0.001);
}

#[test]
fn more_charge_than_fits_is_refused() {
    let host = pack().param("initial_charge", 1).build();
    let error = TestModel::<Battery>::create(host).awake().expect_failed();
    assert!(error.text().ends_with("`initial_charge` is `1`; expected at most <capacity>, 0.001"), "{error}");
}

#[test]
fn a_saved_charge_that_no_longer_fits_is_refused_with_its_own_name() {
    let host = pack().param("bridgehead:saved/charge", 1).build();
    let error = TestModel::<Battery>::create(host).awake().expect_failed();
    let wanted = "`bridgehead:saved/charge` is `1`; expected at most <capacity>, 0.001";
    assert!(error.text().ends_with(wanted), "{error}");
}

#[test]
fn a_changed_charge_is_saved() {
    let builders = || [pack(), pack().param("bridgehead:saved/charge", "0.0007")];
    for builder in builders() {
        let (_, mut model) = started(builder);
        model.run(100).expect_done();
        assert_eq!(model.saved_elements(), None);
    }
    for builder in builders() {
        let (_, mut model) = started(builder.param("start_draining", true));
        model.run(100).expect_done();
        let saved = model.saved_elements().expect("a charge");
        assert!(saved.starts_with("<charge>0.000"), "{saved}");
    }
}

/// 12 V that fall by 0.5 V per second.
fn fading() -> TestHostBuilder {
    TestHost::builder().vehicle("car").joint("wheel", JointKind::Continuous).params([
        ("battery_name", "pack"),
        ("voltage", "12"),
        ("voltage_drop", "0.5"),
        ("topic", "battery_state"),
        ("update_rate", "1000"),
    ])
}

fn fading_state(host: TestHost) -> BatteryState {
    host.last("battery_state")
}

#[test]
fn a_voltage_may_fall_by_itself_down_to_a_tenth() {
    let host = fading().build();
    host.listen("battery_state");
    let mut model = TestModel::<Battery>::started(host);
    model.run(2001).expect_done();
    let state = fading_state(host);
    assert!((state.voltage - 11.0).abs() < 1e-4, "{state:?}");
    assert!((state.percentage - (11.0 - 1.2) / 10.8).abs() < 1e-4, "{state:?}");
    assert!(state.current.is_nan() && state.charge.is_nan() && state.capacity.is_nan());
    assert_eq!(state.power_supply_status, BatteryState::POWER_SUPPLY_STATUS_DISCHARGING);
    model.run(25_000).expect_done();
    let empty = fading_state(host);
    assert!((empty.voltage - 1.2).abs() < 1e-6 && empty.percentage.abs() < 1e-6, "{empty:?}");
    assert_eq!(host.take_commands(), [], "the vehicle keeps driving");
    model.reset(ResetScope::ALL).expect_done();
    model.step().expect_done();
    assert!(fading_state(host).voltage > 11.99);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn a_fallen_voltage_is_saved_and_restored() {
    let mut model = TestModel::<Battery>::started(fading().build());
    assert_eq!(model.saved_elements(), None);
    model.run(1000).expect_done();
    let saved = model.saved_elements().expect("a voltage");
    assert!(saved.starts_with("<voltage>11.49999999999"), "{saved}");
    let host = fading().param("bridgehead:saved/voltage", "6.6").build();
    host.listen("battery_state");
    TestModel::<Battery>::started(host).step().expect_done();
    assert!((fading_state(host).percentage - 0.5).abs() < 1e-3, "{:?}", fading_state(host));
}

#[test]
fn a_voltage_drop_cannot_be_combined_with_charge() {
    let refusal = |builder: TestHostBuilder| {
        TestModel::<Battery>::create(builder.build()).awake().expect_failed().text().to_owned()
    };
    let both = refusal(fading().param("power_load", 3));
    assert!(
        both.contains("`voltage_drop` is `0.5`; expected not to be combined with <power_load>"),
        "{both}"
    );
    let more = refusal(fading().param("bridgehead:saved/voltage", 13));
    assert!(more.ends_with("`bridgehead:saved/voltage` is `13`; expected at most <voltage>, 12"), "{more}");
}
