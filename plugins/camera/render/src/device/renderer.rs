//! Drawing an image: instances, shadow maps, passes.

use bridgehead_messages::bridgehead_simulation_interfaces::Scene;
use wgpu::{BindGroup, BindGroupLayout, BufferUsages, CommandEncoder, Device, RenderPass};

use super::adapter::Gpu;
use super::buffer::Grown;
use super::passes::{Pass, begin, depth_attachment, passes};
use super::pipelines::{Kind, Lighting, Pipelines};
use super::shadow_maps::ShadowMaps;
use super::store::Graphics;
use super::target::Target;
use crate::batch::{Batches, Draw, Instance, Instances};
use crate::camera::{Axes, Placement, View};
use crate::choice::Choice;
use crate::error::RenderError;
use crate::frame::{CAMERA_VECTORS, Frame};
use crate::geometry::Geometries;
use crate::lights::{self, Lamp, Shadow};
use crate::material::linear;
use crate::shadow;
use crate::target::Wanted;
use crate::textures::Textures;
use crate::words::Words;

/// The pipelines of shadow maps: for surfaces with two sides, and for closed ones.
const SHADOWS: [Kind; 2] = [Kind::Shadow { is_closed: false }, Kind::Shadow { is_closed: true }];

/// A scene on the device.
pub(crate) struct Content {
    batches: Batches<Graphics>,
    materials: Grown,
}

/// A device, with all that does not belong to one scene.
pub(crate) struct Renderer {
    gpu: Gpu,
    store: Graphics,
    pipelines: Pipelines,
    frame_layout: BindGroupLayout,
    shadow_layout: BindGroupLayout,
    geometries: Geometries<Graphics>,
    textures: Textures<Graphics>,
    shadows: ShadowMaps,
    buffers: Buffers,
    /// Reused from image to image.
    instances: Instances<Graphics>,
    casting: Vec<Instance>,
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
    pub(crate) fn new(choice: &Choice) -> Result<Self, RenderError> {
        let gpu = Gpu::open(choice)?;
        let device = &gpu.device;
        let frame_layout = frame_layout(device);
        let shadow_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("shadow"),
            entries: &[buffer_entry(0, wgpu::BufferBindingType::Uniform, wgpu::ShaderStages::VERTEX)],
        });
        let store = Graphics::new(&gpu);
        let textures = Textures::new(&store);
        let pipelines = Pipelines::new(device, &frame_layout, &shadow_layout, store.layout());
        let buffers = Buffers {
            camera: Grown::new(device, BufferUsages::UNIFORM),
            lights: Grown::new(device, BufferUsages::UNIFORM),
            instances: Grown::new(device, BufferUsages::VERTEX),
            casting: Grown::new(device, BufferUsages::VERTEX),
            shadow_cameras: Vec::new(),
        };
        let shadows = ShadowMaps::new(device, 1, 1);
        let renderer = Renderer {
            store,
            pipelines,
            frame_layout,
            shadow_layout,
            geometries: Geometries::default(),
            textures,
            shadows,
            buffers,
            instances: Instances::default(),
            casting: Vec::new(),
            lighting: Lighting::default(),
            gpu,
        };
        renderer.gpu.check()?;
        Ok(renderer)
    }

    /// Name of the adapter, with its driver.
    pub(crate) fn adapter(&self) -> &str {
        &self.gpu.name
    }

    /// Uploads a scene.
    pub(crate) fn load(
        &mut self,
        scene: &Scene,
        content: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Content, RenderError> {
        let batches = Batches::new(scene, &self.store, &mut self.geometries, &mut self.textures, content);
        self.geometries.keep(scene.revision);
        self.textures.keep(scene.revision);
        let mut materials = Grown::new(&self.gpu.device, BufferUsages::STORAGE);
        let mut words = Words::default();
        batches.materials.iter().for_each(|material| material.write(&mut words));
        materials.fill(&self.gpu, &words);
        self.gpu.check()?;
        Ok(Content { batches, materials })
    }

    /// Makes the images of a camera.
    pub(crate) fn target(&self, size: [u32; 2], wanted: Wanted) -> Result<Target, RenderError> {
        let target = self.gpu.scoped(|| Target::new(&self.gpu, size, wanted))??;
        self.gpu.check()?;
        Ok(target)
    }

    /// Ends the device, as if its driver had stopped.
    pub(crate) fn lose(&self) {
        self.gpu.device.destroy();
    }

    /// Lets the device draw a scene with its nodes at these places.
    pub(crate) fn draw(
        &mut self,
        (scene, content): (&Scene, &Content),
        target: &mut Target,
        view: &View,
        nodes: &[Placement],
    ) -> Result<(), RenderError> {
        let axes = view.axes();
        content.batches.see(view, nodes, &mut self.instances);
        self.buffers.instances.fill(&self.gpu, &words_of(&self.instances.list));
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let lamps = if target.wanted.color { lights::lamps(scene, view, nodes) } else { Vec::new() };
        let shadows = self.draw_shadows(&mut encoder, content, (view, &axes), nodes, &lamps);
        let mut words = Words::default();
        lights::write(&mut words, &lights::lights(scene, &lamps, &shadows));
        self.buffers.lights.fill(&self.gpu, &words);
        let frame = Frame::new(scene, view, &axes);
        self.buffers.camera.fill(&self.gpu, &frame.words());
        let group = self.frame_group(content);
        self.lighting = Lighting {
            lights: u32::try_from(lamps.len()).unwrap_or(0),
            has_lamps: lamps.iter().any(|lamp| lamp.kind != lights::Kind::Directional),
            has_shadows: shadows.iter().any(Option::is_some),
            has_sun: lamps.first().is_some_and(|lamp| lamp.kind == lights::Kind::Directional)
                && shadows.first().is_some_and(Option::is_some),
            has_fog: frame.fog.is_some(),
        };
        self.prepare(target.wanted);
        self.draw_passes(&mut encoder, (scene, content), target, &group);
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

    fn draw_passes(
        &self,
        encoder: &mut CommandEncoder,
        (scene, content): (&Scene, &Content),
        target: &Target,
        frame: &BindGroup,
    ) {
        let around = scene.surroundings.as_ref();
        let background = linear(around.and_then(|around| around.background.as_ref()));
        for pass in passes(target.wanted, !self.instances.blended.is_empty()) {
            let mut drawn = begin(encoder, target, pass, background);
            drawn.set_bind_group(0, frame, &[]);
            drawn.set_vertex_buffer(1, self.buffers.instances.buffer.slice(..));
            let draws = if pass.draws_blended { &self.instances.blended } else { &self.instances.opaque };
            self.draw_visuals(&mut drawn, content, pass, draws);
            if pass.has_sky && around.is_some_and(|around| around.sky) {
                let sky = pass.sky(self.lighting.has_fog);
                if let (Some(pipeline), Some(maps)) = (self.pipelines.get(sky), content.batches.maps.get(0)) {
                    drawn.set_pipeline(pipeline);
                    drawn.set_bind_group(1, maps, &[]);
                    drawn.draw(0..3, 0..1);
                }
            }
        }
    }

    fn draw_visuals(
        &self,
        drawn: &mut RenderPass<'_>,
        content: &Content,
        pass: Pass,
        draws: &[Draw<Graphics>],
    ) {
        let mut present = None;
        for draw in draws {
            let kind = pass.visual(draw.style, self.lighting);
            let (Some(pipeline), Some(maps)) =
                (self.pipelines.get(kind), content.batches.maps.get(draw.style.maps))
            else {
                continue;
            };
            if present != Some((kind, draw.style.maps)) {
                drawn.set_pipeline(pipeline);
                drawn.set_bind_group(1, maps, &[]);
                present = Some((kind, draw.style.maps));
            }
            drawn.set_vertex_buffer(0, draw.geometry.mesh.vertices.slice(..));
            drawn.set_index_buffer(draw.geometry.mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
            drawn.draw_indexed(0..draw.geometry.count, 0, draw.instances.clone());
        }
    }

    /// Draws the shadow maps of the first lights that need one.
    fn draw_shadows(
        &mut self,
        encoder: &mut CommandEncoder,
        content: &Content,
        (view, axes): (&View, &Axes),
        nodes: &[Placement],
        lamps: &[Lamp],
    ) -> Vec<Option<Shadow>> {
        let size = if self.gpu.is_software { shadow::SIZE_IN_SOFTWARE } else { shadow::SIZE };
        let casters = match lamps.iter().any(|lamp| lamp.casts) {
            true => content.batches.casters(view, nodes),
            false => Vec::new(),
        };
        let bounds = (casters.as_slice(), self.instances.seen.as_slice());
        let (shadows, fits) = shadow::fits(lamps, view, axes, size, bounds);
        if fits.len() > self.shadows.layers.len() || (!fits.is_empty() && !self.shadows.is_real()) {
            self.shadows = ShadowMaps::new(&self.gpu.device, size, fits.len());
        }
        self.pipelines.prepare(&self.gpu.device, SHADOWS.into_iter().filter(|_| !fits.is_empty()));
        self.casting.clear();
        let mut draws = Vec::with_capacity(fits.len());
        for fit in &fits {
            let mut of_light = Vec::new();
            content.batches.cast(
                view,
                nodes,
                |index, bound| fit.touches(index, bound),
                &mut self.casting,
                &mut of_light,
            );
            draws.push(of_light);
        }
        self.buffers.casting.fill(&self.gpu, &words_of(&self.casting));
        for (layer, (fit, draws)) in fits.iter().zip(&draws).enumerate() {
            self.draw_shadow(encoder, layer, fit, draws);
        }
        shadows
    }

    fn draw_shadow(
        &mut self,
        encoder: &mut CommandEncoder,
        layer: usize,
        fit: &shadow::Fit,
        draws: &[Draw<Graphics>],
    ) {
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
            pass.set_vertex_buffer(0, draw.geometry.mesh.vertices.slice(..));
            pass.set_index_buffer(draw.geometry.mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..draw.geometry.count, 0, draw.instances.clone());
        }
    }

    fn frame_group(&self, content: &Content) -> BindGroup {
        let entries = [
            self.buffers.camera.buffer.as_entire_binding(),
            self.buffers.lights.buffer.as_entire_binding(),
            content.materials.buffer.as_entire_binding(),
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

/// Returns the attributes of instances.
fn words_of(instances: &[Instance]) -> Words {
    let mut words = Words::default();
    instances.iter().for_each(|instance| instance.write(&mut words));
    words
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
