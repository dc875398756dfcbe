//! Images that are made of several messages: those of several cameras, and those of classes with their names.
//!
//! The messages of an image have the same time. They are kept until all of them are there; older ones make room for newer
//! ones, because a camera may lack an image.

use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::vision_msgs::LabelInfo;

use super::picture::Shown;
use super::{ConversionError, Converter, Outputs};
use crate::device::{ImageConfig, Key, Slot};
use crate::frame::{PixelFormat, images, labelled_image};

/// The images of several cameras.
pub(super) struct Pictures {
    configs: Vec<ImageConfig>,
    latched: Vec<Option<Shown>>,
}

impl Pictures {
    pub(super) fn new(configs: Vec<ImageConfig>) -> Self {
        Pictures { latched: vec![None; configs.len()], configs }
    }

    /// Returns the images if there is one of that time for each camera.
    fn complete(&mut self, stamp_ns: i64) -> Option<Vec<Shown>> {
        let is_of_it =
            |shown: &Option<Shown>| shown.as_ref().is_some_and(|shown| shown.header.stamp_ns == stamp_ns);
        let is_complete = self.latched.iter().all(is_of_it);
        is_complete.then(|| self.latched.iter_mut().filter_map(Option::take).collect())
    }
}

impl Converter for Pictures {
    fn convert(&mut self, slot: Slot, message: &[u8]) -> Result<Outputs, ConversionError> {
        let Slot::Camera(index) = slot else { return Ok(Vec::new()) };
        let Some(config) = self.configs.get(index) else { return Ok(Vec::new()) };
        let shown = Shown::read(message, config)?;
        let stamp_ns = shown.header.stamp_ns;
        self.latched[index] = Some(shown);
        let complete = self.complete(stamp_ns);
        Ok(complete.map(|complete| (Key::Data, joined(stamp_ns, &complete))).into_iter().collect())
    }

    fn idle(&self, _: Key, now: i64) -> Vec<u8> {
        let empty: Vec<Shown> = self.configs.iter().map(|config| Shown::empty(config, now)).collect();
        joined(now, &empty)
    }

    fn clear(&mut self) {
        self.latched.fill(None);
    }
}

fn joined(stamp_ns: i64, shown: &[Shown]) -> Vec<u8> {
    images(stamp_ns, shown.iter().map(|shown| (&shown.header, &*shown.pixels)))
}

/// The image of a segmentation camera.
pub(super) struct Classes {
    image: ImageConfig,
    /// Names of the classes that clients receive; none for all of them.
    wanted: Vec<String>,
    pixels: Option<Shown>,
    names: Option<LabelInfo>,
}

impl Classes {
    pub(super) fn new(image: ImageConfig, wanted: Vec<String>) -> Self {
        Classes { image, wanted, pixels: None, names: None }
    }

    fn read_pixels(&mut self, message: &[u8]) -> Result<(), ConversionError> {
        let shown = Shown::read(message, &self.image)?;
        if shown.header.format != PixelFormat::L16 {
            return Err(ConversionError("its pixels are not numbers of 16 bits".to_owned()));
        }
        self.pixels = Some(shown);
        Ok(())
    }

    /// Returns the image if its pixels and names are there.
    fn complete(&mut self) -> Option<Vec<u8>> {
        let (pixels, names) = (self.pixels.as_ref()?, self.names.as_ref()?);
        let stamp = names.header.as_ref().and_then(|header| header.stamp.as_ref());
        if stamp.map(Time::to_nanos) != Some(pixels.header.stamp_ns) {
            return None;
        }
        let (pixels, names) = (self.pixels.take()?, self.names.take()?);
        let is_wanted = |name: &String| self.wanted.is_empty() || self.wanted.contains(name);
        let classes = names.class_map.into_iter().filter(|class| is_wanted(&class.class_name));
        let classes: Vec<(u32, String)> = classes.map(|class| (class.class_id, class.class_name)).collect();
        if self.wanted.is_empty() {
            return Some(labelled_image(&pixels.header, &pixels.pixels, &classes));
        }
        Some(labelled_image(&pixels.header, &only(&pixels.pixels, &classes), &classes))
    }
}

impl Converter for Classes {
    fn convert(&mut self, slot: Slot, message: &[u8]) -> Result<Outputs, ConversionError> {
        match slot {
            Slot::Classes => self.names = Some(LabelInfo::decode(message)?),
            _ => self.read_pixels(message)?,
        }
        Ok(self.complete().map(|payload| (Key::Data, payload)).into_iter().collect())
    }

    /// An image without classes.
    fn idle(&self, _: Key, now: i64) -> Vec<u8> {
        let Shown { header, pixels } = Shown::empty(&self.image, now);
        labelled_image(&header, &pixels, &[])
    }

    fn clear(&mut self) {
        (self.pixels, self.names) = (None, None);
    }
}

/// Returns the pixels with 0 for all that are not of these classes.
fn only(pixels: &[u8], classes: &[(u32, String)]) -> Vec<u8> {
    let most = classes.iter().map(|(class, _)| *class).max().unwrap_or(0);
    let mut is_kept = vec![false; most as usize + 1];
    classes.iter().for_each(|(class, _)| is_kept[*class as usize] = true);
    let mut out = pixels.to_vec();
    for pixel in out.chunks_exact_mut(2) {
        let class = u16::from_le_bytes([pixel[0], pixel[1]]);
        if !is_kept.get(usize::from(class)).is_some_and(|kept| *kept) {
            pixel.fill(0);
        }
    }
    out
}
