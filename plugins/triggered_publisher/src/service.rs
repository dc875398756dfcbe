//! `<service>`: a service that a trigger calls, with its request. Read once in `awake`.
//!
//! Requests of Gazebo's services of a world become those of their counterparts, which have the types of
//! `ros_gz_interfaces`.

use bridgehead_plugin_api::host::{Params, ServiceCalls};
use bridgehead_plugin_api::{Error, Result};

use crate::types::{Type, Types, fields};

/// A call that a trigger makes.
pub(crate) struct Call {
    /// `<service>` in the plugin element.
    path: String,
    /// Full name.
    name: String,
    request_type: String,
    request: Vec<u8>,
    has_warned: bool,
}

/// A message of Gazebo that is the request of a service there.
struct Wrapped {
    gazebo: &'static str,
    /// The request here.
    ros: &'static str,
    /// The field of that request that the message is.
    field: &'static str,
}

const WRAPPED: [Wrapped; 4] = [
    Wrapped { gazebo: "Entity", ros: "ros_gz_interfaces/srv/DeleteEntity_Request", field: "entity" },
    Wrapped {
        gazebo: "EntityFactory",
        ros: "ros_gz_interfaces/srv/SpawnEntity_Request",
        field: "entity_factory",
    },
    Wrapped { gazebo: "Pose", ros: "ros_gz_interfaces/srv/SetEntityPose_Request", field: "pose" },
    Wrapped {
        gazebo: "WorldControl",
        ros: "ros_gz_interfaces/srv/ControlWorld_Request",
        field: "world_control",
    },
];

impl Call {
    /// Reads every `<service>`. One that cannot be called is logged with its place and left out.
    pub(crate) fn read_all(params: Params, types: &Types) -> Vec<Self> {
        let calls =
            (0..params.count("service")).map(|index| Call::read(params, &format!("service[{index}]"), types));
        let kept =
            calls.filter_map(|call| call.map_err(|error| log::warn!("{error}; it is not called")).ok());
        kept.collect()
    }

    fn read(params: Params, path: &str, types: &Types) -> Result<Self> {
        // Nothing waits for the response, so neither its type nor a timeout is needed.
        for unused in ["repType", "timeout"] {
            let _ = params.text(&format!("{path}/@{unused}"));
        }
        let [name, kind] =
            ["name", "reqType"].map(|attribute| params.require::<String>(&format!("{path}/@{attribute}")));
        let (name, kind) = (name?, kind?);
        let text = params.text(&format!("{path}/@reqMsg")).unwrap_or_default();
        let (of_request, text) = request(&kind, &text, types).ok_or_else(|| {
            let names: Vec<String> =
                WRAPPED.iter().map(|known| format!("gz.msgs.{}", known.gazebo)).collect();
            let expected = format!("the request of a service of the host, or one of {}", names.join(", "));
            params.refuse(&format!("{path}/@reqType"), &kind, expected)
        })?;
        let message = of_request.plan.message_type();
        let mut request = Vec::new();
        of_request.plan.decode_text(&text, &mut request).map_err(|error| {
            let expected = format!("the text of a `{kind}`: {error}");
            params.refuse(&format!("{path}/@reqMsg"), text.trim(), expected)
        })?;
        Ok(Call {
            path: path.to_owned(),
            name: format!("/{}", name.trim_start_matches('/')),
            request_type: message.full_name().to_owned(),
            request,
            has_warned: false,
        })
    }

    /// Calls the service. If there is none that takes the request, the first failure is logged with its place.
    pub(crate) fn make(&mut self, calls: ServiceCalls, params: Params) {
        let made = calls.send_raw(&self.name, &self.request_type, &self.request);
        if let Err(error) = made
            && !std::mem::replace(&mut self.has_warned, true)
        {
            log::warn!("{}", unavailable(params, &self.path, &self.name, &error));
        }
    }
}

fn unavailable(params: Params, path: &str, name: &str, error: &Error) -> Error {
    let expected = format!(
        "a service of this run, in which those of a world have their names with `--names gazebo`: {}; further \
         failures are not logged",
        error.text()
    );
    params.refuse(&format!("{path}/@name"), name, expected)
}

/// Returns the type of a request, and its text with the names of this host.
fn request(kind: &str, text: &str, types: &Types) -> Option<(Type, String)> {
    let of_gazebo = ["gz.msgs.", "ignition.msgs."].iter().find_map(|prefix| kind.strip_prefix(prefix));
    let Some(short) = of_gazebo else { return Some((types.find(kind)?, text.to_owned())) };
    let wrapped = WRAPPED.iter().find(|known| known.gazebo == short)?;
    let mut inside = String::new();
    let mut beside = String::new();
    for field in fields(text) {
        match (wrapped.gazebo, field.name) {
            (_, "header") | ("Pose" | "Entity", "id") => {}
            ("Pose", "name") => {
                beside = format!("entity {{ {} }} ", field.text.trim_end_matches([',', ';', ' ']))
            }
            ("Entity", "type") => inside.push_str(&entity_type(field.text)),
            ("WorldControl", "run_to_sim_time") => inside.push_str(&field.text.replace("nsec:", "nanosec:")),
            _ => inside.push_str(field.text),
        }
    }
    Some((types.find(wrapped.ros)?, format!("{beside}{} {{ {inside} }}", wrapped.field)))
}

/// Returns the field `type` of an entity with its number: those of `ros_gz_interfaces` are Gazebo's.
fn entity_type(text: &str) -> String {
    const NAMES: [&str; 8] = ["NONE", "LIGHT", "MODEL", "LINK", "VISUAL", "COLLISION", "SENSOR", "JOINT"];
    let words = NAMES.iter().enumerate();
    let number = words.filter(|(_, name)| text.contains(**name)).map(|(number, _)| number).next_back();
    number.map_or_else(|| text.to_owned(), |number| format!("type: {number} "))
}
