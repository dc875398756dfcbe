//! What is read, and what is refused before it is opened.

use std::ffi::CString;
use std::fs::File;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixListener;

use super::*;
use tempfile::TempDir;

fn refusal(path: &Path) -> String {
    Disk.read(path, 10).expect_err("refused").to_string()
}

fn pipe(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("pipe");
    let name = CString::new(path.as_os_str().as_bytes()).expect("a name");
    // SAFETY: the name is a C string.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0, "{}", io::Error::last_os_error());
    path
}

#[test]
fn only_regular_files_are_opened_and_the_others_are_named() {
    let folder = TempDir::new().expect("a folder");
    let socket = folder.path().join("socket");
    let _listener = UnixListener::bind(&socket).expect("a socket");
    // Opening the pipe would wait for ever: nobody writes to it.
    for (path, name) in [
        (pipe(&folder), "a named pipe"),
        (socket, "a socket"),
        (PathBuf::from("/dev/zero"), "a character device"),
        (folder.path().to_owned(), "a folder"),
    ] {
        assert_eq!(refusal(&path), format!("it is {name}; only regular files are read"));
        assert_eq!(Disk.kind(&path).to_string(), name);
        assert!(!Disk.is_file(&path));
    }
    let absent = folder.path().join("absent");
    assert_eq!(Disk.kind(&absent), FileKind::Absent);
    assert!(refusal(&absent).contains("No such file"));
}

#[test]
fn a_file_is_read_up_to_the_limit_and_not_allocated_beyond_it() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("file");
    fs::write(&path, "0123456789").expect("written");
    assert_eq!(Disk.read(&path, 10).expect("read"), "0123456789");
    fs::write(&path, "0123456789a").expect("written");
    assert_eq!(refusal(&path), "it has more than 10 bytes, which is the limit");
    fs::write(&path, b"\xff").expect("written");
    assert_eq!(refusal(&path), "it is not a UTF-8 text");
    // A file with a hole: a terabyte that costs nothing.
    File::create(&path).and_then(|file| file.set_len(1 << 40)).expect("a large file");
    assert_eq!(refusal(&path), "it has more than 10 bytes, which is the limit");
    // The system reports a size of 0 for its own files.
    assert_eq!(refusal(Path::new("/proc/self/status")), "it has more than 10 bytes, which is the limit");
}

#[test]
fn files_in_memory_have_the_same_limit_and_folders() {
    let files = InMemory::new().with("/a/b.sdf", "text");
    assert_eq!(files.read(Path::new("/a/./b.sdf"), 4).expect("read"), "text");
    assert!(matches!(files.read(Path::new("/a/b.sdf"), 3), Err(ReadError::File(FileError::TooLarge(3)))));
    let kinds = ["/a/b.sdf", "/a", "/b"].map(|path| files.kind(Path::new(path)));
    assert_eq!(kinds, [FileKind::File, FileKind::Folder, FileKind::Absent]);
}
