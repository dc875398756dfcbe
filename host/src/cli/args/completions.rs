//! The arguments of `completions`.

use clap::Args;

pub(crate) const AFTER_HELP: &str = "\
Examples:
  bash: bridgehead completions bash > ~/.local/share/bash-completion/completions/bridgehead
  zsh:  bridgehead completions zsh > \"${fpath[1]}/_bridgehead\"
  fish: bridgehead completions fish > ~/.config/fish/completions/bridgehead.fish";

/// The arguments of `completions`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_parser = ["bash", "zsh", "fish"])]
    pub(crate) shell: String,
}
