//! Conditions on values: `> 5.0`, `== true`, `!= "parked"`. Plain values.

use bridgehead_plugin_api::messages::{FieldKind, FieldValue};
use serde_json::Value;

use super::args::described;
use super::error::TriggerError;

/// Comparisons that must all hold. An empty condition always holds.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Condition {
    tests: Vec<Test>,
}

/// One comparison.
#[derive(Clone, Debug, PartialEq)]
struct Test {
    operator: Operator,
    constant: Constant,
}

#[derive(Clone, Debug, PartialEq)]
enum Constant {
    Bool(bool),
    Number(f64),
    Text(String),
}

/// A field is compared with a constant of another kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the field is {field}, and `{comparison}` compares it with {constant}{}", hint(*.field))]
pub struct KindMismatch {
    field: FieldKind,
    comparison: String,
    constant: FieldKind,
}

fn hint(field: FieldKind) -> &'static str {
    if field == FieldKind::Text { "; put texts in quotes, as in `== \"5\"`" } else { "" }
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    Unequal,
    LessOrEqual,
    GreaterOrEqual,
    Less,
    Greater,
}

impl Operator {
    /// Longer spellings first, so that `<=` is not parsed as `<`.
    const SPELLINGS: [(&'static str, Self); 6] = [
        ("==", Self::Equal),
        ("!=", Self::Unequal),
        ("<=", Self::LessOrEqual),
        (">=", Self::GreaterOrEqual),
        ("<", Self::Less),
        (">", Self::Greater),
    ];

    fn spelling(self) -> &'static str {
        Self::SPELLINGS.iter().find(|(_, operator)| *operator == self).map_or("==", |(text, _)| text)
    }

    fn is_order(self) -> bool {
        !matches!(self, Self::Equal | Self::Unequal)
    }

    fn holds<T: PartialOrd + ?Sized>(self, value: &T, constant: &T) -> bool {
        match self {
            Self::Equal => value == constant,
            Self::Unequal => value != constant,
            Self::LessOrEqual => value <= constant,
            Self::GreaterOrEqual => value >= constant,
            Self::Less => value < constant,
            Self::Greater => value > constant,
        }
    }
}

impl Condition {
    /// Parses a condition: a text such as `"> 5"`, a value for equality, or a list of conditions that must all hold.
    ///
    /// # Errors
    /// Returns an error if it is malformed.
    pub fn read(value: &Value) -> Result<Self, TriggerError> {
        let tests = match value {
            Value::Array(members) if !members.is_empty() => {
                members.iter().map(Test::read).collect::<Result<_, _>>()?
            }
            one => vec![Test::read(one)?],
        };
        Ok(Condition { tests })
    }

    /// Returns true if there are no comparisons.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// Returns true if the condition holds for a value. It never holds for values of another kind.
    #[must_use]
    pub fn holds(&self, value: FieldValue<'_>) -> bool {
        self.tests.iter().all(|test| test.holds(value))
    }

    /// Checks that values of this kind can be compared.
    ///
    /// # Errors
    /// Returns the first comparison with a constant of another kind.
    pub fn check_kind(&self, kind: FieldKind) -> Result<(), KindMismatch> {
        let mismatch = self.tests.iter().find(|test| test.constant.kind() != kind);
        mismatch.map_or(Ok(()), |test| {
            Err(KindMismatch { field: kind, comparison: test.text(), constant: test.constant.kind() })
        })
    }

    /// Returns the notation of the condition.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self.tests.as_slice() {
            [one] => Value::String(one.text()),
            all => all.iter().map(|test| Value::String(test.text())).collect(),
        }
    }
}

impl Test {
    fn read(value: &Value) -> Result<Self, TriggerError> {
        let equal = |constant| Ok(Test { operator: Operator::Equal, constant });
        let refuse = |why| Err(TriggerError::Condition { text: described(value), why });
        match value {
            Value::Bool(flag) => equal(Constant::Bool(*flag)),
            Value::Number(number) => equal(Constant::Number(number.as_f64().unwrap_or(f64::NAN))),
            Value::String(text) => Test::parse(text),
            Value::Null | Value::Array(_) | Value::Object(_) => {
                refuse("write an operator and a constant, such as \"> 5.0\"")
            }
        }
    }

    fn parse(text: &str) -> Result<Self, TriggerError> {
        let refuse = |why| Err(TriggerError::Condition { text: text.to_owned(), why });
        let trimmed = text.trim();
        let spelled = Operator::SPELLINGS
            .iter()
            .find_map(|(spelling, operator)| Some((*operator, trimmed.strip_prefix(spelling)?)));
        let (operator, rest) = spelled.unwrap_or((Operator::Equal, trimmed));
        let rest = rest.trim();
        if rest.is_empty() {
            return refuse("the constant is missing");
        }
        let constant = Constant::parse(rest);
        match &constant {
            Constant::Number(number) if number.is_nan() => refuse("NaN equals nothing"),
            Constant::Bool(_) | Constant::Text(_) if operator.is_order() => {
                refuse("only numbers are smaller or greater; compare texts and flags with `==` or `!=`")
            }
            _ => Ok(Test { operator, constant }),
        }
    }

    fn holds(&self, value: FieldValue<'_>) -> bool {
        match (&self.constant, value) {
            (Constant::Bool(constant), FieldValue::Bool(value)) => self.operator.holds(&value, constant),
            (Constant::Number(constant), FieldValue::Number(value)) => self.operator.holds(&value, constant),
            (Constant::Text(constant), FieldValue::Text(value)) => self.operator.holds(value, constant),
            (Constant::Bool(_) | Constant::Number(_) | Constant::Text(_), _) => false,
        }
    }

    fn text(&self) -> String {
        let operator = self.operator.spelling();
        match &self.constant {
            Constant::Bool(flag) => format!("{operator} {flag}"),
            Constant::Number(number) => format!("{operator} {number}"),
            Constant::Text(text) => format!("{operator} \"{text}\""),
        }
    }
}

impl Constant {
    /// Parses a number, `true`, `false`, a quoted text, or a plain text.
    fn parse(text: &str) -> Self {
        let quoted = ['"', '\''].into_iter().find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote));
        match (quoted, text, text.parse::<f64>()) {
            (Some(inner), _, _) => Constant::Text(inner.to_owned()),
            (None, "true", _) => Constant::Bool(true),
            (None, "false", _) => Constant::Bool(false),
            (None, _, Ok(number)) => Constant::Number(number),
            (None, _, Err(_)) => Constant::Text(text.to_owned()),
        }
    }

    fn kind(&self) -> FieldKind {
        match self {
            Constant::Bool(_) => FieldKind::Bool,
            Constant::Number(_) => FieldKind::Number,
            Constant::Text(_) => FieldKind::Text,
        }
    }
}
