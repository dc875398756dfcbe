//! The calls whose time is limited.

use crate::call::StepCall;

/// A call that the simulation thread makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Call {
    /// `all_started` of a model plugin.
    AllStarted,
    /// `reset` of a model plugin.
    Reset,
    /// `sample` of a model plugin.
    Sample,
    /// `control` of a model plugin.
    Control,
    /// `pause` of a model plugin.
    Pause,
    /// `resume` of a model plugin.
    Resume,
    /// `stop` of a model plugin.
    Stop,
    /// `save` of a model plugin.
    Save,
    /// `load` of a model plugin.
    Load,
    /// The elements that a model plugin adds to a saved world.
    SavedElements,
    /// `destroy` of a model plugin.
    Destroy,
    /// `status` of a bridge.
    Status,
}

impl Call {
    pub(super) const ALL: [Call; 12] = [
        Call::AllStarted,
        Call::Reset,
        Call::Sample,
        Call::Control,
        Call::Pause,
        Call::Resume,
        Call::Stop,
        Call::Save,
        Call::Load,
        Call::SavedElements,
        Call::Destroy,
        Call::Status,
    ];

    /// Its name in the ABI.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Call::AllStarted => "all_started",
            Call::Reset => "reset",
            Call::Sample => "sample",
            Call::Control => "control",
            Call::Pause => "pause",
            Call::Resume => "resume",
            Call::Stop => "stop",
            Call::Save => "save",
            Call::Load => "load",
            Call::SavedElements => "saved_elements",
            Call::Destroy => "destroy",
            Call::Status => "status",
        }
    }

    /// The call, if it is made in every step.
    #[must_use]
    pub const fn of_step(self) -> Option<StepCall> {
        match self {
            Call::Sample => Some(StepCall::Sample),
            Call::Control => Some(StepCall::Control),
            Call::Status => Some(StepCall::Status),
            _ => None,
        }
    }
}
