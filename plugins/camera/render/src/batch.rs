//! Visuals in the order in which they are drawn, and their instances of one image.

use std::ops::Range;
use std::sync::Arc;

use bridgehead_messages::bridgehead_simulation_interfaces::{Scene, SceneMaterial, SceneVisual};
use bridgehead_messages::geometry_msgs::Pose;
use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

use crate::camera::{Placement, View, narrow, single};
use crate::geometry::{Geometries, Geometry, MESH, PLANE};
use crate::material::{self, Material};
use crate::store::Store;
use crate::textures::{Groups, NO_MAPS, Textures, maps_of};
use crate::words::Words;

/// A part of a visual: what is drawn with one material.
struct Item<S: Store> {
    geometry: Arc<Geometry<S>>,
    style: Style,
    node: usize,
    /// In the node.
    placement: Placement,
    scale: DVec3,
    /// Number of the visual, from 1.
    number: u32,
    material: u32,
    opacity: f32,
    flags: u32,
    casts: bool,
    is_plane: bool,
    /// Items with the same number are drawn by one call.
    batch: usize,
    /// True if it cannot shade itself.
    is_convex: bool,
    /// Centre in the node, and half the size along its own axes, of the box around it.
    center: DVec3,
    half: DVec3,
}

/// What must not change within a draw call, apart from the triangles. The order is the order of drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Style {
    /// True if what is behind it shows through.
    pub(crate) is_blended: bool,
    /// Bits of the features of its material.
    pub(crate) features: u32,
    pub(crate) maps: usize,
}

/// A draw call.
pub(crate) struct Draw<S: Store> {
    pub(crate) geometry: Arc<Geometry<S>>,
    pub(crate) style: Style,
    pub(crate) instances: Range<u32>,
}

/// A sphere and a box around something that is drawn, relative to the camera.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub(crate) center: DVec3,
    pub(crate) radius: f64,
    /// From the centre of the box to the middles of three faces.
    pub(crate) half: [DVec3; 3],
    pub(crate) is_convex: bool,
}

impl Bound {
    /// Returns how far the box reaches from its centre along a unit vector.
    pub(crate) fn reach(&self, along: DVec3) -> f64 {
        self.half.iter().map(|half| half.dot(along).abs()).sum()
    }
}

/// Where triangles are drawn, relative to the camera.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instance {
    pub(crate) rotation: Quat,
    pub(crate) position: Vec3,
    pub(crate) scale: Vec3,
    /// Of the visual; multiplied with that of the material.
    pub(crate) opacity: f32,
    /// Number of the visual, from 1.
    pub(crate) number: u32,
    /// Index of the material.
    pub(crate) material: u32,
}

/// Numbers of an instance, in 32-bit words.
pub(crate) const INSTANCE: usize = 16;

impl Instance {
    /// Appends the attributes of an instance for the shader.
    pub(crate) fn write(&self, words: &mut Words) {
        words.rotation(self.rotation);
        words.vector(self.position, self.opacity);
        words.vector(self.scale, 0.0);
        words.whole([self.number, self.material, 0, 0]);
    }
}

/// All visuals of a scene.
pub(crate) struct Batches<S: Store> {
    items: Vec<Item<S>>,
    pub(crate) materials: Vec<Material>,
    pub(crate) maps: Groups<S>,
}

/// The instances of one image.
pub(crate) struct Instances<S: Store> {
    pub(crate) list: Vec<Instance>,
    pub(crate) opaque: Vec<Draw<S>>,
    /// From far to near.
    pub(crate) blended: Vec<Draw<S>>,
    /// What is in the image, with its number among all of the scene.
    pub(crate) seen: Vec<(usize, Bound)>,
}

impl<S: Store> Default for Instances<S> {
    fn default() -> Self {
        Instances { list: Vec::new(), opaque: Vec::new(), blended: Vec::new(), seen: Vec::new() }
    }
}

impl<S: Store> Batches<S> {
    pub(crate) fn new(
        scene: &Scene,
        store: &S,
        geometries: &mut Geometries<S>,
        textures: &mut Textures<S>,
        content: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Self {
        let plain = material::plain();
        let materials = scene.materials.iter().chain([&plain]).map(Material::new).collect();
        let mut out = Batches { items: Vec::new(), materials, maps: Groups::default() };
        // The sky needs one too.
        textures.group_of(store, (&scene.textures, scene.revision), &mut out.maps, NO_MAPS, content);
        for (index, visual) in scene.visuals.iter().enumerate() {
            let mesh = usize::try_from(visual.mesh).ok().filter(|_| visual.r#type == MESH);
            let mesh = mesh.and_then(|mesh| scene.meshes.get(mesh));
            let hash = mesh.map(|mesh| mesh.hash.as_str());
            let shape = geometries.shape(store, visual, hash, scene.revision, content);
            for (part, geometry) in shape.parts.iter().enumerate() {
                let Some(geometry) = geometry else { continue };
                let of_mesh = mesh.and_then(|mesh| mesh.materials.get(part)).copied().unwrap_or(-1);
                let chosen = if visual.material >= 0 { visual.material } else { of_mesh };
                let chosen = usize::try_from(chosen).ok().filter(|index| *index < scene.materials.len());
                let source = chosen.and_then(|index| scene.materials.get(index)).unwrap_or(&plain);
                let (maps, is_translucent) = textures.group_of(
                    store,
                    (&scene.textures, scene.revision),
                    &mut out.maps,
                    maps_of(source),
                    content,
                );
                let number = chosen.unwrap_or(scene.materials.len());
                let drawn = Drawn { source, number, maps, is_translucent };
                out.items.extend(item(visual, index, geometry, shape.scale, &drawn));
            }
        }
        out.number_batches();
        out
    }

    /// Sorts the items by draw calls. The order depends on the scene alone, not on addresses, so that equal scenes give
    /// equal images; planes, which are mostly grounds, come last, because most of them is hidden.
    fn number_batches(&mut self) {
        let mut known: Vec<(Style, *const Geometry<S>)> = Vec::new();
        for item in &mut self.items {
            let key = (item.style, Arc::as_ptr(&item.geometry));
            item.batch = known.iter().position(|other| *other == key).unwrap_or_else(|| {
                known.push(key);
                known.len() - 1
            });
        }
        self.items.sort_by_key(|item| (item.style, item.is_plane, item.batch));
    }

    /// Writes the instances that can be in the image.
    pub(crate) fn see(&self, view: &View, nodes: &[Placement], out: &mut Instances<S>) {
        out.list.clear();
        out.opaque.clear();
        out.blended.clear();
        out.seen.clear();
        let axes = view.axes();
        let sides = view.sides(&axes);
        let mut before = Vec::new();
        let mut behind = Vec::new();
        let shown = self.items.iter().enumerate().filter(|(_, item)| item.flags & view.mask != 0);
        for (index, item) in shown {
            let Some(placed) = item.place(view, nodes) else { continue };
            let depth = axes.forward.dot(placed.bound.center);
            let is_seen = depth + placed.bound.radius >= view.near
                && depth - placed.bound.radius <= view.far
                && sides.iter().all(|side| side.dot(placed.bound.center) >= -placed.bound.radius);
            if is_seen {
                out.seen.push((index, placed.bound));
                let list = if item.style.is_blended { &mut behind } else { &mut before };
                list.push((depth, item, placed));
            }
        }
        // From near to far, so that few pixels are shaded twice.
        before.sort_by(|(one, left, _), (other, right, _)| {
            (left.is_plane, left.batch).cmp(&(right.is_plane, right.batch)).then(one.total_cmp(other))
        });
        for (_, item, placed) in before {
            push(item, &placed, &mut out.list, &mut out.opaque);
        }
        behind.sort_by(|(one, ..), (other, ..)| other.total_cmp(one));
        for (_, item, placed) in behind {
            push(item, &placed, &mut out.list, &mut out.blended);
        }
    }

    /// Writes the instances that cast shadows and for which `keep` is true.
    pub(crate) fn cast(
        &self,
        view: &View,
        nodes: &[Placement],
        keep: impl Fn(usize, &Bound) -> bool,
        list: &mut Vec<Instance>,
        draws: &mut Vec<Draw<S>>,
    ) {
        draws.clear();
        for (index, item) in self.casting(view) {
            let Some(placed) = item.place(view, nodes) else { continue };
            if keep(index, &placed.bound) {
                push(item, &placed, list, draws);
            }
        }
    }

    /// What casts shadows, with its number among all of the scene.
    pub(crate) fn casters(&self, view: &View, nodes: &[Placement]) -> Vec<(usize, Bound)> {
        let placed = self.casting(view).map(|(index, item)| Some((index, item.place(view, nodes)?.bound)));
        placed.flatten().collect()
    }

    fn casting(&self, view: &View) -> impl Iterator<Item = (usize, &Item<S>)> {
        let mask = view.mask;
        self.items.iter().enumerate().filter(move |(_, item)| item.casts && item.flags & mask != 0)
    }
}

/// A material for a part of a visual.
struct Drawn<'a> {
    source: &'a SceneMaterial,
    number: usize,
    maps: usize,
    is_translucent: bool,
}

fn item<S: Store>(
    visual: &SceneVisual,
    index: usize,
    geometry: &Arc<Geometry<S>>,
    scale: DVec3,
    drawn: &Drawn<'_>,
) -> Option<Item<S>> {
    let node = usize::try_from(visual.node).ok()?;
    let placement = placement(visual.pose.as_ref());
    let opacity = single(1.0 - visual.transparency.clamp(0.0, 1.0));
    let opaque = opacity * material::opacity(drawn.source);
    let is_valid = scale.is_finite() && scale.cmpne(DVec3::ZERO).all() && placement.position.is_finite();
    if !is_valid || opaque <= 0.0 {
        return None;
    }
    let has_cutoff = drawn.source.alpha_cutoff > 0.0;
    let is_mirrored = scale.x * scale.y * scale.z < 0.0;
    Some(Item {
        geometry: Arc::clone(geometry),
        style: Style {
            is_blended: opaque < 0.999 || (drawn.is_translucent && !has_cutoff),
            features: material::features(drawn.source) | if is_mirrored { material::DOUBLE_SIDED } else { 0 },
            maps: drawn.maps,
        },
        node,
        placement,
        scale,
        number: u32::try_from(index + 1).ok()?,
        material: u32::try_from(drawn.number).ok()?,
        opacity,
        flags: visual.visibility_flags,
        is_plane: visual.r#type == PLANE,
        batch: 0,
        casts: visual.cast_shadows && visual.r#type != PLANE && opaque >= 0.5,
        is_convex: visual.r#type != MESH,
        center: placement.position + placement.orientation * (geometry.center.as_dvec3() * scale),
        half: geometry.half.as_dvec3() * scale,
    })
}

struct Placed {
    rotation: DQuat,
    position: DVec3,
    bound: Bound,
}

impl<S: Store> Item<S> {
    fn place(&self, view: &View, nodes: &[Placement]) -> Option<Placed> {
        let node = nodes.get(self.node)?;
        let placed = node.compose(&self.placement);
        let center = node.position + node.orientation * self.center - view.placement.position;
        let position = placed.position - view.placement.position;
        let is_finite = center.is_finite() && position.is_finite() && placed.orientation.is_finite();
        let axes = DMat3::from_quat(placed.orientation);
        is_finite.then_some(Placed {
            rotation: placed.orientation,
            position,
            bound: Bound {
                center,
                radius: self.half.length(),
                half: [axes.x_axis * self.half.x, axes.y_axis * self.half.y, axes.z_axis * self.half.z],
                is_convex: self.is_convex,
            },
        })
    }
}

/// Appends an instance, to the last draw call if it fits.
fn push<S: Store>(item: &Item<S>, placed: &Placed, list: &mut Vec<Instance>, draws: &mut Vec<Draw<S>>) {
    let index = u32::try_from(list.len()).unwrap_or(u32::MAX);
    list.push(Instance {
        rotation: placed.rotation.as_quat(),
        position: narrow(placed.position),
        scale: narrow(item.scale),
        opacity: item.opacity,
        number: item.number,
        material: item.material,
    });
    match draws.last_mut() {
        Some(last)
            if last.style == item.style
                && Arc::ptr_eq(&last.geometry, &item.geometry)
                && last.instances.end == index =>
        {
            last.instances.end += 1;
        }
        _ => draws.push(Draw {
            geometry: Arc::clone(&item.geometry),
            style: item.style,
            instances: index..index + 1,
        }),
    }
}

/// Returns the placement of a pose in a message; the origin for none.
#[must_use]
pub fn placement(pose: Option<&Pose>) -> Placement {
    let Some(pose) = pose else { return Placement::IDENTITY };
    let position = pose.position.as_ref().map_or(DVec3::ZERO, |at| DVec3::new(at.x, at.y, at.z));
    let turn = pose.orientation.as_ref();
    let turn = turn.map_or(DQuat::IDENTITY, |turn| DQuat::from_xyzw(turn.x, turn.y, turn.z, turn.w));
    Placement { position, orientation: turn }
}
