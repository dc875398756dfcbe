//! The renderer: a graphics device, or the processor.

use bridgehead_messages::bridgehead_simulation_interfaces::Scene;

use crate::camera::{Placement, View};
use crate::choice::Choice;
use crate::error::RenderError;
use crate::stage::{Content, Stage};
use crate::target::{Images, Kind, Target, Wanted};
use crate::{device, processor};

/// What draws, with all that does not belong to one scene.
pub struct Renderer(Backend);

enum Backend {
    Device(Box<device::Renderer>),
    Processor(processor::Renderer),
}

impl Renderer {
    /// Opens an adapter, or draws on the processor.
    ///
    /// # Errors
    /// Returns an error if the chosen adapter is missing, or does not work. The default choice has none: without a GPU,
    /// the processor draws.
    pub fn new(choice: &Choice) -> Result<Self, RenderError> {
        let on_device = || device::Renderer::new(choice).map(|renderer| Backend::Device(Box::new(renderer)));
        let backend = match choice {
            Choice::Processor => Backend::Processor(processor::Renderer::new()),
            Choice::Any => on_device().unwrap_or_else(|error| {
                if !matches!(error, RenderError::NoAdapter { .. }) {
                    log::warn!("{error}; the processor draws");
                }
                Backend::Processor(processor::Renderer::new())
            }),
            Choice::Gpu | Choice::Software | Choice::Named(_) => on_device()?,
        };
        Ok(Renderer(backend))
    }

    /// Name of the adapter, with its driver; `processor` without one.
    #[must_use]
    pub fn adapter(&self) -> &str {
        match &self.0 {
            Backend::Device(renderer) => renderer.adapter(),
            Backend::Processor(_) => processor::NAME,
        }
    }

    /// Keeps a scene in the form in which it is drawn. `content` returns the bytes of a mesh or texture by its hash; it
    /// is asked for those that the scene before did not have.
    ///
    /// # Errors
    /// Returns an error if the device failed.
    pub fn load(
        &mut self,
        scene: Scene,
        content: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Stage, RenderError> {
        let kept = match &mut self.0 {
            Backend::Device(renderer) => Content::Device(renderer.load(&scene, content)?),
            Backend::Processor(renderer) => Content::Processor(renderer.load(&scene, content)),
        };
        Ok(Stage { scene, content: kept })
    }

    /// Makes the images of a camera.
    ///
    /// # Errors
    /// Returns an error if no images of that size can be drawn.
    pub fn target(&self, size: [u32; 2], wanted: Wanted) -> Result<Target, RenderError> {
        let kind = match &self.0 {
            Backend::Device(renderer) => Kind::Device(Box::new(renderer.target(size, wanted)?)),
            Backend::Processor(_) => Kind::Processor(Box::new(processor::Renderer::target(size, wanted)?)),
        };
        Ok(Target { wanted, kind })
    }

    /// Ends the device, as if its driver had stopped. For tests.
    #[doc(hidden)]
    pub fn lose(&self) {
        match &self.0 {
            Backend::Device(renderer) => renderer.lose(),
            Backend::Processor(_) => {}
        }
    }

    /// Begins an image of a scene with its nodes at these places; [`Target::read`] waits for it, or draws it.
    ///
    /// # Errors
    /// Returns an error if the device failed, or if scene and images are of another renderer.
    pub fn draw(
        &mut self,
        stage: &Stage,
        target: &mut Target,
        view: &View,
        nodes: &[Placement],
    ) -> Result<(), RenderError> {
        match (&mut self.0, &stage.content, &mut target.kind) {
            (Backend::Device(renderer), Content::Device(content), Kind::Device(target)) => {
                renderer.draw((&stage.scene, content), target, view, nodes)
            }
            (Backend::Processor(_), Content::Processor(batches), Kind::Processor(target)) => {
                processor::Renderer::draw((&stage.scene, batches), target, view, nodes);
                Ok(())
            }
            _ => Err(RenderError::Device {
                adapter: self.adapter().to_owned(),
                why: "scene and images are of another renderer".to_owned(),
            }),
        }
    }
}

impl Target {
    /// Waits until the image is drawn, or draws it on this thread, and passes the images to `take`.
    ///
    /// # Errors
    /// Returns an error if the device failed, or no image was begun.
    pub fn read<T>(&mut self, take: impl FnOnce(Images<'_>) -> T) -> Result<T, RenderError> {
        match &mut self.kind {
            Kind::Device(target) => target.read(take),
            Kind::Processor(target) => target.read(take),
        }
    }
}
