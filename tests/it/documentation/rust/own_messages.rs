//! Context of the blocks in `docs/own-messages.md`: the message of the sensor.
use crate::messages::PagesReading as SpeedMeterReading;
