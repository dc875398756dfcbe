//! The frames of a world by scope. The pose of each is computed once, on demand.
//!
//! The world and every model is a scope with a frame of its own (`world`, `__model__`) and named entries: links, joints,
//! frames, models. A pose is found by following `relative_to` from entry to entry until the scope's own frame. Chains of
//! entries are walked in a loop, only nested scopes recurse, so depth is bounded by the parser.

mod carrier;

pub(super) use carrier::Carrier;

use crate::budget::Budget;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Origin;
use crate::element::{Frame, FramePose, Joint, Link, Model, World};
use crate::findings::Findings;
use crate::limits::Limit;
use bridgehead_pose::Pose;
use std::collections::HashMap;

/// Index of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ScopeId(usize);

/// A link of the world: which top-level model, and which of its flattened links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LinkRef {
    pub(super) model: usize,
    pub(super) link: usize,
}

/// A frame: an entry of a scope, or the scope's own frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Target {
    scope: ScopeId,
    entry: Option<usize>,
}

struct Scope<'e> {
    /// The enclosing scope and the entry in it; `None` for the world.
    holder: Option<(ScopeId, usize)>,
    entries: Vec<Entry<'e>>,
    by_name: HashMap<&'e str, usize>,
    canonical: Option<LinkRef>,
}

struct Entry<'e> {
    name: &'e str,
    kind: Kind<'e>,
    pose: &'e FramePose,
    origin: &'e Origin,
    state: State,
    /// What it moves with, if computed already; the inner `None` is an unresolved attachment.
    carrier: Option<Option<Carrier>>,
}

#[derive(Clone, Copy)]
enum Kind<'e> {
    Link(LinkRef),
    Joint { child: &'e str },
    Frame { attached_to: Option<&'e str> },
    Model { scope: ScopeId, placement: Option<&'e str> },
}

#[derive(Clone, Copy)]
enum State {
    Unknown,
    Visiting,
    Known(Pose),
}

/// All scopes of a world.
pub(super) struct Graph<'e> {
    scopes: Vec<Scope<'e>>,
    diagnostics: Findings,
}

impl<'e> Graph<'e> {
    /// The scope of the world itself.
    pub(super) const WORLD: ScopeId = ScopeId(0);

    pub(super) fn new(world: &'e World, budget: &Budget) -> Self {
        let mut graph = Self { scopes: Vec::new(), diagnostics: Findings::new(budget) };
        graph.add_scope(None);
        for (index, model) in world.models.iter().enumerate() {
            graph.add_model(Self::WORLD, model, &mut LinkRef { model: index, link: 0 });
        }
        graph.add_frames(Self::WORLD, &world.frames);
        graph.add_joints(Self::WORLD, &world.joints);
        graph
    }

    pub(super) fn into_diagnostics(self) -> Findings {
        self.diagnostics
    }

    /// The budget of the reading.
    pub(super) fn budget(&self) -> &Budget {
        self.diagnostics.budget()
    }

    /// Charges a scoped name, which contains the names of all models around it. Returns false if the reading has stopped.
    pub(super) fn pays_for_name(&self, prefix: &str, name: &str, origin: &Origin) -> bool {
        let bytes = (prefix.len() + name.len()) as u64;
        self.budget().charge(Limit::Names, bytes, || origin.location()).is_ok()
    }

    fn scope(&self, id: ScopeId) -> &Scope<'e> {
        // Scope ids are made by `add_scope` only.
        &self.scopes[id.0]
    }

    fn add_scope(&mut self, holder: Option<(ScopeId, usize)>) -> ScopeId {
        self.scopes.push(Scope { holder, entries: Vec::new(), by_name: HashMap::new(), canonical: None });
        ScopeId(self.scopes.len() - 1)
    }

    fn add_entry(
        &mut self,
        scope: ScopeId,
        name: &'e str,
        kind: Kind<'e>,
        pose: &'e FramePose,
        origin: &'e Origin,
    ) {
        let scope = &mut self.scopes[scope.0];
        scope.by_name.entry(name).or_insert(scope.entries.len());
        scope.entries.push(Entry { name, kind, pose, origin, state: State::Unknown, carrier: None });
    }

    /// Adds a model and its content; `next` is the number of its next link, and is increased.
    fn add_model(&mut self, around: ScopeId, model: &'e Model, next: &mut LinkRef) {
        let scope = self.add_scope(Some((around, self.scope(around).entries.len())));
        let kind = Kind::Model { scope, placement: model.placement_frame.as_deref() };
        self.add_entry(around, &model.name, kind, &model.pose, &model.origin);
        for Link { name, pose, origin, .. } in &model.links {
            self.add_entry(scope, name, Kind::Link(*next), pose, origin);
            next.link += 1;
        }
        for nested in &model.models {
            self.add_model(scope, nested, next);
        }
        self.add_frames(scope, &model.frames);
        self.add_joints(scope, &model.joints);
        self.scopes[scope.0].canonical = self.find_canonical(scope, model);
    }

    fn add_frames(&mut self, scope: ScopeId, frames: &'e [Frame]) {
        for Frame { name, attached_to, pose, origin } in frames {
            self.add_entry(scope, name, Kind::Frame { attached_to: attached_to.as_deref() }, pose, origin);
        }
    }

    fn add_joints(&mut self, scope: ScopeId, joints: &'e [Joint]) {
        for Joint { name, child, pose, origin, .. } in joints {
            self.add_entry(scope, name, Kind::Joint { child }, pose, origin);
        }
    }

    /// The canonical link: the named one, otherwise the first of the model, otherwise that of its first
    /// nested model.
    fn find_canonical(&mut self, scope: ScopeId, model: &'e Model) -> Option<LinkRef> {
        if let Some(name) = model.canonical_link.as_deref() {
            match self.lookup(scope, name).and_then(|target| self.link_of(target)) {
                Some(link) => return Some(link),
                None => self.report(
                    Code::CanonicalLinkInvalid,
                    &model.origin,
                    format!("canonical_link `{name}` in model `{}`", model.name),
                    "a link of the model; its first link is used",
                ),
            }
        }
        let entries = &self.scope(scope).entries;
        let own = entries
            .iter()
            .find_map(|entry| if let Kind::Link(link) = entry.kind { Some(link) } else { None });
        own.or_else(|| {
            entries.iter().find_map(|entry| match entry.kind {
                Kind::Model { scope, .. } => self.scope(scope).canonical,
                Kind::Link(_) | Kind::Joint { .. } | Kind::Frame { .. } => None,
            })
        })
    }

    fn link_of(&self, target: Target) -> Option<LinkRef> {
        match self.entry(target)?.kind {
            Kind::Link(link) => Some(link),
            Kind::Joint { .. } | Kind::Frame { .. } | Kind::Model { .. } => None,
        }
    }

    fn entry(&self, target: Target) -> Option<&Entry<'e>> {
        target.entry.and_then(|entry| self.scope(target.scope).entries.get(entry))
    }

    /// The link that carries a model's frame.
    pub(super) fn canonical(&self, scope: ScopeId) -> Option<LinkRef> {
        self.scope(scope).canonical
    }

    /// The scope of the model with a name.
    pub(super) fn model_scope(&self, around: ScopeId, name: &str) -> Option<ScopeId> {
        match self.entry(self.lookup(around, name)?)?.kind {
            Kind::Model { scope, .. } => Some(scope),
            Kind::Link(_) | Kind::Joint { .. } | Kind::Frame { .. } => None,
        }
    }

    /// Looks up a name in a scope: the scope's own frame, an entry, or `A::B` in a nested model.
    pub(super) fn lookup(&self, scope: ScopeId, name: &str) -> Option<Target> {
        let own = if scope == Self::WORLD { "world" } else { "__model__" };
        if name == own {
            return Some(Target { scope, entry: None });
        }
        // Before SDF 1.8 a name could contain `::`, so the whole name is tried first.
        if let Some(entry) = self.scope(scope).by_name.get(name) {
            return Some(Target { scope, entry: Some(*entry) });
        }
        let (model, rest) = name.split_once("::")?;
        let entry = *self.scope(scope).by_name.get(model)?;
        match self.scope(scope).entries.get(entry)?.kind {
            Kind::Model { scope, .. } => self.lookup(scope, rest),
            Kind::Link(_) | Kind::Joint { .. } | Kind::Frame { .. } => None,
        }
    }

    /// The pose of an entry in its scope's frame.
    pub(super) fn pose_of(&mut self, scope: ScopeId, name: &str) -> Pose {
        match self.lookup(scope, name) {
            Some(target) => self.pose_in(scope, target),
            None => Pose::IDENTITY,
        }
    }

    /// The pose of a frame in the frame of `scope`, which is the frame's own scope or one around it.
    pub(super) fn pose_in(&mut self, scope: ScopeId, target: Target) -> Pose {
        let mut pose = target.entry.map_or(Pose::IDENTITY, |entry| self.entry_pose(target.scope, entry));
        let mut inner = target.scope;
        while inner != scope {
            let Some((around, entry)) = self.scope(inner).holder else { break };
            pose = self.entry_pose(around, entry).compose(&pose);
            inner = around;
        }
        pose
    }

    /// The pose of something that is not a frame, in the frame of `scope`; `None` if it names no frame.
    pub(super) fn written_pose(
        &mut self,
        scope: ScopeId,
        written: &FramePose,
        origin: &Origin,
    ) -> Option<Pose> {
        let name = written.relative_to.as_deref()?;
        let Some(target) = self.lookup(scope, name) else {
            self.report_relative_to(name, origin);
            return None;
        };
        Some(self.pose_in(scope, target).compose(&written.pose))
    }

    /// The pose of something in the world.
    pub(super) fn place_in_world(&mut self, written: &FramePose, origin: &Origin) -> Pose {
        self.written_pose(Self::WORLD, written, origin).unwrap_or(written.pose)
    }

    /// Computes the pose of an entry and of everything it depends on: down the chain to a known pose, then
    /// back up.
    fn entry_pose(&mut self, scope: ScopeId, entry: usize) -> Pose {
        let mut chain = Vec::new();
        let mut current = entry;
        let mut pose = loop {
            match self.scope(scope).entries[current].state {
                State::Known(pose) => break pose,
                State::Visiting => {
                    self.report_pose_cycle(scope, current);
                    break Pose::IDENTITY;
                }
                State::Unknown => {}
            }
            self.scopes[scope.0].entries[current].state = State::Visiting;
            let (base, offset) = self.base_and_offset(scope, current);
            chain.push((current, offset));
            match base {
                Some(next) => current = next,
                None => break Pose::IDENTITY,
            }
        };
        for (entry, offset) in chain.into_iter().rev() {
            pose = pose.compose(&offset);
            self.scopes[scope.0].entries[entry].state = State::Known(pose);
        }
        pose
    }

    /// The entry of the same scope that an entry is relative to (`None`: the scope's own frame), and the pose
    /// relative to it.
    fn base_and_offset(&mut self, scope: ScopeId, entry: usize) -> (Option<usize>, Pose) {
        let Entry { kind, pose, origin, .. } = self.scope(scope).entries[entry];
        let placed = pose.pose.compose(&self.placement(kind, origin).inverse());
        let Some(target) = self.base_target(scope, kind, pose, origin) else { return (None, placed) };
        if target.scope == scope {
            return (target.entry, placed);
        }
        // The frame is inside a nested model: use that model, and the pose of the frame in it.
        let mut inner = target.scope;
        while let Some((around, holder)) = self.scope(inner).holder {
            if around == scope {
                return (Some(holder), self.pose_in(inner, target).compose(&placed));
            }
            inner = around;
        }
        (None, placed)
    }

    /// The frame that an entry's pose is relative to.
    fn base_target(
        &mut self,
        scope: ScopeId,
        kind: Kind<'_>,
        pose: &FramePose,
        origin: &Origin,
    ) -> Option<Target> {
        if let Some(name) = pose.relative_to.as_deref() {
            let target = self.lookup(scope, name);
            if target.is_none() {
                self.report_relative_to(name, origin);
            }
            return target;
        }
        match kind {
            Kind::Link(_) | Kind::Model { .. } | Kind::Frame { attached_to: None } => None,
            // An invalid name is reported where the joint or frame is attached.
            Kind::Joint { child } => self.lookup(scope, child),
            Kind::Frame { attached_to: Some(name) } => self.lookup(scope, name),
        }
    }

    /// The pose of a model's placement frame in the model.
    fn placement(&mut self, kind: Kind<'_>, origin: &Origin) -> Pose {
        let Kind::Model { scope, placement: Some(name) } = kind else { return Pose::IDENTITY };
        match self.lookup(scope, name) {
            Some(target) => self.pose_in(scope, target),
            None => {
                let found = format!("placement_frame `{name}`");
                self.report(
                    Code::PlacementFrameInvalid,
                    origin,
                    found,
                    "a frame of the model; its own is used",
                );
                Pose::IDENTITY
            }
        }
    }

    pub(super) fn report(&mut self, code: Code, origin: &Origin, found: String, expected: &str) {
        self.diagnostics.push(Diagnostic::error(code, origin.location(), found).expected(expected));
    }

    pub(super) fn warn(&mut self, code: Code, origin: &Origin, found: String, expected: &str) {
        self.diagnostics.push(Diagnostic::warning(code, origin.location(), found).expected(expected));
    }

    fn report_relative_to(&mut self, name: &str, origin: &Origin) {
        let found = format!("a pose relative to `{name}`");
        self.report(
            Code::RelativeToInvalid,
            origin,
            found,
            "a frame of the same scope; the default frame is used",
        );
    }

    fn report_pose_cycle(&mut self, scope: ScopeId, entry: usize) {
        let Entry { name, origin, .. } = self.scope(scope).entries[entry];
        let found = format!("the pose of `{name}` depends on itself");
        self.report(Code::RelativeToCycle, origin, found, "a chain that ends at the model or the world");
    }
}
