//! The modules of a RealSense: each has a converter and ports of its own.

use super::picture::Picture;
use super::sensors::Imu;
use super::{ConversionError, Converter, Outputs};
use crate::device::{Key, Module, ModuleConfig, Slot};

pub(super) struct Modules(Vec<(Module, Box<dyn Converter>)>);

impl Modules {
    pub(super) fn new(configs: &[(Module, ModuleConfig)]) -> Self {
        let converter = |config: &ModuleConfig| -> Box<dyn Converter> {
            match config {
                ModuleConfig::Image(image) => Box::new(Picture(*image)),
                ModuleConfig::Imu(name) => Box::new(Imu { name: name.clone() }),
            }
        };
        Modules(configs.iter().map(|(module, config)| (*module, converter(config))).collect())
    }
}

impl Converter for Modules {
    fn convert(&mut self, slot: Slot, message: &[u8]) -> Result<Outputs, ConversionError> {
        let found = self.0.iter_mut().find(|(module, _)| slot == Slot::Module(*module));
        let Some((module, converter)) = found else { return Ok(Vec::new()) };
        let outputs = converter.convert(Slot::Main, message)?;
        Ok(outputs.into_iter().map(|(_, payload)| (Key::ModuleData(*module), payload)).collect())
    }

    fn idle(&self, key: Key, now: i64) -> Vec<u8> {
        let found = self.0.iter().find(|(module, _)| key == Key::ModuleData(*module));
        found.map_or_else(Vec::new, |(_, converter)| converter.idle(Key::Data, now))
    }
}
