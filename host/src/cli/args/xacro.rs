//! The arguments for files that are xacro.

use clap::Args;

use crate::config::{ArgumentRequest, xacro_argument};

/// The arguments for files that are xacro.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct XacroArguments {
    /// Value of a `<xacro:arg>` of the files that are xacro; may be given several times
    #[arg(long = "arg", value_name = "NAME=VALUE", value_parser = xacro_argument)]
    pub(in crate::cli) xacro: Vec<(String, String)>,
}

impl XacroArguments {
    /// Returns them as settings of a run.
    pub(in crate::cli) fn requests(&self) -> Vec<ArgumentRequest> {
        let request = |(name, value): &(String, String)| ArgumentRequest {
            name: name.clone(),
            value: value.clone(),
            place: "--arg".to_owned(),
        };
        self.xacro.iter().map(request).collect()
    }
}
