//! The names of a world that are known and have no counterpart, without building the world or loading plugins. Plain
//! functions, any thread.

use bridgehead_sdf::Origin;
use bridgehead_sdf::element::{Plugin, Sensor};
use bridgehead_sdf::resolved::{Model, Placed, World};

use super::lookup::{class, file, sensor_type};
use super::name::{Name, Provider};
use super::unsupported::{Reason, UnsupportedNames};
use crate::origin::place_of;
use crate::slot::SlotKind;

impl UnsupportedNames {
    /// Returns the names of a world that no plugin of the project serves. A plugin of another origin may serve them.
    #[must_use]
    pub fn of_world(world: &World) -> Self {
        let mut names = UnsupportedNames::default();
        world.plugins.iter().for_each(|plugin| names.add_plugin(plugin));
        world
            .joints
            .iter()
            .flat_map(|joint| &joint.joint.sensors)
            .for_each(|sensor| names.add_sensor(sensor));
        world.models.iter().for_each(|model| names.add_model(model));
        world.actors.iter().for_each(|actor| names.add_model(&actor.model));
        names
    }

    fn add_model(&mut self, model: &Model) {
        let of_links = model.links.iter().flat_map(|link| &link.sensors);
        let of_joints = model.joints.iter().flat_map(|joint| &joint.sensors);
        of_links.chain(of_joints).for_each(|sensor| self.add_sensor(sensor));
        let of_submodels = model.submodels.iter().flat_map(|submodel| &submodel.plugins);
        model.plugins.iter().chain(of_submodels).for_each(|plugin| self.add_plugin(plugin));
    }

    fn add_sensor(&mut self, placed: &Placed<Sensor>) {
        let sensor = &placed.element;
        if let Some(row) = sensor_type(&sensor.kind) {
            self.add(row, (SlotKind::Sensor, sensor.kind.clone()), &sensor.origin);
        }
        sensor.plugins.iter().for_each(|plugin| self.add_plugin(plugin));
    }

    fn add_plugin(&mut self, plugin: &Plugin) {
        if let Some(row) = file(&plugin.filename).or_else(|| class(&plugin.name)) {
            self.add(row, (SlotKind::Plugin, row.written()), &plugin.origin);
        }
    }

    fn add(&mut self, row: &Name, key: (SlotKind, String), origin: &Origin) {
        if let Provider::Unsupported(instead) = row.provider {
            self.count_at(key, || place_of(origin), || Reason::NoCounterpart(instead.to_owned()));
        }
    }
}
