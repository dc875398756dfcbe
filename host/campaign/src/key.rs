//! The key of a run: SHA-256 of everything that its result depends on.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};

/// A SHA-256 hash; written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub(crate) [u8; 32]);

impl Key {
    /// Reads 64 hexadecimal digits in lower case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        let digits = text.as_bytes();
        if digits.len() != 64 || digits.iter().any(u8::is_ascii_uppercase) {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Key(bytes))
    }

    /// Returns the first two digits, the name of the folder that contains it.
    #[must_use]
    pub fn prefix(&self) -> String {
        format!("{:02x}", self.0[0])
    }

    /// Returns the shard of `count` that the key belongs to, from 0. It depends on the key alone, so that it stays the same
    /// if runs are added to the campaign.
    #[must_use]
    pub fn shard(&self, count: u32) -> u32 {
        let [a, b, c, d, ..] = self.0;
        u32::from_be_bytes([a, b, c, d]) % count.max(1)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Key::parse(&text).ok_or_else(|| de::Error::custom(format!("`{text}` is not a key")))
    }
}

/// Collects the parts of a key. Each part has its name and its length in front, so that no two lists of parts have the
/// same bytes.
pub(crate) struct KeyParts(Sha256);

impl KeyParts {
    pub(crate) fn new(purpose: &str) -> Self {
        let mut parts = KeyParts(Sha256::new());
        parts.add("purpose", purpose.as_bytes());
        parts
    }

    pub(crate) fn add(&mut self, name: &str, bytes: &[u8]) {
        for part in [name.as_bytes(), bytes] {
            self.0.update((part.len() as u64).to_le_bytes());
            self.0.update(part);
        }
    }

    pub(crate) fn finish(self) -> Key {
        Key(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_back_and_nothing_else_is_one() {
        let mut parts = KeyParts::new("test");
        parts.add("a", b"b");
        let key = parts.finish();
        assert_eq!(Key::parse(&key.to_string()), Some(key));
        assert_eq!(key.prefix(), key.to_string()[..2]);
        for text in ["", "ab", &"g".repeat(64), &"A".repeat(64), &"a".repeat(65), &"é".repeat(32)] {
            assert_eq!(Key::parse(text), None, "{text}");
        }
    }

    #[test]
    fn parts_are_separated() {
        let key = |parts: &[(&str, &str)]| {
            let mut all = KeyParts::new("test");
            parts.iter().for_each(|(name, text)| all.add(name, text.as_bytes()));
            all.finish()
        };
        let keys = [
            key(&[("a", "bc")]),
            key(&[("ab", "c")]),
            key(&[("a", "b"), ("", "c")]),
            key(&[("a", "b"), ("c", "")]),
        ];
        let distinct: std::collections::HashSet<Key> = keys.into_iter().collect();
        assert_eq!(distinct.len(), keys.len());
    }

    #[test]
    fn shards_divide_the_keys() {
        let keys = (0..1000_u32).map(|number| {
            let mut parts = KeyParts::new("test");
            parts.add("n", &number.to_le_bytes());
            parts.finish()
        });
        let mut counts = [0; 7];
        keys.for_each(|key| counts[key.shard(7) as usize] += 1);
        assert!(counts.iter().all(|count| (100..190).contains(count)), "{counts:?}");
        assert_eq!(Key([0; 32]).shard(0), 0);
    }
}
