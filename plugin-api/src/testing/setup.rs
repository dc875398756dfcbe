//! What a test tells a plugin before it is made: attachment, parameters, links, joints, seed.

use std::collections::BTreeSet;
use std::time::Duration;

use super::host::TestHost;
use super::params::ParamTable;
use crate::host::{Joint, JointId, JointKind, Level, Link, LinkId, Pose};
use crate::messages::bridgehead_simulation_interfaces::WorldDescription;

/// Ids start apart from the indices, so that a plugin that mixes them fails its test.
const FIRST_LINK: u32 = 100;
const FIRST_JOINT: u32 = 200;

/// What does not change while a test runs.
pub(super) struct Setup {
    pub(super) vehicle: String,
    pub(super) model: String,
    pub(super) element: String,
    pub(super) path: String,
    pub(super) frame_id: String,
    pub(super) topic: String,
    pub(super) xml: String,
    pub(super) parent_link: Option<LinkId>,
    pub(super) pose: Pose,
    pub(super) update_period: Duration,
    pub(super) seed: u64,
    pub(super) step_width: Duration,
    pub(super) links: Vec<Link>,
    pub(super) joints: Vec<Joint>,
    pub(super) description: WorldDescription,
    pub(super) withheld: BTreeSet<String>,
    pub(super) log_level: Level,
}

/// Describes a [`TestHost`] step by step.
///
/// Without further words: a plugin of the world named `plugin`, seed 0, steps of 1 ms, every extension
/// offered, every log level kept.
#[must_use]
pub struct TestHostBuilder {
    setup: Setup,
    params: ParamTable,
    parent_link: Option<String>,
}

impl TestHostBuilder {
    pub(super) fn new() -> Self {
        let setup = Setup {
            vehicle: String::new(),
            model: String::new(),
            element: "plugin".to_owned(),
            path: String::new(),
            frame_id: String::new(),
            topic: String::new(),
            xml: String::new(),
            parent_link: None,
            pose: Pose::IDENTITY,
            update_period: Duration::ZERO,
            seed: 0,
            step_width: Duration::from_millis(1),
            links: Vec::new(),
            joints: Vec::new(),
            description: WorldDescription::default(),
            withheld: BTreeSet::new(),
            log_level: Level::Trace,
        };
        TestHostBuilder { setup, params: ParamTable::default(), parent_link: None }
    }

    /// Gives a parameter: `scan/horizontal/samples`, `wheel[1]/radius`, `@type`. Its place in error messages
    /// is the line of this call.
    ///
    /// # Panics
    /// Panics if the path was given before.
    #[track_caller]
    #[expect(clippy::needless_pass_by_value, reason = "texts and numbers alike are written without `&`")]
    pub fn param(mut self, path: &str, text: impl ToString) -> Self {
        self.params.add(path, &text.to_string());
        self
    }

    /// Gives several parameters.
    ///
    /// # Panics
    /// As [`TestHostBuilder::param`].
    #[track_caller]
    pub fn params<const N: usize>(mut self, params: [(&str, &str); N]) -> Self {
        for (path, text) in params {
            self.params.add(path, text);
        }
        self
    }

    /// Attaches the plugin to a vehicle and its model of the same name.
    pub fn vehicle(mut self, name: &str) -> Self {
        name.clone_into(&mut self.setup.vehicle);
        name.clone_into(&mut self.setup.model);
        self
    }

    /// Names the `<sensor>` or `<plugin>` element.
    pub fn element(mut self, name: &str) -> Self {
        name.clone_into(&mut self.setup.element);
        self
    }

    /// Gives the sensor element a `<topic>`.
    pub fn topic(mut self, topic: &str) -> Self {
        topic.clone_into(&mut self.setup.topic);
        self
    }

    /// Gives the element as it stands in the world file.
    pub fn xml(mut self, xml: &str) -> Self {
        xml.clone_into(&mut self.setup.xml);
        self
    }

    /// Attaches the sensor to a link, which must be given too; the vehicle's first link otherwise has no
    /// part in the sensor's path.
    pub fn parent_link(mut self, name: &str) -> Self {
        self.parent_link = Some(name.to_owned());
        self
    }

    /// Pose of the sensor in its link; of the model in the world for other plugins.
    pub fn pose(mut self, pose: Pose) -> Self {
        self.setup.pose = pose;
        self
    }

    /// Time between samples; zero means every step.
    pub fn update_period(mut self, period: Duration) -> Self {
        self.setup.update_period = period;
        self
    }

    /// Seed of the run.
    pub fn seed(mut self, seed: u64) -> Self {
        self.setup.seed = seed;
        self
    }

    /// Width of one step.
    pub fn step_width(mut self, width: Duration) -> Self {
        self.setup.step_width = width;
        self
    }

    /// Adds a link of 1 kg at the origin of the model.
    pub fn link(self, name: &str) -> Self {
        self.link_with(name, Pose::IDENTITY, 1.0)
    }

    /// Adds a link: its pose in the model as loaded, its mass in kilograms.
    pub fn link_with(mut self, name: &str, pose: Pose, mass: f64) -> Self {
        let id = LinkId(FIRST_LINK + index(self.setup.links.len()));
        self.setup.links.push(Link { id, name: name.to_owned(), frame_id: String::new(), pose, mass });
        self
    }

    /// Adds a joint without limits.
    pub fn joint(self, name: &str, kind: JointKind) -> Self {
        self.joint_with(name, |joint| joint.kind = kind)
    }

    /// Adds a joint; `change` starts from a continuous one without limits.
    pub fn joint_with(mut self, name: &str, change: impl FnOnce(&mut Joint)) -> Self {
        let mut joint = Joint {
            id: JointId(FIRST_JOINT + index(self.setup.joints.len())),
            name: name.to_owned(),
            kind: JointKind::Continuous,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            effort: f64::INFINITY,
            velocity: f64::INFINITY,
        };
        change(&mut joint);
        self.setup.joints.push(joint);
        self
    }

    /// Describes the world; without this call there never was a world.
    /// [`TestHost::set_description`] changes it later.
    pub fn description(mut self, description: WorldDescription) -> Self {
        self.setup.description = description;
        self
    }

    /// Does not offer an extension, for example [`crate::abi::extension::WORLD`].
    pub fn without(mut self, extension: &str) -> Self {
        self.setup.withheld.insert(extension.to_owned());
        self
    }

    /// The most detailed level that is logged.
    pub fn log_level(mut self, level: Level) -> Self {
        self.setup.log_level = level;
        self
    }

    /// Makes the host.
    ///
    /// # Panics
    /// Panics if the parent link was not given.
    #[must_use]
    #[track_caller]
    pub fn build(mut self) -> TestHost {
        self.attach();
        let vehicle = self.setup.vehicle.clone();
        for link in &mut self.setup.links {
            link.frame_id = join([&vehicle, &link.name]);
        }
        TestHost::from_setup(self.setup, self.params)
    }

    #[track_caller]
    fn attach(&mut self) {
        let setup = &mut self.setup;
        let parent = self.parent_link.take().unwrap_or_default();
        if !parent.is_empty() {
            let link = setup.links.iter().find(|link| link.name == parent);
            setup.parent_link = link.map(|link| link.id);
            assert!(link.is_some(), "the parent link `{parent}` must be given with `link(\"{parent}\")`");
        }
        setup.path = join([&setup.vehicle, &parent, &setup.element]);
        setup.frame_id.clone_from(&setup.path);
    }
}

fn index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// The names that are not empty, with `/` between them.
fn join<const N: usize>(names: [&String; N]) -> String {
    let names: Vec<&str> = names.into_iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
    names.join("/")
}
