//! Delivery times, and how far ahead is read.

use std::cell::RefCell;
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::std_msgs::{Bool, Float64};
use bridgehead_plugin_api::{Payload, messages};
use prost::Message as _;

use super::*;
use crate::recording::lines::LineRecording;
use crate::recording::{Content, Position, RecordedSchema, Unit};
use crate::subscribers::{Deliver, Subscription};

/// Step, stamp and bytes of delivered messages.
type Delivered = Arc<Mutex<Vec<(u64, i64, Vec<u8>)>>>;

struct List(Delivered);

impl Deliver for List {
    fn deliver(&self, step: u64, stamp_ns: i64, payload: &Payload) -> Result {
        self.0.lock().unwrap().push((step, stamp_ns, payload.to_vec()));
        Ok(())
    }
}

fn subscribe<M: Message>(subscribers: &Subscribers, topic: &str) -> (Subscription, Delivered) {
    let list = Delivered::default();
    (subscribers.add(topic, &M::schema(), Box::new(List(Arc::clone(&list)))).unwrap(), list)
}

/// A simulation that runs to the last released step whenever the player waits.
#[derive(Default)]
struct Held {
    state: RefCell<HeldState>,
}

#[derive(Default)]
struct HeldState {
    now: StepMark,
    released: u64,
    waits: u64,
    max_ahead: u64,
    reset_at: Option<u64>,
    is_interrupted: bool,
}

impl Simulation for Held {
    fn now(&self) -> StepMark {
        self.state.borrow().now
    }

    fn release_through(&self, step: u64) {
        let mut state = self.state.borrow_mut();
        assert!(step >= state.released, "a release is never withdrawn");
        state.max_ahead = state.max_ahead.max(step.saturating_sub(state.now.step));
        state.released = step;
    }

    fn wait(&self, _: Duration) -> bool {
        let mut state = self.state.borrow_mut();
        state.waits += 1;
        assert!(state.waits < 1_000_000, "the player waits forever");
        state.now.step = state.released;
        if state.reset_at.is_some_and(|step| state.now.step >= step) {
            state.now = StepMark { epoch: 1, step: 0 };
        }
        !state.is_interrupted
    }
}

fn line(topic: &str, epoch: u32, step: u64) -> String {
    format!(
        "{{\"topic\":\"{topic}\",\"step\":{step},\"epoch\":{epoch},\"stamp\":{},\"message\":{{\"data\":{step}}}}}\n",
        step * 10
    )
}

fn play_text(text: &str, subscribers: &Subscribers, simulation: &Held) -> Result<Summary> {
    let mut recording = LineRecording::new("cmd.jsonl".into(), text.as_bytes());
    play(&mut recording, &Topics::default(), subscribers, simulation)
}

fn steps(delivered: &Delivered) -> Vec<u64> {
    delivered.lock().unwrap().iter().map(|(step, ..)| *step).collect()
}

#[test]
fn messages_are_delivered_at_their_steps_with_their_stamps() {
    let (subscribers, simulation) = (Subscribers::default(), Held::default());
    let (_endpoint, delivered) = subscribe::<Float64>(&subscribers, "/a");
    let text = line("/a", 0, 0) + &line("/b", 0, 3) + &line("/a", 0, 3) + &line("/a", 0, 7);
    let summary = play_text(&text, &subscribers, &simulation).unwrap();
    assert_eq!((summary.delivered, summary.late, summary.ending), (3, 0, Ending::Complete));
    assert_eq!(summary.without_subscriber, BTreeSet::from(["/b".to_owned()]));
    let payload = |data| Float64 { data }.encode_to_vec();
    let expected = [(0, 0, payload(0.0)), (3, 30, payload(3.0)), (7, 70, payload(7.0))];
    assert_eq!(*delivered.lock().unwrap(), expected);
    assert_eq!(simulation.state.borrow().released, 6, "step 7 waits until the end of the recording is known");
}

#[test]
fn reading_ahead_is_bounded_in_steps() {
    let (subscribers, simulation) = (Subscribers::default(), Held::default());
    let (_endpoint, delivered) = subscribe::<Float64>(&subscribers, "/a");
    let text: String = (0..5000).map(|step| line("/a", 0, step)).collect();
    play_text(&text, &subscribers, &simulation).unwrap();
    assert_eq!(steps(&delivered), (0..5000).collect::<Vec<_>>());
    let state = simulation.state.borrow();
    assert!(state.max_ahead <= AHEAD_STEPS, "{} steps ahead", state.max_ahead);
    assert!(state.waits >= 4, "{} waits", state.waits);
}

/// Messages of 4 MiB, `per_step` in each step.
struct Large {
    schema: RecordedSchema,
    payload: Vec<u8>,
    number: u64,
    per_step: u64,
    total: u64,
}

impl Recording for Large {
    fn next(&mut self) -> Result<Option<Entry<'_>>> {
        if self.number == self.total {
            return Ok(None);
        }
        let step = self.number / self.per_step;
        self.number += 1;
        Ok(Some(Entry {
            position: Position { file: "large.mcap".into(), unit: Unit::Message, number: self.number },
            topic: "/a",
            mark: StepMark { epoch: 0, step },
            stamp_ns: None,
            content: Content::Protobuf { schema: &self.schema, payload: &self.payload },
        }))
    }
}

#[test]
fn reading_ahead_is_bounded_in_bytes_and_never_stalls() {
    for per_step in [1, 8] {
        let (subscribers, simulation) = (Subscribers::default(), Held::default());
        let (_endpoint, delivered) = subscribe::<messages::std_msgs::String>(&subscribers, "/a");
        let message = messages::std_msgs::String::schema().resolve().unwrap();
        let schema =
            RecordedSchema { name: message.full_name().to_owned(), fingerprint: Some(message.fingerprint()) };
        let mut large = Large { schema, payload: vec![0; 4 << 20], number: 0, per_step, total: 24 };
        play(&mut large, &Topics::default(), &subscribers, &simulation).unwrap();
        assert_eq!(delivered.lock().unwrap().len(), 24);
        let ahead = simulation.state.borrow().max_ahead * per_step * (4 << 20);
        assert!(ahead <= (AHEAD_BYTES as u64) + per_step * (8 << 20), "{ahead} bytes ahead");
    }
}

#[test]
fn late_messages_are_skipped_and_counted() {
    let (subscribers, simulation) = (Subscribers::default(), Held::default());
    simulation.state.borrow_mut().now.step = 7;
    let (_endpoint, delivered) = subscribe::<Float64>(&subscribers, "/a");
    let text: String = [6, 7, 8].map(|step| line("/a", 0, step)).concat();
    let summary = play_text(&text, &subscribers, &simulation).unwrap();
    // The seventh step is over: playing holds the simulation before the next one.
    assert_eq!((summary.late, steps(&delivered)), (2, vec![8]));
}

#[test]
fn a_reset_on_either_side_ends_the_replay() {
    let (subscribers, simulation) = (Subscribers::default(), Held::default());
    let (_endpoint, delivered) = subscribe::<Float64>(&subscribers, "/a");
    let text = line("/a", 2, 4) + &line("/a", 3, 0);
    let summary = play_text(&text, &subscribers, &simulation).unwrap();
    assert_eq!((summary.ending, steps(&delivered)), (Ending::RecordedReset, vec![4]));

    let simulation = Held::default();
    simulation.state.borrow_mut().reset_at = Some(2000);
    let text: String = (0..9000).map(|step| line("/a", 0, step)).collect();
    assert_eq!(play_text(&text, &subscribers, &simulation).unwrap().ending, Ending::Reset);
}

#[test]
fn an_interrupt_ends_the_wait() {
    let (subscribers, simulation) = (Subscribers::default(), Held::default());
    simulation.state.borrow_mut().is_interrupted = true;
    let summary = play_text(&line("/a", 0, 5000), &subscribers, &simulation).unwrap();
    assert_eq!(summary.ending, Ending::Interrupted);
}

#[test]
fn steps_out_of_order_are_an_error_with_their_line() {
    let text = line("/a", 0, 9) + &line("/a", 0, 5);
    let error = play_text(&text, &Subscribers::default(), &Held::default()).unwrap_err().to_string();
    assert!(
        error.starts_with(
            "[BH-BRG-123] cmd.jsonl:2: step 5 comes after step 9; a recording must be in the order"
        ),
        "{error}"
    );
}

#[test]
fn a_message_of_another_type_is_an_error_with_its_line() {
    let subscribers = Subscribers::default();
    let (_endpoint, delivered) = subscribe::<Bool>(&subscribers, "/a");
    let refusal = |text: &str| play_text(text, &subscribers, &Held::default()).unwrap_err().to_string();
    let error = refusal(r#"{"topic":"/a","type":"std_msgs/msg/Float64","step":0,"message":{"data":1}}"#);
    assert!(
        error.starts_with("[BH-BRG-123] cmd.jsonl:1: `/a` is recorded as `std_msgs/msg/Float64`, but its subscriber expects `std_msgs/msg/Bool`"),
        "{error}"
    );
    let error = refusal(&line("/a", 0, 1));
    assert!(error.starts_with("[BH-BRG-123] cmd.jsonl:1: `/a`: message: at `data`: expected"), "{error}");
    assert_eq!(steps(&delivered), []);
}

#[test]
fn a_sink_is_not_used_after_its_endpoint() {
    let subscribers = Subscribers::default();
    let (endpoint, delivered) = subscribe::<Float64>(&subscribers, "/a");
    drop(endpoint);
    let summary = play_text(&line("/a", 0, 0), &subscribers, &Held::default()).unwrap();
    assert_eq!((summary.delivered, steps(&delivered)), (0, vec![]));
}
