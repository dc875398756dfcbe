//! Wrong connection strings: every bridge of the repository says the same of the same mistake, with a code of its own.

use crate::support::{Setup, vehicle, world};

/// A bridge, with a right string for it: its target, and a key with a right and a wrong value.
struct Row {
    bridge: &'static str,
    code: &'static str,
    target: &'static str,
    /// What errors call the target; empty for a bridge without one.
    target_name: &'static str,
    wrong_target: &'static str,
    key: &'static str,
    value: &'static str,
    wrong_value: &'static str,
}

const ROWS: [Row; 12] = [
    Row {
        bridge: "ardupilot",
        code: "BH-APM-001",
        target: ":9012",
        target_name: "ADDRESS:PORT",
        wrong_target: "robot:9002",
        key: "rotors",
        value: "6",
        wrong_value: "40",
    },
    Row {
        bridge: "betaflight",
        code: "BH-BFL-001",
        target: ":9012",
        target_name: "ADDRESS:PORT",
        wrong_target: "robot:9002",
        key: "rate",
        value: "500",
        wrong_value: "50",
    },
    Row {
        bridge: "foxglove",
        code: "BH-FOX-001",
        target: "127.0.0.1:8765",
        target_name: "ADDRESS",
        wrong_target: "robot:8765",
        key: "encoding",
        value: "cdr",
        wrong_value: "ros1",
    },
    Row {
        bridge: "rosbridge",
        code: "BH-RBR-001",
        target: ":9090",
        target_name: "ADDRESS",
        wrong_target: "wss://robot:9090",
        key: "ros",
        value: "1",
        wrong_value: "3",
    },
    Row {
        bridge: "cloisim",
        code: "BH-CLO-001",
        target: "localhost",
        target_name: "ADDRESS",
        wrong_target: "127.0.0.1:99999",
        key: "ports",
        value: "50000-",
        wrong_value: "80-90",
    },
    Row {
        bridge: "ros2",
        code: "BH-ROS-001",
        target: "",
        target_name: "",
        wrong_target: "robot",
        key: "domain",
        value: "7",
        wrong_value: "233",
    },
    Row {
        bridge: "zenoh",
        code: "BH-ZEN-001",
        target: "",
        target_name: "",
        wrong_target: "robot",
        key: "mode",
        value: "client",
        wrong_value: "mesh",
    },
    Row {
        bridge: "zenoh_plain",
        code: "BH-ZEN-001",
        target: "",
        target_name: "",
        wrong_target: "robot",
        key: "encoding",
        value: "cdr",
        wrong_value: "xml",
    },
    Row {
        bridge: "gz",
        code: "BH-GZT-001",
        target: "",
        target_name: "",
        wrong_target: "robot",
        key: "names",
        value: "ignition",
        wrong_value: "ros",
    },
    Row {
        bridge: "logging",
        code: "BH-BRG-110",
        target: "a=1;b.mcap",
        target_name: "FILE",
        wrong_target: "run.bag",
        key: "overwrite",
        value: "true",
        wrong_value: "yes",
    },
    Row {
        bridge: "mavlink",
        code: "BH-MAV-001",
        target: "tcpin::4561",
        target_name: "PEER",
        wrong_target: "robot:4560",
        key: "rotors",
        value: "6",
        wrong_value: "40",
    },
    Row {
        bridge: "replay",
        code: "BH-BRG-120",
        target: "run.jsonl",
        target_name: "FILE",
        wrong_target: "run.txt",
        key: "topics",
        value: "/car1/*",
        wrong_value: "car1",
    },
];

/// What is wrong with a string.
enum Wrong {
    Key(&'static str),
    Twice,
    /// The value, as the error shows it.
    Value(&'static str),
    Target,
}

/// Strings with the parts of a row: T its target, K its key, V a right value, W a wrong one, X a wrong target.
const STRINGS: [(&str, Wrong); 20] = [
    ("T;speed=1", Wrong::Key("speed")),
    ("T;speed=", Wrong::Key("speed")),
    ("T; speed =1", Wrong::Key("speed")),
    ("T;;speed=1", Wrong::Key("speed")),
    ("T;K=V;speed=1", Wrong::Key("speed")),
    ("T;speed=1;K=V", Wrong::Key("speed")),
    ("T;K=V;speed=1;K=V", Wrong::Key("speed")),
    ("T;x_1=;", Wrong::Key("x_1")),
    ("T;K_=V", Wrong::Key("K_")),
    ("T;K=V;K=V", Wrong::Twice),
    ("T;K=V; K = V ;", Wrong::Twice),
    ("T;K=;K=V", Wrong::Twice),
    ("T;K=W", Wrong::Value("W")),
    ("T; K = W ", Wrong::Value("W")),
    ("T;K=W;;", Wrong::Value("W")),
    ("T;K=W;x", Wrong::Value("W;x")),
    ("T;K=W;X=1", Wrong::Value("W;X=1")),
    ("T;K=", Wrong::Value("")),
    ("X", Wrong::Target),
    ("X;K=V", Wrong::Target),
];

impl Row {
    /// Fills in the parts. Only the first letter may be a target: the wrong values contain its letter too.
    fn string(&self, pattern: &str) -> String {
        let (first, rest) = pattern.split_at(1);
        let target = if first == "T" { self.target } else { self.wrong_target };
        let rest = rest.replace('K', self.key).replace('V', self.value).replace('W', self.wrong_value);
        format!("{target}{rest}")
    }

    /// How the error begins.
    fn error(&self, wrong: &Wrong) -> String {
        let what = match wrong {
            Wrong::Key(key) => format!("`{}=` is not a known key; expected ", key.replace('K', self.key)),
            Wrong::Twice => format!("`{}=` is given twice; expected ", self.key),
            Wrong::Value(_) => format!("`{}=` must be ", self.key),
            Wrong::Target if self.target_name.is_empty() => {
                format!("`{}` is not of the form `key=value`; expected ", self.wrong_target)
            }
            Wrong::Target => format!("{} must be ", self.target_name),
        };
        format!("[{}] connection string: {what}", self.code)
    }

    /// What the error shows as found.
    fn found(&self, wrong: &Wrong) -> String {
        match wrong {
            Wrong::Key(_) | Wrong::Twice => String::new(),
            Wrong::Value("") => ", found nothing; expected ".to_owned(),
            Wrong::Value(value) => format!(", found `{}`; expected ", value.replace('W', self.wrong_value)),
            Wrong::Target if self.target_name.is_empty() => String::new(),
            Wrong::Target => format!(", found `{}`; expected ", self.wrong_target),
        }
    }
}

#[test]
fn every_bridge_says_the_same_of_the_same_wrong_string() {
    let cases: Vec<(&Row, String, &Wrong)> = ROWS
        .iter()
        .flat_map(|row| STRINGS.iter().map(move |(pattern, wrong)| (row, row.string(pattern), wrong)))
        .collect();
    // It is in the library of `zenoh`.
    let names: Vec<&str> = ROWS.iter().map(|row| row.bridge).filter(|name| *name != "zenoh_plain").collect();
    let setup = Setup::new().plugins(&names);
    let tables: String = cases
        .iter()
        .map(|(row, string, _)| {
            format!("[[bridge]]\nattach = \"car1\"\nname = \"{}\"\nconnection = {string:?}\n", row.bridge)
        })
        .collect();
    setup.file("w.sdf", world(&vehicle("car1", "")));
    setup.file("run.toml", format!("[run]\nworld = \"w.sdf\"\n{tables}"));
    let plugins = setup.plugin_folder();
    let setup = setup.args(["check", "run.toml", "-v", "--plugin-path"]).arg(plugins);
    let mut finished = setup.finish().expect_code(1);
    for (row, string, wrong) in cases {
        let begin =
            format!("bridge `{}` refuses the connection string `{string}`: {}", row.bridge, row.error(wrong));
        finished = finished.expect_message(&[&begin, &row.found(wrong), ", such as "]);
    }
}
