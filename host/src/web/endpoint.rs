//! A service of the server, with the plans between JSON and its messages.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use bridgehead_plugin_api::messages::{
    FieldPath, FieldValue, JsonPlan, MessageType, ServiceDeclaration, ServiceKind,
};

use crate::bus::ServicePoint;
use crate::control::{ControlHandle, Offered};

/// A service under its configured name.
pub(super) struct Endpoint {
    pub(super) name: String,
    pub(super) declared: &'static ServiceDeclaration,
    pub(super) point: Arc<ServicePoint>,
    /// True if a request can name files to read.
    pub(super) reads_files: bool,
    request: OnceLock<JsonPlan>,
    response: OnceLock<JsonPlan>,
    /// Where a response has the number of its result; `None` if it has none.
    result: OnceLock<Option<FieldPath>>,
}

impl Endpoint {
    fn new(name: String, offered: Offered) -> Self {
        let Offered { declared, point, reads_files } = offered;
        let (request, response, result) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Endpoint { name, declared, point, reads_files, request, response, result }
    }

    pub(super) fn request_type(&self) -> &MessageType {
        &self.point.request.message
    }

    pub(super) fn response_type(&self) -> &MessageType {
        &self.point.response.message
    }

    /// Compiled at the first call.
    pub(super) fn request(&self) -> &JsonPlan {
        self.request.get_or_init(|| JsonPlan::compile(self.request_type()))
    }

    /// Compiled at the first call.
    pub(super) fn response(&self) -> &JsonPlan {
        self.response.get_or_init(|| JsonPlan::compile(self.response_type()))
    }

    /// Returns the number of the result in a response, a `simulation_interfaces/msg/Result`; `None` if it has none.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a uint8 in ROS")]
    pub(super) fn result(&self, response: &[u8]) -> Option<u32> {
        let path = self.result.get_or_init(|| FieldPath::compile(self.response_type(), "result.result").ok());
        match path.as_ref()?.read(response).ok()?? {
            FieldValue::Number(number) => Some(number as u32),
            FieldValue::Bool(_) | FieldValue::Text(_) => None,
        }
    }

    /// Returns true if it is one of our own services, whose result sets the HTTP status.
    pub(super) fn is_own(&self) -> bool {
        self.declared.ros_type.starts_with("bridgehead_simulation_interfaces/")
    }

    /// Returns its HTTP methods.
    pub(super) fn allow(&self) -> &'static str {
        if self.declared.is_reader { "GET, HEAD, POST" } else { "POST" }
    }
}

/// Returns every service, by its configured name.
pub(super) struct Endpoints(BTreeMap<String, Arc<Endpoint>>);

impl Endpoints {
    pub(super) fn of(control: &ControlHandle) -> Self {
        let services = control.services().into_iter();
        Endpoints(
            services.map(|(name, offered)| (name.clone(), Arc::new(Endpoint::new(name, offered)))).collect(),
        )
    }

    pub(super) fn find(&self, name: &str) -> Option<&Arc<Endpoint>> {
        self.0.get(name)
    }

    /// Returns the services of the loaded world under names of Gazebo.
    pub(super) fn of_world(control: &ControlHandle) -> impl Iterator<Item = Arc<Endpoint>> {
        let services = control.world_services().into_iter();
        services.map(|(name, offered)| Arc::new(Endpoint::new(name, offered)))
    }

    /// Returns the services that are not part of an action.
    pub(super) fn services(&self) -> impl Iterator<Item = &Arc<Endpoint>> {
        self.all().filter(|endpoint| endpoint.declared.kind == ServiceKind::Service)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<Endpoint>> {
        self.0.values()
    }
}
