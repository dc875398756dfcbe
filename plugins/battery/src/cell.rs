//! The electrical model: charge, an open-circuit voltage that falls linearly with it, an internal resistance, and a
//! current that follows the load with a delay. Pure; any thread.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::messages::sensor_msgs::BatteryState;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::state::{StateReader, StateWriter};

use crate::settings::Settings;

/// Seconds per hour: charge is in ampere hours.
const HOUR: f64 = 3600.0;

/// Fraction of the voltage that remains at the end of a voltage drop, as in CLOiSim's batteries.
const MIN: f64 = 0.1;

/// One battery.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// Open-circuit voltage when full, V.
    constant: f64,
    /// Change of the open-circuit voltage from full to empty, V.
    linear: f64,
    /// Internal resistance, ohm.
    resistance: f64,
    /// Time constant of the current, s; 0 for no delay.
    tau: f64,
    /// Capacity, A h.
    capacity: f64,
    /// Remaining charge, A h.
    charge: f64,
    /// Current, A, positive for discharge.
    current: f64,
    /// Terminal voltage, V.
    voltage: f64,
    /// Voltage drop per second, V, if the voltage falls by itself instead of with a charge.
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

    /// Reduces the voltage for `seconds` if it falls by itself.
    pub(crate) fn fade(&mut self, seconds: f64) {
        let drop = self.drop.unwrap_or(0.0);
        self.voltage = (self.voltage - drop * seconds).max(MIN * self.constant);
    }

    /// Returns true if the voltage falls by itself.
    pub(crate) fn fades(&self) -> bool {
        self.drop.is_some()
    }

    /// Advances by `seconds` under a load in watts; `charging` is the charging current, A.
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

    /// Returns the terminal voltage, V.
    pub(crate) fn voltage(&self) -> f64 {
        self.voltage
    }

    /// Returns the remaining charge, A h.
    pub(crate) fn charge(&self) -> f64 {
        self.charge
    }

    /// Returns charge over capacity, or how far the voltage is above its minimum.
    pub(crate) fn fraction(&self) -> f64 {
        if self.fades() {
            let least = MIN * self.constant;
            return (self.voltage - least) / (self.constant - least);
        }
        self.charge / self.capacity
    }

    /// Returns true if no charge is left; never true if the voltage falls by itself.
    pub(crate) fn is_empty(&self) -> bool {
        !self.fades() && self.charge <= 0.0
    }

    pub(crate) fn message(&self, is_charging: bool, header: Header) -> BatteryState {
        let is_drained = self.current > 0.0 || self.drop.is_some_and(|drop| drop > 0.0);
        // Unknown values are NaN in the message.
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
            // sensor_msgs/BatteryState: negative while discharging.
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
