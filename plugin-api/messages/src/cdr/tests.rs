//! CDR byte by byte: vectors made by other programs, generations of interfaces, and bytes that are wrong.

use prost::Message as _;

use super::{CdrError, CdrFault, CdrPlan};
use crate::simulation_interfaces::{
    GetEntitiesRequest, GetSimulationStateResponse, GetSimulatorFeaturesResponse, LoadWorldRequest,
    ResetSimulationRequest, Result as Outcome, SetEntityStateRequest, SetSimulationStateRequest,
    SetSimulationStateResponse, SpawnEntityRequest, SpawnEntityResponse, StepSimulationRequest,
};
use crate::{
    JsonPlan, Message, PayloadFault, Schema, geometry_msgs, sensor_msgs, std_msgs, std_srvs, tf2_msgs,
    unique_identifier_msgs,
};

fn plan(schema: &Schema) -> CdrPlan {
    CdrPlan::compile(&schema.resolve().unwrap())
}

fn to_cdr<M: Message>(message: &M) -> Vec<u8> {
    let mut cdr = Vec::new();
    plan(&M::schema()).encode(&message.encode_to_vec(), &mut cdr).unwrap();
    cdr
}

fn from_cdr<M: Message>(cdr: &[u8]) -> Result<M, CdrError> {
    let mut payload = Vec::new();
    plan(&M::schema()).decode(cdr, &mut payload)?;
    Ok(M::decode(&*payload).unwrap())
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

/// The same bytes as another serializer's, but for padding; and back from exactly its bytes.
fn assert_vector(schema: &Schema, json: &str, hex: &str) {
    let message = schema.resolve().unwrap();
    let (cdr_plan, json_plan) = (CdrPlan::compile(&message), JsonPlan::compile(&message));
    let (mut payload, mut cdr, mut back, mut text) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    json_plan.decode(json, &mut payload).unwrap();
    cdr_plan.encode(&payload, &mut cdr).unwrap();
    let mut padded = bytes(hex);
    padded.resize(padded.len().next_multiple_of(4), 0);
    assert_eq!(cdr, padded, "{json}");

    cdr_plan.decode(&bytes(hex), &mut back).unwrap();
    json_plan.encode(&payload, &mut text).unwrap();
    let mut again = Vec::new();
    json_plan.encode(&back, &mut again).unwrap();
    assert_eq!(String::from_utf8(again).unwrap(), String::from_utf8(text).unwrap());
}

#[test]
fn what_another_serializer_writes_is_written_and_read() {
    let vectors: [(Schema, &str, &str); 11] = [
        (Outcome::schema(), r#"{"result":1}"#, "00010000010000000100000000"),
        (SetSimulationStateRequest::schema(), r#"{"state":{"state":1}}"#, "0001000001"),
        (
            SetSimulationStateResponse::schema(),
            r#"{"result":{"result":101,"error_message":"x"}}"#,
            "0001000065000000020000007800",
        ),
        (
            GetSimulationStateResponse::schema(),
            r#"{"state":{"state":2},"result":{"result":1}}"#,
            "00010000020100000100000000",
        ),
        (StepSimulationRequest::schema(), r#"{"steps":5}"#, "000100000500000000000000"),
        (ResetSimulationRequest::schema(), r#"{"scope":7}"#, "0001000007"),
        (
            SpawnEntityRequest::schema(),
            r#"{"name":"b1","allow_renaming":true,"entity_resource":{"uri":"file:///m.sdf"},
                "entity_namespace":"ns","initial_pose":{"header":{"frame_id":"world"},
                "pose":{"position":{"x":1,"y":2,"z":3},"orientation":{"w":1}}}}"#,
            "0001000003000000623100010e00000066696c653a2f2f2f6d2e73646600000001000000000000000300\
             00006e730000000000000000000006000000776f726c64000000000000000000f03f0000000000000040\
             0000000000000840000000000000000000000000000000000000000000000000000000000000f03f",
        ),
        (
            SpawnEntityResponse::schema(),
            r#"{"result":{"result":1},"entity_name":"b1"}"#,
            "0001000001000000010000000000000003000000623100",
        ),
        (
            GetEntitiesRequest::schema(),
            r#"{"filters":{"filter":"^b","categories":[{"category":1}],"tags":{"tags":["a"],"filter_mode":1},
                "bounds":{"type":3,"points":[{},{"x":2}]}}}"#,
            "00010000030000005e62000001000000010000000100000002000000610001030200000000000000\
             0000000000000000000000000000000000000000000000000000004000000000000000000000000000\
             000000",
        ),
        (
            GetSimulatorFeaturesResponse::schema(),
            r#"{"features":{"features":[0,1,50],"spawn_formats":["sdf"]}}"#,
            "000100000300000000000100320000000100000004000000736466000100000000",
        ),
        (
            LoadWorldRequest::schema(),
            r#"{"world_resource":{"uri":"w.sdf"},"ignore_missing_or_unsupported_assets":true}"#,
            "0001000006000000772e73646600000001000000000001",
        ),
    ];
    for (schema, json, hex) in vectors {
        assert_vector(&schema, json, &hex.replace(char::is_whitespace, ""));
    }
}

#[test]
fn an_empty_message_is_one_hidden_byte_that_may_be_missing() {
    assert_eq!(to_cdr(&std_srvs::EmptyRequest {}), [0, 1, 0, 0, 0, 0, 0, 0]);
    for cdr in [&[0, 1, 0, 0, 0][..], &[0, 1, 0, 0], &[0, 1, 0, 3, 0, 0, 0, 0]] {
        assert_eq!(from_cdr(cdr), Ok(std_srvs::EmptyRequest {}), "{cdr:?}");
    }
}

#[test]
fn absent_fields_are_zeros_and_come_back_as_messages_that_are_there() {
    let cdr = to_cdr(&sensor_msgs::Imu::default());
    // Stamp, the empty frame with its NUL, three gaps, then 37 doubles.
    assert_eq!(cdr.len(), 4 + 8 + 5 + 3 + 37 * 8);
    assert_eq!(cdr.iter().map(|byte| usize::from(*byte)).sum::<usize>(), 2, "all zero but version and NUL");
    let imu: sensor_msgs::Imu = from_cdr(&cdr).unwrap();
    assert_eq!(imu.orientation, Some(geometry_msgs::Quaternion::default()));
    assert_eq!(imu.orientation_covariance, [0.0; 9]);
}

#[test]
fn alignment_counts_from_the_body_wherever_it_stands() {
    let plan = plan(&std_msgs::Float64MultiArray::schema());
    let message = std_msgs::Float64MultiArray { data: vec![1.5], ..Default::default() };
    let (mut alone, mut behind) = (Vec::new(), vec![7; 3]);
    plan.encode_body(&message.encode_to_vec(), &mut alone).unwrap();
    plan.encode_body(&message.encode_to_vec(), &mut behind).unwrap();
    assert_eq!(behind, [&[7; 3], alone.as_slice()].concat());
    // An empty sequence, an offset of zero, the length, a gap of four.
    assert_eq!(
        alone,
        [
            bytes("0000000000000000 01000000 00000000".replace(' ', "").as_str()),
            1.5_f64.to_le_bytes().to_vec()
        ]
        .concat()
    );
    let mut payload = Vec::new();
    plan.decode_body(&alone, &mut payload).unwrap();
    let read = std_msgs::Float64MultiArray::decode(&*payload).unwrap();
    assert_eq!(read.data, [1.5]);
}

#[test]
fn an_empty_sequence_is_not_padded_for_elements_it_has_not() {
    let cdr = to_cdr(&std_msgs::Float64MultiArray::default());
    assert_eq!(cdr, [&[0, 1, 0, 0][..], &[0; 12]].concat());
}

#[test]
fn fields_in_any_order_are_understood() {
    let twist = geometry_msgs::Twist {
        linear: Some(geometry_msgs::Vector3::new(1.0, 2.0, 3.0)),
        angular: Some(geometry_msgs::Vector3::new(0.0, 0.0, 0.5)),
    };
    let linear = geometry_msgs::Twist { angular: None, ..twist }.encode_to_vec();
    let angular = geometry_msgs::Twist { linear: None, ..twist }.encode_to_vec();
    let mut cdr = Vec::new();
    plan(&geometry_msgs::Twist::schema()).encode(&[angular, linear].concat(), &mut cdr).unwrap();
    assert_eq!(cdr, to_cdr(&twist));
}

#[test]
fn bytes_are_copied_as_they_are() {
    let cloud = sensor_msgs::PointCloud2 {
        data: (0..=255).collect::<Vec<u8>>().into(),
        is_dense: true,
        ..Default::default()
    };
    let cdr = to_cdr(&cloud);
    assert!(cdr.windows(256).any(|window| window == &*cloud.data));
    assert_eq!(from_cdr::<sensor_msgs::PointCloud2>(&cdr).unwrap().data, cloud.data);
    let id = unique_identifier_msgs::Uuid { uuid: vec![9; 16].into() };
    assert_eq!(to_cdr(&id), [&[0, 1, 0, 0][..], &[9; 16]].concat());
    assert_eq!(to_cdr(&unique_identifier_msgs::Uuid::default()), [&[0, 1, 0, 0][..], &[0; 16]].concat());
}

fn state_request() -> SetEntityStateRequest {
    SetEntityStateRequest { entity: "box".to_owned(), set_acceleration: true, ..Default::default() }
}

#[test]
fn a_request_of_an_older_generation_means_what_it_meant_there() {
    let flags = |cdr: &[u8]| {
        let request: SetEntityStateRequest = from_cdr(cdr).unwrap();
        [request.set_pose, request.set_twist, request.set_acceleration]
    };
    let newer = to_cdr(&state_request());
    assert_eq!(flags(&newer), [false, false, true]);
    // Three flags and a byte of padding shorter.
    let older = &newer[..newer.len() - 4];
    assert_eq!(flags(older), [true, true, false]);
    // Who sends one of them knows of them all; what is missing is zero.
    assert_eq!(flags(&newer[..newer.len() - 3]), [false, false, false]);
}

#[test]
fn what_a_newer_generation_adds_is_passed_over() {
    let mut cdr = to_cdr(&Outcome { result: 1, error_message: "x".to_owned() });
    cdr.extend([1, 2, 3, 4, 5]);
    assert_eq!(from_cdr::<Outcome>(&cdr).unwrap().error_message, "x");
}

/// Refused at this field, byte and with these words; the output stays as it was.
#[track_caller]
fn assert_refused(schema: &Schema, cdr: &[u8], path: &str, offset: usize, text: &str) -> CdrFault {
    let mut payload = b"kept".to_vec();
    let error = plan(schema).decode(cdr, &mut payload).unwrap_err();
    assert_eq!((error.path(), error.offset()), (path, offset), "{error}");
    assert!(error.to_string().contains(text), "`{text}` in: {error}");
    assert_eq!(payload, b"kept");
    error.fault().clone()
}

#[test]
fn other_encapsulations_are_refused_with_what_was_found() {
    let schema = std_msgs::Float64::schema();
    for (cdr, found) in [
        (&[][..], "nothing"),
        (&[0, 1, 0], "00 01 00;"),
        (&[0, 0, 0, 0, 1], "00 00 00 00;"),
        (&[0, 7, 0, 0], "00 07"),
    ] {
        assert_refused(&schema, cdr, "", 0, found);
    }
}

#[test]
fn bytes_that_end_early_are_refused_at_the_field() {
    let cdr = to_cdr(&std_msgs::Header::new(5, "frame"));
    let schema = std_msgs::Header::schema();
    assert_refused(
        &schema,
        &cdr[..7],
        "stamp.sec",
        4,
        "at `stamp.sec`, byte 4: int32 of 4 bytes belongs here, 3 are",
    );
    assert_refused(&schema, &cdr[..12], "frame_id", 12, "the length of a string of 4 bytes");
    let fault =
        assert_refused(&schema, &cdr[..20], "frame_id", 16, "a string of 6 bytes belongs here, 4 are left");
    assert_eq!(fault, CdrFault::Truncated { what: "a string", wanted: 6, left: 4 });
}

#[test]
fn lengths_beyond_the_bytes_are_refused_where_they_stand() {
    let mut cdr = vec![0, 1, 0, 0, 0xff, 0xff, 0xff, 0xff];
    let fault = assert_refused(
        &tf2_msgs::TfMessage::schema(),
        &cdr,
        "transforms",
        4,
        "4294967295 elements of at least 72 bytes are announced, 0 bytes are left",
    );
    assert_eq!(fault, CdrFault::Count { found: u32::MAX, size: 72, left: 0 });
    cdr.extend([0; 32]);
    assert_refused(
        &Outcome::schema(),
        &[&[0, 1, 0, 0, 1, 0, 0, 0][..], &[0xff; 4], &[0; 9]].concat(),
        "error_message",
        12,
        "a string of 4294967295 bytes",
    );
    assert_refused(&sensor_msgs::Range::schema(), &cdr[..4], "header.stamp.sec", 4, "0 are left");
}

#[test]
fn errors_in_arrays_name_the_element() {
    let message = tf2_msgs::TfMessage { transforms: vec![geometry_msgs::TransformStamped::default(); 2] };
    let mut cdr = to_cdr(&message);
    let last = cdr.len() - 1;
    assert_refused(
        &tf2_msgs::TfMessage::schema(),
        &cdr[..last],
        "transforms[1].transform.rotation.w",
        last - 7,
        "float64 of 8",
    );
    // The NUL of the frame of the first: after the length of the array, the stamp and the length of the text.
    cdr[20] = 7;
    assert_refused(
        &tf2_msgs::TfMessage::schema(),
        &cdr,
        "transforms[0].header.frame_id",
        20,
        "ends in 0x07, expected NUL",
    );
}

#[test]
fn values_that_cannot_be_are_refused() {
    let request = [&to_cdr(&state_request())[..], &[]].concat();
    let flags = request.len() - 4;
    let mut wrong = request.clone();
    wrong[flags + 1] = 2;
    assert_refused(
        &SetEntityStateRequest::schema(),
        &wrong,
        "set_twist",
        flags + 1,
        "a bool is 0 or 1, found 2",
    );
    let latin = [0, 1, 0, 0, 2, 0, 0, 0, 0xe4, 0];
    assert_refused(&std_msgs::String::schema(), &latin, "data", 8, "the string is not UTF-8");
}

#[test]
fn an_empty_string_without_nul_is_read() {
    assert_eq!(from_cdr(&[0, 1, 0, 0, 0, 0, 0, 0]), Ok(std_msgs::String::default()));
}

#[test]
fn payloads_that_do_not_fit_their_ros_type_are_refused() {
    let refused = |schema: Schema, payload: &[u8]| {
        let mut cdr = b"kept".to_vec();
        let error = plan(&schema).encode(payload, &mut cdr).unwrap_err();
        assert_eq!(cdr, b"kept");
        (error.path().to_owned(), error.fault().clone())
    };
    let scope = ResetSimulationRequest { scope: 300 }.encode_to_vec();
    assert_eq!(
        refused(ResetSimulationRequest::schema(), &scope),
        ("scope".to_owned(), PayloadFault::OutOfRange { found: "300".to_owned(), ros_type: "uint8" })
    );
    let imu = sensor_msgs::Imu { orientation_covariance: vec![1.0; 8], ..Default::default() }.encode_to_vec();
    assert_eq!(refused(sensor_msgs::Imu::schema(), &imu).0, "orientation_covariance");
    assert_eq!(refused(std_msgs::String::schema(), &[10, 1, 0xff]).1, PayloadFault::NotUtf8);
    assert_eq!(refused(std_msgs::String::schema(), &[10, 9, b'x']).1, PayloadFault::Truncated);
}
