//! Lines of `topic` and `service` in all their forms against the tasks that they make, and those of `ctl` that mean the same.

use super::*;

/// Returns the task of a command of `topic`, `service` or `ctl`.
fn any_task_of(words: &[&str]) -> Result<Task, CtlError> {
    let all = std::iter::once(&"bridgehead").chain(words);
    let matches = crate::cli::command().try_get_matches_from(all).expect("understood");
    match Arguments::from_arg_matches(&matches).expect("understood").command {
        Command::Topic(arguments) => topic(&arguments),
        Command::Service(arguments) => service(&arguments),
        _ => task_of(&words[1..]),
    }
}

#[test]
fn lines_that_mean_the_same_make_the_same_task() {
    let twist = "{\"linear\": {\"x\": 0.5}}";
    let kind = "geometry_msgs/msg/Twist";
    let cases: &[&[&[&str]]] = &[
        &[&["topic", "-l"], &["topic", "list"]],
        &[&["topic", "-i", "-t", "/a"], &["topic", "info", "/a"]],
        &[&["topic", "-e", "-t", "/a"], &["topic", "echo", "/a"]],
        &[
            &["topic", "-e", "-t", "/a", "-n", "1"],
            &["topic", "echo", "/a", "--once"],
            &["topic", "echo", "/a", "-n", "1"],
        ],
        &[&["topic", "-f", "-t", "/a"], &["topic", "hz", "/a"]],
        &[
            &["topic", "-t", "/a", "-m", "gz.msgs.Twist", "-p", twist],
            &["topic", "pub", "/a", twist],
            &["topic", "pub", "/a", "-1", twist],
            &["ctl", "pub", "/a", twist],
        ],
        &[
            &["topic", "pub", "/a", kind, twist],
            &["topic", "pub", "--once", "/a", "geometry_msgs/Twist", twist],
            &["ctl", "pub", "/a", twist, "--type", kind],
        ],
        &[
            &["topic", "pub", "/a", "-r", "1", twist, "-n", "3"],
            &["topic", "pub", "/a", twist, "--times", "3"],
            &["topic", "pub", "-t", "3", "/a", twist],
        ],
        &[&["topic", "pub", "/a", kind], &["topic", "pub", "/a", kind, "{}"]],
        &[&["service", "-l"], &["service", "list"]],
        &[&["service", "-i", "-s", "/pause"], &["service", "info", "pause"]],
        &[
            &["service", "call", "/step_simulation", "{\"steps\": 2}"],
            &["service", "-s", "step_simulation", "--req", "{\"steps\": 2}"],
            &["ctl", "call", "step_simulation", "{\"steps\": 2}"],
        ],
        &[
            &["service", "call", "pause", "a/srv/B", "{}"],
            &["service", "call", "pause", "a/B", "{}"],
            &["service", "call", "pause", "a/srv/B"],
            &[
                "service",
                "-s",
                "pause",
                "--reqtype",
                "a/srv/B_Request",
                "--reptype",
                "a/srv/B_Response",
                "--req",
                "{}",
            ],
        ],
    ];
    for lines in cases {
        let first = any_task_of(lines[0]).expect("a task");
        for line in &lines[1..] {
            assert_eq!(any_task_of(line).expect("a task"), first, "{line:?}");
        }
    }
}

#[test]
fn texts_rates_and_types_of_gazebo_need_more_than_one_request() {
    for line in [
        ["topic", "pub", "/a", "linear: {x: 0.5}"].as_slice(),
        &["topic", "pub", "/a", "{}", "-r", "10"],
        &["service", "call", "pause", "reason: 'r'"],
        &[
            "service",
            "-s",
            "/world/w/control",
            "--reqtype",
            "gz.msgs.WorldControl",
            "--req",
            "{\"pause\": true}",
        ],
    ] {
        let task = any_task_of(line).expect("a task");
        assert!(matches!(task, Task::Publish(_) | Task::Request(_)), "{line:?}: {task:?}");
    }
    let Task::Publish(order) = any_task_of(&["topic", "pub", "/a", "{}", "-r", "10"]).expect("a task") else {
        panic!("several messages")
    };
    assert_eq!((order.count, order.period.as_millis()), (None, 100));
}

#[test]
fn a_command_line_of_topic_or_service_has_one_command() {
    for line in [
        ["topic", "--json"].as_slice(),
        &["topic", "-t", "/a"],
        &["topic", "-l", "list"],
        &["service", "-s", "pause"],
        &["service", "-l", "call", "pause"],
    ] {
        let error = any_task_of(line).expect_err("refused");
        assert!(error.to_string().starts_with("[BH-CTL-036] "), "{line:?}: {error}");
    }
    for rate in ["0", "nan", "1e300"] {
        let error = any_task_of(&["topic", "pub", "/a", "{}", "-r", rate]).expect_err("refused");
        assert!(error.to_string().starts_with("[BH-CTL-029] "), "{rate}: {error}");
    }
}
