//! How much of a file is read to check it.

use std::fs;
use std::io::{Cursor, Read, Seek, SeekFrom};

use super::*;
use crate::tests::fixture::Shelf;

/// A file in memory that counts the bytes read from it.
struct Counted {
    content: Cursor<Vec<u8>>,
    count: usize,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.content.read(buffer)?;
        self.count += count;
        Ok(count)
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.content.seek(to)
    }
}

#[test]
fn only_headers_and_two_sections_of_a_file_are_read() {
    let shelf = Shelf::new();
    let path = shelf.plugin("large", &[("FIXTURE_BALLAST", "10000000")]);
    let content = Cursor::new(fs::read(path).expect("the library"));
    assert!(content.get_ref().len() > 10_000_000);
    let cache = ReadCache::new(Counted { content, count: 0 });
    let metadata = check(&cache).expect("a good plugin");
    assert_eq!(metadata.plugins.len(), 1);
    let count = cache.into_inner().count;
    assert!(count < 1_000_000, "{count} bytes are read");
}
