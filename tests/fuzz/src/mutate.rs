//! Inputs made from others. The same number gives the same input.

/// Numbers at which readers change their behaviour: signs, powers of two and the neighbours of both.
const NUMBERS: [u64; 16] = [
    0,
    1,
    2,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_fff0,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    u64::MAX,
];

/// Texts that replace numbers and words of a text.
const TEXTS: [&str; 20] = [
    "",
    "0",
    "-0",
    "-1",
    "1e308",
    "-1e-308",
    "1e999",
    "nan",
    "inf",
    "99999999999999999999",
    "0x10",
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\\u0000",
    "\u{202e}",
    "::",
    "../..",
];

/// A generator of mutations with its own sequence of random numbers (splitmix64).
pub(crate) struct Mutator(u64);

impl Mutator {
    pub(crate) fn new(seed: u64) -> Self {
        Mutator(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Returns one of `inputs` with one to five changes, at most `limit` bytes long.
    pub(crate) fn mutated(&mut self, inputs: &[&[u8]], limit: usize) -> Vec<u8> {
        let mut bytes = self.one_of(inputs).to_vec();
        for _ in 0..=self.below(5) {
            let other = self.one_of(inputs);
            self.change(&mut bytes, other);
        }
        bytes.truncate(limit);
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        match self.below(12) {
            0 => bytes.truncate(self.below(bytes.len() + 1)),
            1 => drop(bytes.drain(self.range(bytes.len()))),
            2 => {
                let copied = bytes[self.range(bytes.len())].to_vec();
                self.insert(bytes, &copied);
            }
            3 => {
                let foreign = &other[self.range(other.len())];
                self.insert(bytes, foreign);
            }
            4 => {
                let text = TEXTS[self.below(TEXTS.len())];
                self.insert(bytes, text.as_bytes());
            }
            5 | 6 => self.replace_number(bytes),
            7 | 8 => self.overwrite(bytes),
            _ => {
                let (at, bit) = (self.below(bytes.len()), self.below(8));
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << bit);
            }
        }
    }

    fn insert(&mut self, bytes: &mut Vec<u8>, piece: &[u8]) {
        let at = self.below(bytes.len() + 1);
        bytes.splice(at..at, piece.iter().copied());
    }

    /// Overwrites 1, 2, 4 or 8 bytes with a number, in either byte order.
    fn overwrite(&mut self, bytes: &mut [u8]) {
        let number = NUMBERS[self.below(NUMBERS.len())];
        let width = 1 << self.below(4);
        let at = self.below(bytes.len());
        let little = number.to_le_bytes();
        let is_big = self.below(2) == 0;
        for (offset, byte) in bytes.iter_mut().skip(at).take(width).enumerate() {
            *byte = little[if is_big { width - 1 - offset } else { offset }];
        }
    }

    /// Replaces the decimal number after a random place of a text.
    fn replace_number(&mut self, bytes: &mut Vec<u8>) {
        let from = self.below(bytes.len());
        let is_digit = |byte: &u8| byte.is_ascii_digit();
        let Some(start) = bytes[from..].iter().position(is_digit).map(|at| from + at) else { return };
        let length = bytes[start..].iter().take_while(|byte| is_digit(byte) || **byte == b'.').count();
        let text = TEXTS[self.below(TEXTS.len())];
        bytes.splice(start..start + length, text.bytes());
    }

    /// Returns a range of at most 64 bytes within `length`.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length);
        start..(start + self.below(65)).min(length)
    }

    fn one_of<'a>(&mut self, inputs: &[&'a [u8]]) -> &'a [u8] {
        inputs[self.below(inputs.len())]
    }

    /// Returns a number below `end`, or 0.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^= word >> 31;
        usize::try_from(word % (end.max(1) as u64)).unwrap_or(0)
    }
}
