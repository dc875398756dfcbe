//! The thread of a camera: draws what the simulation thread exposed, and makes its messages.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use bridgehead_plugin_api::host::{HostHandle, PoseBlock, Threads};
use bridgehead_plugin_api::random::RandomKey;
use bridgehead_plugin_api::{Error, Payload, Result};
use bridgehead_render::{Choice, Placement, Target, Wanted};
use glam::{DQuat, DVec3};

use crate::boxes;
use crate::kind::Stream;
use crate::lens::Plan;
use crate::messages::Shot;
use crate::noise::add_noise;
use crate::planes::Planes;
use crate::rays::Seen;
use crate::settings::{Adapter, BoxType, Settings};
use crate::solids::{self, MeshCorners, Solid};
use crate::studio::{self, Set, Shared, lock};
use crate::thermal::Thermometer;

/// What the simulation thread asks for.
pub(crate) enum Job {
    /// The scene has changed.
    Scene,
    Expose(Exposure),
}

/// The world at the moment of an image.
pub(crate) struct Exposure {
    pub(crate) sample: u64,
    pub(crate) time_ns: i64,
    pub(crate) camera: Placement,
    pub(crate) poses: PoseBlock,
    /// For each stream of the camera, whether anybody receives it.
    pub(crate) heard: Vec<bool>,
    /// What rays hit, without an adapter.
    pub(crate) hits: Option<Seen>,
}

/// Messages of an image, by the index of their stream.
pub(crate) type Messages = Vec<(usize, Payload)>;

/// Answers, in the order of the jobs.
pub(crate) enum Reply {
    /// The scene is there; the adapter that draws it, or why none does.
    Scene(Result<String>),
    Messages {
        sample: u64,
        messages: Result<Messages>,
    },
}

/// What a camera is, for its thread.
#[derive(Clone)]
pub(crate) struct Camera {
    pub(crate) host: HostHandle,
    pub(crate) settings: Settings,
    /// Of a thermal camera.
    pub(crate) thermometer: Option<Thermometer>,
    pub(crate) streams: Vec<Stream>,
    pub(crate) frame_id: String,
    pub(crate) random: RandomKey,
}

/// The simulation thread's end.
pub(crate) struct RenderThread {
    jobs: Sender<Job>,
    replies: Receiver<Reply>,
}

impl RenderThread {
    /// Starts the thread.
    pub(crate) fn start(camera: Camera) -> Result<Self> {
        let (jobs, todo) = channel();
        let (done, replies) = channel();
        let host = camera.host;
        host.threads()?.spawn("camera", move |threads| {
            let mut worker = Worker::new(camera);
            serve(&mut worker, threads, &todo, &done);
        })?;
        Ok(RenderThread { jobs, replies })
    }

    pub(crate) fn ask(&self, job: Job) -> Result {
        self.jobs.send(job).map_err(|_| ended())
    }

    /// Waits for the next answer.
    pub(crate) fn answer(&self) -> Result<Reply> {
        self.replies.recv().map_err(|_| ended())
    }
}

fn ended() -> Error {
    Error::new("the thread of the camera has ended")
}

/// How often the thread looks whether it should end.
const PATIENCE: Duration = Duration::from_millis(50);

fn serve(worker: &mut Worker, threads: Threads, todo: &Receiver<Job>, done: &Sender<Reply>) {
    while !threads.should_stop() {
        let reply = match todo.recv_timeout(PATIENCE) {
            Ok(Job::Scene) => Reply::Scene(worker.read_scene()),
            Ok(Job::Expose(exposure)) => {
                let sample = exposure.sample;
                Reply::Messages { sample, messages: worker.expose(&exposure) }
            }
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        if done.send(reply).is_err() {
            return;
        }
    }
}

struct Worker {
    camera: Camera,
    plan: Plan,
    directions: Vec<Option<DVec3>>,
    studio: Option<Shared>,
    set: Option<Arc<Set>>,
    targets: Vec<Target>,
    planes: Planes,
    parts: Vec<Planes>,
    nodes: Vec<Placement>,
    /// Only for boxes in space.
    meshes: MeshCorners,
}

impl Worker {
    fn new(camera: Camera) -> Self {
        let plan = camera.settings.lens.plan();
        let needs_directions = |stream: &Stream| matches!(stream, Stream::Points | Stream::Thermal);
        // They need more memory than an image.
        let directions = match camera.streams.iter().any(needs_directions) {
            true => camera.settings.lens.directions(),
            false => Vec::new(),
        };
        let parts = vec![Planes::default(); plan.parts.len()];
        Worker {
            camera,
            plan,
            directions,
            studio: None,
            set: None,
            targets: Vec::new(),
            planes: Planes::default(),
            parts,
            nodes: Vec::new(),
            meshes: MeshCorners::default(),
        }
    }

    fn read_scene(&mut self) -> Result<String> {
        let drawn = match &self.camera.settings.adapter {
            Adapter::Drawn(choice) => {
                let choice = choice.clone();
                self.open(&choice).or_else(|error| {
                    log::warn!("{}; the processor draws instead", error.text());
                    self.open(&Choice::Processor)
                })
            }
            Adapter::Rays => Err(Error::new("rays were chosen")),
        };
        if drawn.is_err() {
            self.studio = None;
            self.set = Some(Arc::new(studio::read(self.camera.host)?));
        }
        self.read_meshes()?;
        drawn
    }

    /// Reads the sizes of the meshes, if they are needed.
    fn read_meshes(&mut self) -> Result {
        if let Some(set) = self.set.as_ref().filter(|_| self.camera.streams.contains(&Stream::Solids)) {
            let from = self.camera.host.scene()?;
            // A mesh that cannot be read has no size: what it belongs to gets a box without it.
            self.meshes = MeshCorners::read(set.scene(), |hash| Some(from.asset(hash).ok()?.to_vec()));
        }
        Ok(())
    }

    fn open(&mut self, choice: &Choice) -> Result<String> {
        let studio = match &self.studio {
            Some(studio) => Arc::clone(studio),
            None => studio::open(choice).map_err(|error| Error::new(error.to_string()))?,
        };
        let mut open = lock(&studio);
        self.set = Some(open.set(self.camera.host)?);
        let name = open.renderer.adapter().to_owned();
        drop(open);
        self.studio = Some(studio);
        Ok(name)
    }

    fn expose(&mut self, exposure: &Exposure) -> Result<Messages> {
        let set = self.set.clone().ok_or_else(|| Error::new("there is no scene"))?;
        let heard = |needs: fn(Stream) -> bool| {
            let streams = self.camera.streams.iter().zip(&exposure.heard);
            streams.filter(|(_, heard)| **heard).any(|(stream, _)| needs(*stream))
        };
        let has_color = self.camera.streams.contains(&Stream::Color);
        let wanted = Wanted {
            // Points of a camera with colours have colours.
            color: heard(Stream::needs_color) || (has_color && heard(|stream| stream == Stream::Points)),
            geometry: heard(Stream::needs_geometry),
            samples: self.camera.settings.samples,
        };
        self.nodes.clear();
        self.nodes.extend(exposure.poses.poses().map(|pose| Placement {
            position: DVec3::from_array(pose.position),
            orientation: DQuat::from_array(pose.orientation),
        }));
        match &exposure.hits {
            Some(hits) => hits.develop(set.scene(), wanted, &mut self.planes),
            None => self.draw(&set, &exposure.camera, wanted)?,
        }
        Ok(self.messages(exposure, &set))
    }

    fn draw(&mut self, set: &Set, camera: &Placement, wanted: Wanted) -> Result {
        let failed = |error: bridgehead_render::RenderError| Error::new(error.to_string());
        let (Some(studio), Some(stage)) = (&self.studio, &set.stage) else {
            return Err(Error::new("no adapter draws"));
        };
        if self.targets.first().is_none_or(|target| target.wanted() != wanted) {
            self.targets.clear();
            let open = lock(studio);
            for part in &self.plan.parts {
                self.targets.push(open.renderer.target(part.size, wanted).map_err(failed)?);
            }
        }
        let settings = &self.camera.settings;
        // What is too near for a depth camera hides what is behind it; colours have a hole there.
        let near = if wanted.geometry { settings.clip.0.min(NEAREST) } else { settings.clip.0 };
        let far = settings.clip.1.max(settings.depths.1);
        let clip = (near.max(NEAREST), far.max(near + NEAREST));
        let mut open = lock(studio);
        for (part, target) in self.plan.parts.iter().zip(&mut self.targets) {
            let view = part.view(camera, clip, settings.mask);
            open.renderer.draw(stage, target, &view, &self.nodes).map_err(failed)?;
        }
        drop(open);
        for (target, planes) in self.targets.iter_mut().zip(&mut self.parts) {
            planes.clear();
            target.read(|images| planes.append(images)).map_err(failed)?;
        }
        match &self.plan.sources {
            None => std::mem::swap(&mut self.planes, &mut self.parts[0]),
            Some(sources) => self.planes.gather(&self.plan, sources, &self.parts),
        }
        Ok(())
    }

    fn messages(&mut self, exposure: &Exposure, set: &Set) -> Messages {
        let camera = &self.camera;
        let shot = Shot {
            settings: &camera.settings,
            frame_id: &camera.frame_id,
            time_ns: exposure.time_ns,
            classes: &set.classes,
            directions: &self.directions,
        };
        let random = || camera.random.sample(exposure.sample);
        if !camera.streams.contains(&Stream::Depth) {
            add_noise(&mut self.planes.color, &camera.settings.noise, exposure.time_ns, random());
        }
        let mut out = Vec::new();
        for (index, stream) in camera.streams.iter().enumerate() {
            if !exposure.heard.get(index).copied().unwrap_or(false) {
                continue;
            }
            let payload = match stream {
                Stream::Info => Some(shot.info()),
                Stream::Color => Some(shot.color(&self.planes)),
                Stream::Compressed => shot.compressed(&self.planes),
                Stream::Depth => Some(shot.depth(&self.planes, random())),
                Stream::Points => Some(shot.points(&self.planes)),
                Stream::Labels => Some(shot.labels(&self.planes)),
                Stream::Colored => Some(shot.colored(&self.planes)),
                Stream::Models => Some(shot.models(&self.planes)),
                Stream::ModelNames => Some(shot.model_names()),
                Stream::Thermal => camera.thermometer.as_ref().map(|thermometer| {
                    let seen = (&self.planes, set.scene(), &exposure.camera);
                    shot.temperatures(thermometer, seen, random())
                }),
                Stream::Boxes => Some(shot.boxes(&self.extents(exposure, set))),
                Stream::Solids => Some(shot.solids(&self.solids(exposure, set))),
            };
            out.extend(payload.map(|payload| (index, payload)));
        }
        out
    }

    fn solids(&self, exposure: &Exposure, set: &Set) -> Vec<Option<Solid>> {
        let things = (&set.classes, set.scene(), &self.meshes);
        solids::around(things, &exposure.camera, &self.nodes, &self.extents(exposure, set))
    }

    fn extents(&self, exposure: &Exposure, set: &Set) -> Vec<Option<boxes::Extent>> {
        let settings = &self.camera.settings;
        let visible = boxes::visible(&set.classes, &self.planes.visual, settings.lens.size[0]);
        if settings.boxes != BoxType::Full {
            return visible;
        }
        boxes::full(&set.classes, set.scene(), &settings.lens, &exposure.camera, &self.nodes, &visible)
    }
}

/// Nearer surfaces are not drawn, metres.
const NEAREST: f64 = 1e-3;
