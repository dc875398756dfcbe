//! The names that most plugins use: `use bridgehead_plugin_api::prelude::*;`

pub use crate::bridge::{
    ANY_TYPE, Ack, Bridge, BridgeInfo, BridgeStatus, Channel, ConverterRegistrar, Loops, Notice, Registrar,
    Rx, ServiceSink, Sink, Tx, TxItem, Wait,
};
pub use crate::error::{Error, Flow, Request, Result};
pub use crate::export_plugin;
pub use crate::host::{
    Attachment, Command, HostHandle, Joint, JointId, JointState, Link, LinkId, LinkState, Pose, Publisher,
    Qos, RayBatch, RayHit, Service, Subscription, World,
};
pub use crate::messages::Message;
pub use crate::model::{ModelPlugin, Phases, ResetScope, Started, Step};
pub use crate::payload::Payload;
pub use crate::state::{Remembers, StateReader, StateWriter};
