//! `robot_description`: the URDF of a vehicle, for visualization.

use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::messages::Schema;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::WorldDescription;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::std_msgs::String as Text;

use super::session::Session;
use super::{dds_type, plan_of};
use crate::dds::{Qos, WriteOptions, Writer};
use crate::lock::lock;

/// The published description of an instance's vehicle.
#[derive(Default)]
pub(crate) struct Description(Mutex<State>);

#[derive(Default)]
struct State {
    revision: Option<u64>,
    published: Option<Published>,
}

struct Published {
    topic: String,
    urdf: String,
    #[expect(dead_code, reason = "late readers get the text from it")]
    writer: Arc<Writer>,
}

impl Description {
    /// Publishes the URDF of the vehicle if it has changed. A vehicle that was not read from URDF has none.
    pub(crate) fn refresh(&self, host: HostHandle, vehicle: &str, session: &Session) {
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
        match publish(&topic, &urdf, session) {
            Ok(writer) => state.published = Some(Published { topic, urdf, writer }),
            Err(error) => log::warn!("{error}; {topic} is not published"),
        }
    }

    /// Stops publishing.
    pub(crate) fn close(&self) {
        *lock(&self.0) = State::default();
    }
}

/// Returns the topic and the text.
fn urdf_of(world: &WorldDescription, vehicle: &str) -> Option<(String, String)> {
    let model = world.models.iter().find(|model| model.name == vehicle && !model.urdf.is_empty())?;
    let namespace = model.namespace.trim_matches('/');
    let below = if namespace.is_empty() { String::new() } else { format!("/{namespace}") };
    Some((format!("{below}/{vehicle}/robot_description"), model.urdf.clone()))
}

fn publish(topic: &str, urdf: &str, session: &Session) -> Result<Arc<Writer>> {
    let plan = plan_of(&Schema::of::<Text>())?;
    let writer = session.writer(topic, &dds_type(&plan), Qos::LATCHED)?;
    let mut body = Vec::with_capacity(urdf.len() + 16);
    let payload = Text { data: urdf.to_owned() }.encode_to_vec();
    plan.encode_body(&payload, &mut body)
        .map_err(|error| bridgehead_plugin_api::Error::invalid(error.to_string()))?;
    writer.write(body, WriteOptions::default())?;
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
