//! Scripts of `host/page/test`, which drive Chromium.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{host, missing, root};

/// Where Debian installs the browser; `BRIDGEHEAD_CHROMIUM` names another.
const BROWSERS: [&str; 2] = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];

/// A script that is being prepared.
pub(crate) struct Script(Command);

impl Script {
    /// Returns a script if Node, its packages and a browser exist. Otherwise the test is skipped.
    #[track_caller]
    pub(crate) fn of(name: &str) -> Option<Self> {
        let page = root().join("host/page");
        let has_node =
            Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
        let has_packages = page.join("node_modules/playwright-core").is_dir();
        let named = std::env::var_os("BRIDGEHEAD_CHROMIUM").map(PathBuf::from);
        let has_browser =
            named.iter().map(PathBuf::as_path).chain(BROWSERS.map(Path::new)).any(Path::is_file);
        if !(has_node && has_packages && has_browser) {
            missing(
                "node, the packages of host/page or Chromium are missing; `bash tests/run.sh` installs them",
            );
            return None;
        }
        let mut command = Command::new("node");
        command.arg("--test-reporter=tap").arg(page.join("test").join(name));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Some(Script(command))
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.0.env(name, value);
        self
    }

    pub(crate) fn args(mut self, arguments: &[&str]) -> Self {
        self.0.args(arguments);
        self
    }

    pub(crate) fn command(self) -> Command {
        self.0
    }
}

/// Fails with the failed tests of a specification unless exactly this number of tests has passed.
#[track_caller]
pub(crate) fn expect_passed(output: &str, tests: usize) {
    for line in ["# fail 0", "# cancelled 0", "# skipped 0", &format!("# pass {tests}")] {
        assert!(output.lines().any(|found| found == line), "no line `{line}` in:\n{}", failures(output));
    }
}

/// Returns the reports of the tests that failed, and the summary. What passed would only hide them.
fn failures(output: &str) -> String {
    let mut is_shown = true;
    let shown = output.lines().filter(|line| {
        match line.split_whitespace().next() {
            Some("ok") => is_shown = false,
            Some("not") => is_shown = true,
            Some(word) if word.starts_with("1..") => is_shown = true,
            _ => {}
        }
        is_shown
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// Returns an empty folder for pictures in the target folder, which stays after the test.
pub(crate) fn pictures(name: &str) -> PathBuf {
    let target =
        host().parent().and_then(Path::parent).expect("the build is in the target folder").to_owned();
    let folder = target.join("page").join(name);
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}
