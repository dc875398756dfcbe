//! Finds the objects in a stream of texts. It looks at each byte once.

/// Collects the texts of one client.
#[derive(Default)]
pub(crate) struct Splitter {
    /// An incomplete object from its beginning.
    buffer: String,
    scan: Scan,
}

/// Where a scan stands.
#[derive(Clone, Copy, Default)]
struct Scan {
    depth: usize,
    is_in_text: bool,
    is_escaped: bool,
}

/// What a text contains.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Split {
    /// The objects that are complete now.
    pub(crate) objects: Vec<String>,
    /// Bytes that belong to no object.
    pub(crate) skipped: usize,
}

impl Scan {
    /// Takes a byte of an object; true if the object ends with it.
    fn ends_with(&mut self, byte: u8) -> bool {
        if self.is_in_text {
            match byte {
                _ if std::mem::take(&mut self.is_escaped) => {}
                b'\\' => self.is_escaped = true,
                b'"' => self.is_in_text = false,
                _ => {}
            }
            return false;
        }
        match byte {
            b'"' => self.is_in_text = true,
            b'{' => self.depth += 1,
            b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.depth == 0
    }
}

impl Splitter {
    /// Takes a text. An incomplete object of more than `limit` bytes is dropped, and so is one before a text that
    /// contains complete requests of its own and does not complete it.
    pub(crate) fn take(&mut self, text: &str, limit: usize) -> Split {
        let was_waiting = self.buffer.len();
        let mut split = self.scan(text);
        if was_waiting > 0 && split.objects.is_empty() {
            let mut alone = Splitter::default();
            let fresh = alone.scan(text);
            if fresh.objects.first().is_some_and(|object| object.contains("\"op\"")) && fresh.skipped == 0 {
                *self = alone;
                split = Split { skipped: was_waiting, ..fresh };
            }
        }
        if self.buffer.len() > limit {
            split.skipped += self.buffer.len();
            *self = Splitter::default();
        }
        split
    }

    fn scan(&mut self, text: &str) -> Split {
        let mut split = Split::default();
        // Where the object that is scanned begins in this text; earlier parts are in the buffer.
        let mut begin = if self.buffer.is_empty() { None } else { Some(0) };
        for (at, byte) in text.bytes().enumerate() {
            let Some(start) = begin else {
                match byte {
                    b'{' => {
                        begin = Some(at);
                        self.scan = Scan { depth: 1, ..Scan::default() };
                    }
                    byte if byte.is_ascii_whitespace() => {}
                    _ => split.skipped += 1,
                }
                continue;
            };
            if self.scan.ends_with(byte) {
                // Both ends are ASCII characters, so they are boundaries of characters.
                self.buffer.push_str(text.get(start..=at).unwrap_or_default());
                split.objects.push(std::mem::take(&mut self.buffer));
                begin = None;
            }
        }
        if let Some(start) = begin {
            self.buffer.push_str(text.get(start..).unwrap_or_default());
        }
        split
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LIMIT: usize = 1000;

    fn take(splitter: &mut Splitter, text: &str) -> (Vec<String>, usize) {
        let split = splitter.take(text, LIMIT);
        (split.objects, split.skipped)
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
                let split = splitter.take(&part.iter().collect::<String>(), LIMIT);
                prop_assert_eq!(split.skipped, 0);
                found.extend(split.objects);
            }
            prop_assert_eq!(found, objects);
        }

        /// Any text is split without a panic, and what waits is bounded.
        #[test]
        fn garbage_is_bounded(texts in prop::collection::vec(".{0,80}", 0..40)) {
            let mut splitter = Splitter::default();
            for text in &texts {
                splitter.take(text, 100);
                prop_assert!(splitter.buffer.len() <= 100);
            }
        }
    }
}
