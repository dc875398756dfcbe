//! The kit for authors of plugins: a newcomer begins a plugin of each kind and language, and does what its README says,
//! from an empty folder to a message at the other side.

use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::{
    self, Python, Setup, eventually, fixture, free_port, is_long, plugin, root, skipped, target, vehicle,
};

/// Plugins that the worlds of new plugins need.
const PLUGINS: &[&str] = &["imu", "joint_state", "logging"];

/// Longest processor time from the empty folder to the message, seconds.
const MAX: f64 = 300.0;

/// Someone who begins a plugin.
struct Newcomer {
    setup: Setup,
    name: String,
    kind: &'static str,
    language: &'static str,
    /// The port in the place of those that the README and the world name.
    port: u16,
    http: u16,
    /// The program that was started in another terminal.
    other: Option<Child>,
}

impl Drop for Newcomer {
    fn drop(&mut self) {
        if let Some(mut other) = self.other.take() {
            // Its shell, and what that has started.
            let group = libc::pid_t::try_from(other.id()).expect("ids of processes are small");
            // SAFETY: kill does not access our memory; the group is that of a child that was not waited for yet.
            unsafe { libc::kill(-group, libc::SIGKILL) };
            drop(other.wait());
        }
    }
}

impl Newcomer {
    /// Begins a plugin with the command line.
    fn begin(kind: &'static str, language: &'static str) -> Self {
        let setup = Setup::new().plugins(PLUGINS);
        let name = format!("my_{language}_{kind}");
        let newcomer =
            Newcomer { setup, name, kind, language, port: free_port(), http: free_port(), other: None };
        let sdk = root().join("plugin-api");
        let line = format!("bridgehead plugin new {} --kind {kind} --lang {language}", newcomer.name);
        let line = if language == "rust" { format!("{line} --sdk {}", sdk.display()) } else { line };
        newcomer.succeed(newcomer.shell(&line).current_dir(newcomer.setup.path("")));
        if language == "rust" {
            // The versions that were downloaded for the workspace.
            fs::copy(root().join("Cargo.lock"), newcomer.folder().join("Cargo.lock")).expect("a lock file");
        }
        newcomer
    }

    fn folder(&self) -> PathBuf {
        self.setup.path(&self.name)
    }

    fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("sh");
        let path = std::env::var("PATH").unwrap_or_default();
        let address = format!("127.0.0.1:{}", self.http);
        // Long tests begin without anything that was built before.
        let builds = if is_long() {
            self.setup.path("builds")
        } else {
            target().parent().expect("the folder of all builds").join("outside")
        };
        command
            .args(["-e", "-c", script])
            .env("PATH", format!("{}:{path}", self.setup.path("bin").display()))
            .env("BRIDGEHEAD_PLUGIN_PATH", self.setup.plugin_folder())
            .env("BRIDGEHEAD_HTTP_ADDRESS", &address)
            .env("BRIDGEHEAD_HTTP", &address)
            .env("CARGO_TARGET_DIR", builds.join("debug").parent().expect("a folder"))
            .env("CARGO_NET_OFFLINE", "true")
            .env("PYTHONPATH", root().join("host/python/src"))
            .stdin(Stdio::null());
        command
    }

    #[track_caller]
    fn succeed(&self, command: &mut Command) -> String {
        let output = command.output().expect("a shell");
        let text =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert!(output.status.success(), "{command:?}: {:?}\n{text}", output.status);
        text
    }

    /// The blocks of shell commands in the README, in their order.
    fn blocks(&self) -> Vec<String> {
        let readme = fs::read_to_string(self.folder().join("README.md")).expect("a README");
        let blocks = readme.split("```sh\n").skip(1).filter_map(|part| part.split("```").next());
        // Cargo is told to build elsewhere, and another test may use the port of the README.
        let elsewhere = |block: &str| {
            let block = block.replace("9000", &self.port.to_string());
            block.replace("target/debug", "$CARGO_TARGET_DIR/debug")
        };
        blocks.map(elsewhere).collect()
    }

    /// Does what the README says. Returns what the commands printed, and their processor time in seconds.
    fn follow(&mut self) -> (String, f64) {
        let (mut printed, mut seconds) = (String::new(), 0.0);
        for block in self.blocks() {
            let is_endless = block.contains("peer.py")
                || (block.contains("bridgehead run") && !block.contains("--duration"));
            if is_endless {
                let peer = File::create(self.setup.path("other")).expect("a file");
                let mut command = self.shell(&block);
                let command =
                    command.current_dir(self.folder()).stdout(peer).stderr(Stdio::null()).process_group(0);
                self.other = Some(command.spawn().expect("a shell"));
                if block.contains("bridgehead run") {
                    eventually("the host answers", || {
                        let asked = self.shell("bridgehead ctl world").output().expect("a shell");
                        asked.status.success()
                    });
                }
                continue;
            }
            let script = format!("{block}\ntimes");
            let text = self.succeed(self.shell(&script).current_dir(self.folder()));
            seconds += text.lines().rev().find_map(processor_time).expect("the times");
            printed += &text;
        }
        (printed, seconds)
    }
}

/// Reads the last line of `times` in a shell: user and system time of all children, `0m1.25s 0m0.5s`.
fn processor_time(line: &str) -> Option<f64> {
    let one = |text: &str| {
        let (minutes, seconds) = text.strip_suffix('s')?.split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    };
    let (user, system) = line.split_once(' ')?;
    Some(one(user)? + one(system)?)
}

/// Takes a newcomer from the empty folder to the message.
fn arrive(kind: &'static str, language: &'static str) {
    let mut newcomer = Newcomer::begin(kind, language);
    let (printed, seconds) = newcomer.follow();
    assert!(printed.contains("0 failed, 0 skipped"), "the validation\n{printed}");
    let topic = match newcomer.kind {
        "bridge" => {
            let arrived = || fs::read_to_string(newcomer.setup.path("other")).expect("what the peer printed");
            eventually("a message arrives at the peer", || arrived().contains("/box/imu"));
            if newcomer.language == "rust" {
                assert!(arrived().contains("\"angular_velocity\":"), "{}", arrived());
            }
            return finish(newcomer, seconds);
        }
        "sensor" => format!("/box/{}", newcomer.name),
        _ => {
            assert!(printed.contains("\"velocity\":[3"), "the wheel turns\n{printed}");
            return finish(newcomer, seconds);
        }
    };
    let text = fs::read_to_string(newcomer.folder().join("samples.jsonl")).expect("a log");
    let samples: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let of_topic: Vec<&Value> = samples.iter().filter(|line| line["topic"] == topic.as_str()).collect();
    assert_eq!(of_topic.len(), 10, "ten samples in a second\n{text}");
    finish(newcomer, seconds);
}

fn finish(newcomer: Newcomer, seconds: f64) {
    assert!(seconds < MAX, "a {} in {}: {seconds:.1} s", newcomer.kind, newcomer.language);
    drop(newcomer);
}

fn arrive_in_long_tests(kinds: &[&'static str], language: &'static str) {
    if is_long() {
        kinds.iter().for_each(|kind| arrive(kind, language));
    }
}

#[test]
fn a_newcomer_makes_plugins_in_rust() {
    arrive("sensor", "rust");
    arrive_in_long_tests(&["bridge", "controller"], "rust");
}

#[test]
fn a_newcomer_makes_plugins_in_c() {
    arrive("bridge", "c");
    arrive_in_long_tests(&["sensor", "controller"], "c");
}

#[test]
fn a_newcomer_makes_plugins_in_cpp() {
    arrive("controller", "cpp");
    arrive_in_long_tests(&["sensor", "bridge"], "cpp");
}

#[test]
fn a_newcomer_makes_plugins_in_python() {
    if Python::with("tomllib").is_some() {
        arrive("sensor", "python");
        arrive_in_long_tests(&["bridge", "controller"], "python");
    }
}

/// Runs `plugin validate` on plugins; returns the exit code and the report.
fn validated(setup: Setup, paths: &[PathBuf]) -> (Option<i32>, Value) {
    let folder = setup.plugin_folder();
    let mut setup = setup.env("BRIDGEHEAD_PLUGIN_PATH", folder).args(["plugin", "validate", "--json"]);
    for path in paths {
        setup = setup.arg(path);
    }
    let finished = setup.finish();
    let text = finished.stdout();
    (finished.code(), serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
}

/// The cases of the first plugin that failed, with what was found.
fn failures(report: &Value) -> Vec<(String, String)> {
    let cases = report["plugins"][0]["cases"].as_array().expect("cases");
    let failed = cases.iter().filter(|case| case["verdict"] == "failed");
    failed
        .map(|case| {
            let findings = case["findings"].as_array().expect("findings").iter();
            let text: Vec<&str> = findings.filter_map(Value::as_str).collect();
            (case["case"].as_str().unwrap_or_default().to_owned(), text.join("\n"))
        })
        .collect()
}

/// The plugins and bridges of the workspace.
fn libraries() -> Vec<PathBuf> {
    let folder = target();
    let files = fs::read_dir(&folder).expect("the build").flatten().map(|entry| entry.path());
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("libbridgehead_plugin_") && name.ends_with(".so")
    };
    let mut found: Vec<PathBuf> = files.filter(is_ours).collect();
    found.sort();
    found
}

/// No false alarm: a plugin passes every case, or says which parameter, joint or place it needs.
#[test]
fn good_plugins_pass_or_say_what_they_need() {
    let all = libraries();
    assert!(all.len() > 20, "{all:?}");
    // Long tests try all of them, twenty times, in two threads because they take longer than all other tests.
    let (part, threads, runs) = if is_long() { (1, 2, 10) } else { (8, 1, 1) };
    let paths: Vec<PathBuf> = all.into_iter().step_by(part).collect();
    let validate = || {
        let (_, report) = validated(Setup::new().plugins(PLUGINS), &paths);
        let plugins = report["plugins"].as_array().expect("plugins");
        assert!(plugins.iter().any(|plugin| plugin["outcome"] == "ok"), "{report:#}");
        for plugin in plugins.iter().filter(|plugin| plugin["outcome"] != "ok") {
            let cases = plugin["cases"].as_array().expect("cases");
            let failed: Vec<&Value> = cases.iter().filter(|case| case["verdict"] == "failed").collect();
            let text = failed.iter().map(|case| case.to_string()).collect::<String>();
            assert!(failed.len() == 1 && text.contains("--world FILE.sdf"), "{plugin:#}");
            assert_eq!(text.matches("BH-").count(), text.matches("BH-PLG-097").count(), "{plugin:#}");
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| (0..runs).for_each(|_| validate()));
        }
    });
}

/// A busy machine can make any call slow, but not the same one again and again.
#[test]
fn a_call_that_is_slow_once_is_tried_again() {
    let plugin = "<plugin filename='rogue_model' name='slow'><fault>sample=hesitates</fault></plugin>";
    for is_slow_again in [false, true] {
        let setup = Setup::new().plugins(PLUGINS).fixtures(&["rogue_model"]);
        let world = setup.file("slow.sdf", support::world(&vehicle("car1", plugin)));
        let (mark, folder) = (setup.path("hesitated"), setup.plugin_folder());
        let setup = if is_slow_again { setup } else { setup.env("HESITATED", &mark) };
        let setup = setup.env("BRIDGEHEAD_PLUGIN_PATH", &folder).args(["plugin", "validate", "--world"]);
        let finished = setup.arg(world).arg(fixture("rogue_model")).finish();
        let printed = finished.stdout();
        assert_eq!(printed.contains("BH-PLG-111"), is_slow_again, "{printed}");
        assert_eq!(finished.code(), Some(u8::from(is_slow_again).into()), "{printed}");
        assert_eq!(mark.exists(), !is_slow_again, "the first run was slow");
    }
}

/// A validation without the plugin would pass every case.
#[test]
fn a_world_without_the_plugin_validates_nothing() {
    let setup = Setup::new().plugins(PLUGINS);
    let world = root().join("worlds/empty.sdf");
    let folder = setup.plugin_folder();
    let setup = setup.env("BRIDGEHEAD_PLUGIN_PATH", folder).args(["plugin", "validate", "--world"]);
    let setup = setup.arg(world).arg(plugin("joint_state"));
    let printed = setup.finish().expect_code(1).stdout();
    assert!(printed.contains("FAILED   run") && printed.contains("no instance of the plugin"), "{printed}");
}

#[test]
fn a_text_and_a_missing_file_are_no_plugins() {
    let setup = Setup::new();
    let text = setup.file("libtext.so", "no library");
    let (code, report) = validated(setup, &[text]);
    assert_eq!(code, Some(1));
    assert!(failures(&report)[0].1.contains("BH-PLG-020"), "{report:#}");
    let setup = Setup::new();
    let missing = setup.path("libmissing.so");
    let (code, _) = validated(setup, &[missing]);
    assert_eq!(code, Some(4));
}

/// The crates that a plugin in Rust needs, which are published together.
const CRATES: [&str; 5] = [
    "bridgehead-abi",
    "bridgehead-build",
    "bridgehead-messages",
    "bridgehead-params",
    "bridgehead-plugin-api",
];

#[test]
fn a_plugin_builds_from_the_packages_of_the_crates() {
    if !is_long() {
        return skipped("building the SDK from its packages runs with BRIDGEHEAD_LONG=1");
    }
    let mut newcomer = Newcomer::begin("sensor", "rust");
    let packages = newcomer.setup.path("packages");
    let mut package = Command::new("cargo");
    package.args(["package", "--allow-dirty", "--offline", "--target-dir"]).arg(&packages);
    for name in CRATES {
        package.args(["-p", name]);
    }
    newcomer.succeed(package.current_dir(root()));
    let files = fs::read_dir(packages.join("package")).expect("packages");
    let mut patch = String::from("\n[patch.crates-io]\n");
    for file in files.flatten().map(|entry| entry.path()) {
        if file.extension().is_none_or(|extension| extension != "crate") {
            continue;
        }
        newcomer.succeed(Command::new("tar").arg("xzf").arg(&file).arg("-C").arg(&packages));
        let folder = file.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let (name, _) = folder.rsplit_once('-').expect("a version");
        patch += &format!("{name} = {{ path = {:?} }}\n", packages.join(folder));
        for license in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"] {
            let text =
                fs::read_to_string(packages.join(folder).join(license)).expect("a part of the package");
            assert!(text.len() > 100, "{license} of {name}");
        }
    }
    let manifest = newcomer.folder().join("Cargo.toml");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    let lines = text.lines().map(|line| match line.split_once(" = { path") {
        Some((name, _)) => format!("{name} = \"0.1.0\"\n"),
        None => format!("{line}\n"),
    });
    fs::write(&manifest, lines.collect::<String>() + &patch).expect("a manifest");
    let (printed, _) = newcomer.follow();
    assert!(printed.contains("0 failed, 0 skipped"), "the validation\n{printed}");
}

#[test]
fn an_installed_header_is_found_by_cmake_and_pkg_config() {
    let setup = Setup::new();
    let prefix = setup.path("prefix");
    let newcomer = Newcomer::begin("sensor", "c");
    newcomer.succeed(Command::new("bash").arg("host/packaging/sdk.sh").arg(&prefix).current_dir(root()));
    // The header of the plugin itself is away, so that the installed one must be found.
    fs::remove_dir_all(newcomer.folder().join("include")).expect("the header");
    let list = newcomer.folder().join("CMakeLists.txt");
    let text = fs::read_to_string(&list).expect("a list");
    let found =
        "find_package(Bridgehead 1.0 REQUIRED)\nlink_libraries(Bridgehead::Bridgehead)\n\nadd_library(";
    fs::write(&list, text.replacen("add_library(", found, 1)).expect("a list");
    let script =
        format!("cmake -S . -B build -DCMAKE_PREFIX_PATH={} && cmake --build build", prefix.display());
    newcomer.succeed(newcomer.shell(&script).current_dir(newcomer.folder()));
    let script = "cc $(pkg-config --cflags 'bridgehead >= 1.0') -fsyntax-only src/*.c";
    let folder = newcomer.folder();
    let mut command = newcomer.shell(script);
    newcomer.succeed(command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")).current_dir(folder));
    let program = prefix.join("share/bridgehead/sdk/Cargo.toml");
    let metadata = Command::new("cargo")
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .arg("--manifest-path")
        .arg(program)
        .output();
    let metadata = metadata.expect("cargo");
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
}
