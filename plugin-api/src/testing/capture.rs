//! Sends the plugin's `log` lines and panics to the [`super::TestHost`] whose call they happen in.

use std::sync::Once;

/// Installs the forwarding once per test process. A failing assertion of the test itself is no plugin's
/// panic and is printed as always.
pub(super) fn start() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| crate::boundary::listen(log::LevelFilter::Trace));
}
