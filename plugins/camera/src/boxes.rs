//! Boxes in the image around objects.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::Scene;
use bridgehead_render::{Placement, placement};
use glam::{DVec2, DVec3};

use crate::classes::Classes;
use crate::lens::Lens;

/// First and last column and row of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub(crate) low: DVec2,
    pub(crate) high: DVec2,
}

impl Extent {
    fn grow(extent: &mut Option<Extent>, at: DVec2) {
        let grown = extent.map_or(Extent { low: at, high: at }, |extent| Extent {
            low: extent.low.min(at),
            high: extent.high.max(at),
        });
        *extent = Some(grown);
    }
}

/// Returns the box around the visible pixels of each object; `None` for those that are not seen.
pub(crate) fn visible(classes: &Classes, visuals: &[u32], width: u32) -> Vec<Option<Extent>> {
    let mut out = vec![None; classes.labels.len()];
    for (row, line) in (0_u32..).zip(visuals.chunks(width.max(1) as usize)) {
        for (column, visual) in (0_u32..).zip(line) {
            let object = classes.object(*visual);
            if let Some(extent) = out.get_mut(object.index as usize).filter(|_| object.number > 0) {
                Extent::grow(extent, DVec2::new(f64::from(column), f64::from(row)));
            }
        }
    }
    out
}

/// Returns the box around each object that is seen as if nothing hid it: around the corners of its shapes, within the
/// image.
pub(crate) fn full(
    classes: &Classes,
    scene: &Scene,
    lens: &Lens,
    camera: &Placement,
    nodes: &[Placement],
    visible: &[Option<Extent>],
) -> Vec<Option<Extent>> {
    let mut out = vec![None; classes.labels.len()];
    let last = DVec2::from(lens.size.map(|size| f64::from(size) - 1.0));
    for (number, visual) in (1_u32..).zip(&scene.visuals) {
        let object = classes.object(number);
        let index = object.index as usize;
        let is_seen = object.number > 0 && visible.get(index).is_some_and(Option::is_some);
        let node = usize::try_from(visual.node).ok().and_then(|node| nodes.get(node));
        let (Some(node), Some(size), true) = (node, &visual.size, is_seen) else { continue };
        // Meshes have factors instead of a size: what is seen of them is the best that is known.
        if visual.mesh >= 0 {
            if let (Some(extent), Some(seen)) = (out.get_mut(index), visible.get(index).copied().flatten()) {
                [seen.low, seen.high].into_iter().for_each(|at| Extent::grow(extent, at));
            }
            continue;
        }
        let placed = node.compose(&placement(visual.pose.as_ref()));
        let half = DVec3::new(size.x, size.y, size.z) / 2.0;
        for corner in 0..8 {
            let sign = |bit: u32| if corner & (1 << bit) == 0 { -1.0 } else { 1.0 };
            let point = placed.position + placed.orientation * (half * DVec3::new(sign(0), sign(1), sign(2)));
            let inside = camera.orientation.inverse() * (point - camera.position);
            if let (Some(at), Some(extent)) = (lens.project(inside), out.get_mut(index)) {
                Extent::grow(extent, at.clamp(DVec2::ZERO, last));
            }
        }
    }
    out
}
