//! The DDS endpoints behind one writer or reader: one, or two while it moves to another participant.

use std::sync::Arc;

/// An endpoint that is used, and perhaps a second one: first the next one to be used, then the one that was used before.
pub(super) struct Pair<E> {
    used: Arc<E>,
    other: Option<Arc<E>>,
}

impl<E> Pair<E> {
    pub(super) fn new(used: E) -> Self {
        Pair { used: Arc::new(used), other: None }
    }

    /// Returns the endpoint that is used.
    pub(super) fn used(&self) -> &Arc<E> {
        &self.used
    }

    /// Returns the second endpoint.
    pub(super) fn other(&self) -> Option<&Arc<E>> {
        self.other.as_ref()
    }

    /// Returns the endpoint that is used, then the second one.
    pub(super) fn both(&self) -> impl Iterator<Item = &Arc<E>> {
        std::iter::once(&self.used).chain(&self.other)
    }

    /// Adds the second endpoint and returns the one that it replaces.
    pub(super) fn add(&mut self, other: E) -> Option<Arc<E>> {
        self.other.replace(Arc::new(other))
    }

    /// Uses the second endpoint; without one, nothing changes.
    pub(super) fn swap(&mut self) {
        if let Some(other) = &mut self.other {
            std::mem::swap(&mut self.used, other);
        }
    }

    /// Removes the second endpoint.
    pub(super) fn remove_other(&mut self) -> Option<Arc<E>> {
        self.other.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_endpoint_is_used_after_a_swap_and_the_first_one_removed() {
        let mut pair = Pair::new('a');
        pair.swap();
        assert_eq!((**pair.used(), pair.other()), ('a', None), "there is no other");
        assert_eq!(pair.add('b'), None);
        assert_eq!((**pair.used(), pair.other().map(|other| **other)), ('a', Some('b')));
        pair.swap();
        assert_eq!(**pair.used(), 'b');
        assert_eq!(pair.both().map(|one| **one).collect::<String>(), "ba");
        assert_eq!((pair.remove_other().map(|other| *other), pair.remove_other()), (Some('a'), None));
        assert_eq!(**pair.used(), 'b');
    }
}
