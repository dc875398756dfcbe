//! Both libraries behind one trait, with libzmq clients as CLOiSim uses them.
#![cfg(feature = "libzmq")]

use std::net::TcpListener;
use std::sync::{Arc, Mutex, mpsc};

use super::*;
use crate::wall_clock;

const KINDS: [BackendKind; 2] = [BackendKind::Libzmq, BackendKind::Zeromq];
const LOCAL: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
const TAG: Tag = [1, 0xff, 3, 4, 5, 6, 7, 8];
const OTHER: Tag = [9; 8];

/// Returns a port that was free a moment ago.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind((LOCAL, 0)).expect("a port");
    listener.local_addr().expect("an address").port()
}

fn client(kind: zmq::SocketType, port: u16) -> zmq::Socket {
    let socket = zmq::Context::new().socket(kind).expect("a socket");
    socket.set_linger(0).expect("an option");
    socket.set_rcvtimeo(5000).expect("an option");
    if kind == zmq::SUB {
        socket.set_subscribe(&TAG).expect("an option");
    }
    if kind == zmq::REQ {
        socket.set_req_relaxed(true).expect("an option");
        socket.set_req_correlate(true).expect("an option");
    }
    socket.connect(&endpoint(LOCAL, port)).expect("a connection");
    socket
}

fn tagged(tag: Tag, payload: &[u8]) -> Vec<u8> {
    crate::frame::frame(tag, payload)
}

#[test]
fn frames_reach_subscribers_of_their_tag() {
    for kind in KINDS {
        let (backend, port) = (backend(kind, LOCAL).expect("a backend"), free_port());
        let mut publisher = backend.publish(port, 10).expect("a port");
        let subscriber = client(zmq::SUB, port);
        subscriber.set_rcvtimeo(20).expect("an option");
        let deadline = wall_clock::now() + Duration::from_secs(10);
        let received = loop {
            publisher.send(&tagged(OTHER, b"no")).expect("sent");
            publisher.send(&tagged(TAG, b"yes")).expect("sent");
            match subscriber.recv_bytes(0) {
                Ok(bytes) => break bytes,
                Err(_) => assert!(wall_clock::now() < deadline, "{kind:?}"),
            }
        };
        assert_eq!(received, tagged(TAG, b"yes"), "{kind:?}");
    }
}

#[test]
fn requests_are_answered_in_order_even_invalid_ones() {
    for kind in KINDS {
        let (backend, port) = (backend(kind, LOCAL).expect("a backend"), free_port());
        let handler = |request: &[u8]| [b"re: ", request].concat();
        let _bound = backend.open_reply_port(port, TAG, Box::new(handler)).expect("a port");
        let requester = client(zmq::REQ, port);
        for (request, answer) in
            [(tagged(OTHER, b"a"), &b"re: a"[..]), (b"x".to_vec(), b"re: "), (vec![], b"re: ")]
        {
            requester.send(request, 0).expect("sent");
            assert_eq!(requester.recv_bytes(0).expect("an answer"), tagged(TAG, answer), "{kind:?}");
        }
    }
}

#[test]
fn commands_with_the_tag_are_received() {
    for kind in KINDS {
        let (backend, port) = (backend(kind, LOCAL).expect("a backend"), free_port());
        let received = Arc::new(Mutex::new(Vec::new()));
        let commands = Arc::clone(&received);
        let handler = move |command: &[u8]| commands.lock().expect("the commands").push(command.to_vec());
        let _bound = backend.open_command_port(port, TAG, Box::new(handler)).expect("a port");
        let publisher = client(zmq::PUB, port);
        let deadline = wall_clock::now() + Duration::from_secs(10);
        while received.lock().expect("the commands").is_empty() {
            assert!(wall_clock::now() < deadline, "{kind:?}");
            publisher.send(tagged(OTHER, b"no"), 0).expect("sent");
            publisher.send(tagged(TAG, b"go"), 0).expect("sent");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(received.lock().expect("the commands").iter().all(|command| command == b"go"), "{kind:?}");
    }
}

#[test]
fn a_client_gets_a_request_once_it_is_connected() {
    for kind in KINDS {
        let (backend, port) = (backend(kind, LOCAL).expect("a backend"), free_port());
        let mut request_port = backend.open_request_port(port).expect("a port");
        let ask = |request_port: &mut Box<dyn RequestPort>| {
            // Without a client it does not wait.
            request_port.request(&tagged(TAG, b"?"), Duration::from_secs(5), &|| false)
        };
        assert_eq!(ask(&mut request_port), Ok(RequestOutcome::NoClient), "{kind:?}");
        let (answered, is_over) = mpsc::channel::<()>();
        let thread = wall_clock::thread(move || {
            let replier = client(zmq::REP, port);
            let question = replier.recv_bytes(0).expect("a question");
            replier.send("!", 0).expect("sent");
            // The socket stays open until its answer has arrived.
            assert!(is_over.recv().is_err(), "it is over when the sender is dropped");
            question
        });
        let deadline = wall_clock::now() + Duration::from_secs(10);
        let answer = loop {
            match ask(&mut request_port) {
                Ok(RequestOutcome::Replied(answer)) => break answer,
                other => assert!(wall_clock::now() < deadline, "{kind:?} {other:?}"),
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        drop(answered);
        assert_eq!(
            (answer, thread.join().expect("the client")),
            (b"!".to_vec(), tagged(TAG, b"?")),
            "{kind:?}"
        );
    }
}

#[test]
fn a_taken_port_is_reported_and_a_closed_port_is_free_again() {
    for kind in KINDS {
        let (backend, port) = (backend(kind, LOCAL).expect("a backend"), free_port());
        let listener = TcpListener::bind((LOCAL, port)).expect("the port");
        assert!(matches!(backend.publish(port, 1), Err(BindError::Taken)), "{kind:?}");
        drop(listener);
        let publisher = backend.publish(port, 1).expect("the port");
        assert!(matches!(backend.open_request_port(port), Err(BindError::Taken)), "{kind:?}");
        drop(publisher);
        let deadline = wall_clock::now() + Duration::from_secs(5);
        while backend.publish(port, 1).is_err() {
            assert!(wall_clock::now() < deadline, "{kind:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
