//! The client of the step channel: its greeting, its requests one after the other, and what it has declared. Simulation
//! thread only, between two steps.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::os::fd::{AsFd, BorrowedFd};

use bridgehead_lifecycle::{SimulationState, State};
use rustix::event::PollFlags;

use super::act::{Assignment, Commands};
use super::connection::Connection;
use super::declaration::{Item, parse};
use super::error::Refusal;
use super::observe::{MAX_VALUES, Observations};
use super::pending::{Completed, Pending, flags_of_end};
use super::topics::Newest;
use super::wire::{Kind, Moment, RESET, Request, put_error, put_greeting, put_state, put_text, request};
use crate::sim::{KeptSnapshot, Simulation};

/// Snapshots that a client may keep.
const MAX_SNAPSHOTS: usize = 1000;
/// Bytes of the worlds in all of them.
const MAX_SNAPSHOT_BYTES: usize = 1 << 30;

/// Whether a client is still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Stays,
    Gone,
}

/// The client of the channel.
pub(super) struct Client {
    connection: Connection,
    has_greeted: bool,
    declared: Option<Declared>,
    snapshots: BTreeMap<String, (KeptSnapshot, Newest)>,
    /// The request that the lifecycle carries out.
    pending: Option<Pending>,
    /// The epoch of the last answer.
    seen_epoch: Option<u32>,
    /// The numbers of the commands of a step.
    values: Vec<f64>,
}

/// What the client sends and reads.
struct Declared {
    commands: Commands,
    observations: Observations,
}

/// A request without the bytes of its frame.
enum Task {
    Declare(String),
    /// The numbers of the commands are in [`Client::values`].
    Step(u32),
    Reset,
    Save(String),
    Restore(String),
    Forget(String),
    Close,
}

/// What becomes of a request.
enum Outcome {
    /// It is answered by a text.
    Text(String),
    /// It is answered by the state and the observations.
    State,
    /// It is answered when the lifecycle has carried it out.
    Later(Pending),
}

impl Client {
    pub(super) fn new(connection: Connection) -> Self {
        Client {
            connection,
            has_greeted: false,
            declared: None,
            snapshots: BTreeMap::new(),
            pending: None,
            seen_epoch: None,
            values: Vec::new(),
        }
    }

    /// Returns true if nobody else may connect: a connection that has not said what it is may be anything, and one that
    /// was closed must not keep others out.
    pub(super) fn holds_channel(&mut self) -> bool {
        self.has_greeted && self.connection.receive().is_ok()
    }

    /// Returns true if something can go on without new bytes.
    pub(super) fn has_work(&self, simulation: &Simulation) -> bool {
        self.pending.is_some() || (self.has_frame() && simulation.machine().is_settled())
    }

    /// Returns true if a request waits to be taken.
    pub(super) fn has_frame(&self) -> bool {
        self.pending.is_none() && !self.connection.is_sending() && self.connection.frame().is_some()
    }

    /// Returns what the descriptor is waited for.
    pub(super) fn awaited(&self) -> PollFlags {
        if self.connection.is_sending() { PollFlags::OUT } else { PollFlags::IN }
    }

    /// Reads and answers as far as possible.
    pub(super) fn serve(&mut self, simulation: &mut Simulation, is_ready: bool) -> Fate {
        if is_ready && self.connection.receive().is_err() {
            return Fate::Gone;
        }
        if !self.has_greeted && !self.greet() {
            return Fate::Gone;
        }
        loop {
            if self.connection.send().is_err() {
                return Fate::Gone;
            }
            if let Some(pending) = &mut self.pending {
                let Some(result) = pending.poll(simulation) else { return Fate::Stays };
                self.pending = None;
                self.answer_completed(simulation, result);
            } else if !self.has_frame() || !simulation.machine().is_settled() {
                return Fate::Stays;
            } else if !self.take(simulation) {
                return Fate::Gone;
            }
        }
    }

    /// Answers the greeting. Returns false if the client is refused.
    fn greet(&mut self) -> bool {
        match self.connection.greeting() {
            None => true,
            Some(Ok(())) => {
                self.has_greeted = true;
                put_greeting(self.connection.outgoing(), "");
                true
            }
            Some(Err(refusal)) => {
                self.connection.refuse(&refusal);
                false
            }
        }
    }

    /// Takes the next request. Returns false if the connection ends with it.
    fn take(&mut self, simulation: &mut Simulation) -> bool {
        let Some(frame) = self.connection.frame() else { return true };
        let (kind, length, task) = match frame {
            Ok((kind, body)) => {
                (kind, body.len(), request(kind, body).map(|asked| task(asked, &mut self.values)))
            }
            Err(refusal) => {
                // After it, nobody knows where the next frame begins.
                self.connection.fail(&refusal);
                return false;
            }
        };
        self.connection.consume(length);
        let outcome = task.and_then(|task| match task {
            Task::Close => Ok(None),
            task => self.carry_out(simulation, task).map(Some),
        });
        match outcome {
            Ok(None) => {
                put_text(self.connection.outgoing(), kind, "");
                drop(self.connection.send());
                return false;
            }
            Ok(Some(Outcome::Text(text))) => put_text(self.connection.outgoing(), kind, &text),
            Ok(Some(Outcome::State)) => self.answer_state(simulation, kind, 0),
            Ok(Some(Outcome::Later(pending))) => self.pending = Some(pending),
            Err(refusal) => put_error(self.connection.outgoing(), &refusal),
        }
        true
    }

    fn carry_out(&mut self, simulation: &mut Simulation, task: Task) -> Result<Outcome, Refusal> {
        if simulation.loaded().is_none() {
            return Err(Refusal::NoWorld);
        }
        match task {
            Task::Declare(text) => self.declare(simulation, &text).map(Outcome::Text),
            Task::Step(steps) => self.step(simulation, steps),
            Task::Reset => Ok(Outcome::Later(Pending::reset(simulation))),
            Task::Save(name) => self.save(simulation, name).map(|()| Outcome::State),
            Task::Restore(name) => self.restore(simulation, name),
            Task::Forget(name) => {
                let removed = self.snapshots.remove(&name);
                removed.map(|_| Outcome::State).ok_or_else(|| self.no_snapshot(&name))
            }
            Task::Close => Ok(Outcome::State),
        }
    }

    /// Replaces what is declared. Returns the layout; after an error, the former declaration holds.
    fn declare(&mut self, simulation: &mut Simulation, text: &str) -> Result<String, Refusal> {
        let items = parse(text)?;
        let fields: Vec<Assignment<'_>> = items.iter().filter_map(assignment).collect();
        let commands = Commands::new(simulation, &fields)?;
        if commands.count() > MAX_VALUES {
            return Err(Refusal::TooMany { values: commands.count(), limit: MAX_VALUES });
        }
        let mut observations = Observations::default();
        let layout = match layout(simulation, &items, &mut observations) {
            Ok(layout) => layout,
            Err(refusal) => {
                observations.end(simulation);
                return Err(refusal);
            }
        };
        // Their messages are of topics that the former declaration read.
        self.snapshots.values_mut().for_each(|(_, newest)| newest.clear());
        if let Some(mut former) = self.declared.replace(Declared { commands, observations }) {
            former.observations.end(simulation);
        }
        Ok(layout)
    }

    fn step(&mut self, simulation: &mut Simulation, steps: u32) -> Result<Outcome, Refusal> {
        let declared = self.declared.as_mut().ok_or(Refusal::Undeclared)?;
        if steps > 0 {
            check_paused(simulation, "a step", "pause it, or reset it if it has stopped")?;
        }
        declared.commands.publish(simulation, &self.values)?;
        if steps == 0 {
            return Ok(Outcome::State);
        }
        Ok(Outcome::Later(Pending::steps(simulation, steps)))
    }

    fn save(&mut self, simulation: &mut Simulation, name: String) -> Result<(), Refusal> {
        let others = self.snapshots.iter().filter(|(known, _)| **known != name);
        let (count, bytes) =
            others.fold((0, 0), |(count, bytes), (_, (kept, _))| (count + 1, bytes + kept.size()));
        if count >= MAX_SNAPSHOTS {
            return Err(Refusal::TooManySnapshots { limit: format!("{MAX_SNAPSHOTS} snapshots") });
        }
        let kept = simulation.keep_snapshot().map_err(Refusal::Snapshot)?;
        if bytes + kept.size() > MAX_SNAPSHOT_BYTES {
            return Err(Refusal::TooManySnapshots { limit: format!("{MAX_SNAPSHOT_BYTES} bytes of them") });
        }
        let newest = self.declared.as_mut().map(|declared| declared.observations.newest(simulation));
        self.snapshots.insert(name, (kept, newest.unwrap_or_default()));
        Ok(())
    }

    fn restore(&mut self, simulation: &mut Simulation, name: String) -> Result<Outcome, Refusal> {
        check_paused(simulation, "the return to a snapshot", "reset it first")?;
        let Some((kept, _)) = self.snapshots.get(&name) else { return Err(self.no_snapshot(&name)) };
        simulation.return_at_reset(kept)?;
        Ok(Outcome::Later(Pending::return_to(simulation, name)))
    }

    fn no_snapshot(&self, asked: &str) -> Refusal {
        let known: Vec<&str> = self.snapshots.keys().map(String::as_str).collect();
        Refusal::no_snapshot(asked, &known)
    }

    fn answer_completed(&mut self, simulation: &mut Simulation, result: Result<Completed, Refusal>) {
        match result {
            Ok(Completed { kind, flags, returned_to }) => {
                let kept = returned_to.and_then(|name| self.snapshots.get(&name));
                if let (Some((_, newest)), Some(declared)) = (kept, &mut self.declared) {
                    declared.observations.return_to(newest, simulation.now().reset_epoch);
                }
                self.answer_state(simulation, kind, flags);
            }
            Err(refusal) => put_error(self.connection.outgoing(), &refusal),
        }
    }

    /// Answers with the present state and the observations.
    fn answer_state(&mut self, simulation: &mut Simulation, kind: Kind, flags: u32) {
        let now = simulation.now();
        let mut flags = flags | flags_of_end(simulation);
        if self.seen_epoch.replace(now.reset_epoch).is_some_and(|seen| seen != now.reset_epoch) {
            flags |= RESET;
        }
        let state = state_number(simulation.machine().simulation_state());
        let (values, found) = match &mut self.declared {
            Some(declared) => declared.observations.read(simulation),
            None => (&[][..], 0),
        };
        let moment = Moment {
            time_ns: now.time_ns,
            step: now.step,
            reset_epoch: now.reset_epoch,
            state,
            flags: flags | found,
        };
        put_state(self.connection.outgoing(), kind, moment, values);
    }

    /// Ends everything that belongs to the client.
    pub(super) fn leave(self, simulation: &mut Simulation) {
        if let Some(pending) = self.pending {
            pending.abandon(simulation);
        }
        if let Some(mut declared) = self.declared {
            declared.observations.end(simulation);
        }
    }
}

impl AsFd for Client {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.connection.as_fd()
    }
}

/// Copies a request out of its frame.
fn task(request: Request<'_>, numbers: &mut Vec<f64>) -> Task {
    match request {
        Request::Declare(text) => Task::Declare(text.to_owned()),
        Request::Step { steps, values } => {
            values.copy_to(numbers);
            Task::Step(steps)
        }
        Request::Reset => Task::Reset,
        Request::Save(name) => Task::Save(name.to_owned()),
        Request::Restore(name) => Task::Restore(name.to_owned()),
        Request::Forget(name) => Task::Forget(name.to_owned()),
        Request::Close => Task::Close,
    }
}

fn assignment<'a>(item: &Item<'a>) -> Option<Assignment<'a>> {
    match item {
        Item::Action { topic, path } => Some(Assignment { topic, path, text: None }),
        Item::Constant { topic, path, text } => Some(Assignment { topic, path, text: Some(text) }),
        Item::Time
        | Item::Pose(_)
        | Item::Twist(_)
        | Item::Joint { .. }
        | Item::Topic { .. }
        | Item::Stamp(_) => None,
    }
}

/// Adds the observations of a declaration. Returns the answer: the width of a step, then a line for each item with its
/// place and length among the values of commands or observations, and its unit.
fn layout(
    simulation: &mut Simulation,
    items: &[Item<'_>],
    observations: &mut Observations,
) -> Result<String, Refusal> {
    let mut text = format!("width_ns\t{}\n", simulation.timeline.width_ns());
    let mut next_command = 0;
    for item in items {
        let (word, begin, length, unit) = match item {
            Item::Action { .. } => {
                next_command += 1;
                ("action", next_command - 1, 1, "")
            }
            Item::Constant { .. } => ("constant", next_command, 0, ""),
            item => {
                let place = observations.add(simulation, item)?;
                (word_of(item), place.begin, place.length, place.unit)
            }
        };
        // A text in memory takes everything.
        let _ = writeln!(text, "{word}\t{begin}\t{length}\t{unit}");
    }
    Ok(text)
}

fn word_of(item: &Item<'_>) -> &'static str {
    match item {
        Item::Action { .. } => "action",
        Item::Constant { .. } => "constant",
        Item::Time => "time",
        Item::Pose(_) => "pose",
        Item::Twist(_) => "twist",
        Item::Joint { .. } => "joint",
        Item::Topic { .. } => "topic",
        Item::Stamp(_) => "stamp",
    }
}

fn check_paused(simulation: &Simulation, what: &'static str, advice: &'static str) -> Result<(), Refusal> {
    let state = simulation.state();
    if state == State::Pause {
        return Ok(());
    }
    Err(Refusal::NotPaused { what, state: state.plain_name(), advice })
}

fn state_number(state: SimulationState) -> u32 {
    u32::from(state.number())
}
