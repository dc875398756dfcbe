//! Name and types of a service of the host.

use bridgehead_plugin_api::bridge::{Channel, TypeInfo};
use bridgehead_plugin_api::messages::Schema;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ActionDescription;
use bridgehead_plugin_api::{Error, Result};

use super::codec::Codec;
use super::codes::NAME;
use super::generation::Generation;
use crate::names::{Names, is_absolute};

/// Name and types of a service of the host.
pub(super) struct Definition {
    /// Its name in the host.
    name: String,
    request: Schema,
    response: Schema,
    /// The action whose goals it accepts.
    pub(super) action: Option<ActionDescription>,
}

impl Definition {
    /// # Errors
    /// Returns an error if its types are not valid in ROS 2.
    pub(super) fn new(channel: &Channel<'_>, action: Option<ActionDescription>) -> Result<Self> {
        let schema = |of: TypeInfo<'_>| Schema::new(of.descriptor_set.to_vec(), of.name.to_owned());
        let (request, response) = (schema(channel.data_type()), schema(channel.response_type()));
        Codec::new(&request, &response, Generation::default())?;
        Ok(Definition { name: channel.topic().to_owned(), request, response, action })
    }

    pub(super) fn codec(&self, generation: Generation) -> Result<Codec> {
        Codec::new(&self.request, &self.response, generation)
    }

    /// Returns its name in ROS.
    ///
    /// # Errors
    /// Returns an error if that is not valid in ROS 2.
    pub(super) fn ros_name(&self, names: &Names) -> Result<String> {
        checked(names.resolve(&self.name))
    }
}

fn checked(name: String) -> Result<String> {
    if is_absolute(&name) {
        return Ok(name);
    }
    Err(Error::invalid(format!(
        "[{NAME}] the service name `{name}` is not valid in ROS 2: parts between slashes consist of letters, digits and \
         underscores and do not begin with a digit; give it another name"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_names_are_refused_with_the_reason() {
        assert_eq!(checked("/car1/arm/enable".into()), Ok("/car1/arm/enable".into()));
        for name in ["reset", "/", "/1st", "/a//b", "/a/", "/a-b", "/straße"] {
            let error = checked(name.into()).expect_err(name);
            assert!(error.text().contains(name) && error.text().contains("[BH-ROS-101]"), "{error}");
        }
    }
}
