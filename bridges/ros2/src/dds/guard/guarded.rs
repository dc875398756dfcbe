//! What the guard knows of the participant whose datagrams it checks.

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use bridgehead_ros2_node::lock::lock;

use super::wire::Prefix;
use crate::dds::options::Network;

/// The first bytes of the addresses of `rustdds`.
const RUSTDDS: [u8; 2] = [1, 0x12];

/// The participants of one node. What they send to each other is dropped: each would otherwise keep the announcements
/// of all others.
#[derive(Default)]
pub(crate) struct Siblings {
    /// Of all participants that the node ever had: a datagram can arrive after its sender has left.
    prefixes: Mutex<HashSet<Prefix>>,
    /// Whether one is being opened, whose address is not known yet.
    is_opening: AtomicBool,
}

/// One participant of this process.
pub(crate) struct GuardedParticipant {
    /// The addresses at which it receives, if not at all.
    addresses: Option<Vec<Ipv4Addr>>,
    /// Whether it uses the loopback interface only.
    is_local: bool,
    siblings: Arc<Siblings>,
    /// Whether it ignores participants that it does not know.
    ignores_new: AtomicBool,
    own: OnceLock<Prefix>,
    places: AtomicU32,
}

impl GuardedParticipant {
    pub(crate) fn new(network: &Network, siblings: &Arc<Siblings>) -> Arc<Self> {
        let addresses = match network {
            Network::All => None,
            Network::Only(only) => Some(only.as_slice()),
        };
        Arc::new(GuardedParticipant {
            is_local: addresses.is_some_and(|only| only.iter().all(IpAddr::is_loopback)),
            addresses: addresses.map(|only| only.iter().filter_map(v4).collect()),
            siblings: Arc::clone(siblings),
            ignores_new: AtomicBool::new(false),
            own: OnceLock::new(),
            places: AtomicU32::new(0),
        })
    }

    /// Opens the participant and learns its address from the result.
    ///
    /// # Errors
    /// Returns the error of `open`.
    pub(super) fn learn<T, E>(
        &self,
        open: impl FnOnce() -> Result<T, E>,
        prefix: impl FnOnce(&T) -> Prefix,
    ) -> Result<T, E> {
        let _opening = Opening::begin(&self.siblings.is_opening);
        let opened = open()?;
        let prefix = prefix(&opened);
        let _ = self.own.set(prefix);
        lock(&self.siblings.prefixes).insert(prefix);
        Ok(opened)
    }

    /// Ignores participants that it does not know from now on, or no longer.
    pub(crate) fn ignore_new(&self, ignores: bool) {
        self.ignores_new.store(ignores, Ordering::Release);
    }

    /// Returns whether datagrams of a sender are ignored: those of siblings, and perhaps those of new participants. While
    /// a sibling is being opened, each new participant of `rustdds` counts as one: others announce themselves again.
    pub(super) fn ignores(&self, sender: Prefix, mut is_new: impl FnMut() -> bool) -> bool {
        self.is_sibling(sender, &mut is_new) || self.ignores_new.load(Ordering::Acquire) && is_new()
    }

    fn is_sibling(&self, sender: Prefix, is_new: impl FnOnce() -> bool) -> bool {
        let Some(own) = self.own.get() else { return lock(&self.siblings.prefixes).contains(&sender) };
        if sender == *own {
            return false;
        }
        if lock(&self.siblings.prefixes).contains(&sender) {
            return true;
        }
        self.siblings.is_opening.load(Ordering::Acquire) && sender.starts_with(&RUSTDDS) && is_new()
    }

    /// Returns the addresses at which it receives, if not at all.
    pub(super) fn addresses(&self) -> Option<&[Ipv4Addr]> {
        self.addresses.as_deref()
    }

    /// Returns whether it uses the loopback interface only.
    pub(super) fn is_local(&self) -> bool {
        self.is_local
    }

    /// Adds places in the limit of announcements: `rustdds` has forgotten so many remote endpoints.
    pub(crate) fn note_departed(&self, endpoints: usize) {
        let endpoints = u32::try_from(endpoints).unwrap_or(u32::MAX);
        let add = |places: u32| Some(places.saturating_add(endpoints));
        let _ = self.places.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    /// Takes at most so many places.
    pub(super) fn take_places(&self, most: u32) -> u32 {
        let rest = |places: u32| Some(places.saturating_sub(most));
        let update = self.places.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest);
        update.map_or(0, |places| places.min(most))
    }

    /// Returns the number of places that can be taken.
    #[cfg(test)]
    pub(crate) fn places(&self) -> u32 {
        self.places.load(Ordering::Relaxed)
    }
}

/// Set while this exists.
struct Opening<'a>(&'a AtomicBool);

impl<'a> Opening<'a> {
    fn begin(flag: &'a AtomicBool) -> Self {
        flag.store(true, Ordering::Release);
        Opening(flag)
    }
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

fn v4(address: &IpAddr) -> Option<Ipv4Addr> {
    match address {
        IpAddr::V4(address) => Some(*address),
        IpAddr::V6(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefix(vendor: [u8; 2], number: u8) -> Prefix {
        let mut prefix = [number; 12];
        prefix[..2].copy_from_slice(&vendor);
        prefix
    }

    fn opened(siblings: &Arc<Siblings>, number: u8) -> Arc<GuardedParticipant> {
        let participant = GuardedParticipant::new(&Network::All, siblings);
        let open = participant.learn(|| Ok::<_, ()>(()), |()| prefix(RUSTDDS, number));
        open.expect("opened");
        participant
    }

    #[test]
    fn siblings_are_those_of_the_same_node_except_itself() {
        let (node, other) = (Arc::default(), Arc::default());
        let (one, two) = (opened(&node, 1), opened(&node, 2));
        opened(&other, 3);
        let is_sibling = |of: &GuardedParticipant, number| of.is_sibling(prefix(RUSTDDS, number), || true);
        assert!(is_sibling(&one, 2) && is_sibling(&two, 1));
        assert!(!is_sibling(&one, 1) && !is_sibling(&one, 3) && !is_sibling(&one, 4));
    }

    #[test]
    fn while_a_sibling_opens_new_participants_of_its_kind_wait() {
        let node = Arc::default();
        let one = opened(&node, 1);
        let two = GuardedParticipant::new(&Network::All, &node);
        let open = || {
            assert!(one.is_sibling(prefix(RUSTDDS, 2), || true), "it may be the sibling");
            assert!(!one.is_sibling(prefix(RUSTDDS, 9), || false), "it is known");
            assert!(!one.is_sibling(prefix([1, 0x10], 9), || true), "it is of another vendor");
            assert!(two.is_sibling(prefix(RUSTDDS, 1), || true), "the new one knows the others");
            assert!(!two.is_sibling(prefix(RUSTDDS, 9), || true), "the new one discovers its peers");
            Err::<(), _>(())
        };
        two.learn(open, |()| prefix(RUSTDDS, 2)).expect_err("not opened");
        assert!(!one.is_sibling(prefix(RUSTDDS, 2), || true), "it was not opened");
    }

    #[test]
    fn a_participant_that_ignores_new_ones_listens_to_those_that_it_knows() {
        let one = opened(&Arc::default(), 1);
        let cyclone = prefix([1, 0x10], 5);
        assert!(!one.ignores(cyclone, || true));
        one.ignore_new(true);
        assert!(one.ignores(cyclone, || true) && !one.ignores(cyclone, || false));
        one.ignore_new(false);
        assert!(!one.ignores(cyclone, || true));
    }

    #[test]
    fn places_are_taken_once() {
        let one = opened(&Arc::default(), 1);
        one.note_departed(5);
        assert_eq!([one.take_places(3), one.take_places(3), one.take_places(3)], [3, 2, 0]);
    }
}
