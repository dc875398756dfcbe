//! Contacts of a link: the contact sensor reports every contact, the touch detector reports once that a contact has
//! lasted. They run on the simulation thread.

mod sensor;
mod touch;

use bridgehead_plugin_api::export_plugin;

use crate::sensor::ContactSensor;
use crate::touch::Touch;

export_plugin! {
    model ContactSensor { id: "org.bridgehead.sensor.contact", name: "contact", vendor: "Bridgehead" }
    model Touch { id: "org.bridgehead.sensor.touch", name: "touch", vendor: "Bridgehead" }
}
