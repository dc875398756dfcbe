//! An endpoint as another worker can make it again, and its number.

use std::ffi::c_void;

use bridgehead_plugin_api::bridge::Channel;

use super::dispatcher::Numbered;
use super::wire;
use super::wire::{Call, Role};

/// An endpoint, with what is needed to make it again in another worker.
pub(super) struct Made {
    role: Role,
    creator: u32,
    vehicle: String,
    pub(super) topic: String,
    bridge_type: String,
    data_type: u32,
    response_type: Option<u32>,
    qos: (u32, u32, u32),
    encoding: u32,
}

/// Reads the numbers of endpoints.
pub(super) struct Numbers;

impl Numbered for Numbers {
    unsafe fn number(ctx: *mut c_void) -> u32 {
        // SAFETY: the caller vouches that it is the `ctx` of a live endpoint, and each begins with its number.
        unsafe { *ctx.cast::<u32>() }
    }
}

impl Made {
    pub(super) fn call(&self, endpoint: u32) -> Call<'_> {
        let (reliability, durability, depth) = self.qos;
        Call::CreateEndpoint {
            role: self.role,
            creator: self.creator,
            endpoint,
            channel: wire::Channel {
                vehicle: &self.vehicle,
                topic: &self.topic,
                bridge_type: &self.bridge_type,
                data_type: self.data_type,
                response_type: self.response_type,
                reliability,
                durability,
                depth,
                encoding: self.encoding,
            },
        }
    }
}

pub(super) fn made(role: Role, creator: usize, channel: Channel<'_>) -> Option<Made> {
    let qos = &channel.raw().qos;
    Some(Made {
        role,
        creator: u32::try_from(creator).ok()?,
        vehicle: channel.vehicle().to_owned(),
        topic: channel.topic().to_owned(),
        bridge_type: channel.bridge_type().to_owned(),
        data_type: channel.data_type().id,
        response_type: (role == Role::Service).then_some(channel.response_type().id),
        qos: (qos.reliability, qos.durability, qos.depth),
        encoding: channel.raw().encoding,
    })
}
