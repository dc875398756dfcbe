//! Random payloads of every message through JSON and back, and damaged ones that must not panic.

use std::sync::LazyLock;

use bridgehead_messages::JsonPlan;
use proptest::prelude::*;

use crate::random::{Random, all_types, damage, random_payload};

fn plans() -> &'static [JsonPlan] {
    static PLANS: LazyLock<Vec<JsonPlan>> =
        LazyLock::new(|| all_types().iter().map(JsonPlan::compile).collect());
    &PLANS
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_payload_goes_to_json_and_back(seed: u64) {
        for plan in plans() {
            let payload = random_payload(plan.message_type(), &mut Random(seed));
            let mut json = Vec::new();
            plan.encode(&payload, &mut json).unwrap();
            let text = std::str::from_utf8(&json).unwrap();
            serde_json::from_str::<serde_json::Value>(text).unwrap();

            let mut back = Vec::new();
            plan.decode(text, &mut back).unwrap();
            let mut again = Vec::new();
            plan.encode(&back, &mut again).unwrap();
            prop_assert_eq!(text, std::str::from_utf8(&again).unwrap());
        }
    }

    #[test]
    fn damage_never_panics_and_leaves_the_output_alone(seed: u64) {
        let mut random = Random(seed);
        for plan in plans() {
            let mut payload = random_payload(plan.message_type(), &mut random);
            let mut json = Vec::new();
            plan.encode(&payload, &mut json).unwrap();
            damage(&mut payload, &mut random);
            damage(&mut json, &mut random);

            let mut out = b"kept".to_vec();
            if plan.encode(&payload, &mut out).is_err() {
                prop_assert_eq!(&out, b"kept");
            } else {
                serde_json::from_slice::<serde_json::Value>(&out[4..]).unwrap();
            }
            let text = String::from_utf8_lossy(&json);
            let mut out = b"kept".to_vec();
            match plan.decode(&text, &mut out) {
                Err(_) => prop_assert_eq!(&out, b"kept"),
                Ok(()) => prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{}", text),
            }
        }
    }
}
