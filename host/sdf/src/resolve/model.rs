//! A top-level model and all models nested in it, flattened under scoped names.

use super::graph::{Carrier, Graph, LinkRef, ScopeId};
use super::joint::resolve_joints;
use crate::document::Origin;
use crate::element::{self, FramePose};
use crate::findings::Findings;
use crate::resolved::{Actor, Frame, Link, Model, Placed, Submodel};
use bridgehead_pose::Pose;

/// One scope of the traversal: a model, its pose in the top-level model, and the prefix of its names.
#[derive(Clone, Copy)]
pub(super) struct Scoped<'e> {
    pub(super) element: &'e element::Model,
    pub(super) scope: ScopeId,
    /// Its frame in the top-level model frame.
    pub(super) pose: Pose,
    is_static: bool,
    /// Its label, or that of the innermost model around it with one.
    label: Option<u32>,
}

/// Resolves every model of the world.
pub(super) fn resolve_models(graph: &mut Graph<'_>, world: &element::World) -> Vec<Model> {
    // A reading that has stopped has no result.
    let models =
        world.models.iter().take_while(|model| graph.budget().go_on(|| model.origin.location()).is_ok());
    let models: Vec<&element::Model> = models.collect();
    models.into_iter().filter_map(|model| resolve_model(graph, model)).collect()
}

/// Resolves an actor at `pose` in the world. Its links can refer to each other but not to the world.
pub(super) fn resolve_actor(actor: &element::Actor, pose: Pose, diagnostics: &mut Findings) -> Option<Actor> {
    let alone = element::Model {
        name: "actor".to_owned(),
        links: actor.links.clone(),
        label: actor.label,
        plugins: actor.plugins.clone(),
        origin: actor.origin.clone(),
        ..element::Model::default()
    };
    let around = element::World { models: vec![alone], ..element::World::default() };
    let mut graph = Graph::new(&around, diagnostics.budget());
    let model = resolve_models(&mut graph, &around).pop()?;
    diagnostics.append(graph.into_diagnostics());
    Some(Actor { element: actor.clone(), model: Model { name: actor.name.clone(), pose, ..model } })
}

fn resolve_model(graph: &mut Graph<'_>, element: &element::Model) -> Option<Model> {
    let scope = graph.model_scope(Graph::WORLD, &element.name)?;
    let mut model = Model {
        name: element.name.clone(),
        pose: graph.pose_of(Graph::WORLD, &element.name),
        is_static: element.is_static,
        self_collide: element.self_collide,
        placement_frame: element.placement_frame.clone(),
        allow_auto_disable: element.allow_auto_disable,
        entity: element.entity.clone().unwrap_or_default(),
        canonical_link: graph.canonical(scope).map(|link| link.link),
        links: Vec::new(),
        joints: Vec::new(),
        frames: Vec::new(),
        submodels: Vec::new(),
        plugins: element.plugins.clone(),
        uri: element.uri.clone(),
        origin: element.origin.clone(),
        include: element.include.clone(),
    };
    let (is_static, label) = (element.is_static, element.label);
    let top = Scoped { element, scope, pose: Pose::IDENTITY, is_static, label };
    add_links(graph, &mut model, top, "");
    // Joints refer to links of any depth, so they are added after all links.
    add_joints_and_frames(graph, &mut model, top, "");
    // A joint may follow one that comes later in the file.
    super::mimic::find_leaders(graph, &mut model);
    Some(model)
}

/// Links of a model, then those of its nested models: the order in which the graph has numbered them.
fn add_links(graph: &mut Graph<'_>, model: &mut Model, at: Scoped<'_>, prefix: &str) {
    for link in &at.element.links {
        if !graph.pays_for_name(prefix, &link.name, &link.origin) {
            return;
        }
        let resolved = resolve_link(graph, at, link, format!("{prefix}{}", link.name));
        model.links.push(resolved);
    }
    for nested in nested_models(graph, at) {
        if !graph.pays_for_name(prefix, &nested.element.name, &nested.element.origin) {
            return;
        }
        let name = format!("{prefix}{}", nested.element.name);
        let inner = format!("{name}::");
        model.submodels.push(Submodel {
            name,
            pose: nested.pose,
            is_static: nested.is_static,
            self_collide: nested.element.self_collide,
            placement_frame: nested.element.placement_frame.clone(),
            canonical_link: graph.canonical(nested.scope).map(|link: LinkRef| link.link),
            plugins: nested.element.plugins.clone(),
            origin: nested.element.origin.clone(),
        });
        add_links(graph, model, nested, &inner);
    }
}

fn add_joints_and_frames(graph: &mut Graph<'_>, model: &mut Model, at: Scoped<'_>, prefix: &str) {
    resolve_joints(graph, model, at, prefix);
    for frame in &at.element.frames {
        if !graph.pays_for_name(prefix, &frame.name, &frame.origin) {
            return;
        }
        let resolved = resolve_frame(graph, at, frame, prefix);
        model.frames.push(resolved);
    }
    for nested in nested_models(graph, at) {
        add_joints_and_frames(graph, model, nested, &format!("{prefix}{}::", nested.element.name));
    }
}

fn nested_models<'e>(graph: &mut Graph<'_>, at: Scoped<'e>) -> Vec<Scoped<'e>> {
    let models = at.element.models.iter().filter_map(|element| {
        let scope = graph.model_scope(at.scope, &element.name)?;
        let pose = at.pose.compose(&graph.pose_of(at.scope, &element.name));
        let is_static = at.is_static || element.is_static;
        Some(Scoped { element, scope, pose, is_static, label: element.label.or(at.label) })
    });
    models.collect()
}

fn resolve_link(graph: &mut Graph<'_>, at: Scoped<'_>, link: &element::Link, name: String) -> Link {
    let pose_in_scope = graph.pose_of(at.scope, &link.name);
    let mut place = |pose: &FramePose, origin: &Origin| place(graph, at.scope, &pose_in_scope, pose, origin);
    let mut visuals = placed(&link.visuals, |item| place(&item.pose, &item.origin));
    for visual in &mut visuals {
        visual.element.label = visual.element.label.or(at.label);
    }
    Link {
        name,
        pose: at.pose.compose(&pose_in_scope),
        is_static: at.is_static,
        inertial: link.inertial.clone(),
        gravity: link.gravity,
        enable_wind: link.enable_wind || at.element.enable_wind,
        kinematic: link.kinematic,
        self_collide: link.self_collide.unwrap_or(at.element.self_collide),
        velocity_decay: link.velocity_decay,
        collisions: placed(&link.collisions, |item| place(&item.pose, &item.origin)),
        visuals,
        sensors: placed(&link.sensors, |item| place(&item.pose, &item.origin)),
        lights: placed(&link.lights, |item| place(&item.pose, &item.origin)),
        batteries: link.batteries.clone(),
        origin: link.origin.clone(),
    }
}

/// Each element together with its pose.
pub(super) fn placed<T: Clone>(items: &[T], mut pose: impl FnMut(&T) -> Pose) -> Vec<Placed<T>> {
    items.iter().map(|item| Placed { pose: pose(item), element: item.clone() }).collect()
}

/// A pose written below a link or joint, in that holder's frame.
pub(super) fn place(
    graph: &mut Graph<'_>,
    scope: ScopeId,
    holder_in_scope: &Pose,
    written: &FramePose,
    origin: &Origin,
) -> Pose {
    match graph.written_pose(scope, written, origin) {
        Some(pose_in_scope) => pose_in_scope.relative_to(holder_in_scope),
        None => written.pose,
    }
}

fn resolve_frame(graph: &mut Graph<'_>, at: Scoped<'_>, frame: &element::Frame, prefix: &str) -> Frame {
    let carrier = graph.lookup(at.scope, &frame.name).and_then(|target| graph.carrier(target));
    let link = match carrier {
        Some(Carrier::Link(link)) => Some(link.link),
        Some(Carrier::World) | None => None,
    };
    Frame {
        name: format!("{prefix}{}", frame.name),
        pose: at.pose.compose(&graph.pose_of(at.scope, &frame.name)),
        link,
        origin: frame.origin.clone(),
    }
}
