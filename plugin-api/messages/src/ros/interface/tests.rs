//! Hashes of the older generation of `simulation_interfaces`, of descriptors changed back to it.

use std::collections::BTreeMap;

use prost::Message as _;

use super::ServiceTypes;
use crate::descriptor::{Descriptor, FieldDescriptor, FileSet};
use crate::ros::type_hash;
use crate::simulation_interfaces::{Resource, SpawnEntityRequest};
use crate::{CdrPlan, Message as _, MessageType, Schema, all_schemas};

/// What Humble, Jazzy and Kilted publish where it differs from version 2.1.0.
const OLDER: [(&str, &str); 9] = [
    (
        "simulation_interfaces/msg/Spawnable",
        "8c22025d840e7a05ab31ba56f998b06458b549a9744b4695be25b778829fc176",
    ),
    (
        "simulation_interfaces/srv/GetSpawnables",
        "3bc0266bf8236058ff589c44512e013afe4f295427c39d44cff363d1c956bf36",
    ),
    (
        "simulation_interfaces/srv/GetSpawnables_Response",
        "4e532ac531e2d0bb495a8b53409a8025551f55329250537a3d5a28c5d7ce36af",
    ),
    (
        "simulation_interfaces/srv/LoadWorld",
        "f210682338f195f6f06191b46b20ec4992bddf485d33e2cffab2dd15341b4e3e",
    ),
    (
        "simulation_interfaces/srv/LoadWorld_Request",
        "f683da497d911d5b8d8191c457d4dd90b39ceb1a7c3ec8e2f2adf89ee6721851",
    ),
    (
        "simulation_interfaces/srv/SetEntityState",
        "ca210e7d2b66629ae133c8e1edf5246e618106d75c78ed0556c0e7a33c59ee5e",
    ),
    (
        "simulation_interfaces/srv/SetEntityState_Request",
        "95cdfbffcd9c4d0133b2079bdcadd4420ce86dd255c11a3dfed7f9f907fd304d",
    ),
    (
        "simulation_interfaces/srv/SpawnEntity",
        "d4c086345d4194a5fc4c9ae45095736ca4062b5cdac4d06a42dec93d683e03cf",
    ),
    (
        "simulation_interfaces/srv/SpawnEntity_Request",
        "fdcf97087f59eed1ad0b75696ea97ffbb44d104f62f177fcd5a31ab67c6fc923",
    ),
];

const TYPE_STRING: i32 = 9;

/// The message as it was: texts in place of a resource, and nothing that was added.
fn older(schema: &Schema) -> MessageType {
    let mut set = FileSet::decode(schema.descriptor_set()).unwrap();
    for message in set.file.iter_mut().flat_map(|file| &mut file.message) {
        let texts: &[&str] = match message.name.as_str() {
            "Spawnable" => &["uri"],
            "LoadWorldRequest" | "SpawnEntityRequest" => &["uri", "resource_string"],
            _ => &[],
        };
        flatten(message, texts);
        message
            .field
            .retain(|field| field.options.as_ref().is_none_or(|options| options.ros_added.is_none()));
    }
    Schema::new(set.encode_to_vec(), schema.full_name().to_owned()).resolve().unwrap()
}

/// Puts texts in the place of the field that holds a resource.
fn flatten(message: &mut Descriptor, texts: &[&str]) {
    let Some(at) = message.field.iter().position(|field| field.name.ends_with("_resource")) else { return };
    if texts.is_empty() {
        return;
    }
    let texts = texts.iter().zip(100..).map(|(name, number)| FieldDescriptor {
        name: (*name).to_owned(),
        number,
        label: 1,
        kind: TYPE_STRING,
        ..FieldDescriptor::default()
    });
    message.field.splice(at..=at, texts);
}

fn older_types() -> BTreeMap<String, MessageType> {
    all_schemas().map(|schema| older(&schema)).map(|kind| (kind.ros_type().to_string(), kind)).collect()
}

#[test]
fn the_older_generation_has_its_published_hashes() {
    let types = older_types();
    for (name, expected) in OLDER {
        let hash = match types.get(name) {
            Some(message) => type_hash(message),
            None => {
                let half = |ending: &str| types[&format!("{name}_{ending}")].clone();
                ServiceTypes::new(half("Request"), half("Response")).unwrap().type_hash()
            }
        };
        assert_eq!(hash.to_string(), format!("RIHS01_{expected}"), "{name}");
    }
}

#[test]
fn a_request_to_spawn_has_the_same_bytes_in_both_generations() {
    let name = "simulation_interfaces/srv/SpawnEntity_Request";
    let older = CdrPlan::compile(&older_types()[name]);
    let newer = CdrPlan::compile(&SpawnEntityRequest::schema().resolve().unwrap());
    let request = SpawnEntityRequest {
        name: "b1".to_owned(),
        entity_resource: Some(Resource { uri: "model.sdf".to_owned(), resource_string: "<sdf/>".to_owned() }),
        entity_namespace: "ns".to_owned(),
        ..Default::default()
    };
    let (mut cdr, mut payload, mut again) = (Vec::new(), Vec::new(), Vec::new());
    newer.encode(&request.encode_to_vec(), &mut cdr).unwrap();
    older.decode(&cdr, &mut payload).unwrap();
    older.encode(&payload, &mut again).unwrap();
    assert_eq!(again, cdr);
}
