//! The OpenAPI document that was made last.

use std::sync::{Arc, Mutex};

use crate::thread::lock;

/// The document that was made last. Types are never removed, so their number says whether there are new ones.
#[derive(Default)]
pub(crate) struct Document(Mutex<Option<(usize, Arc<str>)>>);

impl Document {
    /// Returns the document, made anew if the number of types of topics has changed.
    pub(super) fn text(&self, types: usize, make: impl FnOnce() -> String) -> Arc<str> {
        let mut kept = lock(&self.0);
        match kept.as_ref() {
            Some((count, text)) if *count == types => Arc::clone(text),
            Some(_) | None => {
                let text: Arc<str> = make().into();
                *kept = Some((types, Arc::clone(&text)));
                text
            }
        }
    }
}
