//! The three overflow policies, and how the loop ends.

use super::*;
use crate::testing::{endpoint as test_endpoint, message};

fn open(overflow: Overflow) -> TxQueue {
    let queue = TxQueue::new(Limits { messages: 2, bytes: 100, overflow });
    queue.open();
    queue
}

/// Finishes a message as the transmit loop does. Returns its sequence number.
fn delivered(message: Queued) -> u64 {
    let sequence = message.sequence;
    message.delivered();
    sequence
}

fn taken(queue: &TxQueue) -> Option<u64> {
    match queue.next(Some(Duration::ZERO)) {
        Next::Message(message) => Some(delivered(message)),
        Next::TimedOut | Next::Interrupted => None,
    }
}

fn dropped(endpoint: &Endpoint) -> u64 {
    endpoint.counters.dropped.load(Ordering::Relaxed)
}

#[test]
fn drop_oldest_keeps_the_newest_and_counts() {
    let (queue, endpoint) = (open(Overflow::DropOldest), test_endpoint());
    for sequence in 0..5 {
        assert!(queue.push(message(&endpoint, sequence, 10), &|| false));
    }
    assert_eq!((taken(&queue), taken(&queue), taken(&queue)), (Some(3), Some(4), None));
    assert_eq!(dropped(&endpoint), 3);
}

#[test]
fn bytes_count_too_but_a_single_large_message_passes() {
    let (queue, endpoint) = (open(Overflow::DropOldest), test_endpoint());
    queue.push(message(&endpoint, 0, 500), &|| false);
    assert_eq!(queue.len(), 1);
    queue.push(message(&endpoint, 1, 60), &|| false);
    assert_eq!(taken(&queue), Some(1));
}

#[test]
fn error_refuses_the_new_message() {
    let (queue, endpoint) = (open(Overflow::Error), test_endpoint());
    assert!(queue.push(message(&endpoint, 0, 10), &|| false));
    assert!(queue.push(message(&endpoint, 1, 10), &|| false));
    assert!(!queue.push(message(&endpoint, 2, 10), &|| false));
    assert_eq!(taken(&queue), Some(0));
}

#[test]
fn block_waits_for_room_and_loses_nothing() {
    let (queue, endpoint) = (Arc::new(open(Overflow::Block)), test_endpoint());
    let reader = Arc::clone(&queue);
    let thread = bridgehead_runtime::thread::spawn("reader", move || {
        let mut sequences = Vec::new();
        while let Next::Message(message) = reader.next(None) {
            sequences.push(delivered(message));
        }
        sequences
    });
    for sequence in 0..200 {
        queue.push(message(&endpoint, sequence, 1), &|| false);
    }
    queue.interrupt(true);
    let sequences = thread.expect("thread").join(Duration::from_secs(20)).expect("joined");
    assert_eq!(sequences, (0..200).collect::<Vec<_>>());
    assert_eq!(dropped(&endpoint), 0);
}

#[test]
fn a_blocked_push_gives_up_when_told() {
    let (queue, endpoint) = (open(Overflow::Block), test_endpoint());
    for sequence in 0..3 {
        queue.push(message(&endpoint, sequence, 1), &|| true);
    }
    assert_eq!(dropped(&endpoint), 1);
}

#[test]
fn a_closed_queue_counts_missed_messages() {
    let (queue, endpoint) = (TxQueue::new(Limits::default()), test_endpoint());
    queue.push(message(&endpoint, 0, 1), &|| false);
    assert!(queue.is_empty());
    assert_eq!(endpoint.counters.missed.load(Ordering::Relaxed), 1);
}

#[test]
fn an_interrupt_at_once_leaves_the_rest_to_be_counted() {
    let (queue, endpoint) = (open(Overflow::DropOldest), test_endpoint());
    queue.push(message(&endpoint, 0, 1), &|| false);
    queue.interrupt(false);
    assert!(matches!(queue.next(None), Next::Interrupted));
    queue.discard();
    assert_eq!(dropped(&endpoint), 1);
}
