//! `bridgehead.environment/1`: where the world stands and what fills it.

use bridgehead_abi::surroundings::{ENVIRONMENT_HAS_ORIGIN, Environment, HostEnvironment};
use bridgehead_abi::{Host, Status, status};

use super::caller::{caller, check_out, checked};
use crate::guard::host_call;

pub(super) static TABLE: HostEnvironment =
    HostEnvironment { struct_size: HostEnvironment::SIZE, reserved: 0, read };

unsafe extern "C" fn read(host: *const Host, out: *mut Environment) -> Status {
    host_call("environment.read", status::PANIC, || {
        let context = caller!(host, "environment.read");
        let of = context.attachment.surroundings;
        // SAFETY: `out` is memory for a result.
        checked!(unsafe { check_out(&context.label, out, "environment.read") });
        let origin = of.origin;
        let place = |read: fn(&bridgehead_sdf::element::SphericalCoordinates) -> f64| {
            origin.as_ref().map_or(0.0, read)
        };
        let raw = Environment {
            struct_size: Environment::SIZE,
            flags: if origin.is_some() { ENVIRONMENT_HAS_ORIGIN } else { 0 },
            latitude: place(|origin| origin.latitude),
            longitude: place(|origin| origin.longitude),
            elevation: place(|origin| origin.elevation),
            heading: place(|origin| origin.heading),
            magnetic_field: of.magnetic_field.to_array(),
            wind: of.wind.to_array(),
            gravity: of.gravity.to_array(),
            temperature: of.atmosphere.temperature,
            temperature_gradient: of.atmosphere.temperature_gradient,
            pressure: of.atmosphere.pressure,
        };
        // SAFETY: `out` is writable.
        unsafe { out.write(raw) };
        status::OK
    })
}
