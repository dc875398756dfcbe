//! Which of our services Gazebo's become.

use bridgehead_plugin_api::messages::geometry_msgs::{Point, Pose};
use bridgehead_plugin_api::messages::ros_gz_interfaces as gz;

use super::*;
use crate::control::entries;

fn control(world_control: gz::WorldControl) -> Result<Vec<OwnCall>, String> {
    let request = gz::ControlWorldRequest { world_control: Some(world_control) };
    request::control(&request.encode_to_vec())
}

fn names(calls: Result<Vec<OwnCall>, String>) -> Vec<&'static str> {
    calls.expect("calls").iter().map(|call| call.service).collect()
}

fn only<M: Message + Default>(calls: Result<Vec<OwnCall>, String>) -> M {
    let calls = calls.expect("calls");
    assert_eq!(calls.len(), 1);
    M::decode(&*calls[0].request).expect("a request")
}

#[test]
fn rows_are_sorted_and_call_services_that_exist() {
    assert!(GAZEBO_SERVICES.iter().map(|row| row.declared.name).is_sorted());
    let known: Vec<&str> = entries().iter().map(|entry| entry.declared.name).collect();
    let calls = || GAZEBO_SERVICES.iter().flat_map(|row| row.calls);
    assert_eq!(calls().filter(|name| !known.contains(name)).count(), 0);
}

#[test]
fn a_request_without_pause_plays_and_only_a_paused_world_steps() {
    let steps = gz::WorldControl { multi_step: 5, ..Default::default() };
    assert_eq!(names(control(steps)), ["set_simulation_state"]);
    let calls = control(gz::WorldControl { pause: true, ..steps }).expect("calls");
    let state = si::SetSimulationStateRequest::decode(&*calls[0].request).expect("a state").state;
    assert_eq!(state.map(|state| state.state), Some(si::SimulationState::STATE_PAUSED));
    let step = si::StepSimulationRequest::decode(&*calls[1].request).expect("steps");
    assert_eq!((calls[1].service, step.steps), ("step_simulation", 5));
    let one = gz::WorldControl { pause: true, step: true, ..Default::default() };
    let step = si::StepSimulationRequest::decode(&*control(one).expect("calls")[1].request).expect("steps");
    assert_eq!(step.steps, 1);
}

#[test]
fn a_reset_comes_first_and_names_its_scope() {
    let scope = |reset| {
        let calls = control(gz::WorldControl { reset: Some(reset), ..Default::default() }).expect("calls");
        let first = calls.first().filter(|call| call.service == "reset_simulation")?;
        Some(si::ResetSimulationRequest::decode(&*first.request).expect("a reset").scope)
    };
    let all = gz::WorldReset { all: true, ..Default::default() };
    let time = gz::WorldReset { time_only: true, ..Default::default() };
    let models = gz::WorldReset { model_only: true, ..Default::default() };
    assert_eq!([all, time, models].map(scope), [Some(255), Some(1), Some(2)]);
    assert_eq!(scope(gz::WorldReset::default()), None);
}

#[test]
fn what_has_no_counterpart_is_refused_by_name() {
    let seed = control(gz::WorldControl { seed: 1, ..Default::default() });
    assert!(seed.expect_err("refused").contains("`seed`"));
    let factory = gz::EntityFactory { clone_name: "car".into(), ..Default::default() };
    let create = gz::SpawnEntityRequest { entity_factory: Some(factory) }.encode_to_vec();
    assert!(request::create(&create).expect_err("refused").contains("`clone_name`"));
    let remove = |entity| request::remove(&gz::DeleteEntityRequest { entity: Some(entity) }.encode_to_vec());
    assert!(remove(gz::Entity { id: 4, ..Default::default() }).expect_err("refused").contains("no ids"));
    let light = gz::Entity { name: "sun".into(), r#type: gz::Entity::LIGHT, ..Default::default() };
    assert!(remove(light).expect_err("refused").contains("only models"));
}

#[test]
fn entities_keep_their_names_poses_and_texts() {
    let at = Pose { position: Some(Point { x: 1.0, y: 2.0, z: 3.0 }), orientation: None };
    let car = || Some(gz::Entity { name: "car".into(), r#type: gz::Entity::MODEL, ..Default::default() });
    let remove = gz::DeleteEntityRequest { entity: car() }.encode_to_vec();
    assert_eq!(only::<si::DeleteEntityRequest>(request::remove(&remove)).entity, "car");
    let set = gz::SetEntityPoseRequest { entity: car(), pose: Some(at) }.encode_to_vec();
    let set: si::SetEntityStateRequest = only(request::set_pose(&set));
    assert_eq!((set.entity.as_str(), set.set_pose, set.set_twist), ("car", true, false));
    assert_eq!(set.state.and_then(|state| state.pose), Some(at));
    let factory = gz::EntityFactory {
        name: "second".into(),
        allow_renaming: true,
        sdf: "<sdf/>".into(),
        sdf_filename: "ignored".into(),
        pose: Some(at),
        relative_to: "world".into(),
        ..Default::default()
    };
    let create = gz::SpawnEntityRequest { entity_factory: Some(factory) }.encode_to_vec();
    let spawn: si::SpawnEntityRequest = only(request::create(&create));
    assert_eq!((spawn.name.as_str(), spawn.allow_renaming), ("second", true));
    let resource = spawn.entity_resource.expect("a resource");
    assert_eq!((resource.uri.as_str(), resource.resource_string.as_str()), ("", "<sdf/>"));
    let pose = spawn.initial_pose.expect("a pose");
    assert_eq!((pose.header.expect("a header").frame_id.as_str(), pose.pose), ("", Some(at)));
}

#[test]
fn a_call_succeeds_with_ok_and_with_the_result_that_it_accepts() {
    let call = |accepts: &'static [u32]| OwnCall { service: "delete_entity", request: Vec::new(), accepts };
    let response = |result, text: &str| {
        let result = Some(si::Result { result, error_message: text.to_owned() });
        Some(Payload::from_vec(si::DeleteEntityResponse { result }.encode_to_vec()))
    };
    assert_eq!(judged(status::OK, response(si::Result::RESULT_OK, ""), &call(&[])), Ok(()));
    assert_eq!(judged(status::OK, response(101, "already"), &call(&[101, 103])), Ok(()));
    assert_eq!(judged(status::OK, response(101, "no"), &call(&[])), Err("no".to_owned()));
    let ended = judged(status::INTERRUPTED, None, &call(&[])).expect_err("a failure");
    assert!(ended.contains("`delete_entity` was interrupted"), "{ended}");
}

#[test]
fn names_of_worlds_become_parts_of_names() {
    assert_eq!(in_a_name("my-world 2"), "my_world_2");
}
