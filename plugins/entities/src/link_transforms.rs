//! Publishes selected links of a model as transforms: moving ones on `/tf`, static ones once on `/tf_static`.

use bridgehead_plugin_api::host::{
    Entities, HostHandle, Link, LinkId, Model, Params, Pose, Publisher, Qos, World,
};
use bridgehead_plugin_api::messages::geometry_msgs::TransformStamped;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::schedule::{SampleTimes, Schedule};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Error, Flow, Result};

use crate::pose::{relative, transform};

/// Default rate in Hz.
const RATE: f64 = 50.0;

/// Default parent frame.
const PARENT: &str = "base_link";

/// One transform.
struct FramePair {
    child: Link,
    /// The link relative to which the child is given; `None` for the model.
    parent: Option<LinkId>,
    parent_frame_id: String,
}

/// One publisher of transforms.
pub(crate) struct LinkTransforms {
    world: World,
    entities: Entities,
    vehicle: String,
    moving_pairs: Vec<FramePair>,
    static_pairs: Vec<FramePair>,
    schedule: Schedule,
    transforms: Publisher<TfMessage>,
    /// `None` without static links.
    static_transforms: Option<Publisher<TfMessage>>,
    /// Whether the static transforms were published since the last reset.
    has_published: bool,
}

impl ModelPlugin for LinkTransforms {
    const PHASES: Phases = Phases::SAMPLE;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus, model) = (host.params()?, host.bus()?, host.model()?);
        let vehicle = model.attachment()?.vehicle;
        if vehicle.is_empty() {
            return Err(Error::invalid(
                "link_transforms publishes links of a model; put its <plugin> into a <model>",
            ));
        }
        let text = |path: &str, default: &str| params.get_or(path, default.to_owned());
        let (moving_pairs, static_pairs) =
            (frame_pairs(params, model, "link")?, frame_pairs(params, model, "static_link")?);
        let static_topic = text("tf_static_topic", "/tf_static")?;
        let static_transforms =
            if static_pairs.is_empty() { None } else { Some(bus.advertise(&static_topic, Qos::latched())?) };
        Ok(LinkTransforms {
            world: host.world()?,
            entities: host.entities()?,
            vehicle,
            moving_pairs,
            static_pairs,
            schedule: Schedule::with_rate(params.get_or("update_rate", RATE)?)
                .map_err(|error| error.context("parameter `update_rate`"))?,
            transforms: bus.advertise(&text("tf_topic", "/tf")?, Qos::default())?,
            static_transforms,
            has_published: false,
        })
    }

    /// Static links may have been placed elsewhere.
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.has_published = false;
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.has_published)
    }

    /// The snapshot contains the latched message too; one with the poses of now would have other last bits.
    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.has_published = state.take()?;
        Ok(())
    }

    fn sample_times(&self) -> SampleTimes {
        self.schedule.into()
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        if self.schedule.due(step).is_none() {
            return Ok(Flow::Continue);
        }
        if !std::mem::replace(&mut self.has_published, true)
            && let Some(publisher) = &self.static_transforms
        {
            publisher.publish(step.time_ns, &self.message(step, &self.static_pairs)?)?;
        }
        if !self.moving_pairs.is_empty() && self.transforms.has_listeners() {
            self.transforms.publish(step.time_ns, &self.message(step, &self.moving_pairs)?)?;
        }
        Ok(Flow::Continue)
    }
}

impl LinkTransforms {
    fn message(&self, step: &Step, frame_pairs: &[FramePair]) -> Result<TfMessage> {
        let transforms = frame_pairs.iter().map(|pair| self.transform(step, pair)).collect::<Result<_>>()?;
        Ok(TfMessage { transforms })
    }

    fn transform(&self, step: &Step, pair: &FramePair) -> Result<TransformStamped> {
        let parent = match pair.parent {
            Some(link) => self.world.link_state(link)?.pose,
            None => self.entities.find(&self.vehicle).map_or(Pose::IDENTITY, |entity| entity.pose),
        };
        let child = self.world.link_state(pair.child.id)?.pose;
        Ok(TransformStamped {
            header: Some(Header::new(step.time_ns, pair.parent_frame_id.as_str())),
            child_frame_id: pair.child.frame_id.clone(),
            transform: Some(transform(relative(parent, child))),
        })
    }
}

/// Returns the links that `path` names, once or several times.
fn frame_pairs(params: Params, model: Model, path: &str) -> Result<Vec<FramePair>> {
    let links = model.links();
    let read = |index: usize| {
        let path = format!("{path}[{index}]");
        let name: String = params.require(&path)?;
        let child = find(&links, &name).cloned().ok_or_else(|| {
            let known: Vec<&str> = links.iter().map(|link| link.name.as_str()).collect();
            params.refuse(&path, &name, format!("a link of the model, which has: {}", known.join(", ")))
        })?;
        let parent = params.text(&format!("{path}/@parent_frame_id")).filter(|name| !name.is_empty());
        let parent = parent.as_deref().unwrap_or(PARENT);
        Ok(FramePair {
            child,
            parent: find(&links, parent).map(|link| link.id),
            parent_frame_id: match find(&links, parent) {
                Some(link) => link.frame_id.clone(),
                None => frame_of_model(&model.attachment()?.vehicle, parent),
            },
        })
    };
    (0..params.count(path)).map(read).collect()
}

/// Returns the link of that name, or otherwise the only one that ends in it: `wheel::link` of `cart::wheel::link`.
fn find<'a>(links: &'a [Link], name: &str) -> Option<&'a Link> {
    let end = format!("::{name}");
    let mut ending = links.iter().filter(|link| link.name.ends_with(&end));
    let only = || ending.next().filter(|_| ending.next().is_none());
    links.iter().find(|link| link.name == name).or_else(only)
}

/// Returns the frame name; a parent that is not a link is the model, under the given name.
fn frame_of_model(vehicle: &str, name: &str) -> String {
    format!("{vehicle}/{}", name.trim_start_matches('/').replace("::", "/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::LinkState;
    use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

    fn arm() -> TestHostBuilder {
        TestHost::builder().vehicle("robot").link("base_link").link("arm::upper").link("arm::lower")
    }

    fn place(host: TestHost, link: &str, x: f64) {
        let pose = Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY };
        host.set_link_state(link, LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
    }

    /// Returns parent, child and x of each transform of the last message.
    fn last(host: TestHost, topic: &str) -> Vec<(String, String, f64)> {
        let describe = |one: TransformStamped| {
            let x = one.transform.and_then(|transform| transform.translation).expect("a translation").x;
            (one.header.expect("a header").frame_id, one.child_frame_id, x)
        };
        host.last::<TfMessage>(topic).transforms.into_iter().map(describe).collect()
    }

    #[test]
    fn links_are_relative_to_their_parents() {
        let host = arm()
            .params([
                ("link[0]", "arm::upper"),
                ("link[1]", "lower"),
                ("link[1]/@parent_frame_id", "arm::upper"),
            ])
            .param("update_rate", 100)
            .build();
        host.listen("/tf");
        place(host, "base_link", 1.0);
        place(host, "arm::upper", 1.5);
        place(host, "arm::lower", 4.0);
        TestModel::<LinkTransforms>::started(host).run(20).expect_done();
        assert_eq!(host.published("/tf").len(), 2);
        let expected =
            [("robot/base_link", "robot/arm::upper", 0.5), ("robot/arm::upper", "robot/arm::lower", 2.5)];
        assert_eq!(
            last(host, "/tf"),
            expected.map(|(parent, child, x)| (parent.to_owned(), child.to_owned(), x))
        );
        assert_eq!(host.unread_params(), Vec::<String>::new());
    }

    #[test]
    fn static_transforms_are_published_once_and_again_after_a_reset() {
        let host = arm()
            .params([("static_link", "base_link"), ("static_link/@parent_frame_id", "/base::foot")])
            .build();
        place(host, "base_link", 2.0);
        host.listen("/tf_static");
        let mut model = TestModel::<LinkTransforms>::started(host);
        model.run(500).expect_done();
        assert_eq!(host.published("/tf_static").len(), 1);
        assert_eq!(
            last(host, "/tf_static"),
            [("robot/base/foot".to_owned(), "robot/base_link".to_owned(), 2.0)]
        );
        place(host, "base_link", 3.0);
        model.reset(ResetScope::ALL).expect_done();
        model.run(500).expect_done();
        assert!((last(host, "/tf_static")[0].2 - 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_missing_link_is_refused() {
        let refusal = |builder: TestHostBuilder| {
            TestModel::<LinkTransforms>::create(builder.build()).awake().expect_failed().text().to_owned()
        };
        let hand = refusal(arm().param("link", "hand"));
        let expected =
            "`link[0]` is `hand`; expected a link of the model, which has: base_link, arm::upper, arm::lower";
        assert!(hand.ends_with(expected), "{hand}");
        assert!(refusal(TestHost::builder()).starts_with("link_transforms publishes links of a model"));
    }

    #[test]
    fn a_restored_run_leaves_the_static_transforms_that_were_published() {
        let host = arm().param("static_link", "base_link").build();
        host.listen("/tf_static");
        let mut model = TestModel::<LinkTransforms>::started(host);
        model.run(20).expect_done();
        let saved = model.save();
        let host = arm().param("static_link", "base_link").build();
        host.listen("/tf_static");
        let mut restored = TestModel::<LinkTransforms>::started(host);
        restored.load(&saved).expect_done();
        restored.run(500).expect_done();
        assert_eq!(host.published("/tf_static").len(), 0);
    }
}
