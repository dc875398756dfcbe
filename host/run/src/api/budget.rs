//! Limits of what one instance may use of what all share: a plugin that goes on for ever is named and refused, and the
//! run reaches its end.

use std::sync::atomic::Ordering;

use bridgehead_abi::{Status, status};
use bridgehead_lifecycle::Interrupt;
use bridgehead_plugin_api::rules::MAX_TOPICS;

use super::context::Context;
use super::context::budget::{LINES, LINES_PER_STEP, RESETS, STEPS_PER_RESET, Verdict};
use crate::call::Rule;
use crate::thread::lock;
use crate::{call, clock};

impl Context {
    /// Whether the instance may log a line.
    pub(super) fn may_log(&self) -> bool {
        let now = self.shared.clock.read().0;
        let verdict = lock(&self.budgets.lines).take((now.step, now.reset_epoch), clock::now());
        let what = format_args!("logs more than {LINES} lines, and then {LINES_PER_STEP} in each step");
        self.heed(verdict, Rule::Lines, what, "further lines are dropped")
    }

    /// Lines that were dropped.
    pub(super) fn dropped_lines(&self) -> u64 {
        lock(&self.budgets.lines).dropped
    }

    /// Whether the instance may make a request.
    pub fn may_request(&self, interrupt: &Interrupt) -> bool {
        if !matches!(interrupt, Interrupt::Reset(_)) {
            return true;
        }
        let now = self.shared.clock.read().0;
        let verdict = lock(&self.budgets.resets).take(now.step, now.reset_epoch);
        let what = format_args!(
            "asks for more than {RESETS} resets that are less than {STEPS_PER_RESET} steps apart"
        );
        self.heed(verdict, Rule::Amount, what, "further ones are ignored")
    }

    fn may_open(&self) -> bool {
        let before = self.budgets.topics.fetch_add(1, Ordering::Relaxed);
        let verdict = match before.cmp(&MAX_TOPICS) {
            std::cmp::Ordering::Less => Verdict::Allowed,
            std::cmp::Ordering::Equal => Verdict::Exceeded,
            std::cmp::Ordering::Greater => Verdict::Refused,
        };
        let what = format_args!("opens more than {MAX_TOPICS} topics and services");
        self.heed(verdict, Rule::Amount, what, "further ones are refused")
    }

    fn heed(&self, verdict: Verdict, rule: Rule, what: std::fmt::Arguments<'_>, then: &str) -> bool {
        if verdict == Verdict::Exceeded {
            call::breach_of(rule, &self.label, &format!("{what}; {then}"));
        }
        verdict == Verdict::Allowed
    }
}

/// Checks whether an instance may open a further topic or service.
pub(super) fn may_open(context: &Context) -> Result<(), Status> {
    if context.may_open() {
        return Ok(());
    }
    context.explain(format!("more than {MAX_TOPICS} topics and services"));
    Err(status::INVALID_ARG)
}
