//! `bridgehead doctor`: what this installation can do, and what it lacks.
//!
//! Each line is the result of one check, which is a value: the text and the exit code are made from the list. Nothing is
//! changed, except that a folder is created and removed in the temporary folder. Main thread.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::{env, fs, process};

use bridgehead_campaign::engine::ray;
use bridgehead_campaign::{CampaignError, HAS_BUCKETS};

use super::args::DoctorArguments;
use super::console::Console;
use super::printed;
use super::printed::EXIT_CONFIGURATION;
use crate::config::DEFAULT_ADDRESS;
use crate::plugin::{KnownPlugin, LoadOptions, Origin, PluginSet, SearchPath};
use crate::text::{Side, padded};
use crate::web::Page;

/// The libraries that come with the program: the word in their file names, and their folders in the repository.
const OWN: &[(&str, &str, &[&str])] = &[
    (
        "bridges",
        "bridge",
        &[
            "ardupilot",
            "betaflight",
            "cloisim",
            "foxglove",
            "gz",
            "logging",
            "mavlink",
            "replay",
            "ros2",
            "rosbridge",
            "zenoh",
        ],
    ),
    (
        "sensors and drives",
        "plugin",
        &[
            "ackermann",
            "actor",
            "aero",
            "battery",
            "camera",
            "clock",
            "comms",
            "contact",
            "diff_drive",
            "dvl",
            "elevator",
            "entities",
            "environment",
            "external_force",
            "force_torque",
            "imu",
            "joint_control",
            "joint_state",
            "lidar",
            "marine",
            "mecanum_drive",
            "navsat",
            "sonar",
            "traction",
            "triggered_publisher",
            "velocity_control",
            "world_edit",
        ],
    ),
];

/// The name of the file of a library that comes with the program.
fn file_name(word: &str, library: &str) -> String {
    format!("libbridgehead_{word}_{library}.so")
}

/// Result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It is available.
    Available,
    /// It is missing, and some runs do without it.
    Absent,
    /// It is missing, and runs fail or lack documented parts.
    Missing,
}

impl State {
    const fn name(self) -> &'static str {
        match self {
            State::Available => "ok",
            State::Absent => "absent",
            State::Missing => "missing",
        }
    }
}

/// One line of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Check {
    name: &'static str,
    state: State,
    found: String,
    /// What to try; empty if nothing is missing.
    advice: &'static str,
}

impl Check {
    fn new(
        name: &'static str,
        is_there: bool,
        otherwise: State,
        found: String,
        advice: &'static str,
    ) -> Self {
        let state = if is_there { State::Available } else { otherwise };
        Check { name, state, found, advice: if is_there { "" } else { advice } }
    }
}

/// Prints the result of every check; returns the exit code.
pub(super) fn doctor(arguments: &DoctorArguments, console: &Console) -> u8 {
    let search = SearchPath::standard(&arguments.plugin_path, &[]);
    let set = PluginSet::search(&search, LoadOptions::default());
    let mut checks = vec![program(), page(&Page::embedded())];
    checks.extend(OWN.iter().map(|(name, word, libraries)| own_libraries(name, word, libraries, &set)));
    checks.extend([
        others(&set),
        refused(&set),
        temporary(&env::temp_dir()),
        address(&DEFAULT_ADDRESS.to_string()),
        stores(),
        engines(has_program("sbatch"), &ray_version(), ray::is_address_set()),
    ]);
    let is_complete = checks.iter().all(|check| check.state != State::Missing);
    printed(&text(&checks), if is_complete { 0 } else { EXIT_CONFIGURATION }, EXIT_CONFIGURATION, console)
}

fn text(checks: &[Check]) -> String {
    let mut text = String::new();
    for check in checks {
        let (state, name) = (padded(check.state.name(), Side::Left, 7), padded(check.name, Side::Left, 18));
        let _ = writeln!(text, "{state}  {name}  {}", check.found);
        if !check.advice.is_empty() {
            let _ = writeln!(text, "  try: {}", check.advice);
        }
    }
    text
}

/// The libraries are searched beside the program, so its path must be known.
fn program() -> Check {
    let path = env::current_exe();
    let is_known = path.is_ok();
    let place = path.map_or_else(|error| error.to_string(), |path| path.display().to_string());
    let found = format!("{} in {place}", env!("CARGO_PKG_VERSION"));
    Check::new(
        "program",
        is_known,
        State::Missing,
        found,
        "mount /proc, by which the program finds its libraries",
    )
}

fn page(page: &Page) -> Check {
    let found = if page.is_there() { "embedded" } else { "not embedded" };
    let advice = "run `bash host/page/build.sh`, which needs Node, and build the host again";
    Check::new("page", page.is_there(), State::Absent, found.to_owned(), advice)
}

/// Compares the libraries that were found with those that come with the program.
fn own_libraries(name: &'static str, word: &str, libraries: &[&str], set: &PluginSet) -> Check {
    let used: BTreeSet<&OsStr> = set.plugins().iter().filter_map(|plugin| plugin.path.file_name()).collect();
    let is_there = |library: &str| used.contains(OsStr::new(&file_name(word, library)));
    let missing: Vec<&str> = libraries.iter().filter(|library| !is_there(library)).copied().collect();
    let mut found = format!("{} of {}", libraries.len() - missing.len(), libraries.len());
    if !missing.is_empty() {
        let _ = write!(found, "; not found: {}", missing.join(", "));
    }
    let advice = "`cargo build --workspace` builds them all; `bash host/packaging/install.sh` installs them with the program";
    Check::new(name, missing.is_empty(), State::Missing, found, advice)
}

fn others(set: &PluginSet) -> Check {
    let own: BTreeSet<String> = OWN
        .iter()
        .flat_map(|(_, word, libraries)| libraries.iter().map(|library| file_name(word, library)))
        .collect();
    let is_own = |plugin: &&KnownPlugin| {
        plugin.path.file_name().and_then(OsStr::to_str).is_some_and(|name| own.contains(name))
    };
    let others = set.plugins().iter().filter(|plugin| !is_own(plugin));
    let names: Vec<&str> = others.map(|plugin| plugin.metadata.name.as_str()).collect();
    let found = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    Check::new("other plugins", true, State::Absent, found, "")
}

/// Files that look like plugins and cannot be used. Other libraries beside the program are no plugins.
fn refused(set: &PluginSet) -> Check {
    let report = set.report();
    let files = report.files.iter().filter(|file| file.state.refusal().is_some());
    let names: Vec<String> = files
        .filter(|file| file.origin != Origin::BesideBinary)
        .map(|file| file.path.display().to_string())
        .collect();
    let found = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let advice = "`bridgehead plugin list` names the reason for each";
    Check::new("refused plugins", names.is_empty(), State::Absent, found, advice)
}

/// Libraries are copied into the temporary folder before they are opened.
fn temporary(folder: &Path) -> Check {
    let path = folder.join(format!("bridgehead-doctor-{}", process::id()));
    let outcome = fs::create_dir(&path).and_then(|()| fs::remove_dir(&path));
    let found = match &outcome {
        Ok(()) => folder.display().to_string(),
        Err(error) => format!("{}: {error}", folder.display()),
    };
    let advice = "set TMPDIR to a folder that this user can write to";
    Check::new("temporary folder", outcome.is_ok(), State::Missing, found, advice)
}

fn address(address: &str) -> Check {
    let outcome = TcpListener::bind(address);
    let found = match &outcome {
        Ok(_) => format!("{address} is free"),
        Err(error) => format!("{address}: {error}"),
    };
    let advice = "another host may run; `bridgehead run --http 127.0.0.1:0` takes any free port";
    Check::new("HTTP address", outcome.is_ok(), State::Absent, found, advice)
}

/// Where campaigns can keep their results.
fn stores() -> Check {
    let found = if HAS_BUCKETS { "in folders and in buckets" } else { "in folders; without buckets" };
    let advice =
        "the released program has a client for buckets, as has one that is built with `--features s3`";
    Check::new("campaign stores", HAS_BUCKETS, State::Absent, found.to_owned(), advice)
}

fn has_program(name: &str) -> bool {
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(name).is_file()))
}

/// Returns the version of Ray and its address.
fn ray_version() -> Result<String, CampaignError> {
    let client = ray::Client::new(None)?;
    Ok(format!("{} at {}", client.version()?, client.address()))
}

/// What executes campaigns. Most machines have no other engine than their own cores, so a missing one is no fault, unless
/// the environment names it.
fn engines(has_slurm: bool, ray: &Result<String, CampaignError>, must_have_ray: bool) -> Check {
    let (mut found, mut missing) = (vec!["local".to_owned()], Vec::new());
    if has_slurm { &mut found } else { &mut missing }.push("slurm".to_owned());
    match ray {
        Ok(version) => found.push(format!("ray {version}")),
        Err(CampaignError::EngineUnreachable { address, reason, .. }) => {
            missing.push(format!("ray at {address} ({reason})"));
        }
        Err(error) => missing.push(format!("ray ({error})")),
    }
    let mut text = found.join(", ");
    if !missing.is_empty() {
        let _ = write!(text, "; not found: {}", missing.join(", "));
    }
    let advice = "correct `RAY_API_SERVER_ADDRESS` or `RAY_DASHBOARD_ADDRESS`, or start Ray there";
    Check::new("campaign engines", ray.is_ok() || !must_have_ray, State::Absent, text, advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_missed_only_if_the_environment_names_it() {
        let refused = || CampaignError::EngineUnreachable {
            engine: "ray",
            address: "http://head:8265".to_owned(),
            reason: "Connection refused".to_owned(),
            advice: "",
        };
        let check = engines(true, &Err(refused()), false);
        let text = "local, slurm; not found: ray at http://head:8265 (Connection refused)";
        assert_eq!((check.state, check.found.as_str()), (State::Available, text));
        let check = engines(false, &Err(refused()), true);
        assert_eq!(check.state, State::Absent);
        assert!(check.advice.contains("RAY_API_SERVER_ADDRESS"), "{check:?}");
        let check = engines(false, &Ok("2.60.0 at http://head:8265".to_owned()), true);
        let text = "local, ray 2.60.0 at http://head:8265; not found: slurm";
        assert_eq!((check.state, check.found.as_str()), (State::Available, text));
    }

    /// The crates of the workspace that are plugins, as in the names of their folders.
    fn folders(kind: &str) -> BTreeSet<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a root");
        let folders = fs::read_dir(root.join(kind)).expect("a folder").map(|entry| entry.expect("an entry"));
        let is_plugin = |path: &Path| {
            let manifest = fs::read_to_string(path.join("Cargo.toml")).unwrap_or_default();
            manifest.contains("cdylib")
        };
        folders
            .filter(|entry| is_plugin(&entry.path()))
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn the_list_of_libraries_is_that_of_the_repository() {
        for (_, word, libraries) in OWN {
            let listed: BTreeSet<String> = libraries.iter().map(|name| (*name).to_owned()).collect();
            let folder = if *word == "bridge" { "bridges" } else { "plugins" };
            assert_eq!(listed, folders(folder), "{folder}");
        }
    }

    #[test]
    fn missing_parts_are_named_with_an_advice() {
        let empty = PluginSet::search(&SearchPath::new(), LoadOptions::default());
        let check = own_libraries("bridges", "bridge", &["logging", "ros2"], &empty);
        assert_eq!((check.state, check.found.as_str()), (State::Missing, "0 of 2; not found: logging, ros2"));
        let lines = text(&[check, page(&Page::of(&[]))]);
        assert!(lines.starts_with("missing  bridges             0 of 2"), "{lines}");
        assert!(lines.contains("\n  try: `cargo build --workspace`"), "{lines}");
        assert!(lines.contains("\nabsent   page                not embedded\n  try: "), "{lines}");
    }

    #[test]
    fn a_folder_that_does_not_exist_and_an_address_in_use_are_found() {
        let missing = temporary(Path::new("/no/such/folder"));
        assert_eq!(missing.state, State::Missing, "{missing:?}");
        assert_eq!(temporary(&env::temp_dir()).state, State::Available);
        let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
        let at = taken.local_addr().expect("an address").to_string();
        assert_eq!(address(&at).state, State::Absent);
        drop(taken);
        assert_eq!(address(&at).state, State::Available);
    }
}
