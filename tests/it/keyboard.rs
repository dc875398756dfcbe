//! Tests of the keys of a run, each in its own terminal.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::Builder;
use std::time::Duration;

use crate::support::{Setup, host, worlds};

const DEADLINE: Duration = Duration::from_secs(60);

/// A host in a terminal.
struct Terminal {
    child: Child,
    ours: File,
    texts: Receiver<String>,
    seen: String,
}

#[expect(unsafe_code, reason = "std cannot create terminals")]
fn pair() -> (File, OwnedFd) {
    let (mut ours, mut theirs) = (0, 0);
    let none = std::ptr::null_mut();
    // SAFETY: both numbers are writable; the rest may be null.
    let code = unsafe { libc::openpty(&raw mut ours, &raw mut theirs, none, none.cast(), none.cast()) };
    assert_eq!(code, 0, "a terminal");
    // SAFETY: both were just opened, and nothing else owns them.
    unsafe { (File::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs)) }
}

impl Terminal {
    #[expect(unsafe_code, reason = "the terminal becomes that of the child between fork and exec")]
    fn new(setup: &Setup, arguments: &[&str]) -> Self {
        let (ours, theirs) = pair();
        let mut command = Command::new(host());
        command.arg("run").arg(worlds().join("empty.sdf")).args(arguments).current_dir(setup.path("out"));
        command.env("TERM", "xterm").env("NO_COLOR", "1").env("BRIDGEHEAD_HTTP_ADDRESS", "off");
        command.stdin(theirs.try_clone().expect("a copy")).stderr(theirs).stdout(Stdio::null());
        // SAFETY: only calls that may be made between fork and exec.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                libc::ioctl(libc::STDIN_FILENO, libc::TIOCSCTTY, 0);
                Ok(())
            });
        }
        let child = command.spawn().expect("the host starts");
        drop(command);
        let mut from = ours.try_clone().expect("a copy");
        let (sender, texts) = channel();
        let body = move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = from.read(&mut bytes) {
                if sender.send(String::from_utf8_lossy(&bytes[..count]).into_owned()).is_err() {
                    return;
                }
            }
        };
        Builder::new().spawn(body).expect("a thread");
        Terminal { child, ours, texts, seen: String::new() }
    }

    /// Waits until `text` is shown, after the text of the previous wait.
    fn wait_for(&mut self, text: &str) {
        loop {
            if let Some(at) = self.seen.find(text) {
                self.seen.drain(..at + text.len());
                return;
            }
            match self.texts.recv_timeout(DEADLINE) {
                Ok(more) => self.seen.push_str(&more),
                Err(_) => panic!("no `{text}` in {:?}", self.seen),
            }
        }
    }

    fn press(&mut self, key: &str) {
        self.ours.write_all(key.as_bytes()).expect("a key");
    }

    /// Returns true if the terminal reads lines and echoes keys, which are the default settings.
    #[expect(unsafe_code, reason = "std cannot read the settings of terminals")]
    fn has_default_settings(&self) -> bool {
        // SAFETY: zeros are valid settings, and are overwritten.
        let settings = unsafe {
            let mut settings = std::mem::zeroed::<libc::termios>();
            assert_eq!(libc::tcgetattr(self.ours.as_raw_fd(), &raw mut settings), 0);
            settings
        };
        let default = libc::ICANON | libc::ECHO;
        settings.c_lflag & default == default
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn keys_play_pause_and_quit() {
    let setup = Setup::new();
    let mut terminal = Terminal::new(&setup, &["--start", "stopped"]);
    terminal.wait_for("stopped");
    terminal.press("p");
    terminal.press("r");
    terminal.wait_for("playing");
    assert!(!terminal.has_default_settings());
    terminal.press("p");
    terminal.wait_for("paused");
    terminal.press("r");
    terminal.wait_for("playing");
    terminal.press("q");
    terminal.wait_for("stopped after");
    assert_eq!(terminal.child.wait().expect("an end").code(), Some(0));
    assert!(terminal.has_default_settings());
}

#[test]
fn a_second_signal_restores_the_terminal() {
    let setup = Setup::new();
    let mut terminal = Terminal::new(&setup, &["--start", "paused"]);
    terminal.wait_for("paused");
    // Ctrl-C twice sends two signals.
    terminal.press("\u{3}\u{3}");
    terminal.child.wait().expect("an end");
    assert!(terminal.has_default_settings());
}

#[test]
fn a_quiet_run_does_not_change_the_terminal() {
    let setup = Setup::new();
    let mut terminal = Terminal::new(&setup, &["-q", "--duration", "0.2s"]);
    assert!(terminal.has_default_settings());
    terminal.wait_for("stopped after");
    assert!(terminal.has_default_settings());
}
