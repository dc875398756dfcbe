//! A building with elevators whose cabins and doors are links that the plugin moves, like CLOiSim's elevator system.
//!
//! Requests come on a topic, and the state is published, so that a bridge can answer clients of CLOiSim from it.

mod calls;

use bridgehead_plugin_api::host::{
    Dynamics, HostHandle, Kinematics, LinkId, Params, Publisher, Qos, Subscription, World,
};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElevatorCommand, ElevatorFloor, ElevatorInfo, ElevatorSystemState,
};
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::schedule::Schedule;
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Error, Flow, Result};

use crate::building::{Elevator, Part, Place, elevators, nearest_floor};
use crate::cabin::Cabin;
use crate::settings::Settings;
use calls::Call;

/// States per second while nothing changes but heights.
const RATE_HZ: f64 = 10.0;

/// One system.
pub(crate) struct ElevatorSystem {
    world: World,
    dynamics: Dynamics,
    kinematics: Kinematics,
    params: Params,
    settings: Settings,
    /// Scoped name of its model; empty for the world.
    scope: String,
    /// Height of the frame of the plugin's model, metres.
    base: f64,
    /// The elevators with their cabins; empty before the first step.
    elevators: Vec<(Elevator, Cabin)>,
    calls: Vec<Call>,
    commands: Subscription<ElevatorCommand>,
    state: Publisher<ElevatorSystemState>,
    schedule: Schedule,
    /// What was published last, without its header and heights.
    published: Option<ElevatorSystemState>,
    has_warned: bool,
}

impl ModelPlugin for ElevatorSystem {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 2 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus) = (host.params()?, host.bus()?);
        let settings = Settings::read(params)?;
        let attachment = host.model()?.attachment()?;
        let topic = |name: &str| format!("{}/{name}", settings.topic);
        Ok(ElevatorSystem {
            world: host.world()?,
            dynamics: host.dynamics()?,
            kinematics: host.kinematics()?,
            params,
            base: if attachment.model.is_empty() { 0.0 } else { attachment.pose.position[2] },
            scope: attachment.model,
            elevators: Vec::new(),
            calls: Vec::new(),
            commands: bus.subscribe(&topic("command"), Qos::default())?,
            state: bus.advertise(&topic("state"), Qos::latched())?,
            schedule: Schedule::with_rate(RATE_HZ)?,
            published: None,
            has_warned: false,
            settings,
        })
    }

    /// Cabins are back where the world puts them; they are found again in the next step.
    fn reset(&mut self, scope: ResetScope) -> Result<Flow> {
        if scope.covers_state() {
            self.elevators.clear();
            self.calls.clear();
        }
        self.published = None;
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(&self.elevators, &self.calls, self.published.is_some()))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        let has_published: bool;
        (self.elevators, self.calls, has_published) = state.take()?;
        // Every step publishes what has changed, so that the last message is that of this state.
        self.published = has_published.then(|| self.message_and_heights().0);
        Ok(())
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        if self.elevators.is_empty() {
            self.elevators = self.find()?;
        }
        while let Some(received) = self.commands.take() {
            self.take(&received.message);
        }
        self.advance(step)?;
        self.publish(step)?;
        Ok(Flow::Continue)
    }
}

impl ElevatorSystem {
    /// Finds the links of all elevators.
    fn find(&self) -> Result<Vec<(Elevator, Cabin)>> {
        let within = if self.scope.is_empty() { String::new() } else { format!("{}::", self.scope) };
        let mut places = Vec::new();
        for link in (0..self.dynamics.links()?).map(LinkId) {
            let Some(body) = self.dynamics.body(link)? else { continue };
            let Some(name) = body.name.strip_prefix(&within) else { continue };
            let pose = self.world.link_state(link)?.pose;
            places.push(Place { link: link.0, name: name.to_owned(), pose });
        }
        let found = elevators(&self.settings, &places, self.base).map_err(|group| self.no_model(group))?;
        let floors = &self.settings.floors;
        let cabin = |elevator: &Elevator| {
            Cabin::at(elevator.start, nearest_floor(&self.settings, elevator.start), floors)
        };
        Ok(found.into_iter().map(|elevator| (elevator.clone(), cabin(&elevator))).collect())
    }

    fn no_model(&self, group: usize) -> Error {
        let path =
            if self.settings.groups.len() > 1 { format!("elevator[{group}]") } else { "elevator".to_owned() };
        let prefix = self.settings.groups.get(group).map_or("", |group| group.prefix.as_str());
        let of = if self.scope.is_empty() { "the world".to_owned() } else { format!("`{}`", self.scope) };
        let expected = format!("what the name of a model with links begins with, in {of}");
        self.params.refuse(&format!("{path}/@prefix_name"), prefix, expected)
    }

    fn take(&mut self, command: &ElevatorCommand) {
        if let Err(problem) = self.serve(command)
            && !std::mem::replace(&mut self.has_warned, true)
        {
            log::warn!("ignored a command: {problem}; further ones are ignored without a warning");
        }
    }

    fn serve(&mut self, command: &ElevatorCommand) -> Result<(), String> {
        match command.service.as_str() {
            "call_elevator" => {
                let (from, to) = (self.floor(&command.current_floor)?, self.floor(&command.target_floor)?);
                self.call(from, to);
            }
            "select_elevator_floor" => {
                let (floor, elevator) = (self.floor(&command.target_floor)?, self.named(&command.elevator)?);
                let hold = self.hold(elevator);
                if let Some((_, cabin)) = self.elevators.get_mut(elevator) {
                    cabin.lift.request(floor, hold);
                }
            }
            "request_door_open" => {
                let elevator = self.named(&command.elevator)?;
                let hold = self.hold(elevator);
                let opens = self.elevators.get_mut(elevator).is_some_and(|(_, cabin)| cabin.lift.open(hold));
                if !opens {
                    return Err(format!("the doors of `{}` stay closed while it drives", command.elevator));
                }
            }
            "request_door_close" => {
                let elevator = self.named(&command.elevator)?;
                if let Some((_, cabin)) = self.elevators.get_mut(elevator) {
                    cabin.lift.close();
                }
            }
            other => return Err(format!("there is no service `{other}`")),
        }
        Ok(())
    }

    fn floor(&self, name: &str) -> Result<usize, String> {
        let found = self.settings.floors.iter().position(|floor| floor.name == name);
        found.ok_or_else(|| format!("there is no floor `{name}`"))
    }

    fn named(&self, name: &str) -> Result<usize, String> {
        let found = self.elevators.iter().position(|(elevator, _)| elevator.name == name);
        found.ok_or_else(|| format!("there is no elevator `{name}`"))
    }

    fn hold(&self, elevator: usize) -> f64 {
        let group = self.elevators.get(elevator).map_or(0, |(elevator, _)| elevator.group);
        self.settings.groups.get(group).map_or(0.0, |group| group.hold)
    }

    /// Lets the elevator come that has the least to do, and of several the nearest one.
    fn call(&mut self, from: usize, to: usize) {
        let height = self.settings.floors.get(from).map_or(0.0, |floor| floor.height);
        let cost = |cabin: &Cabin| {
            let busy = cabin.lift.load() + usize::from(cabin.lift.target().is_some());
            (busy, (cabin.height.position - height).abs())
        };
        let indexed = self.elevators.iter().enumerate().map(|(index, (_, cabin))| (index, cost(cabin)));
        let best = indexed.min_by(|(_, a), (_, b)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let Some((elevator, _)) = best else { return };
        let hold = self.hold(elevator);
        if let Some((_, cabin)) = self.elevators.get_mut(elevator) {
            cabin.lift.request(from, hold);
        }
        calls::add(&mut self.calls, Call { from, to, elevator, has_arrived: false });
    }

    /// Moves cabins and doors, and the links that changed.
    fn advance(&mut self, step: &Step) -> Result {
        for (elevator, cabin) in &mut self.elevators {
            let Some(group) = self.settings.groups.get(elevator.group) else { continue };
            let moved = cabin.advance(group, &self.settings.floors, step.width());
            let (up, opening, floor) = (cabin.up(elevator), cabin.opening(group), cabin.lift.floor());
            let moves = |part: &&Part| moved.cabin || (moved.doors && part.is_door());
            for part in elevator.cabin.iter().filter(moves) {
                self.kinematics.move_link(LinkId(part.link), part.pose(up, opening))?;
            }
            for (_, part) in elevator.outside.iter().filter(|(at, _)| moved.doors && *at == floor) {
                self.kinematics.move_link(LinkId(part.link), part.pose(0.0, opening))?;
            }
        }
        let elevators = &self.elevators;
        calls::advance(&mut self.calls, |call| elevators.get(call.elevator).map(|(_, cabin)| &cabin.lift));
        Ok(())
    }

    fn publish(&mut self, step: &Step) -> Result {
        let (mut state, heights) = self.message_and_heights();
        let is_new = self.published.as_ref() != Some(&state);
        if !is_new && self.schedule.due(step).is_none() {
            return Ok(());
        }
        self.published = Some(state.clone());
        state.header = Some(Header::new(step.time_ns, "world"));
        for (elevator, height) in state.elevators.iter_mut().zip(heights) {
            elevator.height = height;
        }
        self.state.publish(step.time_ns, &state)
    }

    /// Returns the state without its header and heights, and the heights.
    fn message_and_heights(&self) -> (ElevatorSystemState, Vec<f64>) {
        let mut state = self.message();
        let heights =
            state.elevators.iter_mut().map(|elevator| std::mem::take(&mut elevator.height)).collect();
        (state, heights)
    }

    fn message(&self) -> ElevatorSystemState {
        let floors = &self.settings.floors;
        let name = |floor: usize| floors.get(floor).map(|floor| floor.name.clone()).unwrap_or_default();
        let elevators = self.elevators.iter().map(|(elevator, cabin)| {
            let height = cabin.height.position;
            ElevatorInfo {
                name: elevator.name.clone(),
                floor: name(nearest_floor(&self.settings, height)),
                height,
                target_floor: cabin.lift.target().map(name).unwrap_or_default(),
                is_door_open: cabin.lift.is_open(),
            }
        });
        ElevatorSystemState {
            header: None,
            system_name: self.settings.system_name.clone(),
            floors: floors
                .iter()
                .map(|floor| ElevatorFloor { name: floor.name.clone(), height: floor.height })
                .collect(),
            elevators: elevators.collect(),
            calls: self
                .calls
                .iter()
                .map(|call| {
                    let elevator =
                        self.elevators.get(call.elevator).map(|(elevator, _)| elevator.name.clone());
                    call.message(name, elevator.unwrap_or_default())
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests;
