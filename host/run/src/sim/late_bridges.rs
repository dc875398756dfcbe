//! Bridges that hold a step longer than a live peer should take: what is said of them, and what happens then.

use std::time::Duration;

use bridgehead_lifecycle::{Cause, Interrupt, Request};

use super::simulation::Simulation;
use crate::api::Late;
use crate::api::shared::held_step::Lateness;
use crate::clock;

impl Simulation {
    /// Reports each bridge that holds the next step noticeably long, and ends the run if its time limit demands it.
    pub(super) fn note_late_bridges(&mut self) {
        let step = self.timeline.now().step + 1;
        for (bridge, lateness) in self.shared.lockstep.late(step, clock::now()) {
            let label = self.traffic.bridges.labels(&[bridge]);
            match lateness {
                Lateness::Waits(waited) => {
                    log::warn!("[BH-BRG-038] step {step} waits for `{label}` for {}", seconds(waited));
                }
                Lateness::Over(late, waited) => self.end_wait(&label, step, late, waited),
            }
        }
    }

    /// The time limit of a bridge is over.
    fn end_wait(&mut self, label: &str, step: u64, late: Late, waited: Duration) {
        let text = format!("[BH-BRG-039] step {step} has waited for `{label}` for {}", seconds(waited));
        match late {
            Late::Wait => log::warn!("{text}; it goes on waiting"),
            Late::Continue => {
                self.record.error(format!("{text}; steps run without it until it releases one"));
            }
            Late::End => {
                let text = format!("{text}; the run ends");
                self.record.error(text.clone());
                self.shared.requests.push(Request::new(Interrupt::Abort, Cause::Host(text)));
            }
        }
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
