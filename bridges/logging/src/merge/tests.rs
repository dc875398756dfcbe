//! The order of messages from several instances in one file.

use super::*;
use crate::test_support::{record, topic};

/// Returns vehicle and step of the ready messages.
fn ready(merge: &mut Merge) -> Vec<(String, u64)> {
    merge.take_ready().into_iter().map(|record| (record.topic.vehicle.clone(), record.time.step)).collect()
}

fn at(step: u64) -> StepMark {
    StepMark { epoch: 0, step }
}

#[test]
fn a_single_instance_never_waits() {
    let mut merge = Merge::default();
    let member = merge.join(at(0));
    merge.push(member, record(&topic("car1"), 0, 5));
    assert_eq!(ready(&mut merge), [("car1".to_owned(), 5)]);
    assert_eq!(ready(&mut merge), []);
}

#[test]
fn a_step_is_released_by_vehicle_once_all_have_passed_it() {
    let mut merge = Merge::default();
    let (one, two) = (merge.join(at(0)), merge.join(at(0)));
    let (car1, car2) = (topic("car1"), topic("car2"));
    merge.push(two, record(&car2, 0, 1));
    merge.push(two, record(&car2, 0, 2));
    assert_eq!(ready(&mut merge), [], "the first instance may still have messages of step 0");
    merge.push(one, record(&car1, 0, 1));
    assert_eq!(ready(&mut merge), [], "it may have more of step 1");
    merge.advance(one, at(2));
    assert_eq!(ready(&mut merge), [("car1".to_owned(), 1), ("car2".to_owned(), 1)]);
    merge.finish(one);
    merge.advance(two, at(3));
    assert_eq!(ready(&mut merge), [("car2".to_owned(), 2)]);
}

#[test]
fn an_epoch_comes_after_every_step_of_the_one_before() {
    let mut merge = Merge::default();
    let (one, two) = (merge.join(at(0)), merge.join(at(0)));
    let car = topic("car1");
    merge.push(two, record(&car, 1, 0));
    merge.push(one, record(&car, 0, 900));
    merge.finish(one);
    merge.finish(two);
    let epochs: Vec<u32> = merge.take_ready().iter().map(|record| record.time.epoch).collect();
    assert_eq!(epochs, [0, 1]);
}

#[test]
fn a_removed_instance_delays_no_other() {
    let mut merge = Merge::default();
    let (one, two) = (merge.join(at(0)), merge.join(at(0)));
    merge.push(two, record(&topic("car2"), 0, 4));
    assert!(merge.leave(one));
    assert_eq!(ready(&mut merge), [], "another instance may join in step 4");
    merge.advance(two, at(5));
    assert_eq!(ready(&mut merge), [("car2".to_owned(), 4)]);
    assert!(!merge.leave(two));
}

#[test]
fn memory_is_bounded_by_giving_up_the_order() {
    let mut merge = Merge::default();
    let (_silent, fast) = (merge.join(at(0)), merge.join(at(0)));
    let mut large = record(&topic("car1"), 0, 1);
    large.payload = bridgehead_plugin_api::Payload::from_vec(vec![0; MAX_WAITING_BYTES]);
    merge.push(fast, large);
    assert_eq!(ready(&mut merge), []);
    merge.push(fast, record(&topic("car1"), 0, 2));
    assert_eq!(ready(&mut merge).len(), 2);
    assert_eq!(merge.waiting_bytes, 0);
}

#[test]
fn messages_of_removed_instances_wait_for_earlier_ones() {
    let mut merge = Merge::default();
    let (one, two) = (merge.join(at(0)), merge.join(at(0)));
    merge.push(two, record(&topic("car2"), 0, 9));
    merge.finish(two);
    assert!(merge.leave(two));
    merge.push(one, record(&topic("car1"), 0, 8));
    merge.advance(one, at(9));
    assert_eq!(ready(&mut merge), [("car1".to_owned(), 8)]);
    merge.push(one, record(&topic("car1"), 0, 9));
    merge.advance(one, at(10));
    assert_eq!(ready(&mut merge), [("car1".to_owned(), 9), ("car2".to_owned(), 9)]);
}

#[test]
fn an_instance_that_joins_in_a_step_comes_after_what_may_be_written_already() {
    let messages = [("car2", 0), ("car1", 3)].map(|(vehicle, joined)| (topic(vehicle), joined));
    for joins_late in [false, true] {
        let mut merge = Merge::default();
        let world = merge.join(at(0));
        let [(car2, first), (car1, second)] = &messages;
        let two = merge.join(at(*first));
        merge.push(two, record(car2, 0, 3));
        merge.finish(two);
        merge.leave(two);
        let mut order = if joins_late { ready(&mut merge) } else { Vec::new() };
        let one = merge.join(at(*second));
        merge.push(one, record(car1, 0, 3));
        merge.finish(one);
        merge.finish(world);
        order.extend(ready(&mut merge));
        assert_eq!(order, [("car2".to_owned(), 3), ("car1".to_owned(), 3)]);
    }
}
