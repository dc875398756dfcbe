//! Arguments that several commands have: the host, and how often something is shown.

use clap::Args;

use crate::cli::ctl::client::DEFAULT_ADDRESS;

/// How the host is reached, and how its responses are shown.
#[derive(Debug, Args)]
pub(in crate::cli) struct Connection {
    /// Address of the host
    #[arg(long, value_name = "HOST:PORT", global = true, env = "BRIDGEHEAD_HTTP", hide_env_values = true)]
    #[arg(default_value = DEFAULT_ADDRESS, display_order = 800)]
    pub(in crate::cli) address: String,
    /// Token of the host, if it requires one
    #[arg(long, value_name = "TOKEN", global = true, env = "BRIDGEHEAD_TOKEN", hide_env_values = true)]
    #[arg(display_order = 801)]
    pub(in crate::cli) token: Option<String>,
    /// Longest time to wait for a response: `60s`, `500ms`, `10m`
    #[arg(long, value_name = "TIME", global = true, default_value = "60s", display_order = 802)]
    pub(in crate::cli) timeout: String,
    /// Print the response unchanged, as JSON
    #[arg(long, global = true, display_order = 803)]
    pub(in crate::cli) json: bool,
}

/// How often something is shown.
#[derive(Debug, Args)]
pub(in crate::cli) struct Rate {
    /// Largest number of updates per second
    #[arg(long, value_name = "N")]
    pub(in crate::cli) rate: Option<f64>,
}
