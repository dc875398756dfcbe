//! A request is planned as calls: whom it names, in which order, and what is refused.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;
use bridgehead_plugin_api::messages::prost::Message as _;

use super::*;
use crate::ids::Ids;

fn ids() -> Ids {
    let ids = Ids::default();
    let model = |name: &str| own::ModelDescription { name: name.to_owned(), ..Default::default() };
    ids.describe(&own::WorldDescription {
        models: vec![model("car"), model("car::arm")],
        ..Default::default()
    });
    ids
}

type Planner = fn(&[u8], &World<'_>) -> Plan;

fn planned(plan: Planner, request: &impl prost::Message) -> Plan {
    plan(&request.encode_to_vec(), &World { name: "w", ids: &ids() })
}

/// The ids that are given first.
const CAR: u32 = 2;
const ARM: u32 = 3;

#[test]
fn a_model_is_named_by_its_id_before_its_name() {
    let deleted = |id: u64, name: &str| {
        let entity = gz::Entity { id, name: name.to_owned(), r#type: MODEL, header: None };
        planned(remove, &entity).map(|calls| {
            assert_eq!((calls.len(), calls[0].service), (1, "delete_entity"));
            si::DeleteEntityRequest::decode(&*calls[0].request).expect("a request").entity
        })
    };
    assert_eq!(deleted(0, "box"), Ok("box".to_owned()));
    assert_eq!(deleted(CAR.into(), "box"), Ok("car".to_owned()));
    assert!(deleted(ARM.into(), "").is_err_and(|why| why.contains("`car::arm`")));
    assert!(deleted(77, "car").is_err_and(|why| why.contains("no entity has the id 77")));
    assert!(deleted(0, "").is_err_and(|why| why.contains("neither an id nor a name")));
    let light = gz::Entity { name: "sun".to_owned(), r#type: 1, ..gz::Entity::default() };
    assert!(planned(remove, &light).is_err_and(|why| why.contains("only models")));
}

#[test]
fn poses_are_set_by_id_and_by_name() {
    let at = |x| Some(gz::Vector3d { x, ..gz::Vector3d::default() });
    let by_id = gz::Pose { id: CAR, position: at(3.0), ..gz::Pose::default() };
    let by_name = gz::Pose { name: "box".to_owned(), position: at(4.0), ..gz::Pose::default() };
    let calls = planned(set_pose_vector, &gz::PoseV { header: None, pose: vec![by_id.clone(), by_name] });
    let moved: Vec<(String, f64)> = calls
        .expect("calls")
        .iter()
        .map(|call| {
            let request = si::SetEntityStateRequest::decode(&*call.request).expect("a request");
            let pose = request.state.and_then(|state| state.pose).expect("a pose");
            (request.entity, pose.position.expect("a position").x)
        })
        .collect();
    assert_eq!(moved, [("car".to_owned(), 3.0), ("box".to_owned(), 4.0)]);
    assert!(planned(set_pose, &by_id).is_ok());
    assert!(planned(set_pose, &gz::Pose { id: ARM, ..by_id }).is_err());
}

#[test]
fn the_server_saves_then_loads_then_ends() {
    let text = str::to_owned;
    let all = gz::ServerControl {
        save_world_name: text("w"),
        save_filename: text("a.sdf"),
        open_filename: text("b.sdf"),
        stop: true,
        ..gz::ServerControl::default()
    };
    let calls = planned(server_control, &all).expect("calls");
    let services: Vec<&str> = calls.iter().map(|call| call.service).collect();
    assert_eq!(services, ["save_world", "load_world", "quit"]);
    let save = SaveWorldRequest::decode(&*calls[0].request).expect("a request");
    assert_eq!(save, SaveWorldRequest { path: text("a.sdf"), overwrite: false });
    let load = si::LoadWorldRequest::decode(&*calls[1].request).expect("a request");
    assert_eq!(load.world_resource.expect("a world").uri, "b.sdf");
    assert_eq!(planned(server_control, &gz::ServerControl::default()), Ok(Vec::new()));
    let wrong = [
        (gz::ServerControl { new_world: true, ..gz::ServerControl::default() }, "`new_world`"),
        (gz::ServerControl { clone: true, ..gz::ServerControl::default() }, "`clone`"),
        (gz::ServerControl { new_port: 1, ..gz::ServerControl::default() }, "`new_port`"),
        (gz::ServerControl { save_world_name: text("v"), ..all }, "the world is `w`, not `v`"),
        (gz::ServerControl { save_world_name: text("w"), ..gz::ServerControl::default() }, "`save_filename`"),
    ];
    for (request, part) in wrong {
        let why = planned(server_control, &request).expect_err(part);
        assert!(why.contains(part), "{why}");
    }
}

#[test]
fn a_world_is_written_without_options_only() {
    let option = |data| gz::sdf_generator_config::EntityGeneratorConfig {
        expand_include_tags: Some(gz::Boolean { header: None, data }),
        ..Default::default()
    };
    let check = |config: gz::SdfGeneratorConfig| sdf_options(&config.encode_to_vec());
    let global = |data| gz::SdfGeneratorConfig {
        global_entity_gen_config: Some(option(data)),
        ..gz::SdfGeneratorConfig::default()
    };
    assert_eq!(check(gz::SdfGeneratorConfig::default()), Ok(()));
    assert_eq!(check(global(false)), Ok(()));
    assert!(check(global(true)).is_err());
    let of_model = [("car".to_owned(), option(true))].into();
    assert!(
        check(gz::SdfGeneratorConfig { override_entity_gen_configs: of_model, ..global(false) }).is_err()
    );
    assert!(sdf_options(&[1]).is_err_and(|why| why.contains("not of its type")));
}
