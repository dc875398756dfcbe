//! One row of the zoo: a plugin, its use, and the results.

/// A plugin that misbehaves, and its outcome.
pub(super) struct Row {
    /// What the plugin does, in the words of the page.
    pub(super) plugin: &'static str,
    /// How such a plugin is made.
    pub(super) made: Made,
    /// How the host is started.
    pub(super) command: Command,
    /// Environment of the host.
    pub(super) environment: &'static [(&'static str, &'static str)],
    /// How the process ends.
    pub(super) exit: Exit,
    /// Texts that one message of the host contains; empty if no message is expected.
    pub(super) logs: &'static [&'static str],
    /// The outcome of the run.
    pub(super) run: Run,
    /// A note on the page.
    pub(super) note: &'static str,
}

/// How a plugin of the zoo is made.
#[derive(Clone, Copy)]
pub(super) enum Made {
    /// The bytes of a valid plugin in C, after this change.
    Bytes(fn(Vec<u8>) -> Vec<u8>),
    /// `plain_model.c` with these macros and flags of the compiler.
    C(&'static [&'static str], &'static [&'static str]),
    /// `plain_model.cpp` with these macros.
    Cpp(&'static [&'static str]),
    /// `breaker.c` with this fault in this call.
    Breaker(&'static str, &'static str),
    /// `careless_model.c` with this fault.
    CarelessModel(&'static str),
    /// `careless_bridge.c`, attached with this fault as its connection string.
    CarelessBridge(&'static str),
    /// Two files of one plugin in C.
    Twins,
    /// The fixture `rogue_model`, with this fault.
    Model(&'static str),
    /// The fixture `nuisance`, doing this.
    Nuisance(&'static str),
    /// The fixture `meddler`, changing this.
    Meddler(&'static str),
    /// The fixture `rogue_bridge`, attached with this fault as its connection string.
    Bridge(&'static str),
    /// A fixture without parameters.
    Fixture(&'static str),
    /// `rogue_model` with this fault, compiled as a separate crate in this edition and with these flags of the
    /// compiler.
    Rust(&'static str, &'static str, &'static [&'static str]),
}

/// How the host is started.
#[derive(Clone, Copy)]
pub(super) enum Command {
    /// `bridgehead run`, for half a simulated second, with these additional arguments.
    Run(&'static [&'static str]),
    /// The same, with a configuration file.
    Configured(&'static str),
    /// `bridgehead plugin probe`, with these additional arguments.
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

/// The outcome of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Run {
    /// There is none.
    None,
    /// It continues to its end, with its other plugins and bridges.
    Continues,
    /// It ends early and in order: bridges are disconnected and the result is written.
    Ends,
    /// It continues to its end, but its process cannot write its result: what its supervisor writes contains the cause.
    Untold,
    /// The process ends at once, with a result that contains what is known of the run.
    Cut,
}

impl Row {
    const fn new(plugin: &'static str, made: Made, command: Command) -> Self {
        let (exit, run) = match command {
            Command::Run(_) | Command::Configured(_) => (Exit::Code(0), Run::Continues),
            Command::Probe(_) => (Exit::Code(0), Run::None),
        };
        Row { plugin, made, command, environment: &[], exit, logs: &[], run, note: "" }
    }

    /// A run with the plugin, which continues to its end unless another outcome is given.
    pub(super) const fn run(plugin: &'static str, made: Made) -> Self {
        Row::new(plugin, made, Command::Run(&[]))
    }

    /// A probe of the plugin, which finds no error unless another exit is given.
    pub(super) const fn probe(plugin: &'static str, made: Made) -> Self {
        Row::new(plugin, made, Command::Probe(&[]))
    }

    /// With more arguments.
    pub(super) const fn with(mut self, arguments: &'static [&'static str]) -> Self {
        self.command = match self.command {
            Command::Run(_) | Command::Configured(_) => Command::Run(arguments),
            Command::Probe(_) => Command::Probe(arguments),
        };
        self
    }

    /// With a configuration file.
    pub(super) const fn configured(mut self, toml: &'static str) -> Self {
        self.command = Command::Configured(toml);
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

    /// The run goes on, and ends as a failure because the world lacks the plugin.
    pub(super) const fn incomplete(mut self) -> Self {
        self.exit = Exit::Code(9);
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

    /// The run continues, and ends with code 1 because its process cannot write the result.
    pub(super) const fn untold(mut self) -> Self {
        self.exit = Exit::Code(1);
        self.run = Run::Untold;
        self
    }

    /// A signal ends the process, with a result.
    pub(super) const fn crashed(mut self, exit: Exit) -> Self {
        self.exit = exit;
        self.run = Run::Cut;
        self
    }

    /// Adds a note on the page.
    pub(super) const fn note(mut self, note: &'static str) -> Self {
        self.note = note;
        self
    }

    /// Error codes among the texts.
    pub(super) fn codes(&self) -> impl Iterator<Item = &'static str> {
        self.logs.iter().copied().filter(|text| text.starts_with("BH-"))
    }
}
