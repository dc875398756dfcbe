//! Random payloads of every message through CDR and back, and bytes that are wrong.

use std::sync::LazyLock;

use bridgehead_messages::{CDR_ENCAPSULATION, CdrError, CdrFault, CdrPlan, JsonPlan};
use proptest::prelude::*;

use crate::random::{Random, all_types, damage, random_payload};

fn plans() -> impl Iterator<Item = &'static (CdrPlan, JsonPlan)> {
    static PLANS: LazyLock<Vec<(CdrPlan, JsonPlan)>> = LazyLock::new(|| {
        all_types().iter().map(|message| (CdrPlan::compile(message), JsonPlan::compile(message))).collect()
    });
    PLANS.iter()
}

fn text(plan: &JsonPlan, payload: &[u8]) -> String {
    let mut json = Vec::new();
    plan.encode(payload, &mut json).unwrap();
    String::from_utf8(json).unwrap()
}

/// Decodes, and shows that the output is the same message or untouched, and never much larger than the input.
fn decode(plan: &CdrPlan, cdr: &[u8]) -> Option<Vec<u8>> {
    let mut out = b"kept".to_vec();
    match plan.decode(cdr, &mut out) {
        Ok(()) => {
            let payload = out.split_off(4);
            // At worst a negative number of one byte becomes one of ten behind a key.
            assert!(payload.len() <= 16 * cdr.len() + 64, "{} bytes of {}", payload.len(), cdr.len());
            plan.message_type().check(&payload).unwrap();
            Some(payload)
        }
        Err(error) => {
            assert_eq!(out, b"kept", "{error}");
            assert!(error.offset() <= cdr.len() + 8, "{error}");
            None
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_payload_goes_to_cdr_and_back(seed: u64) {
        let mut random = Random(seed);
        for (plan, json) in plans() {
            let payload = random_payload(plan.message_type(), &mut random);
            let (mut cdr, mut again) = (Vec::new(), Vec::new());
            plan.encode(&payload, &mut cdr).unwrap();
            prop_assert_eq!(cdr.len() % 4, 0);
            let back = decode(plan, &cdr).unwrap();
            prop_assert_eq!(text(json, &back), text(json, &payload));
            plan.encode(&back, &mut again).unwrap();
            prop_assert_eq!(&again, &cdr);
            prop_assert_eq!(decode(plan, &again), Some(back));
        }
    }

    #[test]
    fn damage_never_panics_and_leaves_the_output_alone(seed: u64) {
        let mut random = Random(seed);
        for (plan, _) in plans() {
            let mut payload = random_payload(plan.message_type(), &mut random);
            let mut cdr = Vec::new();
            plan.encode(&payload, &mut cdr).unwrap();
            for _ in 0..4 {
                let mut broken = cdr.clone();
                damage(&mut broken, &mut random);
                if let Some(read) = decode(plan, &broken) {
                    plan.encode(&read, &mut Vec::new()).unwrap();
                }
            }
            damage(&mut payload, &mut random);
            let mut out = b"kept".to_vec();
            if plan.encode(&payload, &mut out).is_err() {
                prop_assert_eq!(&out, b"kept");
            }
        }
    }

    #[test]
    fn noise_is_a_message_or_an_error(seed: u64) {
        let mut random = Random(seed);
        for (plan, _) in plans() {
            let mut noise = CDR_ENCAPSULATION.to_vec();
            // Mostly small bytes, so that many a length is within the bytes.
            let limit = [2, 4, 256][usize::try_from(random.below(3)).unwrap()];
            noise.extend((0..random.below(200)).map(|_| random.below(limit) as u8));
            decode(plan, &noise);
            let rest = noise.split_off(4);
            decode(plan, &rest);
            plan.encode(&rest, &mut noise).unwrap_or_default();
        }
    }
}

#[test]
fn every_cut_of_a_message_is_an_error_or_what_an_older_generation_sends() {
    let mut random = Random(7);
    for (plan, _) in plans() {
        let payload = random_payload(plan.message_type(), &mut random);
        let mut cdr = Vec::new();
        plan.encode(&payload, &mut cdr).unwrap();
        let has_added = plan.message_type().fields().iter().any(|field| field.ros_added().is_some());
        let whole = decode(plan, &cdr);
        for end in 4..cdr.len() {
            let read = decode(plan, &cdr[..end]);
            assert!(
                has_added || read.is_none() || read == whole,
                "{} cut at {end} of {} is another message",
                plan.message_type().full_name(),
                cdr.len()
            );
        }
    }
}

/// The error of bytes that begin a message of one of the odd types.
fn refused(name: &str, body: &[u8]) -> CdrError {
    let (plan, _) = plans().find(|(plan, _)| plan.message_type().ros_type().name() == name).unwrap();
    plan.decode(&[&CDR_ENCAPSULATION, body].concat(), &mut Vec::new()).unwrap_err()
}

#[test]
fn more_than_the_bound_is_refused_where_it_stands() {
    let mut corner = vec![0; 16];
    corner.extend([18, 0, 0, 0]);
    corner.extend([b'x'; 17]);
    corner.push(0);
    let error = refused("Corner", &corner);
    assert_eq!(error.to_string(), "at `name`, byte 20: the length is 17, the ROS type allows at most 16");
    let mut odd = vec![0; 16];
    odd.extend([6, 0, 0, 0]);
    odd.extend([0; 100]);
    let error = refused("Odd", &odd);
    assert_eq!((error.path(), error.offset()), ("deltas", 20));
    assert_eq!(error.fault(), &CdrFault::Length { found: 6, allowed: 5 });
}
