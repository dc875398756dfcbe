//! States of many entities as bytes of a message. Encoding is fast, because a client may read thousands of states a
//! hundred times per second.

use std::f64::consts::PI;

use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::prost::encoding::{WireType, encode_key, encode_varint};
use bridgehead_plugin_api::messages::std_msgs;
use bridgehead_sdf::pose::{DQuat, DVec3, Pose};

use super::view::{EntityView, entity_state};

/// Numbers in the state of an entity: pose, twist and acceleration.
const NUMBERS: usize = 7 + 6 + 6;

/// A state as bytes. States of one moment differ only in their numbers: the message is encoded once, and for each
/// entity the numbers are written into their places. Zeros are written too, although encoding one message leaves them
/// out.
struct Template {
    bytes: Vec<u8>,
    places: [usize; NUMBERS],
}

/// Appends a repeated field of that number with the states of these entities.
pub(super) fn encode<'a>(
    field: u32,
    header: &std_msgs::Header,
    entities: impl ExactSizeIterator<Item = &'a EntityView>,
    out: &mut Vec<u8>,
) {
    let Template { mut bytes, places } = Template::new(field, header);
    out.reserve(entities.len() * bytes.len());
    for entity in entities {
        for (place, number) in places.into_iter().zip(numbers(entity)) {
            if let Some(room) = bytes.get_mut(place..place + size_of::<f64>()) {
                room.copy_from_slice(&number.to_le_bytes());
            }
        }
        out.extend_from_slice(&bytes);
    }
}

impl Template {
    fn new(field: u32, header: &std_msgs::Header) -> Self {
        let marked = marked();
        let state = entity_state(header.clone(), &marked);
        let mut bytes = Vec::new();
        encode_key(field, WireType::LengthDelimited, &mut bytes);
        encode_varint(state.encoded_len() as u64, &mut bytes);
        bytes.extend(state.encode_to_vec());
        let place_of =
            |mark: f64| bytes.windows(size_of::<f64>()).position(|window| window == mark.to_le_bytes());
        let places = numbers(&marked).map(|mark| place_of(mark).unwrap_or(bytes.len()));
        Template { bytes, places }
    }
}

/// Returns an entity whose numbers are all different, and not zero.
fn marked() -> EntityView {
    let [at, linear, angular, linear_acceleration, angular_acceleration] =
        [0.0, 3.0, 6.0, 9.0, 12.0].map(|first| DVec3::new(first, first + 1.0, first + 2.0) + PI);
    let turn = DQuat::from_xyzw(PI + 15.0, PI + 16.0, PI + 17.0, PI + 18.0);
    let pose = Pose { position: at, rotation: turn };
    EntityView { pose, linear, angular, linear_acceleration, angular_acceleration }
}

/// Returns the numbers of an entity, always in the same order.
fn numbers(entity: &EntityView) -> [f64; NUMBERS] {
    let EntityView { pose, linear, angular, linear_acceleration, angular_acceleration } = *entity;
    let vectors = [pose.position, linear, angular, linear_acceleration, angular_acceleration];
    let all = vectors.into_iter().flat_map(|vector| vector.to_array()).chain(pose.rotation.to_array());
    let mut numbers = [0.0; NUMBERS];
    numbers.iter_mut().zip(all).for_each(|(room, number)| *room = number);
    numbers
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::simulation_interfaces as si;
    use proptest::prelude::*;

    use super::*;
    use crate::control::message::stamp;

    /// Number of the field in the response.
    const STATES: u32 = 3;

    fn vector() -> impl Strategy<Value = DVec3> {
        let number =
            prop_oneof![Just(0.0), any::<f64>().prop_filter("equals itself", |number| !number.is_nan())];
        proptest::array::uniform3(number).prop_map(DVec3::from_array)
    }

    fn entity() -> impl Strategy<Value = EntityView> {
        (proptest::array::uniform5(vector()), proptest::array::uniform4(-1.0..1.0)).prop_map(
            |(vectors, turn)| {
                let [at, linear, angular, linear_acceleration, angular_acceleration] = vectors;
                let pose = Pose { position: at, rotation: DQuat::from_array(turn) };
                EntityView { pose, linear, angular, linear_acceleration, angular_acceleration }
            },
        )
    }

    proptest! {
        #[test]
        fn encoded_states_decode_to_the_states_of_the_entities(
            entities in proptest::collection::vec(entity(), 0..5),
            time_ns in any::<u32>().prop_map(|seconds| i64::from(seconds) * 123_456_789),
        ) {
            let mut bytes = Vec::new();
            let header = std_msgs::Header { stamp: Some(stamp(time_ns)), frame_id: "map".to_owned() };
            encode(STATES, &header, entities.iter(), &mut bytes);
            let response = si::GetEntitiesStatesResponse::decode(&*bytes).expect("a response");
            let expected: Vec<_> = entities.iter().map(|entity| entity_state(header.clone(), entity)).collect();
            prop_assert_eq!(response.states, expected);
            prop_assert!(response.entities.is_empty() && response.result.is_none());
        }
    }
}
