//! `bridgehead.log/1`: lines of plugins go through the host's logger, tagged with the instance.

use bridgehead_abi::host::{LOG_DEBUG, LOG_ERROR, LOG_INFO, LOG_WARN};
use bridgehead_plugin_api::hosting::{Line, LogHost};

use super::context::Context;
use crate::text::shortened;

/// Longest line of a plugin in characters; longer ones are truncated.
const MAX_LINE: usize = 16 << 10;

fn level(number: u32) -> log::Level {
    match number {
        LOG_ERROR => log::Level::Error,
        LOG_WARN => log::Level::Warn,
        LOG_INFO => log::Level::Info,
        LOG_DEBUG => log::Level::Debug,
        _ => log::Level::Trace,
    }
}

impl LogHost for Context {
    fn enabled(&self, number: u32) -> u8 {
        u8::from(level(number) <= log::max_level())
    }

    fn write(&self, line: Line<'_>) {
        if !self.may_log() {
            return;
        }
        let whole = String::from_utf8_lossy(line.text);
        let text = shortened(&whole, MAX_LINE);
        log::logger().log(
            &log::Record::builder()
                .level(level(line.level))
                .target(&self.label)
                .module_path(Some(&String::from_utf8_lossy(line.target)))
                .file(Some(&String::from_utf8_lossy(line.file)))
                .line(Some(line.line))
                .args(format_args!("{text}"))
                .build(),
        );
    }
}
