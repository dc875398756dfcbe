//! Loans, counted references and foreign payloads.

use super::*;
use bridgehead_runtime::call::{Owner, StepCall};

fn free_count(pool: &BufferPool) -> usize {
    pool.free.lock().expect("pool").len()
}

#[test]
fn a_buffer_goes_home_with_its_last_reader_and_is_used_again() {
    let pool = Arc::new(BufferPool::default());
    let mut loan = pool.lend(3);
    loan.bytes_mut()[..3].copy_from_slice(&[7, 8, 9]);
    let first = loan.publish(3);
    let address = first.as_ptr();
    let second = first.clone();
    drop(first);
    assert_eq!(&*second, &[7, 8, 9]);
    assert_eq!(free_count(&pool), 0);
    drop(second);
    assert_eq!(free_count(&pool), 1);
    let again = pool.lend(2).publish(2);
    assert_eq!(again.as_ptr(), address);
}

#[test]
fn an_abandoned_loan_goes_home() {
    let pool = Arc::new(BufferPool::default());
    drop(pool.lend(100));
    assert_eq!(free_count(&pool), 1);
}

#[test]
fn a_payload_outlives_its_pool() {
    let pool = Arc::new(BufferPool::default());
    let payload = pool.lend(1).publish(1);
    drop(pool);
    assert_eq!(payload.len(), 1);
}

#[test]
fn a_loan_is_taken_back_once_and_by_its_own_pool() {
    let (pool, other) = (Arc::new(BufferPool::default()), Arc::new(BufferPool::default()));
    let loan = pool.lend(8).into_raw();
    // SAFETY: both pools exist.
    unsafe {
        assert!(other.take_back(loan).is_none(), "a loan of another pool");
        let taken = pool.take_back(loan).expect("outstanding");
        assert!(pool.take_back(loan).is_none(), "taken back before");
        drop(taken);
        assert!(pool.take_back(loan).is_none(), "the buffer is free");
        let again = pool.lend(8).into_raw();
        assert!(pool.take_back(loan).is_none(), "the buffer is on loan again, under another number");
        assert!(pool.take_back(again).is_some() && pool.take_back(std::ptr::null_mut()).is_none());
    }
}

#[test]
fn a_payload_that_a_plugin_releases_too_often_stays() {
    let pool = Arc::new(BufferPool::default());
    let payload = pool.lend(1).publish(1);
    let raw = lent(&payload);
    assert_ne!(raw, payload.as_raw());
    // SAFETY: the payload keeps the buffer alive.
    unsafe {
        ((*raw).retain)(raw);
        ((*raw).release)(raw);
        call::in_step(&Owner::new("car1/twice"), StepCall::Sample, || ((*raw).release)(raw));
    }
    let reports = call::take_breaches_of("car1/twice");
    assert!(
        reports.iter().any(|report| report.contains("BH-PLG-133") && report.contains("car1/twice")),
        "{reports:?}"
    );
    assert_eq!((payload.len(), free_count(&pool)), (1, 0));
    drop(payload);
    assert_eq!(free_count(&pool), 1);
}

#[test]
fn a_small_payload_of_a_plugin_is_copied_and_a_large_one_stands_for_itself() {
    let pool = Arc::new(BufferPool::default());
    let small = Payload::from_vec(vec![1; COPIED]);
    let kept = pool.keep(small.clone());
    assert_eq!(*kept, *small);
    assert_ne!(kept.as_ptr(), small.as_ptr());
    let large = Payload::from_vec(vec![2; COPIED + 1]);
    let kept = pool.keep(large.clone());
    assert_eq!((kept.as_ptr(), kept.len()), (large.as_ptr(), large.len()));
    assert_ne!(lent(&kept), large.as_raw(), "readers are counted");
    assert_eq!(pool.keep(kept.clone()).as_raw(), kept.as_raw(), "it is one of the host");
    drop(kept);
    assert_eq!(free_count(&pool), 1);
}

#[test]
fn what_a_reader_publishes_again_is_the_reference_of_the_host() {
    let pool = Arc::new(BufferPool::default());
    let first = pool.keep(Payload::from_vec(vec![3; COPIED + 1]));
    // SAFETY: the first reference keeps the buffer alive.
    let again = unsafe { Payload::retain(lent(&first)) };
    let kept = pool.keep(again);
    assert_eq!(kept.as_raw(), first.as_raw());
    // SAFETY: as above; the plugin has none of the references that are left.
    unsafe {
        call::in_step(&Owner::new("car1/again"), StepCall::Sample, || ((*lent(&first)).release)(lent(&first)))
    };
    assert!(!call::take_breaches_of("car1/again").is_empty(), "no reference of a plugin is left");
    assert_eq!(kept[0], 3);
}

#[test]
fn a_plugin_releases_what_it_was_given_once() {
    let raw = give(Payload::from_vec(vec![5; 10]));
    // SAFETY: the reference is ours, and its header lives as long as the host.
    unsafe {
        assert_eq!(abi::Bytes { ptr: (*raw).data, len: (*raw).len }.as_slice(), [5; 10]);
        call::in_step(&Owner::new("car1/given"), StepCall::Sample, || {
            ((*raw).release)(raw);
            ((*raw).release)(raw);
        });
    }
    assert_eq!(call::take_breaches_of("car1/given").len(), 1);
}

#[test]
fn bytes_that_change_after_they_were_published_are_reported_with_their_publisher() {
    let pool = Arc::new(BufferPool::new("car1/late", "/car1/points"));
    let mut loan = pool.lend(8);
    let address = loan.bytes_mut().as_mut_ptr();
    let payload = loan.publish(8);
    // SAFETY: only the header is written, before the payload is shared.
    unsafe {
        let pooled = payload.as_raw().cast_mut().cast::<Pooled>();
        (*pooled).sum = Some((*pooled).sum_now());
        address.write_volatile(9);
    }
    drop(payload);
    let reports = call::take_breaches_of("car1/late");
    assert!(
        reports.iter().any(|report| report.contains("BH-PLG-145") && report.contains("/car1/points")),
        "{reports:?}"
    );
}

#[test]
fn a_loan_that_was_written_beyond_its_end_says_so() {
    let pool = Arc::new(BufferPool::default());
    let mut loan = pool.lend(8);
    let bytes = loan.bytes_mut();
    let end = bytes.as_mut_ptr_range().end;
    assert!(loan.is_within_bounds());
    // SAFETY: a border lies there.
    unsafe { end.write_volatile(1) };
    assert!(!loan.is_within_bounds());
}

#[test]
fn free_buffers_beyond_the_limit_keep_their_headers_only() {
    let pool = Arc::new(BufferPool::default());
    let loans: Vec<_> = (0..MAX_FREE + 3).map(|_| pool.lend(10)).collect();
    drop(loans);
    let free = pool.free.lock().expect("pool");
    assert_eq!(free.iter().filter(|buffer| buffer.region.is_none()).count(), 3);
    assert_eq!(free.len(), MAX_FREE + 3);
}
