//! The depths of one exposure as an image of 32-bit floats, in a reused buffer.

use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::sensor_msgs::Image;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::random::Random;
use bytes::{BufMut as _, BytesMut};

use crate::lens::Lens;
use crate::settings::Settings;

/// Bytes of a pixel.
const PIXEL: u32 = 4;

/// The image message, reused for every exposure.
pub(crate) struct Picture {
    message: Image,
}

impl Picture {
    pub(crate) fn new(lens: &Lens, frame_id: &str) -> Self {
        let message = Image {
            header: Some(Header { frame_id: frame_id.to_owned(), stamp: None }),
            height: lens.height,
            width: lens.width,
            encoding: "32FC1".to_owned(),
            is_bigendian: 0,
            step: PIXEL * lens.width,
            ..Image::default()
        };
        Picture { message }
    }

    /// Returns the message of an exposure, from depths by rows from the top.
    pub(crate) fn fill(
        &mut self,
        step: &Step,
        depths: impl Iterator<Item = f64>,
        settings: &Settings,
        random: &mut Random,
    ) -> &Image {
        let message = &mut self.message;
        // The buffer of the last exposure is not shared: publishing copies it.
        let mut data: BytesMut = std::mem::take(&mut message.data).try_into_mut().unwrap_or_default();
        data.clear();
        data.reserve(message.step as usize * message.height as usize);
        for depth in depths {
            data.put_f32_le(reading(depth, settings, step.time_ns, random));
        }
        message.header.get_or_insert_default().stamp = Some(Time::from_nanos(step.time_ns));
        message.data = data.freeze();
        message
    }
}

/// Returns the pixel value of a true depth, metres. According to REP-118: infinity if nothing is in range, minus
/// infinity if it is too close.
#[expect(clippy::cast_possible_truncation, reason = "pixels are 32-bit floats")]
fn reading(depth: f64, settings: &Settings, time_ns: i64, random: &mut Random) -> f32 {
    if depth < settings.near {
        f32::NEG_INFINITY
    } else if depth <= settings.far {
        settings.noise.apply(depth, time_ns, random).clamp(settings.near, settings.far) as f32
    } else {
        f32::INFINITY
    }
}
