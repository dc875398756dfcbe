//! Ends of a worker that a test plays: a process that does nothing, and the other ends of its sockets.

use std::process::Command;

use super::*;
use crate::worker::dispatcher::tests::{dispatcher, explained};
use crate::worker::wire::Request;

/// Starts a shell script as a worker that has loaded its library. Returns the other ends of the sockets, too.
fn started(script: &str, timeout: Duration) -> (Arc<Process>, Vec<UnixStream>) {
    let pairs = (0..=Lane::ALL.len()).map(|_| UnixStream::pair().expect("sockets"));
    let (ours, theirs) = pairs.unzip();
    let child = Command::new("sh").args(["-c", script]).spawn().expect("a shell");
    let memory = SharedMemory::create().expect("memory");
    let process = Process::new("test", child, ours, (dispatcher(), memory), [timeout; 2]).expect("threads");
    *lock(&process.stage) = Stage::Running;
    (process, theirs)
}

/// What was reported of a process.
fn reported(process: &Process) -> Vec<String> {
    explained(&format!("(process {})", process.id))
}

#[test]
fn a_status_from_before_the_end_does_not_count_after_it() {
    let (process, theirs) = started("exec sleep 60", Duration::from_secs(10));
    let mut main = LaneSocket::new(theirs[0].try_clone().expect("a socket")).expect("a lane");
    let mut says_connected = |change| {
        let connected = Connection { change, status: raw::STATUS_CONNECTED };
        main.sender.send(&FromWorker::Request(Request::Status(connected))).expect("sent");
    };
    // As a thread of the host that is late because the machine is busy.
    let takes_note = || {
        let taken = |message: FromWorker<'_>| panic!("{message:?}");
        let deadline = Some(clock::now() + LOOK);
        process
            .converse::<()>(&mut lock(&process.lanes[0]), Lane::Main, deadline, taken)
            .expect_err("no call")
    };
    says_connected(1);
    assert_eq!(takes_note(), Lost::TimedOut);
    assert_eq!(process.status(), raw::STATUS_CONNECTED);
    says_connected(2);
    process.kill("tx_run");
    assert_eq!(takes_note(), Lost::Ended);
    assert_eq!(process.status(), raw::STATUS_UNEXPECTEDLY_DISCONNECTED);
    assert_eq!(reported(&process).len(), 1);
}

#[test]
fn a_worker_may_take_as_long_for_its_end_as_for_a_call() {
    let (slow, _sockets) = started("exec sleep 3", Duration::from_secs(30));
    slow.close();
    assert_eq!(reported(&slow), [""; 0]);

    let (stuck, _sockets) = started("exec sleep 60", Duration::from_millis(10));
    stuck.close();
    let texts = reported(&stuck);
    assert!(
        matches!(&texts[..], [text] if text.contains("not gone 2s after it was told to end")),
        "{texts:?}"
    );
}

#[test]
fn a_bad_end_is_reported_whoever_notices_it() {
    let (process, sockets) = started("exit 3", Duration::from_secs(30));
    *lock(&process.stage) = Stage::Closing;
    drop(sockets);
    // Threads of the host notice that the sockets are closed before `close` does.
    drop(process.lose(NO_CALL, &Lost::Ended));
    assert!(!process.has_ended());
    process.close();
    let texts = reported(&process);
    assert!(matches!(&texts[..], [text] if text.contains("by `exit(3)` instead of by its end")), "{texts:?}");
}

#[test]
fn an_end_while_the_library_is_loading_is_returned_and_not_reported() {
    let (process, sockets) = started("exit 3", Duration::from_secs(30));
    *lock(&process.stage) = Stage::Loading;
    drop(sockets);
    let refusal = process.await_library().expect_err("nothing was loaded");
    assert!(refusal.text.ends_with("by `exit(3)`"), "{}", refusal.text);
    assert_eq!(reported(&process), [""; 0]);
}
