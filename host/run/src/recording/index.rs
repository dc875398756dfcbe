//! Where everything is in a recording.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use bridgehead_files::open;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    Scene, SceneAsset, ScenePoses, WorldDescription,
};
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::{Message, MessageType, STEP_MARK_OPCODE, Schema, StepMark};
use mcap::records::{Channel, MessageHeader, Record, SchemaHeader};

use super::error::RecordingError;
use super::records;
use super::records::Damage;
use super::topic::{Entry, Topic};

/// What a recording contains, for its first line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Number of messages.
    pub messages: usize,
    /// Number of topics.
    pub topics: usize,
    /// True if it has poses of a scene.
    pub has_scene: bool,
    /// What is missing or damaged, as sentences.
    pub problems: Vec<String>,
}

/// A recording.
pub struct Recording {
    path: PathBuf,
    file: File,
    topics: Vec<Topic>,
    /// Where the files of scenes are, by hash.
    assets: HashMap<String, Entry>,
    /// Topics with the parts of the scene.
    scene: Option<usize>,
    description: Option<usize>,
    poses: Option<usize>,
    times: (u64, u64),
    /// Names of the worlds, with the times at which their scenes begin.
    worlds: Vec<(u64, String)>,
    problems: Vec<String>,
}

impl Recording {
    /// Opens a recording and finds its messages.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not MCAP, or has no message that can be shown.
    pub fn open(path: &Path) -> Result<Self, RecordingError> {
        let unreadable = |source| RecordingError::Unreadable { path: path.to_owned(), source };
        let file = open(path).map_err(|error| unreadable(error.into()))?;
        let mut builder = Builder::default();
        let damage =
            records::read(path, &file, &mut |opcode, content, at| builder.take(opcode, content, at))?;
        builder.finish(path, file, damage)
    }

    /// Returns its file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the times of its first and last message, nanoseconds.
    #[must_use]
    pub fn times(&self) -> (u64, u64) {
        self.times
    }

    /// Returns its topics.
    #[must_use]
    pub fn topics(&self) -> &[Topic] {
        &self.topics
    }

    /// Returns the topic with that name; the first one if several have it.
    #[must_use]
    pub fn topic(&self, name: &str) -> Option<&Topic> {
        self.topics.iter().find(|topic| topic.name == name)
    }

    /// Returns what it contains.
    #[must_use]
    pub fn contents(&self) -> Contents {
        Contents {
            messages: self.topics.iter().map(|topic| topic.entries.len()).sum(),
            topics: self.topics.len(),
            has_scene: self.poses_topic().is_some() && self.scene.is_some(),
            problems: self.problems.clone(),
        }
    }

    /// Reads the bytes of a message.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, for example because it was truncated meanwhile.
    pub fn bytes(&self, entry: &Entry) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; entry.length as usize];
        self.file.read_exact_at(&mut bytes, entry.at)?;
        Ok(bytes)
    }

    /// Reads a message; `None` if it cannot be read.
    #[must_use]
    pub fn message<M: Message>(&self, entry: &Entry) -> Option<M> {
        M::decode(&*self.bytes(entry).ok()?).ok()
    }

    /// Returns the description of what the world looks like at a time.
    #[must_use]
    pub fn scene_at(&self, time_ns: u64) -> Option<Scene> {
        self.message(self.topics.get(self.scene?)?.newest_at(time_ns)?)
    }

    /// Returns the name of the world at a time; empty if it is unknown.
    #[must_use]
    pub fn world_at(&self, time_ns: u64) -> &str {
        let next = self.worlds.partition_point(|(begin, _)| *begin <= time_ns);
        next.checked_sub(1).and_then(|index| self.worlds.get(index)).map_or("", |(_, name)| name)
    }

    /// Returns the content of the world at a time.
    #[must_use]
    pub fn description_at(&self, time_ns: u64) -> Option<WorldDescription> {
        self.message(self.topics.get(self.description?)?.newest_at(time_ns)?)
    }

    /// Returns a mesh or a texture by its hash.
    #[must_use]
    pub fn asset(&self, hash: &str) -> Option<SceneAsset> {
        self.message(self.assets.get(hash)?)
    }

    /// Returns the topic with the poses of the scene.
    pub(super) fn poses_topic(&self) -> Option<&Topic> {
        self.topics.get(self.poses?)
    }

    /// Returns the newest message of any topic at a time.
    #[must_use]
    pub fn newest_at(&self, time_ns: u64) -> Option<&Entry> {
        let newest = self.topics.iter().filter_map(|topic| topic.newest_at(time_ns));
        newest.max_by_key(|entry| (entry.time_ns, entry.epoch, entry.step))
    }

    /// Returns the time of the next message of any topic after a time.
    #[must_use]
    pub fn next_after(&self, time_ns: u64) -> Option<u64> {
        let next = self.topics.iter().filter_map(|topic| topic.entries.get(topic.count_at(time_ns)));
        next.map(|entry| entry.time_ns).min()
    }
}

/// Collects what the records say.
#[derive(Default)]
struct Builder {
    schemas: HashMap<u16, (SchemaHeader, Vec<u8>)>,
    /// Topic of each channel that can be shown.
    channels: HashMap<u16, (usize, Sort)>,
    topics: Vec<Topic>,
    by_name: HashMap<(String, String), usize>,
    assets: HashMap<String, Entry>,
    mark: Option<StepMark>,
    times: Option<(u64, u64)>,
    worlds: Vec<(u64, String)>,
    /// Topics that cannot be shown, with the reason.
    refused: Vec<String>,
}

/// What is done with the messages of a channel, besides adding them to their topic.
#[derive(Clone, Copy)]
enum Sort {
    Plain,
    /// They are files of scenes.
    Asset,
    /// They are scenes.
    Scene,
}

impl Builder {
    fn take(&mut self, opcode: u8, content: &[u8], at: u64) {
        if opcode == STEP_MARK_OPCODE {
            self.mark = StepMark::from_bytes(content).or(self.mark);
            return;
        }
        // Records of other programs and damaged ones are left out.
        match mcap::parse_record(opcode, content) {
            Ok(Record::Schema { header, data }) => {
                self.schemas.insert(header.id, (header, data.into_owned()));
            }
            Ok(Record::Channel(channel)) => {
                if let Some(known) = self.sort(&channel) {
                    self.channels.insert(channel.id, known);
                }
            }
            Ok(Record::Message { header, data }) => {
                self.add(header, &data, at + (content.len() - data.len()) as u64);
            }
            Ok(_) | Err(_) => {}
        }
    }

    /// Decides what is done with the messages of a channel; `None` if they cannot be shown.
    fn sort(&mut self, channel: &Channel) -> Option<(usize, Sort)> {
        let message = match self.message_type(channel) {
            Ok(message) => message,
            Err(why) => {
                let line = format!("the topic `{}` is not shown: {why}", channel.topic);
                if !self.refused.contains(&line) {
                    self.refused.push(line);
                }
                return None;
            }
        };
        let sort = match message.full_name() {
            SceneAsset::FULL_NAME => Sort::Asset,
            Scene::FULL_NAME => Sort::Scene,
            _ => Sort::Plain,
        };
        let key = (channel.topic.clone(), message.full_name().to_owned());
        let topics = &mut self.topics;
        let index = *self.by_name.entry(key).or_insert_with(|| {
            let vehicle = channel.metadata.get("vehicle").cloned().unwrap_or_default();
            topics.push(Topic::new(channel.topic.clone(), vehicle, message));
            topics.len() - 1
        });
        Some((index, sort))
    }

    fn message_type(&self, channel: &Channel) -> Result<MessageType, String> {
        let Some((header, data)) = self.schemas.get(&channel.schema_id) else {
            return Err("its schema is not in the file".to_owned());
        };
        if channel.message_encoding != "protobuf" || header.encoding != "protobuf" {
            let found = &channel.message_encoding;
            return Err(format!(
                "its messages are `{found}`; expected protobuf, as the logging bridge writes it"
            ));
        }
        let schema = Schema::new(data.clone(), header.name.clone());
        schema.resolve().map_err(|error| format!("its type `{}` cannot be read: {error}", header.name))
    }

    fn add(&mut self, header: MessageHeader, data: &[u8], at: u64) {
        let mark = self.mark.unwrap_or_default();
        let entry = Entry {
            time_ns: header.log_time,
            stamp_ns: i64::try_from(header.publish_time).unwrap_or(i64::MAX),
            step: mark.step,
            epoch: mark.epoch,
            sequence: header.sequence,
            at,
            length: u32::try_from(data.len()).unwrap_or(u32::MAX),
        };
        let Some((index, sort)) = self.channels.get(&header.channel_id).copied() else { return };
        match sort {
            Sort::Plain => {}
            Sort::Asset => {
                if let Ok(asset) = SceneAsset::decode(data) {
                    self.assets.insert(asset.hash, entry);
                }
            }
            Sort::Scene => {
                let last = self.worlds.last().map_or(0, |(begin, _)| *begin);
                if let Ok(scene) = Scene::decode(data) {
                    self.worlds.push((entry.time_ns.max(last), scene.world));
                }
            }
        }
        let (first, last) = self.times.unwrap_or((entry.time_ns, entry.time_ns));
        self.times = Some((first.min(entry.time_ns), last.max(entry.time_ns)));
        if let Some(topic) = self.topics.get_mut(index) {
            topic.push(entry);
        }
    }

    fn finish(self, path: &Path, file: File, damage: Option<Damage>) -> Result<Recording, RecordingError> {
        let mut problems = self.refused;
        problems.extend(damage.map(|damage| {
            format!(
                "the file is damaged or incomplete at byte {}: {}; everything before is shown",
                damage.at, damage.why
            )
        }));
        let Some(times) = self.times else {
            let why = if problems.is_empty() { "it has none".to_owned() } else { problems.join("; ") };
            return Err(RecordingError::Empty { path: path.to_owned(), why });
        };
        let topic_of = |full_name: &str| {
            let is_it = |topic: &Topic| topic.message.full_name() == full_name && !topic.entries.is_empty();
            self.topics.iter().position(is_it)
        };
        let (scene, description, poses) = (
            topic_of(Scene::FULL_NAME),
            topic_of(WorldDescription::FULL_NAME),
            topic_of(ScenePoses::FULL_NAME),
        );
        Ok(Recording {
            path: path.to_owned(),
            file,
            topics: self.topics,
            assets: self.assets,
            scene,
            description,
            poses,
            times,
            worlds: self.worlds,
            problems,
        })
    }
}
