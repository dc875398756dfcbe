//! The pages on porting from Gazebo and CLOiSim: every file, configuration and command in them, as a reader types it.

use std::process::{Child, Command, Output, Stdio};

use crate::documentation::blocks::Page;
use crate::ros2::Domain;
use crate::support::{Setup, eventually, free_port};

/// The plugins and bridges that the worlds of the pages use.
const PLUGINS: &[&str] =
    &["cloisim", "clock", "diff_drive", "entities", "gz", "imu", "joint_state", "lidar", "logging", "ros2"];

/// A reader's folder and terminal.
struct Reader {
    setup: Setup,
    http: u16,
    cloisim: u16,
    domain: Domain,
    /// The host that was started in the background.
    host: Option<Child>,
}

impl Reader {
    fn new() -> Self {
        let setup = Setup::new().plugins(PLUGINS);
        Reader { setup, http: free_port(), cloisim: free_port(), domain: Domain::free(), host: None }
    }

    fn shell(&self, line: &str) -> Command {
        let mut command = Command::new("sh");
        let path = format!("{}:/usr/bin:/bin", self.setup.path("bin").display());
        let address = format!("127.0.0.1:{}", self.http);
        command
            .args(["-c", line])
            .current_dir(self.setup.path("out"))
            .env("PATH", path)
            .env("HOME", self.setup.path("home"))
            .env("BRIDGEHEAD_PLUGIN_PATH", self.setup.plugin_folder())
            .env("BRIDGEHEAD_HTTP_ADDRESS", &address)
            .env("BRIDGEHEAD_HTTP", &address)
            .env("CLOISIM_SERVICE_PORT", self.cloisim.to_string())
            .env("ROS_DOMAIN_ID", self.domain.number().to_string())
            .stdin(Stdio::null());
        command
    }

    fn output(&self, line: &str) -> Output {
        self.shell(&format!("timeout 120 {line}")).output().expect("a shell")
    }

    /// Types a line. The end of a host in the background is awaited at its `quit`.
    #[track_caller]
    fn type_line(&mut self, line: &str) {
        if let Some(line) = line.strip_suffix('&') {
            let mut command = self.shell(&format!("exec timeout 290 {line}"));
            self.host = Some(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a shell"));
            eventually("the host answers", || self.output("bridgehead ctl state").status.success());
            eventually("the world is loaded", || {
                let output = self.output("bridgehead ctl world");
                output.status.success()
            });
            return;
        }
        let output = self.output(line);
        let text = format!(
            "{line}\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(output.status.success(), "{:?}: {text}", output.status);
        for word in ["error", "warning"] {
            assert!(!text.lines().any(|line| line.starts_with(word)), "{text}");
        }
        if line.ends_with("ctl quit") {
            let status = self.host.take().expect("a host in the background").wait().expect("its end");
            assert!(status.success(), "the host ended with {status}");
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if let Some(mut host) = self.host.take() {
            drop(host.kill());
            drop(host.wait());
        }
    }
}

/// Does what a page says, from its beginning to its end. Returns the number of lines that were typed.
fn follow(page: &str) -> usize {
    let mut reader = Reader::new();
    let mut count = 0;
    for block in Page::read(page).blocks {
        match block.language.as_str() {
            "xml" | "toml" => {
                assert!(!block.file.is_empty(), "a file has a name\n{}", block.text);
                reader.setup.file(&format!("out/{}", block.file), &block.text);
            }
            "sh" => {
                for line in block.text.lines().map(str::trim).filter(|line| !line.is_empty()) {
                    reader.type_line(line);
                    count += 1;
                }
            }
            other => panic!("blocks of `{other}` are not tried"),
        }
    }
    count
}

#[test]
fn everything_on_the_page_about_gazebo_works() {
    assert!(follow("docs/porting-from-gazebo.md") > 20);
}

#[test]
fn everything_on_the_page_about_cloisim_works() {
    assert!(follow("docs/porting-from-cloisim.md") > 8);
}
