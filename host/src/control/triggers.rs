//! Triggers: lists, adding, removing, and their history.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;
use bridgehead_plugin_api::messages::simulation_interfaces as si;
use serde_json::Value;

use super::call::{Reply, failed, noted, ok};
use super::session::Session;
use crate::trigger::{Event, Source, Trigger, Waiting};

pub(super) fn list(
    session: &mut Session<'_>,
    _: &own::GetTriggersRequest,
    reply: Reply<own::GetTriggersResponse>,
) {
    let info = |waiting: Waiting| {
        let at = match waiting.trigger.event {
            Event::Time(time_ns) => seconds(time_ns),
            _ => -1.0,
        };
        own::TriggerInfo { id: waiting.id, at, ..described(&waiting.trigger) }
    };
    let triggers = session.simulation.triggers.waiting().into_iter().map(info).collect();
    let eta = session.simulation.triggers.end_ns(session.simulation.time_limit()).map_or(-1.0, seconds);
    reply.send(own::GetTriggersResponse { result: ok(), triggers, eta });
}

pub(super) fn history(
    session: &mut Session<'_>,
    _: &own::GetTriggerHistoryRequest,
    reply: Reply<own::GetTriggerHistoryResponse>,
) {
    let history = session.simulation.triggers.history();
    let info = |record: &crate::trigger::Record| own::TriggerInfo {
        at: seconds(record.at_ns),
        step: record.step,
        ..described(&record.trigger)
    };
    reply.send(own::GetTriggerHistoryResponse {
        result: ok(),
        triggers: history.records.iter().map(info).collect(),
        json: history.to_json().to_string(),
    });
}

fn described(trigger: &Trigger) -> own::TriggerInfo {
    own::TriggerInfo {
        label: trigger.label.clone(),
        event: trigger.event.summary(),
        action: trigger.action.name().to_owned(),
        sticky: trigger.sticky,
        source: trigger.source.name().to_owned(),
        ..Default::default()
    }
}

#[expect(clippy::cast_precision_loss, reason = "seconds for people; the JSON form is exact")]
fn seconds(time_ns: i64) -> f64 {
    // The division is exact for 60 s; a multiplication by 1e-9 gives 60.00000000000001.
    time_ns as f64 / 1e9
}

pub(super) fn add(
    session: &mut Session<'_>,
    request: &own::AddTriggersRequest,
    reply: Reply<own::AddTriggersResponse>,
) {
    let answer = match read(&request.json) {
        Ok(triggers) => {
            let dropped = triggers.iter().filter(|trigger| trigger.is_none()).count();
            let note =
                if dropped == 0 { String::new() } else { format!("{dropped} optional triggers are unknown") };
            let now = session.simulation.now();
            let waiting = &mut session.simulation.triggers;
            let ids = triggers.into_iter().flatten().map(|trigger| waiting.submit(trigger, now));
            own::AddTriggersResponse { result: noted(note), ids: ids.collect() }
        }
        Err(text) => {
            let result = failed(si::Result::RESULT_OPERATION_FAILED, text);
            own::AddTriggersResponse { result, ids: Vec::new() }
        }
    };
    reply.send(answer);
}

/// Reads triggers; `None` for an unknown optional one. The error is that of the first malformed one.
fn read(json: &str) -> Result<Vec<Option<Trigger>>, String> {
    let value: Value = serde_json::from_str(json).map_err(|error| format!("this is not JSON: {error}"))?;
    let entries = match value {
        Value::Array(entries) => entries,
        one => vec![one],
    };
    let read = |entry: &Value| Trigger::read(entry, Source::Network).map_err(|error| error.to_string());
    entries.iter().map(read).collect()
}

pub(super) fn remove(
    session: &mut Session<'_>,
    request: &own::RemoveTriggerRequest,
    reply: Reply<own::RemoveTriggerResponse>,
) {
    let result = match session.simulation.triggers.remove(request.id) {
        Some(_) => ok(),
        None => failed(si::Result::RESULT_NOT_FOUND, format!("no trigger {} is waiting", request.id)),
    };
    reply.send(own::RemoveTriggerResponse { result });
}
