//! The descriptors that the host has opened before plugins run: its standard streams, and those through which signals and
//! crashes are handled.

use std::ffi::c_int;
use std::mem::zeroed;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};

use super::super::Rule;
use super::{Cost, State};

const STREAMS: [&str; 3] = ["standard input", "standard output", "standard error"];

/// The lowest number of the copies of the streams: plugins that close descriptors begin with low ones.
const COPIES: c_int = 512;

/// What a descriptor leads to: device, number, and device of a special file.
type Identity = (libc::dev_t, libc::ino_t, libc::dev_t);

/// An open descriptor.
struct Open {
    descriptor: RawFd,
    identity: Identity,
    /// A copy from which a stream is restored.
    copy: Option<OwnedFd>,
}

/// All of them.
pub(super) struct Descriptors(Vec<Open>);

impl State for Descriptors {
    const RULE: Rule = Rule::Descriptor;
    const COST: Cost = Cost::Medium;
    const IS_VITAL: bool = true;

    fn read() -> Option<Self> {
        let entries = std::fs::read_dir("/proc/self/fd").ok()?;
        let numbers: Vec<RawFd> =
            entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect();
        // In unit tests, other tests open and close theirs. The folder itself is closed by now.
        let numbers = numbers.into_iter().filter(|descriptor| !cfg!(test) || stream(*descriptor).is_some());
        let open = numbers.filter_map(|descriptor| {
            let identity =
                identity(descriptor).filter(|_| stream(descriptor).is_some() || is_connection(descriptor))?;
            let copy = stream(descriptor).and_then(|_| duplicate(descriptor));
            Some(Open { descriptor, identity, copy })
        });
        Some(Descriptors(open.collect()))
    }

    fn change(&self) -> Option<String> {
        let lost = self.0.iter().filter(|open| open.is_lost());
        let names: Vec<String> = lost.map(Open::name).collect();
        (!names.is_empty()).then(|| format!("closed or replaced {} of the host", names.join(", ")))
    }

    fn restore(&self) -> bool {
        let restored: Vec<bool> = self.0.iter().filter(|open| open.is_lost()).map(Open::restore).collect();
        restored.into_iter().all(|done| done)
    }

    /// What is lost stays lost, and is not reported again.
    fn rebase(&mut self) {
        self.0.retain(|open| !open.is_lost());
    }
}

impl Open {
    fn is_lost(&self) -> bool {
        identity(self.descriptor) != Some(self.identity)
    }

    fn name(&self) -> String {
        stream(self.descriptor).map_or_else(|| format!("descriptor {}", self.descriptor), str::to_owned)
    }

    #[expect(unsafe_code, reason = "std does not choose numbers of descriptors")]
    fn restore(&self) -> bool {
        let copy = self.copy.as_ref().filter(|copy| identity(copy.as_raw_fd()) == Some(self.identity));
        // SAFETY: the copy is open, and the stream belongs to the host.
        copy.is_some_and(|copy| unsafe { libc::dup2(copy.as_raw_fd(), self.descriptor) >= 0 })
    }
}

fn stream(descriptor: RawFd) -> Option<&'static str> {
    STREAMS.get(usize::try_from(descriptor).ok()?).copied()
}

#[expect(unsafe_code, reason = "std does not choose numbers of descriptors")]
fn duplicate(descriptor: RawFd) -> Option<OwnedFd> {
    let copy = |least: c_int| {
        // SAFETY: a descriptor that was opened belongs to nobody else.
        unsafe {
            let copy = libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, least);
            (copy >= 0).then(|| OwnedFd::from_raw_fd(copy))
        }
    };
    // The system may allow only lower numbers.
    copy(COPIES).or_else(|| copy(0))
}

/// Returns true for a pipe or a socket. Files are opened and closed by other threads at this time.
fn is_connection(descriptor: RawFd) -> bool {
    facts(descriptor)
        .is_some_and(|facts| matches!(facts.st_mode & libc::S_IFMT, libc::S_IFIFO | libc::S_IFSOCK))
}

/// What the descriptor leads to; `None` if it is closed.
fn identity(descriptor: RawFd) -> Option<Identity> {
    facts(descriptor).map(|facts| (facts.st_dev, facts.st_ino, facts.st_rdev))
}

/// What the system knows of it; `None` if it is closed.
#[expect(unsafe_code, reason = "std asks only about descriptors that it owns")]
fn facts(descriptor: RawFd) -> Option<libc::stat> {
    // SAFETY: the struct is read only if the call has filled it in.
    unsafe {
        let mut facts: libc::stat = zeroed();
        (libc::fstat(descriptor, &raw mut facts) == 0).then_some(facts)
    }
}
