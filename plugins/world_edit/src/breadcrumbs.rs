//! Places a copy of a model at the vehicle's pose with each message.

use bridgehead_plugin_api::host::{
    Entities, HostHandle, Params, Pose, Publisher, Qos, SAVED, Spawn, Subscription, WorldEdit,
};
use bridgehead_plugin_api::messages::std_msgs;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Error, Flow, Result};

/// One dispenser.
pub(crate) struct Breadcrumbs {
    edit: WorldEdit,
    entities: Entities,
    vehicle: String,
    crumb: BreadcrumbModel,
    may_rename: bool,
    /// Number of copies available; `None` for any number.
    capacity: Option<u32>,
    /// Number of copies in the loaded world, from the run that saved it.
    deployed_before: u32,
    /// Number of copies placed, including those.
    deployed: u32,
    deploy: Subscription<std_msgs::Empty>,
    remaining: Publisher<std_msgs::Int32>,
}

/// The model that is placed.
struct BreadcrumbModel {
    sdf: String,
    name: String,
    /// Its pose in the frame of the vehicle.
    pose: Pose,
}

impl ModelPlugin for Breadcrumbs {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus) = (host.params()?, host.bus()?);
        let attachment = host.model()?.attachment()?;
        if attachment.vehicle.is_empty() {
            return Err(Error::invalid("breadcrumbs must be in a model; put the <plugin> into a <model>"));
        }
        let topic = params.text("topic").unwrap_or_else(|| "breadcrumbs/deploy".to_owned());
        let most: i64 = params.get_or("max_deployments", -1)?;
        if let Some(seconds) = params.get::<f64>("disable_physics_time")? {
            log::warn!("placed models keep moving: <disable_physics_time> {seconds} is not simulated");
        }
        let deployed_before = params.get_or(&format!("{SAVED}/deployed"), 0)?;
        Ok(Breadcrumbs {
            edit: host.world_edit()?,
            entities: host.entities()?,
            crumb: BreadcrumbModel::read(params, &attachment.xml)?,
            vehicle: attachment.vehicle,
            may_rename: params.get_or("allow_renaming", false)?,
            // In Gazebo -1 means any number.
            capacity: u32::try_from(most).ok(),
            deployed_before,
            deployed: deployed_before,
            deploy: bus.subscribe(&topic, Qos { depth: 16, ..Qos::default() })?,
            remaining: bus.advertise(&format!("{topic}/remaining"), Qos::latched())?,
        })
    }

    fn reset(&mut self, scope: ResetScope) -> Result<Flow> {
        if scope.covers_spawned() {
            self.deployed = self.deployed_before;
        }
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.deployed)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.deployed = state.take()?;
        Ok(())
    }

    /// Returns the number of copies placed; in a saved world the next ones continue their numbering.
    fn saved_elements(&mut self) -> Result<Option<String>> {
        let has_news = self.deployed != self.deployed_before;
        Ok(has_news.then(|| format!("<deployed>{}</deployed>", self.deployed)))
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        while self.deploy.take().is_some() {
            self.leave_one(step)?;
        }
        Ok(Flow::Continue)
    }
}

impl Breadcrumbs {
    fn leave_one(&mut self, step: &Step) -> Result {
        if self.capacity.is_some_and(|capacity| self.deployed >= capacity) {
            log::info!("all {} are deployed; the message is ignored", self.deployed);
            return Ok(());
        }
        let Some(vehicle) = self.entities.find(&self.vehicle) else { return Ok(()) };
        let name = format!("{}_{}", self.crumb.name, self.deployed);
        let spawn = Spawn {
            sdf: &self.crumb.sdf,
            name: Some(&name),
            may_rename: self.may_rename,
            pose: vehicle.pose.compose(self.crumb.pose),
        };
        if let Err(error) = self.edit.spawn(&spawn) {
            log::warn!("`{name}` cannot be placed: {error}");
            return Ok(());
        }
        self.deployed += 1;
        let left = self.capacity.map_or(-1, |capacity| i64::from(capacity - self.deployed));
        let data = i32::try_from(left).unwrap_or(i32::MAX);
        self.remaining.publish(step.time_ns, &std_msgs::Int32 { data })
    }
}

impl BreadcrumbModel {
    fn read(params: Params, xml: &str) -> Result<Self> {
        let sdf = inside(xml, "breadcrumb").ok_or_else(|| {
            Error::invalid("`breadcrumb` is missing: give an <sdf> with the <model> to place")
        })?;
        params.take_whole("breadcrumb");
        let paths = ["breadcrumb/sdf/model", "breadcrumb/model"];
        let model = paths.into_iter().find(|path| params.count(path) > 0).unwrap_or("breadcrumb/sdf/model");
        Ok(BreadcrumbModel {
            sdf: sdf.to_owned(),
            name: params.require(&format!("{model}/@name"))?,
            pose: params.pose(&format!("{model}/pose"))?,
        })
    }
}

/// Returns the text between the first `<name …>` and the last `</name>`.
fn inside<'a>(xml: &'a str, name: &str) -> Option<&'a str> {
    let open = xml.find(&format!("<{name}"))?;
    let start = open + xml.get(open..)?.find('>')? + 1;
    let end = xml.rfind(&format!("</{name}>"))?;
    xml.get(start..end).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::{Entity, EntityId, Level};
    use bridgehead_plugin_api::testing::{TestEdit, TestHost, TestModel};

    const XML: &str = "<plugin><breadcrumb><sdf version='1.6'><model name='B'><pose>-1 0 0 0 0 0</pose></model></sdf></breadcrumb></plugin>";

    /// A dispenser of so many copies, of which some were placed before the world was saved.
    fn dispenser(most: &str, before: &str) -> TestHost {
        let host = TestHost::builder()
            .vehicle("car")
            .xml(XML)
            .params([("topic", "/B/deploy"), ("max_deployments", most)])
            .param(&format!("{SAVED}/deployed"), before)
            .params([("breadcrumb/sdf/model/@name", "B"), ("breadcrumb/sdf/model/pose", "-1 0 0 0 0 0")])
            .build();
        let half = std::f64::consts::FRAC_1_SQRT_2;
        host.set_entity(Entity {
            id: EntityId(1),
            name: "car".to_owned(),
            is_static: false,
            is_spawned: false,
            pose: Pose { position: [5.0, 0.0, 0.5], orientation: [0.0, 0.0, half, half] },
            linear: [0.0; 3],
            angular: [0.0; 3],
            box_min: [0.0; 3],
            box_max: [0.0; 3],
        });
        host
    }

    #[test]
    fn each_message_places_one_until_none_is_left() {
        let host = dispenser("2", "0");
        host.listen("/B/deploy/remaining");
        let mut model = TestModel::<Breadcrumbs>::started(host);
        for _ in 0..3 {
            host.send("/B/deploy", &std_msgs::Empty {});
            model.step().expect_done();
        }
        let edits = host.take_edits();
        let [TestEdit::Spawn { name: first, sdf, pose, .. }, TestEdit::Spawn { name: second, .. }] =
            &edits[..]
        else {
            panic!("two models, not {edits:?}")
        };
        assert_eq!((first.as_str(), second.as_str()), ("B_0", "B_1"));
        assert!(sdf.starts_with("<sdf version='1.6'><model name='B'>"), "{sdf}");
        // One metre behind a vehicle that faces along y.
        let distance = (pose.position[0] - 5.0).abs().max((pose.position[1] + 1.0).abs());
        assert!(distance < 1e-12, "{pose:?}");
        let left: Vec<i32> = host
            .decoded::<std_msgs::Int32>("/B/deploy/remaining")
            .into_iter()
            .map(|message| message.data)
            .collect();
        assert_eq!(left, [1, 0]);
    }

    #[test]
    fn a_model_that_cannot_be_placed_is_a_warning_and_does_not_count() {
        let host = dispenser("2", "0");
        let mut model = TestModel::<Breadcrumbs>::started(host);
        host.refuse_next_edit("no such model");
        host.send("/B/deploy", &std_msgs::Empty {});
        model.step().expect_done();
        assert!(host.has_logged(Level::Warn, "`B_0` cannot be placed"));
        host.send("/B/deploy", &std_msgs::Empty {});
        model.step().expect_done();
        assert_eq!(host.take_edits().len(), 1);
    }

    #[test]
    fn a_saved_world_continues_with_the_next_number() {
        let drop_one = |host: TestHost, model: &mut TestModel<Breadcrumbs>| {
            host.send("/B/deploy", &std_msgs::Empty {});
            model.step().expect_done();
        };
        let host = dispenser("2", "0");
        let mut model = TestModel::<Breadcrumbs>::started(host);
        assert_eq!(model.saved_elements(), None);
        drop_one(host, &mut model);
        assert_eq!(model.saved_elements().as_deref(), Some("<deployed>1</deployed>"));

        let host = dispenser("2", "1");
        let mut model = TestModel::<Breadcrumbs>::started(host);
        assert_eq!(model.saved_elements(), None);
        for _ in 0..2 {
            drop_one(host, &mut model);
        }
        let edits = host.take_edits();
        assert!(matches!(&edits[..], [TestEdit::Spawn { name, .. }] if name == "B_1"), "{edits:?}");
        assert_eq!(model.saved_elements().as_deref(), Some("<deployed>2</deployed>"));
        // A reset removes the copies of this run; those in the file stay.
        model.reset(ResetScope::ALL).expect_done();
        drop_one(host, &mut model);
        let edits = host.take_edits();
        assert!(matches!(&edits[..], [TestEdit::Spawn { name, .. }] if name == "B_1"), "{edits:?}");
    }

    #[test]
    fn without_a_model_the_plugin_is_refused() {
        let host = TestHost::builder().vehicle("car").xml("<plugin/>").build();
        let error = TestModel::<Breadcrumbs>::create(host).awake().expect_failed();
        assert!(error.text().starts_with("`breadcrumb` is missing"), "{error}");
    }
}
