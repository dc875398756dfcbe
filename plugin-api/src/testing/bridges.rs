//! `bridgehead.bridges/1` of a test: the bridges that the test says there are.

use bridgehead_abi::bridges::BridgeState as RawState;
use bridgehead_abi::{Status, Str, status};

use super::host::{Shared, TestHost, lock};
use crate::host::BridgeState;
use crate::hosting::BridgesHost;

impl TestHost {
    /// Says which bridges the vehicle has from now on.
    pub fn set_bridges(self, bridges: Vec<BridgeState>) {
        // Texts stay valid until the next step, which a test may begin at any time.
        let bridges: &'static [BridgeState] = Box::leak(bridges.into_boxed_slice());
        *lock(&self.shared.bridges) = bridges;
    }
}

impl BridgesHost for Shared {
    fn at(&self, index: u32) -> Result<RawState, Status> {
        let bridges = *lock(&self.bridges);
        let bridge = bridges.get(index as usize).ok_or(status::NOT_FOUND)?;
        let (name, label) = (Str::new(&bridge.name), Str::new(&bridge.label));
        Ok(RawState { struct_size: RawState::SIZE, status: bridge.status as u32, name, label })
    }
}
