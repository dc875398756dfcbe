//! What an elevator does next: the core of both kinds of elevators.
//!
//! [`Lift`] decides, from requests and from what it senses, and knows neither links nor joints. Pure.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// Position of the doors at the floor of the cabin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doors {
    Closed,
    Between,
    Open,
}

/// What an elevator senses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sensed {
    /// The floor at which the cabin stands; `None` between floors.
    pub(crate) floor: Option<usize>,
    pub(crate) doors: Doors,
}

/// What its drives have to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Stand with closed doors.
    Stand,
    /// Drive to a floor.
    Drive(usize),
    /// Open the doors, or keep them open.
    Open,
    /// Close the doors.
    Close,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Phase {
    Standing,
    Driving,
    Opening,
    /// Seconds until the doors close.
    Open(f64),
    Closing,
}

/// An elevator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Lift {
    phase: Phase,
    /// Floors to stop at, in the order of the requests.
    stops: VecDeque<usize>,
    /// The floor that it is at, or drives to.
    floor: usize,
}

impl Lift {
    /// Returns an elevator that stands at a floor with closed doors.
    pub(crate) fn at(floor: usize) -> Self {
        Lift { phase: Phase::Standing, stops: VecDeque::new(), floor }
    }

    /// Returns an elevator between floors that drives to one.
    pub(crate) fn bound_for(floor: usize) -> Self {
        Lift { phase: Phase::Driving, stops: VecDeque::from([floor]), floor }
    }

    /// Position of doors that follow at once.
    pub(crate) fn doors_as_ordered(&self) -> Doors {
        match self.phase {
            Phase::Standing | Phase::Driving | Phase::Closing => Doors::Closed,
            Phase::Opening | Phase::Open(_) => Doors::Open,
        }
    }

    /// Requests a stop at a floor. If it is there with moving or open doors, they open and stay open as long as after an
    /// arrival.
    pub(crate) fn request(&mut self, floor: usize, hold: f64) {
        if floor == self.floor && self.open(hold) {
            return;
        }
        if !self.stops.contains(&floor) {
            self.stops.push_back(floor);
        }
    }

    /// Requests a stop as Gazebo's elevator does: between two stops if it is on the way, where `present` is the floor now.
    /// The floor that it drives to stays.
    pub(crate) fn request_on_the_way(&mut self, floor: usize, present: usize, hold: f64) {
        if (floor == self.floor && self.open(hold)) || self.stops.contains(&floor) {
            return;
        }
        let first = usize::from(self.phase == Phase::Driving);
        let mut before = if first > 0 { self.floor } else { present };
        let mut place = self.stops.len();
        for (at, stop) in self.stops.iter().copied().enumerate().skip(first) {
            if (before.min(stop)..before.max(stop)).contains(&floor) {
                place = at;
                break;
            }
            before = stop;
        }
        self.stops.insert(place, floor);
    }

    /// Opens the doors, or restarts the time that they stay open. Returns false between floors.
    pub(crate) fn open(&mut self, hold: f64) -> bool {
        self.phase = match self.phase {
            Phase::Driving => return false,
            Phase::Standing | Phase::Opening | Phase::Closing => Phase::Opening,
            Phase::Open(_) => Phase::Open(hold),
        };
        true
    }

    /// Closes the doors at once.
    pub(crate) fn close(&mut self) {
        if matches!(self.phase, Phase::Opening | Phase::Open(_)) {
            self.phase = Phase::Closing;
        }
    }

    /// Decides for a step of `width` seconds. Doors stay open for `hold` seconds.
    pub(crate) fn advance(&mut self, sensed: Sensed, hold: f64, width: f64) -> Order {
        self.phase = match self.phase {
            Phase::Standing => self.depart(sensed),
            Phase::Driving if sensed.floor == Some(self.floor) => self.arrive(),
            Phase::Opening if sensed.doors == Doors::Open => Phase::Open(hold),
            Phase::Open(left) if left > width => Phase::Open(left - width),
            Phase::Open(_) => Phase::Closing,
            Phase::Closing if sensed.doors == Doors::Closed => Phase::Standing,
            Phase::Driving | Phase::Opening | Phase::Closing => self.phase,
        };
        match self.phase {
            Phase::Standing => Order::Stand,
            Phase::Driving => Order::Drive(self.floor),
            Phase::Opening | Phase::Open(_) => Order::Open,
            Phase::Closing => Order::Close,
        }
    }

    fn depart(&mut self, sensed: Sensed) -> Phase {
        let Some(next) = self.stops.front().copied() else { return Phase::Standing };
        self.floor = next;
        if sensed.floor == Some(next) { self.arrive() } else { Phase::Driving }
    }

    fn arrive(&mut self) -> Phase {
        self.stops.pop_front();
        Phase::Opening
    }

    /// The floor that it is at, or drives to.
    pub(crate) fn floor(&self) -> usize {
        self.floor
    }

    /// The floor that it drives to.
    pub(crate) fn target(&self) -> Option<usize> {
        (self.phase == Phase::Driving).then_some(self.floor)
    }

    /// Number of stops ahead.
    pub(crate) fn load(&self) -> usize {
        self.stops.len()
    }

    /// Restarts the time that open doors stay open, if something is in their way.
    pub(crate) fn hold_open(&mut self, hold: f64) {
        if self.is_open() {
            self.phase = Phase::Open(hold);
        }
    }

    /// Returns true if the doors are completely open.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Open(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOSED: Sensed = Sensed { floor: Some(0), doors: Doors::Closed };

    fn at(floor: usize, doors: Doors) -> Sensed {
        Sensed { floor: Some(floor), doors }
    }

    #[test]
    fn it_drives_opens_waits_and_closes() {
        let mut lift = Lift::at(0);
        assert_eq!(lift.advance(CLOSED, 2.0, 1.0), Order::Stand);
        lift.request(3, 2.0);
        assert_eq!(lift.advance(CLOSED, 2.0, 1.0), Order::Drive(3));
        let between = Sensed { floor: None, doors: Doors::Closed };
        assert_eq!(lift.advance(between, 2.0, 1.0), Order::Drive(3));
        assert!(!lift.open(2.0), "doors stay closed between floors");
        // A floor on the way is none of its stops.
        assert_eq!(lift.advance(at(2, Doors::Closed), 2.0, 1.0), Order::Drive(3));
        assert_eq!((lift.target(), lift.load()), (Some(3), 1));
        assert_eq!(lift.advance(at(3, Doors::Closed), 2.0, 1.0), Order::Open);
        assert_eq!((lift.target(), lift.load(), lift.is_open()), (None, 0, false));
        let open = at(3, Doors::Open);
        assert_eq!(lift.advance(open, 2.0, 1.0), Order::Open);
        assert!(lift.is_open());
        assert_eq!(lift.advance(open, 2.0, 1.0), Order::Open);
        assert_eq!(lift.advance(open, 2.0, 1.0), Order::Close);
        assert_eq!(lift.advance(at(3, Doors::Between), 2.0, 1.0), Order::Close);
        assert_eq!(lift.advance(at(3, Doors::Closed), 2.0, 1.0), Order::Stand);
    }

    #[test]
    fn requests_are_served_in_their_order_and_once() {
        let mut lift = Lift::at(0);
        [2, 1, 2].into_iter().for_each(|floor| lift.request(floor, 0.0));
        assert_eq!(lift.load(), 2);
        assert_eq!(lift.advance(CLOSED, 0.0, 1.0), Order::Drive(2));
        assert_eq!(lift.advance(at(2, Doors::Closed), 0.0, 1.0), Order::Open);
        assert_eq!(lift.advance(at(2, Doors::Open), 0.0, 1.0), Order::Open);
        assert_eq!(lift.advance(at(2, Doors::Open), 0.0, 1.0), Order::Close);
        assert_eq!(lift.advance(at(2, Doors::Closed), 0.0, 1.0), Order::Stand);
        assert_eq!(lift.advance(at(2, Doors::Closed), 0.0, 1.0), Order::Drive(1));
    }

    #[test]
    fn a_request_on_the_way_comes_before_the_stop_beyond_it() {
        let stops = |lift: &Lift| lift.stops.iter().copied().collect::<Vec<_>>();
        let mut lift = Lift::at(0);
        [5, 2, 7, 2].into_iter().for_each(|floor| lift.request_on_the_way(floor, 0, 1.0));
        assert_eq!(stops(&lift), [2, 5, 7]);
        assert_eq!(lift.advance(CLOSED, 1.0, 1.0), Order::Drive(2));
        // It drives to the second floor, and stops at the first one later.
        lift.request_on_the_way(1, 0, 1.0);
        lift.request_on_the_way(6, 0, 1.0);
        assert_eq!((stops(&lift), lift.target()), (vec![2, 5, 6, 7, 1], Some(2)));
    }

    #[test]
    fn a_request_at_its_floor_opens_the_doors_and_keeps_them_open() {
        let mut lift = Lift::at(1);
        lift.request(1, 3.0);
        assert_eq!(lift.advance(at(1, Doors::Closed), 3.0, 1.0), Order::Open);
        assert_eq!(lift.advance(at(1, Doors::Open), 3.0, 1.0), Order::Open);
        assert_eq!(lift.advance(at(1, Doors::Open), 3.0, 1.0), Order::Open);
        lift.request(1, 3.0);
        for _ in 0..2 {
            assert_eq!(lift.advance(at(1, Doors::Open), 3.0, 1.0), Order::Open);
        }
        lift.close();
        assert_eq!(lift.advance(at(1, Doors::Open), 3.0, 1.0), Order::Close);
        assert!(lift.open(3.0));
        assert_eq!(lift.advance(at(1, Doors::Between), 3.0, 1.0), Order::Open);
    }
}
