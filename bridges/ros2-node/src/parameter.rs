//! The parameters of the node, which `ros2 param` reads and sets.
//!
//! - [`table`] is what there is, and reads and checks values.
//! - [`requests`] answers the six services of parameters, by services of the [`run`].
//! - This module offers them.

use std::sync::Arc;

use bridgehead_plugin_api::messages::rcl_interfaces as rcl;
use bridgehead_plugin_api::messages::{Message, Schema};
use bridgehead_plugin_api::{Payload, Result};

use self::run::{Respond, Run};
use crate::names::NodeName;
use crate::service::callee::{Answer, Callee};
use crate::service::codec::Codec;
use crate::transport::Transport;

mod requests;
pub(crate) mod run;
mod table;

/// A service: the last part of its name, the types of its requests and responses, and what answers.
type Row = (&'static str, fn() -> [Schema; 2], Respond);

/// The services.
const SERVICES: [Row; 6] = [
    (
        "describe_parameters",
        types::<rcl::DescribeParametersRequest, rcl::DescribeParametersResponse>,
        requests::describe,
    ),
    ("get_parameters", types::<rcl::GetParametersRequest, rcl::GetParametersResponse>, requests::get),
    (
        "get_parameter_types",
        types::<rcl::GetParameterTypesRequest, rcl::GetParameterTypesResponse>,
        requests::types,
    ),
    ("list_parameters", types::<rcl::ListParametersRequest, rcl::ListParametersResponse>, requests::list),
    ("set_parameters", types::<rcl::SetParametersRequest, rcl::SetParametersResponse>, requests::set),
    (
        "set_parameters_atomically",
        types::<rcl::SetParametersAtomicallyRequest, rcl::SetParametersAtomicallyResponse>,
        requests::set_all,
    ),
];

fn types<Q: Message, R: Message>() -> [Schema; 2] {
    [Q::schema(), R::schema()]
}

/// The services of the node's parameters, offered until this is dropped.
pub(crate) struct Parameters<T: Transport>(
    #[expect(dead_code, reason = "withdraws the services when it is dropped")] Vec<T::Server>,
);

impl<T: Transport> Parameters<T> {
    /// Offers the services.
    ///
    /// # Errors
    /// Returns an error if the transport cannot offer them.
    pub(crate) fn offer(transport: &T, run: &Arc<dyn Run>) -> Result<Self> {
        let settings = transport.settings();
        let NodeName { namespace, name } = &settings.node;
        let node = format!("{}/{name}", namespace.trim_end_matches('/'));
        let offer = |(service, types, respond): &Row| {
            let [request, response] = types();
            let codec = Codec::new(&request, &response, settings.generation)?;
            let callee = Service { run: Arc::clone(run), respond: *respond };
            transport.serve(&format!("{node}/{service}"), codec, Box::new(callee))
        };
        Ok(Parameters(SERVICES.iter().map(offer).collect::<Result<_>>()?))
    }
}

/// One of the services.
struct Service {
    run: Arc<dyn Run>,
    respond: Respond,
}

impl Callee for Service {
    fn call(&self, request: &Payload, answer: Answer) -> Result {
        (self.respond)(request, &self.run, answer)
    }
}
