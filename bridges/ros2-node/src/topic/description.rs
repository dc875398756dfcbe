//! `robot_description`: the URDF of a vehicle, for visualization.

use std::sync::Mutex;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::messages::Schema;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::WorldDescription;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::std_msgs::String as Text;

use super::plan_of;
use crate::lock::lock;
use crate::qos::Qos;
use crate::topic_type::TopicType;
use crate::transport::{Transport, Writer as _};

/// The published description of an instance's vehicle.
pub(crate) struct Description<T: Transport>(Mutex<State<T>>);

struct State<T: Transport> {
    revision: Option<u64>,
    published: Option<Published<T>>,
}

impl<T: Transport> State<T> {
    const NONE: Self = State { revision: None, published: None };
}

impl<T: Transport> Default for Description<T> {
    fn default() -> Self {
        Description(Mutex::new(State::NONE))
    }
}

struct Published<T: Transport> {
    topic: String,
    urdf: String,
    #[expect(dead_code, reason = "late readers get the text from it")]
    writer: T::Writer,
}

impl<T: Transport> Description<T> {
    /// Publishes the URDF of the vehicle if it has changed. A vehicle that was not read from URDF has none.
    pub(crate) fn refresh(&self, host: HostHandle, vehicle: &str, transport: &T) {
        let Ok(description) = host.description() else { return };
        let revision = description.revision();
        let mut state = lock(&self.0);
        if vehicle.is_empty() || state.revision == Some(revision) {
            return;
        }
        let Ok(world) = description.read() else { return };
        state.revision = Some(revision);
        let Some((topic, urdf)) = urdf_of(&world, vehicle) else {
            state.published = None;
            return;
        };
        if state
            .published
            .as_ref()
            .is_some_and(|published| published.topic == topic && published.urdf == urdf)
        {
            return;
        }
        // The previous writer is dropped first: late readers would get both texts.
        state.published = None;
        match publish(&topic, &urdf, transport) {
            Ok(writer) => state.published = Some(Published { topic, urdf, writer }),
            Err(error) => log::warn!("{error}; {topic} is not published"),
        }
    }

    /// Stops publishing.
    pub(crate) fn close(&self) {
        *lock(&self.0) = State::NONE;
    }
}

/// Returns the topic and the text.
fn urdf_of(world: &WorldDescription, vehicle: &str) -> Option<(String, String)> {
    let model = world.models.iter().find(|model| model.name == vehicle && !model.urdf.is_empty())?;
    let namespace = model.namespace.trim_matches('/');
    let below = if namespace.is_empty() { String::new() } else { format!("/{namespace}") };
    Some((format!("{below}/{vehicle}/robot_description"), model.urdf.clone()))
}

fn publish<T: Transport>(topic: &str, urdf: &str, transport: &T) -> Result<T::Writer> {
    let plan = plan_of(&Schema::of::<Text>())?;
    let name = transport.settings().names.resolve(topic);
    let writer = transport.writer(&name, &TopicType::of(plan.message_type()), Qos::LATCHED)?;
    let mut encoded = T::ENCAPSULATION.to_vec();
    let payload = Text { data: urdf.to_owned() }.encode_to_vec();
    plan.encode_body(&payload, &mut encoded)
        .map_err(|error| bridgehead_plugin_api::Error::invalid(error.to_string()))?;
    writer.write(encoded)?;
    Ok(writer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ModelDescription;

    #[test]
    fn the_topic_is_below_the_vehicles_namespace() {
        let model = |name: &str, namespace: &str, urdf: &str| ModelDescription {
            name: name.to_owned(),
            namespace: namespace.to_owned(),
            urdf: urdf.to_owned(),
            ..ModelDescription::default()
        };
        let models =
            vec![model("car1", "", "<robot/>"), model("car2", "/b", "<robot a=''/>"), model("car3", "", "")];
        let world = WorldDescription { models, ..WorldDescription::default() };
        let of = |vehicle| urdf_of(&world, vehicle).map(|(topic, _)| topic);
        assert_eq!(of("car1").as_deref(), Some("/car1/robot_description"));
        assert_eq!(of("car2").as_deref(), Some("/b/car2/robot_description"));
        assert_eq!((of("car3"), of("car4")), (None, None));
    }
}
