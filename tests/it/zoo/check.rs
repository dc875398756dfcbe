//! Makes the plugin of a row, starts the host, and compares the results with the row.
//!
//! Every run has correct neighbours: another vehicle with a sensor that publishes ten times per second, and a bridge
//! that records its messages. If the run continues, both must be unaffected.

use std::fs;
use std::path::{Path, PathBuf};

use super::row::{Command, Exit, Made, Row, Run};
use crate::support::{CPlugin, Finished, Outside, Setup, root, vehicle, world};

/// Name of the file under test in the plugin folder.
const FILE: &str = "libzoo.so";

/// Connection string of the correct bridge.
const NEIGHBOUR: &str = "neighbour";

/// Steps of a run of half a second.
const STEPS: u64 = 500;

/// Messages of the correct sensor in that time.
const MESSAGES: u64 = 5;

/// Runs a row.
#[track_caller]
pub(super) fn check(row: &Row) {
    let setup = Setup::new();
    let path = make(row.made, &setup);
    let setup = row.environment.iter().fold(setup, |setup, (name, value)| setup.env(name, value));
    let finished = match row.command {
        Command::Run(arguments) => extend(run(setup, row.made), arguments).finish(),
        Command::Configured(toml) => run(setup, row.made).config(toml).finish(),
        Command::Probe(arguments) => extend(setup.args(["plugin", "probe"]), arguments).arg(path).finish(),
    };
    compare(row, finished);
}

fn extend(setup: Setup, arguments: &[&str]) -> Setup {
    arguments.iter().fold(setup, |setup, argument| setup.arg(argument))
}

/// Puts the plugin into the plugin folder.
pub(super) fn make(made: Made, setup: &Setup) -> PathBuf {
    let path = setup.plugin_folder().join(FILE);
    match made {
        Made::Bytes(change) => {
            let good = CPlugin::plain(&path, &[]).build();
            let bytes = fs::read(&good).expect("the plugin");
            fs::write(&path, change(bytes)).expect("the changed plugin");
        }
        Made::C(macros, flags) => drop(CPlugin::plain(&path, macros).flags(flags).build()),
        Made::Cpp(macros) => drop(CPlugin::plain_cpp(&path, macros).build()),
        Made::Breaker(fault, at) => drop(CPlugin::breaker(&path, fault, at).build()),
        Made::CarelessModel(fault) => drop(CPlugin::careless_model(&path, fault).build()),
        Made::CarelessBridge(_) => drop(CPlugin::careless_bridge(&path).build()),
        Made::Twins => {
            CPlugin::plain(&path, &[]).build();
            CPlugin::plain(&setup.plugin_folder().join("libzoo_copy.so"), &[]).build();
        }
        Made::Model(_) => copy("rogue_model", &path),
        Made::Nuisance(_) => copy("nuisance", &path),
        Made::Meddler(_) => copy("meddler", &path),
        Made::Bridge(_) => copy("rogue_bridge", &path),
        Made::Fixture(name) => copy(name, &path),
        Made::Rust(_, edition, flags) => {
            let source = root().join("tests/fixtures/rogue_model.rs");
            Outside::new("zoo_model", &source).build(edition, flags, &path);
        }
    }
    path
}

/// Copies the fixture, because the plugin may change its file.
fn copy(fixture: &str, path: &Path) {
    fs::copy(crate::support::fixture(fixture), path).expect("a copy of the fixture");
}

/// The run: `car1` with the correct plugin and bridge, `car2` with the plugin under test.
fn run(setup: Setup, made: Made) -> Setup {
    let sensor = "<plugin filename=\"own_type\" name=\"barometer\"/>";
    let setup = setup.fixtures(&["own_type", "recorder"]).recording();
    // A flood of messages needs wall time to build up.
    let setup = if matches!(made, Made::Nuisance("floods_bus")) { setup.in_real_time() } else { setup };
    let sdf = world(&format!("{}\n{}", vehicle("car1", sensor), vehicle("car2", &element(made))));
    let setup = setup.world(&sdf).args(["--duration", "0.5s"]).bridge(format!("car1=recorder:{NEIGHBOUR}"));
    match made {
        Made::Bridge(fault) => setup.bridge(format!("car2=rogue_bridge:{fault}")),
        Made::CarelessBridge(fault) => setup.bridge(format!("car2=careless_bridge:{fault}")),
        _ => setup,
    }
}

/// The SDF element of the plugin.
pub(super) fn element(made: Made) -> String {
    if let Made::Breaker(..) = made {
        // The second one is destroyed first, and the first one can then use what it had.
        return "<plugin filename=\"breaker\" name=\"zoo\"/><plugin filename=\"breaker\" name=\"second\"/>"
            .to_owned();
    }
    let (filename, parameters) = match made {
        Made::Breaker(..) => ("breaker", String::new()),
        Made::Bytes(_) | Made::C(..) | Made::Cpp(_) | Made::Twins => ("plain", String::new()),
        Made::Model(fault) | Made::Rust(fault, ..) => ("rogue_model", format!("<fault>{fault}</fault>")),
        Made::Nuisance(does) => ("nuisance", format!("<does>{does}</does>")),
        Made::Meddler(does) => ("meddler", format!("<does>{does}</does>")),
        Made::Fixture(name) => (name, String::new()),
        Made::CarelessModel(_) => ("careless_model", String::new()),
        // The bridge carries the topics of this sensor.
        Made::Bridge(_) | Made::CarelessBridge(_) => ("own_type", String::new()),
    };
    format!("<plugin filename=\"{filename}\" name=\"zoo\">{parameters}</plugin>")
}

#[track_caller]
fn compare(row: &Row, finished: Finished) {
    let finished = if row.logs.is_empty() { finished } else { finished.expect_message(row.logs) };
    match row.exit {
        Exit::Code(code) => {
            assert_eq!(finished.code(), Some(code), "exit code of {}\n{finished}", row.plugin)
        }
        Exit::Signal(signal, _) => {
            assert_eq!(finished.signal(), Some(signal), "signal that ends {}\n{finished}", row.plugin);
        }
    }
    match row.run {
        Run::None => {}
        Run::Continues => assert_continues(&finished),
        Run::Ends => {
            let steps = finished.result()["steps"].as_u64();
            assert!(steps.is_some_and(|steps| steps <= STEPS), "the run did not end\n{finished}");
        }
        Run::Untold => {
            let (result, cause) = (finished.result(), finished.result()["cause"].to_string());
            assert!(cause.contains("BH-CFG-041") && result["steps"] == STEPS, "{cause}\n{finished}");
            assert_eq!((&result["outcome"], &result["exit_code"]), (&"aborted".into(), &1.into()));
        }
        Run::Cut => assert_cut(row, &finished),
    }
}

/// Fails unless the result says why the process ended at once, and has the exit code that a shell reports.
#[track_caller]
fn assert_cut(row: &Row, finished: &Finished) {
    let result = finished.result();
    assert_eq!(result["outcome"], "aborted", "{finished}");
    let exit_code = match row.exit {
        Exit::Code(code) => code,
        Exit::Signal(signal, _) => 128 + signal,
    };
    // A stack overflow is an access to invalid memory, and then an abort.
    let overflow = i32::from(exit_code == 128 + libc::SIGABRT) * (128 + libc::SIGSEGV);
    assert!(result["exit_code"] == exit_code || result["exit_code"] == overflow, "{finished}");
    let cause = result["cause"].as_str().expect("a cause");
    assert!(row.logs.iter().all(|text| cause.contains(text)), "the cause `{cause}` says {:?}", row.logs);
}

/// Fails unless all steps were taken, and every message of the correct sensor was published and arrived at the correct
/// bridge.
#[track_caller]
fn assert_continues(finished: &Finished) {
    assert_eq!(finished.result()["steps"], STEPS, "the run did not continue\n{finished}");
    assert_eq!(finished.reported("topics", "/car1/pressure")["published"], MESSAGES, "{finished}");
    let recorded = finished.recorded();
    let arrived = recorded.iter().filter(|line| {
        line.text("call") == "message"
            && line.text("instance") == NEIGHBOUR
            && line.is_topic("/car1/pressure")
    });
    assert_eq!(arrived.count() as u64, MESSAGES, "messages at the other bridge\n{finished}");
}
