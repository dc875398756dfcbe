//! One row of the table: preconditions, actions, and expected results.

/// What is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    /// `bridgehead run` with the world.
    Run,
    /// `bridgehead run` without one.
    RunWithoutWorld,
    /// `bridgehead check` of the configuration and the world.
    Check,
}

/// An action on a running host.
#[derive(Clone, Copy)]
pub(super) enum Act {
    /// Waits until a client receives this state of the host; `Step` is any phase of a step.
    Reaches(&'static str),
    /// Calls a service with a request in JSON, which succeeds.
    Ask(&'static str, &'static str),
    /// Calls a service with a request in JSON, which is refused with an error that contains this text.
    Refused(&'static str, &'static str, &'static str),
    /// Waits for a line of the output that contains this text.
    Logs(&'static str),
    /// Sends a signal.
    Signal(i32),
    /// Waits until another signal is another request.
    Later,
}

/// How the process ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// With this exit code and this outcome in the result file.
    Code(i32, &'static str),
    /// By this signal, without a result.
    Signal(i32),
}

/// A row.
#[derive(Clone, Copy)]
pub(super) struct Scenario {
    pub(super) command: Command,
    /// A `rogue_model` on `car1` for each, with this fault.
    pub(super) models: &'static [&'static str],
    /// Values of `--bridge`.
    pub(super) bridges: &'static [&'static str],
    /// Environment of the host.
    pub(super) environment: &'static [(&'static str, &'static str)],
    /// The configuration, before its triggers.
    pub(super) toml: &'static str,
    /// Event and action of each trigger, inline or as a table in braces.
    pub(super) triggers: &'static [(&'static str, &'static str)],
    pub(super) arguments: &'static [&'static str],
    pub(super) acts: &'static [Act],
    pub(super) exit: Exit,
    /// Steps since the last reset.
    pub(super) steps: Option<u64>,
    pub(super) resets: Option<u64>,
    /// Texts of the result file, in compact JSON.
    pub(super) reports: &'static [&'static str],
    /// Texts that one message of the host contains.
    pub(super) logs: &'static [&'static str],
}

/// A run of a tenth of a second without events.
const PLAIN: Scenario = Scenario {
    command: Command::Run,
    models: &[],
    bridges: &[],
    environment: &[],
    toml: "",
    triggers: &[],
    arguments: &["--duration", "0.1s"],
    acts: &[],
    exit: Exit::Code(0, "stopped"),
    steps: None,
    resets: None,
    reports: &[],
    logs: &[],
};

/// A run with these triggers, for at most three seconds.
pub(super) const fn triggers(triggers: &'static [(&'static str, &'static str)]) -> Scenario {
    Scenario { triggers, arguments: &["--duration", "3s"], ..PLAIN }
}

/// A run with a plugin for each of these faults, for a tenth of a second.
pub(super) const fn models(models: &'static [&'static str]) -> Scenario {
    Scenario { models, ..PLAIN }
}

/// A run with these bridges, for a tenth of a second.
pub(super) const fn bridges(bridges: &'static [&'static str]) -> Scenario {
    Scenario { bridges, ..PLAIN }
}

/// A run without a time limit, with these actions.
pub(super) const fn acts(acts: &'static [Act]) -> Scenario {
    Scenario { acts, arguments: &[], ..PLAIN }
}

/// A host without a world, with these actions.
pub(super) const fn without_world(acts: &'static [Act]) -> Scenario {
    Scenario { command: Command::RunWithoutWorld, acts, arguments: &[], ..PLAIN }
}

impl Scenario {
    /// Checks the configuration instead of running it.
    pub(super) const fn checked(mut self) -> Self {
        self.command = Command::Check;
        self.arguments = &[];
        self
    }

    pub(super) const fn models(mut self, models: &'static [&'static str]) -> Self {
        self.models = models;
        self
    }

    pub(super) const fn bridges(mut self, bridges: &'static [&'static str]) -> Self {
        self.bridges = bridges;
        self
    }

    pub(super) const fn given(mut self, environment: &'static [(&'static str, &'static str)]) -> Self {
        self.environment = environment;
        self
    }

    pub(super) const fn configured(mut self, toml: &'static str) -> Self {
        self.toml = toml;
        self
    }

    pub(super) const fn when(mut self, triggers: &'static [(&'static str, &'static str)]) -> Self {
        self.triggers = triggers;
        self
    }

    /// With these arguments instead of a duration.
    pub(super) const fn with(mut self, arguments: &'static [&'static str]) -> Self {
        self.arguments = arguments;
        self
    }

    pub(super) const fn then(mut self, acts: &'static [Act]) -> Self {
        self.acts = acts;
        self
    }

    /// Ends with this exit code and outcome.
    pub(super) const fn ends(mut self, code: i32, outcome: &'static str) -> Self {
        self.exit = Exit::Code(code, outcome);
        self
    }

    /// Is ended by this signal.
    pub(super) const fn killed(mut self, signal: i32) -> Self {
        self.exit = Exit::Signal(signal);
        self
    }

    pub(super) const fn steps(mut self, steps: u64) -> Self {
        self.steps = Some(steps);
        self
    }

    pub(super) const fn resets(mut self, resets: u64) -> Self {
        self.resets = Some(resets);
        self
    }

    pub(super) const fn reports(mut self, texts: &'static [&'static str]) -> Self {
        self.reports = texts;
        self
    }

    pub(super) const fn logs(mut self, texts: &'static [&'static str]) -> Self {
        self.logs = texts;
        self
    }
}
