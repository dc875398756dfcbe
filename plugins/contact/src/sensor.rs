//! Reports the contacts of the collisions that a `<contact>` element names, in world axes; an empty message means no
//! contact.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use bridgehead_plugin_api::host::{Collision, CollisionId, Contact, Contacts, HostHandle, LinkId, Params};
use bridgehead_plugin_api::messages::gazebo_msgs::{ContactState, ContactsState};
use bridgehead_plugin_api::messages::geometry_msgs::{Vector3, Wrench};
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::sensor::{LinkSensor, Sensor, SensorOutput};
use bridgehead_plugin_api::{Error, Result};

/// Frame of positions, normals and forces.
const FRAME: &str = "world";

/// One contact sensor.
pub(crate) struct ContactSensor {
    sensor: LinkSensor<ContactsState>,
    contacts: Contacts,
    watched: Vec<Collision>,
    /// Reused for every sample.
    buffer: Vec<Contact>,
}

impl Sensor for ContactSensor {
    type Message = ContactsState;

    fn awake(host: HostHandle) -> Result<Self> {
        // Gazebo's contact system reads the topic below <contact>.
        let topic = host.params()?.text("contact/topic").unwrap_or_else(|| "contact".to_owned());
        let sensor = LinkSensor::attach(host, &topic)?;
        let contacts = host.contacts()?;
        Ok(ContactSensor {
            watched: watched(host.params()?, contacts, sensor.link())?,
            sensor,
            contacts,
            buffer: Vec::new(),
        })
    }

    fn output(&self) -> &SensorOutput<ContactsState> {
        &self.sensor
    }

    fn measure(&mut self, step: &Step, _: u64) -> Result {
        let origin = self.sensor.world().link_state(self.sensor.link())?.pose.position;
        let mut states = Vec::new();
        for collision in &self.watched {
            self.contacts.read(collision.id, &mut self.buffer)?;
            let mut pairs: BTreeMap<u32, ContactState> = BTreeMap::new();
            for contact in &self.buffer {
                let state = match pairs.entry(contact.other) {
                    Entry::Occupied(entry) => entry.into_mut(),
                    Entry::Vacant(entry) => {
                        let other = self.contacts.name(CollisionId(contact.other))?;
                        entry.insert(pair(&collision.scoped_name, other))
                    }
                };
                add(state, contact, origin);
            }
            states.extend(pairs.into_values());
        }
        let header = Some(Header::new(step.time_ns, FRAME));
        self.sensor.publish(step, &ContactsState { header, states })
    }
}

/// Returns the collisions that the element names, or all of the link if it names none.
fn watched(params: Params, contacts: Contacts, link: LinkId) -> Result<Vec<Collision>> {
    let mut of_link: Vec<Collision> = contacts.collisions();
    of_link.retain(|collision| collision.link == link);
    let count = params.count("contact/collision");
    if count == 0 {
        return Ok(of_link);
    }
    (0..count).map(|index| named(params, &format!("contact/collision[{index}]"), &of_link)).collect()
}

fn named(params: Params, path: &str, of_link: &[Collision]) -> Result<Collision> {
    let name: String = params.require(path)?;
    let is_it = |collision: &&Collision| collision.name == name || collision.scoped_name == name;
    of_link.iter().find(is_it).cloned().ok_or_else(|| {
        let known: Vec<&str> = of_link.iter().map(|collision| collision.name.as_str()).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        Error::invalid(format!(
            "`{path}`: the link has no collision `{name}` that can have contacts; it has: {known}"
        ))
    })
}

fn pair(own: &str, other: String) -> ContactState {
    ContactState {
        collision1_name: own.to_owned(),
        collision2_name: other,
        total_wrench: Some(Wrench { force: Some(Vector3::default()), torque: Some(Vector3::default()) }),
        ..ContactState::default()
    }
}

/// Adds one contact point; torques are about the link's origin.
fn add(state: &mut ContactState, contact: &Contact, origin: [f64; 3]) {
    let arm: [f64; 3] = std::array::from_fn(|axis| contact.position[axis] - origin[axis]);
    let [fx, fy, fz] = contact.force;
    let torque = [arm[1] * fz - arm[2] * fy, arm[2] * fx - arm[0] * fz, arm[0] * fy - arm[1] * fx];
    let total = state.total_wrench.get_or_insert_default();
    accumulate(total.force.get_or_insert_default(), contact.force);
    accumulate(total.torque.get_or_insert_default(), torque);
    state.wrenches.push(Wrench { force: Some(vector(contact.force)), torque: Some(vector(torque)) });
    state.contact_positions.push(vector(contact.position));
    state.contact_normals.push(vector(contact.normal));
    state.depths.push(contact.depth);
}

fn accumulate(sum: &mut Vector3, [x, y, z]: [f64; 3]) {
    sum.x += x;
    sum.y += y;
    sum.z += z;
}

fn vector([x, y, z]: [f64; 3]) -> Vector3 {
    Vector3::new(x, y, z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::{LinkState, Pose};
    use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

    fn builder() -> TestHostBuilder {
        TestHost::builder().vehicle("car").link("base").parent_link("base")
    }

    fn contact(other: CollisionId, x: f64, newtons: f64) -> Contact {
        let up = [0.0, 0.0, 1.0];
        Contact {
            other: other.0,
            reserved: 0,
            position: [x, 0.0, 0.0],
            normal: up,
            depth: 0.001,
            force: up.map(|z| z * newtons),
        }
    }

    #[test]
    fn points_of_one_pair_are_combined_and_their_forces_added() {
        let host = builder().param("contact/collision", "bumper").build();
        let (bumper, ground, wall) = (
            host.add_collision("base", "bumper"),
            host.add_other_collision("ground::link::c"),
            host.add_other_collision("wall::link::c"),
        );
        let pose = Pose { position: [1.0, 0.0, 0.0], ..Pose::IDENTITY };
        host.set_link_state("base", LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
        host.set_contacts(
            bumper,
            vec![contact(wall, 5.0, 1.0), contact(ground, 0.5, 2.0), contact(ground, 1.5, 3.0)],
        );
        host.listen("contact");
        TestModel::<ContactSensor>::started(host).step().expect_done();
        let states = host.last::<ContactsState>("contact").states;
        let names: Vec<&str> = states.iter().map(|state| state.collision2_name.as_str()).collect();
        assert_eq!(names, ["ground::link::c", "wall::link::c"]);
        let ground = &states[0];
        assert_eq!((ground.collision1_name.as_str(), ground.depths.len()), ("car::base::bumper", 2));
        let total = ground.total_wrench.expect("a wrench");
        assert_eq!(total.force, Some(Vector3::new(0.0, 0.0, 5.0)));
        // 2 N half a metre behind the link's origin and 3 N half a metre in front of it.
        assert_eq!(total.torque, Some(Vector3::new(0.0, -0.5, 0.0)));
    }

    #[test]
    fn an_empty_message_means_no_contact() {
        let host = builder().build();
        host.add_collision("base", "bumper");
        host.listen("contact");
        TestModel::<ContactSensor>::started(host).step().expect_done();
        assert!(host.last::<ContactsState>("contact").states.is_empty());
    }

    #[test]
    fn a_missing_collision_is_refused_with_a_list() {
        let host = builder().param("contact/collision", "bumpr").build();
        host.add_collision("base", "bumper");
        let error = TestModel::<ContactSensor>::create(host).awake().expect_failed();
        let text = "`contact/collision[0]`: the link has no collision `bumpr` that can have contacts; it has: bumper";
        assert_eq!(error.text(), text);
    }
}
