//! Rules of the ABI that plugins have broken, until the result of the run takes them.
//!
//! Most are found where nothing but the call is known, so this is a global. Usable from any thread.

use std::collections::BTreeSet;
use std::mem::take as replace;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::{Call, active, current, describe};

/// Maximum number of reports; a plugin may break a rule in every step.
const MAX: usize = 1000;

/// A rule that a plugin can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// It changed the floating-point mode.
    FloatMode,
    /// It changed a signal mask.
    SignalMask,
    /// It changed the working directory.
    WorkingFolder,
    /// It replaced the handler of a signal that ends a run.
    SignalHandler,
    /// It started a timer of the process.
    Timer,
    /// It changed a resource limit.
    Limit,
    /// It changed the locale.
    Locale,
    /// It closed or replaced a descriptor of the host.
    Descriptor,
    /// It changed environment variables.
    Environment,
    /// It changed the mask of the permissions of new files.
    Umask,
    /// It changed the processors, the policy or the priority of a thread.
    Schedule,
    /// It replaced the alternate signal stack.
    SignalStack,
    /// It forked.
    Fork,
    /// It used an object that is gone, or of another kind.
    Gone,
    /// It called a function on the wrong thread.
    Thread,
    /// It gave a loan back that is not outstanding.
    Loan,
    /// It released a payload too often.
    Release,
    /// It passed a size that makes no sense.
    Size,
    /// It passed a bad pointer, or too little memory.
    Pointer,
    /// It published garbage.
    Payload,
    /// A payload was changed after it was published.
    Changed,
    /// It published a message of another time.
    Stamp,
    /// It logs without end.
    Lines,
    /// It asks for more than anyone needs.
    Amount,
    /// Its converter failed.
    Conversion,
    /// It rejected a message.
    Rejection,
}

impl Rule {
    /// Returns the code of its reports.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Rule::FloatMode => "BH-PLG-120",
            Rule::SignalMask => "BH-PLG-121",
            Rule::WorkingFolder => "BH-PLG-122",
            Rule::SignalHandler => "BH-PLG-123",
            Rule::Timer => "BH-PLG-124",
            Rule::Fork => "BH-PLG-125",
            Rule::Limit => "BH-PLG-126",
            Rule::Locale => "BH-PLG-127",
            Rule::Descriptor => "BH-PLG-128",
            Rule::Environment => "BH-PLG-129",
            Rule::Umask => "BH-PLG-137",
            Rule::Schedule => "BH-PLG-138",
            Rule::SignalStack => "BH-PLG-139",
            Rule::Gone => "BH-PLG-130",
            Rule::Thread => "BH-PLG-131",
            Rule::Loan => "BH-PLG-132",
            Rule::Release => "BH-PLG-133",
            Rule::Size => "BH-PLG-134",
            Rule::Pointer => "BH-PLG-135",
            Rule::Payload => "BH-PLG-136",
            Rule::Changed => "BH-PLG-145",
            Rule::Stamp => "BH-PLG-146",
            Rule::Lines => "BH-PLG-147",
            Rule::Amount => "BH-PLG-148",
            Rule::Conversion => "BH-BRG-018",
            Rule::Rejection => "BH-BRG-019",
        }
    }
}

static HAS_ANY: AtomicBool = AtomicBool::new(false);
static BREACHES: Mutex<Breaches> = Mutex::new(Breaches { waiting: Vec::new(), reported: BTreeSet::new() });

struct Breaches {
    waiting: Vec<String>,
    /// Code and text of everything that was reported.
    reported: BTreeSet<(&'static str, String)>,
}

/// Reports what a call has left changed. `text` continues the sentence that begins with the call. Without a call, one
/// of the last steps has made the change. Returns the report.
#[cold]
pub(super) fn change(rule: Rule, call: Option<Call>, text: &str) -> String {
    let target = call.as_ref().map_or("", Call::owner);
    let (subject, advice) = match call {
        Some(call) => (describe(call), ""),
        None => in_steps(&[]),
    };
    report(rule, target, &format!("{subject} {text}{advice}"))
}

/// Like [`change`], for what belongs to the process: any call that runs on another thread could have made the change. Names
/// all of them.
#[cold]
pub(super) fn change_of_process(rule: Rule, call: Option<Call>, text: &str) -> String {
    let others = active::others(call);
    match call {
        Some(_) if others.is_empty() => change(rule, call, text),
        Some(call) => {
            let suspects = [vec![describe(call)], others].concat().join(" or ");
            report(rule, "", &format!("{suspects}, which ran at the same time, {text}"))
        }
        None => {
            let (subject, advice) = in_steps(&others);
            report(rule, "", &format!("{subject} {text}{advice}"))
        }
    }
}

/// The subject of a report without a call, and the advice at its end. `others` are the calls that run now.
fn in_steps(others: &[String]) -> (String, &'static str) {
    let others: String = others.iter().map(|call| format!(" or in {call}")).collect();
    let subject = format!("a plugin, in one of the last steps{others} or on a thread of its own,");
    (subject, "; `--check-plugins` names the plugin and the call")
}

/// Reports a rule that the current call has broken. `text` continues the sentence that begins with the call. `owner` is
/// the plugin instance, if the object it has passed says so: a thread of its own has no current call.
#[cold]
pub fn breach(rule: Rule, owner: Option<&str>, text: &str) {
    let call = current();
    let subject = match (&call, owner) {
        (Some(call), _) => describe(*call),
        (None, Some(owner)) => format!("a thread of plugin `{owner}`"),
        (None, None) => "a thread that the host does not know".to_owned(),
    };
    let target = call.as_ref().map(Call::owner).or(owner).unwrap_or_default();
    drop(report(rule, target, &format!("{subject} {text}")));
}

/// Reports a rule that a plugin instance has broken earlier, outside of the current call.
#[cold]
pub fn breach_of(rule: Rule, owner: &str, text: &str) {
    drop(report(rule, owner, &format!("plugin `{owner}` {text}")));
}

/// Logs a text, and keeps it for the result, once. Returns `[CODE] text`.
fn report(rule: Rule, target: &str, text: &str) -> String {
    let code = rule.code();
    let finding = format!("[{code}] {text}");
    let mut breaches = BREACHES.lock().unwrap_or_else(PoisonError::into_inner);
    let is_new = breaches.reported.len() < MAX && breaches.reported.insert((code, text.to_owned()));
    if !is_new {
        return finding;
    }
    breaches.waiting.push(finding.clone());
    drop(breaches);
    HAS_ANY.store(true, Ordering::Release);
    if target.is_empty() {
        log::error!("{finding}");
    } else {
        log::error!(target: target, "{finding}");
    }
    finding
}

/// Takes the reports since the last call, in order. Cheap if there are none.
#[must_use]
pub fn take() -> Vec<String> {
    if !HAS_ANY.swap(false, Ordering::AcqRel) {
        return Vec::new();
    }
    replace(&mut BREACHES.lock().unwrap_or_else(PoisonError::into_inner).waiting)
}

/// Takes the reports that contain a text, and leaves those of other tests.
#[cfg(any(test, feature = "testing"))]
pub fn take_of(text: &str) -> Vec<String> {
    let mut breaches = BREACHES.lock().unwrap_or_else(PoisonError::into_inner);
    breaches.waiting.extract_if(.., |report| report.contains(text)).collect()
}
