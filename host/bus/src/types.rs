//! The message types of a run, each registered once, found by protobuf full name or ROS name. Usable from any thread.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use bridgehead_plugin_api::messages::{MessageType, Schema, SchemaError};
use bridgehead_plugin_api::rules::{self, TypePlans};
use thiserror::Error;

/// A message type known to the host.
#[derive(Debug)]
pub struct RegisteredType {
    /// The host's id for it, from 1.
    pub id: u32,
    /// The plugin that registered it first.
    pub owner: String,
    /// Its resolved description.
    pub message: MessageType,
    /// Conversions for plugins, compiled when one asks.
    plans: OnceLock<Arc<TypePlans>>,
    ros_name: String,
}

impl RegisteredType {
    /// Protobuf full name.
    #[must_use]
    pub fn full_name(&self) -> &str {
        self.message.full_name()
    }

    /// ROS name, `sensor_msgs/msg/Imu`.
    #[must_use]
    pub fn ros_name(&self) -> &str {
        &self.ros_name
    }

    /// Its conversions.
    #[must_use]
    pub fn plans(&self) -> Arc<TypePlans> {
        Arc::clone(self.plans.get_or_init(|| Arc::new(TypePlans::new(self.message.clone()))))
    }

    /// The encoded, self-contained descriptor set.
    #[must_use]
    pub fn descriptor_set(&self) -> &[u8] {
        self.message.schema().descriptor_set()
    }
}

/// Why a type was not registered.
#[derive(Debug, Error)]
pub enum TypeError {
    /// The descriptor is malformed or not expressible in ROS.
    #[error("[{}] type `{name}` of {owner} is refused: {}", source.code(), source.detail())]
    Schema {
        /// Protobuf full name.
        name: String,
        /// The plugin that registers it.
        owner: String,
        /// The problem.
        source: Box<SchemaError>,
    },
    /// A type with other fields is registered under the name.
    #[error("{}", rules::type_conflict(.name, .owner, .first))]
    Conflict {
        /// Protobuf full name.
        name: String,
        /// The plugin that registers it.
        owner: String,
        /// The plugin that registered the name.
        first: String,
    },
}

/// All types of a run. A type is never removed, so descriptions stay valid until the process ends.
#[derive(Debug, Default)]
pub struct TypeRegistry {
    inner: RwLock<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    types: Vec<Arc<RegisteredType>>,
    by_name: HashMap<String, Arc<RegisteredType>>,
}

impl TypeRegistry {
    /// Registers a type, or returns the registered one if that is equal, or an older or newer version of it.
    ///
    /// # Errors
    /// Returns an error if the descriptor is invalid, or if another type is registered under the name.
    pub fn register(
        &self,
        full_name: &str,
        descriptor_set: &[u8],
        owner: &str,
    ) -> Result<Arc<RegisteredType>, TypeError> {
        let refused = |source| TypeError::Schema {
            name: full_name.to_owned(),
            owner: owner.to_owned(),
            source: Box::new(source),
        };
        let message =
            Schema::new(descriptor_set.to_vec(), full_name.to_owned()).resolve().map_err(refused)?;
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = inner.by_name.get(full_name) {
            if known.message.is_compatible_with(&message) {
                return Ok(Arc::clone(known));
            }
            return Err(TypeError::Conflict {
                name: full_name.to_owned(),
                owner: owner.to_owned(),
                first: known.owner.clone(),
            });
        }
        let id = u32::try_from(inner.types.len() + 1).unwrap_or(u32::MAX);
        let ros_name = message.ros_type().to_string();
        let entry = Arc::new(RegisteredType {
            id,
            owner: owner.to_owned(),
            message,
            plans: OnceLock::new(),
            ros_name,
        });
        inner.by_name.insert(full_name.to_owned(), Arc::clone(&entry));
        inner.by_name.entry(entry.ros_name.clone()).or_insert_with(|| Arc::clone(&entry));
        inner.types.push(Arc::clone(&entry));
        Ok(entry)
    }

    /// Returns the type with that protobuf full name or ROS name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Arc<RegisteredType>> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner).by_name.get(name).cloned()
    }

    /// Returns all types, in the order of their registration.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<RegisteredType>> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner).types.clone()
    }

    /// Returns the type with that id.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<Arc<RegisteredType>> {
        let index = usize::try_from(id).ok()?.checked_sub(1)?;
        self.inner.read().unwrap_or_else(PoisonError::into_inner).types.get(index).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::messages::{Message, sensor_msgs, std_msgs};

    #[test]
    fn a_type_is_registered_once_and_found_by_both_names() {
        let types = TypeRegistry::default();
        let first = types
            .register(sensor_msgs::Imu::FULL_NAME, sensor_msgs::Imu::DESCRIPTOR_SET, "imu")
            .expect("registered");
        let again = types
            .register(sensor_msgs::Imu::FULL_NAME, sensor_msgs::Imu::DESCRIPTOR_SET, "other")
            .expect("equal");
        assert_eq!(first.id, again.id);
        assert_eq!(types.find("sensor_msgs/msg/Imu").expect("found").id, first.id);
        assert_eq!(types.get(first.id).expect("found").owner, "imu");
    }

    /// A field of a message in the wire form of protobuf: a length and bytes.
    fn part(number: u8, bytes: &[u8]) -> Vec<u8> {
        let len = u8::try_from(bytes.len()).expect("short");
        assert!(len < 128, "one byte of length");
        [&[number << 3 | 2, len], bytes].concat()
    }

    /// The descriptor of `example.v1.Sample` with double fields of these names, numbered from 1.
    fn sample(fields: &[&str]) -> Vec<u8> {
        let mut message = part(1, b"Sample");
        for (number, name) in (1_u8..).zip(fields) {
            // Number, optional, double.
            let field = [part(1, name.as_bytes()), vec![3 << 3, number, 4 << 3, 1, 5 << 3, 1]].concat();
            message.extend(part(2, &field));
        }
        // The option `ros_message`, which has the number 52800.
        let ros_name = b"example_msgs/msg/Sample";
        let len = u8::try_from(ros_name.len()).expect("short");
        message.extend(part(7, &[&[0x82, 0xe4, 0x19, len], &ros_name[..]].concat()));
        let name = [part(1, b"sample.proto"), part(2, b"example.v1")].concat();
        part(1, &[name, part(4, &message), part(12, b"proto3")].concat())
    }

    #[test]
    fn an_older_and_a_newer_copy_of_a_type_are_the_registered_one() {
        let name = "example.v1.Sample";
        for copies in [[&["x"][..], &["x", "y"]], [&["x", "y"], &["x"]]] {
            let types = TypeRegistry::default();
            let [first, second] = copies.map(|fields| types.register(name, &sample(fields), "car1/a"));
            let first = first.expect("registered");
            assert_eq!(second.expect("compatible").id, first.id);
            assert_eq!(first.message.fields().len(), copies[0].len(), "the first copy describes the topic");
            let other = types.register(name, &sample(&["z"]), "car1/b").expect_err("refused");
            assert!(matches!(&other, TypeError::Conflict { owner, .. } if owner == "car1/b"), "{other}");
        }
    }

    #[test]
    fn a_missing_root_is_refused_by_name() {
        let types = TypeRegistry::default();
        let error = types
            .register("org.example.Nothing", std_msgs::Bool::DESCRIPTOR_SET, "car1/x")
            .expect_err("refused");
        assert!(error.to_string().contains("org.example.Nothing"), "{error}");
    }
}
