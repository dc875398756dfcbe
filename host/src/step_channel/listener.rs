//! The socket file: created for its owner only, in place of one that a dead host has left, and removed at the end.

use std::fs::{self, Permissions};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use socket2::{Domain, SockAddr, Socket, Type};

use super::connection::Connection;
use super::error::OpenError;

/// Connections that may wait to be accepted.
const BACKLOG: i32 = 16;

/// The listening socket.
pub(super) struct Listener {
    socket: UnixListener,
    path: PathBuf,
    /// Number of the file, to remove no other one.
    inode: u64,
}

impl Listener {
    pub(super) fn open(path: &Path) -> Result<Self, OpenError> {
        remove_stale(path)?;
        Self::bind(path).map_err(|source| OpenError::System { path: path.to_owned(), source })
    }

    fn bind(path: &Path) -> io::Result<Self> {
        let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
        socket.bind(&SockAddr::unix(path)?)?;
        // Before it listens, so that nobody else could connect.
        fs::set_permissions(path, Permissions::from_mode(0o600))?;
        socket.listen(BACKLOG)?;
        socket.set_nonblocking(true)?;
        let inode = fs::symlink_metadata(path)?.ino();
        Ok(Listener { socket: UnixListener::from(OwnedFd::from(socket)), path: path.to_owned(), inode })
    }

    /// Takes the next connection, if one waits.
    pub(super) fn accept(&self) -> Option<Connection> {
        let (stream, _) = self.socket.accept().ok()?;
        Connection::new(stream).ok()
    }
}

/// Removes a socket that nobody serves.
fn remove_stale(path: &Path) -> Result<(), OpenError> {
    let Ok(facts) = fs::symlink_metadata(path) else { return Ok(()) };
    if !facts.file_type().is_socket() {
        return Err(OpenError::NoSocket(path.to_owned()));
    }
    match UnixStream::connect(path) {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            fs::remove_file(path).map_err(|source| OpenError::System { path: path.to_owned(), source })
        }
        // Whatever else it says, somebody serves it.
        Ok(_) | Err(_) => Err(OpenError::Taken(path.to_owned())),
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if fs::symlink_metadata(&self.path).is_ok_and(|facts| facts.ino() == self.inode) {
            drop(fs::remove_file(&self.path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_is_private_is_replaced_if_stale_and_removed_at_the_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("steps");
        drop(UnixListener::bind(&path).expect("a socket without a host"));
        assert!(path.exists());
        let listener = Listener::open(&path).expect("the stale one is replaced");
        let mode = fs::symlink_metadata(&path).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(listener.accept().is_none());
        let refused = Listener::open(&path).map(drop).expect_err("a live one is not").to_string();
        assert!(refused.starts_with("[BH-STP-001] "), "{refused}");
        drop(listener);
        assert!(!path.exists());
    }

    #[test]
    fn other_files_and_impossible_paths_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("notes");
        fs::write(&file, "text").expect("a file");
        let refused = Listener::open(&file).map(drop).expect_err("a file").to_string();
        assert!(refused.starts_with("[BH-STP-002] "), "{refused}");
        assert_eq!(fs::read_to_string(&file).expect("the file"), "text");
        for path in [folder.path().join("missing/steps"), folder.path().join("x".repeat(200))] {
            let refused = Listener::open(&path).map(drop).expect_err("impossible").to_string();
            assert!(refused.starts_with("[BH-STP-003] "), "{refused}");
        }
    }

    #[test]
    fn the_end_of_a_host_leaves_the_socket_of_another_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("steps");
        let first = Listener::open(&path).expect("a socket");
        fs::rename(&path, folder.path().join("moved")).expect("it moves");
        let _second = Listener::open(&path).expect("a socket");
        drop(first);
        assert!(path.exists());
    }
}
