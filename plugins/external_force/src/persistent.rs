//! A wrench that acts in every step, as the world file gives it.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::drive::check_targets;
use bridgehead_plugin_api::host::Params;
use serde::{Deserialize, Serialize};

/// The kind of what a wrench acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// The canonical link of a model.
    Model,
    /// A link.
    Link,
}

/// A wrench on an entity, world frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Wrench {
    /// Scoped name in the world.
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Newtons.
    pub(crate) force: [f64; 3],
    /// Newton metres.
    pub(crate) torque: [f64; 3],
}

impl Wrench {
    /// Reads every `<persistent>` element.
    pub(crate) fn read_all(params: Params) -> Result<Vec<Self>> {
        (0..params.count("persistent"))
            .map(|index| Self::read(params, &format!("persistent[{index}]")))
            .collect()
    }

    fn read(params: Params, path: &str) -> Result<Self> {
        let name = params.require(&format!("{path}/entity_name"))?;
        let kind_path = format!("{path}/entity_type");
        let kind = match params.require::<String>(&kind_path)?.as_str() {
            "model" => Kind::Model,
            "link" => Kind::Link,
            other => return Err(params.refuse(&kind_path, other, "`model` or `link`")),
        };
        let vector = |name: &str| -> Result<[f64; 3]> {
            let path = format!("{path}/{name}");
            let vector = params.get_or(&path, [0.0; 3])?;
            check_targets("force", &vector)
                .map_err(|error| params.refuse(&path, &params.text(&path).unwrap_or_default(), error))?;
            Ok(vector)
        };
        Ok(Wrench { name, kind, force: vector("force")?, torque: vector("torque")? })
    }
}
