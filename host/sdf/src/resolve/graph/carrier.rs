//! What a frame moves with: follows `attached_to` and the sides of joints to a link, or to the world. The
//! poses of the graph are independent of this.

use super::{Entry, Graph, Kind, LinkRef, ScopeId, Target};
use crate::diagnostic::Code;
use crate::document::Origin;
use std::collections::BTreeSet;

/// What something is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::resolve) enum Carrier {
    World,
    Link(LinkRef),
}

impl Graph<'_> {
    /// Returns the link, or the world, that a frame moves with; `None` if its chain cannot be resolved, which
    /// is reported.
    pub(in crate::resolve) fn carrier(&mut self, target: Target) -> Option<Carrier> {
        let mut visited = BTreeSet::new();
        let carrier = self.follow_attachment(target, &mut visited);
        // Every frame on the way moves with the same thing; storing it keeps long chains linear.
        for Target { scope, entry } in visited {
            if let Some(entry) = entry.and_then(|entry| self.scopes[scope.0].entries.get_mut(entry)) {
                entry.carrier = Some(carrier);
            }
        }
        carrier
    }

    fn follow_attachment(&mut self, target: Target, visited: &mut BTreeSet<Target>) -> Option<Carrier> {
        let mut current = target;
        loop {
            if !visited.insert(current) {
                self.report_attachment_cycle(current);
                return None;
            }
            let Some(entry) = self.entry(current) else { return self.scope_carrier(current.scope) };
            if let Some(known) = entry.carrier {
                return known;
            }
            let origin = entry.origin;
            current = match entry.kind {
                Kind::Link(link) => return Some(Carrier::Link(link)),
                Kind::Model { scope, .. } => Target { scope, entry: None },
                Kind::Frame { attached_to: None } => Target { entry: None, ..current },
                Kind::Joint { child } => self.lookup(current.scope, child)?,
                Kind::Frame { attached_to: Some(name) } => self.attachment(current.scope, name, origin)?,
            };
        }
    }

    fn attachment(&mut self, scope: ScopeId, name: &str, origin: &Origin) -> Option<Target> {
        let target = self.lookup(scope, name);
        if target.is_none() {
            let found = format!("attached_to `{name}`");
            self.report(Code::AttachedToInvalid, origin, found, "a frame of the same scope");
        }
        target
    }

    fn scope_carrier(&self, scope: ScopeId) -> Option<Carrier> {
        if scope == Self::WORLD {
            return Some(Carrier::World);
        }
        self.scope(scope).canonical.map(Carrier::Link)
    }

    fn report_attachment_cycle(&mut self, target: Target) {
        let Some(Entry { name, origin, .. }) = self.entry(target) else { return };
        let (name, origin) = (*name, *origin);
        let found = format!("frame `{name}` is attached to itself in a cycle");
        self.report(
            Code::AttachedToCycle,
            origin,
            found,
            "a chain that ends at a link, the model or the world",
        );
    }
}
