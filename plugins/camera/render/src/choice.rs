//! Choosing what draws.

use std::fmt;

/// What draws.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// A GPU if there is one, otherwise the processor.
    #[default]
    Any,
    /// A GPU.
    Gpu,
    /// The processor, by this library: equal images on all machines.
    Processor,
    /// A software driver for Vulkan, such as that of Mesa.
    Software,
    /// The first adapter whose name contains this text, without regard to case.
    Named(String),
}

impl Choice {
    /// Reads `auto`, `gpu`, `processor`, `software`, or a part of a name.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text {
            "" | "auto" => Choice::Any,
            "gpu" => Choice::Gpu,
            "processor" => Choice::Processor,
            "software" => Choice::Software,
            name => Choice::Named(name.to_owned()),
        }
    }
}

/// What was asked for, after `no graphics adapter`.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Any | Choice::Processor => f.write_str("is there"),
            Choice::Gpu => f.write_str("is a GPU"),
            Choice::Software => f.write_str("is a software driver"),
            Choice::Named(part) => write!(f, "has `{part}` in its name"),
        }
    }
}
