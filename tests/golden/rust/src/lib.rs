//! The golden plugins in Rust: `build.sh` compiles them twice, in the profile `dev` and in the profile `release`.
//!
//! `meter_…` publishes the air pressure of its vehicle, multiplied by its parameter `factor`, on a topic with its own
//! name. `tape_…` writes each pressure that it receives into the file that its connection string names.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::sensor_msgs::FluidPressure;
use bridgehead_plugin_api::prelude::*;

#[cfg(debug_assertions)]
const METER: &str = "meter_rust_debug";
#[cfg(debug_assertions)]
export_plugin! {
    model Meter { id: "org.example.golden.meter_rust_debug", name: "meter_rust_debug", vendor: "Example" }
    bridge Tape { id: "org.example.golden.tape_rust_debug", name: "tape_rust_debug", vendor: "Example" }
}

#[cfg(not(debug_assertions))]
const METER: &str = "meter_rust_release";
#[cfg(not(debug_assertions))]
export_plugin! {
    model Meter { id: "org.example.golden.meter_rust_release", name: "meter_rust_release", vendor: "Example" }
    bridge Tape { id: "org.example.golden.tape_rust_release", name: "tape_rust_release", vendor: "Example" }
}

/// The model plugin.
struct Meter {
    pressure: Subscription<FluidPressure>,
    publisher: Publisher<FluidPressure>,
    factor: f64,
}

impl ModelPlugin for Meter {
    const PHASES: Phases = Phases::CONTROL;

    fn awake(host: HostHandle) -> Result<Self> {
        log::info!("{METER} has begun");
        let bus = host.bus()?;
        Ok(Meter {
            pressure: bus.subscribe("air_pressure", Qos::default())?,
            publisher: bus.advertise(METER, Qos::default())?,
            factor: host.params()?.get_or("factor", 2.0)?,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        Ok(Flow::Continue)
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        while let Some(received) = self.pressure.take() {
            let mut message = received.message;
            message.fluid_pressure *= self.factor;
            self.publisher.publish(step.time_ns, &message)?;
        }
        Ok(Flow::Continue)
    }
}

/// The bridge.
struct Tape {
    file: Mutex<Option<BufWriter<File>>>,
}

impl Tape {
    fn file(&self) -> MutexGuard<'_, Option<BufWriter<File>>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bridge for Tape {
    type Connection = String;
    type Publisher = ();
    type Subscriber = ();

    const LOOPS: Loops = Loops::TRANSMIT;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_publisher(FluidPressure::FULL_NAME)
    }

    fn validate(connection: &String) -> Result {
        if connection.is_empty() { Err(Error::invalid("a file is needed")) } else { Ok(()) }
    }

    fn create(_: HostHandle) -> Result<Self> {
        Ok(Tape { file: Mutex::default() })
    }

    fn connect(&self, connection: String) -> Result {
        *self.file() = Some(BufWriter::new(File::create(connection)?));
        Ok(())
    }

    fn disconnect(&self) -> Result {
        *self.file() = None;
        Ok(())
    }

    fn status(&self) -> BridgeStatus {
        if self.file().is_some() { BridgeStatus::Connected } else { BridgeStatus::Disconnected }
    }

    fn publisher(&self, _: &Channel<'_>) -> Result<()> {
        Ok(())
    }

    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        while let Wait::Ready(item) = tx.next(None) {
            if let Some(file) = &mut *self.file() {
                let message = FluidPressure::decode(item.bytes()).map_err(|error| Error::new(error.to_string()))?;
                let (topic, step, stamp) = (item.topic(), item.step(), item.stamp_ns());
                writeln!(file, "{topic} {step} {stamp} {:016x}", message.fluid_pressure.to_bits())?;
            }
        }
        Ok(())
    }
}
