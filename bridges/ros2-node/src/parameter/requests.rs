//! Answers to the requests of the services of parameters.

use std::sync::Arc;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    GetStatusRequest, GetStatusResponse, SetRealTimeFactorRequest, SetRealTimeFactorResponse,
};
use bridgehead_plugin_api::messages::prost::Message;
use bridgehead_plugin_api::messages::rcl_interfaces as rcl;
use bridgehead_plugin_api::messages::simulation_interfaces::Result as SimulationResult;
use bridgehead_plugin_api::{Error, Payload, Result};

use super::run::Run;
use super::table::{ALL, NOT_SET, Parameter, wanted_factor};
use crate::service::callee::Answer;

/// The result of a request that succeeded.
const OK: u32 = 1;

fn read<M: Message + Default>(request: &[u8]) -> Result<M> {
    M::decode(request).map_err(|error| Error::invalid(error.to_string()))
}

fn send(answer: Answer, response: &impl Message) {
    answer(Ok(Payload::from_vec(response.encode_to_vec())));
}

pub(super) fn describe(request: &[u8], _: &Arc<dyn Run>, answer: Answer) -> Result {
    let request: rcl::DescribeParametersRequest = read(request)?;
    // One without a type stands for a parameter that is not there.
    let descriptor = |name: &String| match Parameter::named(name) {
        Some(parameter) => parameter.descriptor(),
        None => rcl::ParameterDescriptor { name: name.clone(), ..Default::default() },
    };
    let descriptors = request.names.iter().map(descriptor).collect();
    send(answer, &rcl::DescribeParametersResponse { descriptors });
    Ok(())
}

pub(super) fn types(request: &[u8], _: &Arc<dyn Run>, answer: Answer) -> Result {
    let request: rcl::GetParameterTypesRequest = read(request)?;
    let kind = |name: &String| Parameter::named(name).map_or(NOT_SET, Parameter::kind);
    let types: Vec<u8> =
        request.names.iter().map(|name| u8::try_from(kind(name)).unwrap_or_default()).collect();
    send(answer, &rcl::GetParameterTypesResponse { types: types.into() });
    Ok(())
}

/// No name has parts, so a prefix is a whole name, and the depth excludes nothing.
pub(super) fn list(request: &[u8], _: &Arc<dyn Run>, answer: Answer) -> Result {
    let request: rcl::ListParametersRequest = read(request)?;
    let names = ALL.map(|parameter| parameter.name().to_owned()).into_iter();
    let names = names.filter(|name| request.prefixes.is_empty() || request.prefixes.contains(name));
    let result = rcl::ListParametersResult { names: names.collect(), prefixes: Vec::new() };
    send(answer, &rcl::ListParametersResponse { result: Some(result) });
    Ok(())
}

pub(super) fn get(request: &[u8], run: &Arc<dyn Run>, answer: Answer) -> Result {
    let request: rcl::GetParametersRequest = read(request)?;
    let respond = move |status: Result<Payload>| {
        let status = status.and_then(|status| read::<GetStatusResponse>(&status));
        let factor = status.ok().and_then(|response| Some(response.status?.target_real_time_factor));
        let value = |name: &String| {
            Parameter::named(name).map(|parameter| parameter.value(factor)).unwrap_or_default()
        };
        let values = request.names.iter().map(value).collect();
        send(answer, &rcl::GetParametersResponse { values });
    };
    run.call("/get_status", GetStatusRequest::default().encode_to_vec(), Box::new(respond));
    Ok(())
}

pub(super) fn set(request: &[u8], run: &Arc<dyn Run>, answer: Answer) -> Result {
    let request: rcl::SetParametersRequest = read(request)?;
    let wanted = wanted(&request.parameters);
    // Only one parameter can be set, so the last value counts.
    let Some(factor) = wanted.iter().rev().find_map(|wanted| wanted.as_ref().ok().copied()) else {
        let results = wanted.into_iter().map(|wanted| result(wanted.map(|_| ()))).collect();
        send(answer, &rcl::SetParametersResponse { results });
        return Ok(());
    };
    let respond = move |outcome: Result<(), String>| {
        let result = |wanted: Result<f64, String>| result(wanted.and_then(|_| outcome.clone()));
        let results = wanted.into_iter().map(result).collect();
        send(answer, &rcl::SetParametersResponse { results });
    };
    set_factor(factor, run, respond);
    Ok(())
}

pub(super) fn set_all(request: &[u8], run: &Arc<dyn Run>, answer: Answer) -> Result {
    let request: rcl::SetParametersAtomicallyRequest = read(request)?;
    let respond = move |outcome: Result<(), String>| {
        send(answer, &rcl::SetParametersAtomicallyResponse { result: Some(result(outcome)) });
    };
    match wanted(&request.parameters).into_iter().collect::<Result<Vec<f64>, String>>() {
        Err(why) => respond(Err(why)),
        Ok(factors) => match factors.last() {
            None => respond(Ok(())),
            Some(factor) => set_factor(*factor, run, respond),
        },
    }
    Ok(())
}

fn wanted(parameters: &[rcl::Parameter]) -> Vec<Result<f64, String>> {
    let wanted = |parameter: &rcl::Parameter| {
        wanted_factor(&parameter.name, &parameter.value.clone().unwrap_or_default())
    };
    parameters.iter().map(wanted).collect()
}

fn result(outcome: Result<(), String>) -> rcl::SetParametersResult {
    match outcome {
        Ok(()) => rcl::SetParametersResult { successful: true, reason: String::new() },
        Err(reason) => rcl::SetParametersResult { successful: false, reason },
    }
}

fn set_factor(factor: f64, run: &Arc<dyn Run>, respond: impl FnOnce(Result<(), String>) + Send + 'static) {
    // The run takes a negative factor for an unlimited one.
    let request = SetRealTimeFactorRequest { factor: if factor == 0.0 { -1.0 } else { factor } };
    let judge = move |outcome: Result<Payload>| {
        let response = outcome.and_then(|response| read::<SetRealTimeFactorResponse>(&response));
        respond(match response.map(|response| response.result) {
            Ok(Some(SimulationResult { result: OK, .. })) => Ok(()),
            Ok(result) => Err(result.map(|result| result.error_message).unwrap_or_default()),
            Err(error) => Err(error.to_string()),
        });
    };
    run.call("/set_real_time_factor", request.encode_to_vec(), Box::new(judge));
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::channel;

    use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::HostStatus;

    use super::super::run::Respond;
    use super::*;
    use crate::lock::lock;

    /// A run with a real-time factor; it refuses 13.
    struct Fake(Mutex<f64>);

    impl Run for Fake {
        fn call(&self, service: &str, request: Vec<u8>, answer: Answer) {
            if service == "/get_status" {
                let status = HostStatus { target_real_time_factor: *lock(&self.0), ..HostStatus::default() };
                return send(answer, &GetStatusResponse { status: Some(status), ..Default::default() });
            }
            let factor = SetRealTimeFactorRequest::decode(&*request).expect("a request").factor;
            let is_refused = factor == 13.0;
            if !is_refused {
                *lock(&self.0) = factor;
            }
            let result = SimulationResult {
                result: if is_refused { 4 } else { OK },
                error_message: if is_refused { "unlucky".to_owned() } else { String::new() },
            };
            send(answer, &SetRealTimeFactorResponse { result: Some(result) });
        }
    }

    fn ask<R: Message + Default>(respond: Respond, run: &Arc<dyn Run>, request: &impl Message) -> R {
        let (sender, answered) = channel();
        let answer = move |outcome: Result<Payload>| drop(sender.send(outcome));
        respond(&request.encode_to_vec(), run, Box::new(answer)).expect("accepted");
        let response = answered.try_recv().expect("an answer").expect("a response");
        R::decode(&*response).expect("a response of its type")
    }

    fn run() -> Arc<dyn Run> {
        Arc::new(Fake(Mutex::new(1.0)))
    }

    fn factor(value: f64) -> rcl::Parameter {
        let value = rcl::ParameterValue { r#type: 3, double_value: value, ..Default::default() };
        rcl::Parameter { name: "real_time_factor".to_owned(), value: Some(value) }
    }

    fn factor_of(run: &Arc<dyn Run>) -> f64 {
        let request = rcl::GetParametersRequest { names: vec!["real_time_factor".to_owned()] };
        let response: rcl::GetParametersResponse = ask(get, run, &request);
        response.values[0].double_value
    }

    #[test]
    fn names_types_and_values_are_those_of_the_table() {
        let run = run();
        let all = rcl::ListParametersRequest::default();
        let listed: rcl::ListParametersResponse = ask(list, &run, &all);
        let names = listed.result.expect("a result").names;
        assert_eq!(names, ["real_time_factor", "use_sim_time"]);
        let one = rcl::ListParametersRequest { prefixes: vec!["use_sim_time".to_owned()], depth: 1 };
        let listed: rcl::ListParametersResponse = ask(list, &run, &one);
        assert_eq!(listed.result.expect("a result").names, ["use_sim_time"]);
        let names: Vec<String> = names.into_iter().chain(["speed".to_owned()]).collect();
        let kinds: rcl::GetParameterTypesResponse =
            ask(types, &run, &rcl::GetParameterTypesRequest { names: names.clone() });
        assert_eq!(&*kinds.types, [3, 1, 0]);
        let values: rcl::GetParametersResponse =
            ask(get, &run, &rcl::GetParametersRequest { names: names.clone() });
        let values: Vec<_> =
            values.values.iter().map(|value| (value.r#type, value.double_value, value.bool_value)).collect();
        assert_eq!(values, [(3, 1.0, false), (1, 0.0, true), (0, 0.0, false)]);
        let described: rcl::DescribeParametersResponse =
            ask(describe, &run, &rcl::DescribeParametersRequest { names });
        let read_only: Vec<_> = described.descriptors.iter().map(|one| (one.r#type, one.read_only)).collect();
        assert_eq!(read_only, [(3, false), (1, true), (0, false)]);
    }

    #[test]
    fn each_of_several_has_a_result_of_its_own() {
        let run = run();
        let wrong = rcl::Parameter { name: "speed".to_owned(), value: None };
        let request = rcl::SetParametersRequest { parameters: vec![factor(2.0), wrong.clone(), factor(0.5)] };
        let response: rcl::SetParametersResponse = ask(set, &run, &request);
        let successful: Vec<bool> = response.results.iter().map(|result| result.successful).collect();
        assert_eq!((successful, factor_of(&run)), (vec![true, false, true], 0.5));
        let request = rcl::SetParametersRequest { parameters: vec![wrong] };
        let response: rcl::SetParametersResponse = ask(set, &run, &request);
        assert!(response.results[0].reason.contains("no parameter `speed`"));
        let request = rcl::SetParametersRequest { parameters: vec![factor(13.0)] };
        let response: rcl::SetParametersResponse = ask(set, &run, &request);
        assert_eq!(response.results[0].reason, "unlucky");
    }

    #[test]
    fn all_are_set_or_none() {
        let run = run();
        let wrong = rcl::Parameter { name: "use_sim_time".to_owned(), value: None };
        let request = rcl::SetParametersAtomicallyRequest { parameters: vec![factor(2.0), wrong] };
        let response: rcl::SetParametersAtomicallyResponse = ask(set_all, &run, &request);
        assert!(response.result.is_some_and(|result| result.reason.contains("read-only")));
        assert_eq!(factor_of(&run), 1.0);
        let request = rcl::SetParametersAtomicallyRequest { parameters: vec![factor(0.0)] };
        let response: rcl::SetParametersAtomicallyResponse = ask(set_all, &run, &request);
        assert!(response.result.is_some_and(|result| result.successful));
        assert_eq!(factor_of(&run), -1.0, "unlimited, as the run wants it");
        let none: rcl::SetParametersAtomicallyResponse =
            ask(set_all, &run, &rcl::SetParametersAtomicallyRequest::default());
        assert!(none.result.is_some_and(|result| result.successful));
    }

    #[test]
    fn what_is_no_request_is_not_accepted() {
        for respond in [describe, types, list, get, set, set_all] {
            assert!(respond(&[0xff], &run(), Box::new(|_| panic!("never called"))).is_err());
        }
    }
}
