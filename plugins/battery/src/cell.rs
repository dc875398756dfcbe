//! The electrical model: charge, an open-circuit voltage that falls with it in a straight line, an inner resistance,
//! and a current that follows the load with a delay. Pure; any thread.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::messages::sensor_msgs::BatteryState;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::state::{StateReader, StateWriter};

use crate::settings::Settings;

/// Seconds in an hour: charge is counted in ampere hours.
const HOUR: f64 = 3600.0;

/// Share of the voltage that is left in the end where it drops by itself; CLOiSim's batteries have the same.
const LEAST: f64 = 0.1;

/// One battery.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// Open-circuit voltage when full, V.
    constant: f64,
    /// Its change from full to empty, V.
    linear: f64,
    /// Ohm.
    resistance: f64,
    /// Time constant of the current, s; 0 for none.
    tau: f64,
    /// A h.
    capacity: f64,
    /// A h left.
    charge: f64,
    /// A, positive out of the battery.
    current: f64,
    /// V at the terminals.
    voltage: f64,
    /// V that are lost in a second, where the voltage drops by itself and there is no charge.
    drop: Option<f64>,
}

impl Cell {
    pub(crate) fn new(settings: &Settings) -> Self {
        Cell {
            constant: settings.open_circuit_constant,
            linear: settings.open_circuit_linear,
            resistance: settings.resistance,
            tau: settings.current_tau,
            capacity: settings.capacity,
            charge: settings.initial_charge,
            current: 0.0,
            voltage: settings.voltage,
            drop: settings.voltage_drop,
        }
    }

    /// Lets the voltage drop for `seconds`, where it does by itself.
    pub(crate) fn fade(&mut self, seconds: f64) {
        let drop = self.drop.unwrap_or(0.0);
        self.voltage = (self.voltage - drop * seconds).max(LEAST * self.constant);
    }

    /// Whether the voltage drops by itself.
    pub(crate) fn fades(&self) -> bool {
        self.drop.is_some()
    }

    /// Advances by `seconds` under a load in watts; `charging` is the current put in, A.
    pub(crate) fn advance(&mut self, seconds: f64, load: f64, charging: Option<f64>) {
        let drawn = if self.is_empty() || self.voltage <= 0.0 { 0.0 } else { load / self.voltage };
        let follow = if self.tau > 0.0 { (seconds / self.tau).min(1.0) } else { 1.0 };
        self.current += follow * (drawn - self.current);
        let net = self.current - charging.unwrap_or(0.0);
        self.charge = (self.charge - net * seconds / HOUR).clamp(0.0, self.capacity);
        self.voltage = self.constant + self.linear * (1.0 - self.fraction()) - self.resistance * self.current;
    }

    pub(crate) fn save(&self, state: &mut StateWriter) -> Result {
        state.put(&(self.charge, self.current, self.voltage))
    }

    pub(crate) fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.charge, self.current, self.voltage) = state.take()?;
        Ok(())
    }

    /// V at the terminals.
    pub(crate) fn voltage(&self) -> f64 {
        self.voltage
    }

    /// A h left.
    pub(crate) fn charge(&self) -> f64 {
        self.charge
    }

    /// Charge over capacity, or how far the voltage is from its least.
    pub(crate) fn fraction(&self) -> f64 {
        if self.fades() {
            let least = LEAST * self.constant;
            return (self.voltage - least) / (self.constant - least);
        }
        self.charge / self.capacity
    }

    /// Whether nothing is left; something always is where the voltage drops by itself.
    pub(crate) fn is_empty(&self) -> bool {
        !self.fades() && self.charge <= 0.0
    }

    pub(crate) fn message(&self, is_charging: bool, header: Header) -> BatteryState {
        let is_drained = self.current > 0.0 || self.drop.is_some_and(|drop| drop > 0.0);
        // The message has NaN where something is not known.
        let known = |value: f64| if self.fades() { f32::NAN } else { single(value) };
        let status = match (is_charging, is_drained, self.charge >= self.capacity) {
            (true, _, true) => BatteryState::POWER_SUPPLY_STATUS_FULL,
            (true, _, false) => BatteryState::POWER_SUPPLY_STATUS_CHARGING,
            (false, true, _) => BatteryState::POWER_SUPPLY_STATUS_DISCHARGING,
            (false, false, _) => BatteryState::POWER_SUPPLY_STATUS_NOT_CHARGING,
        };
        BatteryState {
            header: Some(header),
            voltage: single(self.voltage),
            temperature: f32::NAN,
            // sensor_msgs/BatteryState: negative while it is discharged.
            current: known(-self.current),
            charge: known(self.charge),
            capacity: known(self.capacity),
            design_capacity: known(self.capacity),
            percentage: single(self.fraction()),
            power_supply_status: status,
            power_supply_health: BatteryState::POWER_SUPPLY_HEALTH_GOOD,
            power_supply_technology: BatteryState::POWER_SUPPLY_TECHNOLOGY_LION,
            present: true,
            ..BatteryState::default()
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the message has single precision")]
fn single(value: f64) -> f32 {
    value as f32
}
