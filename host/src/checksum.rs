//! A number that tells files apart, and a whole one from a broken one: FNV-1a with 128 bits. Not meant against forgery.

const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// The checksum of bytes.
pub fn of(bytes: impl IntoIterator<Item = u8>) -> u128 {
    bytes.into_iter().fold(OFFSET, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    /// From the authors' list of test vectors: the empty text and "a".
    #[test]
    fn the_checksum_is_the_published_one() {
        assert_eq!(super::of([]), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(super::of(*b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }
}
