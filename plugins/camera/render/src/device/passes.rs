//! The passes over the visuals of an image.

use glam::Vec3;
use wgpu::{CommandEncoder, RenderPass, TextureView};

use super::pipelines::{Kind, Lighting, Output};
use super::target::Target;
use crate::batch::Style;
use crate::material::{COLOR_MAP, CUTOFF, DOUBLE_SIDED};
use crate::target::Wanted;

/// A pass over some of the visuals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    pub(crate) output: Output,
    pub(crate) samples: u32,
    pub(crate) draws_blended: bool,
    is_blended: bool,
    pub(crate) has_sky: bool,
    /// True if it begins with empty images.
    clears: bool,
}

impl Pass {
    /// The pipeline for visuals of a style.
    pub(crate) fn visual(&self, style: Style, lighting: Lighting) -> Kind {
        let (output, samples, is_blended) = (self.output, self.samples, self.is_blended);
        // What does not matter must not make another pipeline.
        let (features, lighting) = match output {
            Output::Geometry => (style.features & (CUTOFF | COLOR_MAP | DOUBLE_SIDED), Lighting::default()),
            Output::Color | Output::Everything => (style.features, lighting),
        };
        Kind::Visual { output, samples, is_blended, features, lighting }
    }

    pub(crate) fn sky(&self, has_fog: bool) -> Kind {
        Kind::Sky { output: self.output, samples: self.samples, has_fog }
    }
}

/// The passes of an image. Opaque visuals fill all images at once; those behind which something shows are drawn over the
/// colours, and count as opaque for depths and visuals.
pub(crate) fn passes(wanted: Wanted, has_blended: bool) -> impl Iterator<Item = Pass> {
    let samples = wanted.samples.max(1);
    let pass = |output, samples| Pass {
        output,
        samples,
        draws_blended: false,
        is_blended: false,
        has_sky: output != Output::Geometry,
        clears: true,
    };
    let blended = |output, samples| Pass {
        draws_blended: true,
        is_blended: output == Output::Color,
        has_sky: false,
        clears: false,
        ..pass(output, samples)
    };
    let at_once = wanted.color && wanted.geometry && samples == 1;
    let color = (wanted.color && !at_once).then(|| pass(Output::Color, samples));
    let geometry = (wanted.geometry && !at_once).then(|| pass(Output::Geometry, 1));
    let all = at_once.then(|| pass(Output::Everything, 1));
    let over = (wanted.color && has_blended).then(|| blended(Output::Color, samples));
    let behind = (wanted.geometry && has_blended).then(|| blended(Output::Geometry, 1));
    [all, color, over, geometry, behind].into_iter().flatten()
}

pub(crate) fn begin<'a>(
    encoder: &'a mut CommandEncoder,
    target: &Target,
    pass: Pass,
    background: Vec3,
) -> RenderPass<'a> {
    let [r, g, b] = background.to_array().map(f64::from);
    let clear = |color| if pass.clears { wgpu::LoadOp::Clear(color) } else { wgpu::LoadOp::Load };
    let attachment = |view, resolve_target, color| wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target,
        ops: wgpu::Operations { load: clear(color), store: wgpu::StoreOp::Store },
    };
    let color = target.color.as_ref().filter(|_| pass.output != Output::Geometry).map(|plane| {
        let back = wgpu::Color { r, g, b, a: 1.0 };
        match &target.samples {
            Some(samples) if pass.samples > 1 => attachment(samples, Some(&plane.view), back),
            _ => attachment(&plane.view, None, back),
        }
    });
    let far = wgpu::Color { r: f64::INFINITY, g: 0.0, b: 0.0, a: 0.0 };
    let geometry = pass.output != Output::Color;
    let depth = target.depth.as_ref().filter(|_| geometry).map(|plane| attachment(&plane.view, None, far));
    let visual = target
        .visual
        .as_ref()
        .filter(|_| geometry)
        .map(|plane| attachment(&plane.view, None, wgpu::Color::TRANSPARENT));
    let attachments: Vec<_> = [color, depth, visual].into_iter().flatten().map(Some).collect();
    let buffer = match &target.sampled_buffer {
        Some(sampled) if pass.samples > 1 => sampled,
        _ => &target.buffer,
    };
    let load = if pass.clears { wgpu::LoadOp::Clear(0.0) } else { wgpu::LoadOp::Load };
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &attachments,
        depth_stencil_attachment: Some(depth_attachment(buffer, load)),
        ..wgpu::RenderPassDescriptor::default()
    })
}

pub(crate) fn depth_attachment(
    view: &TextureView,
    load: wgpu::LoadOp<f32>,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations { load, store: wgpu::StoreOp::Store }),
        stencil_ops: None,
    }
}
