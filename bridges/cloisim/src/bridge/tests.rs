//! The bridge between a test host and clients of CLOiSim: discovery, data, commands, resets.
#![cfg(feature = "libzmq")]

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::messages::Service;
use bridgehead_plugin_api::messages::nav_msgs::Odometry;
use bridgehead_plugin_api::messages::sensor_msgs::Imu;
use bridgehead_plugin_api::messages::simulation_interfaces::{EntityState, Result as Outcome};
use bridgehead_plugin_api::model::ResetScope;
use bridgehead_plugin_api::testing::{TestBridge, TestHost};
use serde_json::{Value, json};

use super::*;
use crate::device::tests::{ODOMETRY, Scene, TWIST};
use crate::frame::{frame, payload};
use crate::msgs;
use crate::tag::tag;
use crate::wall_clock;

type Cloisim = TestBridge<CloisimBridge>;

/// A service for one test, and its first port.
struct EulerPose {
    connection: String,
    service: u16,
    first: u16,
}

fn place() -> EulerPose {
    static NEXT: AtomicU16 = AtomicU16::new(21_000);
    let first = NEXT.fetch_add(50, Ordering::Relaxed);
    let service = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
    EulerPose { connection: format!(":{service};ports={first}-{}", first + 49), service, first }
}

impl EulerPose {
    fn ask(&self, text: &str) -> Value {
        let (mut client, _) =
            tungstenite::connect(format!("ws://127.0.0.1:{}/control", self.service)).expect("a connection");
        client.send(tungstenite::Message::text(text)).expect("sent");
        let answer = client.read().expect("an answer").into_text().expect("a text");
        serde_json::from_str(&answer).expect("JSON")
    }

    fn devices(&self) -> Value {
        self.ask("{'command':'device_list', 'filter':''}")["result"].clone()
    }
}

fn scene() -> Scene {
    let mut scene = Scene::new();
    scene.plugin("cloi", "libMicomPlugin.so", "diff_drive", &[ODOMETRY, TWIST], "").sensor(
        "chassis",
        "imu",
        "imu",
        &["sensor_msgs/msg/Imu"],
        "",
    );
    scene
}

const IMU: &str = "/cloi/chassis/imu/imu";
const COMMANDS: &str = "/cloi/libMicomPlugin.so/twist";

fn world(scene: &Scene) -> Cloisim {
    Cloisim::create(TestHost::builder().vehicle("").description(scene.0.clone()).build())
}

fn vehicle(scene: &Scene) -> Cloisim {
    Cloisim::create(TestHost::builder().vehicle("cloi").description(scene.0.clone()).build())
}

fn socket(kind: zmq::SocketType, port: &Value, key: &str) -> zmq::Socket {
    let socket = zmq::Context::new().socket(kind).expect("a socket");
    socket.set_linger(0).expect("an option");
    socket.set_rcvtimeo(5000).expect("an option");
    if kind == zmq::SUB {
        socket.set_subscribe(&tag(key)).expect("an option");
    }
    socket.connect(&format!("tcp://127.0.0.1:{}", port.as_u64().expect("a port"))).expect("a connection");
    socket
}

fn receive<M: prost::Message + Default>(socket: &zmq::Socket) -> M {
    let frame = socket.recv_bytes(0).expect("a message");
    M::decode(payload(&frame).expect("a tag before it")).expect("of its type")
}

#[test]
fn a_connection_string_is_checked_before_anything_starts() {
    Cloisim::validate("").expect_done();
    Cloisim::validate("0.0.0.0:9000;bind=*").expect_done();
    assert!(Cloisim::validate("udp").expect_failed().text().contains("BH-CLO-001"));
}

#[test]
fn clients_find_the_world_before_one_is_loaded_and_later_its_devices() {
    let place = place();
    let mut bridge = Cloisim::create(TestHost::builder().vehicle("").build());
    bridge.connect(&place.connection).expect_done();
    let first = place.first;
    let clock =
        json!({ "World": { "WORLD": { "SimulationWorld": { "Clock": first, "Control": first + 1 } } } });
    assert_eq!(place.devices(), clock);
    bridge.host().set_description(scene().0);
    let mut car = vehicle(&scene());
    car.connect(&place.connection).expect_done();
    bridge.host().wait_until("the devices are listed", |_| place.devices().get("cloi").is_some());
    let cloi = json!({
        "MICOM": { "Micom": { "Info": first + 2, "Rx": first + 3, "Tx": first + 4, "Tf": first + 5 } },
        "IMU": { "chassis_imu": { "Info": first + 6, "Data": first + 7 } },
    });
    assert_eq!(place.devices()["cloi"], cloi);
    car.disconnect().expect_done();
    assert_eq!(place.devices(), clock, "its bridge disconnected");
    car.connect(&place.connection).expect_done();
    assert_eq!(place.devices()["cloi"], cloi, "ports stay the same");
    bridge.disconnect().expect_done();
    car.disconnect().expect_done();
    bridge.connect(&place.connection).expect_done();
    assert_eq!(place.devices()["World"], clock["World"], "even after the service was closed");
}

#[test]
fn a_client_receives_clock_and_sensor_data_and_requests_infos() {
    let (place, scene) = (place(), scene());
    let (mut world, mut car) = (world(&scene), vehicle(&scene));
    let imu = car.advertise::<Imu>(IMU, Qos::sensor_data()).expect("a publisher");
    world.connect(&place.connection).expect_done();
    car.connect(&place.connection).expect_done();
    let devices = place.devices();
    let clock =
        socket(zmq::SUB, &devices["World"]["WORLD"]["SimulationWorld"]["Clock"], "WorldSimulationWorldClock");
    let first: msgs::WorldStatistics = receive(&clock);
    assert!(first.sim_time.is_some());
    let ports = &devices["cloi"]["IMU"]["chassis_imu"];
    let data = socket(zmq::SUB, &ports["Data"], "cloichassis_imuData");
    let alive: msgs::Imu = receive(&data);
    assert_eq!(
        alive.orientation_covariance.expect("nine").data[0],
        -1.0,
        "keep-alive before anything was measured"
    );
    let sample = Imu {
        angular_velocity: Some(bridgehead_plugin_api::messages::geometry_msgs::Vector3 {
            x: 4.0,
            y: 0.0,
            z: 0.0,
        }),
        ..Imu::default()
    };
    car.publish(&imu, &sample);
    let heard = |_: TestHost| receive::<msgs::Imu>(&data).angular_velocity.is_some_and(|rate| rate.x == 4.0);
    car.host().wait_until("the sample is received", heard);
    assert!(heard(car.host()), "and repeated if nothing new arrives");
    let info = socket(zmq::REQ, &ports["Info"], "");
    let question = msgs::Param::named("request_ros2", msgs::Any::default());
    let is_soon = (0..10).any(|_| {
        let begin = wall_clock::now();
        info.send(frame([0; 8], &prost::Message::encode_to_vec(&question)), 0).expect("sent");
        let answer: msgs::Param = receive(&info);
        assert!(answer.params.contains_key("ros2"));
        // Wall time: an answer that waits for the next poll of a socket arrives too, but late.
        begin.elapsed() < Duration::from_millis(500)
    });
    assert!(is_soon, "one of ten answers, on a machine that may be busy");
}

#[test]
fn a_client_drives() {
    let (place, scene) = (place(), scene());
    let mut car = vehicle(&scene);
    let commands = car.subscribe::<Twist>(COMMANDS, Qos::default()).expect("a subscriber");
    car.connect(&place.connection).expect_done();
    let ports = place.devices()["cloi"]["MICOM"]["Micom"].clone();
    let rx = socket(zmq::PUB, &ports["Rx"], "");
    let forward = msgs::Twist {
        linear: Some(msgs::Vector3d { x: 1.5, ..Default::default() }),
        angular: Some(msgs::Vector3d::default()),
        header: None,
    };
    let command = frame(tag("cloiMicomRx"), &prost::Message::encode_to_vec(&forward));
    let deadline = wall_clock::now() + Duration::from_secs(10);
    while commands.deliveries().is_empty() {
        assert!(wall_clock::now() < deadline, "the command does not arrive");
        rx.send(command.clone(), 0).expect("sent");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(commands.deliveries()[0].decode::<Twist>().linear.expect("a speed").x, 1.5);
}

#[test]
fn topics_without_a_device_are_declined() {
    let (place, scene) = (place(), scene());
    let mut car = vehicle(&scene);
    car.connect(&place.connection).expect_done();
    assert!(car.advertise::<Imu>(IMU, Qos::default()).is_ok());
    assert!(car.advertise::<Imu>("/cloi/other", Qos::default()).is_err());
    assert!(car.advertise::<Twist>("/cloi/cmd", Qos::default()).is_err());
}

#[test]
fn a_message_of_another_type_is_rejected_and_logged_once() {
    let (place, scene) = (place(), scene());
    let mut car = vehicle(&scene);
    let odometry =
        car.advertise::<Odometry>("/cloi/libMicomPlugin.so/odometry", Qos::default()).expect("a publisher");
    car.connect(&place.connection).expect_done();
    for _ in 0..3 {
        car.publish_payload(&odometry, &bridgehead_plugin_api::Payload::from_vec(vec![0xff, 0xff]));
    }
    car.publish(&odometry, &Odometry::default());
    car.disconnect().expect_done();
    assert_eq!((car.counts().delivered, car.counts().rejected), (1, 3));
}

struct Reset;
impl Service for Reset {
    const ROS_NAME: &'static str = "bridgehead_simulation_interfaces/srv/Reset";
    type Request = ResetRequest;
    type Response = ResetResponse;
}

struct Names;
impl Service for Names {
    const ROS_NAME: &'static str = "simulation_interfaces/srv/GetEntities";
    type Request = GetEntitiesRequest;
    type Response = GetEntitiesResponse;
}

struct Move;
impl Service for Move {
    const ROS_NAME: &'static str = "simulation_interfaces/srv/SetEntityState";
    type Request = SetEntityStateRequest;
    type Response = SetEntityStateResponse;
}

struct PoseService;
impl Service for PoseService {
    const ROS_NAME: &'static str = "simulation_interfaces/srv/GetEntityState";
    type Request = GetEntityStateRequest;
    type Response = GetEntityStateResponse;
}

fn outcome(result: u32, text: &str) -> Option<Outcome> {
    Some(Outcome { result, error_message: text.into() })
}

#[test]
fn a_client_resets_teleports_and_requests_poses() {
    let place = place();
    let mut world = world(&scene());
    world.connect(&place.connection).expect_done();
    let refused = place.ask("{'command':'reset'}");
    assert!(refused["result"].as_str().expect("a text").contains("is not offered"), "{refused}");
    let ok = || outcome(Outcome::RESULT_OK, "");
    world
        .offer::<Reset>("reset", move |request| {
            assert_eq!(request.then, "keep", "a running simulation goes on");
            Ok(ResetResponse { result: ok(), ..ResetResponse::default() })
        })
        .expect("offered");
    world
        .offer::<Names>("names", move |_| {
            Ok(GetEntitiesResponse { result: ok(), entities: vec!["cloi".into()] })
        })
        .expect("offered");
    world
        .offer::<Move>("move", move |request| {
            let x = request
                .state
                .and_then(|state| state.pose)
                .and_then(|pose| pose.position)
                .map_or(0.0, |at| at.x);
            let result = if x > 5.0 { outcome(101, "out of the world") } else { ok() };
            Ok(SetEntityStateResponse { result })
        })
        .expect("offered");
    world
        .offer::<PoseService>("where", move |request| {
            assert_eq!(request.entity, "cloi");
            let pose = crate::pose::Pose::from_euler([1.0, 2.0, 0.0], [0.0, 0.0, 0.5]).to_ros();
            let state = Some(EntityState { pose: Some(pose), ..EntityState::default() });
            Ok(GetEntityStateResponse { result: ok(), state })
        })
        .expect("offered");
    assert_eq!(place.ask("{'command':'reset'}")["result"], "ok");
    let teleport = |x: i32| {
        place.ask(&format!("{{'command':'teleport','targets':[{{'target':'cloi','pose':{{'x':{x}}}}}]}}"))
    };
    assert_eq!(teleport(1)["result"], "ok");
    assert_eq!(teleport(9)["targets"][0]["result"], "out of the world");
    let ghost = place.ask("{'command':'teleport','targets':[{'target':'ghost'}]}");
    assert_eq!(ghost["result"], "no such model: ghost; nothing was moved");
    let info = place.ask("{'command':'get_model_info','target_model':'cloi'}")["result"].clone();
    assert_eq!(info["pose"]["position"]["y"], 2.0);
    assert!((info["pose"]["orientation"]["yaw"].as_f64().expect("a number") - 0.5).abs() < 1e-9);
}

#[test]
fn the_client_is_notified_of_a_reset_once() {
    let place = place();
    let (mut world, mut car) = (world(&scene()), vehicle(&scene()));
    world.connect(&place.connection).expect_done();
    car.connect(&place.connection).expect_done();
    let control = place.devices()["World"]["WORLD"]["SimulationWorld"]["Control"].clone();
    let notice = Notice::Reset { scope: ResetScope::ALL, epoch: 1, ticket: 5 };
    world.notice(&notice).expect_done();
    car.notice(&notice).expect_done();
    let client = socket(zmq::REP, &control, "");
    let question: msgs::Param = receive(&client);
    assert_eq!(question.params["reset_simulation"], msgs::Any::truth(true));
    let answer = msgs::Param::named("result", msgs::Any::text("OK(1/1)"));
    client.send(frame([0; 8], &prost::Message::encode_to_vec(&answer)), 0).expect("sent");
    client.set_rcvtimeo(700).expect("an option");
    assert_eq!(client.recv_bytes(0), Err(zmq::Error::EAGAIN), "both instances reported one reset");
}

#[test]
fn a_service_has_one_set_of_options_and_refuses_a_taken_address() {
    let place = place();
    let (mut world, mut car) = (world(&scene()), vehicle(&scene()));
    world.connect(&place.connection).expect_done();
    let other = format!("{};backend=zeromq", place.connection);
    assert!(car.connect(&other).expect_failed().text().contains("BH-CLO-011"));
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let service = taken.local_addr().expect("an address").port();
    let error = car.connect(&format!(":{service};ports=20900-20949")).expect_failed();
    assert!(error.text().contains("BH-CLO-002"), "{error}");
    assert_eq!(car.status(), BridgeStatus::Disconnected);
}

#[test]
fn a_taken_port_is_skipped() {
    let place = place();
    let _taken = TcpListener::bind(("127.0.0.1", place.first)).expect("the port");
    let mut world = world(&scene());
    world.connect(&place.connection).expect_done();
    let ports = place.devices()["World"]["WORLD"]["SimulationWorld"].clone();
    assert_ne!(ports["Clock"], json!(place.first));
    let reported = world.host().endpoints();
    let first = &reported[&format!("tcp://127.0.0.1:{}", place.first)];
    assert!(first.ends_with("(taken by another program)"), "{reported:?}");
}

#[test]
fn ports_and_their_owners_are_reported_to_the_host() {
    let place = place();
    let (mut world, mut car) = (world(&scene()), vehicle(&scene()));
    world.connect(&place.connection).expect_done();
    let reported = |bridge: &Cloisim| bridge.host().endpoints().into_values().collect::<Vec<_>>();
    assert!(
        reported(&world).iter().any(|purpose| purpose.ends_with("(closed)")),
        "the car is not connected: {reported:?}",
        reported = reported(&world)
    );
    car.connect(&place.connection).expect_done();
    assert!(!reported(&world).iter().any(|purpose| purpose.ends_with("(closed)")), "{:?}", reported(&world));
    assert!(reported(&car).is_empty(), "the first instance reports for all");
    world.disconnect().expect_done();
    assert!(reported(&world).is_empty());
    assert!(reported(&car).iter().any(|purpose| purpose.starts_with("cloi ")), "{:?}", reported(&car));
    car.disconnect().expect_done();
    assert!(reported(&car).iter().all(|purpose| purpose.ends_with("(closed)")), "{:?}", reported(&car));
}

#[test]
fn the_rust_library_behaves_the_same() {
    let (place, scene) = (place(), scene());
    let mut world = world(&scene);
    world.connect(&format!("{};backend=zeromq", place.connection)).expect_done();
    let port = place.devices()["World"]["WORLD"]["SimulationWorld"]["Clock"].clone();
    let clock = socket(zmq::SUB, &port, "WorldSimulationWorldClock");
    assert!(receive::<msgs::WorldStatistics>(&clock).sim_time.is_some());
    world.disconnect().expect_done();
}
