//! Drawing an image: instances, shadow maps, passes.

use bridgehead_messages::bridgehead_simulation_interfaces::Scene;
use wgpu::{BindGroup, BindGroupLayout, BufferUsages, CommandEncoder, Device, RenderPass};

use crate::adapter::{Choice, Gpu};
use crate::batch::{Batches, Draw, Instances};
use crate::buffer::Grown;
use crate::camera::{Axes, Placement, View, single};
use crate::error::RenderError;
use crate::frame::{CAMERA_VECTORS, camera_words};
use crate::geometry::Geometries;
use crate::lights::{self, Lamp, Shadow};
use crate::material::linear;
use crate::passes::{Pass, begin, depth_attachment, passes};
use crate::pipelines::{Kind, Lighting, Pipelines};
use crate::shadow;
use crate::shadow_maps::ShadowMaps;
use crate::stage::Stage;
use crate::target::{Target, Wanted};
use crate::textures::Textures;
use crate::words::Words;

/// The pipelines of shadow maps: for surfaces with two sides, and for closed ones.
const SHADOWS: [Kind; 2] = [Kind::Shadow { is_closed: false }, Kind::Shadow { is_closed: true }];

/// A device, with all that does not belong to one scene.
pub struct Renderer {
    gpu: Gpu,
    pipelines: Pipelines,
    frame_layout: BindGroupLayout,
    shadow_layout: BindGroupLayout,
    geometries: Geometries,
    textures: Textures,
    shadows: ShadowMaps,
    buffers: Buffers,
    /// Reused from image to image.
    instances: Instances,
    casting: Instances,
    lighting: Lighting,
}

/// Buffers that each image fills again.
struct Buffers {
    camera: Grown,
    lights: Grown,
    instances: Grown,
    casting: Grown,
    shadow_cameras: Vec<Grown>,
}

impl Renderer {
    /// Opens an adapter.
    ///
    /// # Errors
    /// Returns an error if there is none that fits, or it does not work.
    pub fn new(choice: &Choice) -> Result<Self, RenderError> {
        let gpu = Gpu::open(choice)?;
        let device = &gpu.device;
        let frame_layout = frame_layout(device);
        let shadow_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("shadow"),
            entries: &[buffer_entry(0, wgpu::BufferBindingType::Uniform, wgpu::ShaderStages::VERTEX)],
        });
        let textures = Textures::new(device, &gpu.queue);
        let pipelines = Pipelines::new(device, &frame_layout, &shadow_layout, textures.layout());
        let buffers = Buffers {
            camera: Grown::new(device, BufferUsages::UNIFORM),
            lights: Grown::new(device, BufferUsages::UNIFORM),
            instances: Grown::new(device, BufferUsages::VERTEX),
            casting: Grown::new(device, BufferUsages::VERTEX),
            shadow_cameras: Vec::new(),
        };
        let shadows = ShadowMaps::new(device, 1, 1);
        let renderer = Renderer {
            pipelines,
            frame_layout,
            shadow_layout,
            geometries: Geometries::default(),
            textures,
            shadows,
            buffers,
            instances: Instances::default(),
            casting: Instances::default(),
            lighting: Lighting::default(),
            gpu,
        };
        renderer.gpu.check()?;
        Ok(renderer)
    }

    /// Name of the adapter, with its driver.
    #[must_use]
    pub fn adapter(&self) -> &str {
        &self.gpu.name
    }

    /// Uploads a scene. `content` returns the bytes of a mesh or texture by its hash; it is asked for those that the scene
    /// before did not have.
    ///
    /// # Errors
    /// Returns an error if the device failed.
    pub fn load(
        &mut self,
        scene: Scene,
        content: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Stage, RenderError> {
        let on = (&self.gpu.device, &self.gpu.queue);
        let batches = Batches::new(&scene, on, &mut self.geometries, &mut self.textures, content);
        self.geometries.keep(scene.revision);
        self.textures.keep(scene.revision);
        let mut materials = Grown::new(&self.gpu.device, BufferUsages::STORAGE);
        materials.fill(&self.gpu, &batches.materials);
        self.gpu.check()?;
        Ok(Stage { scene, batches, materials })
    }

    /// Makes the images of a camera.
    ///
    /// # Errors
    /// Returns an error if the adapter draws no images of that size.
    pub fn target(&self, size: [u32; 2], wanted: Wanted) -> Result<Target, RenderError> {
        let target = self.gpu.scoped(|| Target::new(&self.gpu, size, wanted))??;
        self.gpu.check()?;
        Ok(target)
    }

    /// Ends the device, as if its driver had stopped. For tests.
    #[doc(hidden)]
    pub fn lose(&self) {
        self.gpu.device.destroy();
    }

    /// Lets the device draw a scene with its nodes at these places; [`Target::read`] waits for it.
    ///
    /// # Errors
    /// Returns an error if the device failed.
    pub fn draw(
        &mut self,
        stage: &Stage,
        target: &mut Target,
        view: &View,
        nodes: &[Placement],
    ) -> Result<(), RenderError> {
        let axes = view.axes();
        stage.batches.see(view, nodes, &mut self.instances);
        self.buffers.instances.fill(&self.gpu, &self.instances.words);
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let lamps = if target.wanted.color { lights::lamps(&stage.scene, view, nodes) } else { Vec::new() };
        let shadows = self.draw_shadows(&mut encoder, stage, (view, &axes), nodes, &lamps);
        let mut words = Words::default();
        lights::write(&mut words, &stage.scene, &lamps, &shadows);
        self.buffers.lights.fill(&self.gpu, &words);
        let camera = camera_words(&stage.scene, view, &axes);
        self.buffers.camera.fill(&self.gpu, &camera);
        let frame = self.frame_group(stage);
        self.lighting = Lighting {
            lights: u32::try_from(lamps.len()).unwrap_or(0),
            has_lamps: lamps.iter().any(|lamp| lamp.kind != lights::Kind::Directional),
            has_shadows: shadows.iter().any(Option::is_some),
            has_sun: lamps.first().is_some_and(|lamp| lamp.kind == lights::Kind::Directional)
                && shadows.first().is_some_and(Option::is_some),
            has_fog: stage.has_fog(),
        };
        self.prepare(target.wanted);
        self.draw_passes(&mut encoder, stage, target, &frame);
        target.copy(&mut encoder);
        let submission = self.gpu.queue.submit([encoder.finish()]);
        target.request(submission);
        self.gpu.check()
    }

    fn prepare(&mut self, wanted: Wanted) {
        let device = &self.gpu.device;
        let draws = [&self.instances.opaque, &self.instances.blended];
        for pass in passes(wanted, !self.instances.blended.is_empty()) {
            let visuals = draws.into_iter().flatten().map(|draw| pass.visual(draw.style, self.lighting));
            self.pipelines.prepare(device, visuals);
            self.pipelines.prepare(device, pass.has_sky.then(|| pass.sky(self.lighting.has_fog)));
        }
    }

    fn draw_passes(&self, encoder: &mut CommandEncoder, stage: &Stage, target: &Target, frame: &BindGroup) {
        let around = stage.scene.surroundings.as_ref();
        let background = linear(around.and_then(|around| around.background.as_ref()));
        for pass in passes(target.wanted, !self.instances.blended.is_empty()) {
            let mut drawn = begin(encoder, target, pass, background);
            drawn.set_bind_group(0, frame, &[]);
            drawn.set_vertex_buffer(1, self.buffers.instances.buffer.slice(..));
            let draws = if pass.draws_blended { &self.instances.blended } else { &self.instances.opaque };
            self.draw_visuals(&mut drawn, stage, pass, draws);
            if pass.has_sky && stage.is_sky() {
                let sky = pass.sky(self.lighting.has_fog);
                if let (Some(pipeline), Some(maps)) = (self.pipelines.get(sky), stage.batches.maps.get(0)) {
                    drawn.set_pipeline(pipeline);
                    drawn.set_bind_group(1, maps, &[]);
                    drawn.draw(0..3, 0..1);
                }
            }
        }
    }

    fn draw_visuals(&self, drawn: &mut RenderPass<'_>, stage: &Stage, pass: Pass, draws: &[Draw]) {
        let mut present = None;
        for draw in draws {
            let kind = pass.visual(draw.style, self.lighting);
            let (Some(pipeline), Some(maps)) =
                (self.pipelines.get(kind), stage.batches.maps.get(draw.style.maps))
            else {
                continue;
            };
            if present != Some((kind, draw.style.maps)) {
                drawn.set_pipeline(pipeline);
                drawn.set_bind_group(1, maps, &[]);
                present = Some((kind, draw.style.maps));
            }
            drawn.set_vertex_buffer(0, draw.geometry.vertices.slice(..));
            drawn.set_index_buffer(draw.geometry.indices.slice(..), wgpu::IndexFormat::Uint32);
            drawn.draw_indexed(0..draw.geometry.count, 0, draw.instances.clone());
        }
    }

    /// Draws the shadow maps of the first lights that need one.
    fn draw_shadows(
        &mut self,
        encoder: &mut CommandEncoder,
        stage: &Stage,
        (view, axes): (&View, &Axes),
        nodes: &[Placement],
        lamps: &[Lamp],
    ) -> Vec<Option<Shadow>> {
        let size = if self.gpu.is_software { shadow::SIZE_IN_SOFTWARE } else { shadow::SIZE };
        let mut out = Vec::with_capacity(lamps.len());
        let mut fits = Vec::new();
        let casters = match lamps.iter().any(|lamp| lamp.casts) {
            true => stage.batches.casters(view, nodes),
            false => Vec::new(),
        };
        for lamp in lamps {
            let is_candidate = lamp.casts && fits.len() < shadow::MOST;
            let bounds = (casters.as_slice(), self.instances.seen.as_slice());
            let fit = is_candidate.then(|| shadow::fit(lamp, view, axes, size, bounds)).flatten();
            out.push(fit.map(|fit| {
                let layer = u32::try_from(fits.len()).unwrap_or(0);
                let shadow = Shadow { layer, matrix: fit.matrix, offset: single(fit.offset) };
                fits.push(fit);
                shadow
            }));
        }
        if fits.len() > self.shadows.layers.len() || (!fits.is_empty() && !self.shadows.is_real()) {
            self.shadows = ShadowMaps::new(&self.gpu.device, size, fits.len());
        }
        self.pipelines.prepare(&self.gpu.device, SHADOWS.into_iter().filter(|_| !fits.is_empty()));
        self.casting.words.clear();
        let mut draws = Vec::with_capacity(fits.len());
        for fit in &fits {
            let mut of_light = Vec::new();
            stage.batches.cast(
                view,
                nodes,
                |index, bound| fit.touches(index, bound),
                &mut self.casting.words,
                &mut of_light,
            );
            draws.push(of_light);
        }
        self.buffers.casting.fill(&self.gpu, &self.casting.words);
        for (layer, (fit, draws)) in fits.iter().zip(&draws).enumerate() {
            self.draw_shadow(encoder, layer, fit, draws);
        }
        out
    }

    fn draw_shadow(&mut self, encoder: &mut CommandEncoder, layer: usize, fit: &shadow::Fit, draws: &[Draw]) {
        while self.buffers.shadow_cameras.len() <= layer {
            self.buffers.shadow_cameras.push(Grown::new(&self.gpu.device, BufferUsages::UNIFORM));
        }
        let mut words = Words::default();
        words.matrix(&fit.matrix);
        (0..CAMERA_VECTORS).for_each(|_| words.whole([0; 4]));
        let (Some(view), Some(camera), [Some(open), Some(closed)]) = (
            self.shadows.layers.get(layer),
            self.buffers.shadow_cameras.get_mut(layer),
            SHADOWS.map(|kind| self.pipelines.get(kind)),
        ) else {
            return;
        };
        camera.fill(&self.gpu, &words);
        let group = self.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.shadow_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: camera.buffer.as_entire_binding() }],
        });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            depth_stencil_attachment: Some(depth_attachment(view, wgpu::LoadOp::Clear(1.0))),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_bind_group(0, &group, &[]);
        pass.set_vertex_buffer(1, self.buffers.casting.buffer.slice(..));
        for draw in draws {
            pass.set_pipeline(if draw.geometry.is_closed { closed } else { open });
            pass.set_vertex_buffer(0, draw.geometry.vertices.slice(..));
            pass.set_index_buffer(draw.geometry.indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..draw.geometry.count, 0, draw.instances.clone());
        }
    }

    fn frame_group(&self, stage: &Stage) -> BindGroup {
        let entries = [
            self.buffers.camera.buffer.as_entire_binding(),
            self.buffers.lights.buffer.as_entire_binding(),
            stage.materials.buffer.as_entire_binding(),
            wgpu::BindingResource::TextureView(&self.shadows.all),
            wgpu::BindingResource::Sampler(&self.shadows.sampler),
        ];
        let entries: Vec<_> = (0..)
            .zip(entries)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        self.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.frame_layout,
            entries: &entries,
        })
    }
}

fn buffer_entry(
    binding: u32,
    ty: wgpu::BufferBindingType,
    visibility: wgpu::ShaderStages,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
        count: None,
    }
}

fn frame_layout(device: &Device) -> BindGroupLayout {
    let fragment = wgpu::ShaderStages::FRAGMENT;
    let storage = wgpu::BufferBindingType::Storage { read_only: true };
    let bound = |binding, ty| wgpu::BindGroupLayoutEntry { binding, visibility: fragment, ty, count: None };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("frame"),
        entries: &[
            buffer_entry(0, wgpu::BufferBindingType::Uniform, wgpu::ShaderStages::VERTEX_FRAGMENT),
            buffer_entry(1, wgpu::BufferBindingType::Uniform, wgpu::ShaderStages::VERTEX_FRAGMENT),
            buffer_entry(2, storage, wgpu::ShaderStages::VERTEX),
            bound(
                3,
                wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Depth,
                    view_dimension: wgpu::TextureViewDimension::D2Array,
                    multisampled: false,
                },
            ),
            bound(4, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison)),
        ],
    })
}
