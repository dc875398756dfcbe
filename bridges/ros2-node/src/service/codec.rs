//! Converts a service's messages between CDR and protobuf with their descriptors.

use bridgehead_plugin_api::messages::ros::{ServiceTypes, TypeHash};
use bridgehead_plugin_api::messages::{CdrError, CdrPlan, MessageType, PayloadError, Schema, SchemaError};
use bridgehead_plugin_api::{Error, Result};

use super::codes::TYPES;
use super::generation::Generation;

/// The conversion plans of one service.
pub struct Codec {
    types: ServiceTypes,
    hash: TypeHash,
    request: CdrPlan,
    response: CdrPlan,
}

impl Codec {
    /// Compiles the plans of a service with these two types, for clients of a generation.
    ///
    /// # Errors
    /// Returns an error if they are not the request and the response of a ROS service.
    pub fn new(request: &Schema, response: &Schema, generation: Generation) -> Result<Self> {
        let definition = |schema: &Schema| generation.definition(schema.full_name());
        let (of_request, of_response) = (definition(request), definition(response));
        let defined =
            types(of_request.as_ref().unwrap_or(request), of_response.as_ref().unwrap_or(response))?;
        let older = generation.response(response.full_name());
        let types = types(request, older.as_ref().unwrap_or(response))?;
        let (request, response) = (CdrPlan::compile(types.request()), CdrPlan::compile(types.response()));
        Ok(Codec { types, hash: defined.type_hash(), request, response })
    }

    /// Returns the hash of the service's type.
    pub fn type_hash(&self) -> TypeHash {
        self.hash
    }

    /// Returns the ROS types of the service and its two messages.
    pub fn types(&self) -> &ServiceTypes {
        &self.types
    }

    /// Decodes a request to protobuf.
    ///
    /// # Errors
    /// Returns the field and the byte at which it is malformed.
    pub fn decode(&self, body: &[u8]) -> Result<Vec<u8>, CdrError> {
        let mut payload = Vec::new();
        self.request.decode_body(body, &mut payload)?;
        Ok(payload)
    }

    /// Encodes a response to CDR, after `header`.
    ///
    /// # Errors
    /// Returns an error if the response is not of its type.
    pub fn encode(&self, header: &[u8], payload: &[u8]) -> Result<Vec<u8>, PayloadError> {
        let mut cdr = header.to_vec();
        self.response.encode_body(payload, &mut cdr)?;
        Ok(cdr)
    }
}

fn types(request: &Schema, response: &Schema) -> Result<ServiceTypes> {
    let encoding_error = |error: &dyn std::fmt::Display| {
        let (request, response) = (request.full_name(), response.full_name());
        Error::invalid(format!("[{TYPES}] {request} and {response} are not a ROS service: {error}"))
    };
    let resolve = |schema: &Schema| -> Result<MessageType> {
        schema.resolve().map_err(|error: SchemaError| encoding_error(&error.detail()))
    };
    ServiceTypes::new(resolve(request)?, resolve(response)?).map_err(|error| encoding_error(&error))
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::prost::Message as _;
    use bridgehead_plugin_api::messages::simulation_interfaces as si;
    use bridgehead_plugin_api::messages::{Message, declared_services, std_msgs};

    use super::*;

    fn codec<Q: Message, R: Message>(generation: Generation) -> Codec {
        Codec::new(&Q::schema(), &R::schema(), generation).expect("a service")
    }

    fn hex(text: &str) -> Vec<u8> {
        let digits = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("ascii"));
        digits.map(|pair| u8::from_str_radix(pair, 16).expect("hex")).collect()
    }

    #[test]
    fn a_request_without_fields_is_one_byte() {
        let codec = codec::<si::GetSimulationStateRequest, si::GetSimulationStateResponse>(Generation::Two);
        assert_eq!(codec.decode(&[0]).expect("a request"), []);
        assert_eq!(codec.decode(&[]).expect("a request of a careless client"), []);
    }

    #[test]
    fn a_response_follows_its_header_with_the_same_alignment() {
        let codec = codec::<si::GetSimulationStateRequest, si::GetSimulationStateResponse>(Generation::Two);
        let response = si::GetSimulationStateResponse {
            state: Some(si::SimulationState { state: 2 }),
            result: Some(si::Result { result: 1, error_message: String::new() }),
        };
        let header: Vec<u8> = (1..=16).collect();
        let plain = codec.encode(&[], &response.encode_to_vec()).expect("a response");
        assert_eq!(plain, hex("020100000100000000000000"));
        let with_header = codec.encode(&header, &response.encode_to_vec()).expect("a response");
        assert_eq!(with_header, [header, plain].concat());
    }

    /// A request of 1.x ends after the acceleration.
    #[test]
    fn a_request_of_1_x_sets_pose_and_twist() {
        let codec = codec::<si::SetEntityStateRequest, si::SetEntityStateResponse>(Generation::Two);
        let mut body = vec![2, 0, 0, 0, b'a', 0, 0, 0];
        body.extend([0; 8]);
        body.extend([1, 0, 0, 0, 0, 0, 0, 0]);
        body.extend([0; 8 * (7 + 6 + 6)]);
        let flags = |body: &[u8]| {
            let request = si::SetEntityStateRequest::decode(&*codec.decode(body).expect("a request"));
            let request = request.expect("a request");
            assert_eq!(request.entity, "a");
            [request.set_pose, request.set_twist, request.set_acceleration]
        };
        assert_eq!(flags(&body), [true, true, false]);
        body.extend([0, 1, 0]);
        assert_eq!(flags(&body), [false, true, false]);
    }

    fn spawnables() -> si::GetSpawnablesResponse {
        let spawnable = |uri: &str| si::Spawnable {
            entity_resource: Some(si::Resource { uri: uri.to_owned(), resource_string: "text".to_owned() }),
            description: "d".to_owned(),
            spawn_bounds: Some(si::Bounds::default()),
        };
        si::GetSpawnablesResponse {
            result: Some(si::Result { result: 1, error_message: String::new() }),
            spawnables: vec![spawnable("abc"), spawnable("")],
        }
    }

    #[test]
    fn spawnables_have_a_plain_uri_in_1_x_and_a_resource_in_2_x() {
        let cdr = |generation| {
            let codec = codec::<si::GetSpawnablesRequest, si::GetSpawnablesResponse>(generation);
            assert_eq!(
                codec.types().response().ros_type().dds(),
                "simulation_interfaces::srv::dds_::GetSpawnables_Response_"
            );
            codec.encode(&[], &spawnables().encode_to_vec()).expect("a response")
        };
        let head = "01000000010000000000000002000000";
        let older = "0400000061626300020000006400000000000000".to_owned()
            + "01000000000000000200000064000000"
            + "00000000";
        assert_eq!(cdr(Generation::One), hex(&format!("{head}{older}")));
        assert_eq!(cdr(Generation::Two).len(), hex(&format!("{head}{older}")).len() + 2 * 12);
    }

    /// Computed by rosbags from the definitions of 1.x and 2.1.0.
    #[test]
    fn the_hash_is_that_of_the_generation() {
        let hashes = |name: &str| {
            let service = declared_services().iter().find(|service| service.name == name).expect("declared");
            [Generation::One, Generation::Two].map(|generation| {
                let codec = Codec::new(&(service.request)(), &(service.response)(), generation);
                codec.expect("a service").type_hash().to_string()
            })
        };
        for (service, one, two) in [
            (
                "get_spawnables",
                "3bc0266bf8236058ff589c44512e013afe4f295427c39d44cff363d1c956bf36",
                "3e25fd827d8bcbd9db5e36ccb190efa22d6f6313897861268ab923bf091a992a",
            ),
            (
                "load_world",
                "f210682338f195f6f06191b46b20ec4992bddf485d33e2cffab2dd15341b4e3e",
                "87d0ded1bfddb40a74d0bedb963fdd592fbedb14d0057d597850404b73c338af",
            ),
            (
                "set_entity_state",
                "ca210e7d2b66629ae133c8e1edf5246e618106d75c78ed0556c0e7a33c59ee5e",
                "fba636c91d38832dbd4f6896ffce54ff98fd9929962b0533546b56ce00f988ac",
            ),
            (
                "spawn_entity",
                "d4c086345d4194a5fc4c9ae45095736ca4062b5cdac4d06a42dec93d683e03cf",
                "66860313e11009faddbfc8568e5d410d1a11607fe75eeb1308671dc0406fe3a7",
            ),
        ] {
            assert_eq!(hashes(service), [one, two].map(|hash| format!("RIHS01_{hash}")), "{service}");
        }
        let [one, two] = hashes("get_entities");
        assert_eq!(one, two);
    }

    #[test]
    fn types_that_are_not_a_service_are_refused_by_name() {
        let error = Codec::new(&std_msgs::Bool::schema(), &std_msgs::Bool::schema(), Generation::Two)
            .err()
            .expect("no service");
        for part in ["bridgehead.std_msgs.v1.Bool", "std_msgs/msg/Bool", TYPES] {
            assert!(error.text().contains(part), "{error}");
        }
    }

    #[test]
    fn generations_have_numbers() {
        let found = ["1", "2", "1.x", ""].map(Generation::parse);
        assert_eq!(found, [Some(Generation::One), Some(Generation::Two), None, None]);
    }
}
