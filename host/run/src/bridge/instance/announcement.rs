//! Announcement of topics and services: the bridge creates its endpoints for them on the instance thread, while the
//! simulation thread waits for a limited time. What the bridge creates later is connected when it is there.

use std::sync::Arc;
use std::time::Duration;

use super::BridgeInstance;
use crate::bridge::endpoints::NewEndpoints;
use crate::bus::Router;
use crate::thread::lock;

/// How long the run waits for the endpoints of new topics. A bridge that takes longer misses messages, so a busy
/// machine must not reach it.
const DEADLINE: Duration = Duration::from_secs(10);

impl BridgeInstance {
    /// Creates the missing endpoints. Returns one message for each topic or service that the bridge does not support.
    /// While an earlier announcement is unanswered, the run does not wait.
    pub fn sync_endpoints(&mut self, router: &mut Router) -> Vec<String> {
        let (endpoints, endpoint_context) = (Arc::clone(&self.endpoints), Arc::clone(&self.endpoint_context));
        let since = crate::clock::now();
        let made = self.instance_thread.enqueue(move || lock(&endpoints).sync(&endpoint_context));
        if self.late.is_empty() {
            if let Some(new) = made.wait(DEADLINE) {
                return self.connect_endpoints(new, router);
            }
            self.late.push(since, made);
            return vec![format!(
                "[BH-BRG-012] bridge `{}` does not return while its topics are announced: the run continues \
                 without them until it does",
                self.label
            )];
        }
        self.late.push(since, made);
        Vec::new()
    }

    /// Connects endpoints that the bridge has created late. Returns messages as [`Self::sync_endpoints`] does.
    pub(in crate::bridge) fn poll_announcements(&mut self, router: &mut Router) -> Vec<String> {
        let mut problems = Vec::new();
        while let Some((since, new)) = self.late.take_answered() {
            let seconds = crate::clock::now().saturating_duration_since(since).as_secs_f64();
            log::info!(
                target: &self.label,
                "{} announced topics are connected after {seconds:.1} s; the bridge missed their earlier messages",
                new.outgoing.len()
            );
            problems.extend(self.connect_endpoints(new, router));
        }
        problems
    }

    fn connect_endpoints(&mut self, new: NewEndpoints, router: &mut Router) -> Vec<String> {
        let NewEndpoints { outgoing, mut problems } = new;
        if !outgoing.is_empty() {
            // A plugin that is still starting may have opened a topic since the last `sync`.
            router.sync(&self.context.shared.bus);
        }
        router.connect(self.id, &self.queue, &outgoing);
        self.outgoing.extend(outgoing);
        // Taken in any case: what a bridge has said about a topic that it leaves out is no reason of anything later.
        let reason = self.context.take_explanation();
        if let (false, Some(reason)) = (problems.is_empty(), reason) {
            problems.push(format!("{}: {reason}", self.label));
        }
        problems
    }
}
