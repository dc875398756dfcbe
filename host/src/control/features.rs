//! The features of the host, which follow from the table of services.

use std::collections::BTreeSet;

use bridgehead_plugin_api::messages::{Message, declared_services, simulation_interfaces as si};

/// The features that are reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Numbers of `simulation_interfaces/msg/SimulatorFeatures`, ascending.
    pub numbers: Vec<u32>,
}

impl Features {
    /// Returns the features whose services are all among these default names.
    #[must_use]
    pub fn of(offered: &BTreeSet<&str>) -> Self {
        let missing: BTreeSet<&str> = declared_services()
            .iter()
            .filter(|declared| !offered.contains(declared.name))
            .flat_map(|declared| declared.features)
            .copied()
            .collect();
        let present = declared_services().iter().flat_map(|declared| declared.features).copied();
        let numbers: BTreeSet<u32> =
            present.filter(|feature| !missing.contains(feature)).filter_map(number).collect();
        Features { numbers: numbers.into_iter().collect() }
    }

    /// Returns the features as a message.
    #[must_use]
    pub fn message(&self) -> si::SimulatorFeatures {
        si::SimulatorFeatures {
            features: self.numbers.clone(),
            spawn_formats: ["sdf", "urdf", "mjcf"].map(str::to_owned).to_vec(),
            custom_info: format!(
                "bridgehead {}; interfaces of generation 2.x, requests of 1.x are understood",
                env!("CARGO_PKG_VERSION")
            ),
        }
    }
}

/// Returns the number of a feature.
fn number(feature: &str) -> Option<u32> {
    let message = si::SimulatorFeatures::schema().resolve().ok()?;
    let mut lines = message.root().constants().iter();
    lines.find_map(|line| {
        let (name, value) = line.strip_prefix("uint8 ")?.split_once('=')?;
        (name == feature).then(|| value.parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_is_reported_if_all_its_services_are_offered() {
        let mut all: BTreeSet<&str> = declared_services().iter().map(|declared| declared.name).collect();
        assert_eq!(Features::of(&all).numbers.len(), 32);
        all.remove("get_entities_states");
        let fewer = Features::of(&all).numbers;
        assert_eq!(fewer.len(), 31, "ENTITY_STATE_GETTING needs both of its services");
        assert!(!fewer.contains(&si::SimulatorFeatures::ENTITY_STATE_GETTING));
        assert!(fewer.is_sorted());
        assert!(Features::of(&BTreeSet::new()).numbers.is_empty());
    }
}
