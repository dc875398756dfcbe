//! The identity of an endpoint: the hash of its token, which everybody can compute who sees the token.

use xxhash_rust::xxh3::xxh3_128;

/// The identity of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Gid(pub(crate) [u8; 16]);

impl Gid {
    /// Returns the identity of the endpoint with this token: XXH3 in 128 bits, the low half first, each in little endian.
    pub(crate) fn of(token: &str) -> Self {
        Gid(xxh3_128(token.as_bytes()).to_le_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identity_is_the_hash_of_the_token() {
        let token = "@ros2_lv/2/8b20917502ee955ac4476e0266340d5c/0/10/MP/%/%/talker/%chatter/\
            std_msgs::msg::dds_::String_/RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18/::,7:,:,:,,";
        let expected =
            [0xac, 0x17, 0x0f, 0x31, 0xea, 0xdc, 0xd9, 0xff, 0x0c, 0xd8, 0x6d, 0x7a, 0x17, 0x90, 0x7d, 0x1c];
        assert_eq!(Gid::of(token).0, expected);
    }
}
