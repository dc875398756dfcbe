//! Finds the form of a type by reading a value of it from nothing, and taking notes of what it asks for.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::value::{Error, U32Deserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer as _, SeqAccess, VariantAccess,
    Visitor,
};
use serde_json::{Value, json};

/// The named types that were found.
#[derive(Default)]
pub(super) struct Types {
    structs: BTreeMap<&'static str, Value>,
    /// The variants of each enum, with the forms of those that were read.
    enums: BTreeMap<&'static str, Vec<(&'static str, Option<Value>)>>,
    /// The form of what was read last.
    form: Value,
}

impl Types {
    /// Reads values of a type until all variants of it are known.
    pub(super) fn add<'de, T: Deserialize<'de>>(&mut self) {
        loop {
            drop(T::deserialize(&mut *self).expect("a value"));
            let name = self.form.as_str().expect("a named type").to_owned();
            let is_known = self
                .enums
                .get(name.as_str())
                .is_none_or(|found| found.iter().all(|(_, form)| form.is_some()));
            if is_known {
                return;
            }
        }
    }

    /// Returns all types.
    ///
    /// # Panics
    /// Panics if a variant was not read: its enum must be added itself.
    pub(super) fn into_json(self) -> Value {
        let structs = self.structs.into_iter().map(|(name, fields)| (name, json!({ "struct": fields })));
        let enums = self.enums.into_iter().map(|(name, variants)| {
            let variant = |(variant, form): (&str, Option<Value>)| {
                json!([
                    variant,
                    form.unwrap_or_else(|| panic!("`{name}::{variant}` is unknown: add `{name}`"))
                ])
            };
            (name, json!({ "enum": variants.into_iter().map(variant).collect::<Vec<_>>() }))
        });
        let all: BTreeMap<&str, Value> = structs.chain(enums).collect();
        json!(all)
    }

    fn fields<'de, V: Visitor<'de>>(
        &mut self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<(V::Value, Value), Error> {
        let mut found = Vec::new();
        let value = visitor.visit_seq(Fields { types: self, names: names.iter(), found: &mut found })?;
        Ok((value, found.into()))
    }
}

/// A struct that is read.
struct Fields<'t> {
    types: &'t mut Types,
    names: std::slice::Iter<'static, &'static str>,
    found: &'t mut Vec<Value>,
}

impl<'de> SeqAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(name) = self.names.next() else { return Ok(None) };
        let value = seed.deserialize(&mut *self.types)?;
        self.found.push(json!([name, self.types.form.take()]));
        Ok(Some(value))
    }
}

/// A list of one element.
struct One<'t>(Option<&'t mut Types>);

impl<'de> SeqAccess<'de> for One<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.0.take().map(|types| seed.deserialize(types)).transpose()
    }
}

/// A variant that is read.
struct Variant<'t> {
    types: &'t mut Types,
    number: u32,
}

impl<'de, 't> EnumAccess<'de> for Variant<'t> {
    type Error = Error;
    type Variant = &'t mut Types;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self::Variant), Error> {
        let number: U32Deserializer<Error> = self.number.into_deserializer();
        Ok((seed.deserialize(number)?, self.types))
    }
}

impl<'de> VariantAccess<'de> for &mut Types {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        self.form = Value::Null;
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("variants with several values have no form: name the values"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (value, found) = self.fields(fields, visitor)?;
        self.form = json!({ "struct": found });
        Ok(value)
    }
}

/// Methods for types without parts.
macro_rules! simple {
    ($($method:ident => $visit:ident($value:expr), $form:literal;)*) => { $(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.form = $form.into();
            visitor.$visit($value)
        }
    )* };
}

impl<'de> Deserializer<'de> for &mut Types {
    type Error = Error;

    simple! {
        deserialize_bool => visit_bool(false), "bool";
        deserialize_u8 => visit_u8(0), "u8";
        deserialize_u16 => visit_u16(0), "u16";
        deserialize_u32 => visit_u32(0), "u32";
        deserialize_u64 => visit_u64(0), "u64";
        deserialize_i32 => visit_i32(0), "i32";
        deserialize_i64 => visit_i64(0), "i64";
        deserialize_str => visit_borrowed_str(""), "str";
        deserialize_bytes => visit_borrowed_bytes(b""), "bytes";
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = visitor.visit_some(&mut *self)?;
        self.form = json!({ "option": self.form.take() });
        Ok(value)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = visitor.visit_seq(One(Some(&mut *self)))?;
        self.form = json!({ "list": self.form.take() });
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (value, found) = self.fields(fields, visitor)?;
        self.structs.insert(name, found);
        self.form = name.into();
        Ok(value)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let known =
            self.enums.entry(name).or_insert_with(|| variants.iter().map(|name| (*name, None)).collect());
        let place = known.iter().position(|(_, form)| form.is_none()).unwrap_or(0);
        let number = u32::try_from(place).map_err(Error::custom)?;
        let value = visitor.visit_enum(Variant { types: &mut *self, number })?;
        let form = self.form.take();
        if let Some((_, found)) = self.enums.get_mut(name).and_then(|known| known.get_mut(place)) {
            *found = Some(form);
        }
        self.form = name.into();
        Ok(value)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("this kind of value has no form yet: add it here and to `_wire.py`"))
    }

    serde::forward_to_deserialize_any! {
        i8 i16 f32 f64 char string byte_buf unit unit_struct newtype_struct tuple tuple_struct map identifier ignored_any
    }
}
