//! Reads the scene and the poses of the host, and sends them to the clients that receive them.
//!
//! The host reads files of a new scene before it returns it, so this runs on a thread of its own. The thread begins when a
//! client subscribes and ends when none receives the scene or its frames, so that an unwatched run costs nothing.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{HostHandle, Pose, Scene, Threads};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;
use bridgehead_websocket::Bytes;

use super::Session;
use super::display::Demand;
use crate::lock::lock;
use crate::scene::drawing::Drawing;
use crate::scene::frames::Frames;
use crate::scene::pose;
use crate::scene::tf::Tf;
use crate::wall_clock;

/// Period of transforms: viewers draw 30 to 60 times a second.
const PERIOD: Duration = Duration::from_millis(33);
/// Interval at which all transforms are sent again, for clients that lost them, and the poses of models at rest are read.
const REPEAT: Duration = Duration::from_secs(1);
/// Longest wait for poses: a step that takes longer is tried again.
const PATIENCE: Duration = Duration::from_millis(100);

/// What the thread knows.
#[derive(Default)]
struct View {
    /// The scene by its revision.
    scene: Option<Arc<own::Scene>>,
    /// Poses of its nodes.
    poses: Vec<Pose>,
    time_ns: i64,
    /// The entities that clients have; `None` while none receives the scene.
    drawing: Option<Drawing>,
    frames: Frames,
    /// Revisions of the world and of the scene that the frames are of.
    framed: Option<[u64; 2]>,
    /// Simulated time of the last poses.
    posed: Option<i64>,
    /// When all transforms were sent last.
    repeated: Option<Instant>,
}

impl Session {
    /// Starts the thread, if a client receives something and it does not run.
    pub(super) fn begin_show(&self, host: HostHandle) {
        if !self.display.is_wanted() || self.display.is_shown.swap(true, Ordering::AcqRel) {
            return;
        }
        let Some(session) = self.weak.upgrade() else { return };
        let spawned = host
            .threads()
            .and_then(|threads| threads.spawn("scene", move |threads| session.show(host, threads)));
        if let Err(error) = spawned {
            self.display.is_shown.store(false, Ordering::Release);
            log::warn!("the scene cannot be sent: {error}");
        }
    }

    /// Sends until no client receives anything.
    fn show(&self, host: HostHandle, threads: Threads) {
        let mut view = View::default();
        while self.display.is_wanted() && !threads.should_stop() {
            let begin = wall_clock::now();
            if let Ok(scene) = host.scene() {
                self.show_once(&mut view, scene, &host);
            }
            self.display.wait(PERIOD.saturating_sub(begin.elapsed()));
        }
        *lock(&self.display.tf) = Tf::default();
        self.display.offer(BTreeMap::new());
        self.display.is_shown.store(false, Ordering::Release);
    }

    fn show_once(&self, view: &mut View, scene: Scene, host: &HostHandle) {
        // An error is a run that ends.
        if view.read(scene).is_err() {
            return;
        }
        let mut demand = self.display.take_demand();
        let now = wall_clock::now();
        if view.repeated.is_none_or(|at| now.saturating_duration_since(at) >= REPEAT) {
            view.repeated = Some(now);
            demand.are_frames_due = true;
        }
        let time_ns = host.clock().map_or(view.time_ns, |clock| clock.read().time_ns);
        view.time_ns = time_ns;
        let has_frames = self.display.frames.is_received();
        // A service may move a model while time stands still.
        let has_moved = has_frames && view.posed != Some(time_ns);
        if demand.are_frames_due || has_moved || view.is_new() {
            view.follow(scene);
        }
        self.send_scene(view, scene, &demand);
        if has_frames {
            self.send_transforms(view, demand.are_frames_due);
        } else {
            view.framed = None;
        }
    }

    /// Sends what has changed of the scene, and everything to those who need it.
    fn send_scene(&self, view: &mut View, scene: Scene, demand: &Demand) {
        let channel = &self.display.scene;
        if !channel.is_received() {
            view.drawing = None;
            return;
        }
        let is_first = view.drawing.is_none();
        view.draw(scene, |models| self.display.offer(models));
        let Some(drawing) = view.drawing.as_mut() else { return };
        let change = drawing.change(&view.poses, view.time_ns);
        if is_first || demand.is_scene_due {
            self.note_lost(channel.publish(&drawing.whole(view.time_ns), view.time_ns));
            return;
        }
        if let Some(change) = change {
            self.note_lost(channel.publish(&change, view.time_ns));
        }
        if !demand.newcomers.is_empty() {
            let whole = drawing.whole(view.time_ns);
            let newcomers = demand.newcomers.iter();
            newcomers.for_each(|(link, id)| channel.send_to(link, *id, &whole, view.time_ns));
        }
    }

    fn send_transforms(&self, view: &mut View, is_whole: bool) {
        let world = self.world();
        let Some(scene) = &view.scene else { return };
        let revisions = Some([world.revision, scene.revision]);
        let is_new = view.framed != revisions;
        if is_new {
            view.framed = revisions;
            view.frames = Frames::of(&world, &scene.nodes);
            let kept = self.kept_transforms();
            let mut tf = lock(&self.display.tf);
            *tf = Tf::default();
            kept.iter().for_each(|payload| tf.take_transforms(payload));
        }
        view.frames.follow(&view.poses);
        let message = view.frames.message(&lock(&self.display.tf), view.time_ns, is_whole || is_new);
        if let Some(message) = message {
            self.note_lost(self.display.frames.publish(&message, view.time_ns));
        }
    }
}

impl View {
    /// Reads the scene if it is new.
    fn read(&mut self, scene: Scene) -> Result {
        let known = self.scene.as_ref().map(|scene| scene.revision);
        if known != Some(scene.revision()) {
            let read = scene.read()?;
            self.poses = read.nodes.iter().map(|node| pose(node.pose.as_ref())).collect();
            (self.scene, self.posed) = (Some(Arc::new(read)), None);
        }
        Ok(())
    }

    /// Returns true if the scene has no present poses yet.
    fn is_new(&self) -> bool {
        self.posed.is_none()
    }

    /// Takes the present poses. They stay as they are if a step takes long, or if they are of another scene, which is read
    /// next.
    fn follow(&mut self, scene: Scene) {
        let Ok(Some(block)) = scene.poses(PATIENCE) else { return };
        if self.scene.as_ref().is_some_and(|scene| scene.revision == block.revision()) {
            self.poses = block.poses().collect();
            (self.time_ns, self.posed) = (block.time_ns(), Some(block.time_ns()));
        }
    }

    /// Has the drawing show the scene. `offer` takes the models that clients may request.
    fn draw(&mut self, scene: Scene, offer: impl FnOnce(BTreeMap<String, Bytes>)) {
        let Some(read) = &self.scene else { return };
        let drawing = self.drawing.get_or_insert_default();
        if drawing.revision() != Some(read.revision) {
            drawing.replace(read, &|hash| {
                scene.asset(hash).ok().map(|content| Bytes::copy_from_slice(&content))
            });
            offer(drawing.addressed().clone());
        }
    }
}
