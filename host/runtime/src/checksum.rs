//! Checksums that identify files and detect damage: FNV-1a with 128 bits. No protection against forgery. Plain
//! functions.

const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// Returns the checksum of bytes.
pub fn of(bytes: impl IntoIterator<Item = u8>) -> u128 {
    bytes.into_iter().fold(OFFSET, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

/// Length of the name at the beginning of a sealed file; the format version follows.
const NAME: usize = 6;

/// Returns `body` with a header: `magic` (a name of six bytes and a version of two) and a checksum, so that truncated
/// or damaged files are detected.
pub fn sealed(magic: &[u8; 8], body: &[u8]) -> Vec<u8> {
    [magic.as_slice(), &of(body.iter().copied()).to_le_bytes(), body].concat()
}

/// Returns the body of a [`sealed`] file.
///
/// # Errors
/// Returns a text if name, version or checksum do not match.
pub fn unsealed<'a>(magic: &[u8; 8], bytes: &'a [u8]) -> Result<&'a [u8], &'static str> {
    let (name, version) = magic.split_at(NAME);
    let rest = bytes.strip_prefix(name).ok_or("it does not begin as a snapshot does")?;
    let rest = rest.strip_prefix(version).ok_or("it is of another version of this program")?;
    let (sum, body) = rest.split_at_checked(size_of::<u128>()).ok_or("it is cut")?;
    if of(body.iter().copied()).to_le_bytes() == sum { Ok(body) } else { Err("it is cut or damaged") }
}

#[cfg(test)]
mod tests {
    /// From the authors' list of test vectors: the empty text and "a".
    #[test]
    fn the_checksum_is_the_published_one() {
        assert_eq!(super::of([]), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(super::of(*b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }

    #[test]
    fn a_sealed_file_is_whole_or_refused() {
        const MAGIC: &[u8; 8] = b"BHTEST\0\x01";
        let file = super::sealed(MAGIC, b"body");
        assert_eq!(super::unsealed(MAGIC, &file), Ok(b"body".as_slice()));
        for length in 0..file.len() {
            assert!(super::unsealed(MAGIC, &file[..length]).is_err(), "{length} bytes");
        }
        let mut longer = file.clone();
        longer.push(0);
        assert_eq!(super::unsealed(MAGIC, &longer), Err("it is cut or damaged"));
        assert_eq!(super::unsealed(b"BHTEST\0\x02", &file), Err("it is of another version of this program"));
        assert_eq!(super::unsealed(b"BHSNAP\0\x01", &file), Err("it does not begin as a snapshot does"));
    }
}
