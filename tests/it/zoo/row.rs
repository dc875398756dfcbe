//! One row of the zoo: a plugin, how it is used, and what is seen.

/// A plugin that misbehaves, and its outcome.
pub(super) struct Row {
    /// What the plugin does, as the page says it.
    pub(super) plugin: &'static str,
    /// How such a plugin is made.
    pub(super) made: Made,
    /// How the host is started.
    pub(super) asked: Asked,
    /// Environment of the host.
    pub(super) environment: &'static [(&'static str, &'static str)],
    /// How the process ends.
    pub(super) exit: Exit,
    /// Texts that stand together in one message of the host; none where nothing is said.
    pub(super) logs: &'static [&'static str],
    /// What becomes of the run.
    pub(super) run: Run,
    /// More that the page says.
    pub(super) note: &'static str,
}

/// How a plugin of the zoo is made.
#[derive(Clone, Copy)]
pub(super) enum Made {
    /// The bytes of a good plugin in C, changed.
    Bytes(fn(Vec<u8>) -> Vec<u8>),
    /// `plain_model.c` with these macros and flags of the compiler.
    C(&'static [&'static str], &'static [&'static str]),
    /// `plain_model.cpp` with these macros.
    Cpp(&'static [&'static str]),
    /// Two files of one plugin in C.
    Twins,
    /// The fixture `rogue_model`, with this fault.
    Model(&'static str),
    /// The fixture `nuisance`, doing this.
    Nuisance(&'static str),
    /// The fixture `rogue_bridge`, attached with this fault as its connection string.
    Bridge(&'static str),
    /// A fixture without parameters.
    Fixture(&'static str),
    /// `rogue_model` with this fault, compiled by itself in this edition and with these flags of the compiler.
    Rust(&'static str, &'static str, &'static [&'static str]),
}

/// How the host is started.
#[derive(Clone, Copy)]
pub(super) enum Asked {
    /// `bridgehead run`, for half a simulated second, with these arguments more.
    Run(&'static [&'static str]),
    /// The same, with a configuration file.
    Configured(&'static str),
    /// `bridgehead plugin probe`, with these arguments more.
    Probe(&'static [&'static str]),
}

/// How a process ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32, &'static str),
}

/// What becomes of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Run {
    /// There is none.
    None,
    /// It goes on to its end, and its other plugins and bridges with it.
    GoesOn,
    /// It ends before its time, in order: bridges are disconnected and the result is written.
    Ends,
    /// The process ends at once, with what is known of the run as its result.
    Cut,
    /// The process ends without a result.
    Lost,
}

impl Row {
    const fn new(plugin: &'static str, made: Made, asked: Asked) -> Self {
        let (exit, run) = match asked {
            Asked::Run(_) | Asked::Configured(_) => (Exit::Code(0), Run::GoesOn),
            Asked::Probe(_) => (Exit::Code(0), Run::None),
        };
        Row { plugin, made, asked, environment: &[], exit, logs: &[], run, note: "" }
    }

    /// A run with the plugin, which goes on to its end unless another outcome is given.
    pub(super) const fn run(plugin: &'static str, made: Made) -> Self {
        Row::new(plugin, made, Asked::Run(&[]))
    }

    /// A probe of the plugin, which finds nothing wrong unless another exit is given.
    pub(super) const fn probe(plugin: &'static str, made: Made) -> Self {
        Row::new(plugin, made, Asked::Probe(&[]))
    }

    /// With more arguments.
    pub(super) const fn with(mut self, arguments: &'static [&'static str]) -> Self {
        self.asked = match self.asked {
            Asked::Run(_) | Asked::Configured(_) => Asked::Run(arguments),
            Asked::Probe(_) => Asked::Probe(arguments),
        };
        self
    }

    /// With a configuration file.
    pub(super) const fn configured(mut self, toml: &'static str) -> Self {
        self.asked = Asked::Configured(toml);
        self
    }

    /// With variables in the environment.
    pub(super) const fn given(mut self, environment: &'static [(&'static str, &'static str)]) -> Self {
        self.environment = environment;
        self
    }

    /// A message has all of these texts.
    pub(super) const fn logs(mut self, texts: &'static [&'static str]) -> Self {
        self.logs = texts;
        self
    }

    /// The host ends with this code, without a run.
    pub(super) const fn refused(mut self, code: i32) -> Self {
        self.exit = Exit::Code(code);
        self.run = Run::None;
        self
    }

    /// The run ends early and in order, with this code.
    pub(super) const fn ends(mut self, code: i32) -> Self {
        self.exit = Exit::Code(code);
        self.run = Run::Ends;
        self
    }

    /// The process ends at once, with this code and a result.
    pub(super) const fn cut(mut self, code: i32) -> Self {
        self.exit = Exit::Code(code);
        self.run = Run::Cut;
        self
    }

    /// The process ends without a result.
    pub(super) const fn lost(mut self, exit: Exit) -> Self {
        self.exit = exit;
        self.run = Run::Lost;
        self
    }

    /// The page says this as well.
    pub(super) const fn note(mut self, note: &'static str) -> Self {
        self.note = note;
        self
    }

    /// Error codes among the texts.
    pub(super) fn codes(&self) -> impl Iterator<Item = &'static str> {
        self.logs.iter().copied().filter(|text| text.starts_with("BH-"))
    }
}
