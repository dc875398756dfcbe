//! Finds the objects in a stream of texts. It looks at each byte once.

/// Collects the texts of one client.
#[derive(Default)]
pub(crate) struct Splitter {
    /// An incomplete object from its beginning, without what is in the present text.
    buffer: String,
    scan: Scan,
    /// The present text, and how much of it was looked at.
    text: String,
    at: usize,
    /// Bytes that belong to no object.
    skipped: usize,
}

/// Where a scan stands: outside of objects if the depth is zero.
#[derive(Clone, Copy, Default)]
struct Scan {
    depth: usize,
    is_in_text: bool,
    is_escaped: bool,
}

/// What a byte is in the stream.
enum Place {
    /// Outside of objects.
    Outside,
    /// The first byte of an object, or one within it.
    Inside,
    /// The last byte of an object.
    End,
}

impl Scan {
    /// Takes a byte.
    fn take(&mut self, byte: u8) -> Place {
        match byte {
            _ if self.is_in_text => self.take_in_text(byte),
            b'{' => self.depth += 1,
            _ if self.depth == 0 => return Place::Outside,
            b'"' => self.is_in_text = true,
            b'}' => self.depth -= 1,
            _ => {}
        }
        if self.depth == 0 { Place::End } else { Place::Inside }
    }

    fn take_in_text(&mut self, byte: u8) {
        match byte {
            _ if std::mem::take(&mut self.is_escaped) => {}
            b'\\' => self.is_escaped = true,
            b'"' => self.is_in_text = false,
            _ => {}
        }
    }
}

impl Splitter {
    /// Takes a text, after all objects of the one before were taken with [`Splitter::next`]. An incomplete object before a
    /// text that contains complete requests of its own and does not complete it is dropped.
    pub(crate) fn add(&mut self, text: &str) {
        if !self.buffer.is_empty() && !self.completes(text) && is_complete(text) {
            self.skipped += self.buffer.len();
            (self.buffer, self.scan) = (String::new(), Scan::default());
        }
        text.clone_into(&mut self.text);
        self.at = 0;
    }

    /// Returns the next object that is complete. Drops the incomplete one after it if it has more than `limit` bytes.
    pub(crate) fn next(&mut self, limit: usize) -> Option<String> {
        let mut begin = if self.buffer.is_empty() { None } else { Some(self.at) };
        while let Some(byte) = self.text.as_bytes().get(self.at).copied() {
            let place = self.scan.take(byte);
            let start = match place {
                Place::Outside => {
                    self.skipped += usize::from(!byte.is_ascii_whitespace());
                    self.at += 1;
                    continue;
                }
                Place::Inside | Place::End => *begin.get_or_insert(self.at),
            };
            self.at += 1;
            if matches!(place, Place::End) {
                self.keep(start);
                return Some(std::mem::take(&mut self.buffer));
            }
        }
        if let Some(start) = begin {
            self.keep(start);
        }
        (self.text, self.at) = (String::new(), 0);
        if self.buffer.len() > limit {
            self.skipped += self.buffer.len();
            (self.buffer, self.scan) = (String::new(), Scan::default());
        }
        None
    }

    /// Returns the number of bytes that belonged to no object since the last call.
    pub(crate) fn take_skipped(&mut self) -> usize {
        std::mem::take(&mut self.skipped)
    }

    /// Adds the present text from `start` on to the incomplete object.
    fn keep(&mut self, start: usize) {
        // Both ends are ASCII characters or ends of the text, so they are boundaries of characters.
        self.buffer.push_str(self.text.get(start..self.at).unwrap_or_default());
    }

    /// Returns true if the incomplete object ends in a text.
    fn completes(&self, text: &str) -> bool {
        let mut scan = self.scan;
        text.bytes().any(|byte| matches!(scan.take(byte), Place::End))
    }
}

/// Returns true if a text consists of objects, of which the last one may be incomplete, and the first one is a request.
fn is_complete(text: &str) -> bool {
    let mut scan = Scan::default();
    let mut first = None;
    for (at, byte) in text.bytes().enumerate() {
        match scan.take(byte) {
            Place::Outside if !byte.is_ascii_whitespace() => return false,
            Place::End if first.is_none() => first = text.get(..=at),
            Place::Outside | Place::Inside | Place::End => {}
        }
    }
    first.is_some_and(|first| first.contains("\"op\""))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LIMIT: usize = 1000;

    fn take(splitter: &mut Splitter, text: &str) -> (Vec<String>, usize) {
        splitter.add(text);
        let objects = std::iter::from_fn(|| splitter.next(LIMIT)).collect();
        (objects, splitter.take_skipped())
    }

    #[test]
    fn a_text_can_have_several_objects() {
        let mut splitter = Splitter::default();
        let found = take(&mut splitter, " {\"a\":{}}\n{\"b\":\"}{\"} {} ");
        assert_eq!(found, (vec!["{\"a\":{}}".into(), "{\"b\":\"}{\"}".into(), "{}".into()], 0));
    }

    #[test]
    fn an_object_can_be_in_several_texts() {
        let mut splitter = Splitter::default();
        assert_eq!(take(&mut splitter, "{\"a\":\"\\"), (vec![], 0));
        assert_eq!(take(&mut splitter, "\"}"), (vec![], 0));
        assert_eq!(take(&mut splitter, "\"}{"), (vec!["{\"a\":\"\\\"}\"}".into()], 0));
        assert_eq!(take(&mut splitter, "}"), (vec!["{}".into()], 0));
    }

    #[test]
    fn text_outside_objects_is_counted() {
        let mut splitter = Splitter::default();
        assert_eq!(take(&mut splitter, "abc{}]"), (vec!["{}".into()], 4));
        assert_eq!(take(&mut splitter, "[1]"), (vec![], 3));
    }

    #[test]
    fn an_object_that_is_never_completed_is_dropped() {
        let mut splitter = Splitter::default();
        assert_eq!(take(&mut splitter, "{\"op\":\"publish\",\"msg\":"), (vec![], 0));
        let (objects, skipped) = take(&mut splitter, "{\"op\":\"subscribe\"}");
        assert_eq!((objects, skipped), (vec!["{\"op\":\"subscribe\"}".into()], 22));
        assert_eq!(take(&mut splitter, &"{".repeat(LIMIT + 1)), (vec![], LIMIT + 1));
        assert_eq!(take(&mut splitter, "{}"), (vec!["{}".into()], 0));
    }

    proptest! {
        /// Objects are found wherever the texts are cut, as long as no part looks like a request.
        #[test]
        fn cuts_do_not_matter(values in prop::collection::vec("[a-zäß\"\\\\{}\\[\\], ]{0,12}", 1..6), cut in 1_usize..9) {
            let objects: Vec<String> =
                values.iter().map(|value| serde_json::json!({ "x": value }).to_string()).collect();
            let whole: Vec<char> = objects.concat().chars().collect();
            let mut splitter = Splitter::default();
            let mut found = Vec::new();
            for part in whole.chunks(cut) {
                let (objects, skipped) = take(&mut splitter, &part.iter().collect::<String>());
                prop_assert_eq!(skipped, 0);
                found.extend(objects);
            }
            prop_assert_eq!(found, objects);
        }

        /// Any text is split without a panic, and what waits is bounded.
        #[test]
        fn garbage_is_bounded(texts in prop::collection::vec(".{0,80}", 0..40)) {
            let mut splitter = Splitter::default();
            for text in &texts {
                splitter.add(text);
                while splitter.next(100).is_some() {}
                prop_assert!(splitter.buffer.len() <= 100 && splitter.text.is_empty());
            }
        }
    }
}
