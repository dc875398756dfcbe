//! The thread `gz-scene`: it publishes poses, what has been added and what was deleted, and answers questions about the
//! scene. It waits for steps and for files of a new scene, which the clock must not.

use std::collections::BTreeSet;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use bridgehead_plugin_api::host::{Description, Pose, Scene};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;
use bridgehead_plugin_api::messages::prost::Message as _;

use super::look::{Look, additions, graph};
use crate::ids::{IdTable, Ids};
use crate::msgs as gz;
use crate::name::as_topic;
use crate::node::{Answer, Node, Topic};
use crate::service::questions::Question;
use crate::service::{Desk, sdf};
use crate::wall_clock;

/// Longest wait for poses.
const POSES: Duration = Duration::from_millis(100);
/// A question that cannot be answered for so long has failed: no world is loaded.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) struct ScenePublisher {
    sources: Sources,
    /// Not held: the node ends with the connection.
    node: Weak<Node>,
    desk: Desk,
    /// True as soon as ids are given, because somebody receives or asks something.
    is_tracked: bool,
    shown: Option<Shown>,
    questions: Vec<(Question, Answer, Instant)>,
}

/// Where the world is read from.
#[derive(Clone, Copy)]
struct Sources {
    description: Description,
    scene: Scene,
}

/// The topics of one world.
struct Shown {
    name: String,
    poses: [Arc<Topic>; 2],
    additions: Arc<Topic>,
    deletions: Arc<Topic>,
    /// As it was read last.
    description: own::WorldDescription,
    look: Option<Look>,
    /// Names of models that are to be published.
    added: BTreeSet<String>,
}

/// Poses of the nodes of a scene at one time.
struct Moment {
    nodes: Vec<Pose>,
    header: gz::Header,
}

impl Shown {
    fn new(node: &Node, name: String, description: own::WorldDescription) -> Option<Self> {
        let connection = node.connection();
        let topic = |last: &str, kind: &str| {
            let name = connection.partition.qualify(&format!("/world/{name}/{last}"))?;
            Some(Topic::spare(name, connection.generation.type_name(kind)))
        };
        Some(Shown {
            poses: [topic("pose/info", "Pose_V")?, topic("dynamic_pose/info", "Pose_V")?],
            additions: topic("scene/info", "Scene")?,
            deletions: topic("scene/deletion", "UInt32_V")?,
            name,
            description,
            look: None,
            added: BTreeSet::new(),
        })
    }

    fn topics(&self) -> impl Iterator<Item = &Arc<Topic>> {
        self.poses.iter().chain([&self.additions, &self.deletions])
    }

    /// Returns the poses of this moment, and reads the look of the world if it has changed.
    fn observe(&mut self, sources: Sources, ids: &Ids) -> Option<Moment> {
        let block = sources.scene.poses(POSES).ok().flatten()?;
        let revisions = [block.revision(), self.description.revision];
        if self.look.as_ref().is_none_or(|look| look.revisions != revisions) {
            let scene = sources.scene.read().ok()?;
            self.look = Some(ids.with(|ids| Look::new(scene, &self.description, ids)));
        }
        let is_current = self.look.as_ref().is_some_and(|look| look.revisions == revisions);
        is_current.then(|| Moment { nodes: block.poses().collect(), header: gz::Header::at(block.time_ns()) })
    }
}

impl ScenePublisher {
    pub(super) fn new(description: Description, scene: Scene, node: &Arc<Node>, desk: Desk) -> Self {
        ScenePublisher {
            sources: Sources { description, scene },
            node: Arc::downgrade(node),
            desk,
            is_tracked: false,
            shown: None,
            questions: Vec::new(),
        }
    }

    pub(super) fn turn(&mut self) {
        let Some(node) = self.node.upgrade() else { return };
        let now = wall_clock::now();
        self.questions.retain(|(_, _, asked)| now.saturating_duration_since(*asked) < PATIENCE);
        for (question, answer) in self.desk.questions.take() {
            match question {
                Question::Saved(path) => sdf::answer(&path, answer),
                Question::Scene | Question::Graph => self.questions.push((question, answer, now)),
            }
        }
        self.follow(&node);
        let Some(shown) = &mut self.shown else { return };
        if !shown.additions.is_wanted() {
            shown.added.clear();
        }
        let is_moving = shown.poses.iter().any(|topic| topic.is_wanted());
        if !is_moving && shown.added.is_empty() && self.questions.is_empty() {
            return;
        }
        let Some(moment) = shown.observe(self.sources, &self.desk.ids) else { return };
        let Some(look) = &shown.look else { return };
        if !shown.added.is_empty() || !self.questions.is_empty() {
            let scene = self.desk.ids.with(|ids| look.message(ids, &moment.nodes));
            let scene = gz::Scene { header: Some(moment.header.clone()), ..scene };
            answer_all(&mut self.questions, &scene);
            let new = additions(scene, &mut shown.added);
            if !new.model.is_empty() {
                node.publish(&shown.additions, new.encode_to_vec());
            }
        }
        if is_moving {
            let messages = look.table.messages(&moment.nodes, &moment.header);
            for (topic, message) in shown.poses.iter().zip(messages) {
                if topic.is_wanted() {
                    node.publish(topic, message.encode_to_vec());
                }
            }
        }
    }

    /// Reads the description of the world if it has changed, and advertises the topics of another world.
    fn follow(&mut self, node: &Node) {
        let is_wanted = !self.questions.is_empty()
            || self.shown.as_ref().is_some_and(|shown| shown.topics().any(|topic| topic.is_wanted()));
        let revision = self.sources.description.revision();
        let is_read = self.shown.as_ref().is_some_and(|shown| shown.description.revision == revision);
        let begins = is_wanted && !self.is_tracked;
        if is_read && !begins {
            return;
        }
        let Ok(mut description) = self.sources.description.read() else { return };
        // Not needed, and long.
        description.elements = Vec::new();
        let name = as_topic(&description.world);
        match &mut self.shown {
            Some(shown) if shown.name == name || name.is_empty() => shown.description = description,
            _ if name.is_empty() => return,
            _ => {
                self.withdraw();
                self.desk.ids.with(IdTable::clear);
                self.shown = Shown::new(node, name, description);
                if let Some(shown) = &self.shown {
                    shown.topics().for_each(|topic| node.advertise(topic));
                }
            }
        }
        self.is_tracked |= is_wanted;
        if self.is_tracked {
            self.track(node, !begins);
        }
    }

    /// Gives ids to what is new, and publishes those of what is gone.
    fn track(&mut self, node: &Node, is_told: bool) {
        let Some(shown) = &mut self.shown else { return };
        let changes = self.desk.ids.with(|ids| ids.update(&shown.description));
        if is_told {
            // Models without links are not shown.
            let models = shown.description.models.iter().filter(|model| !model.canonical_link.is_empty());
            let models: BTreeSet<&str> = models.map(|model| model.name.as_str()).collect();
            shown.added.extend(changes.added);
            shown.added.retain(|name| models.contains(name.as_str()));
        }
        if !changes.removed.is_empty() && shown.deletions.is_wanted() {
            let header = None;
            let message = gz::UInt32V { header, data: changes.removed };
            node.publish(&shown.deletions, message.encode_to_vec());
        }
    }

    pub(super) fn withdraw(&mut self) {
        let Some(shown) = self.shown.take() else { return };
        if let Some(node) = self.node.upgrade() {
            shown.topics().for_each(|topic| node.withdraw(topic));
        }
    }
}

fn answer_all(questions: &mut Vec<(Question, Answer, Instant)>, scene: &gz::Scene) {
    let mut encoded: [Option<Vec<u8>>; 2] = Default::default();
    for (question, answer, _) in questions.drain(..) {
        let [of_scene, of_graph] = &mut encoded;
        let bytes = match question {
            Question::Scene => of_scene.get_or_insert_with(|| scene.encode_to_vec()),
            Question::Graph => of_graph
                .get_or_insert_with(|| gz::StringMsg { header: None, data: graph(scene) }.encode_to_vec()),
            Question::Saved(_) => continue,
        };
        answer.send(bytes.clone());
    }
}
