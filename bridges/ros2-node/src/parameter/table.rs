//! The parameters that there are.

use bridgehead_plugin_api::messages::rcl_interfaces::{
    FloatingPointRange, ParameterDescriptor, ParameterValue,
};

/// Types of parameters, as `rcl_interfaces/msg/ParameterType` numbers them.
pub(super) const NOT_SET: u32 = 0;
const BOOL: u32 = 1;
const INTEGER: u32 = 2;
const DOUBLE: u32 = 3;
const TYPES: [&str; 10] = [
    "nothing",
    "a bool",
    "an integer",
    "a double",
    "a string",
    "a byte array",
    "a bool array",
    "an integer array",
    "a double array",
    "a string array",
];

/// The greatest factor that the run takes.
const GREATEST_FACTOR: f64 = 1e6;

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    RealTimeFactor,
    UseSimTime,
}

/// All parameters, by name.
pub(super) const ALL: [Parameter; 2] = [Parameter::RealTimeFactor, Parameter::UseSimTime];

impl Parameter {
    pub(super) fn named(name: &str) -> Option<Self> {
        ALL.into_iter().find(|parameter| parameter.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Parameter::RealTimeFactor => "real_time_factor",
            Parameter::UseSimTime => "use_sim_time",
        }
    }

    pub(super) fn kind(self) -> u32 {
        match self {
            Parameter::RealTimeFactor => DOUBLE,
            Parameter::UseSimTime => BOOL,
        }
    }

    pub(super) fn descriptor(self) -> ParameterDescriptor {
        let descriptor =
            ParameterDescriptor { name: self.name().to_owned(), r#type: self.kind(), ..Default::default() };
        match self {
            Parameter::RealTimeFactor => ParameterDescriptor {
                description: "Requested simulated seconds per second; 0 is unlimited.".to_owned(),
                floating_point_range: vec![FloatingPointRange {
                    from_value: 0.0,
                    to_value: GREATEST_FACTOR,
                    step: 0.0,
                }],
                ..descriptor
            },
            Parameter::UseSimTime => ParameterDescriptor {
                description: "The stamps of all messages are simulated time.".to_owned(),
                read_only: true,
                ..descriptor
            },
        }
    }

    /// Returns its value in a run with this requested real-time factor; not set if that is unknown.
    pub(super) fn value(self, real_time_factor: Option<f64>) -> ParameterValue {
        let value = ParameterValue { r#type: self.kind(), ..Default::default() };
        match (self, real_time_factor) {
            (Parameter::RealTimeFactor, Some(factor)) => ParameterValue { double_value: factor, ..value },
            (Parameter::RealTimeFactor, None) => ParameterValue::default(),
            (Parameter::UseSimTime, _) => ParameterValue { bool_value: true, ..value },
        }
    }
}

/// Returns the real-time factor that a parameter with a new value asks for. An integer counts as a number: `ros2 param set`
/// makes one of `2`.
///
/// # Errors
/// Returns why it cannot be set.
pub(super) fn wanted_factor(name: &str, value: &ParameterValue) -> Result<f64, String> {
    let Some(parameter) = Parameter::named(name) else {
        let known = ALL.map(Parameter::name).join(", ");
        return Err(format!("there is no parameter `{name}`; known are {known}"));
    };
    if parameter == Parameter::UseSimTime {
        return Err(format!("`{name}` is read-only: a simulation has simulated time"));
    }
    #[expect(clippy::cast_precision_loss, reason = "numbers above the greatest factor are refused")]
    let factor = match value.r#type {
        DOUBLE => value.double_value,
        INTEGER => value.integer_value as f64,
        other => {
            let found = usize::try_from(other).ok().and_then(|other| TYPES.get(other));
            let found = found.copied().unwrap_or("a value of an unknown type");
            return Err(format!("`{name}` is a double, found {found}"));
        }
    };
    if (0.0..=GREATEST_FACTOR).contains(&factor) {
        return Ok(factor);
    }
    Err(format!("`{name}` is a number from 0 (unlimited) to {GREATEST_FACTOR}, found {factor}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_checked_before_it_is_set() {
        let double = |value| ParameterValue { r#type: DOUBLE, double_value: value, ..Default::default() };
        let integer = ParameterValue { r#type: INTEGER, integer_value: 2, ..Default::default() };
        assert_eq!(wanted_factor("real_time_factor", &double(0.5)), Ok(0.5));
        assert_eq!(wanted_factor("real_time_factor", &integer), Ok(2.0));
        for (name, value, named) in [
            ("speed", double(1.0), "known are real_time_factor, use_sim_time"),
            ("use_sim_time", double(1.0), "read-only"),
            ("real_time_factor", ParameterValue { r#type: 4, ..Default::default() }, "found a string"),
            ("real_time_factor", ParameterValue { r#type: 99, ..Default::default() }, "an unknown type"),
            ("real_time_factor", double(-1.0), "found -1"),
            ("real_time_factor", double(f64::NAN), "found NaN"),
            ("real_time_factor", double(1e7), "to 1000000"),
        ] {
            let why = wanted_factor(name, &value).expect_err(name);
            assert!(why.contains(named), "{why}");
        }
    }
}
