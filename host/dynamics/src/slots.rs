//! A list whose items keep their index: a removed item leaves a place that the next one takes.

use serde::{Deserialize, Serialize};

/// A list of items by index.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Slots<T> {
    items: Vec<Option<T>>,
    /// Empty places; the last one is taken first.
    free: Vec<usize>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self { items: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slots<T> {
    pub(crate) fn insert(&mut self, item: T) -> usize {
        if let Some(index) = self.free.pop() {
            self.items[index] = Some(item);
            return index;
        }
        self.items.push(Some(item));
        self.items.len() - 1
    }

    pub(crate) fn remove(&mut self, index: usize) -> Option<T> {
        let item = self.items.get_mut(index)?.take()?;
        self.free.push(index);
        Some(item)
    }

    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        self.items.get(index)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.items.get_mut(index)?.as_mut()
    }

    /// One more than the greatest index.
    pub(crate) fn end(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len() - self.free.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        self.items.iter().enumerate().filter_map(|(index, item)| Some((index, item.as_ref()?)))
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (usize, &mut T)> {
        self.items.iter_mut().enumerate().filter_map(|(index, item)| Some((index, item.as_mut()?)))
    }
}

/// An index that a caller holds must be of an item that is there: the owner of the world removes ids and items together.
impl<T> std::ops::Index<usize> for Slots<T> {
    type Output = T;
    #[inline]
    fn index(&self, index: usize) -> &T {
        match &self.items[index] {
            Some(item) => item,
            None => panic!("item {index} was removed"),
        }
    }
}

impl<T> std::ops::IndexMut<usize> for Slots<T> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut T {
        match &mut self.items[index] {
            Some(item) => item,
            None => panic!("item {index} was removed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removed_item_leaves_its_place_to_the_next_one() {
        let mut slots = Slots::default();
        let ids = ["a", "b", "c"].map(|item| slots.insert(item));
        assert_eq!(slots.remove(ids[1]), Some("b"));
        assert_eq!((slots.remove(ids[1]), slots.get(ids[1]), slots.len()), (None, None, 2));
        assert_eq!((slots.insert("d"), slots[ids[1]], slots.end()), (ids[1], "d", 3));
        assert_eq!(slots.iter().map(|(_, item)| *item).collect::<Vec<_>>(), ["a", "d", "c"]);
    }
}
