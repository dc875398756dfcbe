//! Wrong calls of all host functions are answered alike by the host of a run, by that of a worker, and by that of tests.

use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::hosting::{FUNCTIONS, misuse};
use bridgehead_plugin_api::testing::TestHost;

use crate::support::{Setup, vehicle, world};

/// What a plugin is answered in `awake` and in a step.
#[derive(Debug, PartialEq)]
struct Answers {
    awake: Vec<String>,
    sample: Vec<String>,
}

fn in_a_run(arguments: &[&str]) -> Answers {
    let setup = Setup::new().fixtures(&["misuser"]).recording();
    let plugin = "<plugin filename='misuser' name='misuser'/>";
    let setup = setup.world(&world(&vehicle("car1", plugin))).args(["--duration", "10ms"]);
    let setup = arguments.iter().fold(setup, |setup, argument| setup.arg(argument));
    let finished = setup.finish().expect_code(0);
    let of = |who: &str| {
        let lines = finished.recorded();
        let own = lines.iter().filter(|line| line.text("who") == who);
        own.map(|line| line.text("what").to_owned()).collect::<Vec<_>>()
    };
    let answers = Answers { awake: of("awake"), sample: of("sample") };
    assert!(!answers.awake.is_empty() && !answers.sample.is_empty(), "{finished}");
    answers
}

fn in_the_test_host() -> Answers {
    let host = TestHost::builder().vehicle("car1").link("base").build();
    let told = |is_step| {
        move |handle: HostHandle| {
            let answers = misuse::all(handle, is_step);
            // What is wrong is noted, which would fail the test.
            assert!(!host.take_violations().is_empty());
            answers
        }
    };
    Answers { awake: host.on_main(told(false)), sample: host.on_sim(told(true)) }
}

#[test]
fn wrong_calls_are_answered_alike_everywhere() {
    let run = in_a_run(&[]);
    let worker = in_a_run(&["--isolate", "misuser"]);
    assert_eq!(run, worker, "in a run and in a worker");
    assert_eq!(run, in_the_test_host(), "in a run and in a test");
    // Only bridges get these two.
    let is_of_bridges = |extension: &str| extension.contains("lockstep") || extension.contains("stepping");
    let offered = FUNCTIONS.iter().copied().flatten().filter(|function| !is_of_bridges(function.extension));
    for function in offered.chain(misuse::OTHER_FUNCTIONS) {
        let name = format!("{}: ", function.name);
        assert!(run.sample.iter().any(|answer| answer.starts_with(&name)), "`{name}` was called");
    }
}
