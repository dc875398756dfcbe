//! The messages of Bridgehead: annotated schemas, and all encodings derived from them.
//!
//! A message is declared once, as a `.proto` file of the crate `bridgehead-build`. Names, order, units and meaning of its fields are those
//! of the ROS interface of the same name: SI units, radians, x forward, y left, z up. Annotations add what protobuf
//! cannot express. The crate derives everything else from the descriptor, for its own messages and for those that a
//! plugin registers at run time:
//!
//! | source | result |
//! |---|---|
//! | `.proto` files | the prost types below ([`sensor_msgs`], [`geometry_msgs`], ...) |
//! | [`Schema`] | [`MessageType`]: validated, with ROS type, fields and [`Fingerprint`] |
//! | [`MessageType`] | ROS type names, `.msg` text and type hash ([`ros`]) |
//! | [`MessageType`] | [`JsonPlan`]: protobuf wire format to JSON and back, without decoding to a Rust message |
//! | [`MessageType`] | [`CdrPlan`]: protobuf wire format to the CDR of ROS 2 and back, in the same way |
//! | two or three [`MessageType`]s | services and actions of ROS 2: [`ros::ServiceTypes`], [`ros::ActionTypes`] |
//! | [`MessageType`] | [`FieldPath`] and [`NumbersPath`]: read one value or one array of a payload, without the rest |
//! | [`MessageType`] | [`FieldsWriter`]: encode messages of which some fields are given by their paths |
//! | [`MessageType`] | [`RecordWriter`] writes the lines of recordings, [`RecordLine`] reads them |
//!
//! The crate has no global state and no threads; every type is `Send + Sync`.
//!
//! ```
//! use bridgehead_messages::{CdrPlan, JsonPlan, Message, std_msgs::Float64};
//! use prost::Message as _;
//!
//! let message_type = Float64::schema().resolve()?;
//! assert_eq!(message_type.ros_type().to_string(), "std_msgs/msg/Float64");
//! assert_eq!(bridgehead_messages::ros::msg_text(&message_type), "float64 data\n");
//!
//! let plan = JsonPlan::compile(&message_type);
//! let mut json = Vec::new();
//! plan.encode(&Float64 { data: 0.5 }.encode_to_vec(), &mut json)?;
//! assert_eq!(json, br#"{"data":0.5}"#);
//!
//! let mut payload = Vec::new();
//! plan.decode(r#"{"data":0.5}"#, &mut payload)?;
//! assert_eq!(Float64::decode(payload.as_slice())?, Float64 { data: 0.5 });
//!
//! let mut cdr = Vec::new();
//! CdrPlan::compile(&message_type).encode(&payload, &mut cdr)?;
//! assert_eq!(cdr, [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Messages grow at their end
//!
//! A later version may add fields. Code that ends each message with `..Default::default()` compiles with it unchanged:
//!
//! ```
//! use bridgehead_messages::sensor_msgs::FluidPressure;
//!
//! let message = FluidPressure { fluid_pressure: 101_325.0, ..Default::default() };
//! assert_eq!(message.variance, 0.0);
//! ```
//!
//! # Messages of your own
//!
//! Write a proto3 file that imports `bridgehead/annotations/v1/ros.proto`, and compile it in `build.rs` with the crate
//! `bridgehead-build`, which implements [`Message`] for its types. Or hand an encoded descriptor set that keeps the
//! options to [`Schema::new`]. Constructs that ROS cannot express are refused by name when
//! the schema is [resolved](Schema::resolve): oneof, `optional`, map, enum, recursion, groups.

mod builders;
mod canonical;
mod cdr;
mod check;
mod descriptor;
mod error;
mod field_path;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod generated;
mod json;
mod limits;
mod message;
mod message_type;
mod record;
pub mod ros;
mod schema;
mod service;
mod text_format;
mod wire;

pub use cdr::{CDR_ENCAPSULATION, CdrError, CdrFault, CdrPlan};
pub use error::{NotInRos, PayloadError, PayloadFault, SchemaError};
pub use field_path::{
    FieldKind, FieldPath, FieldPathError, FieldPathFault, FieldValue, FieldsWriter, NumbersPath,
};
pub use generated::types::bridgehead::{
    action_msgs::v1 as action_msgs, actuator_msgs::v1 as actuator_msgs,
    bridgehead_simulation_interfaces::v1 as bridgehead_simulation_interfaces,
    builtin_interfaces::v1 as builtin_interfaces, control_msgs::v1 as control_msgs,
    gazebo_msgs::v1 as gazebo_msgs, geometry_msgs::v1 as geometry_msgs, lgsvl_msgs::v1 as lgsvl_msgs,
    nav_msgs::v1 as nav_msgs, rcl_interfaces::v1 as rcl_interfaces,
    ros_gz_interfaces::v1 as ros_gz_interfaces, rosgraph_msgs::v1 as rosgraph_msgs,
    sensor_msgs::v1 as sensor_msgs, simulation_interfaces::v1 as simulation_interfaces,
    std_msgs::v1 as std_msgs, std_srvs::v1 as std_srvs, tf2_msgs::v1 as tf2_msgs,
    trajectory_msgs::v1 as trajectory_msgs, unique_identifier_msgs::v1 as unique_identifier_msgs,
    vision_msgs::v1 as vision_msgs, visualization_msgs::v1 as visualization_msgs,
};
pub use json::JsonPlan;
pub use message::{EmptyService, Message, Service, SetBool, Trigger};
pub use message_type::{Arity, Field, Fingerprint, MessageType, Struct, StructId, Wire};
/// The protobuf runtime behind the message types: `encode_to_vec`, `decode` and the like are its methods.
pub use prost;
pub use record::{RecordError, RecordLine, RecordTime, RecordWriter, STEP_MARK_OPCODE, StepMark};
pub use schema::Schema;
pub use service::{ServiceDeclaration, ServiceKind, comment, declared_services};
pub use text_format::TextFormatError;

/// Returns the schemas of every message of this crate, ordered by file.
pub fn all_schemas() -> impl Iterator<Item = Schema> {
    generated::ALL.iter().map(|schema| schema())
}
