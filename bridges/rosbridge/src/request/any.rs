//! Checks JSON without keeping it.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// Any value that can be read as JSON. Unlike serde's `IgnoredAny`, it refuses numbers that are out of range, since others
/// may not be able to read them.
pub(crate) struct AnyJson;

impl<'de> Deserialize<'de> for AnyJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyJson)
    }
}

impl<'de> Visitor<'de> for AnyJson {
    type Value = AnyJson;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<AnyJson, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<AnyJson, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<AnyJson, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<AnyJson, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<AnyJson, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<AnyJson, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<AnyJson, A::Error> {
        while elements.next_element::<AnyJson>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<AnyJson, A::Error> {
        while members.next_entry::<AnyJson, AnyJson>()?.is_some() {}
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_accepted_and_everything_else_refused() {
        let is_json = |text: &str| serde_json::from_str::<AnyJson>(text).is_ok();
        for text in ["null", "true", "-1", "18446744073709551615", "1e308", "\"a\\n\"", "[{\"a\":[1,{}]}]"] {
            assert!(is_json(text), "{text}");
        }
        for text in ["", "1e999", "{a:1}", "[1,]", "\"\\x\"", "{} {}", &"[".repeat(1000)] {
            assert!(!is_json(text), "{text}");
        }
    }
}
