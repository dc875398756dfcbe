//! The renderer that all cameras of a process share, with its newest scene.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::Scene;
use bridgehead_render::{Choice, RenderError, Renderer, Stage};

use crate::classes::Classes;

/// A scene, drawn by an adapter or known only for its classes and colours.
pub(crate) struct Set {
    /// `None` without an adapter.
    pub(crate) stage: Option<Stage>,
    scene: Option<Scene>,
    pub(crate) classes: Classes,
}

impl Set {
    pub(crate) fn scene(&self) -> &Scene {
        static EMPTY: std::sync::LazyLock<Scene> = std::sync::LazyLock::new(Scene::default);
        self.stage.as_ref().map(Stage::scene).or(self.scene.as_ref()).unwrap_or(&EMPTY)
    }
}

/// The renderer of an adapter.
pub(crate) struct Studio {
    pub(crate) renderer: Renderer,
    newest: Option<Arc<Set>>,
}

/// Shared by the cameras that chose the same adapter; it goes with the last of them.
pub(crate) type Shared = Arc<Mutex<Studio>>;

static STUDIOS: Mutex<Vec<(Choice, Weak<Mutex<Studio>>)>> = Mutex::new(Vec::new());

/// Opens an adapter, or returns the one that another camera opened.
pub(crate) fn open(choice: &Choice) -> Result<Shared, RenderError> {
    let mut studios = lock(&STUDIOS);
    studios.retain(|(_, studio)| studio.strong_count() > 0);
    let found = studios.iter().find(|(of, _)| of == choice).and_then(|(_, studio)| studio.upgrade());
    if let Some(studio) = found {
        return Ok(studio);
    }
    let renderer = Renderer::new(choice)?;
    let studio = Arc::new(Mutex::new(Studio { renderer, newest: None }));
    studios.push((choice.clone(), Arc::downgrade(&studio)));
    Ok(studio)
}

/// Reads the host's scene for use without an adapter. Not in a step.
pub(crate) fn read(host: HostHandle) -> Result<Set> {
    let scene = host.scene()?.read()?;
    Ok(Set { stage: None, classes: Classes::of(&scene), scene: Some(scene) })
}

impl Studio {
    /// Returns the host's scene, uploaded. Not in a step.
    pub(crate) fn set(&mut self, host: HostHandle) -> Result<Arc<Set>> {
        let from = host.scene()?;
        let revision = from.revision();
        if let Some(newest) = self.newest.as_ref().filter(|set| set.scene().revision == revision) {
            return Ok(Arc::clone(newest));
        }
        let scene = from.read()?;
        let classes = Classes::of(&scene);
        let mut content = |hash: &str| match from.asset(hash) {
            Ok(bytes) => Some(bytes.to_vec()),
            Err(error) => {
                log::warn!("a mesh or texture is not drawn: {}", error.text());
                None
            }
        };
        let stage = self
            .renderer
            .load(scene, &mut content)
            .map_err(|error| bridgehead_plugin_api::Error::new(error.to_string()))?;
        let set = Arc::new(Set { stage: Some(stage), scene: None, classes });
        self.newest = Some(Arc::clone(&set));
        Ok(set)
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic while drawing leaves a renderer that can be used: each image begins anew.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
