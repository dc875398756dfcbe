//! The eight bytes at the start of every frame: a hash of the port's key.
//!
//! Clients subscribe to these bytes, so they must match the C++ library that clients are built with: a 64-bit
//! MurmurHash2 of the text, in little endian.

/// Start value of the hash.
const SEED: u64 = 0xc70f_6907;
const FACTOR: u64 = 0xc6a4_a793_5bd1_e995;
const SHIFT: u32 = 47;

/// The bytes before a payload.
pub type Tag = [u8; 8];

/// Length of a tag.
pub const LEN: usize = 8;

/// Returns the tag of a key: model, parts and role of a port, concatenated.
#[must_use]
pub fn tag(key: &str) -> Tag {
    hash(key.as_bytes()).to_le_bytes()
}

/// Returns what `std::hash<std::string>` of libstdc++ returns on a 64-bit machine.
#[must_use]
pub fn hash(text: &[u8]) -> u64 {
    let mut hash = SEED ^ (text.len() as u64).wrapping_mul(FACTOR);
    let mut words = text.chunks_exact(8);
    for word in &mut words {
        let product = number(word).wrapping_mul(FACTOR);
        let mixed = (product ^ (product >> SHIFT)).wrapping_mul(FACTOR);
        hash = (hash ^ mixed).wrapping_mul(FACTOR);
    }
    let rest = words.remainder();
    if !rest.is_empty() {
        hash = (hash ^ number(rest)).wrapping_mul(FACTOR);
    }
    hash = (hash ^ (hash >> SHIFT)).wrapping_mul(FACTOR);
    hash ^ (hash >> SHIFT)
}

/// Reads up to eight bytes as a little-endian number.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| (number << 8) | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_matches_libstdcxx() {
        let expected = [
            ("", 0x553e_9390_1e46_2a6e),
            ("a", 0x454d_dee4_88c1_ed6b),
            ("abc", 0x32d8_2bf8_ed3d_ba39),
            ("abcdefg", 0xdeee_6830_a3af_82af),
            ("abcdefgh", 0x783d_b3e3_8db8_98bb),
            ("abcdefghi", 0xb4ec_9257_851c_8aaf),
            ("WorldSimulationWorldClock", 0x74b7_72c3_e891_192c),
            ("WorldSimulationWorldControl", 0xf45f_0582_91c6_6d64),
            ("cloiimu_imuData", 0xb650_6bb0_c738_0168),
            ("cloiimu_imuInfo", 0x3fc9_a0fb_afec_0091),
            ("robotMicomTx", 0xb410_05f7_80e5_0e4b),
        ];
        for (key, hash_of_key) in expected {
            assert_eq!(hash(key.as_bytes()), hash_of_key, "{key:?}");
        }
    }

    #[test]
    fn a_tag_is_little_endian() {
        assert_eq!(tag("a"), [0x6b, 0xed, 0xc1, 0x88, 0xe4, 0xde, 0x4d, 0x45]);
    }
}
