//! The pipelines of the device, each made when it is used first.

use std::collections::HashMap;

use wgpu::{BindGroupLayout, BlendState, ColorTargetState, Device, RenderPipeline, TextureFormat};

use crate::material::{DOUBLE_SIDED, FEATURES};
use crate::shapes::VERTEX;

/// Formats of the images.
pub(crate) const COLOR: TextureFormat = TextureFormat::Rgba8UnormSrgb;
pub(crate) const DEPTH: TextureFormat = TextureFormat::R32Float;
pub(crate) const VISUAL: TextureFormat = TextureFormat::R32Uint;
pub(crate) const BUFFER: TextureFormat = TextureFormat::Depth32Float;

/// What a pass writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Output {
    Color,
    Geometry,
    Everything,
}

/// What lights an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Lighting {
    pub(crate) lights: u32,
    /// Some light is not directional.
    pub(crate) has_lamps: bool,
    pub(crate) has_shadows: bool,
    /// The first light is directional and has a shadow.
    pub(crate) has_sun: bool,
    pub(crate) has_fog: bool,
}

/// What a pipeline depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Visual { output: Output, samples: u32, is_blended: bool, features: u32, lighting: Lighting },
    Sky { output: Output, samples: u32, has_fog: bool },
    Shadow { is_closed: bool },
}

pub(crate) struct Pipelines {
    shader: wgpu::ShaderModule,
    layout: wgpu::PipelineLayout,
    shadow_layout: wgpu::PipelineLayout,
    made: HashMap<Kind, RenderPipeline>,
}

impl Pipelines {
    pub(crate) fn new(
        device: &Device,
        frame: &BindGroupLayout,
        shadow: &BindGroupLayout,
        maps: &BindGroupLayout,
    ) -> Self {
        let layout = |groups: &[Option<&BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: None,
                bind_group_layouts: groups,
                ..wgpu::PipelineLayoutDescriptor::default()
            })
        };
        Pipelines {
            shader: device.create_shader_module(wgpu::include_wgsl!("shader.wgsl")),
            layout: layout(&[Some(frame), Some(maps)]),
            shadow_layout: layout(&[Some(shadow)]),
            made: HashMap::new(),
        }
    }

    /// Makes the pipelines of these kinds that are not there.
    pub(crate) fn prepare(&mut self, device: &Device, kinds: impl IntoIterator<Item = Kind>) {
        for kind in kinds {
            if !self.made.contains_key(&kind) {
                let pipeline = self.make(device, kind);
                self.made.insert(kind, pipeline);
            }
        }
    }

    pub(crate) fn get(&self, kind: Kind) -> Option<&RenderPipeline> {
        self.made.get(&kind)
    }

    fn make(&self, device: &Device, kind: Kind) -> RenderPipeline {
        let (output, samples, entry) = match kind {
            Kind::Visual { output, samples, .. } => (Some(output), samples, "visual"),
            Kind::Sky { output, samples, .. } => (Some(output), samples, "sky"),
            Kind::Shadow { .. } => (None, 1, "shadow"),
        };
        let constants = constants(kind);
        let options = wgpu::PipelineCompilationOptions {
            constants: &constants,
            ..wgpu::PipelineCompilationOptions::default()
        };
        let targets = output.map(|output| targets(output, kind)).unwrap_or_default();
        let fragment = output.map(|output| wgpu::FragmentState {
            module: &self.shader,
            entry_point: Some(fragment_of(output, kind)),
            compilation_options: options.clone(),
            targets: &targets,
        });
        let buffers = [Some(vertex_layout()), Some(instance_layout())];
        let hidden = match kind {
            Kind::Visual { features, .. } => (features & DOUBLE_SIDED == 0).then_some(wgpu::Face::Back),
            // What a closed shape hides from the light begins behind it, so that it does not shade its own lit side.
            Kind::Shadow { is_closed } => is_closed.then_some(wgpu::Face::Front),
            Kind::Sky { .. } => None,
        };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(if matches!(kind, Kind::Shadow { .. }) {
                &self.shadow_layout
            } else {
                &self.layout
            }),
            vertex: wgpu::VertexState {
                module: &self.shader,
                entry_point: Some(entry),
                compilation_options: options,
                buffers: if matches!(kind, Kind::Sky { .. }) { &[] } else { &buffers },
            },
            primitive: wgpu::PrimitiveState { cull_mode: hidden, ..wgpu::PrimitiveState::default() },
            depth_stencil: Some(depth_test(kind)),
            multisample: wgpu::MultisampleState { count: samples, ..wgpu::MultisampleState::default() },
            fragment,
            multiview_mask: None,
            cache: None,
        })
    }
}

/// The constants of the shader.
fn constants(kind: Kind) -> Vec<(&'static str, f64)> {
    let (features, lighting) = match kind {
        Kind::Visual { features, lighting, .. } => (features, lighting),
        Kind::Sky { has_fog, .. } => (0, Lighting { has_fog, ..Lighting::default() }),
        Kind::Shadow { .. } => (0, Lighting::default()),
    };
    let of_surface = FEATURES.iter().enumerate().map(|(bit, name)| (*name, f64::from((features >> bit) & 1)));
    let of_light = [
        ("LIGHTS", f64::from(lighting.lights)),
        ("LAMPS", f64::from(u8::from(lighting.has_lamps))),
        ("SHADOWS", f64::from(u8::from(lighting.has_shadows))),
        ("SUN", f64::from(u8::from(lighting.has_sun))),
        ("FOG", f64::from(u8::from(lighting.has_fog))),
    ];
    of_surface.chain(of_light).collect()
}

fn fragment_of(output: Output, kind: Kind) -> &'static str {
    match (output, kind) {
        (Output::Everything, Kind::Sky { .. }) => "sky_everything",
        (_, Kind::Sky { .. }) => "sky_only",
        (Output::Color, _) => "color",
        (Output::Geometry, _) => "geometry",
        (Output::Everything, _) => "everything",
    }
}

fn targets(output: Output, kind: Kind) -> Vec<Option<ColorTargetState>> {
    let target = |format, blend| Some(ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL });
    let is_blended = matches!(kind, Kind::Visual { is_blended: true, .. });
    let color = target(COLOR, is_blended.then_some(BlendState::ALPHA_BLENDING));
    match output {
        Output::Color => vec![color],
        Output::Geometry => vec![target(DEPTH, None), target(VISUAL, None)],
        Output::Everything => vec![color, target(DEPTH, None), target(VISUAL, None)],
    }
}

/// Depth is 1 at the near plane, which leaves the fine steps of small numbers to what is far. Shadow maps are the other
/// way round.
fn depth_test(kind: Kind) -> wgpu::DepthStencilState {
    let writes =
        !matches!(kind, Kind::Visual { is_blended: true, output: Output::Color, .. } | Kind::Sky { .. });
    let (compare, bias) = match kind {
        Kind::Shadow { is_closed } => (
            wgpu::CompareFunction::LessEqual,
            if is_closed {
                wgpu::DepthBiasState::default()
            } else {
                wgpu::DepthBiasState { constant: 2, slope_scale: 2.0, clamp: 0.0 }
            },
        ),
        _ => (wgpu::CompareFunction::GreaterEqual, wgpu::DepthBiasState::default()),
    };
    wgpu::DepthStencilState {
        format: BUFFER,
        depth_write_enabled: Some(writes),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias,
    }
}

const VERTEX_ATTRIBUTES: [wgpu::VertexAttribute; 3] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2];
const INSTANCE_ATTRIBUTES: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![3 => Float32x4, 4 => Float32x4, 5 => Float32x4, 6 => Uint32x4];

fn vertex_layout() -> wgpu::VertexBufferLayout<'static> {
    wgpu::VertexBufferLayout {
        array_stride: 4 * VERTEX as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &VERTEX_ATTRIBUTES,
    }
}

fn instance_layout() -> wgpu::VertexBufferLayout<'static> {
    wgpu::VertexBufferLayout {
        array_stride: 4 * crate::batch::INSTANCE as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &INSTANCE_ATTRIBUTES,
    }
}
