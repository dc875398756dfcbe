//! An axis in a step: which of its servos and stops are part of the mass matrix, and which are rows.

use serde::{Deserialize, Serialize};

use super::servo::{Servo, Stop, yields};
use super::{Axis, AxisRow, Motor, Slot, SoftStop};

/// The damping of servos that hold a velocity: motors with a velocity command, and friction, N m s/rad. That of axes that
/// move more than 1 kg m² is higher in proportion.
const RIGID: f64 = 1e10;

/// How often an axis may leave its stop in a step, so that the step ends. It may always take it, so that no limit is exceeded.
const MAX_LEAVES: u8 = 2;

/// An axis that is further beyond its limit is brought back, radians or metres.
const BEYOND: f64 = 1e-6;

/// The servos that have a greatest effort, by slot.
const LIMITED: [Slot; 2] = [Slot::Friction, Slot::Motor];

/// An axis with the state of its servos.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Freedom {
    pub(crate) axis: Axis,
    /// Roughly the inertia along the axis, at least 1 kg m² or kg: what is rigid is so beside it.
    inertia: f64,
    stop: Option<Stop>,
    /// For each slot, true if it is a row: a servo that has reached its greatest effort, or a limit that may be reached.
    rows: [bool; 4],
    /// Impulses of the last step.
    impulses: [f64; 4],
    #[serde(skip)]
    now: Now,
}

/// An axis in a step.
#[derive(Clone, Debug, Default)]
struct Now {
    /// Length of the step, and the position at its beginning.
    step: f64,
    position: f64,
    friction: Servo,
    motor: Servo,
    /// Spring and damper.
    passive: Servo,
    /// The sum of gains, and of gains times goals, of what is part of the mass matrix.
    gain: f64,
    push: f64,
    /// How often the stop was left.
    leaves: u8,
    /// True if a row pulls the axis off its stop: the velocity before that row does not decide about the stop.
    is_pulled_off: bool,
    /// True if nothing but its effort acts along it, and it has no limits.
    is_plain: bool,
}

impl Freedom {
    pub(crate) fn new(axis: Axis) -> Self {
        Self { axis, inertia: 1.0, ..Self::default() }
    }

    /// Notes the inertia along the axis in some position.
    pub(crate) fn set_inertia(&mut self, inertia: f64) {
        self.inertia = inertia.max(1.0);
    }

    /// Forgets the last step.
    pub(crate) fn reset(&mut self) {
        (self.rows, self.impulses, self.stop) = ([false; 4], [0.0; 4], None);
    }

    /// Decides before a step which servos and limits are rows, and whether the stop of the last step still holds. With
    /// `all`, everything is a row.
    pub(crate) fn begin(&mut self, position: f64, velocity: f64, step: f64, all: bool) {
        let Axis { limits: [lower, upper], speed_limit, stiffness, damping, reference, .. } = self.axis;
        self.now = Now { step, position, ..Now::default() };
        self.now.is_plain = self.is_plain();
        if self.now.is_plain {
            self.reset();
            return;
        }
        let most = f64::INFINITY;
        if stiffness != 0.0 || damping != 0.0 {
            self.now.passive = Servo::new([stiffness, damping], [reference - position, 0.0], most, step);
        }
        if self.axis.friction > 0.0 {
            self.now.friction = Servo::new([0.0, RIGID * self.inertia], [0.0; 2], self.axis.friction, step);
        }
        self.now.motor = self.motor(position, step);
        for slot in LIMITED {
            let servo = self.servo(slot);
            // A servo that no longer exerts its most is part of the mass matrix again.
            if self.impulses[slot as usize].abs() < 0.999 * servo.most || servo.gain == 0.0 {
                self.rows[slot as usize] = false;
            }
        }
        self.stop = match self.stop {
            Some(stop) if stop.is_speed => Some(Stop { goal: speed_limit * stop.side, ..stop }),
            Some(stop) if self.axis.stop.is_none() => Some(self.position_stop(stop.side)),
            _ => None,
        };
        self.stop = self.stop.filter(|stop| stop.goal.is_finite() && !all);
        // Of a tree, only soft stops are rows.
        let near = if all { 2.0 * step * velocity.abs() + 1e-4 } else { 0.0 };
        let is_near = position - lower < near || upper - position < near;
        self.rows[Slot::Limit as usize] = is_near && (all || self.axis.stop.is_some());
        self.rows[Slot::Speed as usize] = all && speed_limit < f64::INFINITY;
        self.sum_implicit();
    }

    fn is_plain(&self) -> bool {
        let Axis { limits, speed_limit, friction, damping, stiffness, motor, .. } = &self.axis;
        let is_free =
            limits[0] == f64::NEG_INFINITY && limits[1] == f64::INFINITY && *speed_limit == f64::INFINITY;
        is_free && *friction == 0.0 && *damping == 0.0 && *stiffness == 0.0 && *motor == Motor::Off
    }

    fn motor(&self, position: f64, step: f64) -> Servo {
        match self.axis.motor {
            Motor::Off => Servo::default(),
            Motor::Velocity { target, most } => {
                let speed = target.clamp(-self.axis.speed_limit, self.axis.speed_limit);
                let damping = if most > 0.0 { RIGID * self.inertia } else { 0.0 };
                Servo::new([0.0, damping], [0.0, speed], most, step)
            }
            Motor::Position { target, stiffness, damping, most } => {
                let gains = if most > 0.0 { [stiffness, damping] } else { [0.0; 2] };
                Servo::new(gains, [target - position, 0.0], most, step)
            }
        }
    }

    #[inline]
    fn servo(&self, slot: Slot) -> Servo {
        match slot {
            Slot::Friction => self.now.friction,
            Slot::Motor => self.now.motor,
            Slot::Limit | Slot::Speed => Servo::default(),
        }
    }

    /// Adds up what is part of the mass matrix.
    fn sum_implicit(&mut self) {
        let stop = self.stop.map(|stop| stop.servo(self.inertia * self.now.step)).unwrap_or_default();
        let limited = LIMITED.map(|slot| {
            let servo = self.servo(slot);
            let acts = !self.rows[slot as usize] && !yields(self.stop, &servo);
            if acts { servo } else { Servo::default() }
        });
        (self.now.gain, self.now.push) = (0.0, 0.0);
        for servo in [self.now.passive, stop, limited[0], limited[1]] {
            self.now.gain += servo.gain;
            self.now.push += servo.gain * servo.goal;
        }
    }

    /// The impulse of what is part of the mass matrix at the velocity before the step, and what it adds to the diagonal.
    #[inline]
    pub(crate) fn implicit(&self, velocity: f64) -> (f64, f64) {
        (self.now.push - self.now.gain * velocity, self.now.gain)
    }

    /// Corrects the state of servos and stops for a velocity at the end of the step. Returns true if anything changed.
    #[inline]
    pub(crate) fn correct(&mut self, velocity: f64) -> bool {
        if self.now.is_plain {
            return false;
        }
        let with_rows = velocity + self.impulse_of_rows(velocity) / (self.now.gain + self.inertia);
        let changed = self.limit_servos(with_rows) || self.change_stop(velocity, with_rows);
        if changed {
            self.sum_implicit();
        }
        changed
    }

    /// Makes rows of the servos that exceed their greatest effort. Returns true if any did.
    fn limit_servos(&mut self, velocity: f64) -> bool {
        let mut any = false;
        for slot in LIMITED {
            let servo = self.servo(slot);
            if servo.gain == 0.0 || self.rows[slot as usize] {
                continue;
            }
            let impulse = servo.impulse(velocity);
            if impulse.abs() > servo.most * (1.0 + 1e-9) && !yields(self.stop, &servo) {
                self.rows[slot as usize] = true;
                self.impulses[slot as usize] = servo.most.copysign(impulse);
                any = true;
            }
        }
        any
    }

    /// Takes a stop that the velocity exceeds, or leaves one that it pulls at. Returns true if it did either.
    fn change_stop(&mut self, velocity: f64, with_rows: f64) -> bool {
        let wanted = match self.stop {
            Some(_) if self.now.leaves >= MAX_LEAVES => return false,
            Some(stop) => {
                // What pushes away from the stop would have to be pulled back.
                let servo = stop.servo(self.inertia * self.now.step);
                let pulls_at = |velocity| servo.impulse(velocity) * stop.side > 0.0;
                let pulls = pulls_at(with_rows);
                self.now.is_pulled_off = pulls && !pulls_at(velocity);
                let is_pushed = LIMITED.into_iter().any(|slot| yields(self.stop, &self.servo(slot)));
                self.stop.filter(|_| !pulls || is_pushed)
            }
            None => self.exceeded(velocity).filter(|_| !self.now.is_pulled_off),
        };
        let changes = wanted.is_some() != self.stop.is_some();
        self.stop = wanted;
        self.now.leaves += u8::from(changes && wanted.is_none());
        changes
    }

    /// The impulse that the servos among the rows would exert at a velocity. The solver adds it later, but what is part of
    /// the mass matrix has to withstand it.
    fn impulse_of_rows(&self, velocity: f64) -> f64 {
        let rows = LIMITED.into_iter().filter(|&slot| self.rows[slot as usize]);
        rows.map(|slot| {
            let servo = self.servo(slot);
            servo.impulse(velocity).clamp(-servo.most, servo.most)
        })
        .sum()
    }

    /// The stop that a velocity at the end of the step exceeds.
    #[inline]
    fn exceeded(&self, velocity: f64) -> Option<Stop> {
        let Axis { limits: [lower, upper], speed_limit, .. } = self.axis;
        if velocity.abs() > speed_limit * (1.0 + 1e-9) {
            let side = velocity.signum();
            return Some(Stop { is_speed: true, side, goal: speed_limit * side });
        }
        let next = self.now.position + self.now.step * velocity;
        let side = if next < lower - 1e-12 {
            -1.0
        } else if next > upper + 1e-12 {
            1.0
        } else {
            return None;
        };
        self.axis.stop.is_none().then(|| self.position_stop(side))
    }

    /// The stop at a limit of the position.
    fn position_stop(&self, side: f64) -> Stop {
        let [lower, upper] = self.axis.limits;
        let gap = if side > 0.0 { upper - self.now.position } else { self.now.position - lower };
        Stop { is_speed: false, side, goal: gap.max(0.0) / self.now.step * side }
    }

    /// The way by which an axis that is beyond a rigid limit returns in a step.
    #[inline]
    pub(crate) fn way_back(&self, position: f64, h: f64) -> Option<f64> {
        let Axis { limits: [lower, upper], return_speed, stop, .. } = self.axis;
        if position >= lower - BEYOND && position <= upper + BEYOND {
            return None;
        }
        let beyond = (lower - position).max(0.0) + (upper - position).min(0.0);
        let most = return_speed * h;
        (stop.is_none() && lower <= upper).then(|| beyond.clamp(-most, most))
    }

    /// True if any slot needs a row.
    #[inline]
    pub(crate) fn has_rows(&self) -> bool {
        self.rows != [false; 4]
    }

    /// Calls `take` with the rows of a step. With `all`, servos that are not at their greatest effort are rows too.
    pub(crate) fn for_each_row(&self, all: bool, mut take: impl FnMut(AxisRow)) {
        if all && self.now.passive.gain > 0.0 {
            take(self.now.passive.row(None, 0.0));
        }
        for slot in LIMITED {
            let servo = self.servo(slot);
            if servo.gain > 0.0 && (all || self.rows[slot as usize]) {
                take(servo.row(Some(slot), self.impulses[slot as usize]));
            }
        }
        if self.rows[Slot::Limit as usize] {
            self.for_each_limit(&mut take);
        }
        if self.rows[Slot::Speed as usize] {
            let most = self.axis.speed_limit;
            let (slot, impulse) = (Some(Slot::Speed), self.impulses[Slot::Speed as usize]);
            take(AxisRow { slot, bias: [0.0; 2], softness: 0.0, range: [-most, most], impulse });
        }
    }

    fn for_each_limit(&self, take: &mut impl FnMut(AxisRow)) {
        let Axis { limits: [lower, upper], stop, return_speed, .. } = self.axis;
        let (position, h, impulse) = (self.now.position, self.now.step, self.impulses[Slot::Limit as usize]);
        let sides = [(position - lower, 1.0), (upper - position, -1.0)];
        for (gap, sign) in sides.into_iter().filter(|(gap, _)| gap.is_finite()) {
            let range = if sign > 0.0 { [0.0, f64::INFINITY] } else { [f64::NEG_INFINITY, 0.0] };
            let warm = if impulse * sign > 0.0 { impulse } else { 0.0 };
            let slot = Some(Slot::Limit);
            match stop {
                Some(SoftStop { stiffness, dissipation }) => {
                    let servo = Servo::new([stiffness, dissipation], [-gap * sign, 0.0], f64::INFINITY, h);
                    if gap <= 0.0 && servo.gain > 0.0 {
                        take(AxisRow { range, ..servo.row(slot, warm) });
                    }
                }
                None => {
                    // Until the limit: no faster than to reach it. Beyond: back, and in the second pass only no further.
                    let apart = gap.max(0.0) / h;
                    let back = (0.2 * gap.min(0.0) / h).max(-return_speed);
                    let bias = [(apart + back) * sign, apart * sign];
                    take(AxisRow { slot, bias, softness: 0.0, range, impulse: warm });
                }
            }
        }
    }

    /// Begins to keep the impulses of a step: those of servos that were part of the mass matrix, given the velocity at its
    /// end.
    pub(crate) fn keep_implicit(&mut self, velocity: f64) {
        if self.now.is_plain {
            return;
        }
        self.impulses = [0.0; 4];
        for slot in LIMITED {
            let servo = self.servo(slot);
            if !self.rows[slot as usize] && !yields(self.stop, &servo) {
                self.impulses[slot as usize] = servo.impulse(velocity);
            }
        }
    }

    /// Keeps the impulse of a row.
    pub(crate) fn keep(&mut self, slot: Slot, impulse: f64) {
        self.impulses[slot as usize] += impulse;
    }

    /// Begins to keep the impulses of a step of which everything was a row.
    pub(crate) fn clear(&mut self) {
        self.impulses = [0.0; 4];
    }

    /// The impulse of the motor in the last step.
    pub(crate) fn motor_impulse(&self) -> f64 {
        self.impulses[Slot::Motor as usize]
    }
}
