//! The tasks of `bridgehead service`. Reads the named files.

use serde_json::Value;

use super::kind::{Call, Request, Show, Task};
use super::topic::{is_of_gazebo, ros_type};
use crate::cli::ctl::args::{GazeboService, ServiceArguments, ServiceCall, ServiceCommand};
use crate::cli::ctl::error::CtlError;
use crate::cli::ctl::input::{self, Message};

/// Returns the task of a command about services.
///
/// # Errors
/// Returns an error if there is no command or there are two, an argument is invalid, or a file cannot be read.
pub(in crate::cli::ctl) fn service(arguments: &ServiceArguments) -> Result<Task, CtlError> {
    let of_gazebo = of_gazebo(&arguments.gazebo);
    match (&arguments.command, of_gazebo) {
        (Some(command), None) => of_command(command),
        (None, Some(task)) => task,
        (command, _) => Err(CtlError::Command { group: "service", has_two: command.is_some() }),
    }
}

/// Returns a request with the name of a service as HTTP has it, without the slash of ROS at its beginning.
pub(super) fn request(service: &str, request: Value) -> Call {
    Call { service: bare(service), request, show: Show::Json }
}

fn bare(service: &str) -> String {
    service.strip_prefix('/').unwrap_or(service).to_owned()
}

fn of_command(command: &ServiceCommand) -> Result<Task, CtlError> {
    Ok(match command {
        ServiceCommand::List(types) => Task::ServiceNames { types: types.types },
        ServiceCommand::Info { service } => Task::ServiceInfo(bare(service)),
        ServiceCommand::Call(ServiceCall { service, words }) => {
            let (type_name, text) = match words.as_slice() {
                [] => ("", "{}"),
                [type_name] if is_type(type_name) => (type_name.as_str(), "{}"),
                [request] => ("", request.as_str()),
                [type_name, request, ..] => (type_name.as_str(), request.as_str()),
            };
            sent(service, ros_type(type_name, "srv"), input::message(text)?, false)
        }
    })
}

/// Returns the task of the options of Gazebo; `None` if there are none.
fn of_gazebo(options: &GazeboService) -> Option<Result<Task, CtlError>> {
    if options.list {
        return Some(Ok(Task::ServiceNames { types: false }));
    }
    let service = options.service.as_deref()?;
    if options.info {
        return Some(Ok(Task::ServiceInfo(bare(service))));
    }
    let text = options.req.as_deref()?;
    let type_name = [(&options.reqtype, "_Request"), (&options.reptype, "_Response")]
        .iter()
        .map(|(name, end)| ros_type(name.strip_suffix(end).unwrap_or(name), "srv"))
        .find(|name| !name.is_empty());
    let is_of_gazebo = is_of_gazebo(&options.reqtype);
    Some(
        input::message(text)
            .map(|message| sent(service, type_name.unwrap_or_default(), message, is_of_gazebo)),
    )
}

/// Returns the task of a call, which is one request if nothing must be looked up before it.
fn sent(service: &str, type_name: String, message: Message, is_of_gazebo: bool) -> Task {
    match message {
        Message::Json(_, value) if type_name.is_empty() && !is_of_gazebo => {
            Task::Call(request(service, value))
        }
        message => Task::Request(Request { service: bare(service), type_name, message, is_of_gazebo }),
    }
}

/// Returns true if a word is the ROS name of a service type, `package/srv/Name`.
fn is_type(word: &str) -> bool {
    let parts: Vec<&str> = word.split('/').collect();
    matches!(parts.as_slice(), [_, "srv", _]) && !word.starts_with(['{', '[', '.'])
}
