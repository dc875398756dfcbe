//! Checks of the devices that answer requests on a Control port: elevators and actors, each in a world of its own.

use serde_json::json;

use super::msgs::{Any, Param, Vector3d, any};
use super::wire::{Requester, decode, text};
use super::yard::Yard;
use crate::support::eventually;
use prost::Message as _;

/// A building of two floors with an elevator in it, and a robot of 20 kg that stands in the cabin.
const TOWER: &str = "<sdf version='1.9'><world name='w'>
    <model name='tower'><static>true</static><pose>0 0 5 0 0 0</pose>
      <link name='wall'><pose>3 0 1 0 0 0</pose></link>
      <model name='EV_1'>
        <link name='deck'><collision name='c'><pose>0 0 -0.05 0 0 0</pose><geometry><box><size>2 2 0.1</size></box>
          </geometry></collision></link>
        <link name='door'><pose>1 0 1 0 0 0</pose><collision name='c'><geometry><box><size>0.05 1 2</size></box>
          </geometry></collision></link>
      </model>
      <plugin name='e' filename='libElevatorSystem.so'><system_name>office</system_name>
        <elevator prefix_name='EV_' speed='2'><floor>deck</floor><doors speed='2' closing_timer='20'>
          <inside open_offset='0.5'><door name='left'>door</door></inside></doors></elevator>
        <floors><floor><name>1F</name><height>0</height></floor><floor><name>2F</name><height>4</height></floor></floors>
      </plugin></model>
    <model name='robot'><pose>0 0 5.2 0 0 0</pose><link name='l'><inertial><mass>20</mass><inertia><ixx>0.6</ixx>
      <iyy>0.6</iyy><izz>0.6</izz></inertia></inertial><collision name='c'><geometry><box><size>0.4 0.4 0.4</size></box>
      </geometry></collision></link></model></world></sdf>";

/// Asks the system of elevators as a client does: the children of the request have a fixed order.
#[track_caller]
fn call(requester: &Requester, children: [&str; 4]) -> Param {
    let names = ["service_name", "current_floor", "target_floor", "elevator_index"];
    let child = |(name, value): (&&str, &str)| Param {
        params: [((*name).to_owned(), text(value))].into(),
        ..Param::default()
    };
    let request = Param {
        params: [("office".to_owned(), Any::default())].into(),
        children: names.iter().zip(children).map(child).collect(),
        ..Param::default()
    };
    let reply: Param = decode(&requester.ask_bytes(&request.encode_to_vec()));
    assert!(reply.params.contains_key("office") && reply.children.len() == 5, "{reply:?}");
    reply
}

fn value(reply: &Param, child: usize) -> Option<&any::Value> {
    reply.children[child].params.values().next()?.value.as_ref()
}

fn is_so(reply: &Param) -> bool {
    value(reply, 1) == Some(&any::Value::BoolValue(true))
}

#[track_caller]
fn place(yard: &Yard, entity: &str) -> [f64; 3] {
    let state = yard.ok("get_entity_state", json!({ "entity": entity }));
    ["x", "y", "z"].map(|axis| state["state"]["pose"]["position"][axis].as_f64().expect("a number"))
}

pub(super) fn elevator(beside: &Yard) {
    let yard = beside.beside(TOWER, &["elevator"]);
    eventually("the elevators are listed", || yard.devices()["World"].get("ELEVATOR").is_some());
    let requester = yard.device("World", "ELEVATOR").requester_on("Control");
    let name: Param = requester.ask("request_system_name");
    assert_eq!(name.params["request_system_name"].value, Some(any::Value::StringValue("office".to_owned())));
    eventually("the state is known", || {
        is_so(&call(&requester, ["get_elevator_information", "", "", "EV_1"]))
    });
    assert!(!is_so(&call(&requester, ["call_elevator", "1F", "9F", ""])), "an unknown floor");
    assert!(is_so(&call(&requester, ["call_elevator", "1F", "2F", ""])));
    eventually("the elevator has come", || is_so(&call(&requester, ["get_called_elevator", "1F", "2F", ""])));
    let came = call(&requester, ["get_called_elevator", "1F", "2F", ""]);
    assert_eq!(value(&came, 2), Some(&any::Value::StringValue("EV_1".to_owned())));
    assert!(is_so(&call(&requester, ["select_elevator_floor", "1F", "2F", "EV_1"])));
    assert!(is_so(&call(&requester, ["request_door_close", "", "", "EV_1"])));
    let height = || match value(&call(&requester, ["get_elevator_information", "", "", "EV_1"]), 4) {
        Some(any::Value::DoubleValue(height)) => *height,
        other => panic!("{other:?}"),
    };
    eventually("the cabin is up", || (height() - 4.0).abs() < 1e-9);
    // The robot is carried: half of its height above the deck.
    let [x, y, z] = place(&yard, "robot");
    assert!(x.abs() < 0.01 && y.abs() < 0.01 && (z - 9.2).abs() < 0.01, "{x} {y} {z}");
    eventually("a door is open up there", || {
        call(&requester, ["request_door_open", "", "", "EV_1"]);
        is_so(&call(&requester, ["is_door_opened", "", "", "EV_1"]))
    });
    yard.finish().expect_code(0).expect_silence("warning");
}

/// An actor with a script that lets it stand, and a bystander.
const STREET: &str = "<sdf version='1.9'><world name='w'><plugin name='c' filename='libActorControlPlugin.so'/>
    <actor name='anna'><pose>1 2 0 0 0 0</pose><link name='body'><pose>0 0 1 0 0 0</pose><collision name='c'><geometry>
      <box><size>0.4 0.4 2</size></box></geometry></collision></link>
      <plugin name='a' filename='libActorPlugin.so'><default><motion>manual</motion><steering><speed>2</speed></steering>
      </default></plugin></actor></world></sdf>";

pub(super) fn actor(beside: &Yard) {
    let yard = beside.beside(STREET, &["actor"]);
    eventually("the actors are listed", || yard.devices()["World"].get("ACTOR").is_some());
    let requester = yard.device("World", "ACTOR").requester_on("Control");
    let send = |name: &str, x: f64, y: f64| {
        let goal = Vector3d { header: None, x, y, z: 0.0 };
        let value = Some(any::Value::Vector3dValue(goal));
        let goal = Any { header: None, r#type: any::ValueType::Vector3d.into(), value };
        let request = Param { params: [(name.to_owned(), goal)].into(), ..Param::default() };
        let reply: Param = decode(&requester.ask_bytes(&request.encode_to_vec()));
        reply.params["result"].value == Some(any::Value::BoolValue(true))
    };
    assert!(!send("bert", 0.0, 0.0), "there is no bert");
    eventually("the actor takes a goal", || send("anna", 4.0, -2.0));
    eventually("the actor is there", || {
        let [x, y, _] = place(&yard, "anna");
        (x - 4.0).abs() < 1e-6 && (y + 2.0).abs() < 1e-6
    });
    yard.finish().expect_code(0).expect_silence("warning");
}
