//! A small generator of random numbers (splitmix64), and changes of JSON and of bytes. A seed gives the same sequence in
//! every run.

use serde_json::{Value, json};

/// The generator.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `end`, or 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end.max(1)).expect("64 bits");
        usize::try_from(self.next() % end).expect("64 bits")
    }

    /// True once in `times` calls on average.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(super) fn one_of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    pub(super) fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next().to_le_bytes()[0]).collect()
    }

    /// Replaces a random part of a JSON value by an absurd one.
    pub(super) fn distort(&mut self, value: &mut Value) {
        match value {
            Value::Object(members) if !members.is_empty() && !self.once_in(8) => {
                let at = self.below(members.len());
                if let Some(member) = members.values_mut().nth(at) {
                    self.distort(member);
                }
            }
            Value::Array(elements) if !elements.is_empty() && !self.once_in(8) => {
                let at = self.below(elements.len());
                self.distort(&mut elements[at]);
            }
            other => *other = self.absurd(),
        }
    }

    fn absurd(&mut self) -> Value {
        match self.below(16) {
            0 => json!(1e308),
            1 => json!(-1),
            2 => json!(u64::MAX),
            3 => json!(4_294_967_295_u32),
            4 => json!(0.5),
            5 => json!(null),
            6 => json!(true),
            7 => json!([]),
            8 => json!({}),
            9 => json!(""),
            10 => json!("\u{0}\u{202e}\u{7f}\n"),
            11 => json!("x".repeat(1 << self.below(17))),
            12 => json!(vec![0; 1 << self.below(12)]),
            13 => nested(1 << self.below(7)),
            14 => json!("/".repeat(1 + self.below(40))),
            _ => json!("NaN"),
        }
    }

    /// Changes a few bytes: flips bits, cuts, repeats, inserts.
    pub(super) fn damage(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len());
            match self.below(5) {
                0 => bytes.truncate(at),
                1 => {
                    let end = (at + self.below(40)).min(bytes.len());
                    let part = bytes[at..end].to_vec();
                    bytes.splice(at..at, part);
                }
                2 => {
                    let count = self.below(8);
                    let inserted = self.bytes(count);
                    bytes.splice(at..at, inserted);
                }
                3 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 0x20),
                _ => {
                    let bit = 1 << self.below(8);
                    bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= bit);
                }
            }
        }
    }
}

/// Arrays in arrays.
fn nested(depth: usize) -> Value {
    (0..depth).fold(json!(0), |inner, _| json!([inner]))
}
