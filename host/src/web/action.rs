//! The action `simulate_steps`: a goal is posted, read, awaited and cancelled under its own path.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use bridgehead_plugin_api::messages::action_msgs::{
    CancelGoalRequest, CancelGoalResponse, GoalInfo, GoalStatus,
};
use bridgehead_plugin_api::messages::unique_identifier_msgs::Uuid;
use bridgehead_plugin_api::messages::{JsonPlan, Message, simulation_interfaces as si};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::app::App;
use super::call::{ask, decoded, failed};
use super::endpoint::{Endpoint, Endpoints};
use super::goals::{GoalId, id_of, new_id, text_of};
use super::problem::Problem;
use super::refusal::not_allowed;
use super::{body, problem};
use crate::bus::actions::{CANCEL_GOAL, GET_RESULT, SEND_GOAL};

/// Longest wait for the control plane for a goal from another client interface.
const FOREIGN: Duration = Duration::from_secs(1);
/// Longest wait that a client may request.
const LONGEST: f64 = 3600.0;

/// The services of one action.
pub(super) struct Action {
    send: Arc<Endpoint>,
    cancel: Arc<Endpoint>,
    result: Arc<Endpoint>,
}

impl Action {
    /// Returns the action of that name.
    pub(super) fn find(endpoints: &Endpoints, name: &str) -> Option<Self> {
        let part = |part: &str| endpoints.find(&format!("{name}{part}")).cloned();
        Some(Action { send: part(SEND_GOAL)?, cancel: part(CANCEL_GOAL)?, result: part(GET_RESULT)? })
    }

    /// Returns the names of the actions, with the services that accept their goals.
    pub(super) fn all(endpoints: &Endpoints) -> impl Iterator<Item = (&str, &Arc<Endpoint>)> {
        endpoints.all().filter_map(|endpoint| Some((endpoint.name.strip_suffix(SEND_GOAL)?, endpoint)))
    }
}

/// `/api/<action>`: accepts a goal.
pub(super) async fn goal(app: &Arc<App>, action: Action, request: Request) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    if parts.method != Method::POST {
        return Err(not_allowed(&parts.method, &parts.uri, "POST"));
    }
    let text = body::text(&parts, body, app.body_limit).await?;
    let goal: si::SimulateStepsGoal = read(&text)?;
    let (id, steps) = (new_id(), goal.steps);
    app.goals.listen(&app.control);
    app.goals.add(id, steps);
    let request = si::SimulateStepsSendGoalRequest { goal_id: Some(uuid(&id)), goal: Some(goal) };
    let answer = ask(&action.send.point, encoded(&request)).await.inspect_err(|_| app.goals.forget(&id))?;
    let answer: si::SimulateStepsSendGoalResponse = decoded(&answer).unwrap_or_default();
    if answer.accepted {
        tokio::spawn(follow(Arc::clone(app), action, id));
    } else {
        app.goals.forget(&id);
    }
    let description = json!({ "goal_id": text_of(&id), "accepted": answer.accepted });
    Ok(problem::json(StatusCode::OK, description.to_string()))
}

/// Waits for the result of a goal, for later requests.
async fn follow(app: Arc<App>, action: Action, id: GoalId) {
    if let Ok(answer) = get_result(&action, &id).await {
        app.goals.end(&id, answer.status, result_of(&answer));
    } else {
        // The run is over, and with it the goal.
        let result =
            json!({ "result": si::Result::RESULT_OPERATION_FAILED, "error_message": "the run ended" });
        app.goals.end(&id, GoalStatus::STATUS_ABORTED, result);
    }
}

/// `/api/<action>/<id>`: returns or cancels a goal.
pub(super) async fn one(app: &App, action: Action, id: &str, request: Request) -> Result<Response, Problem> {
    let known = id_of(id).ok_or_else(|| no_goal(id))?;
    match *request.method() {
        Method::GET | Method::HEAD => tell(app, &action, &known, wait_of(request.uri().query())?).await,
        Method::DELETE => cancel(&action, &known).await,
        ref method => Err(not_allowed(method, request.uri(), "GET, HEAD, DELETE")),
    }
}

async fn tell(app: &App, action: &Action, id: &GoalId, wait: Duration) -> Result<Response, Problem> {
    let description = match app.goals.result_of(id) {
        Some(mut ended) => {
            // Returns the current state even after a timeout. The sender exists while the goal is kept.
            drop(timeout(wait, ended.wait_for(Option::is_some)).await);
            app.goals.description(id)
        }
        None => foreign(action, id, wait.max(FOREIGN)).await?,
    };
    description
        .map(|description| problem::json(StatusCode::OK, description.to_string()))
        .ok_or_else(|| no_goal(&text_of(id)))
}

/// Returns the result of a goal from another client interface, if it has one.
async fn foreign(action: &Action, id: &GoalId, wait: Duration) -> Result<Option<Value>, Problem> {
    let description = |status: i32| json!({ "goal_id": text_of(id), "status": super::goals::name_of(status), "status_code": status });
    let Ok(answer) = timeout(wait, get_result(action, id)).await else {
        return Ok(Some(description(GoalStatus::STATUS_EXECUTING)));
    };
    let answer = answer?;
    if answer.status == GoalStatus::STATUS_UNKNOWN {
        return Ok(None);
    }
    let mut description = description(answer.status);
    if let Some(members) = description.as_object_mut() {
        members.insert("result".to_owned(), result_of(&answer));
    }
    Ok(Some(description))
}

async fn get_result(action: &Action, id: &GoalId) -> Result<si::SimulateStepsGetResultResponse, Problem> {
    let request = si::SimulateStepsGetResultRequest { goal_id: Some(uuid(id)) };
    let answer = ask(&action.result.point, encoded(&request)).await?;
    Ok(decoded(&answer).unwrap_or_default())
}

fn result_of(answer: &si::SimulateStepsGetResultResponse) -> Value {
    let result = answer.result.as_ref().and_then(|result| result.result.clone()).unwrap_or_default();
    json!({ "result": result.result, "error_message": result.error_message })
}

async fn cancel(action: &Action, id: &GoalId) -> Result<Response, Problem> {
    let info = GoalInfo { goal_id: Some(uuid(id)), stamp: None };
    let answer = ask(&action.cancel.point, encoded(&CancelGoalRequest { goal_info: Some(info) })).await?;
    let answer: CancelGoalResponse = decoded(&answer).unwrap_or_default();
    match answer.return_code {
        CancelGoalResponse::ERROR_NONE => {
            let description = json!({ "goal_id": text_of(id), "canceling": true });
            Ok(problem::json(StatusCode::OK, description.to_string()))
        }
        CancelGoalResponse::ERROR_UNKNOWN_GOAL_ID => Err(no_goal(&text_of(id))),
        _ => {
            let message = format!("goal `{}` cannot be cancelled: it has ended", text_of(id));
            Err(Problem::new(StatusCode::CONFLICT, "BH-WEB-041", message))
        }
    }
}

fn no_goal(id: &str) -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "BH-WEB-040", format!("there is no goal `{id}`"))
}

/// Reads `?wait=2.5`: the longest wait for the end of the goal.
fn wait_of(query: Option<&str>) -> Result<Duration, Problem> {
    let mut wait = 0.0;
    for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        let seconds = value.parse::<f64>().ok().filter(|seconds| (0.0..=LONGEST).contains(seconds));
        match (&*name, seconds) {
            ("wait", Some(seconds)) => wait = seconds,
            _ => {
                let message = format!("`{name}={value}` is malformed; write `wait=SECONDS`, up to {LONGEST}");
                return Err(Problem::new(StatusCode::BAD_REQUEST, "BH-WEB-042", message).with("path", &*name));
            }
        }
    }
    Ok(Duration::from_secs_f64(wait))
}

fn uuid(id: &GoalId) -> Uuid {
    Uuid { uuid: id.to_vec().into() }
}

/// Returns JSON as a message.
fn read<M: Message + Default>(json: &str) -> Result<M, Problem> {
    let of = M::schema().resolve().map_err(|error| failed(error.to_string()))?;
    let mut payload = Vec::new();
    JsonPlan::compile(&of).decode(json, &mut payload).map_err(|error| Problem::payload(&error))?;
    Ok(decoded(&payload).unwrap_or_default())
}

fn encoded<M: Message>(message: &M) -> Vec<u8> {
    message.encode_to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_a_number_of_seconds() {
        assert_eq!(wait_of(None).expect("none"), Duration::ZERO);
        assert_eq!(wait_of(Some("wait=2.5")).expect("a wait"), Duration::from_millis(2500));
        for wrong in ["wait=", "wait=-1", "wait=NaN", "wait=inf", "wait=1e9", "weight=1", "wait"] {
            let problem = wait_of(Some(wrong)).expect_err(wrong);
            assert_eq!(problem.status(), StatusCode::BAD_REQUEST);
        }
    }
}
