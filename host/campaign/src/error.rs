//! Errors of campaigns. Each text says what was asked, what was found and what to try, and begins with its code.

use std::path::PathBuf;

/// A mistake in a campaign file, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// `file:line:column`.
    pub place: String,
    /// What was found, what was expected, and what to try; it begins with its code.
    pub text: String,
}

/// Why a campaign cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// The campaign file cannot be read.
    #[error(
        "[BH-CAM-001] the campaign file `{file}` cannot be read: {reason}; try: check the path and the permissions"
    )]
    FileUnreadable {
        /// The file.
        file: String,
        /// The cause.
        reason: String,
    },
    /// The campaign file has mistakes.
    #[error("{}", .0.iter().map(|problem| format!("{}: {}", problem.place, problem.text)).collect::<Vec<_>>().join("\n"))]
    File(Vec<Problem>),
    /// No run is left.
    #[error(
        "[BH-CAM-005] `{file}` expands to no run: {why}; try: remove an `[[exclude]]`, or give each list of `[matrix]` a value"
    )]
    NoRuns {
        /// The file.
        file: String,
        /// The reason.
        why: String,
    },
    /// Far too many runs.
    #[error(
        "[BH-CAM-006] `{file}` expands to {count} runs ({factors}); at most {most} are planned; try: fewer values, or a smaller `count` of seeds"
    )]
    TooManyRuns {
        /// The file.
        file: String,
        /// Their number.
        count: String,
        /// The sizes of the lists.
        factors: String,
        /// The limit.
        most: usize,
    },
    /// A pattern or path matches no file.
    #[error(
        "[BH-CAM-007] {place}: no {what} `{pattern}`; looked in `{folder}`; try: a path relative to the campaign file"
    )]
    NoFile {
        /// What is looked for.
        what: &'static str,
        /// The place in the file.
        place: String,
        /// The path or pattern.
        pattern: String,
        /// Where it was looked for.
        folder: String,
    },
    /// A parameter is neither a key of the configuration nor a value of the world, or has a wrong value.
    #[error("[BH-CAM-008] {place}: the parameter `{name}` {why}")]
    Parameter {
        /// The place in the file.
        place: String,
        /// The parameter.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// The host refuses a world with its bridges.
    #[error("[BH-CAM-009] {case}: the run cannot be planned: {why}")]
    Case {
        /// The world and its parameters.
        case: String,
        /// The error of the host.
        why: String,
    },
    /// The base configuration cannot be used.
    #[error("[BH-CAM-010] the configuration of the campaign cannot be used: {0}")]
    Configuration(String),
    /// The store cannot be read or written.
    #[error("[BH-CAM-020] the store cannot be used: `{}`: {reason}; finished runs are kept; try: check its space and permissions, and repeat the command", path.display())]
    Store {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        reason: String,
    },
    /// The store belongs to another campaign.
    #[error(
        "[BH-CAM-021] the store `{store}` belongs to the campaign `{found}`, not to `{asked}`; try: another `--store`"
    )]
    OtherCampaign {
        /// Its address.
        store: String,
        /// The campaign it belongs to.
        found: String,
        /// The campaign that was asked for.
        asked: String,
    },
    /// There is no plan.
    #[error(
        "[BH-CAM-022] the store `{store}` has no usable plan: {reason}; try: `bridgehead campaign plan FILE.toml`"
    )]
    NoPlan {
        /// Its address.
        store: String,
        /// The cause.
        reason: String,
    },
    /// A store in a bucket, with a program that has no client for it.
    #[error(
        "[BH-CAM-026] the store `{0}` is in a bucket, and this program was built without a client for buckets; try: the released program, or build it with `--features s3`"
    )]
    NoBuckets(String),
    /// The settings of a bucket are wrong.
    #[error(
        "[BH-CAM-027] the bucket of the store `{store}` cannot be used: {reason}; try: set the environment variables AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, and AWS_ENDPOINT_URL unless it is at AWS"
    )]
    Bucket {
        /// Its address.
        store: String,
        /// The cause.
        reason: String,
    },
    /// An input differs from the plan.
    #[error("[BH-CAM-025] `{}` {found}; {runs} runs from key {key} on need it; try: plan the campaign again, or give this machine the file", path.display())]
    InputChanged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        found: String,
        /// The number of runs.
        runs: usize,
        /// The first key.
        key: String,
    },
    /// A shard does not exist.
    #[error("[BH-CAM-030] there is no shard `{0}`; write `I/N`, with I from 1 to N, such as `3/20`")]
    Shard(String),
    /// A process cannot be started.
    #[error("[BH-CAM-031] `{program}` cannot be started: {reason}")]
    Spawn {
        /// The program.
        program: String,
        /// The cause.
        reason: String,
    },
    /// An engine is not installed.
    #[error(
        "[BH-CAM-032] the engine `{engine}` is not installed here: there is no program `{program}`; try: install it, or `--engine local`"
    )]
    NoEngine {
        /// The engine.
        engine: &'static str,
        /// The missing program.
        program: String,
    },
    /// An engine refuses the campaign.
    #[error("[BH-CAM-033] the engine `{engine}` refused the campaign: {reason}")]
    EngineRefused {
        /// The engine.
        engine: &'static str,
        /// What it said.
        reason: String,
    },
    /// No engine is at the address.
    #[error(
        "[BH-CAM-036] the engine `{engine}` cannot be reached at `{address}`: {reason}; try: {advice}, or `--engine local`"
    )]
    EngineUnreachable {
        /// The engine.
        engine: &'static str,
        /// Where it was looked for.
        address: String,
        /// The cause.
        reason: String,
        /// How it is started, or another address given.
        advice: &'static str,
    },
    /// An engine requires a token.
    #[error(
        "[BH-CAM-037] the engine `{engine}` at `{address}` did not accept the request: {reason}; {sent}; try: {advice}"
    )]
    EngineDenied {
        /// The engine.
        engine: &'static str,
        /// Its address.
        address: String,
        /// What it said.
        reason: String,
        /// Which token was sent.
        sent: String,
        /// Where a token is looked for.
        advice: &'static str,
    },
    /// An engine does not answer any more.
    #[error(
        "[BH-CAM-038] the engine `{engine}` does not answer any more about the job {job}: {reason}; finished runs are kept; try: repeat the command when it answers again"
    )]
    JobLost {
        /// The engine.
        engine: &'static str,
        /// The id of the job.
        job: String,
        /// The last cause.
        reason: String,
    },
    /// A job was not stopped.
    #[error(
        "[BH-CAM-039] the engine `{engine}` did not stop the job {job}, which may go on: {reason}; try: `{command}`"
    )]
    NotStopped {
        /// The engine.
        engine: &'static str,
        /// The id of the job.
        job: String,
        /// The cause.
        reason: String,
        /// The command that stops it.
        command: String,
    },
    /// A key is not in the plan, or is not one.
    #[error("[BH-CAM-040] {0}")]
    Key(String),
    /// A failure cannot be made smaller.
    #[error("[BH-CAM-041] the run {key} cannot be made smaller: {why}")]
    Minimise {
        /// The key.
        key: String,
        /// The reason.
        why: String,
    },
    /// A signal ended the campaign.
    #[error(
        "[BH-CAM-050] interrupted; finished runs are kept; try: repeat the command, which executes only what is missing"
    )]
    Interrupted,
}
