//! Topics by name, with their types, publishers and subscribers. Usable from any thread.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use bridgehead_plugin_api::host::{Durability, Reliability};
use bridgehead_plugin_api::rules::{self, NameFault, Resolved, full_name};
use thiserror::Error;

use super::RegisteredType;

/// Quality of service of a topic.
pub type Qos = bridgehead_plugin_api::host::Qos;

/// One topic of a vehicle or of the world.
#[derive(Debug)]
pub struct Topic {
    /// Id of the topic, in order of first use.
    pub id: u32,
    /// Full name.
    pub name: String,
    /// Vehicle it belongs to; empty for the world.
    pub vehicle: String,
    /// Type of its messages.
    pub data_type: Arc<RegisteredType>,
    /// Quality of service requested by its first publisher or subscriber.
    pub qos: Qos,
    /// Number of connected bridges and subscribed plugins, plus one for a latched topic.
    pub listeners: AtomicU32,
    /// Messages dropped because the outbox of their plugin was full.
    pub overflowed: AtomicU64,
    is_published: AtomicBool,
    is_subscribed: AtomicBool,
}

/// What a plugin does with a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Publishes on it.
    Publisher,
    /// Subscribes to it.
    Subscriber,
}

impl Topic {
    /// Returns true if both have the same name and type; their vehicles may differ.
    #[must_use]
    pub fn has_name_of(&self, other: &Topic) -> bool {
        self.name == other.name && self.data_type.id == other.data_type.id
    }

    /// Returns true if a plugin publishes on it.
    #[must_use]
    pub fn is_published(&self) -> bool {
        self.is_published.load(Ordering::Relaxed)
    }

    /// Returns true if a plugin subscribes to it.
    #[must_use]
    pub fn is_subscribed(&self) -> bool {
        self.is_subscribed.load(Ordering::Relaxed)
    }

    /// Returns true if its last message is kept for late listeners.
    #[must_use]
    pub fn is_latched(&self) -> bool {
        self.qos.durability == Durability::Latched
    }

    /// Returns true if its quality of service allows lost messages.
    #[must_use]
    pub fn is_best_effort(&self) -> bool {
        self.qos.reliability == Reliability::BestEffort
    }

    /// Records a role. Returns true if it is the first of its kind.
    fn note(&self, role: Role) -> bool {
        let was = match role {
            Role::Publisher => self.is_published.swap(true, Ordering::Relaxed),
            Role::Subscriber => self.is_subscribed.swap(true, Ordering::Relaxed),
        };
        !was
    }
}

/// Why a topic was not opened.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum BusError {
    /// The name is not a topic name.
    #[error(transparent)]
    Name(#[from] NameFault),
    /// A subscriber asked for another type than the topic has.
    #[error("{}", rules::wrong_type_of_subscriber(.topic, .has, .owner, .wants))]
    Type {
        /// Full name.
        topic: String,
        /// Type of the topic.
        has: String,
        /// Requested type.
        wants: String,
        /// The subscriber.
        owner: String,
    },
}

/// All topics.
#[derive(Debug, Default)]
pub struct Bus {
    topics: RwLock<Topics>,
    generation: AtomicU64,
}

#[derive(Debug, Default)]
struct Topics {
    /// Id of the first topic of the current world.
    first: u32,
    by_id: Vec<Arc<Topic>>,
    /// Ids by vehicle and full name.
    by_name: BTreeMap<(String, String), Arc<Topic>>,
    /// Topics of removed vehicles. If a vehicle of the same name is spawned, its topics get the same ids again.
    withdrawn: BTreeMap<(String, String), Arc<Topic>>,
}

impl Bus {
    /// Returns the topic of that name, created at first use.
    ///
    /// A publisher with another type than the topic gets a topic of its own under a suffixed name, with one warning.
    ///
    /// # Errors
    /// Returns an error if the name is malformed, or if a subscriber requests another type than the topic has.
    pub fn open(
        &self,
        vehicle: &str,
        name: &str,
        data_type: &Arc<RegisteredType>,
        qos: Qos,
        role: Role,
        owner: &str,
    ) -> Result<Arc<Topic>, BusError> {
        let base = full_name(vehicle, name)?;
        let mut topics = self.topics.write().unwrap_or_else(PoisonError::into_inner);
        let named = |name: &str| topics.by_name.get(&(vehicle.to_owned(), name.to_owned()));
        let carried = |name: &str| named(name).map(|topic| topic.data_type.id);
        let resolved = rules::resolve_topic(&base, &data_type.id, role == Role::Publisher, carried);
        let (name, is_known) = match resolved {
            Resolved::Known(name) => (name, true),
            Resolved::New(name) => (name, false),
            Resolved::OtherType(name) => {
                return Err(type_error(name.clone(), named(&name), data_type, owner));
            }
        };
        if let Some(first) = named(&base).filter(|_| name != base) {
            log::warn!(
                "topic `{base}` carries {}; {owner} publishes {} under a suffixed name",
                first.data_type.ros_name(),
                data_type.ros_name()
            );
        }
        if let Some(topic) = named(&name).filter(|_| is_known) {
            // What the host says goes through here each time: bridges are given what is latched anew on a change.
            if topic.note(role) {
                self.generation.fetch_add(1, Ordering::Release);
            }
            return Ok(Arc::clone(topic));
        }
        let topic = topics.add(vehicle, name, data_type, qos);
        topic.note(role);
        self.generation.fetch_add(1, Ordering::Release);
        Ok(topic)
    }

    /// Grows with every change, so that a reader detects changes cheaply.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// All topics, ordered by vehicle and name.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<Topic>> {
        self.topics.read().unwrap_or_else(PoisonError::into_inner).by_name.values().cloned().collect()
    }

    /// Returns the topic with that id.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<Arc<Topic>> {
        let topics = self.topics.read().unwrap_or_else(PoisonError::into_inner);
        topics.by_id.get(usize::try_from(id.checked_sub(topics.first)?).ok()?).cloned()
    }

    /// Removes the topics of a removed vehicle. Returns their ids.
    pub fn withdraw(&self, vehicle: &str) -> Vec<u32> {
        let mut topics = self.topics.write().unwrap_or_else(PoisonError::into_inner);
        let is_gone = |(owner, _): &(String, String)| owner == vehicle;
        let gone: Vec<_> = topics.by_name.keys().filter(|key| is_gone(key)).cloned().collect();
        let mut ids = Vec::with_capacity(gone.len());
        for key in gone {
            let Some(topic) = topics.by_name.remove(&key) else { continue };
            topic.is_published.store(false, Ordering::Relaxed);
            topic.is_subscribed.store(false, Ordering::Relaxed);
            ids.push(topic.id);
            topics.withdrawn.insert(key, topic);
        }
        self.generation.fetch_add(1, Ordering::Release);
        ids
    }

    /// Lets bridges look for new topics and services.
    pub fn touch(&self) {
        self.generation.fetch_add(1, Ordering::Release);
    }

    /// Removes all topics, when the world is unloaded. Their ids are not used again. Returns the next id.
    pub fn clear(&self) -> u32 {
        let mut topics = self.topics.write().unwrap_or_else(PoisonError::into_inner);
        topics.by_name.clear();
        topics.withdrawn.clear();
        topics.first = topics.next_id();
        topics.by_id.clear();
        self.generation.fetch_add(1, Ordering::Release);
        topics.first
    }
}

impl Topics {
    fn next_id(&self) -> u32 {
        self.first.saturating_add(u32::try_from(self.by_id.len()).unwrap_or(u32::MAX))
    }

    fn add(&mut self, vehicle: &str, name: String, data_type: &Arc<RegisteredType>, qos: Qos) -> Arc<Topic> {
        let key = (vehicle.to_owned(), name.clone());
        let again = self.withdrawn.remove(&key);
        if let Some(topic) = again.filter(|topic| topic.data_type.id == data_type.id && topic.qos == qos) {
            self.by_name.insert(key, Arc::clone(&topic));
            return topic;
        }
        let topic = Arc::new(Topic {
            id: self.next_id(),
            name,
            vehicle: vehicle.to_owned(),
            data_type: Arc::clone(data_type),
            qos,
            listeners: AtomicU32::new(u32::from(qos.durability == Durability::Latched)),
            overflowed: AtomicU64::new(0),
            is_published: AtomicBool::new(false),
            is_subscribed: AtomicBool::new(false),
        });
        self.by_id.push(Arc::clone(&topic));
        self.by_name.insert(key, Arc::clone(&topic));
        topic
    }
}

fn type_error(name: String, topic: Option<&Arc<Topic>>, wanted: &RegisteredType, owner: &str) -> BusError {
    BusError::Type {
        topic: name,
        has: topic.map(|topic| topic.data_type.full_name().to_owned()).unwrap_or_default(),
        wants: wanted.full_name().to_owned(),
        owner: owner.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TypeRegistry;
    use bridgehead_plugin_api::messages::{Message, std_msgs};

    fn registered<T: Message>(types: &TypeRegistry) -> Arc<RegisteredType> {
        types.register(T::FULL_NAME, T::DESCRIPTOR_SET, "test").expect("registered")
    }

    #[test]
    fn a_second_type_gets_a_suffixed_topic_and_a_wrong_subscriber_an_error() {
        let types = TypeRegistry::default();
        let (bools, floats) = (registered::<std_msgs::Bool>(&types), registered::<std_msgs::Float64>(&types));
        let bus = Bus::default();
        let first = bus.open("car1", "x", &bools, Qos::default(), Role::Publisher, "a").expect("topic");
        let second = bus.open("car1", "x", &floats, Qos::default(), Role::Publisher, "b").expect("topic");
        assert_eq!((first.name.as_str(), second.name.as_str()), ("/car1/x", "/car1/x_2"));
        let error =
            bus.open("car1", "x", &floats, Qos::default(), Role::Subscriber, "c").expect_err("refused");
        assert!(error.to_string().contains("carries `bridgehead.std_msgs.v1.Bool`"), "{error}");
    }

    #[test]
    fn a_topic_that_is_opened_again_for_the_same_is_no_change() {
        let types = TypeRegistry::default();
        let bools = registered::<std_msgs::Bool>(&types);
        let bus = Bus::default();
        let open = |role| {
            bus.open("", "x", &bools, Qos::default(), role, "a").expect("topic");
            bus.generation()
        };
        let first = open(Role::Publisher);
        assert_eq!(open(Role::Publisher), first);
        let second = open(Role::Subscriber);
        assert!(second > first);
        assert_eq!((open(Role::Subscriber), open(Role::Publisher)), (second, second));
    }

    #[test]
    fn a_number_is_never_used_for_another_topic() {
        let types = TypeRegistry::default();
        let bools = registered::<std_msgs::Bool>(&types);
        let bus = Bus::default();
        let open =
            |name: &str| bus.open("", name, &bools, Qos::default(), Role::Publisher, "a").expect("topic").id;
        assert_eq!((open("a"), open("b"), open("a")), (0, 1, 0));
        assert_eq!(bus.clear(), 2);
        assert!(bus.get(0).is_none() && bus.all().is_empty());
        assert_eq!((open("b"), open("a")), (2, 3));
        assert_eq!(bus.get(3).expect("found").name, "/a");
        assert_eq!((bus.clear(), bus.clear()), (4, 4));
    }

    #[test]
    fn topics_of_a_vehicle_that_went_have_their_numbers_when_it_comes_again() {
        let types = TypeRegistry::default();
        let (bools, floats) = (registered::<std_msgs::Bool>(&types), registered::<std_msgs::Float64>(&types));
        let bus = Bus::default();
        let open = |data_type| {
            bus.open("car1", "x", data_type, Qos::default(), Role::Publisher, "a").expect("topic")
        };
        let first = open(&bools);
        let other = bus.open("car2", "x", &bools, Qos::default(), Role::Publisher, "b").expect("topic");
        let generation = bus.generation();
        assert_eq!(bus.withdraw("car1"), [first.id]);
        assert!(bus.generation() > generation && !first.is_published());
        assert_eq!(bus.all().iter().map(|topic| topic.id).collect::<Vec<_>>(), [other.id]);
        assert_eq!((open(&bools).id, bus.withdraw("car1").len()), (first.id, 1));
        assert!(open(&floats).id > other.id, "another type is another topic");
    }

    #[test]
    fn a_vehicles_absolute_topic_is_its_own() {
        let types = TypeRegistry::default();
        let bools = registered::<std_msgs::Bool>(&types);
        let bus = Bus::default();
        let one = bus.open("car1", "/tf", &bools, Qos::default(), Role::Publisher, "a").expect("topic");
        let two = bus.open("car2", "/tf", &bools, Qos::default(), Role::Publisher, "b").expect("topic");
        assert_ne!(one.id, two.id);
        assert_eq!(one.name, two.name);
    }
}
