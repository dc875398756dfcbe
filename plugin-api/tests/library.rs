//! What a library does when it is loaded: its panics and log lines go to the host from then on.
//!
//! A test binary of its own, because a library is initialised once per process.

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::export;
use bridgehead_plugin_api::host::Level;
use bridgehead_plugin_api::testing::TestHost;

#[test]
fn after_init_log_lines_and_panics_outside_any_instance_go_to_the_library() {
    let (first, second) = (TestHost::new(), TestHost::new());
    // SAFETY: test hosts live as long as the process.
    let codes = unsafe { [export::init(first.handle().as_raw()), export::init(second.handle().as_raw())] };
    assert_eq!(codes, [status::OK, status::OK]);
    log::warn!("the library speaks");
    let thread = std::thread::Builder::new().spawn(|| panic!("nobody's panic")).expect("thread");
    assert!(thread.join().is_err());
    assert!(first.has_logged(Level::Warn, "the library speaks"));
    assert!(first.has_logged(Level::Error, "nobody's panic"));
    assert!(second.log_lines().is_empty(), "the first initialisation counts");
    assert_eq!(export::library().map(|host| host.as_raw()), Some(first.handle().as_raw()));
}
