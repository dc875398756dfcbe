//! Splits long texts into fragments, and joins the fragments of a client.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::json::write_text;

/// Most messages whose fragments are incomplete at one time.
const MAX_INCOMPLETE: usize = 8;
/// Most fragments of a message.
const MAX_FRAGMENTS: usize = 100_000;
/// Longest time between two fragments of a message.
const PATIENCE: Duration = Duration::from_secs(60);

/// Returns the fragments of a text, each with at most `size` bytes of it, in the order in which they are sent.
pub(crate) fn split(text: &str, size: usize, id: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut end = rest.floor_char_boundary(size.min(rest.len()));
        if end == 0 {
            // The size is smaller than the character.
            end = rest.ceil_char_boundary(1);
        }
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    let total = pieces.len();
    let fragment = |(number, piece): (usize, &str)| {
        let mut json = b"{\"op\":\"fragment\",\"id\":".to_vec();
        write_text(id, &mut json);
        json.extend_from_slice(b",\"data\":");
        write_text(piece, &mut json);
        json.extend_from_slice(format!(",\"num\":{number},\"total\":{total}}}").as_bytes());
        String::from_utf8(json).unwrap_or_default()
    };
    pieces.into_iter().enumerate().map(fragment).collect()
}

/// The fragments of one client that wait for others.
#[derive(Default)]
pub(crate) struct Fragments(BTreeMap<String, Incomplete>);

struct Incomplete {
    total: usize,
    bytes: usize,
    pieces: BTreeMap<usize, String>,
    last: Instant,
}

/// What waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) bytes: usize,
    pub(crate) pieces: usize,
}

impl Fragments {
    /// Returns the size of all messages.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn size(&self) -> Size {
        let all = self.0.values();
        all.fold(Size::default(), |sum, incomplete| Size {
            bytes: sum.bytes + incomplete.pieces.values().map(String::len).sum::<usize>(),
            pieces: sum.pieces + incomplete.pieces.len(),
        })
    }

    /// Returns the size of all messages but one.
    fn size_without(&self, id: &str) -> Size {
        let others = self.0.iter().filter(|(other, _)| *other != id);
        others.fold(Size::default(), |sum, (_, incomplete)| Size {
            bytes: sum.bytes + incomplete.bytes,
            pieces: sum.pieces + incomplete.pieces.len(),
        })
    }

    /// Adds a fragment and returns the text if it is complete.
    ///
    /// # Errors
    /// Returns an error if a number is wrong, or all texts together would have more than `limit` bytes.
    pub(crate) fn add(
        &mut self,
        id: &str,
        number: usize,
        total: usize,
        data: String,
        limit: usize,
        now: Instant,
    ) -> Result<Option<String>, String> {
        self.0.retain(|_, incomplete| now.saturating_duration_since(incomplete.last) < PATIENCE);
        if number >= total || total > MAX_FRAGMENTS {
            return Err(format!(
                "fragment {number} of {total}: the number must be below the total, and the total at most {MAX_FRAGMENTS}"
            ));
        }
        if !self.0.contains_key(id) && self.0.len() >= MAX_INCOMPLETE {
            return Err(format!("{MAX_INCOMPLETE} fragmented messages are incomplete; complete them first"));
        }
        let others = self.size_without(id);
        let begin = || Incomplete { total, bytes: 0, pieces: BTreeMap::new(), last: now };
        let incomplete = self.0.entry(id.to_owned()).or_insert_with(begin);
        incomplete.last = now;
        let waiting = incomplete.bytes + data.len();
        let problem = if incomplete.total != total {
            Some(format!("a fragment says {total} in total, earlier ones {}", incomplete.total))
        } else if others.bytes + waiting > limit {
            Some(format!("the fragments that wait have more than {limit} bytes"))
        } else if others.pieces + incomplete.pieces.len() >= MAX_FRAGMENTS {
            Some(format!("more than {MAX_FRAGMENTS} fragments wait for others"))
        } else {
            None
        };
        if let Some(problem) = problem {
            self.0.remove(id);
            return Err(problem);
        }
        if let std::collections::btree_map::Entry::Vacant(place) = incomplete.pieces.entry(number) {
            incomplete.bytes = waiting;
            place.insert(data);
        }
        if incomplete.pieces.len() < total {
            return Ok(None);
        }
        Ok(self.0.remove(id).map(|complete| complete.pieces.into_values().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wall_clock;

    fn add(
        fragments: &mut Fragments,
        number: usize,
        total: usize,
        data: &str,
    ) -> Result<Option<String>, String> {
        fragments.add("a", number, total, data.to_owned(), 20, wall_clock::now())
    }

    #[test]
    fn a_text_is_split_and_joined() {
        let text = "{\"a\":\"zwölf Boxkämpfer\"}";
        for size in [1, 2, 7, 100] {
            let mut fragments = Fragments::default();
            let mut joined = None;
            for fragment in split(text, size, "1") {
                assert!(joined.is_none());
                let value: serde_json::Value = serde_json::from_str(&fragment).expect("JSON");
                let number =
                    |key: &str| usize::try_from(value[key].as_u64().expect("a number")).expect("small");
                let data = value["data"].as_str().expect("data").to_owned();
                joined = fragments
                    .add("1", number("num"), number("total"), data, 1000, wall_clock::now())
                    .expect("a fragment");
            }
            assert_eq!(joined.as_deref(), Some(text), "{size}");
        }
    }

    #[test]
    fn fragments_come_in_any_order() {
        let mut fragments = Fragments::default();
        assert_eq!(add(&mut fragments, 2, 3, "c"), Ok(None));
        assert_eq!(add(&mut fragments, 0, 3, "a"), Ok(None));
        assert_eq!(add(&mut fragments, 0, 3, "x"), Ok(None));
        assert_eq!(add(&mut fragments, 1, 3, "b"), Ok(Some("abc".to_owned())));
    }

    #[test]
    fn fragments_are_bounded() {
        let mut fragments = Fragments::default();
        assert!(add(&mut fragments, 3, 3, "").is_err());
        assert!(add(&mut fragments, 0, 1_000_000, "").is_err());
        assert!(add(&mut fragments, 0, 2, &"x".repeat(21)).is_err());
        assert_eq!(add(&mut fragments, 0, 2, "x"), Ok(None));
        assert!(add(&mut fragments, 1, 3, "x").is_err(), "another total");
        assert!(add(&mut fragments, 0, 2, &"x".repeat(12)).is_ok());
        let second = fragments.add("b", 0, 2, "x".repeat(12), 20, wall_clock::now());
        assert!(second.is_err(), "both together have 24 bytes");
        let mut refused = 0;
        for id in 0..20 {
            let added = fragments.add(&id.to_string(), 0, 2, String::new(), 20, wall_clock::now());
            refused += usize::from(added.is_err());
        }
        assert_eq!(refused, 13);
        let later = wall_clock::now() + PATIENCE;
        assert_eq!(fragments.add("new", 0, 2, String::new(), 20, later), Ok(None));
    }
}
