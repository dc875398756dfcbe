//! The plugin element, with the names of Gazebo's linear battery. Read once in `awake`.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{Params, SAVED};

/// States per second without an `<update_rate>`.
const RATE: f64 = 10.0;

/// When discharging starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DischargeStart {
    /// From the start.
    AtOnce,
    /// With a message.
    OnCommand,
    /// When a joint of the vehicle moves.
    OnMotion,
}

/// The parameters.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) name: String,
    /// V at the start.
    pub(crate) voltage: f64,
    /// V.
    pub(crate) open_circuit_constant: f64,
    /// V.
    pub(crate) open_circuit_linear: f64,
    /// A h.
    pub(crate) initial_charge: f64,
    /// A h.
    pub(crate) capacity: f64,
    /// Ohm.
    pub(crate) resistance: f64,
    /// s.
    pub(crate) current_tau: f64,
    /// W.
    pub(crate) load: f64,
    pub(crate) discharge_start: DischargeStart,
    /// Charging current, A; `None` if it cannot be charged.
    pub(crate) charging: Option<f64>,
    pub(crate) recharges_by_topic: bool,
    pub(crate) start_topics: Vec<String>,
    pub(crate) stop_topics: Vec<String>,
    pub(crate) rate: f64,
    /// Topic of the states.
    pub(crate) topic: String,
    /// Voltage drop per second, V, independent of the load; `None` if the load decides.
    pub(crate) voltage_drop: Option<f64>,
}

impl Settings {
    pub(crate) fn read(params: Params) -> Result<Self> {
        let full = above_zero(params, "voltage", params.require("voltage")?)?;
        let voltage = initial_voltage(params, full)?;
        let capacity = above_zero(params, "capacity", params.get_or("capacity", 1.0)?)?;
        // Without this flag Gazebo's plugin counts each second a hundredfold; here seconds are seconds.
        let _: Option<bool> = params.get("fix_issue_225")?;
        let name = params.get_or("battery_name", "battery".to_owned())?;
        Ok(Settings {
            topic: params.get_or("topic", format!("battery/{name}/state"))?,
            voltage_drop: voltage_drop(params)?,
            name,
            voltage,
            open_circuit_constant: params.get_or("open_circuit_voltage_constant_coef", full)?,
            open_circuit_linear: params.get_or("open_circuit_voltage_linear_coef", 0.0)?,
            initial_charge: initial_charge(params, capacity)?,
            capacity,
            resistance: not_negative(params, "resistance", 0.0)?,
            current_tau: not_negative(params, "smooth_current_tau", 1.0)?,
            load: load(params)?,
            discharge_start: discharge_start(params)?,
            charging: charging(params, capacity)?,
            recharges_by_topic: params.get_or("recharge_by_topic", false)?,
            start_topics: texts(params, "power_draining_topic")?,
            stop_topics: texts(params, "stop_power_draining_topic")?,
            rate: not_negative(params, "update_rate", RATE)?,
        })
    }
}

/// The alternative discharge model, which has neither charge nor load.
fn voltage_drop(params: Params) -> Result<Option<f64>> {
    const PATH: &str = "voltage_drop";
    const CHARGE: [&str; 5] = ["capacity", "initial_charge", "power_load", "enable_recharge", "resistance"];
    let Some(volts) = params.get::<f64>(PATH)? else { return Ok(None) };
    if let Some(other) = CHARGE.into_iter().find(|path| params.count(path) > 0) {
        let expected = format!("not to be combined with <{other}>: a voltage drop has no charge");
        return Err(params.refuse(PATH, &volts.to_string(), expected));
    }
    // CLOiSim uses the absolute value.
    let volts = volts.abs();
    if volts.is_finite() { Ok(Some(volts)) } else { Err(params.refuse(PATH, "inf", "a number of volts")) }
}

fn discharge_start(params: Params) -> Result<DischargeStart> {
    let at_once: Option<bool> = params.get("start_draining")?;
    let on_motion = params.get_or("start_on_motion", true)?;
    Ok(match (at_once, on_motion) {
        (Some(true), _) | (None, false) => DischargeStart::AtOnce,
        (None, true) if params.count("voltage_drop") > 0 && params.count("start_on_motion") == 0 => {
            DischargeStart::AtOnce
        }
        (_, true) => DischargeStart::OnMotion,
        (Some(false), false) => DischargeStart::OnCommand,
    })
}

/// Returns the full charge, or the charge at the time the world was saved.
fn initial_voltage(params: Params, full: f64) -> Result<f64> {
    let path = format!("{SAVED}/voltage");
    let voltage = above_zero(params, &path, params.get_or(&path, full)?)?;
    if voltage <= full {
        return Ok(voltage);
    }
    Err(params.refuse(&path, &voltage.to_string(), format!("at most <voltage>, {full}")))
}

fn initial_charge(params: Params, capacity: f64) -> Result<f64> {
    let given = not_negative(params, "initial_charge", capacity)?;
    // The charge at the time the world was saved.
    let saved = format!("{SAVED}/charge");
    let path = if params.count(&saved) > 0 { saved.as_str() } else { "initial_charge" };
    let charge = not_negative(params, path, given)?;
    if charge <= capacity {
        return Ok(charge);
    }
    Err(params.refuse(path, &charge.to_string(), format!("at most <capacity>, {capacity}")))
}

/// Returns the power of the consumer; of several elements the last one applies.
fn load(params: Params) -> Result<f64> {
    let last = params.count("power_load").saturating_sub(1);
    not_negative(params, &format!("power_load[{last}]"), 0.0)
}

/// Returns the current that fills the battery in `<charging_time>` hours.
fn charging(params: Params, capacity: f64) -> Result<Option<f64>> {
    let can = params.get_or("enable_recharge", false)?;
    let hours: Option<f64> = params.get("charging_time")?;
    // Gazebo reads this parameter without using it.
    let _: Option<f64> = params.get("soc_threshold")?;
    if !can {
        return Ok(None);
    }
    Ok(Some(capacity / above_zero(params, "charging_time", hours.unwrap_or(1.0))?))
}

fn texts(params: Params, path: &str) -> Result<Vec<String>> {
    (0..params.count(path)).map(|index| params.require(&format!("{path}[{index}]"))).collect()
}

fn not_negative(params: Params, path: &str, default: f64) -> Result<f64> {
    let value = params.get_or(path, default)?;
    let is_right = value >= 0.0 && value.is_finite();
    if is_right { Ok(value) } else { Err(params.refuse(path, &value.to_string(), "0 or more")) }
}

fn above_zero(params: Params, path: &str, value: f64) -> Result<f64> {
    let is_right = value > 0.0 && value.is_finite();
    if is_right { Ok(value) } else { Err(params.refuse(path, &value.to_string(), "a number above 0")) }
}
