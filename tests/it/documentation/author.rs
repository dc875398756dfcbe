//! An author of a plugin, who does what a page says, from the empty folder on.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use super::blocks::{Block, Page};
use crate::support::{Setup, free_port, root, target};

/// A folder, a terminal for commands, and a second one for a peer.
pub(super) struct Author {
    setup: Setup,
    /// The current folder of the terminal.
    folder: PathBuf,
    /// The port in the place of the one that pages name.
    port: u16,
    http: u16,
    /// The program in the second terminal.
    peer: Option<Child>,
    /// How many peers were started.
    peers: usize,
    /// What all commands printed.
    pub(super) printed: String,
}

impl Drop for Author {
    fn drop(&mut self) {
        self.end_peer();
    }
}

impl Author {
    /// An author whose host finds these plugins.
    pub(super) fn new(plugins: &[&str]) -> Self {
        let setup = Setup::new().plugins(plugins);
        let folder = setup.path("out");
        let (port, http) = (free_port(), free_port());
        Author { setup, folder, port, http, peer: None, peers: 0, printed: String::new() }
    }

    /// Does everything that the page says.
    #[track_caller]
    pub(super) fn follow(&mut self, path: &str) {
        let page = Page::read(path);
        for block in page.blocks.iter().filter(|block| !block.is_ignored) {
            // Cargo is told to build elsewhere, and another test may use the port of the page.
            let text = block.text.replace("9000", &self.port.to_string());
            let text = text.replace("target/debug", "$CARGO_TARGET_DIR/debug");
            match (block.language.as_str(), block.file.as_str()) {
                ("sh", _) if text.starts_with("python3 ") => self.start_peer(&text),
                ("sh", _) => self.type_lines(&text),
                ("diff", _) => self.change(path, block),
                (_, "") => {}
                (_, file) => fs::write(self.folder.join(file), text).expect("a file is written"),
            }
        }
    }

    /// Returns what a peer has printed; the first one is 0.
    pub(super) fn arrived(&self, peer: usize) -> String {
        fs::read_to_string(self.setup.path(&format!("peer{peer}"))).expect("the output of the peer")
    }

    /// Types a block of commands.
    #[track_caller]
    fn type_lines(&mut self, text: &str) {
        let lock = self.folder.join("Cargo.lock");
        if self.folder.join("Cargo.toml").is_file() && !lock.exists() {
            // The versions that were downloaded for the workspace.
            fs::copy(root().join("Cargo.lock"), lock).expect("a lock file");
        }
        let place = self.setup.path("place");
        let output = self.shell(&format!("{text}\npwd > {}", place.display())).output().expect("a shell");
        let printed =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert!(output.status.success(), "{:?}: {text}\n{printed}", output.status);
        self.printed += &printed;
        self.folder = PathBuf::from(fs::read_to_string(place).expect("a place").trim_end());
    }

    /// Starts a peer in the second terminal, after the end of the one before.
    fn start_peer(&mut self, text: &str) {
        self.end_peer();
        let file = File::create(self.setup.path(&format!("peer{}", self.peers))).expect("a file");
        self.peers += 1;
        let mut command = self.shell(&format!("exec {text}"));
        self.peer = Some(command.stdout(file).spawn().expect("a peer"));
    }

    fn end_peer(&mut self) {
        if let Some(mut peer) = self.peer.take() {
            drop(peer.kill());
            drop(peer.wait());
        }
    }

    /// Changes files as a block with the language `diff` says: each part is found by its lines, not by numbers.
    #[track_caller]
    fn change(&self, path: &str, block: &Block) {
        let (mut file, mut old, mut new) = (PathBuf::new(), String::new(), String::new());
        let apply = |file: &PathBuf, old: &mut String, new: &mut String| {
            let (old, new) = (std::mem::take(old), std::mem::take(new));
            if !old.is_empty() {
                let text = fs::read_to_string(file).expect("a file of the plugin");
                let count = text.matches(&old).count();
                let place = format!("{path}:{}: {}", block.line, file.display());
                assert_eq!(count, 1, "{place} contains this once:\n{old}\n{text}");
                fs::write(file, text.replacen(&old, &new, 1)).expect("a file is written");
            }
        };
        for line in block.text.lines() {
            if line.starts_with("--- ") || line.starts_with("@@") {
                apply(&file, &mut old, &mut new);
            } else if let Some(name) = line.strip_prefix("+++ ") {
                file = self.folder.join(name);
            } else {
                let (sign, rest) = line.split_at_checked(1).unwrap_or(("", ""));
                let rest = format!("{rest}\n");
                if sign != "+" {
                    old += &rest;
                }
                if sign != "-" {
                    new += &rest;
                }
            }
        }
        apply(&file, &mut old, &mut new);
    }

    fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("sh");
        let path = std::env::var("PATH").unwrap_or_default();
        let builds = target().parent().expect("the folder of all builds").join("outside");
        command
            .args(["-e", "-c", script])
            .current_dir(&self.folder)
            .env("PATH", format!("{}:{path}", self.setup.path("bin").display()))
            .env("BRIDGEHEAD_PLUGIN_PATH", self.setup.plugin_folder())
            .env("BRIDGEHEAD_HTTP_ADDRESS", format!("127.0.0.1:{}", self.http))
            .env("BRIDGEHEAD_HTTP", format!("127.0.0.1:{}", self.http))
            .env("CARGO_TARGET_DIR", builds)
            .env("CARGO_NET_OFFLINE", "true")
            .stdin(Stdio::null());
        command
    }
}
