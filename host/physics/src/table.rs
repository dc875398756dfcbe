//! A table of parts by id, in the order of insertion.
//!
//! An id is never issued twice, and a removed part leaves nothing behind: a world in which models are added
//! and removed for days does not grow or slow down. Until the first removal, an id is an index into the list.

use serde::{Deserialize, Serialize};

/// An id of a table.
pub trait Id: Copy + Ord {
    /// The id with a number.
    fn from_number(number: u32) -> Self;
    /// Its number.
    fn number(self) -> u32;
}

impl Id for u32 {
    fn from_number(number: u32) -> Self {
        number
    }

    fn number(self) -> u32 {
        self
    }
}

impl Id for usize {
    fn from_number(number: u32) -> Self {
        number as usize
    }

    fn number(self) -> u32 {
        u32::try_from(self).unwrap_or(u32::MAX)
    }
}

/// A table of parts by id.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Table<I, T> {
    /// In the order of their ids.
    parts: Vec<(I, T)>,
    /// The number of the next id.
    next: u32,
}

impl<I, T> Default for Table<I, T> {
    fn default() -> Self {
        Self { parts: Vec::new(), next: 0 }
    }
}

impl<I: Id, T> Table<I, T> {
    /// Creates an empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of parts.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Returns true if there are no parts.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns true if there is a part with this id.
    pub fn contains(&self, id: I) -> bool {
        self.place(id).is_some()
    }

    /// The id of the next part.
    pub fn next_id(&self) -> I {
        I::from_number(self.next)
    }

    /// Issues this id next, unless a later one was issued already.
    pub fn set_next_id(&mut self, id: I) {
        self.next = self.next.max(id.number());
    }

    /// Adds a part at the end and returns its id.
    pub fn push(&mut self, part: T) -> I {
        let id = self.next_id();
        self.next = self.next.saturating_add(1);
        self.parts.push((id, part));
        id
    }

    /// Removes and returns a part.
    pub fn remove(&mut self, id: I) -> Option<T> {
        let place = self.place(id)?;
        Some(self.parts.remove(place).1)
    }

    /// The part with an id.
    pub fn get(&self, id: I) -> Option<&T> {
        Some(&self.parts.get(self.place(id)?)?.1)
    }

    /// Like [`Self::get`], mutable.
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        let place = self.place(id)?;
        Some(&mut self.parts.get_mut(place)?.1)
    }

    /// The part at an index of the list, for loops that change the world.
    pub fn at(&self, place: usize) -> Option<(I, &T)> {
        self.parts.get(place).map(|(id, part)| (*id, part))
    }

    /// Like [`Self::at`], mutable.
    pub fn at_mut(&mut self, place: usize) -> Option<(I, &mut T)> {
        self.parts.get_mut(place).map(|(id, part)| (*id, part))
    }

    /// The ids, in order.
    pub fn ids(&self) -> impl Iterator<Item = I> + '_ {
        self.parts.iter().map(|(id, _)| *id)
    }

    /// Ids and parts, in order.
    pub fn iter(&self) -> impl Iterator<Item = (I, &T)> {
        self.parts.iter().map(|(id, part)| (*id, part))
    }

    /// The parts, in order.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.parts.iter().map(|(_, part)| part)
    }

    /// Like [`Self::values`], mutable.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.parts.iter_mut().map(|(_, part)| part)
    }

    /// A table with the same ids and other values.
    pub fn map<U>(&self, of: impl Fn(&T) -> U) -> Table<I, U> {
        let parts = self.parts.iter().map(|(id, part)| (*id, of(part))).collect();
        Table { parts, next: self.next }
    }

    /// Keeps the parts for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.parts.retain(|(_, part)| keep(part));
    }

    /// Does not issue ids that another table has issued.
    pub fn skip_ids_of(&mut self, other: &Self) {
        self.next = self.next.max(other.next);
    }

    /// The index of an id in the list: its number, or less after removals.
    pub fn place(&self, id: I) -> Option<usize> {
        let number = id.number() as usize;
        match self.parts.get(number) {
            Some((found, _)) if *found == id => Some(number),
            _ => {
                let before = self.parts.get(..number).unwrap_or(&self.parts);
                before.binary_search_by_key(&id, |(id, _)| *id).ok()
            }
        }
    }
}

#[cfg(test)]
impl<I: Id, T> std::ops::Index<I> for Table<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        self.get(id).expect("there")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(parts: &[char]) -> (Table<u32, char>, Vec<u32>) {
        let mut table = Table::new();
        let ids = parts.iter().map(|&part| table.push(part)).collect();
        (table, ids)
    }

    #[test]
    fn what_goes_is_found_no_more_and_all_else_is() {
        let (mut table, ids) = table(&['a', 'b', 'c', 'd']);
        assert_eq!(table.remove(ids[1]), Some('b'));
        assert_eq!(table.remove(ids[1]), None);
        let found: Vec<_> = ids.iter().map(|&id| table.get(id).copied()).collect();
        assert_eq!(found, [Some('a'), None, Some('c'), Some('d')]);
        assert_eq!(table.ids().collect::<Vec<_>>(), [ids[0], ids[2], ids[3]]);
        assert_eq!(table.at(1), Some((ids[2], &'c')));
    }

    #[test]
    fn no_id_is_given_twice() {
        let (mut table, ids) = table(&['a', 'b']);
        let beginning = table.clone();
        table.remove(ids[1]);
        let third = table.push('c');
        assert!(third > ids[1]);
        let mut again = beginning;
        again.skip_ids_of(&table);
        assert_eq!((again.get(third), again.get(ids[1])), (None, Some(&'b')));
        assert!(again.push('d') > third);
    }

    #[test]
    fn a_table_is_as_long_as_its_parts() {
        let (mut table, _) = table(&['a']);
        for _ in 0..1000 {
            let id = table.push('x');
            table.remove(id);
        }
        assert_eq!(table.len(), 1);
        assert_eq!(table.next_id(), 1001);
    }
}
